"""What a value weighs: for exact counts near a limit, and to say where the weight of a refused schema sits.

In comes any Python object, out go its bytes as compact UTF-8 JSON, its depth and its objects, shared parts counted as
often as they occur but visited once. Never recursive, never calls an overridable method, never runs on without bound.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .subschemas import Document

Token = str | int

_plain = re.compile(r'[^"\\\x00-\x1f\x80-\U0010ffff]*').fullmatch
_surrogates = re.compile("[\ud800-\udfff]").findall

SMALL = 1 << 53
#: Values looked at beyond `stop` bytes, only to say by how much a schema is too large; characters of their texts; and
#: the longest text that is not taken for as many bytes as it has characters where it is merely compared with others.
EXCESS, _EXCESS_CHARS, _COMPARED_CHARS = 20_000, 1 << 20, 1_024


def text_bytes(text: str) -> int:
    """Return the bytes of a string as JSON in UTF-8, a lone surrogate written as an escape."""
    if _plain(text):
        return len(text) + 2
    escaped: str = encode_basestring(text)
    return len(escaped.encode("utf-8", "surrogatepass")) + 3 * len(_surrogates(text))


def integer_digits(number: int) -> int:
    """Return the number of decimal digits, without `str`, which is quadratic and limited."""
    digits = max(1, int((abs(number).bit_length() - 1) * 0.30102999566398120) + 1) if number else 1
    return digits + 1 if abs(number) >= 10**digits else digits


def json_bytes(value: Any) -> int:
    """Return the bytes of a private copy as compact JSON in UTF-8."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        # An integer beyond what `str` takes, or a stack that is nearly full.
        return Weighing(value, 1 << 62).bytes
    if text.isascii():
        return len(text)
    return len(text.encode("utf-8", "surrogatepass")) + 3 * len(_surrogates(text))


def _scalar_bytes(value: Any) -> int:
    kind = type(value)
    if value is None or value is True:
        return 4
    if kind is bool:
        return 5
    if issubclass(kind, str):
        return text_bytes(str.__str__(value))
    if issubclass(kind, int):
        number = int.__pos__(value)
        return integer_digits(number) + (number < 0) if number.bit_length() < 1 << 20 else number.bit_length() // 4
    if issubclass(kind, float):
        return len(float.__repr__(value))
    return 0


def _about_bytes(value: Any) -> int:
    is_long = issubclass(type(value), str) and str.__len__(value) > _COMPARED_CHARS
    return str.__len__(value) + 2 if is_long else _scalar_bytes(value)


def members(container: Any) -> Iterator[tuple[Any, Any]]:
    """Iterate over (key or index, value) of an array or object, read through its base type."""
    kind = type(container)
    if issubclass(kind, dict):
        return iter(dict.items(container))
    return enumerate(list.__iter__(container) if issubclass(kind, list) else tuple.__iter__(container))


def is_container(value: Any) -> bool:
    kind = type(value)
    return kind is dict or kind is list or issubclass(kind, (dict, list, tuple))


class _Frame:
    """A container that is being weighed."""

    __slots__ = ("bytes", "container", "depth", "items", "objects", "token")

    def __init__(self, container: Any, token: Any) -> None:
        self.container = container
        self.token = token
        self.items = members(container)
        self.bytes = 2
        self.depth = 1
        self.objects = int(issubclass(type(container), dict))

    def add(self, weight: tuple[int, int, int]) -> None:
        self.bytes += weight[0] + 1
        self.depth = max(self.depth, weight[1] + 1)
        self.objects += weight[2]


class Weighing:
    """The weight of one value, and of every container in it."""

    __slots__ = ("bytes", "complete", "cycle", "depth", "objects", "weights")

    def __init__(self, value: Any, stop: int) -> None:
        """Weigh `value`; after `stop` bytes of distinct containers, look at little more."""
        #: False when the value was too large to look at all of it: the figures are then lower bounds.
        self.complete = True
        #: Tokens to a container that contains itself, or None.
        self.cycle: list[Token] | None = None
        #: id of a container -> (bytes, depth, objects)
        self.weights: dict[int, tuple[int, int, int]] = {}
        self.bytes, self.depth, self.objects = self._weigh(value, stop)

    def _scalar_bytes(self, value: Any, stop: int) -> int:
        if not issubclass(type(value), str) or str.__len__(value) <= stop + _EXCESS_CHARS:
            return _scalar_bytes(value)
        self.complete = False
        return str.__len__(value) + 2

    def _weigh(self, value: Any, stop: int) -> tuple[int, int, int]:
        if not is_container(value):
            return _scalar_bytes(value), 0, 0
        frames = [_Frame(value, None)]
        path = {id(value)}
        room = EXCESS
        weights = self.weights
        below: _Frame | None = None
        while True:
            frame = frames[-1]
            for key, item in frame.items:
                kind = type(item)
                if kind is str and len(item) <= stop and _plain(item):
                    size = len(item) + 3
                elif kind is int and -SMALL < item < SMALL:
                    size = len(str(item)) + 1
                elif kind is dict or kind is list or issubclass(kind, (dict, list, tuple)):
                    size = 0
                    stop -= 3
                    weight = weights.get(id(item))
                    if weight is not None:
                        frame.add(weight)
                    elif id(item) in path:
                        self.cycle = [*(f.token for f in frames[1:]), key]
                        self.complete = False
                        return self._unwind(frames)
                    else:
                        below = _Frame(item, key)
                else:
                    size = self._scalar_bytes(item, stop) + 1
                if type(key) is not int:
                    size += self._scalar_bytes(key, stop) + 1 if issubclass(type(key), str) else 0
                frame.bytes += size
                stop -= size
                if stop < 0:
                    room -= 1
                    if room < 0:
                        self.complete = False
                        return self._unwind(frames)
                if below is not None:
                    frames.append(below)
                    path.add(id(item))
                    below = None
                    break
            else:
                frames.pop()
                if frame.bytes > 2:
                    frame.bytes -= 1  # one separator fewer than members
                weight = (frame.bytes, frame.depth, frame.objects)
                weights[id(frame.container)] = weight
                path.discard(id(frame.container))
                if not frames:
                    return weight
                frames[-1].add(weight)

    def _unwind(self, frames: list[_Frame]) -> tuple[int, int, int]:
        weight = (0, 0, 0)
        for frame in reversed(frames):
            if weight[1]:
                frame.add(weight)
            weight = (frame.bytes, frame.depth, frame.objects)
            self.weights[id(frame.container)] = weight
        return weight

    def heaviest(self, value: Any, figure: int) -> list[tuple[list[Token], int]]:
        """Return up to three (path, figure) where most of the weight sits; `figure` 0 is bytes, 2 is objects."""
        path: list[Token] = []
        for _ in range(64):
            ranked = self._ranked(value, figure)
            total = self.weights.get(id(value), (0, 0, 0))[figure]
            if not ranked or ranked[0][0] * 2 < total:
                break
            path.append(ranked[0][1])
            value = ranked[0][2]
            if len(ranked) > 1 and ranked[1][0] * 10 > total:
                path.pop()
                break
        else:
            ranked = []
        if not is_container(value) and not figure:  # the way led to one long text
            total = _about_bytes(value)
        places = [([*path, token], weight) for weight, token, _ in ranked if weight * 10 > total]
        return places or [(path, total)]

    def _ranked(self, value: Any, figure: int) -> list[tuple[int, Token, Any]]:
        if not is_container(value):
            return []
        top: list[tuple[int, Token, Any]] = []
        for position, (key, item) in enumerate(members(value)):
            if position > EXCESS:
                break
            weight = self.weights.get(id(item)) if is_container(item) else None
            size = weight[figure] if weight else 0 if figure else _about_bytes(item)
            if len(top) < 3 or size > top[-1][0]:
                token = key if type(key) is int else str.__str__(key) if issubclass(type(key), str) else "?"
                top.append((size, token, item))
                top.sort(key=lambda entry: -entry[0])
                del top[3:]
        return top


def measure_usage(document: Document) -> dict[str, int]:
    """Return how much of each compile limit an admitted schema uses."""
    unlimited = 1 << 62
    weighings = [Weighing(value, unlimited) for value in document.values.values()]
    longest = largest = digits = 0
    for subschema in document.subschemas:
        value = subschema.value
        keywords = subschema.resource.dialect.keywords
        if type(value) is not dict:
            continue
        for pattern in [value.get("pattern"), *value.get("patternProperties", ())]:
            longest = max(longest, len(pattern) if type(pattern) is str else 0)
        if "enum" in keywords and type(value.get("enum")) is list:
            largest = max(largest, len(value["enum"]))
    for value in document.values.values():
        digits = max(digits, _most_digits(value))
    return {
        "max_schema_depth": max(_depths(document)),
        "max_json_depth": max(weighing.depth for weighing in weighings),
        "max_subschemas": len(document.subschemas),
        "max_schema_bytes": sum(json_bytes(value) for value in document.values.values()),
        "max_pattern_chars": longest,
        "max_enum_values": largest,
        "max_integer_digits": digits,
    }


def _depths(document: Document) -> Iterator[int]:
    # A parent always comes before its children.
    depths: dict[int, int] = {}
    for subschema in document.subschemas:
        depth = depths.get(id(subschema.parent), 0) + 1
        depths[id(subschema)] = depth
        yield depth


def _most_digits(value: Any) -> int:
    stack = [value]
    most = 0
    while stack:
        value = stack.pop()
        if type(value) is int:
            most = max(most, integer_digits(value))
        elif is_container(value):
            stack.extend(item for _, item in members(value))
    return most
