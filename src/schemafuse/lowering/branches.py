"""What can be said of the branches of an `anyOf` or `oneOf` before any value is seen: the kinds of value that each can
accept at all. Members that tell them apart are found in tags.py."""

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
#: Branches of a union that are asked for their kinds when a report is written.
_ASKED = 200


def kinds_of(branch: Subschema) -> int:
    """The kinds of value that a branch can accept at all."""
    schema = branch.value
    if (
        type(schema) is dict
        and not branch.targets
        and "type" in schema
        and "enum" not in schema
        and "const" not in schema
    ):
        return type_bits(schema["type"], branch.resource.dialect.name)
    kinds = ALL_BITS
    for _ in range(_FOLLOWED):
        kinds &= _own_kinds(branch)
        target = branch.targets.get("$ref")
        if not isinstance(target, Subschema):
            break
        branch = target
    return kinds


def kinds_of_any(branches: list[Subschema]) -> int:
    """The kinds of value that at least one of the branches can accept; of many branches, any kind."""
    if len(branches) > _ASKED:
        return ALL_BITS
    kinds = 0
    for branch in branches:
        kinds |= kinds_of(branch)
    return kinds


def _own_kinds(subschema: Subschema) -> int:
    """The kinds that the keywords beside a reference leave. Found once: thousands may refer to one long `enum`."""
    if subschema.kinds is None:
        subschema.kinds = _find_kinds(subschema)
    return subschema.kinds


def _find_kinds(subschema: Subschema) -> int:
    schema = subschema.value
    if isinstance(schema, bool):
        return ALL_BITS if schema else 0
    dialect = subschema.resource.dialect
    keywords = dialect.keywords
    kinds = ALL_BITS
    if dialect.ref_overrides and "$ref" in subschema.targets:
        return kinds
    if "type" in schema and "type" in keywords:
        kinds &= type_bits(schema["type"], dialect.name)
    if "const" in schema and "const" in keywords:
        kinds &= _KIND_OF_TYPE[type(schema["const"])]
    elif "enum" in schema and "enum" in keywords:
        kinds &= _kinds_of_values(schema["enum"])
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
