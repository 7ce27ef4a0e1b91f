"""Serve the conformance tools the way one of the two examples does.

The suite's scenario `caching` looks at the lists of prompts and resources as well. A tool service has none, so the
servers here have empty ones: over the SDK as further handlers, without it as a subclass.

    python tests/conformance/server.py {http,sdk} PORT
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from schemafuse.mcp import ToolService

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))

EMPTY_LISTS = {
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}


class ServiceWithEmptyLists(ToolService):
    """A tool service that answers three more methods."""

    def discover(self, *, list_changed: bool = False) -> dict[str, Any]:
        result = super().discover(list_changed=list_changed)
        result["capabilities"] |= {"prompts": {}, "resources": {}}
        return result

    async def handle(self, message: Any, **options: Any) -> dict[str, Any] | None:
        response = await super().handle(message, **options)
        member = EMPTY_LISTS.get(message.get("method")) if isinstance(message, dict) else None
        if member is None or response is None or response.get("error", {}).get("code") != -32601:
            return response  # what was wrong with the envelope was said already
        result = {"resultType": "complete", member: [], "ttlMs": self.ttl_ms, "cacheScope": self.cache_scope}
        return {"jsonrpc": "2.0", "id": response["id"], "result": result}


def serve_without_sdk(port: int) -> None:
    import http_service
    from tools import add_all_tools

    service = ServiceWithEmptyLists(name="schemafuse-conformance", version="1.0.0", page_size=100)
    add_all_tools(service)
    http_service.serve(service, port)


def serve_with_sdk(port: int) -> None:
    import sdk_service
    from mcp.server.subscriptions import InMemorySubscriptionBus, PromptsListChanged
    from mcp_types import PaginatedRequestParams
    from tools import NOTHING, add_all_tools

    from schemafuse.mcp.sdk import as_server

    service = ToolService(name="schemafuse-conformance", version="1.0.0", page_size=100)
    add_all_tools(service)
    bus = InMemorySubscriptionBus()
    server = as_server(service, bus=bus)

    # The SDK says of every list that there is that its changes are told.
    async def pretend(arguments: dict[str, Any]) -> str:
        await bus.publish(PromptsListChanged())
        return "told"

    service.add({"name": "test_trigger_prompt_change", "description": "See above.", "inputSchema": NOTHING}, pretend)
    for method, member in EMPTY_LISTS.items():

        async def answer(context: Any, params: Any, member: str = member) -> dict[str, Any]:
            return {"resultType": "complete", member: [], "ttlMs": service.ttl_ms, "cacheScope": service.cache_scope}

        server.add_request_handler(method, PaginatedRequestParams, answer)
    asyncio.run(sdk_service.serve_http(service, server, port))


if __name__ == "__main__":
    {"http": serve_without_sdk, "sdk": serve_with_sdk}[sys.argv[1]](int(sys.argv[2]))
