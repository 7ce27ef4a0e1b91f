"""Known ways in which an oracle departs from the specification, each with a test of whether it is the cause.

Comes in: a document, an instance, our verdict, and the oracle that gave the other one. Goes out: the name of the
departure, or None. A departure is not believed because its keywords occur: the schema is written in another way that
means the same by the specification but does not meet the departure; only if the oracle then gives our verdict, and so
do we, the departure explains the disagreement.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from . import grammar, oracles, properties
from .schemas import SCHEMA, SCHEMA_MAPS, SCHEMAS, Document, subschemas

Rewrite = Callable[[dict[str, Any], str], dict[str, Any]]


class Departure(NamedTuple):
    """One way in which an oracle departs from the specification."""

    name: str
    oracles: tuple[str, ...]
    clause: str
    rewrite: Rewrite  # of one subschema, given its dialect


def hide_contains(schema: dict[str, Any], dialect: str) -> dict[str, Any]:
    """Behind two negations `contains` still asserts, and has no annotation that anything could see."""
    kept = {keyword: item for keyword, item in schema.items() if keyword not in ("minContains", "maxContains")}
    if dialect != "2019-09" or "contains" not in schema:
        return schema
    moved = {keyword: schema[keyword] for keyword in ("contains", "minContains", "maxContains") if keyword in schema}
    del kept["contains"]
    return {**kept, "allOf": [*kept.get("allOf", []), {"not": {"not": moved}}]}


def drop_siblings(schema: dict[str, Any], dialect: str) -> dict[str, Any]:
    """Up to draft-07 whatever stands beside `$ref` is ignored, except that references may lead into it."""
    if dialect in ("2019-09", "2020-12") or "$ref" not in schema:
        return schema
    kept = ("$ref", "$schema", "definitions")
    return {keyword: item for keyword, item in schema.items() if keyword in kept}


def whole_divisors(schema: dict[str, Any], dialect: str) -> dict[str, Any]:
    """Write 1e308 as the integer that it is."""
    divisor = schema.get("multipleOf")
    if not isinstance(divisor, float) or Fraction(repr(divisor)).denominator != 1:
        return schema
    return {**schema, "multipleOf": int(Fraction(repr(divisor)))}


DEPARTURES = (
    Departure(
        "large integers are rounded to a double before they are divided by a float",
        ("jsonschema-rs",),
        "Validation 6.2.1: dividing the instance by 1e308, which is 10**308 and not the double nearest to it, must give an "
        "integer; Core 6.3 leaves the precision of numbers to implementations",
        whole_divisors,
    ),
    Departure(
        "contains counts as evaluated in 2019-09",
        ("jsonschema-rs", "jsonschema"),
        "2019-09 Core 9.3.2.4 gives `contains` no annotation, and 9.3.1.3 names what `unevaluatedItems` looks at: `items`, "
        "`additionalItems` and itself; `contains` joined them in 2020-12",
        hide_contains,
    ),
    Departure(
        "siblings of $ref are read in an embedded resource of draft-07 or earlier",
        ("jsonschema-rs",),
        "draft-07 Core 8.3: all other properties in a $ref object MUST be ignored",
        drop_siblings,
    ),
)


def rewritten(schema: Any, dialect: str, rewrite: Rewrite) -> Any:
    """Apply a rewrite to every subschema, each in its dialect."""
    if not isinstance(schema, dict):
        return schema
    named = {uri: name for name, uri in grammar.DIALECTS.items()}
    dialect = named.get(schema.get("$schema", ""), dialect)

    def inner(part: Any) -> Any:
        return rewritten(part, dialect, rewrite)

    made = {}
    for keyword, item in schema.items():
        if keyword in SCHEMA_MAPS and isinstance(item, dict):
            item = {name: inner(part) for name, part in item.items()}
        elif keyword in SCHEMAS and isinstance(item, list):
            item = [inner(part) for part in item]
        elif keyword in SCHEMA:
            item = inner(item)
        made[keyword] = item
    return rewrite(made, dialect)


def explained(oracle: oracles.Oracle, document: Document, instance: Any, ours: bool) -> str | None:
    """Return the name of the departure that makes the oracle disagree with us, or None."""
    for departure in DEPARTURES:
        if oracle.name not in departure.oracles:
            continue
        other = document._replace(schema=rewritten(document.schema, document.dialect, departure.rewrite))
        if other.schema == document.schema:
            continue
        validator = properties.compiled(other)
        if isinstance(validator, Exception) or validator.is_valid(instance) is not ours:
            continue
        if oracle.ask(other, [instance]).verdicts == [ours]:
            return departure.name
    return None


def is_comparable(oracle: str, document: Document) -> bool:
    """Say whether an oracle means to answer the same question."""
    if document.exponential:
        return False
    # Draft-07 (Validation 8.2) lets a validator assert the content keywords. We do, in embedded resources as well;
    # jsonschema-rs does so where the root is of that draft, jsonschema nowhere.
    parts = [part for _, part in subschemas(document.schema) if isinstance(part, dict)]
    has_content = any("contentEncoding" in part or "contentMediaType" in part for part in parts)
    if oracle == "jsonschema":
        return not has_content and not document.assert_formats  # it checks formats by other rules
    embedded = any(part.get("$schema") == grammar.DIALECTS["draft-07"] for part in parts[1:])
    return not (has_content and embedded and document.dialect != "draft-07")
