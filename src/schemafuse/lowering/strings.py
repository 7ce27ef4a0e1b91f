"""Keywords about strings: lengths, `pattern`, `format`, and content in draft-07 (Validation 6.3, 7 and 8)."""

from __future__ import annotations

from typing import Any

from ..formats import format_checker, format_weight
from ..media import content_checker
from .program import OPS, STRINGS, Program, lowers

FORMAT = OPS["FORMAT"]


@lowers("minLength")
def lower_min_length(program: Program, value: Any) -> None:
    if value > 0:
        program.emit(STRINGS, OPS["MIN_LENGTH"], int(value), "minLength")


@lowers("maxLength")
def lower_max_length(program: Program, value: Any) -> None:
    program.emit(STRINGS, OPS["MAX_LENGTH"], int(value), "maxLength")


@lowers("pattern")
def lower_pattern(program: Program, value: Any) -> None:
    program.emit(STRINGS, OPS["PATTERN"], program.lowering.pattern(value, program.subschema, "pattern"), "pattern")


@lowers("format")
def lower_format(program: Program, value: Any) -> None:
    dialect = program.subschema.resource.dialect
    if not (program.lowering.assert_formats or dialect.asserts_format):
        return
    check = format_checker(value, dialect.name)
    if check is not None:
        program.emit(STRINGS, FORMAT, (check, format_weight(value)), "format")


@lowers("contentEncoding", "contentMediaType")
def lower_content(program: Program, _: Any) -> None:
    # An assertion in draft-07 alone (Validation 8); an annotation ever since (2019-09 Validation 8.1).
    if program.subschema.resource.dialect.name != "draft-07":
        return
    encoding, media_type = program.schema.get("contentEncoding"), program.schema.get("contentMediaType")
    check = content_checker(encoding, media_type)
    if check is not None:
        keyword = "contentMediaType" if media_type is not None else "contentEncoding"
        program.emit(STRINGS, FORMAT, (check, format_weight("json")), keyword)
