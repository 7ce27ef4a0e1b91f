"""Which name or value another was probably meant to be.

Texts go in, the one that is near comes out, or None: two that are equally near are no answer. What "near" means depends
on the length; a name of one or two letters is near to nothing but its own spellings.
"""

from __future__ import annotations

from typing import Any

from ._core.distance import nearest, spelt_alike

#: Values that are put in order.
_MOST = 1_000


def edits_for(text: str) -> int:
    """How many edits are a slip in a text of this length."""
    return 0 if len(text) < 3 else 1 if len(text) < 5 else 2 if len(text) < 12 else 3


def nearest_name(name: str, names: list[str]) -> str | None:
    """The one name that another was probably meant to be."""
    if not names:
        return None
    same = spelt_alike(name, names)
    # Names of nothing but joiners are all alike.
    if len(same) == 1 and name[:200].strip(" _-."):
        return same[0]
    found, distance = nearest(name, names, edits_for(name))
    return names[found[0]] if len(found) == 1 and distance * 2 <= len(name) else None


def by_nearness(text: str, values: list[Any], most: int) -> list[Any]:
    """The values with those first that look most like the text, or begin like it."""
    looked_at = [value for value in values[:_MOST] if type(value) is str]
    found, _ = nearest(text, looked_at, edits_for(text))
    start = text[:3].casefold()
    near = [value for value in looked_at if value[:1].casefold() == start[:1]]
    nearer = [value for value in near if value[:3].casefold() == start]
    first = list(dict.fromkeys([looked_at[i] for i in found[:most]] + nearer[:most] + near[:most]))[:most]
    return first + [value for value in values if value not in first]
