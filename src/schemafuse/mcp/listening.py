"""`subscriptions/listen` for transports that have no SDK below them: a request whose answer is a stream.

Comes in: the request and a way to notify its client. Goes out: the acknowledgement, then one notification a change of
the list, each under the id of the subscription, and a result when the service closes (MCP 2026-07-28
patterns/subscriptions). Sends nothing that the client did not ask for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

from .protocol import INTERNAL_ERROR, INVALID_PARAMS, SUBSCRIPTION_KEY, ProtocolError

if TYPE_CHECKING:
    from .service import ToolService

#: Sends one notification, a JSON-RPC message, to the client that made a request, ahead of the response to it.
Notify = Callable[[dict[str, Any]], Awaitable[None]]

#: Streams that may be open at once: each keeps a task and a connection.
MAX_STREAMS = 1_000


async def listen(service: ToolService, request_id: Any, params: dict[str, Any], notify: Notify) -> dict[str, Any]:
    """Serve one subscription until the service closes; cancel it when the client goes away."""
    wanted = params.get("notifications")
    if not isinstance(wanted, dict):
        raise ProtocolError(INVALID_PARAMS, "Invalid params: notifications must be an object")
    if len(service.streams) >= MAX_STREAMS:
        raise ProtocolError(INTERNAL_ERROR, f"Too many subscriptions: {MAX_STREAMS} are open")
    honoured = {"toolsListChanged": True} if wanted.get("toolsListChanged") is True else {}
    meta = {SUBSCRIPTION_KEY: request_id}
    stream = Stream()
    # Registered before the acknowledgement, so that no change falls between the two.
    unsubscribe = service.on_list_changed(stream.wake) if honoured else _nothing
    service.streams.add(stream)
    try:
        await notify(
            _notification("notifications/subscriptions/acknowledged", {"notifications": honoured, "_meta": meta})
        )
        while not service.closed:
            await stream.event.wait()
            stream.event.clear()
            if stream.changed:
                stream.changed = False
                await notify(_notification("notifications/tools/list_changed", {"_meta": meta}))
    finally:
        unsubscribe()
        service.streams.discard(stream)
    return {"resultType": "complete", "_meta": meta}


class Closable(Protocol):
    """Something that ends when the service does."""

    def close(self) -> None: ...


class Stream:
    """What one subscription waits for. Changes that come while it sends are told once."""

    __slots__ = ("changed", "event", "loop")

    def __init__(self) -> None:
        self.event = asyncio.Event()
        self.loop = asyncio.get_running_loop()
        self.changed = False

    def wake(self) -> None:
        """Say that the list has changed. On the stream's own loop."""
        self.changed = True
        self.event.set()

    def close(self) -> None:
        """Let the stream see that the service has closed. From any thread."""
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.event.set)


def _nothing() -> None:
    pass


def _notification(method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}
