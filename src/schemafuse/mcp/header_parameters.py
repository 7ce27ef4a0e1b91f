"""Which parameters a tool mirrors in HTTP headers: `x-mcp-header` (MCP 2026-07-28 streamable-http § Custom Headers).

Comes in: the private copy of an admitted input schema. Goes out: the parameters declared, and a finding for every
declaration that is not allowed. None of these faults is ever tolerated: an HTTP client MUST exclude the tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..dialects import find_dialect
from ..render import json_pointer, place, quote, quote_text
from ..secret_names import is_secret_name
from .problems import Findings

if TYPE_CHECKING:
    from ..validator import Validator

ANNOTATION = "x-mcp-header"
PREFIX = "Mcp-Param-"

#: Integers that every implementation reads alike (RFC 8259 section 6, I-JSON).
MAX_INTEGER = 2**53 - 1

_TYPES = ("string", "integer", "boolean")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110 5.6.2
#: Not a rule of MCP: servers and proxies refuse requests with headers of some kilobytes.
_MAX_TOKEN_CHARS = 256

#: Keywords that hold subschemas in any draft, by the shape in which they hold them: a client that looks for the
#: annotation need not heed the dialect, so one at any of these places counts.
_ONE = frozenset(
    (
        *("additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"),
        *("if", "then", "else", "not", "items", "contains", "propertyNames", "contentSchema"),
    )
)
_MANY = frozenset(("allOf", "anyOf", "items", "oneOf", "prefixItems"))
_NAMED = frozenset(("$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties"))

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class HeaderParameter:
    """A parameter that is mirrored in a header."""

    header: str
    """The name of the header, "Mcp-Param-Region"."""
    path: tuple[str, ...]
    """Names of properties from the root of the arguments."""
    type: str
    """"string", "integer" or "boolean"."""


def find_header_parameters(
    schema: dict[str, Any], validator: Validator, findings: Findings
) -> tuple[HeaderParameter, ...]:
    """Return the parameters that an input schema mirrors in headers; note every declaration that is not allowed."""
    parameters: dict[str, HeaderParameter] = {}
    seen: set[int] = set()
    for path, names, subschema, replaced in _subschemas(schema, validator.dialect):
        if ANNOTATION not in subschema:
            continue
        seen.add(id(subschema))
        if findings.enough(tolerated=False):
            break
        parameter = _declared(path, names, subschema, replaced, findings)
        if parameter is None:
            continue
        earlier = parameters.setdefault(parameter.header.lower(), parameter)
        if earlier is not parameter:
            text = (
                f"{quote_text(subschema[ANNOTATION])} is the header of {place(earlier.path)} already (header names are"
            )
            _refuse(findings, "header_duplicate", path, f"{text} case-insensitive): choose another name")
    # A reference can make a schema of what is data to everyone else (Core 9.4.2).
    for promoted in validator._document.subschemas:
        value = promoted.value
        if type(value) is dict and ANNOTATION in value and id(value) not in seen and not promoted.document:
            _refuse(findings, "header_unreachable", tuple(promoted.path), _UNREACHABLE)
    return tuple(parameters.values())


_UNREACHABLE = (
    "it is not reachable from the root through `properties` alone, so a client cannot tell whether it applies: "
    "move the annotation to a property, or remove it"
)


def _declared(
    path: Path, names: tuple[str, ...] | None, subschema: dict[str, Any], replaced: bool, findings: Findings
) -> HeaderParameter | None:
    """Return the parameter that one annotation declares, or note why it declares none."""
    name, kind = subschema[ANNOTATION], subschema.get("type")
    if not names:
        where = "the root is no parameter: move the annotation to a property" if names == () else _UNREACHABLE
        _refuse(findings, "header_unreachable", path, where)
    elif replaced:
        text = "it stands beside or below a schema with $ref, which up to draft-07 replaces everything beside it: "
        _refuse(findings, "header_unreachable", path, f"{text}write the property out")
    elif type(name) is not str:
        _refuse(findings, "header_name", path, f"it must be a string, not {quote(name, 40)}")
    elif not name:
        _refuse(findings, "header_name", path, "it must not be empty: give the header a name, or remove the annotation")
    elif not _TOKEN.fullmatch(name):
        text = f"{quote_text(name)} is no RFC 9110 token: use only letters, digits and any of !#$%&'*+-.^_`|~"
        _refuse(findings, "header_name", path, text)
    elif len(name) > _MAX_TOKEN_CHARS:
        text = (
            f"the name has {len(name)} characters, more than the {_MAX_TOKEN_CHARS} that are sure to pass: shorten it"
        )
        _refuse(findings, "header_name", path, text)
    elif type(kind) is not str or kind not in _TYPES:
        found = "the property has no type" if kind is None else f"the type of the property is {quote(kind, 60)}"
        text = f'{found}: only "string", "integer" or "boolean" can be mirrored'
        _refuse(findings, "header_type", path, text)
    else:
        if is_secret_name(names[-1]):
            text = f"{ANNOTATION}: the parameter at {place(names)} looks like a secret, and proxies log headers: "
            findings.warning("header_sensitive", _pointer(path), text + "do not mirror it")
        if kind == "integer" and not _has_safe_integer(subschema):
            text = f"{ANNOTATION}: no integer that the parameter at {place(names)} allows is within ±(2^53-1), "
            findings.warning("header_range", _pointer(path), text + "beyond which none may be sent: do not mirror it")
        return HeaderParameter(PREFIX + name, names, kind)
    return None


def _has_safe_integer(subschema: dict[str, Any]) -> bool:
    """Whether `const`, `enum` and the bounds, each by itself, leave an integer that may be sent in a header."""
    values = [subschema["const"]] if "const" in subschema else subschema.get("enum", [0])
    least = max([-MAX_INTEGER, *_numbers(subschema, ("minimum", "exclusiveMinimum"))])
    most = min([MAX_INTEGER, *_numbers(subschema, ("maximum", "exclusiveMaximum"))])
    return least <= most and any([abs(value) <= MAX_INTEGER for value in values if type(value) in (int, float)])


def _numbers(subschema: dict[str, Any], keywords: tuple[str, ...]) -> list[float]:
    return [subschema[keyword] for keyword in keywords if type(subschema.get(keyword)) in (int, float)]


def _refuse(findings: Findings, code: str, path: Path, text: str) -> None:
    where = place(("inputSchema", *path))
    findings.error(code, _pointer(path), f"{ANNOTATION} at {where}: {text}")


def _pointer(path: Path) -> str:
    return json_pointer(("inputSchema", *path, ANNOTATION))


def _subschemas(schema: Any, dialect: str) -> Iterator[tuple[Path, tuple[str, ...] | None, dict[str, Any], bool]]:
    """Yield every subschema: its path, the chain of property names to it or None, and whether it is replaced.

    Replaced: at or below an object with `$ref` in a dialect where that replaces its siblings (draft-07 Core 8.3).
    """
    found = find_dialect(dialect)
    overrides = found is not None and found.ref_overrides
    stack: list[tuple[Path, tuple[str, ...] | None, Any, bool]] = [((), (), schema, False)]
    while stack:
        path, names, subschema, replaced = stack.pop()
        if type(subschema) is not dict:
            continue
        replaced = replaced or (overrides and "$ref" in subschema)
        yield path, names, subschema, replaced
        below: list[tuple[Path, tuple[str, ...] | None, Any, bool]] = []
        properties = subschema.get("properties")
        for name, item in properties.items() if type(properties) is dict else ():
            below.append(((*path, "properties", name), None if names is None else (*names, name), item, replaced))
        for keyword in subschema:
            value = subschema[keyword]
            if keyword in _NAMED and type(value) is dict:
                below.extend(((*path, keyword, name), None, item, replaced) for name, item in value.items())
            elif keyword in _MANY and type(value) is list:
                below.extend(((*path, keyword, index), None, item, replaced) for index, item in enumerate(value))
            elif keyword in _ONE:
                below.append(((*path, keyword), None, value, replaced))
        stack.extend(reversed(below))
