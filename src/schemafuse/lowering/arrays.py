"""Keywords about arrays (Core 10.3.1 and 11.2, Validation 6.4)."""

from __future__ import annotations

from typing import Any

from ..subschemas import Subschema
from .program import ARRAYS, COLLECTS, OPS, Program, lowers

NO_NODE = -1


@lowers("minItems")
def lower_min_items(program: Program, value: Any) -> None:
    if value > 0:
        program.emit(ARRAYS, OPS["MIN_ITEMS"], int(value), "minItems")


@lowers("maxItems")
def lower_max_items(program: Program, value: Any) -> None:
    program.emit(ARRAYS, OPS["MAX_ITEMS"], int(value), "maxItems")


@lowers("uniqueItems")
def lower_unique_items(program: Program, value: Any) -> None:
    if value:
        program.emit(ARRAYS, OPS["UNIQUE_ITEMS"], None, "uniqueItems")


@lowers("prefixItems", "items", "additionalItems")
def lower_items(program: Program, _: Any) -> None:
    prefix, rest = items_of(program.subschema)
    if prefix or rest is not None:
        operand = ([program.below(child) for child in prefix], NO_NODE if rest is None else program.below(rest))
        program.emit(ARRAYS, OPS["ITEMS"], operand, "items")


def items_of(subschema: Subschema) -> tuple[list[Subschema], Subschema | None]:
    """The subschemas of the first items one by one, and of all that follow; by the keywords of its dialect.

    Up to 2019-09 an `items` list stands for `prefixItems`, and `additionalItems` means something only beside it.
    """
    children: dict[str, Any] = subschema.children
    items = children.get("items")
    if isinstance(items, list):
        return items, children.get("additionalItems")
    return children.get("prefixItems", []), items


@lowers("contains")
def lower_contains(program: Program, _: Any) -> None:
    dialect = program.subschema.resource.dialect
    smallest, largest = 1, -1
    if "minContains" in dialect.keywords:
        smallest = int(program.schema.get("minContains", 1))
        largest = int(program.schema.get("maxContains", -1))
    child: Any = program.subschema.children["contains"]
    bounds = (min(smallest, 1 << 62), min(largest, 1 << 62))
    program.overlapping = True
    program.emit(ARRAYS, OPS["CONTAINS"], (program.below(child), *bounds, dialect.name == "2020-12"), "contains")


@lowers("unevaluatedItems")
def lower_unevaluated_items(program: Program, _: Any) -> None:
    child: Any = program.subschema.children["unevaluatedItems"]
    program.flags |= COLLECTS
    program.overlapping = True
    program.emit(ARRAYS, OPS["UNEVALUATED_ITEMS"], program.below(child), "unevaluatedItems")
