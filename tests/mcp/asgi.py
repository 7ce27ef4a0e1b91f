"""Requests to an ASGI app in this process: what no HTTP client sends can be sent, such as a header twice."""

from __future__ import annotations

import asyncio
from typing import Any


async def ask(app: Any, body: bytes, headers: list[tuple[str, str]], method: str = "POST") -> tuple[int, dict, bytes]:
    """Return status, headers and body of the answer to one request."""
    pairs = [(name.lower().encode(), value.encode()) for name, value in headers]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "query_string": b"",
        "headers": pairs,
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 80),
    }
    given = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return given.pop() if given else await asyncio.Future()  # the client stays until it has its answer

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)

    await app(scope, receive, send)
    answered = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], answered, b"".join(event.get("body", b"") for event in sent[1:])
