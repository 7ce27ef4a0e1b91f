"""What can be sent: values that JSON in UTF-8 has a notation for.

Comes in: any Python object. Goes out: None, or the first place that cannot be sent, with the reason. Looks at each
container once, however often it occurs, so the time is bounded by the memory that the value takes; never recursive, and
calls no method that a subclass could have overridden.
"""

from __future__ import annotations

import re
from typing import Any

from .._core.sendable import is_plainly_sendable
from ..errors import BudgetExceeded
from ..limits import CEILINGS, Limits
from ..render import quote
from ..validator import compile

Path = tuple[str | int, ...]

_MAX_DEPTH = CEILINGS["max_instance_depth"]
#: Takes any JSON value: what it does not take contains itself, or is too deep.
_ANY_JSON = compile(True, limits=Limits(max_instance_depth=_MAX_DEPTH, max_steps=2**40, max_time_ms=2_000))
_SMALL = 1 << 53
#: Python writes integers of at most 4,300 digits unless told otherwise.
_MAX_INTEGER_BITS = 14_283
_items = dict.items
_SURROGATE = "a lone surrogate"
_SURROGATE_BYTES = re.compile(rb"\xed[\xa0-\xbf]")


def may_hold_surrogates(packed: bytes) -> bool:
    """Whether there may be lone surrogates in marshalled data; there are none when this says no."""
    return _SURROGATE_BYTES.search(packed) is not None


def find_unsendable(value: object, *, known_finite: bool = False) -> tuple[Path, str] | None:
    """Return a place that cannot be sent and what stands there, or None.

    `known_finite`: the value is a copy of our own, which cannot contain itself.
    """
    if is_plainly_sendable(value):
        return None
    reason = _unsendable_scalar(value)
    if reason is not None:
        return (), reason
    seen: set[int] = set()
    shared = False
    stack: list[tuple[Any, Any]] = [(value, None)]
    while stack:
        container, place = stack.pop()
        if id(container) in seen:
            shared = True
            continue
        seen.add(id(container))
        named = issubclass(type(container), dict)
        for key, item in _members(container):
            if named and not (type(key) is str and key.isascii()):
                reason = _unsendable_key(key)
                if reason is not None:
                    return _unfold(place), reason
            kind = type(item)
            if kind is str:
                if item.isascii() or not _has_surrogate(item):
                    continue
                return (*_unfold(place), _token(key)), _SURROGATE
            if kind is dict or kind is list or issubclass(kind, (dict, list, tuple)):
                stack.append((item, (place, key)))
            elif item is not None and kind is not bool and not (kind is int and -_SMALL < item < _SMALL):
                reason = _unsendable_scalar(item)
                if reason is not None:
                    return (*_unfold(place), _token(key)), reason
    return _find_endless(value) if (shared or len(seen) >= _MAX_DEPTH) and not known_finite else None


def _find_endless(value: object) -> tuple[Path, str] | None:
    """Look for a container within itself, and for nesting that no reader takes; only few values need this look."""
    try:
        if _ANY_JSON.is_valid(value):
            return None
    except BudgetExceeded as exceeded:
        if exceeded.budget == "instance_depth":
            return (), f"arrays and objects nested more than {_MAX_DEPTH} levels deep"
        return (), "too much to look at"
    return (), "an array or object that contains itself"


def _members(container: Any) -> Any:
    # Copies of the outermost level, so that a change by another thread ends in no error here.
    kind = type(container)
    if kind is dict or issubclass(kind, dict):
        return list(_items(container))
    if kind is list or issubclass(kind, list):
        return enumerate(list.__getitem__(container, slice(None)))
    return enumerate(tuple.__getitem__(container, slice(None))) if issubclass(kind, tuple) else ()


def _has_surrogate(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _unsendable_scalar(value: object) -> str | None:
    kind = type(value)
    if value is None or kind is bool or issubclass(kind, (dict, list, tuple)):
        return None
    if issubclass(kind, int):
        number: int = int.__pos__(value)  # type: ignore[arg-type]
        return None if number.bit_length() <= _MAX_INTEGER_BITS else f"{quote(number)}, more than JSON libraries write"
    if issubclass(kind, str):
        return _SURROGATE if _has_surrogate(str.__str__(value)) else None
    if issubclass(kind, float):
        real: float = float.__pos__(value)  # type: ignore[arg-type]
        return None if real - real == 0.0 else f"{quote(real, 20)}, which is no JSON number"
    return f"{quote(value, 60)}, which is no JSON value"


def _unsendable_key(key: object) -> str | None:
    if not issubclass(type(key), str):
        return f"a member with the name {quote(key, 60)}, which is no string"
    return "a name with a lone surrogate" if _has_surrogate(str.__str__(key)) else None


def _token(key: Any) -> str | int:
    return str.__str__(key) if issubclass(type(key), str) else int(key)


def _unfold(place: Any) -> Path:
    tokens: list[str | int] = []
    while place is not None:
        place, key = place
        tokens.append(_token(key))
    return tuple(reversed(tokens))
