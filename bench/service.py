"""What a tool service adds to a handler, measured in turns with the bare handler.

Comes in: nothing. Goes out: nanoseconds of one call of the handler alone, through the service, and of the two
validations in it, each the minimum of many short rounds.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from schemafuse.mcp import ToolService

CALLS = 400
ROUNDS = 60

WEATHER = {
    "name": "weather",
    "inputSchema": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 2},
            "days": {"type": "integer", "minimum": 1, "maximum": 7},
        },
        "required": ["city"],
        "additionalProperties": False,
    },
    "outputSchema": {
        "type": "object",
        "properties": {"temp": {"type": "number"}, "sky": {"type": "string"}},
        "required": ["temp"],
    },
}
ARGUMENTS = json.loads('{"city": "Oslo", "days": 3}')
RESULT = json.loads('{"temp": 1.5, "sky": "clear"}')


class Overhead(NamedTuple):
    """Nanoseconds of one call."""

    handler: float
    call: float
    validation: float

    @property
    def added(self) -> float:
        return self.call - self.handler


async def asynchronous(arguments: dict[str, Any]) -> dict[str, Any]:
    return RESULT


def synchronous(arguments: dict[str, Any]) -> dict[str, Any]:
    return RESULT


async def waiting(arguments: dict[str, Any]) -> dict[str, Any]:
    """Wait once, for one turn of the loop: from there on a call needs a timer."""
    await asyncio.sleep(0)
    return RESULT


async def best_of(*calls: Callable[[], Awaitable[Any]]) -> list[float]:
    """Return the best time of one call of each; rounds alternate, so that a slow moment hits all of them."""
    best = [float("inf")] * len(calls)
    for _ in range(ROUNDS):
        for index, call in enumerate(calls):
            started = time.perf_counter_ns()
            for _ in range(CALLS):
                await call()
            best[index] = min(best[index], (time.perf_counter_ns() - started) / CALLS)
    return best


def overhead(handler: Callable[..., Any]) -> Overhead:
    """Measure a handler with all defaults of the service: both schemas, a timeout, a limit on concurrent calls."""
    service = ToolService()
    handle = service.add(WEATHER, handler)
    tool = handle.tool
    assert tool is not None
    assert tool.output is not None
    check_arguments, check_result = tool.input.is_valid, tool.output.is_valid

    async def bare() -> None:
        outcome = handler(ARGUMENTS)
        if handler is not synchronous:
            await outcome

    async def through() -> None:
        await service.call_tool("weather", ARGUMENTS)

    async def empty() -> None:
        pass

    async def validation() -> None:
        check_arguments(ARGUMENTS)
        check_result(RESULT)

    async def main() -> Overhead:
        assert not (await service.call_tool("weather", ARGUMENTS))["isError"]
        alone, whole, nothing, checks = await best_of(bare, through, empty, validation)
        return Overhead(alone, whole, checks - nothing)

    return asyncio.run(main())
