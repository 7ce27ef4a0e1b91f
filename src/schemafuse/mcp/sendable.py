"""What can be sent: values that JSON in UTF-8 has a notation for, no deeper and no more of them than readers take.

Comes in: any Python object. Goes out: None, or a place that cannot be sent, with the reason. Looks at no more than
`MAX_VALUES` values, which takes some 50 ms; see `schemafuse._core.sendable`.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from .._core import sendable
from .._core.contents import copied
from .._core.sendable import MAX_LEVELS, MAX_VALUES, is_plainly_sendable
from ..render import quote

Path = tuple[str | int, ...]

_SURROGATE_BYTES = re.compile(rb"\xed[\xa0-\xbf]")


def may_hold_surrogates(packed: bytes) -> bool:
    """Whether there may be lone surrogates in marshalled data; there are none when this says no."""
    return _SURROGATE_BYTES.search(packed) is not None


class Unsendable(NamedTuple):
    """A place that cannot be sent, and why."""

    path: Path
    reason: str
    fault: str
    """One of `schemafuse._core.sendable.FAULTS`."""


def find_unsendable(value: object, *, max_levels: int = MAX_LEVELS, max_values: int = MAX_VALUES) -> Unsendable | None:
    """Return a place that cannot be sent and what stands there, or None."""
    found = sendable.find_unsendable(value, max_levels, max_values)
    if found is None:
        return None
    path, fault, culprit = found
    if fault in _OF_THE_WHOLE:  # wherever that came out
        return Unsendable((), _OF_THE_WHOLE[fault].format(max_levels=max_levels, max_values=max_values), fault)
    tokens = tuple([str.__str__(token) if isinstance(token, str) else token for token in path])
    return Unsendable(tokens, _reason(fault, culprit), fault)


_OF_THE_WHOLE = {
    "too_deep": "arrays and objects nested more than {max_levels} levels deep",
    "too_many": "more than {max_values} values",
    "endless": "an array or object that contains itself",
}


def _reason(fault: str, culprit: object) -> str:
    if fault == "surrogate":
        return "a lone surrogate"
    if fault == "name_surrogate":
        return "a name with a lone surrogate"
    if fault == "name":
        return f"a member with the name {quote(culprit, 60)}, which is no string"
    if fault == "number":
        return f"{quote(culprit, 20)}, which is no JSON number"
    return (
        f"{quote(culprit, 60)}, {'more than JSON libraries write' if fault == 'digits' else 'which is no JSON value'}"
    )


def unicode_text(text: str) -> str:
    """Return a text that UTF-8 can hold: itself, or one with lone surrogates written out."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text


def plain(value: Any) -> Any:
    """Return a value that can be sent in exact builtin types: itself, or a copy.

    A subclass may write itself differently from what it holds, or not at all.
    """
    return value if is_plainly_sendable(value) else copied(value)
