"""Serve tools on the official MCP SDK, over stdio or Streamable HTTP, with a tool that a feature flag switches.

Comes in: what the SDK's transports bring. Goes out: results of tools; and, whenever the flag changes, word to every
client that listens. The flag is a file: the tool `beta_search` is there as long as the file is.

    pip install "schemafuse[mcp]"
    python examples/sdk_service.py --flag beta.flag                 # stdio
    python examples/sdk_service.py --flag beta.flag --port 8000     # http://127.0.0.1:8000/mcp
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from mcp.server import Server
from mcp.server.stdio import stdio_server

from schemafuse.mcp import Call, ToolHandle, ToolService
from schemafuse.mcp.sdk import as_server

POLL_S = 0.2
DOCUMENTS = {"a": "schemas are programs", "b": "budgets end what would not end"}


def make_service() -> tuple[ToolService, ToolHandle]:
    """Return the service, and the handle of the tool that the flag switches."""
    service = ToolService(name="sdk-example", version="1.0.0", instructions="Search before you read.")
    key = {"type": "string", "enum": sorted(DOCUMENTS)}

    @service.tool(
        {
            "name": "read",
            "description": "Read a document.",
            "inputSchema": {"type": "object", "properties": {"key": key}, "required": ["key"]},
            "outputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
            "annotations": {"readOnlyHint": True},
        }
    )
    def read(arguments: dict[str, Any]) -> dict[str, str]:
        return {"text": DOCUMENTS[arguments["key"]]}

    async def search(arguments: dict[str, Any], call: Call) -> list[str]:
        found = []
        for number, (name, text) in enumerate(DOCUMENTS.items(), 1):
            await call.report_progress(number, len(DOCUMENTS))
            if arguments["words"] in text:
                found.append(name)
        return found

    definition = {
        "name": "beta_search",
        "description": "Find documents that contain some words. Being tried out.",
        "inputSchema": {
            "type": "object",
            "properties": {"words": {"type": "string", "minLength": 1}},
            "required": ["words"],
        },
        "outputSchema": {"type": "array", "items": key},
    }
    handle = service.add(definition, search)
    handle.disable()
    return service, handle


async def follow(flag: Path, handle: ToolHandle) -> None:
    """Enable the tool while the file exists. Clients are told of changes only: enabling twice is no change."""
    while True:
        if flag.exists():
            handle.enable()
        else:
            handle.disable()
        await asyncio.sleep(POLL_S)


@asynccontextmanager
async def following(flag: Path, handle: ToolHandle) -> AsyncIterator[None]:
    task = asyncio.create_task(follow(flag, handle))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def serve_stdio(server: Server[Any]) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


async def serve_http(service: ToolService, server: Server[Any], port: int) -> None:
    import uvicorn  # comes with the SDK, and is not needed for stdio

    class HTTPServer(uvicorn.Server):
        def handle_exit(self, sig: int, frame: Any) -> None:
            # uvicorn waits for open responses before it stops, so subscriptions have to end first.
            loop.call_soon_threadsafe(service.close)
            super().handle_exit(sig, frame)

    loop = asyncio.get_running_loop()
    app = server.streamable_http_app()
    config = uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning", timeout_graceful_shutdown=5)
    await HTTPServer(config).serve()


async def run(flag: Path, port: int | None) -> None:
    service, handle = make_service()
    server = as_server(service)
    async with following(flag, handle):
        await (serve_stdio(server) if port is None else serve_http(service, server, port))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--flag", type=Path, default=Path("beta.flag"), help="the file that switches beta_search on")
    parser.add_argument("--port", type=int, help="serve Streamable HTTP on this port instead of stdio")
    arguments = parser.parse_args()
    with suppress(KeyboardInterrupt):  # Ctrl-C, the way one stops an example
        asyncio.run(run(arguments.flag, arguments.port))


if __name__ == "__main__":
    main()
