"""Make what fails small.

Comes in: a schema and an instance that fail together, and a function that says whether a pair still fails. Goes out: a
pair that fails and from which nothing more can be taken away by one step, as far as the tries suffice. What went in is
not changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

_SIMPLE: tuple[Any, ...] = ({}, [], "", 0, True, None)


def smaller(item: Any) -> Iterator[Any]:
    """Iterate over values that are one step simpler, the boldest steps first."""
    if isinstance(item, dict):
        yield from (part for part in item.values() if isinstance(part, dict))
        yield from ({name: part for name, part in item.items() if name != gone} for gone in item)
        for name, part in item.items():
            yield from ({**item, name: simpler} for simpler in smaller(part))
    elif isinstance(item, (list, tuple)):
        yield from (part for part in item if isinstance(part, (dict, list)))
        if len(item) > 3:
            yield from (item[: len(item) // 2], item[len(item) // 2 :])
        yield from (item[:position] + item[position + 1 :] for position in range(len(item)))
        for position, part in enumerate(item):
            yield from ([*item[:position], simpler, *item[position + 1 :]] for simpler in smaller(part))
    elif isinstance(item, str) and len(item) > 1:
        yield from (item[: len(item) // 2], item[len(item) // 2 :], item[1:], item[:-1])
    for simple in _SIMPLE:
        if item == simple and type(item) is type(simple):
            break
        if type(simple) is type(item) or not isinstance(item, (dict, list)):
            yield simple


def shrink(
    schema: Any, instance: Any, fails: Callable[[Any, Any], bool], *, tries: int = 3_000, seconds: float = 20
) -> tuple[Any, Any]:
    """Return a smaller pair for which `fails(schema, instance)` is true."""
    ends = time.monotonic() + seconds
    left = tries

    def attempt(pairs: Iterator[tuple[Any, Any]]) -> tuple[Any, Any] | None:
        nonlocal left
        for pair in pairs:
            left -= 1
            if left < 0 or time.monotonic() > ends:
                return None
            if fails(*pair):
                return pair
        return None

    pair: tuple[Any, Any] | None = (schema, instance)
    while pair is not None:
        schema, instance = pair
        pair = attempt((schema, simpler) for simpler in smaller(instance))
        pair = pair or attempt((simpler, instance) for simpler in smaller(schema))
    return schema, instance
