"""Compilations: cold, and out of the cache, from newly parsed schemas."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import schemafuse

from .measure import cache_hit, cold_compile, geometric_mean, peer_compile
from .tools import tools


def parsed() -> tuple[tuple[Any], dict[str, Any]]:
    return ([json.loads(tool.schema) for tool in tools()],), {}


def run_all(make: Callable[[Any], Any]) -> Callable[[list[Any]], None]:
    def run(schemas: list[Any]) -> None:
        for schema in schemas:
            make(schema)

    return run


def cached() -> Callable[[Any], Any]:
    cache = schemafuse.ValidatorCache(max_entries=100_000)
    run_all(cache.get)(parsed()[0][0])
    return cache.get


@pytest.mark.benchmark(group="compile every input schema")
@pytest.mark.parametrize("library", ["schemafuse", "schemafuse, cached", "jsonschema-rs"])
def test_compile(benchmark: Any, library: str) -> None:
    makers = {
        "schemafuse": lambda: schemafuse.compile,
        "schemafuse, cached": cached,
        "jsonschema-rs": lambda: peer_compile,
    }
    benchmark.pedantic(run_all(makers[library]()), setup=parsed, rounds=10)


def test_ratio_of_cold_compilations() -> None:
    ratio = geometric_mean(cold_compile(tool).ratio for tool in tools())
    assert ratio <= 8.0, f"{ratio:.2f} of the peer's time"


def test_ratio_of_cache_hits() -> None:
    ratio = geometric_mean(cache_hit(tool).ratio for tool in tools())
    assert ratio <= 0.25, f"{ratio:.2f} of the peer's time"
