"""What stays in memory after checks, compilations and cache traffic: nothing that grows."""

from __future__ import annotations

import gc
import resource
import sys
from collections.abc import Callable
from typing import Any

import schemafuse
from schemafuse import BudgetExceeded, Limits, SchemaError


def resident_bytes() -> int:
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def stays_flat(work: Callable[[], None], *, warm_up: int, times: int, allowance: int = 1 << 20) -> None:
    """Run `work` often and see that neither memory nor the number of Python's blocks grows with it."""
    for _ in range(warm_up):
        work()
    before, blocks = resident_bytes(), sys.getallocatedblocks()
    for _ in range(times):
        work()
    grown, more_blocks = resident_bytes() - before, sys.getallocatedblocks() - blocks
    assert grown <= allowance, f"{grown} bytes more after {times} times"
    assert more_blocks < 500, f"{more_blocks} blocks more after {times} times"


def checks_leak_nothing() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"enum": ["x", 1, {"b": [2]}]},
            "t": {"items": {"$ref": "#"}},
            "p": {"pattern": "^(?=a)a"},
            "u": {"uniqueItems": True},
        },
        "patternProperties": {"^n": {"anyOf": [{"minimum": 3}, {"multipleOf": 0.1}, {"type": "string"}]}},
        "required": ["a"],
        "unevaluatedProperties": False,
    }
    plain = schemafuse.compile(schema)
    tight = schemafuse.compile(schema, limits=Limits(max_steps=5))
    huge = 10**400
    marker = ["marker"]
    instances: list[Any] = [
        {"a": "x"},
        {"a": {"b": [2.0]}, "t": [{"a": 1}, {"a": 1}], "p": "ab", "n": 0.3, "u": [[1], [2], {"a": 1}]},
        {"a": "y", "t": [1], "p": "b", "n": 2, "z": 1, "u": [huge, huge]},
        {"a": float("nan")},
        {"a": object()},
        {1: 2},
        [],
        {"a": 1, "t": [{"a": 1, "t": marker}]},
        {"a": "x", "u": [{"k": n} for n in range(40)]},
    ]
    count = sys.getrefcount(marker)

    def work() -> None:
        for instance in instances:
            for validator in (plain, tight):
                report = validator.check(instance)
                report.text()
                for error in report.errors:
                    error.to_dict()
                try:
                    validator.is_valid(instance)
                    validator.validate(instance)
                except (schemafuse.ValidationError, BudgetExceeded):
                    pass

    stays_flat(work, warm_up=200, times=19_000)  # a million checks
    assert sys.getrefcount(marker) == count


def compilations_leak_nothing() -> None:
    good = {
        "$defs": {"a": {"pattern": "^a+$", "enum": [1, {"x": [2]}]}},
        "properties": {"b": {"$ref": "#/$defs/a"}},
        "unevaluatedProperties": False,
    }
    bad: list[Any] = [
        {"type": "int"},
        {"$ref": "#/x"},
        {"$ref": "#"},
        {"pattern": "("},
        {"default": object()},
        {"$schema": "x:y"},
    ]

    def work() -> None:
        schemafuse.compile(good).check({"b": 1, "c": 2})
        for schema in bad:
            try:
                schemafuse.compile(schema)
            except SchemaError:
                pass
            else:
                raise AssertionError("compiled")

    stays_flat(work, warm_up=150, times=800, allowance=2 << 20)


def caches_stay_bounded() -> None:
    cache = schemafuse.ValidatorCache(max_entries=50)
    counter = iter(range(10**9))

    def work() -> None:
        cache.get({"properties": {f"p{next(counter)}": {"type": "integer", "enum": list(range(100))}}})

    stays_flat(work, warm_up=400, times=2_000, allowance=2 << 20)
    assert cache.stats()["entries"] <= 50
