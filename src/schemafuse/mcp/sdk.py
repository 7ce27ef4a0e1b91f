"""A tool service on the official SDK (extra `mcp`): transports, sessions, authorization, subscriptions are the SDK's.

Comes in: a `ToolService`. Goes out: a low-level `mcp.server.Server` that lists and calls its tools, for clients of
2026-07-28 and, as far as those can read the results, of earlier revisions. Nothing is checked twice, or less.
"""

from __future__ import annotations

import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.caching import CacheHint
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, SubscriptionBus, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp_types import NotificationParams
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from .calls import Call
from .jsonrpc import call_from
from .protocol import ProtocolError
from .results import error_result
from .service import ToolService

Context: TypeAlias = "ServerRequestContext[Any, Any]"
Authorization: TypeAlias = Callable[[Context], Any]


def as_server(
    service: ToolService, *, bus: SubscriptionBus | None = None, authorization: Authorization | None = None
) -> Server[Any]:
    """Return a low-level server of the SDK that serves the tools of `service`.

    `bus`: where changes of the list are published, one of your own when several replicas serve the same tools.
    `authorization`: `(context) -> Any`, who asks; by default the SDK's access token, None without authorization.

    Closing the service ends open subscriptions with a result, as the protocol wants it.
    """
    return _ServiceServer(service, bus or InMemorySubscriptionBus(), authorization)


class _ServiceServer(Server[Any]):
    """The adapter: one method for each request that a tool service answers."""

    def __init__(self, service: ToolService, bus: SubscriptionBus, authorization: Authorization | None) -> None:
        self._service = service
        self._bus = bus
        self._authorization: Authorization = authorization or (lambda context: get_access_token())
        #: Connections of clients before 2026-07-28, which are told of changes without asking for it.
        self._sessions: weakref.WeakSet[Connection] = weakref.WeakSet()
        self._listening = ListenHandler(bus)
        #: Lifespans that have begun and not ended: one for the HTTP app, else one for each connection.
        self._lifespans = 0
        self._unsubscribe: Callable[[], None] | None = None
        info = service.server_info
        super().__init__(
            info["name"],
            version=info["version"],
            title=info.get("title"),
            instructions=service.instructions,
            cache_hints={"server/discover": CacheHint(service.ttl_ms, service.cache_scope)},
            lifespan=_publishing,
            # Called without the context that `authorization` needs: the SDK lists instead, which is slower.
            get_tool_input_schema=self._input_schema if authorization is None else None,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_subscriptions_listen=self._listening,
        )
        self.add_notification_handler("notifications/initialized", NotificationParams, self._remember)

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """Announce to clients before 2026-07-28 as well that changes of the list are told."""
        options = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(options, experimental_capabilities, extensions)

    async def _list_tools(self, context: Context, params: Any) -> Any:
        try:
            page = await self._service.list_tools(params.cursor, authorization=self._authorization(context))
        except ProtocolError as error:
            raise MCPError(error.code, error.message, error.data) from None
        if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            for tool in page["tools"]:
                # Earlier revisions know outputSchemas of objects only; another would cost them the whole list.
                if tool.get("outputSchema", {}).get("type") != "object":
                    tool.pop("outputSchema", None)
        return page

    async def _call_tool(self, context: Context, params: Any) -> Any:
        given = dict(context.params or {})
        try:
            call = self._call(context, given)
            arguments = (given["arguments"],) if "arguments" in given else ()
            result = await self._service.call_tool(params.name, *arguments, call=call)
        except ProtocolError as error:
            raise MCPError(error.code, error.message, error.data) from None
        return result if context.protocol_version in MODERN_PROTOCOL_VERSIONS else _for_earlier_clients(result)

    def _call(self, context: Context, params: dict[str, Any]) -> Call:
        declared = context.session.client_capabilities
        capabilities = declared.model_dump(mode="json", by_alias=True, exclude_none=True) if declared else {}
        progress = context.session.report_progress
        return call_from(params, capabilities, self._authorization(context), progress)

    def _input_schema(self, name: str) -> dict[str, Any] | None:
        """Return the schema that Mcp-Param headers are checked against; None where there are none to check."""
        try:
            tool = self._service.find_tool(name, get_access_token())
        except ProtocolError:
            return None
        return tool.definition["inputSchema"] if tool.header_parameters else None

    async def _remember(self, context: Context, params: NotificationParams) -> None:
        if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            # A session stands for one message; the connection behind it lasts, and the SDK offers no other way to it.
            self._sessions.add(context.session._connection)

    async def _publish(self) -> None:
        await self._bus.publish(ToolsListChanged())
        for connection in list(self._sessions):
            await connection.notify("notifications/tools/list_changed", None)

    @asynccontextmanager
    async def publishing(self) -> AsyncIterator[dict[str, Any]]:
        """Publish changes of the list while anybody is served: each once, and on the loop that serves."""
        if self._unsubscribe is None:
            self._unsubscribe = self._service.on_list_changed(self._publish)
            self._service.streams.add(self._listening)
        self._lifespans += 1
        try:
            yield {}
        finally:
            self._lifespans -= 1
            if self._lifespans == 0:
                self._unsubscribe()
                self._unsubscribe = None
                self._service.streams.discard(self._listening)


@asynccontextmanager
async def _publishing(server: Server[Any]) -> AsyncIterator[dict[str, Any]]:
    assert isinstance(server, _ServiceServer)
    async with server.publishing() as state:
        yield state


def _for_earlier_clients(result: dict[str, Any]) -> dict[str, Any]:
    """Return what a client before 2026-07-28 can read: structured content that is an object, and no input requests."""
    if result.get("resultType") == "input_required":
        return error_result("The tool needs input from the user in the middle of a call, which this client can't give.")
    if isinstance(result.get("structuredContent"), dict):
        return result
    return {name: member for name, member in result.items() if name != "structuredContent"}
