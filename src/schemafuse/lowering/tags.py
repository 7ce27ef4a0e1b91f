"""Whether one member, the tag, tells the branches of a union apart.

Comes in: the branches of an `anyOf` or `oneOf`. Goes out: the member for which each of them lists values that no other
lists, with these values: the one that an object has picks the only branch worth a visit. What is looked at is bounded
by the number of branches, whatever they refer to and however much that lists.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from ..subschemas import Subschema, Tag
from .program import OBJECT_BIT

#: References followed from a branch to its properties.
_FOLLOWED = 8
#: Fewer branches are tried one after the other as quickly.
_FEWEST = 2
#: Members that are looked at, and the values that a tag may have: for each branch, and in all. A union with more is
#: judged branch by branch.
_NAMES, _VALUES_EACH, _VALUES = 50, 16, 2_000

_SCALARS = frozenset((str, int, float, bool, type(None)))

NO_TAG: Tag = (None, [])


def choose_tag(branches: list[Subschema], kinds: list[int]) -> Tag:
    """Return the member that tells apart the branches which accept objects, and `(its value, index of the branch)`.

    A value in no branch is rejected by all of them. A member that has strings only comes before others.
    """
    candidates = [i for i, kind in enumerate(kinds) if kind & OBJECT_BIT]
    if len(candidates) < _FEWEST:
        return NO_TAG
    tables = [properties_of(branches[i]) for i in candidates]
    # No value can tell two ways to the same properties apart: thousands of references cost as little as two.
    if len({id(table) for table in tables}) < len(tables):
        return NO_TAG
    found = NO_TAG
    for name in islice(tables[0], _NAMES):
        by_tag = _told_apart(name, tables, candidates)
        if by_tag and all([type(value) is str for value, _ in by_tag]):
            return name, by_tag
        if by_tag and found is NO_TAG:
            found = name, by_tag
    return found


def _told_apart(name: str, tables: list[dict[str, Subschema]], indices: list[int]) -> list[tuple[Any, int]]:
    """The values of a member with their branches; an empty list where they do not tell the branches apart."""
    by_key: dict[Any, tuple[Any, int]] = {}
    most = min(_VALUES_EACH * len(tables), _VALUES)
    for index, table in zip(indices, tables):
        child = table.get(name)
        values = [] if child is None else scalars_of(child, most - len(by_key))
        for value in values:
            if by_key.setdefault(key_of(value), (value, index))[1] != index:
                return []
        if not values:
            return []
    return list(by_key.values())


def properties_of(branch: Subschema) -> dict[str, Subschema]:
    """The properties of a branch, or of the first subschema with any that it refers to."""
    holder = _with_properties(branch)
    return {} if holder is None else holder.children["properties"]  # type: ignore[return-value]


def required_by(branch: Subschema) -> list[str]:
    """The names that an object has to have, by the same subschema."""
    holder = _with_properties(branch) or branch
    names: Any = holder.value.get("required", []) if isinstance(holder.value, dict) else []
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _with_properties(branch: Subschema) -> Subschema | None:
    for _ in range(_FOLLOWED):
        target = branch.targets.get("$ref")
        if "properties" in branch.children and not (branch.resource.dialect.ref_overrides and target is not None):
            return branch
        if not isinstance(target, Subschema):
            break
        branch = target
    return None


def scalars_of(subschema: Subschema, most: int) -> list[Any]:
    """The only values that a subschema allows, where it allows none but scalars and lists at most so many."""
    schema = subschema.value
    if isinstance(schema, bool) or (subschema.resource.dialect.ref_overrides and "$ref" in subschema.targets):
        return []
    keywords = subschema.resource.dialect.keywords
    if "const" in schema and "const" in keywords:
        values = [schema["const"]]
    elif "enum" in schema and "enum" in keywords:
        values = schema["enum"]
    else:
        return []
    return values if len(values) <= most and all([type(value) in _SCALARS for value in values]) else []


def key_of(value: Any) -> Any:
    """What stands for a scalar in a table: equal where the scalars are equal in JSON. 1 and 1.0 are, 1 and true not."""
    return (value,) if type(value) is bool else value


def is_among(value: Any, by_tag: list[tuple[Any, int]]) -> bool:
    """Does a tag have the value?"""
    return type(value) in _SCALARS and any([key_of(value) == key_of(other) for other, _ in by_tag])
