"""State between calls, without sessions: explicit handles that a model passes from one call to the next.

Comes in: calls that create, use and drop a shopping basket. Goes out: results, and for a handle that is unknown,
expired or somebody else's one and the same answer, which says how to get a new one. See docs/stateful-tools.md.

    python examples/stateful_tools.py
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from schemafuse.mcp import Call, ToolError, ToolService

State = TypeVar("State")


@dataclass
class Kept(Generic[State]):
    """A state, whose it is, and until when it is kept."""

    state: State
    owner: Any
    expires: float


class Handles(Generic[State]):
    """Opaque names for states. They expire when unused, belong to who created them, and are bounded in number.

    `most`: of all together, which bounds the memory. `most_each`: of one owner, so that nobody locks the others out;
    callers without authorization are one owner.
    """

    def __init__(
        self,
        *,
        ttl_s: float,
        most: int,
        most_each: int,
        how_to_get_one: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.ttl_s = ttl_s
        self.most = most
        self.most_each = most_each
        self.how_to_get_one = how_to_get_one
        self.clock = clock
        self.kept: dict[str, Kept[State]] = {}

    def create(self, state: State, owner: Any) -> str:
        """Keep a state and return its handle: 128 random bits, so nobody guesses one."""
        self._forget_expired()
        if sum(kept.owner == owner for kept in self.kept.values()) >= self.most_each:
            raise ToolError(f"You have {self.most_each} of these already. Drop one that you don't need.")
        if len(self.kept) >= self.most:
            raise ToolError("The server keeps as many of these as it can. Try again in some minutes.")
        handle = secrets.token_urlsafe(16)
        self.kept[handle] = Kept(state, owner, self.clock() + self.ttl_s)
        return handle

    def get(self, handle: str, owner: Any) -> State:
        """Return the state and keep it for longer. The same words whatever is wrong: they tell nobody what exists."""
        kept = self.kept.get(handle)
        if kept is None or kept.owner != owner or kept.expires <= self.clock():
            raise ToolError(f"This handle is unknown or has expired. {self.how_to_get_one}")
        kept.expires = self.clock() + self.ttl_s
        return kept.state

    def drop(self, handle: str, owner: Any) -> None:
        self.get(handle, owner)
        del self.kept[handle]

    def _forget_expired(self) -> None:
        now = self.clock()
        for handle in [handle for handle, kept in self.kept.items() if kept.expires <= now]:
            del self.kept[handle]


MAX_ITEMS = 100  # of different ones in a basket: what a client can make grow needs a limit


@dataclass
class Basket:
    items: dict[str, int] = field(default_factory=dict)


HANDLE = {"type": "string", "description": "The handle that basket_create returned.", "minLength": 1, "maxLength": 64}
BASKET = {
    "type": "object",
    "properties": {"basket": HANDLE, "items": {"type": "object", "additionalProperties": {"type": "integer"}}},
    "required": ["basket", "items"],
}


def definition(name: str, description: str, properties: dict[str, Any], output: dict[str, Any]) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": properties,
        "required": sorted(properties),
        "additionalProperties": False,
    }
    return {"name": name, "description": description, "inputSchema": schema, "outputSchema": output}


def make_service(clock: Callable[[], float] = time.monotonic) -> ToolService:
    service = ToolService(name="stateful-example", version="1.0.0")
    baskets = Handles[Basket](
        ttl_s=600,
        most=10_000,
        most_each=20,
        how_to_get_one="Call basket_create for a new basket, then add the items again.",
        clock=clock,
    )

    # Who asks comes from the transport, never from the arguments: a model can be talked into passing any of these.
    @service.tool(
        definition("basket_create", "Start an empty basket. It is kept for 10 minutes after its last use.", {}, BASKET)
    )
    def create(arguments: dict[str, Any], call: Call) -> dict[str, Any]:
        return {"basket": baskets.create(Basket(), call.authorization), "items": {}}

    words = {"type": "string", "minLength": 1, "maxLength": 80}
    count = {"type": "integer", "minimum": 1, "maximum": 99}

    @service.tool(definition("basket_add", "Put items in.", {"basket": HANDLE, "item": words, "count": count}, BASKET))
    def add(arguments: dict[str, Any], call: Call) -> dict[str, Any]:
        items, item = baskets.get(arguments["basket"], call.authorization).items, arguments["item"]
        if item not in items and len(items) >= MAX_ITEMS:
            raise ToolError(f"The basket holds {MAX_ITEMS} different items, and no more fit in. Start another one.")
        items[item] = items.get(item, 0) + arguments["count"]
        return {"basket": arguments["basket"], "items": dict(items)}  # a copy: the basket goes on changing

    @service.tool(definition("basket_drop", "Drop a basket and all in it.", {"basket": HANDLE}, {"type": "boolean"}))
    def drop(arguments: dict[str, Any], call: Call) -> bool:
        baskets.drop(arguments["basket"], call.authorization)
        return True

    return service


async def show(service: ToolService, who: str, name: str, arguments: dict[str, Any]) -> Any:
    result = await service.call_tool(name, arguments, authorization=who)
    print(f"{who} calls {name}: {result['content'][0]['text']}")
    return result.get("structuredContent")


async def demo() -> None:
    now = [0.0]
    service = make_service(clock=lambda: now[0])
    basket = (await show(service, "ada", "basket_create", {}))["basket"]
    await show(service, "ada", "basket_add", {"basket": basket, "item": "apple", "count": 3})
    await show(service, "bob", "basket_add", {"basket": basket, "item": "worm", "count": 1})
    now[0] += 601
    await show(service, "ada", "basket_add", {"basket": basket, "item": "pear", "count": 1})


if __name__ == "__main__":
    asyncio.run(demo())
