"""Keywords about numbers: `multipleOf`, `minimum`, `maximum` and the exclusive ones (Validation 6.2)."""

from __future__ import annotations

from typing import Any

from .program import NUMBERS, OPS, Program, lowers

MINIMUM, MAXIMUM = OPS["MINIMUM"], OPS["MAXIMUM"]
EXCLUSIVE_MINIMUM, EXCLUSIVE_MAXIMUM = OPS["EXCLUSIVE_MINIMUM"], OPS["EXCLUSIVE_MAXIMUM"]


@lowers("multipleOf")
def lower_multiple_of(program: Program, value: Any) -> None:
    program.emit(NUMBERS, OPS["MULTIPLE_OF"], value, "multipleOf")


@lowers("minimum")
def lower_minimum(program: Program, value: Any) -> None:
    # In draft-04 the exclusive keywords are booleans that change the meaning of the plain ones (Validation 5.1.3).
    exclusive = program.schema.get("exclusiveMinimum") is True
    program.emit(NUMBERS, EXCLUSIVE_MINIMUM if exclusive else MINIMUM, value, "minimum")


@lowers("maximum")
def lower_maximum(program: Program, value: Any) -> None:
    exclusive = program.schema.get("exclusiveMaximum") is True
    program.emit(NUMBERS, EXCLUSIVE_MAXIMUM if exclusive else MAXIMUM, value, "maximum")


@lowers("exclusiveMinimum")
def lower_exclusive_minimum(program: Program, value: Any) -> None:
    if not isinstance(value, bool):
        program.emit(NUMBERS, EXCLUSIVE_MINIMUM, value, "exclusiveMinimum")


@lowers("exclusiveMaximum")
def lower_exclusive_maximum(program: Program, value: Any) -> None:
    if not isinstance(value, bool):
        program.emit(NUMBERS, EXCLUSIVE_MAXIMUM, value, "exclusiveMaximum")
