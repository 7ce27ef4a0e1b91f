"""Known ways in which an oracle departs from the specification, each with a test of whether it is the cause.

Comes in: a document, an instance, our verdict, and the oracle that gave the other one. Goes out: the name of the
departure, or None. A departure is not believed because its keywords occur: the schema is written in another way that
means the same by the specification but does not meet the departure; only if the oracle then gives our verdict, and so
do we, the departure explains the disagreement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple
from urllib.parse import unquote

from . import grammar, oracles, properties, values
from .schemas import HOST, SCHEMA, SCHEMA_MAPS, SCHEMAS, Document, subschemas

#: From a schema and its dialect to another schema.
Rewrite = Callable[[Any, str], Any]


class Departure(NamedTuple):
    """One way in which an oracle departs from the specification."""

    name: str
    oracles: tuple[str, ...]
    clause: str
    rewrite: Rewrite
    rewrite_instance: Callable[[Any], Any] = lambda instance: instance


def everywhere(change: Callable[[dict[str, Any], str], dict[str, Any]]) -> Rewrite:
    """Make a rewrite out of a change to one subschema, which is told its dialect."""
    named = {uri: name for name, uri in grammar.DIALECTS.items()}

    def rewrite(schema: Any, dialect: str) -> Any:
        if not isinstance(schema, dict):
            return schema
        dialect = named.get(schema.get("$schema", ""), dialect)
        made = {}
        for keyword, item in schema.items():
            if keyword in SCHEMA_MAPS and isinstance(item, dict):
                item = {name: rewrite(part, dialect) for name, part in item.items()}
            elif keyword in SCHEMAS and isinstance(item, list):
                item = [rewrite(part, dialect) for part in item]
            elif keyword in SCHEMA:
                item = rewrite(item, dialect)
            made[keyword] = item
        return change(made, dialect)

    return rewrite


def canonical_references(schema: Any, dialect: str) -> Any:
    """Write references into embedded resources with the resource's own identifier instead of a pointer through it."""

    def visit(item: Any, root: Any) -> Any:
        if isinstance(item, list):
            return [visit(part, root) for part in item]
        if not isinstance(item, dict):
            return item
        root = item if identifier(item) else root
        made = {name: visit(part, root) for name, part in item.items()}
        if isinstance(item.get("$ref"), str):
            made["$ref"] = canonical(item["$ref"], root)
        return made

    return visit(schema, schema)


def canonical(reference: str, root: Any) -> str:
    if not reference.startswith("#/"):
        return reference
    place, base, rest = root, "", []
    for token in reference.split("/")[1:]:
        name = unquote(token).replace("~1", "/").replace("~0", "~")
        try:
            place = place[int(name)] if isinstance(place, list) else place[name]
        except (LookupError, TypeError, ValueError):
            return reference
        rest.append(token)
        if isinstance(place, dict) and identifier(place):
            base, rest = identifier(place), []
    return "/".join([f"{base}#", *rest]) if base else reference


def identifier(schema: dict[str, Any]) -> str:
    """Return the absolute identifier of an embedded resource, or ""."""
    found = schema.get("$id", schema.get("id"))
    if not isinstance(found, str) or found.startswith("#"):
        return ""
    return found if ":" in found else HOST + found


def hide_contains(schema: dict[str, Any], dialect: str) -> dict[str, Any]:
    """Behind two negations `contains` still asserts, and has no annotation that anything could see."""
    kept = {keyword: item for keyword, item in schema.items() if keyword not in ("minContains", "maxContains")}
    if dialect != "2019-09" or "contains" not in schema:
        return schema
    moved = {keyword: schema[keyword] for keyword in ("contains", "minContains", "maxContains") if keyword in schema}
    del kept["contains"]
    return {**kept, "allOf": [*kept.get("allOf", []), {"not": {"not": moved}}]}


def through_hidden_contains(schema: Any, dialect: str) -> Any:
    """Hide `contains`, and have references that lead into it lead to where it stands then."""
    hidden = everywhere(hide_contains)(schema, dialect)

    def visit(item: Any) -> Any:
        if isinstance(item, list):
            return [visit(part) for part in item]
        if not isinstance(item, dict):
            return item
        made = {name: visit(part) for name, part in item.items()}
        if isinstance(item.get("$ref"), str) and item["$ref"].startswith("#/"):
            made["$ref"] = "/".join(["#", *hidden_tokens(item["$ref"].split("/")[1:], schema)])
        return made

    return visit(hidden)


def hidden_tokens(tokens: list[str], place: Any) -> Iterator[str]:
    for token in tokens:
        if token == "contains" and isinstance(place, dict):
            yield from ("allOf", str(len(place.get("allOf", []))), "not", "not")
        yield token
        name = unquote(token).replace("~1", "/").replace("~0", "~")
        try:
            place = place[int(name)] if isinstance(place, list) else place[name]
        except (LookupError, TypeError, ValueError):
            place = None


def drop_siblings(schema: dict[str, Any], dialect: str) -> dict[str, Any]:
    """Up to draft-07 whatever stands beside `$ref` is ignored, except that references may lead into it."""
    if dialect in ("2019-09", "2020-12") or "$ref" not in schema:
        return schema
    kept = ("$ref", "$schema", "definitions")
    return {keyword: item for keyword, item in schema.items() if keyword in kept}


def split_dependencies(schema: dict[str, Any], dialect: str) -> dict[str, Any]:
    """Write `dependencies` with the two keywords that have taken its place."""
    if dialect not in ("2019-09", "2020-12") or "dependencies" not in schema:
        return schema
    made = {keyword: item for keyword, item in schema.items() if keyword != "dependencies"}
    applied = [{"dependentSchemas": {}, "dependentRequired": {}}]
    for name, item in schema["dependencies"].items():
        applied[0]["dependentRequired" if isinstance(item, list) else "dependentSchemas"][name] = item
    return {**made, "allOf": [*made.get("allOf", []), *applied]}


def as_pattern(schema: dict[str, Any], dialect: str) -> dict[str, Any]:
    """Write `additionalProperties` as a pattern that every name but those of `properties` matches."""
    if "additionalProperties" not in schema or "patternProperties" in schema:
        return schema
    kept = {keyword: item for keyword, item in schema.items() if keyword != "additionalProperties"}
    names = "|".join(map(re.escape, schema.get("properties", {})))
    pattern = f"^(?!(?:{names})$)" if "properties" in schema else ""
    return {**kept, "patternProperties": {pattern: schema["additionalProperties"]}}


def whole_divisors(schema: dict[str, Any], dialect: str) -> dict[str, Any]:
    """Write 1e308 as the integer that it is."""
    return {**schema, "multipleOf": whole(schema["multipleOf"])} if "multipleOf" in schema else schema


def whole(item: Any) -> Any:
    """Write large floats as the integers that their decimal notation means, in a value of any depth."""
    if isinstance(item, dict):
        return {name: whole(member) for name, member in item.items()}
    if isinstance(item, list):
        return [whole(part) for part in item]
    if isinstance(item, float) and abs(item) >= 2**53:
        return int(Fraction(repr(item)))
    return item


LARGE_NUMBERS = "multipleOf takes a large float for its binary value, or a large integer for the double nearest to it"
DEPARTURES = (
    Departure(
        LARGE_NUMBERS,
        ("jsonschema-rs",),
        "Validation 6.2.1: division must give an integer, and 1e30 in a document is 10**30; Core 6.3 leaves the "
        "precision of numbers to implementations",
        everywhere(whole_divisors),
        whole,
    ),
    Departure(
        "contains counts as evaluated in 2019-09",
        ("jsonschema-rs", "jsonschema"),
        "2019-09 Core 9.3.1.4 gives `contains` no annotation, and 9.3.1.3 names what `unevaluatedItems` looks at: "
        "`items`, `additionalItems` and itself; `contains` joined them in 2020-12",
        through_hidden_contains,
    ),
    Departure(
        "siblings of $ref are read in an embedded resource of draft-07 or earlier",
        ("jsonschema-rs",),
        "draft-07 Core 8.3: all other properties in a $ref object MUST be ignored",
        everywhere(drop_siblings),
    ),
    Departure(
        "what a pointer reaches inside an embedded resource is read in the dialect of the reference",
        ("jsonschema-rs",),
        "Core 9.3.1 (2019-09: 8.2.4.1): a resource is of the dialect that its own `$schema` says; 9.2.1 advises "
        "against such pointers",
        canonical_references,
    ),
    Departure(
        "what `dependencies` evaluates is not collected from 2019-09 on",
        ("jsonschema-rs", "jsonschema"),
        "2019-09 Core 9.2.2.4 and Validation 6.5.4 split it into dependentSchemas and dependentRequired, which mean "
        "the same and do collect; the metaschemas keep the old name for compatibility only",
        everywhere(split_dependencies),
    ),
    Departure(
        "what additionalProperties has accepted is not evaluated",
        ("jsonschema",),
        "2019-09 Core 9.3.2.4: unevaluatedProperties leaves out what additionalProperties has collected",
        everywhere(as_pattern),
    ),
)


def explained(
    oracle: oracles.Oracle, document: Document, instance: Any, ours: bool, referee: oracles.Oracle | None = None
) -> str | None:
    """Return the name of the departure that makes the oracle disagree with us, or None.

    The referee is another oracle, which decides where large floats make rewriting change the verdict.
    """
    for departure in DEPARTURES:
        if oracle.name not in departure.oracles:
            continue
        other = document._replace(schema=departure.rewrite(document.schema, document.dialect))
        same = departure.rewrite_instance(instance)
        if repr((other.schema, same)) == repr((document.schema, instance)):
            continue
        validator = properties.compiled(other)
        if isinstance(validator, Exception) or validator.is_valid(same) is not ours:
            continue
        if oracle.ask(other, [same]).verdicts == [ours]:
            return departure.name
    is_large = repr(whole(instance)) != repr(instance)
    has_divisor = any(isinstance(part, dict) and "multipleOf" in part for part in values.walk(document.schema))
    plain = document._replace(assert_formats=False)
    if referee is None or not (is_large and has_divisor) or not is_comparable(referee.name, plain):
        return None
    validator = properties.compiled(plain)
    if isinstance(validator, Exception) or validator.is_valid(instance) is not ours:
        return None
    return LARGE_NUMBERS if referee.ask(plain, [instance]).verdicts == [ours] else None


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
