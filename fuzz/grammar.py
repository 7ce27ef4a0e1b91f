"""The keywords of five dialects, each with a way to make a value for it.

Comes in: a `Maker`, which knows the dialect and how to make a subschema or a reference, and the schema that is being
made. Goes out: that schema with one more keyword, and now and then the siblings without which it would mean little.
What is made passes the dialect's metaschema; see malformed.py for what does not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, Protocol

from . import values

DIALECTS = {
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft-07": "http://json-schema.org/draft-07/schema#",
    "draft-06": "http://json-schema.org/draft-06/schema#",
    "draft-04": "http://json-schema.org/draft-04/schema#",
}
_AGES = {name: age for age, name in enumerate(reversed(DIALECTS))}
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
#: Patterns on which ECMA-262, Rust and Python agree for the texts of values.py. patterns.py has the others.
PATTERNS = (
    "^a",
    "b$",
    "^a+$",
    "[0-9]",
    "a|b",
    "^(a|b)*$",
    "x",
    ".",
    "^.$",
    "^[a-z]{2,3}$",
    "é",
    "^$",
    "^a.*b$",
    "(a)(b)?",
    "^(?!a)",
)
NAME_PATTERNS = ("^a", "b", ".", "^[0-9]$", "a$", "^$", "^(a|x)", "^(?=a)")
FORMATS = ("date", "time", "date-time", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "uuid", "duration")
FORMATS += ("json-pointer", "relative-json-pointer", "unknown")
_BOUNDS = (0, 1, 2, 3, 0.5, 2.5, -1, 1e20, 2**53, 2**63, 10**30, 0.1)
_DIVISORS = (1, 2, 3, 0.5, 0.1, 1.5, 0.01, 2.0, 1e-7, 10**20, 1e308, 5e-324)


class Maker(Protocol):
    """What the makers of keywords need to know and to call; schemas.py has it."""

    random: Random
    dialect: str

    def subschema(self) -> Any: ...

    def reference(self, schema: dict[str, Any]) -> None: ...


KeywordMaker = Callable[[Maker, dict[str, Any]], None]
#: Keyword -> first dialect, last dialect, how it is made. A keyword that occurs twice in a line is made twice as often.
_KEYWORDS: list[tuple[str, int, int, KeywordMaker]] = []


def makes(keywords: str, since: str = "draft-04", until: str = "2020-12") -> Callable[[KeywordMaker], KeywordMaker]:
    def register(maker: KeywordMaker) -> KeywordMaker:
        _KEYWORDS.extend((keyword, _AGES[since], _AGES[until], maker) for keyword in keywords.split())
        return maker

    return register


def simple(keywords: str, make: Callable[[Maker], Any], since: str = "draft-04", until: str = "2020-12") -> None:
    """Register keywords whose value depends on nothing else in the schema."""
    for keyword in keywords.split():

        def add(maker: Maker, schema: dict[str, Any], keyword: str = keyword) -> None:
            schema[keyword] = make(maker)

        makes(keyword, since, until)(add)


@cache
def makers_of(dialect: str) -> list[KeywordMaker]:
    age = _AGES[dialect]
    return [maker for _, since, until, maker in _KEYWORDS if since <= age <= until]


def keywords_of(dialect: str) -> list[str]:
    age = _AGES[dialect]
    return sorted({keyword for keyword, since, until, _ in _KEYWORDS if since <= age <= until})


def _schemas(maker: Maker) -> list[Any]:
    return [maker.subschema() for _ in range(maker.random.choice((1, 2, 2, 3)))]


def _schema_map(maker: Maker, names: tuple[str, ...] = values.NAMES) -> dict[str, Any]:
    return {maker.random.choice(names): maker.subschema() for _ in range(maker.random.choice((1, 1, 2, 3)))}


def _names(maker: Maker, least: int) -> list[str]:
    return maker.random.sample(values.NAMES, maker.random.choice((least, 1, 1, 2, 3)))


def _small(maker: Maker) -> int | float:
    number = maker.random.choice((0, 1, 1, 2, 2, 3, 7))
    # Every draft but 04 has 2.0 for an integer (draft-06 4.3 and later).
    return float(number) if maker.dialect != "draft-04" and maker.random.random() < 0.05 else number


@makes("type type type")
def _type(maker: Maker, schema: dict[str, Any]) -> None:
    random = maker.random
    schema["type"] = random.choice(TYPES) if random.random() < 0.6 else random.sample(TYPES, random.randrange(1, 4))


@makes("enum")
def _enum(maker: Maker, schema: dict[str, Any]) -> None:
    random = maker.random
    schema["enum"] = values.distinct([values.value(random, 1) for _ in range(random.choice((1, 2, 3, 3, 10)))])


@makes("minimum maximum exclusiveMinimum exclusiveMaximum", until="draft-04")
def _bound_04(maker: Maker, schema: dict[str, Any]) -> None:
    side = maker.random.choice(("Minimum", "Maximum"))
    schema[side.lower()] = maker.random.choice(_BOUNDS)
    if maker.random.random() < 0.5:
        schema[f"exclusive{side}"] = maker.random.random() < 0.7


@makes("contains contains", since="draft-06")
def _contains(maker: Maker, schema: dict[str, Any]) -> None:
    schema["contains"] = maker.subschema()
    if maker.dialect in ("2019-09", "2020-12"):
        for keyword in ("minContains", "maxContains"):
            if maker.random.random() < 0.35:
                schema[keyword] = _small(maker)


@makes("items items")
def _items(maker: Maker, schema: dict[str, Any]) -> None:
    if maker.dialect == "2020-12" or maker.random.random() < 0.5:
        schema["items"] = maker.subschema()
    else:
        schema["items"] = _schemas(maker)
        if maker.random.random() < 0.6:
            schema["additionalItems"] = maker.subschema()


@makes("additionalProperties")
def _additional(maker: Maker, schema: dict[str, Any]) -> None:
    schema["additionalProperties"] = False if maker.random.random() < 0.5 else maker.subschema()


@makes("unevaluatedProperties unevaluatedItems", since="2019-09")
def _unevaluated(maker: Maker, schema: dict[str, Any]) -> None:
    keyword = maker.random.choice(("unevaluatedProperties", "unevaluatedItems"))
    schema[keyword] = False if maker.random.random() < 0.5 else maker.subschema()


@makes("dependencies")
def _dependencies(maker: Maker, schema: dict[str, Any]) -> None:
    least = 1 if maker.dialect == "draft-04" else 0
    names = maker.random.sample(values.NAMES, maker.random.choice((1, 1, 2)))
    schema["dependencies"] = {
        name: maker.subschema() if maker.random.random() < 0.5 else _names(maker, least) for name in names
    }


@makes("dependentRequired", since="2019-09")
def _dependent_required(maker: Maker, schema: dict[str, Any]) -> None:
    schema["dependentRequired"] = {maker.random.choice(values.NAMES): _names(maker, 0)}


@makes("if if", since="draft-07")
def _if(maker: Maker, schema: dict[str, Any]) -> None:
    for keyword, chance in (("if", 0.95), ("then", 0.7), ("else", 0.7)):
        if maker.random.random() < chance:
            schema[keyword] = maker.subschema()


@makes("oneOf anyOf")
def _tagged(maker: Maker, schema: dict[str, Any]) -> None:
    """Branches that a tag tells apart: their dispatch is code of its own."""
    random = maker.random
    constant = "const" if maker.dialect != "draft-04" else "enum"
    branches = []
    for tag in random.sample(("a", "b", 1, 1.5, None, True), random.randrange(2, 5)):
        branch = {"properties": {"a": {constant: tag if constant == "const" else [tag]}, "b": maker.subschema()}}
        if random.random() < 0.8:
            branch["required"] = ["a"]
        branches.append(branch)
    schema[random.choice(("anyOf", "oneOf"))] = branches


@makes("$ref $ref $ref")
def _reference(maker: Maker, schema: dict[str, Any]) -> None:
    maker.reference(schema)


simple("const", lambda maker: values.value(maker.random, 1), since="draft-06")
simple(
    "minimum maximum exclusiveMinimum exclusiveMaximum", lambda maker: maker.random.choice(_BOUNDS), since="draft-06"
)
simple("multipleOf", lambda maker: maker.random.choice(_DIVISORS))
simple("minLength maxLength minItems maxItems minProperties maxProperties", _small)
simple("pattern", lambda maker: maker.random.choice(PATTERNS))
simple("format", lambda maker: maker.random.choice(FORMATS))
simple("uniqueItems", lambda maker: maker.random.random() < 0.9)
simple("required", lambda maker: _names(maker, 1))
simple("prefixItems prefixItems", _schemas, since="2020-12")
simple("properties properties properties", _schema_map)
simple("patternProperties", lambda maker: _schema_map(maker, NAME_PATTERNS))
simple("propertyNames", lambda maker: maker.subschema(), since="draft-06")
simple("dependentSchemas", _schema_map, since="2019-09")
simple("allOf anyOf oneOf", _schemas)
simple("not", lambda maker: maker.subschema())
simple("contentMediaType", lambda _: "application/json", since="draft-07")
simple("contentEncoding", lambda _: "base64", since="draft-07")
simple("default", lambda maker: values.value(maker.random, 2))
simple("title description", lambda maker: maker.random.choice(values.TEXTS))
simple("x-unknown", lambda maker: {"$ref": "#/nowhere", "type": "nonsense", "y": maker.subschema()})
