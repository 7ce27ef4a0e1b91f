"""The HTTP example with tools that take their time, for the tests of streams, cancellation and shutdown.

python tests/mcp/slow_server.py --port PORT
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path
from typing import Any

from schemafuse.mcp import Call, ToolService

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))

HEADED = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}, "size": {"type": "integer"}},
}


def make_service() -> ToolService:
    service = ToolService(name="slow", version="1", max_message_bytes=100_000)
    state = {"cancelled": 0}

    async def slow(arguments: dict[str, Any], call: Call) -> str:
        try:
            for step in range(arguments["steps"]):
                await call.report_progress(step)
                await asyncio.sleep(arguments["pause"])
        except asyncio.CancelledError:
            state["cancelled"] += 1
            raise
        return "done"

    def switch(arguments: dict[str, Any]) -> bool:
        extra.disable() if extra.enabled else extra.enable()
        return extra.enabled

    def add(name: str, handler: Any, schema: dict[str, Any]) -> Any:
        return service.add({"name": name, "inputSchema": schema}, handler)

    add("slow", slow, {"type": "object", "required": ["steps", "pause"]})

    def sleep(arguments: dict[str, Any]) -> str:
        time.sleep(arguments["seconds"])
        return "slept"

    service.add({"name": "sleep", "inputSchema": {"type": "object", "required": ["seconds"]}}, sleep, blocking=True)
    add("cancelled", lambda _: state["cancelled"], {"type": "object"})
    add("switch", switch, {"type": "object"})
    add("headed", lambda arguments: arguments, HEADED)
    extra = add("extra", lambda _: 1, {"type": "object"})
    return service


if __name__ == "__main__":
    import http_service

    http_service.KEEP_ALIVE_S = 0.05
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    http_service.serve(make_service(), parser.parse_args().port)
