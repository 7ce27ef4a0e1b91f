"""What the tests of the tool service share: a way to run a coroutine, messages, small tools."""

from __future__ import annotations

import asyncio
from typing import Any

VERSION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
}
ANYTHING = {"type": "object"}
LIMIT_S = 20


def run(awaitable: Any) -> Any:
    """Run a coroutine to its end, which has to come soon."""

    async def within() -> Any:
        return await asyncio.wait_for(awaitable, LIMIT_S)

    return asyncio.run(within())


def request(method: str, request_id: Any = 1, **params: Any) -> dict[str, Any]:
    """Return a request with an envelope that is in order."""
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": {"_meta": META, **params}}


def define(name: str = "tool", schema: dict[str, Any] = ANYTHING, **members: Any) -> dict[str, Any]:
    """Return a tool definition."""
    return {"name": name, "inputSchema": schema, **members}


def text_of(result: dict[str, Any]) -> str:
    """Return the text of a result that has nothing else."""
    (block,) = result["content"]
    assert block["type"] == "text"
    return str(block["text"])
