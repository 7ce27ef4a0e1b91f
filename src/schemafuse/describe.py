"""What a subschema asks for, in a few words of the schema's own terms.

Comes in: an admitted subschema. Goes out: a phrase such as `integer from 1 to 7` or `one of "C", "F"`, bounded whatever
the schema is. Follows a few references and no more; never lists a whole schema.
"""

from __future__ import annotations

from typing import Any

from .render import quote, quote_text
from .subschemas import Subschema

#: References followed from one subschema, branches and names shown.
_FOLLOWED, _BRANCHES, _NAMES = 6, 3, 4
#: Characters of one quoted value, and of a whole phrase.
_VALUE, _PHRASE = 40, 160

#: A value of each format, for a reader who has to send one.
EXAMPLES = {
    "date": "2026-11-30",
    "date-time": "2026-11-30T14:05:00Z",
    "time": "14:05:00Z",
    "duration": "P1DT2H",
    "email": "name@example.com",
    "idn-email": "name@example.com",
    "hostname": "www.example.com",
    "idn-hostname": "www.example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/path",
    "iri": "https://example.com/path",
    "uri-reference": "/path",
    "iri-reference": "/path",
    "uri-template": "/users/{id}",
    "uuid": "7b6e5a1e-3f0c-4d7e-9c1a-2b3c4d5e6f70",
    "json-pointer": "/items/0",
    "relative-json-pointer": "1/items",
    "regex": "^[a-z]+$",
}


#: The formats that have a name of their own.
FORMATS = {
    "date": "a date",
    "date-time": "a date and time",
    "time": "a time of day with an offset",
    "duration": "an ISO 8601 duration",
    "email": "an email address",
    "idn-email": "an email address",
    "hostname": "a host name",
    "ipv4": "an IPv4 address",
    "ipv6": "an IPv6 address",
    "uri": "an absolute URI",
    "uri-reference": "a URI or a relative reference",
    "uuid": "a UUID",
    "json-pointer": "a JSON Pointer",
    "regex": "a regular expression",
}
_KINDS = frozenset(("null", "boolean", "integer", "number", "string", "array", "object"))


def kind_names(kinds: Any) -> str:
    """The value of `type` in words; a dialect of somebody's own may let anything stand there."""
    names = [kinds] if isinstance(kinds, str) else kinds if isinstance(kinds, list) else []
    known = [name for name in names if isinstance(name, str) and name in _KINDS]
    return " or ".join(known) or "another type"


def describe(subschema: Subschema, depth: int = 0) -> str:
    """Say in a few words what the subschema asks for; "any value" where it asks for nothing that has a short name."""
    schema = subschema.value
    if type(schema) is dict and schema.get("type") in _PLAIN and "enum" not in schema and "const" not in schema:
        return str(schema["type"]) if "format" not in schema else _string(subschema, schema, schema["type"], depth)
    for _ in range(_FOLLOWED):
        schema = subschema.value
        if isinstance(schema, bool):
            return "any value" if schema else "nothing"
        target = subschema.targets.get("$ref")
        if not isinstance(target, Subschema) or "type" in schema:
            break
        subschema = target
    else:
        return "any value"
    phrase = _described(subschema, schema, depth)
    return phrase if len(phrase) <= _PHRASE else phrase[: _PHRASE - 1] + "…"


def _described(subschema: Subschema, schema: dict[str, Any], depth: int) -> str:
    if "const" in schema:
        return quote(schema["const"], _VALUE)
    values = schema.get("enum")
    if isinstance(values, list):
        return listed(values, "one of ") if len(values) > 1 else quote(values[0], _VALUE) if values else "nothing"
    for keyword in ("anyOf", "oneOf"):
        branches: Any = subschema.children.get(keyword)
        if branches and "type" not in schema:
            return alternatives(branches, depth)
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return kind_names(kinds)
    if isinstance(kinds, str) and kinds in _KINDS:
        return _DETAILS.get(kinds, _plain)(subschema, schema, kinds, depth)
    if "properties" in schema or "required" in schema:
        return _object(subschema, schema, "object", depth)
    parts: Any = subschema.children.get("allOf")
    if parts and depth < 2:
        phrases = [phrase for part in parts[:_BRANCHES] if (phrase := describe(part, depth + 1)) != "any value"]
        return phrases[0] if phrases else "any value"
    return "any value"


def alternatives(branches: list[Subschema], depth: int = 0) -> str:
    """Say what the branches of a union ask for: "integer or null"."""
    if depth >= 2:
        return f"one of {len(branches)} alternatives"
    phrases = list(dict.fromkeys([describe(branch, depth + 1) for branch in branches[: _BRANCHES + 1]]))
    if len(branches) > _BRANCHES:
        phrases = [*phrases[: _BRANCHES - 1], f"one of {len(branches) - _BRANCHES + 1} more alternatives"]
    return " or ".join(phrases)


def listed(values: list[Any], lead: str = "", most: int = _NAMES) -> str:
    """List values, and how many are left out."""
    shown = ", ".join([quote(value, _VALUE) for value in values[:most]])
    return f"{lead}{shown}" if len(values) <= most else f"{lead}{shown} and {len(values) - most} more"


def number_range(schema: dict[str, Any]) -> str:
    """The bounds of a number: "from 1 to 7", "of at least 0", "above 0 and below 1"; "" without bounds."""
    low, high = schema.get("minimum"), schema.get("maximum")
    over, under = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if over is True:  # draft-04: the plain keyword is the exclusive one
        low, over = None, low
    if under is True:
        high, under = None, high
    if isinstance(over, bool):
        over = None
    if isinstance(under, bool):
        under = None
    if low is not None and high is not None and over is None and under is None:
        return f"from {quote(low, _VALUE)} to {quote(high, _VALUE)}"
    said = [
        f"{word} {quote(bound, _VALUE)}"
        for word, bound in (("of at least", low), ("above", over), ("of at most", high), ("below", under))
        if bound is not None
    ]
    return " and ".join(said)


def format_example(name: object) -> str:
    """ " such as ..." for a format that has an example, else ""."""
    example = EXAMPLES.get(name) if isinstance(name, str) else None
    return f' such as "{example}"' if example else ""


def _plain(subschema: Subschema, schema: dict[str, Any], kind: str, depth: int) -> str:
    return kind


def _number(subschema: Subschema, schema: dict[str, Any], kind: str, depth: int) -> str:
    bounds = number_range(schema)
    return f"{kind} {bounds}" if bounds else kind


def _string(subschema: Subschema, schema: dict[str, Any], kind: str, depth: int) -> str:
    name = schema.get("format")
    if isinstance(name, str):
        return f"string in the format {quote_text(name, _VALUE)}{format_example(name)}"
    return kind


def _array(subschema: Subschema, schema: dict[str, Any], kind: str, depth: int) -> str:
    items = subschema.children.get("items")
    if isinstance(items, Subschema) and depth < 2:
        inner = describe(items, depth + 1)
        if inner not in ("any value", "nothing"):
            return f"array of {inner}"
    return kind


def _object(subschema: Subschema, schema: dict[str, Any], kind: str, depth: int) -> str:
    required = schema.get("required")
    if isinstance(required, list) and required and depth < 2:
        return f"{kind} with {listed(required)}"
    return kind


#: Types about which a description says nothing more, a string's format apart.
_PLAIN = ("string", "boolean", "null")
_DETAILS = {"integer": _number, "number": _number, "string": _string, "array": _array, "object": _object}
