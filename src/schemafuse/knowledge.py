"""What is known of a subschema whatever the value: worked out once, when the first value fails, and kept with it.

Comes in: a subschema and a function of it. Goes out: what the function returns, which nobody may change. What is kept
is a phrase, a number, or values that the subschema holds anyway, so that it stays in proportion to the schema.
Two threads may work the same out at once; one of them was not needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .subschemas import NOTHING, Subschema

T = TypeVar("T")


def recall(make: Callable[[Subschema], T], subschema: Subschema) -> T:
    """Return `make(subschema)`, as it was or is."""
    known = subschema.known
    found: Any = known.get(make)
    if found is None:
        found = make(subschema)
        if known is NOTHING:
            known = subschema.known = {}
        known[make] = found
    return found  # type: ignore[no-any-return]


def recall_of(make: Callable[[Subschema, str], T], subschema: Subschema, keyword: str) -> T:
    """Return `make(subschema, keyword)`, likewise."""
    known = subschema.known
    found: Any = known.get((make, keyword))
    if found is None:
        found = make(subschema, keyword)
        if known is NOTHING:
            known = subschema.known = {}
        known[make, keyword] = found
    return found  # type: ignore[no-any-return]
