"""JSON values to fuzz with, and what can be asked about any value.

Comes in: a `random.Random`, which may be any subclass: one that a fuzzer feeds with bytes, one that hypothesis shrinks.
Goes out: values that lie where validators go wrong (equal numbers of different types, 2**53 and its neighbours, texts
that are equal after normalisation only), few enough of them that two drawn independently are often equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

NAMES = ("a", "b", "c", "aa", "ab", "1", "x", "é", "")
TEXTS = (
    "",
    "a",
    "b",
    "aa",
    "ab",
    "1",
    "x",
    "abc",
    "é",
    "e\u0301",
    "\U0001f432",
    "aaa",
    "A",
    "null",
    "0",
    "a b",
    "a/b~c",
)
INTEGERS = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    10,
    -1,
    -2,
    7,
    100,
    2**31,
    2**53 - 1,
    2**53,
    2**53 + 1,
    2**63,
    -(2**63),
    2**64 + 1,
    10**30,
)
FLOATS = (
    0.0,
    -0.0,
    1.0,
    2.0,
    0.5,
    1.5,
    -1.0,
    2.5,
    0.1,
    0.3,
    0.01,
    1e-7,
    1e20,
    1e16,
    9007199254740993.0,
    1e308,
    5e-324,
    3.0,
)
#: Schemas refer to them, and instances hold them now and then.
FORMATTED = (
    "2024-02-29",
    "2023-02-29",
    "12:00:00Z",
    "2024-02-29T12:00:00Z",
    "a@b.example",
    "a.example",
    "127.0.0.1",
    "::1",
    "urn:a:b",
    "/a/b",
    "P1D",
    "00000000-0000-0000-0000-000000000000",
    "#/a~0b",
    "1/a",
    "^a$",
    "(",
)
_MAX_LEVELS = 3


def scalar(random: Random) -> Any:
    """Make null, a boolean, a number or a text."""
    kind = random.randrange(8)
    if kind == 0:
        return None
    if kind == 1:
        return random.random() < 0.5
    if kind <= 3:
        return random.choice(INTEGERS)
    if kind == 4:
        return random.choice(FLOATS)
    if kind == 5 and random.random() < 0.2:
        return random.choice(FORMATTED)
    return random.choice(TEXTS)


def value(random: Random, level: int = 0) -> Any:
    """Make any JSON value of a few levels."""
    kind = random.randrange(8) if level < _MAX_LEVELS else 0
    if kind < 4:
        return scalar(random)
    size = random.choice((0, 1, 1, 2, 2, 3, 7))  # arrays of more than six items are compared in another way
    if kind < 6:
        return [value(random, level + 1) for _ in range(size)]
    return {random.choice(NAMES): value(random, level + 1) for _ in range(size)}


def identity(item: Any) -> Any:
    """Return something hashable that is equal for equal JSON values (Core 4.2.2), and only for those."""
    if item is None or isinstance(item, bool):
        return ("constant", item)
    if isinstance(item, str):
        return item
    if isinstance(item, (int, float)):
        return Fraction(item)
    if isinstance(item, dict):
        return ("object", frozenset((name, identity(member)) for name, member in item.items()))
    return ("array", tuple(map(identity, item)))


def distinct(items: list[Any]) -> list[Any]:
    """Leave out what is equal to something before it."""
    return list({identity(item): item for item in items}.values())


def walk(item: Any) -> Iterator[Any]:
    """Iterate over a value and everything inside, parents first; a shared container as often as it occurs."""
    stack = [item]
    while stack:
        item = stack.pop()
        yield item
        if isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, (list, tuple)):
            stack.extend(item)


def size(item: Any) -> tuple[int, int]:
    """Return the number of values, and of the characters that `Cost.max_steps` counts."""
    values = chars = 0
    for part in walk(item):
        values += 1
        if isinstance(part, str):
            chars += len(part)
        elif isinstance(part, int):
            chars += len(str(part))
        elif isinstance(part, dict):
            chars += sum(map(len, part))
    return values, chars


def shuffled(item: Any, random: Random) -> Any:
    """Copy a value with the members of every object in another order."""
    if isinstance(item, dict):
        members = [(name, shuffled(member, random)) for name, member in item.items()]
        random.shuffle(members)
        return dict(members)
    if isinstance(item, list):
        return [shuffled(part, random) for part in item]
    return item
