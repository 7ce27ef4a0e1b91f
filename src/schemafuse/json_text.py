"""Reads text that was sent where a JSON value belongs.

Comes in: a string. Goes out: the JSON value other than a string that it spells, written as JSON once or twice, or
NOTHING. Bounded in length and depth; never evaluates anything.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

#: What `read_text` returns when a text spells nothing.
NOTHING = object()
#: Longer strings are not taken for JSON text, deeper ones and longer numbers neither.
_LONGEST, _DEEPEST, _DIGITS = 100_000, 64, 400
_EXACT = 1 << 53
_TWICE = "a name occurs twice"
#: Around text that was sent as Markdown.
_FENCE = re.compile(r"```[ \t]*(?:jsonc?|js|javascript)?\s*(?=[{\[])", re.IGNORECASE)
#: A comma with nothing after it, outside of strings; one that never ends goes to the end of the text.
_COMMA = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|(,)\s*[\]}]', re.DOTALL)
_LITERALS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
#: RFC 8259 section 6; the first group is there when it is more than an integer.
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)((?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)")


def read_text(text: str) -> Any:
    """The JSON value other than a string that a text spells; Python's `True`, `False` and `None` included."""
    if len(text) > _LONGEST:
        return NOTHING
    stripped = text.strip()
    fence = _FENCE.match(stripped) if stripped[-3:] == "```" else None
    if fence is not None:
        stripped = stripped[fence.end() : -3].strip()
    try:
        if stripped[:1] == '"' and len(stripped) > 1:
            stripped = _DECODER.decode(stripped).strip()
        if not stripped or stripped[0] not in "-0123456789tfnTFN[{":
            return NOTHING
        if stripped[0] in "[{":
            return NOTHING if depth_of(stripped) > _DEEPEST else _DECODER.decode(stripped)
        number = _NUMBER.fullmatch(stripped) if len(stripped) <= _DIGITS else None
        if number is not None:
            return _float(stripped) if number[1] else int(stripped)
    except (ValueError, RecursionError, ArithmeticError):
        return NOTHING
    return _LITERALS.get(stripped, NOTHING)


def fault_of(text: str) -> str:
    """What is wrong with a text as JSON, in a clause; "" where it is too long or deep to be looked at, or is JSON."""
    if len(text) > _LONGEST or depth_of(text) > _DEEPEST:
        return ""
    text = text.strip()
    try:
        _DECODER.decode(text)
    except json.JSONDecodeError as error:
        return f"this text is not JSON{_what_is_wrong(text, error.pos)}"
    except (ValueError, RecursionError, ArithmeticError) as error:
        return f"in this text {_TWICE}" if _TWICE in error.args else ""
    return ""


def _what_is_wrong(text: str, position: int) -> str:
    # Where exactly it is, the versions of Python tell differently.
    if position >= len(text):
        return ": it ends too early"
    if text[position] == "'":
        return ": strings stand in double quotes"
    return ": nothing follows on a comma" if any([found[1] for found in _COMMA.finditer(text)]) else ""


def depth_of(text: str) -> int:
    """How deep brackets nest at most, strings not told apart."""
    if max(text.count("["), text.count("{")) <= _DEEPEST // 2:
        return 0
    depth = deepest = 0
    for char in text:
        depth += (char in "[{") - (char in "]}")
        deepest = max(deepest, depth)
    return deepest


def _integer(digits: str) -> int:
    if len(digits) > _DIGITS:
        raise ValueError(digits[:20])
    return int(digits)


def _float(digits: str) -> float | int:
    """The number that the digits spell, if a float holds it; what has no fraction is written without one."""
    number = float(digits)
    if len(digits) > _DIGITS or Decimal(digits) != Decimal(repr(number)):
        raise ValueError(digits[:20])
    return int(number) if number.is_integer() and abs(number) < _EXACT else number


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError(_TWICE)
    return members


#: Made once: `json.loads` would make one for each text.
_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_int=_integer, parse_float=_float, object_pairs_hook=_distinct)
