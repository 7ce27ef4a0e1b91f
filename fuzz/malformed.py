"""Schemas and instances that are broken: well-formed ones with a few places spoilt, some by objects that are not JSON.

Comes in: a schema or an instance and a `random.Random`. Goes out: a copy, spoilt. The only promise about it is that
compiling gives a validator or a SchemaError and that checking gives a report.
"""

from __future__ import annotations

import decimal
import enum
from collections import OrderedDict
from random import Random
from typing import Any

from . import grammar, values

_KEYWORDS = sorted({keyword for dialect in grammar.DIALECTS for keyword in grammar.keywords_of(dialect)})
_KEYWORDS += [
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "$id",
    "id",
    "$anchor",
    "$dynamicAnchor",
    "$recursiveAnchor",
    "$schema",
]
_KEYWORDS += ["$vocabulary", "$defs", "definitions", "then", "else", "minContains", "maxContains", "additionalItems"]
_POINTERS = (
    "#",
    "#/",
    "#//",
    "#/%",
    "#/%zz",
    "#/~2",
    "#/$defs/p",
    "#/definitions/p",
    "#/allOf/-1",
    "#/allOf/01",
    "#/\ud800",
)
_URIS = (
    *(
        "",
        "#to-p",
        "#to p",
        "###",
        "http://[::1",
        "//[",
        "//",
        "/",
        "?",
        "..",
        "urn:",
        "urn:x",
        "data:,{}",
        "\0",
        "\ud800",
    ),
    *("http://fuzz.example/root#", "http://fuzz.example/" + "a" * 2_000, "file:///etc/passwd"),
    *("https://json-schema.org/draft/next/schema", "http://json-schema.org/schema", *grammar.DIALECTS.values()),
    *_POINTERS,
)
_TEXTS = (
    "(",
    "[",
    "\\",
    "(?P<n>a)",
    "(?i)a",
    "a{2,1}",
    "[z-a]",
    "\ud800",
    "\0",
    "\u202e",
    "a" * 5_000,
    "*",
    "(?<a>x)(?<a>y)",
)
_NUMBERS = (
    0,
    -1,
    -0.5,
    1e308,
    5e-324,
    2**64,
    10**400,
    -(10**400),
    10**5_000,
    True,
    2.0**60,
    float("nan"),
    float("inf"),
)


class Colour(str, enum.Enum):
    RED = "a"


class Spoof:
    """Claims to be a dict."""

    __class__ = property(lambda self: dict)  # type: ignore[assignment]


def _odd_key(random: Random) -> Any:
    return random.choice((1, None, b"a", (), Colour.RED, "\ud800", True, 1.5))


def _cycle(random: Random) -> Any:
    inside: dict[str, Any] = {}
    inside[random.choice(("a", "properties", "not", "items"))] = random.choice((inside, [inside], {"a": inside}))
    return inside


def _deep(random: Random) -> Any:
    made: Any = values.scalar(random)
    for _ in range(random.choice((60, 130, 260, 3_000))):
        made = random.choice(({"not": made}, [made], {"properties": {"a": made}}, {"allOf": [made]}))
    return made


def not_json(random: Random) -> Any:
    """Make a value that is not JSON, or one that only just is."""
    kind = random.randrange(10)
    if kind == 0:
        return _cycle(random)
    if kind == 1:
        return _deep(random)
    if kind == 2:
        return {_odd_key(random): values.value(random, 2), "a": 1}
    if kind == 3:
        return OrderedDict(a=values.scalar(random))
    if kind == 4:
        return (values.scalar(random), (values.scalar(random),))
    return random.choice(
        (
            object(),
            b"a",
            bytearray(b"a"),
            {1},
            1j,
            decimal.Decimal("1.5"),
            Spoof(),
            Colour.RED,
            dict,
            len,
            ...,
            "\ud800",
            *_NUMBERS,
        )
    )


def anything(random: Random) -> Any:
    """Make something that a keyword may not expect."""
    kind = random.randrange(8)
    if kind == 0:
        return random.choice(_URIS)
    if kind == 1:
        return random.choice(_TEXTS)
    if kind == 2:
        return random.choice(_NUMBERS)
    if kind == 3:
        return {random.choice(_KEYWORDS): anything(random) for _ in range(random.randrange(3))}
    if kind == 4:
        return [anything(random) for _ in range(random.randrange(3))]
    return values.value(random, 1)


def _spoilt_object(item: dict[str, Any], random: Random, level: int) -> dict[str, Any]:
    kind = random.randrange(8)
    if kind == 0:
        return {**item, random.choice(_KEYWORDS): anything(random)}
    if kind == 1:
        return {**item, random.choice(("$ref", "$id", "id", "$schema", "$anchor", "$dynamicRef")): random.choice(_URIS)}
    if not item:
        return {_odd_key(random): item} if kind == 2 else {random.choice(_KEYWORDS): {}}
    name = random.choice(list(item))
    if kind == 2:
        return {(random.choice(_KEYWORDS) if other == name else other): part for other, part in item.items()}
    if kind == 3:
        return {other: part for other, part in item.items() if other != name}
    return {**item, name: spoilt(item[name], random, level + 1)}


def spoilt(item: Any, random: Random, level: int = 0) -> Any:
    """Return a copy with one place changed."""
    if random.random() < 0.1 * level:
        return not_json(random) if random.random() < 0.3 else anything(random)
    if issubclass(type(item), dict):  # not isinstance, to which `Spoof` lies
        return _spoilt_object(item, random, level)
    if isinstance(item, (list, tuple)) and item:
        position = random.randrange(len(item))
        return [*item[:position], spoilt(item[position], random, level + 1), *item[position + 1 :]]
    return not_json(random) if random.random() < 0.3 else anything(random)


def malformed(item: Any, random: Random) -> Any:
    """Return a copy with a few places changed."""
    for _ in range(random.choice((1, 1, 2, 4))):
        item = spoilt(item, random)
    return item
