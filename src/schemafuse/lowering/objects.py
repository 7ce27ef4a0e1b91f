"""Keywords about objects (Core 10.3.2 and 11.3, Validation 6.5)."""

from __future__ import annotations

from typing import Any

from ..subschemas import Subschema
from .program import COLLECTS, OBJECTS, OPS, Program, lowers

MEMBERS = OPS["MEMBERS"]
NO_NODE = -1


@lowers("minProperties")
def lower_min_properties(program: Program, value: Any) -> None:
    if value > 0:
        program.emit(OBJECTS, OPS["MIN_PROPERTIES"], int(value), "minProperties")


@lowers("maxProperties")
def lower_max_properties(program: Program, value: Any) -> None:
    program.emit(OBJECTS, OPS["MAX_PROPERTIES"], int(value), "maxProperties")


@lowers("propertyNames")
def lower_property_names(program: Program, _: Any) -> None:
    child: Any = program.subschema.children["propertyNames"]
    program.emit(OBJECTS, OPS["PROPERTY_NAMES"], program.below(child), "propertyNames")


@lowers("unevaluatedProperties")
def lower_unevaluated_properties(program: Program, _: Any) -> None:
    child: Any = program.subschema.children["unevaluatedProperties"]
    program.flags |= COLLECTS
    program.overlapping = True
    program.emit(OBJECTS, OPS["UNEVALUATED_PROPERTIES"], program.below(child), "unevaluatedProperties")


@lowers(
    "properties",
    "patternProperties",
    "additionalProperties",
    "required",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
)
def lower_members(program: Program, _: Any) -> None:
    """All keywords that look at members by name become one table, read in one pass over the object."""
    keywords = program.subschema.resource.dialect.keywords
    children: dict[str, Any] = program.subschema.children
    bits: dict[str, int] = {}
    required = []
    if "required" in program.schema and "required" in keywords:
        required = [bits.setdefault(name, len(bits)) for name in program.schema["required"]]
    dependencies = _dependencies(program, bits)
    properties: dict[str, Subschema] = children.get("properties", {})
    program.lowering.work += len(properties)
    entries = [(name, program.below(child), bits.get(name, -1)) for name, child in properties.items()]
    entries += [(name, NO_NODE, bit) for name, bit in bits.items() if name not in properties]
    patterns = [
        (program.lowering.pattern(source, program.subschema, "patternProperties"), program.below(child))
        for source, child in children.get("patternProperties", {}).items()
    ]
    program.overlapping |= bool(patterns)
    additional = children.get("additionalProperties")
    rest = NO_NODE if additional is None else program.below(additional)
    program.emit(OBJECTS, MEMBERS, (entries, len(bits), required, rest, patterns, dependencies), "properties")


def _dependencies(program: Program, bits: dict[str, int]) -> list[tuple[int, int, list[int] | None]]:
    """`(bit of the trigger, node for the object or NO_NODE, bits that it needs or None)` for each dependency."""
    schema, children = program.schema, program.subschema.children
    keywords = program.subschema.resource.dialect.keywords
    dependencies: list[tuple[int, int, list[int] | None]] = []
    for keyword in ("dependentRequired", "dependencies"):
        if keyword not in schema or keyword not in keywords:
            continue
        for trigger, needed in schema[keyword].items():
            # `dependencies` holds arrays of names and schemas side by side.
            if isinstance(needed, list):
                needs = [bits.setdefault(name, len(bits)) for name in needed]
                dependencies.append((bits.setdefault(trigger, len(bits)), NO_NODE, needs))
    for keyword in ("dependentSchemas", "dependencies"):
        held: Any = children.get(keyword, {})
        for trigger, child in held.items():
            dependencies.append((bits.setdefault(trigger, len(bits)), program.in_place(child), None))
    return dependencies
