"""What speaks for one branch of an `anyOf` or `oneOf`, when a value fits none of them.

Comes in: the branches of a union, once, and then an object. Goes out: how its names and tags agree with each branch.
Says nothing about what a branch has against the value; the explainer knows that.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

from .lowering.branches import tags_of
from .places import held_by
from .subschemas import Subschema

#: Members of a value that are looked at, and branches: a union of more is judged by what fails in each alone.
_MEMBERS, _BRANCHES = 50, 200
#: Subschemas that are looked through for the names that one of them knows, and names in all.
_FOLLOWED, _NAMES = 40, 500
_IN_PLACE = ("allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas")


class Portrait(NamedTuple):
    """One branch: the members that may have listed strings only, and the names it has properties for."""

    tags: dict[str, dict[str, None]]
    names: frozenset[str]


def portraits(branches: list[Subschema]) -> list[Portrait]:
    """Draw every branch; an empty list when there are too many."""
    if len(branches) > _BRANCHES:
        return []
    return [Portrait(tags_of(branch), frozenset(names_of(branch))) for branch in branches]


def names_of(subschema: Subschema) -> dict[str, None]:
    """The property names that a subschema and those it applies in place know, the nearest first."""
    names: dict[str, None] = {}
    todo, seen = [subschema], {id(subschema)}
    for part in todo:
        properties: Any = part.children.get("properties", ())
        names.update(dict.fromkeys(islice(properties, _NAMES - len(names))))
        for following in (*_targets(part), *held_by(part, _IN_PLACE)):
            if id(following) not in seen and len(todo) < _FOLLOWED:
                seen.add(id(following))
                todo.append(following)
    return names


def _targets(subschema: Subschema) -> list[Subschema]:
    return [target for target in subschema.targets.values() if isinstance(target, Subschema)]


def evidence(drawn: list[Portrait], index: int, value: Any) -> tuple[int, int, int]:
    """How an object agrees with a branch: tags that are another branch's (negative), tags that are its own, names that
    it does not know (negative). Greater is nearer."""
    if not drawn or type(value) is not dict:
        return 0, 0, 0
    own = drawn[index]
    strayed = kept = 0
    for name, texts in own.tags.items():
        text = value.get(name)
        if type(text) is not str:
            continue
        if text in texts or any([text.casefold() == other.casefold() for other in texts if len(other) == len(text)]):
            kept += 1
        elif any([text in other.tags.get(name, ()) for other in drawn]):
            strayed += 1
    strangers = 0
    if own.names:
        strangers = sum([name not in own.names for name in list(value)[:_MEMBERS]])
    return -strayed, kept, -strangers
