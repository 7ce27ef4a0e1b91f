"""The service's share of a call: at most 5 µs, 15 where the handler waits; validation takes less than half of one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from schemafuse.mcp import ToolService

from .service import ARGUMENTS, WEATHER, asynchronous, overhead, synchronous, waiting

HANDLERS = pytest.mark.parametrize("handler", [synchronous, asynchronous, waiting])


@HANDLERS
def test_what_a_call_adds_to_its_handler(handler: Callable[..., Any]) -> None:
    measured = overhead(handler)
    assert measured.added <= (15_000 if handler is waiting else 5_000)
    assert measured.validation < 500


@HANDLERS
@pytest.mark.benchmark(group="ToolService.call_tool")
def test_call(benchmark: Any, handler: Callable[..., Any]) -> None:
    service = ToolService()
    service.add(WEATHER, handler)

    async def calls() -> None:
        for _ in range(100):
            await service.call_tool("weather", ARGUMENTS)

    loop = asyncio.new_event_loop()
    try:
        benchmark(lambda: loop.run_until_complete(calls()))
    finally:
        loop.close()
