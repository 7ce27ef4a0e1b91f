"""What is said of `anyOf` and `oneOf`: what their branches ask for, the values that they list, and which tag is wrong.

One part of words.py, of the same shape. Bounded however many branches there are.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from ._core.failure import Failure
from .describe import alternatives, values_of
from .knowledge import recall, recall_of
from .lowering.tags import NO_TAG, is_among, required_by
from .mentions import branch_name, named_in
from .phrases import listed, names_together, together
from .render import quote_text, shortened
from .scene import Scene
from .subschemas import Subschema

#: Values listed in one phrase, alternatives named, and names of one that are looked at.
_LISTED, _SHOWN, _MOST_REQUIRED = 6, 4, 20
#: Branches of a union whose values are compared with what was sent, and values in all: of more, none is known to be the
#: only one that is meant.
_MOST_BRANCHES, _MOST_VALUES = 200, 2_000
_CHARS = 400


def union_words(scene: Scene) -> str:
    """Say what a union asks for, or which of its alternatives match where only one may."""
    failure = scene.failure
    subschema, keyword, detail = failure.subschema, str(failure.keyword), failure.detail
    branches: Any = subschema.children[keyword]
    if isinstance(detail, list):
        return _several(branches, detail)
    if failure.covered:
        name = recall(branch_name, branches[detail])
        return f"none of {len(branches)} alternatives matches; the nearest is {name}"
    value = failure.instance
    if type(value) is dict and detail is None:
        only = _only_one(branches, value)
        if only:
            return f"{only}, {scene.got()}"
    if type(value) is str and not scene.secret and len(recall_of(listed_values, subschema, keyword)) > _LISTED:
        return f"expected {_alternatives(subschema, keyword, value)}, {scene.got()}"
    return f"expected {recall_of(_alternatives, subschema, keyword)}, {scene.got()}"


def _alternatives(union: Subschema, keyword: str, near: str | None = None) -> str:
    """What the branches of a union ask for; where these are many and a tag tells them apart, its values."""
    branches: Any = union.children[keyword]
    asked = alternatives(branches, near=near)
    tag, by_tag = union.tags.get(keyword, NO_TAG)
    if tag is not None and not asked.whole and len(by_tag) > _SHOWN:
        return f"object with {quote_text(tag, 40)} {listed([value for value, _ in by_tag], 'one of ', _LISTED)}"
    return shortened(asked.text, _CHARS)


def _several(branches: list[Subschema], accepting: list[int]) -> str:
    """An object or value that more alternatives accept than one, and how to leave all but one of them."""
    shown = [f"{i + 1}{named_in(branches[i], ' ({})')}" for i in accepting[:_SHOWN]]
    which = together(shown, len(accepting))
    text = f"the value matches alternatives {which} of {len(branches)}, and must match exactly one"
    own = _own_names([branches[i] for i in accepting[:_SHOWN]])
    if len(accepting) > _SHOWN or own.count(None) > 1:
        return text
    if None in own:  # the one that asks for nothing of its own is what is left
        return f"{text}; leave out {names_together([name for name in own if name is not None])}"
    return f"{text}; give only one of {listed(own)}"


def _only_one(branches: list[Subschema], value: dict[str, Any]) -> str:
    """Which names do not go together, where what several alternatives require is there and none of them matches."""
    wanted = [recall(required_by, branch)[:_MOST_REQUIRED] for branch in branches[:_MOST_BRANCHES]]
    given = [branch for branch, names in zip(branches, wanted) if names and all([name in value for name in names])]
    own = _own_names(given[:_SHOWN])
    if len(given) < 2 or None in own:
        return ""
    return f"give only one of {listed(own)}{' and others' if len(given) > _SHOWN else ''}"


def _own_names(branches: list[Subschema]) -> list[str | None]:
    """A name that each of some branches requires and no other of them."""
    wanted = [recall(required_by, branch)[:_MOST_REQUIRED] for branch in branches]
    others = [set().union(*wanted[:i], *wanted[i + 1 :]) for i in range(len(wanted))]
    return [next((name for name in names if name not in other), None) for names, other in zip(wanted, others)]


def tag_values(scene: Scene) -> list[Any]:
    """All values of the tag that tells the alternatives apart, where the failure is that the tag has none of them."""
    failure = scene.failure
    if failure.union is None or failure.container is None:
        return []
    union, keyword, path = failure.union
    tag, by_tag = union.tags.get(keyword, NO_TAG)
    if tag is None or failure.path[-1:] != (tag,) or len(failure.path) != len(path) + 1:
        return []
    return [] if is_among(failure.instance, by_tag) else [value for value, _ in by_tag]


def allowed_values(failure: Failure) -> list[Any]:
    """The values that the failed keyword lists, those of the branches of a union among them."""
    if failure.keyword in ("const", "enum"):
        return values_of(failure.subschema) or []
    return recall_of(listed_values, failure.subschema, failure.keyword) if failure.keyword in ("anyOf", "oneOf") else []


def listed_values(union: Subschema, keyword: str) -> list[Any]:
    """The values that the branches of a union list; none where there are too many to look at each of them."""
    branches: Any = union.children[keyword]
    if len(branches) > _MOST_BRANCHES:
        return []
    values = (value for branch in branches for value in values_of(branch) or ())
    found = list(islice(values, _MOST_VALUES + 1))
    return found if len(found) <= _MOST_VALUES else []
