"""Whether an error that was reported is one: its keyword alone, evaluated at its place, must refuse its value.

Comes in: the schema, its validator and an error of its report. Goes out: what does not hold, or "". The keyword is put
beside the schema's own definitions, in the resource where it stands, so that references lead where they led; beside it
are only the siblings that it reads. Two cases are judged otherwise. Errors of `unevaluatedItems` and
`unevaluatedProperties` depend on all siblings, so the whole subschema is evaluated. Where `$dynamicRef` or
`$recursiveRef` occur, what a keyword means depends on the way to it, so those schemas' errors are only located.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import schemafuse

from . import values
from .grammar import DIALECTS
from .schemas import Document, container_of, token

#: Keyword -> the siblings without which it has another meaning.
_READS = {
    "additionalProperties": ("properties", "patternProperties"),
    "additionalItems": ("items",),
    "items": ("prefixItems",),
    "contains": ("minContains", "maxContains"),
    "minContains": ("contains",),
    "maxContains": ("contains",),
    "minimum": ("exclusiveMinimum",),
    "maximum": ("exclusiveMaximum",),
    "exclusiveMinimum": ("minimum",),
    "exclusiveMaximum": ("maximum",),
    "contentMediaType": ("contentEncoding",),
    "contentEncoding": ("contentMediaType",),
}
_IDENTIFIERS = ("$id", "id", "$anchor", "$dynamicAnchor")
_DYNAMIC = ("$dynamicRef", "$recursiveRef")
_PROBE = "fuzz-probe"
_URI = "urn:fuzz:document"


def fault(document: Document, validator: schemafuse.Validator, instance: Any, error: schemafuse.ValidationError) -> str:
    """Return what is wrong with a reported error, the errors in its context included, or ""."""
    for inner in error.context:
        complaint = fault(document, validator, instance, inner)
        if complaint:
            return complaint
    if error.keyword is None and "JSON" in error.message:
        return "" if error.schema_location == "#" else "an error that no schema made has a schema location"
    names = "propertyNames" in error.evaluation_path
    if not names and not _is_at(instance, error):
        return f"{error.json_path} does not lead to the error's instance"
    uri, _, fragment = error.schema_location.partition("#")
    evaluation = _evaluation_fault(validator, error)
    if evaluation or uri:  # a keyword of a metaschema is located and no more
        return evaluation
    tokens = [unquote(part).replace("~1", "/").replace("~0", "~") for part in fragment.split("/")[1:]]
    return _evaluated(document, validator, error, tokens)


def _is_at(instance: Any, error: schemafuse.ValidationError) -> bool:
    place = instance
    for part in error.instance_path:
        try:
            place = place[part]
        except (LookupError, TypeError):
            return False
    return place is error.instance or (place == error.instance and type(place) is type(error.instance))


def _evaluation_fault(validator: schemafuse.Validator, error: schemafuse.ValidationError) -> str:
    """Walk the evaluation path over the admitted document and compare where it ends with the schema location."""
    tokens = [part.replace("~1", "/").replace("~0", "~") for part in error.evaluation_path.split("/")[1:]]
    place: Any = validator._document.root
    steps = iter(tokens if error.keyword is None else tokens[:-1])
    for keyword in steps:
        if keyword in place.targets:
            place = place.targets[keyword]
            if hasattr(place, "initial"):
                return ""  # where a dynamic reference leads depends on the way
            continue
        held = place.children.get(keyword)
        if isinstance(held, list):
            held = held[int(next(steps))]
        elif isinstance(held, dict):
            held = held.get(next(steps))
        if held is None:
            return f"the evaluation path {error.evaluation_path} leads nowhere at {keyword}"
        place = held
    end = f"{place.document}#{place.pointer}" + ("" if error.keyword is None else f"/{error.keyword}")
    if unquote(error.schema_location) != end:
        return f"the evaluation path leads to {end}, the schema location is {error.schema_location}"
    return ""


def _evaluated(
    document: Document, validator: schemafuse.Validator, error: schemafuse.ValidationError, tokens: list[str]
) -> str:
    way = tokens if error.keyword is None else tokens[:-1]
    subschema, root_tokens, dialect = _find(document, way)
    if error.keyword is None:
        return "" if subschema is False else f"there is no false schema at {error.schema_location}"
    if not isinstance(subschema, dict) or error.keyword not in subschema:
        return f"there is no {error.keyword} at {error.schema_location}"
    if values.identity(error.keyword_value) != values.identity(subschema[error.keyword]):
        return f"the keyword value is not the one at {error.schema_location}"
    probe = dict(subschema)
    if not error.keyword.startswith("unevaluated"):
        kept = (error.keyword, *_READS.get(error.keyword, ()))
        probe = {keyword: item for keyword, item in subschema.items() if keyword in kept}
    parts = [part for part in values.walk(probe) if isinstance(part, dict)]
    if any(keyword in part for part in parts for keyword in _IDENTIFIERS):
        return ""  # a second thing by the same name would be refused
    if any(keyword in part for part in values.walk(document.schema) if isinstance(part, dict) for keyword in _DYNAMIC):
        return ""
    probing = _probing(document, root_tokens, dialect, probe, validator)
    try:
        accepted = probing.is_valid(error.instance)
    except schemafuse.BudgetExceeded:
        return ""
    return f"{error.keyword} alone accepts what it is said to refuse, at {error.schema_location}" if accepted else ""


def _find(document: Document, way: list[str]) -> tuple[Any, list[str], str]:
    """Return what stands at a pointer, the way to the root of its resource, and that resource's dialect."""
    place, root, dialect = document.schema, [], document.dialect
    by_uri = {uri: name for name, uri in DIALECTS.items()}
    for position, name in enumerate(way):
        place = place[int(name)] if isinstance(place, list) else place[name]
        identifier = place.get("$id", place.get("id")) if isinstance(place, dict) else None
        if isinstance(identifier, str) and not identifier.startswith("#"):
            root, dialect = way[: position + 1], by_uri.get(place.get("$schema"), dialect)
    return place, root, dialect


def _probing(
    document: Document, root: list[str], dialect: str, probe: dict[str, Any], validator: schemafuse.Validator
) -> schemafuse.Validator:
    """Compile the probe, in place beside the definitions of its resource."""
    container = container_of(dialect)
    whole = _with(document.schema, [*root, container, _PROBE], probe)
    uri = str(whole.get("$id", whole.get("id", _URI))).rstrip("#") or _URI
    pointer = "".join(f"/{token(name)}" for name in (*root, container, _PROBE))
    return schemafuse.compile(
        {"$schema": DIALECTS[document.dialect], "$ref": f"{uri}#{pointer}"},
        resources={uri: whole},
        assert_formats=document.assert_formats,
        limits=validator.limits.replace(max_compile_ms=10_000),
    )


def _with(place: Any, way: list[str], added: Any) -> Any:
    """Copy the containers on a way, and put something at its end."""
    if not way:
        return added
    if isinstance(place, list):
        position = int(way[0])
        return [*place[:position], _with(place[position], way[1:], added), *place[position + 1 :]]
    return {**place, way[0]: _with(place.get(way[0], {}), way[1:], added)}
