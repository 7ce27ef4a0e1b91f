"""A tool service on the official SDK (extra `mcp`): transports, sessions, authorization, subscriptions are the SDK's.

Comes in: a `ToolService`. Goes out: a low-level `mcp.server.Server` that lists and calls its tools, for clients of
2026-07-28 and, as far as those can read the results, of earlier revisions. Nothing is checked twice, or less.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
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
from .definitions import Tool
from .driving import STRAY
from .headers import Headers
from .jsonrpc import call_from, for_client
from .protocol import ProtocolError
from .results import error_result
from .service import ToolService

logger = logging.getLogger("schemafuse.mcp")

Context: TypeAlias = "ServerRequestContext[Any, Any]"
Authorization: TypeAlias = Callable[[Context], Any]


def as_server(
    service: ToolService, *, bus: SubscriptionBus | None = None, authorization: Authorization | None = None
) -> Server[Any]:
    """Return a low-level server of the SDK that serves the tools of `service`.

    `bus`: where changes of the list are published, one of your own when several replicas serve the same tools.
    `authorization`: `(context) -> Any`, who asks; by default the SDK's access token, None without authorization. When
    it raises, the request is answered by an internal error and the exception is logged; a `ProtocolError` or `MCPError`
    is for the client.

    Closing the service ends open subscriptions with a result, as the protocol wants it. Raises `TypeError` for an
    `authorization` that is no plain function.
    """
    if authorization is not None and (not callable(authorization) or inspect.iscoroutinefunction(authorization)):
        raise TypeError("authorization must be a plain function of the request's context")
    return _ServiceServer(service, bus or InMemorySubscriptionBus(), authorization)


class _ServiceServer(Server[Any]):
    """The adapter: one method for each request that a tool service answers."""

    def __init__(self, service: ToolService, bus: SubscriptionBus, authorization: Authorization | None) -> None:
        self._service = service
        self._bus = bus
        self._authorization: Authorization = authorization or (lambda context: get_access_token())
        #: Connections of clients before 2026-07-28, which are told of changes without asking for it.
        self._sessions: dict[Connection, _Session] = {}
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
            # Mcp-Param headers are checked in `_call_tool`. The SDK would list to find the schema, and let the call run
            # when it did not find it.
            get_tool_input_schema=lambda name: None,
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
        with _errors_for_clients():
            page = await self._service.list_tools(params.cursor, authorization=self._who_asks(context))
        if context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
            for tool in page["tools"]:
                # Earlier revisions know outputSchemas of objects only; another would cost them the whole list.
                if tool.get("outputSchema", {}).get("type") != "object":
                    tool.pop("outputSchema", None)
        return page

    async def _call_tool(self, context: Context, params: Any) -> Any:
        given = dict(context.params or {})
        modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
        with _errors_for_clients():
            call = self._call(context, given)
            if modern and context.request is not None:
                tool = self._service.find_tool(params.name, call.authorization)
                _check_headers(tool, context.request.headers, given.get("arguments", {}))
            arguments = (given["arguments"],) if "arguments" in given else ()
            result = await self._service.call_tool(params.name, *arguments, call=call)
        return result if modern else _for_earlier_clients(result)

    def _call(self, context: Context, params: dict[str, Any]) -> Call:
        declared = context.session.client_capabilities
        capabilities = declared.model_dump(mode="json", by_alias=True, exclude_none=True) if declared else {}
        progress = context.session.report_progress
        return call_from(params, capabilities, self._who_asks(context), progress)

    def _who_asks(self, context: Context) -> Any:
        try:
            who = self._authorization(context)
        except STRAY as error:  # a plain function cannot have been cancelled
            raise RuntimeError("authorization failed") from error
        if inspect.isawaitable(who):
            raise TypeError("authorization must be a plain function: what an async one returns is true for everybody")
        return who

    async def _remember(self, context: Context, params: NotificationParams) -> None:
        # A session stands for one message; the connection behind it lasts, and the SDK offers no other way to it.
        connection = context.session._connection
        if connection not in self._sessions:
            self._sessions[connection] = session = _Session(connection)
            connection.exit_stack.callback(session.end)
            connection.exit_stack.callback(self._sessions.pop, connection, None)

    async def _publish(self) -> None:
        for session in list(self._sessions.values()):
            session.wake()
        await self._bus.publish(ToolsListChanged())

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


class _Session:
    """A session of a client before 2026-07-28. One that does not read is told later, once, and holds up no other."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._changed = False
        self._telling: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Say that the list has changed."""
        self._changed = True
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        try:
            while self._changed:
                self._changed = False
                await self._connection.notify("notifications/tools/list_changed", None)
        except Exception:
            logger.exception("a session could not be told that the list of tools has changed")

    def end(self) -> None:
        """Tell nothing more: the connection is closed."""
        if self._telling is not None:
            self._telling.cancel()


def _check_headers(tool: Tool, headers: Headers, arguments: Any) -> None:
    """Compare the Mcp-Param headers of a request that came over HTTP with its arguments."""
    error = tool.check_param_headers(headers, arguments)
    if error is not None:
        raise ProtocolError(error["code"], error["message"], error["data"])


@contextmanager
def _errors_for_clients() -> Iterator[None]:
    """Let through what clients are to be told; the SDK sends those of earlier revisions a word of any exception."""
    try:
        yield
    except MCPError:
        raise
    except Exception as error:
        raise MCPError(**ProtocolError.to_dict(for_client(error))) from None


def _for_earlier_clients(result: dict[str, Any]) -> dict[str, Any]:
    """Return what a client before 2026-07-28 can read: structured content that is an object, and no input requests."""
    if result.get("resultType") == "input_required":
        return error_result("The tool needs input from the user in the middle of a call, which this client can't give.")
    if isinstance(result.get("structuredContent"), dict):
        return result
    return {name: member for name, member in result.items() if name != "structuredContent"}
