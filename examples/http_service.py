"""Serve tools over Streamable HTTP with Starlette and uvicorn, and no MCP SDK.

Comes in: POST requests on one path of the loopback interface. Goes out: a JSON response, or an event stream where a
tool reports progress or a client listens for changes. Closing a response stops the call behind it; SIGTERM and Ctrl-C
end open subscriptions, let calls finish for some seconds, and stop.

    pip install "schemafuse[http]"
    python examples/http_service.py --port 8000
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from schemafuse.mcp import ToolError, ToolService
from schemafuse.mcp.http import handle_post

# Whole values are matched: readers of URLs disagree about what is a host in http://evil.example@localhost.
LOOPBACK = r"(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?"
HOST = re.compile(LOOPBACK, re.IGNORECASE)
ORIGIN = re.compile(f"https?://{LOOPBACK}", re.IGNORECASE)
KEEP_ALIVE_S = 15.0  # proxies close connections on which nothing moves
GRACE_S = 5
EVENT_STREAM = {"cache-control": "no-cache, no-transform", "x-accel-buffering": "no"}


def make_service() -> ToolService:
    service = ToolService(name="http-example", version="1.0.0")

    @service.tool(
        {
            "name": "forecast",
            "description": "The weather of the coming days in a city.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "city": {"type": "string", "minLength": 2},
                    "days": {"type": "integer", "minimum": 1, "maximum": 7},
                },
                "required": ["city"],
                "additionalProperties": False,
            },
            "outputSchema": {"type": "array", "items": {"type": "string"}},
        }
    )
    async def forecast(arguments: dict[str, Any]) -> list[str]:
        if arguments["city"] == "Atlantis":
            raise ToolError("There is no weather for Atlantis: it is below the sea. Ask for another city.")
        return ["sunny"] * arguments.get("days", 1)

    return service


class SameSite:
    """Refuses what other sites send, whatever its path and method, before anything else looks at it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        foreign = scope["type"] == "http" and is_foreign(Headers(scope=scope))
        await (Response(status_code=403) if foreign else self.app)(scope, receive, send)


def is_foreign(headers: Headers) -> bool:
    """A page that a browser shows must not reach this server by a name that resolves to it (DNS rebinding)."""
    hosts, origins = headers.getlist("host"), headers.getlist("origin")
    return len(hosts) != 1 or not HOST.fullmatch(hosts[0]) or not all(map(ORIGIN.fullmatch, origins))


def refuse(request: Request) -> Response | None:
    """Answer other kinds of content, which never reach the service."""
    accepts = (", ".join(request.headers.getlist("accept")) or "*/*").lower()
    if "*/*" not in accepts and not ("application/json" in accepts and "text/event-stream" in accepts):
        return Response(status_code=406)
    is_json = request.headers.get("content-type", "").split(";")[0].strip().lower() == "application/json"
    return None if is_json else Response(status_code=415)


async def read_body(request: Request, limit: int) -> bytes | None:
    """Return the body, None when it is larger than any message may be."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            return None
    return bytes(body)


async def wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


class Exchange:
    """One request: the task that answers it, and the notifications that come before the answer."""

    def __init__(self, service: ToolService, body: bytes, request: Request) -> None:
        self.notifications: asyncio.Queue[dict[str, Any]] = asyncio.Queue(maxsize=16)
        # Here is where authorization goes: check a token, and hand what it says to `authorization=`.
        answer = handle_post(service, body, request.headers.raw, notify=self.notifications.put)
        self.answer = asyncio.create_task(answer)

    async def first(self, *others: asyncio.Task[Any], timeout: float | None = None) -> dict[str, Any] | None:
        """Return the next notification, None when there is none before the answer, one of `others`, or the timeout."""
        if self.notifications.empty():
            waiting = asyncio.create_task(self.notifications.get())
            try:
                await asyncio.wait({waiting, self.answer, *others}, timeout=timeout, return_when="FIRST_COMPLETED")
                if waiting.done():
                    return waiting.result()
            finally:
                waiting.cancel()
        return None if self.notifications.empty() else self.notifications.get_nowait()

    async def events(self, notification: dict[str, Any]) -> AsyncIterator[bytes]:
        """Give the event stream: notifications as they come, comments to keep it open, and the answer at the end."""
        event: dict[str, Any] | None = notification
        while event is not None or not self.answer.done():
            yield b": still here\n\n" if event is None else b"data: " + json.dumps(event).encode() + b"\n\n"
            event = await self.first(timeout=KEEP_ALIVE_S)
        body = self.answer.result()[1]
        yield b"data: " + (body or b"") + b"\n\n"


class EventStream(StreamingResponse):
    """The events of an exchange. However it ends, also before it has begun, so does the work for its answer."""

    def __init__(self, exchange: Exchange, notification: dict[str, Any]) -> None:
        super().__init__(exchange.events(notification), media_type="text/event-stream", headers=EVENT_STREAM)
        self.answer = exchange.answer

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.answer.cancel()  # closing the stream is how a client cancels


def make_app(service: ToolService) -> Starlette:
    async def endpoint(request: Request) -> Response:
        refusal = refuse(request)
        if refusal is not None:
            return refusal
        try:
            body = await read_body(request, service.max_message_bytes)
        except ClientDisconnect:
            return Response(status_code=400)
        if body is None:
            return Response(status_code=413)
        exchange = Exchange(service, body, request)
        gone = asyncio.create_task(wait_for_disconnect(request))
        notification = await exchange.first(gone)
        disconnected = gone.done()
        gone.cancel()
        if notification is not None:
            return EventStream(exchange, notification)
        if disconnected and not exchange.answer.done():
            exchange.answer.cancel()
            return Response(status_code=499)
        status, answer = await exchange.answer
        return Response(answer, status, media_type="application/json" if answer else None)

    return Starlette(routes=[Route("/mcp", endpoint, methods=["POST"])], middleware=[Middleware(SameSite)])


class Server(uvicorn.Server):
    """uvicorn waits for open responses before it stops, so subscriptions have to end first."""

    def __init__(self, config: uvicorn.Config, service: ToolService) -> None:
        super().__init__(config)
        self.service = service

    async def serve(self, sockets: Any = None) -> None:
        self.loop = asyncio.get_running_loop()
        await super().serve(sockets)

    def handle_exit(self, sig: int, frame: Any) -> None:
        self.loop.call_soon_threadsafe(self.service.close)
        super().handle_exit(sig, frame)


def serve(service: ToolService, port: int) -> None:
    config = uvicorn.Config(
        make_app(service), host="127.0.0.1", port=port, log_level="warning", timeout_graceful_shutdown=GRACE_S
    )
    with suppress(KeyboardInterrupt):  # uvicorn raises what it was stopped by once more when all is done
        Server(config, service).run()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--port", type=int, default=8000)
    serve(make_service(), parser.parse_args().port)


if __name__ == "__main__":
    main()
