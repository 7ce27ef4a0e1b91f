"""Families of schemas and instances that make other validators take exponential time.

Each family is a function from a depth to a schema, and the instances with their verdicts as a function of the depth.
The verdicts follow from how the family is built; tests compare them with a second validator where the depth is small
enough for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

Schema = Any
Verdict = Callable[[int], bool]


class Family(NamedTuple):
    """`schema(n)` with its instances at depth n and whether they are valid."""

    name: str
    schema: Callable[[int], Schema]
    instances: tuple[tuple[str, Callable[[int], Any], Verdict], ...]


def always(depth: int) -> bool:
    return True


def never(depth: int) -> bool:
    return False


def nest(depth: int, wrap: Callable[[Any], Any], leaf: Any) -> Any:
    for _ in range(depth):
        leaf = wrap(leaf)
    return leaf


def doubling(make: Callable[[Schema], Schema], leaf: Schema, **root: Any) -> Callable[[int], Schema]:
    """Return a schema with $defs a0 … an, in which a(i) is made of references to a(i - 1)."""

    def schema(depth: int) -> Schema:
        definitions = {"a0": leaf}
        for level in range(1, depth + 1):
            definitions[f"a{level}"] = make({"$ref": f"#/$defs/a{level - 1}"})
        return {**root, "allOf": [{"$ref": f"#/$defs/a{depth}"}], "$defs": definitions}

    return schema


def constant(schema: Schema) -> Callable[[int], Schema]:
    return lambda depth: schema


def value(instance: Any) -> Callable[[int], Any]:
    return lambda depth: instance


def arrays(leaf: Any) -> Callable[[int], Any]:
    return lambda depth: nest(depth, lambda inner: [inner], leaf)


def objects(leaf: Any) -> Callable[[int], Any]:
    return lambda depth: nest(depth, lambda inner: {"c": inner}, leaf)


def shared(leaf: Any) -> Callable[[int], Any]:
    """A list that holds one list twice, and so on down: `depth` lists that stand for 2 ** depth leaves."""
    return lambda depth: nest(depth, lambda inner: [inner, inner], [leaf])


def twins(left: Any, right: Any) -> Callable[[int], Any]:
    """Two values built apart, each of shared lists."""
    return lambda depth: [shared(left)(depth), shared(right)(depth)]


INTEGER = {"type": "integer"}
SELF = {"$ref": "#"}
NUMBERS = (("valid", value(1), always), ("invalid", value("x"), never))
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
TREE_BRANCHES = [
    INTEGER,
    {"type": "array", "items": {"$ref": "#"}},
    {"type": "array", "items": {"$ref": "#"}, "maxItems": 3},
]
LOOK_TWICE = {"k": 1, "l": 1}


def closed(make: Callable[[Schema], Schema], keyword: str) -> Callable[[Schema], Schema]:
    return lambda ref: {**make(ref), keyword: False}


def both(ref: Schema) -> Schema:
    return {"allOf": [ref, ref]}


def either(ref: Schema) -> Schema:
    return {"anyOf": [ref, {"title": "t", "anyOf": [ref]}]}


def dynamic(keyword: str, reference: str) -> list[Schema]:
    return [{"properties": {"c": {keyword: reference}}}, {"title": "t", "properties": {"c": {keyword: reference}}}]


CLOSED_OBJECTS = (("valid", value({"a": 1}), always), ("invalid", value({"a": 1, "b": 2}), never))
CLOSED_ARRAYS = (("valid", value([1]), always), ("invalid", value([1, 2]), never))
OBJECTS = (("valid", objects(1), always), ("invalid", objects("x"), never))
ARRAYS = (("valid", arrays(1), always), ("invalid", arrays("x"), never))
PLAIN_OBJECTS = (("valid", objects({}), always), ("invalid", objects({"d": 1}), never))

FAMILIES = (
    Family("allOf", doubling(both, INTEGER), NUMBERS),
    Family("allOf-unlike-branches", doubling(lambda r: {"allOf": [r, {"title": "t", "allOf": [r]}]}, INTEGER), NUMBERS),
    Family("anyOf", doubling(lambda r: {"anyOf": [r, r]}, INTEGER), NUMBERS),
    Family("anyOf-unlike-branches", doubling(either, INTEGER), NUMBERS),
    Family(
        "oneOf-of-a-schema-and-its-negation",
        doubling(lambda r: {"oneOf": [r, {"not": r}]}, INTEGER),
        (("integer", value(1), always), ("string", value("x"), always)),
    ),
    Family("oneOf-never-both", doubling(lambda r: {"oneOf": [r, {"allOf": [r, False]}]}, INTEGER), NUMBERS),
    Family("if-then-else", doubling(lambda r: {"if": r, "then": r, "else": r}, INTEGER), NUMBERS),
    Family(
        "not",
        doubling(lambda r: {"not": {"allOf": [r, r]}}, INTEGER),
        (("integer", value(1), lambda n: n % 2 == 0), ("string", value("x"), lambda n: n % 2 == 1)),
    ),
    Family(
        "dependentSchemas",
        doubling(lambda r: {"dependentSchemas": {"k": r, "l": r}}, {"required": ["m"]}),
        (("valid", value({**LOOK_TWICE, "m": 1}), always), ("invalid", value(LOOK_TWICE), never)),
    ),
    Family(
        "dependencies",
        doubling(lambda r: {"dependencies": {"k": r, "l": r}}, {"required": ["m"]}, **{"$schema": DRAFT_7}),
        (("valid", value({**LOOK_TWICE, "m": 1}), always), ("invalid", value(LOOK_TWICE), never)),
    ),
    Family("contains-and-items", doubling(lambda r: {"allOf": [{"contains": r}, {"items": r}]}, INTEGER), ARRAYS),
    Family(
        "items-and-prefixItems", doubling(lambda r: {"allOf": [{"items": r}, {"prefixItems": [r]}]}, INTEGER), ARRAYS
    ),
    Family(
        "properties-and-patternProperties",
        doubling(
            lambda r: {"properties": {"c": r}, "patternProperties": {"^c": r}, "propertyNames": {"maxLength": 9}},
            INTEGER,
        ),
        OBJECTS,
    ),
    Family(
        "propertyNames",
        doubling(both, {"maxLength": 1}, type="object", propertyNames={"$ref": "#/$defs/a1"}),
        (("invalid", value({"ab": 1}), never),),
    ),
    Family(
        "unevaluatedProperties-allOf",
        doubling(closed(both, "unevaluatedProperties"), {"properties": {"a": True}}),
        CLOSED_OBJECTS,
    ),
    Family(
        "unevaluatedProperties-anyOf",
        doubling(closed(either, "unevaluatedProperties"), {"properties": {"a": True}}),
        CLOSED_OBJECTS,
    ),
    Family(
        "unevaluatedItems-allOf", doubling(closed(both, "unevaluatedItems"), {"prefixItems": [True]}), CLOSED_ARRAYS
    ),
    Family(
        "unevaluatedItems-anyOf", doubling(closed(either, "unevaluatedItems"), {"prefixItems": [True]}), CLOSED_ARRAYS
    ),
    Family(
        "unevaluatedProperties-by-level",
        constant(
            {
                "allOf": [{"properties": {"c": {"$ref": "#"}}}, {"title": "t", "properties": {"c": {"$ref": "#"}}}],
                "unevaluatedProperties": False,
            }
        ),
        PLAIN_OBJECTS,
    ),
    Family(
        "contains-and-items-alone",
        constant({"type": ["array", "integer"], "items": SELF, "contains": SELF, "minContains": 0}),
        ARRAYS,
    ),
    Family(
        "patternProperties-and-properties-alone",
        constant({"type": ["object", "integer"], "properties": {"c": SELF}, "patternProperties": {"^c": SELF}}),
        OBJECTS,
    ),
    Family(
        "unevaluatedItems-and-contains-alone",
        constant({"type": ["array", "integer"], "contains": SELF, "minContains": 0, "unevaluatedItems": SELF}),
        ARRAYS,
    ),
    Family("recursive-branches", constant({"anyOf": TREE_BRANCHES}), ARRAYS),
    Family(
        "recursive-oneOf",
        constant(
            {
                "oneOf": [
                    INTEGER,
                    {"required": ["c"], "properties": {"c": {"$ref": "#"}}},
                    {"properties": {"c": {"$ref": "#"}}, "required": ["z"]},
                ]
            }
        ),
        (("invalid", objects({}), never),),
    ),
    Family(
        "dynamicRef",
        constant(
            {
                "$id": "https://e.test/r",
                "$dynamicAnchor": "n",
                "type": ["object", "integer"],
                "allOf": dynamic("$dynamicRef", "#n"),
            }
        ),
        OBJECTS,
    ),
    Family(
        "recursiveRef",
        constant(
            {
                "$schema": DRAFT_2019,
                "$recursiveAnchor": True,
                "type": ["object", "integer"],
                "allOf": dynamic("$recursiveRef", "#"),
            }
        ),
        OBJECTS,
    ),
    Family(
        "shared-sublists",
        constant({"anyOf": [INTEGER, {"type": "array", "items": {"$ref": "#"}}]}),
        (("valid", shared(1), always), ("invalid", shared("x"), never)),
    ),
    Family("shared-sublists-no-keyword", constant({"type": "array"}), (("valid", shared(1), always),)),
    Family(
        "shared-sublists-recursive",
        constant({"anyOf": TREE_BRANCHES}),
        (("valid", shared(1), always), ("invalid", shared("x"), never)),
    ),
    Family(
        "uniqueItems-of-shared-lists",
        constant({"uniqueItems": True}),
        (("equal", twins(1, 1.0), never), ("different", twins(1, 2), always)),
    ),
)
