"""What can be said of the branches of an `anyOf` or `oneOf` before any value is seen.

Which kinds of value a branch can accept at all, and whether one member, the tag, tells the branches apart: where each
of them allows that member only strings that no other branch allows, its value picks the only branch worth a visit.
"""

from __future__ import annotations

from typing import Any

from ..subschemas import Subschema
from .program import (
    ALL_BITS,
    ARRAY_BIT,
    BOOLEAN_BIT,
    NULL_BIT,
    NUMBER_BITS,
    OBJECT_BIT,
    STRING_BIT,
    units_of,
)
from .values import type_bits

SCALAR_BITS = NULL_BIT | BOOLEAN_BIT | NUMBER_BITS | STRING_BIT

_KIND_OF_TYPE = {
    type(None): NULL_BIT,
    bool: BOOLEAN_BIT,
    int: NUMBER_BITS,
    float: NUMBER_BITS,
    str: STRING_BIT,
    list: ARRAY_BIT,
    dict: OBJECT_BIT,
}

#: References followed while looking at a branch; an answer of "anything" is always right.
_FOLLOWED = 8
#: Fewer branches are tried one after the other as quickly.
_FEWEST_TAGGED = 2


def kinds_of(branch: Subschema) -> int:
    """The kinds of value that a branch can accept at all."""
    kinds = ALL_BITS
    schema = branch.value
    if (
        type(schema) is dict
        and not branch.targets
        and "type" in schema
        and "enum" not in schema
        and "const" not in schema
    ):
        return type_bits(schema["type"], branch.resource.dialect.name)
    for _ in range(_FOLLOWED):
        schema = branch.value
        if isinstance(schema, bool):
            return kinds if schema else 0
        dialect = branch.resource.dialect
        target = branch.targets.get("$ref")
        if not (dialect.ref_overrides and target is not None):
            keywords = dialect.keywords
            if "type" in schema and "type" in keywords:
                kinds &= type_bits(schema["type"], dialect.name)
            if "const" in schema and "const" in keywords:
                kinds &= _KIND_OF_TYPE[type(schema["const"])]
            elif "enum" in schema and "enum" in keywords:
                kinds &= _kinds_of_values(schema["enum"])
        if not isinstance(target, Subschema):
            break
        branch = target
    return kinds


def sure_kinds(branch: Subschema) -> int:
    """The kinds of scalar of which a branch accepts every value: where it has a `type` and nothing else to say."""
    schema = branch.value
    dialect = branch.resource.dialect
    if isinstance(schema, bool):
        return SCALAR_BITS if schema else 0
    if units_of(dialect).keys() & schema.keys() != {"type"}:
        return 0
    return type_bits(schema["type"], dialect.name) & SCALAR_BITS


def _kinds_of_values(values: list[Any]) -> int:
    kinds = 0
    for value in values:
        kinds |= _KIND_OF_TYPE[type(value)]
    return kinds


def choose_tag(branches: list[Subschema], kinds: list[int]) -> tuple[str | None, list[tuple[str, int]]]:
    """Return the member that tells apart the branches which accept objects, and `(its value, index of the branch)`.

    `(None, [])` when there is none. A value in no branch is rejected by all of them.
    """
    candidates = [i for i, kind in enumerate(kinds) if kind & OBJECT_BIT]
    if len(candidates) < _FEWEST_TAGGED:
        return None, []
    tables = [tags_of(branches[i]) for i in candidates]
    for name in tables[0]:
        by_tag: dict[str, int] = {}
        n_values = 0
        for index, table in zip(candidates, tables):
            values = table.get(name)
            if values is None:
                break
            n_values += len(values)
            by_tag.update(dict.fromkeys(values, index))
        else:
            if len(by_tag) == n_values:
                return name, list(by_tag.items())
    return None, []


def tags_of(branch: Subschema) -> dict[str, dict[str, None]]:
    """member -> the only strings that the branch allows it, in their order, where it allows nothing else."""
    for _ in range(_FOLLOWED):
        properties = branch.children.get("properties")
        target = branch.targets.get("$ref")
        if isinstance(properties, dict) and not (branch.resource.dialect.ref_overrides and target is not None):
            return {name: values for name, child in properties.items() if (values := _only_strings(child)) is not None}
        if not isinstance(target, Subschema):
            break
        branch = target
    return {}


def _only_strings(subschema: Subschema) -> dict[str, None] | None:
    schema = subschema.value
    keywords = subschema.resource.dialect.keywords
    if isinstance(schema, bool) or (subschema.resource.dialect.ref_overrides and "$ref" in subschema.targets):
        return None
    if "const" in schema and "const" in keywords:
        values = [schema["const"]]
    elif "enum" in schema and "enum" in keywords:
        values = schema["enum"]
    else:
        return None
    # Texts name them: a set's order would differ from run to run.
    return dict.fromkeys(values) if values and all([type(value) is str for value in values]) else None
