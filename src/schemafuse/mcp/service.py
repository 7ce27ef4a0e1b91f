"""The tool service: tools and their handlers, listed and called by the rules of MCP 2026-07-28, over any transport.

Comes in: definitions with handlers from the author of a server, and requests from clients. Goes out: results of
tools/list and tools/call, or whole JSON-RPC responses. No handler ever sees arguments that its inputSchema does not
allow, and no client sees a result that the outputSchema does not allow, nor a word of an exception.
"""

from __future__ import annotations

import inspect
import logging
from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from ..limits import DEFAULT_LIMITS, Limits
from ..render import quote
from . import outcomes
from .calls import Call
from .changes import ListChanges
from .cursors import Cursors
from .definitions import Tool
from .driving import STRAY
from .jsonrpc import answer, encode_response, error_response
from .listening import Closable, Notify
from .options import (
    CacheScope,
    cache_scope_of,
    seconds,
    server_info,
    text,
    tool_options,
    visible_or_none,
    whole_number,
)
from .protocol import INVALID_PARAMS, PROTOCOL_VERSION, ProtocolError, can_be_sent
from .registry import Entry, Handler, Mode, Registry, ToolHandle, make_entry
from .running import Runner
from .wire import MOST_MESSAGE_DEPTH, UnreadableMessageError, read_message

logger = logging.getLogger("schemafuse.mcp")

Visible = Callable[[Tool, Any], bool]
HandlerT = TypeVar("HandlerT", bound=Handler)


class _Absent:
    """The default of a parameter for which None is a value."""


_ABSENT: Final[Any] = _Absent()


class ToolService:
    """Serves tools. One event loop (asyncio) at a time; handles may be used from any thread.

    `limits`: for the schemas of every tool and each check.
    `page_size`: tools on one page of a list.
    `ttl_ms`, `cache_scope`: how long, and for whom, clients may keep a list ("public" or "private").
    `visible`: `(tool, authorization) -> bool`, a filter by who asks and nothing else. It applies to lists and to calls,
    and makes lists private. A tool for which it raises is hidden.
    `assert_formats`: whether `format` is an assertion in arguments. On here, unlike elsewhere: the author of the
    definitions is the author of the server. In results it never is.
    `name`, `version`, `title`, `instructions`: what the server tells about itself.
    `call_timeout_s`: seconds that a call may take, None for any time; `add` can say otherwise for one tool.
    `max_concurrent_calls`: calls that may run at once; one more is refused at once.
    `max_message_bytes`, `max_message_depth`: of one message in `handle_bytes`; at most 512 levels.
    `resources`: URI -> schema, for references that leave a schema of a tool. Nothing is ever fetched.

    Raises `TypeError` or `ValueError` for an option that can't be meant.
    """

    def __init__(
        self,
        *,
        limits: Limits = DEFAULT_LIMITS,
        page_size: int = 50,
        ttl_ms: int = 300_000,
        cache_scope: CacheScope = "public",
        visible: Visible | None = None,
        assert_formats: bool = True,
        name: str = "schemafuse",
        version: str = "0",
        title: str | None = None,
        instructions: str | None = None,
        call_timeout_s: float | None = 60.0,
        max_concurrent_calls: int = 100,
        max_message_bytes: int = 4 << 20,
        max_message_depth: int = 256,
        resources: Mapping[str, Any] | None = None,
    ) -> None:
        self._tool_options = tool_options(limits, assert_formats, resources)
        self._visible = visible_or_none(visible)
        self.cache_scope = cache_scope_of(cache_scope, visible)
        self.page_size = whole_number("page_size", page_size, 1)
        self.ttl_ms = whole_number("ttl_ms", ttl_ms, 0)
        self.max_message_bytes = whole_number("max_message_bytes", max_message_bytes, 1)
        self.max_message_depth = whole_number("max_message_depth", max_message_depth, 1, MOST_MESSAGE_DEPTH)
        self.call_timeout_s = seconds("call_timeout_s", call_timeout_s)
        self.server_info = server_info(name, version, title)
        self.instructions = None if instructions is None else text("instructions", instructions)
        #: What has to be closed with the service: open `subscriptions/listen` streams.
        self.streams: set[Closable] = set()
        self.closed = False
        self._changes = ListChanges()
        self._registry = Registry(self._changes.happened)
        self._runner = Runner(whole_number("max_concurrent_calls", max_concurrent_calls, 1))
        self._cursors = Cursors(name)

    # Tools ------------------------------------------------------------------------------------------

    def add(
        self,
        definition: Any,
        handler: Handler,
        *,
        blocking: bool = False,
        mode: Mode = "strict",
        call_timeout_s: float | None = _ABSENT,
    ) -> ToolHandle:
        """Register a tool and return its handle.

        `definition`: an object as in tools/list. Changing it afterwards changes nothing.
        `handler`: sync or async, `(arguments) -> result` or `(arguments, call) -> result` with a `Call`. The result is
        any JSON value, a whole CallToolResult, or an InputRequiredResult.
        `blocking`: whether a plain handler runs in a thread; else it holds up everything else while it runs.
        `mode`: "repair" applies unambiguous fixes to invalid arguments before the call; "strict" refuses them.
        `call_timeout_s`: seconds that a call of this tool may take, None for any time.

        Raises `ToolDefinitionError` for a definition that is refused, `ValueError` for a name that is taken,
        `TypeError` for a handler that can't be called.
        """
        timeout_s = self.call_timeout_s if call_timeout_s is _ABSENT else call_timeout_s
        entry = make_entry(self._make_tool(definition), handler, blocking=blocking, mode=mode, timeout_s=timeout_s)
        self._registry.add(entry)
        return ToolHandle(entry, self._registry, self._make_tool)

    def tool(
        self,
        definition: Any,
        *,
        blocking: bool = False,
        mode: Mode = "strict",
        call_timeout_s: float | None = _ABSENT,
    ) -> Callable[[HandlerT], HandlerT]:
        """Register the decorated function as the handler of a tool; see `add`, and `get` for the handle."""

        def register(handler: HandlerT) -> HandlerT:
            self.add(definition, handler, blocking=blocking, mode=mode, call_timeout_s=call_timeout_s)
            return handler

        return register

    def get(self, name: str) -> ToolHandle:
        """Return a handle of a registered tool, enabled or not. Raises `LookupError` when there is none."""
        entry = self._registry.entries.get(name)
        if entry is None:
            raise LookupError(f"there is no tool named {quote(name, 140)}")
        return ToolHandle(entry, self._registry, self._make_tool)

    def on_list_changed(self, callback: Callable[[], Any]) -> Callable[[], None]:
        """Have `callback()`, sync or async, called when clients would see another list. Returns a way to stop that.

        Changes that come together are told once, on the event loop that runs now; when none does, on the loop of
        whoever makes the change, or at once where there is none either.
        """
        return self._changes.subscribe(callback)

    def close(self) -> None:
        """End open subscriptions with a result, and start no more threads. Calls that run go on."""
        self.closed = True
        for stream in list(self.streams):
            stream.close()
        self._runner.close()

    def find_tool(self, name: object, authorization: Any = None) -> Tool:
        """Return the tool that `authorization` can call. Raises `ProtocolError` (-32602) when there is none."""
        return self._find(name, authorization).tool

    # Requests ---------------------------------------------------------------------------------------

    def discover(self, *, list_changed: bool = False) -> dict[str, Any]:
        """Return a DiscoverResult. `list_changed`: whether the transport can tell clients of changes."""
        result: dict[str, Any] = {
            "resultType": "complete",
            "supportedVersions": [PROTOCOL_VERSION],
            "capabilities": {"tools": {"listChanged": list_changed}},
            "ttlMs": self.ttl_ms,
            "cacheScope": self.cache_scope,
        }
        if self.instructions is not None:
            result["instructions"] = self.instructions
        return result

    async def list_tools(self, cursor: str | None = None, *, authorization: Any = None) -> dict[str, Any]:
        """Return a ListToolsResult: one page, in the order of the names.

        `cursor`: the `nextCursor` of the page before, None for the first. It names a position, so it stays good when
        tools come and go, and on every replica. Raises `ProtocolError` (-32602) for one that was not issued.
        """
        names, entries = self._registry.listing
        start = 0 if cursor is None else bisect_right(names, self._cursors.read(cursor))
        page: list[Tool] = []
        result: dict[str, Any] = {"resultType": "complete"}
        for entry in entries[start:]:
            if not self._is_visible(entry.tool, authorization):
                continue
            if len(page) == self.page_size:
                result["nextCursor"] = self._cursors.after(page[-1].name)
                break
            page.append(entry.tool)
        result["tools"] = [tool.definition for tool in page]
        return result | {"ttlMs": self.ttl_ms, "cacheScope": self.cache_scope}

    async def call_tool(
        self, name: Any, arguments: Any = _ABSENT, *, authorization: Any = None, call: Call | None = None
    ) -> dict[str, Any]:
        """Check the arguments, run the handler, check its result. Returns a CallToolResult or an InputRequiredResult.

        `arguments`: an object; `{}` when left out. `call`: what the transport knows of the request; its `authorization`
        counts then. Raises `ProtocolError`: -32602 for an unknown tool or arguments that are no object, -32021 for
        input requests that the client can't answer, and whatever `ProtocolError` the handler raises that can be sent.
        Nothing else but cancellation, and `KeyboardInterrupt`.
        """
        entry = self._find(name, authorization if call is None else call.authorization)
        tool = entry.tool
        if arguments is _ABSENT:
            arguments = {}
        elif not isinstance(arguments, dict):
            found = quote(arguments, 40)
            raise ProtocolError(INVALID_PARAMS, f"Invalid params: arguments must be an object, or absent; got {found}")
        if not entry.accepts(arguments):
            refusal = tool.check_arguments(arguments)
            if refusal is not None and entry.repairs:
                arguments, report = tool.input.repair(arguments)
                refusal = tool.check_arguments(arguments) if report.ok else refusal
            if refusal is not None:
                return refusal
        if call is None and entry.takes_call:
            call = Call(authorization=authorization)
        try:
            value = await self._runner.run(entry, arguments, call)
            return outcomes.finish(tool, value, call.client_capabilities if call is not None else None)
        except (KeyboardInterrupt, *STRAY):  # of these, the handler's own come as StrayError
            raise
        except BaseException as error:
            if isinstance(error, ProtocolError) and can_be_sent(error):
                raise
            return outcomes.failed(entry, error, self._runner.limit)

    async def handle(
        self, message: Any, *, authorization: Any = None, notify: Notify | None = None
    ) -> dict[str, Any] | None:
        """Answer one JSON-RPC message: server/discover, tools/list, tools/call, subscriptions/listen.

        `authorization`: who asks, as the transport established it; given to `visible` and to handlers.
        `notify`: sends a notification to the client ahead of the response; without it, nobody can listen.
        Returns the response, None where none is owed. Every error is a response; only cancellation is raised.
        """
        return await answer(self, message, authorization, notify)

    async def handle_bytes(
        self, data: bytes | bytearray | memoryview, *, authorization: Any = None, notify: Notify | None = None
    ) -> bytes | None:
        """Answer one message as it comes over the wire, bytes of UTF-8 JSON without a frame. See `handle`.

        What is too large, too deep, not UTF-8, or ambiguous JSON (a name twice, NaN, half a surrogate pair) is -32700.
        """
        try:
            message = read_message(data, max_bytes=self.max_message_bytes, max_depth=self.max_message_depth)
        except UnreadableMessageError as error:
            response: dict[str, Any] | None = error_response(error, error.request_id)
        else:
            response = await self.handle(message, authorization=authorization, notify=notify)
        return None if response is None else encode_response(response)

    # Inside -----------------------------------------------------------------------------------------

    def _make_tool(self, definition: Any) -> Tool:
        return Tool.from_dict(definition, **self._tool_options)

    def _find(self, name: Any, authorization: Any) -> Entry:
        if not isinstance(name, str):
            raise ProtocolError(INVALID_PARAMS, "Invalid params: name must be a string")
        entry = self._registry.entries.get(str.__str__(name))  # what a subclass holds, whatever it says of itself
        if entry is not None and entry.enabled and self._is_visible(entry.tool, authorization):
            return entry
        # The same words for what is hidden and what does not exist.
        raise ProtocolError(INVALID_PARAMS, f"Unknown tool: {quote(name, 140)}")

    def _is_visible(self, tool: Tool, authorization: Any) -> bool:
        if self._visible is None:
            return True
        try:
            verdict = self._visible(tool, authorization)
        except (Exception, *STRAY):  # a plain function cannot have been cancelled
            logger.exception("visible failed, so the tool is hidden")
            return False
        return bool(verdict) and not inspect.isawaitable(verdict)
