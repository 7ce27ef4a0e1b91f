"""Keywords about the value itself: `type`, `enum`, `const` (Validation 6.1)."""

from __future__ import annotations

from typing import Any

from .program import (
    ARRAY_BIT,
    ARRAYS,
    BOOLEAN,
    BOOLEAN_BIT,
    FRACTION_BIT,
    INT_BIT,
    INTEGRAL_BIT,
    NULL,
    NULL_BIT,
    NUMBER_BITS,
    NUMBERS,
    OBJECT_BIT,
    OBJECTS,
    OPS,
    STRING_BIT,
    STRINGS,
    Program,
    lowers,
)

FAIL, BOOLEAN_IN, NUMBER_IN = OPS["FAIL"], OPS["BOOLEAN_IN"], OPS["NUMBER_IN"]
STRING_IN, CONTAINER_IN = OPS["STRING_IN"], OPS["CONTAINER_IN"]

_BITS = {
    "null": NULL_BIT,
    "boolean": BOOLEAN_BIT,
    "integer": INT_BIT | INTEGRAL_BIT,
    "number": NUMBER_BITS,
    "string": STRING_BIT,
    "array": ARRAY_BIT,
    "object": OBJECT_BIT,
}


def type_bits(value: str | list[str], dialect_name: str) -> int:
    """The kinds of value that a `type` admits."""
    if isinstance(value, str):
        bits = _BITS[value]
    else:
        bits = 0
        for name in value:
            bits |= _BITS[name]
    if dialect_name == "draft-04" and not bits & FRACTION_BIT:
        bits &= ~INTEGRAL_BIT  # 1.0 is no integer there (draft-04 Core 3.5)
    return bits


@lowers("type")
def lower_type(program: Program, value: Any) -> None:
    program.types &= type_bits(value, program.subschema.resource.dialect.name)


@lowers("const")
def lower_const(program: Program, value: Any) -> None:
    lower_values(program, [value], "const")


@lowers("enum")
def lower_enum(program: Program, value: Any) -> None:
    lower_values(program, value, "enum")


def lower_values(program: Program, values: list[Any], keyword: str) -> None:
    """Split the admitted values by kind: each has a quick way to tell whether a value is among them."""
    program.lowering.work += len(values)
    by_type: dict[type, list[Any]] = {}
    for value in values:
        by_type.setdefault(type(value), []).append(value)
    if type(None) not in by_type:
        program.emit(NULL, FAIL, None, keyword)
    booleans = by_type.get(bool, ())
    if len(set(booleans)) < 2:
        program.emit(BOOLEAN, BOOLEAN_IN, (False in booleans) | (True in booleans) << 1, keyword)
    numbers = by_type.get(int, []) + by_type.get(float, [])
    for group, op, admitted in (
        (NUMBERS, NUMBER_IN, numbers),
        (STRINGS, STRING_IN, by_type.get(str)),
        (ARRAYS, CONTAINER_IN, by_type.get(list)),
        (OBJECTS, CONTAINER_IN, by_type.get(dict)),
    ):
        if admitted:
            program.emit(group, op, list(dict.fromkeys(admitted)) if op == STRING_IN else admitted, keyword)
        else:
            program.emit(group, FAIL, None, keyword)
