"""The static estimate encloses what the meter counts, for schemas of all keywords and any instance."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import schemafuse
from blowup_families import FAMILIES
from schemafuse import Limits, SchemaError, Validator
from schemafuse._core.costs import StepCost

CASES = Path(__file__).parent / "cases"
PATIENT = Limits(max_time_ms=600_000, max_compile_ms=600_000, max_steps=10**9)
NAMES = ("a", "b", "c", "aa", "")
TEXTS = ("", "a", "b", "ab", "aaa", "é", "a" * 5_000, "2026-11-30")
NUMBERS = (0, 1, 2, 3, -1, 0.5, 2.0, 1e300, 1e-300, 2**63, 10**30, 10**2_000, 7**1_500)
DRAFTS = (
    "https://json-schema.org/draft/2020-12/schema",
    "https://json-schema.org/draft/2019-09/schema",
    "http://json-schema.org/draft-07/schema#",
)

# Schemas and instances ------------------------------------------------------------------------------------------------

names = st.sampled_from(NAMES)
scalars = st.sampled_from((None, True, False, *NUMBERS, *TEXTS))
instances = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(names, inner, max_size=5),
    max_leaves=20,
)
small = st.integers(0, 4)
types = st.sampled_from(("null", "boolean", "integer", "number", "string", "array", "object"))
REFERENCES = ("#", "#/$defs/p", "#/$defs/q", "#/$defs/r")


def keyword_strategies(schemas: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    """A strategy for the value of each keyword that asserts or applies something."""
    branches, by_name = st.lists(schemas, min_size=1, max_size=4), st.dictionaries(names, schemas, max_size=4)
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "type": types | st.lists(types, min_size=1, max_size=3, unique=True),
        "const": instances,
        "enum": st.lists(instances, min_size=1, max_size=8),
        "multipleOf": st.sampled_from([number for number in NUMBERS if number > 0]),
        "pattern": st.sampled_from(("^a", "a$", "(a|b)+$", "^[a-z]{1,9}$", "", "(a*)*b", "(?P<n>a)")),
        "format": st.sampled_from(("date", "regex", "idn-hostname", "unknown")),
        "uniqueItems": st.booleans(),
        "minContains": small,
        "maxContains": small,
        "required": st.lists(names, max_size=3, unique=True),
        "dependentRequired": st.dictionaries(names, st.lists(names, max_size=3, unique=True), max_size=3),
        "patternProperties": st.dictionaries(st.sampled_from(("^a", "a|b", ".", "(a+)+$")), schemas, max_size=3),
        "properties": by_name,
        "dependentSchemas": by_name,
        "prefixItems": branches,
        "allOf": branches,
        "anyOf": branches,
        "oneOf": branches,
        "$ref": st.sampled_from(REFERENCES),
        "$recursiveRef": st.just("#"),
        "$dynamicRef": st.sampled_from(("#node", "#/$defs/p")),
    }
    keywords |= dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), st.sampled_from(NUMBERS))
    keywords |= dict.fromkeys(
        ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), small
    )
    one_schema = (
        "items",
        "contains",
        "additionalProperties",
        "propertyNames",
        "unevaluatedItems",
        "unevaluatedProperties",
    )
    return keywords | dict.fromkeys((*one_schema, "not", "if", "then", "else"), schemas)


def keywords_below(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    strategies = keyword_strategies(inner)

    @st.composite
    def draw_schema(draw: Callable[..., Any]) -> dict[str, Any]:
        chosen = draw(st.lists(st.sampled_from(sorted(strategies)), min_size=1, max_size=4, unique=True))
        return {keyword: draw(strategies[keyword]) for keyword in chosen}

    return draw_schema()


subschemas = st.recursive(
    st.booleans() | st.builds(dict) | types.map(lambda name: {"type": name}), keywords_below, max_leaves=6
)


@st.composite
def documents(draw: Callable[..., Any]) -> dict[str, Any]:
    """A schema of any of three dialects, with definitions that refer to each other and now and then dynamic scopes."""
    root: dict[str, Any] = {"$schema": draw(st.sampled_from(DRAFTS)), **draw(keywords_below(subschemas))}
    definitions = {name: draw(keywords_below(subschemas)) for name in ("p", "q", "r")}
    if draw(st.booleans()):
        definitions["q"] = {
            "$id": "https://e.test/q",
            "$dynamicAnchor": "node",
            "$defs": {"p": True, "q": True, "r": {}},
            **definitions["q"],
        }
        root |= {"$dynamicAnchor": "node"}
    return {**root, "$defs": definitions}


def walk(instance: Any) -> Iterator[Any]:
    stack = [instance]
    while stack:
        value = stack.pop()
        yield value
        if isinstance(value, dict):
            stack += value.values()
        elif isinstance(value, list):
            stack += value


def size(instance: Any) -> tuple[int, int]:
    """How many values, and how many characters of strings, names and integers."""
    values = chars = 0
    for value in walk(instance):
        values += 1
        if isinstance(value, str):
            chars += len(value)
        elif isinstance(value, int):
            chars += len(str(value))
        elif isinstance(value, dict):
            chars += sum(map(len, value))
    return values, chars


def assert_enclosed(validator: Validator, instance: Any) -> None:
    report = validator.check(instance)
    if report.status != "exhausted":
        cost = validator.cost
        assert cost.min_steps <= report.steps <= cost.max_steps(*size(instance)), cost


# The property ---------------------------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(documents(), st.lists(instances, min_size=1, max_size=4), st.booleans())
def test_estimate_encloses_steps(schema: dict[str, Any], values: list[Any], assert_formats: bool) -> None:
    try:
        validator = schemafuse.compile(schema, limits=PATIENT, assert_formats=assert_formats)
    except SchemaError:  # references that lead back to the same value, or to nowhere in this dialect
        return
    for instance in values:
        assert_enclosed(validator, instance)


def test_estimate_encloses_real_tools() -> None:
    with (CASES / "tools.jsonl").open(encoding="utf-8") as file:
        tools = [json.loads(line) for line in file]
    for tool in tools:
        for assert_formats in (False, True):
            validator = schemafuse.compile(tool["tool"]["inputSchema"], limits=PATIENT, assert_formats=assert_formats)
            for instance in (*tool["valid"], *tool["invalid"]):
                assert_enclosed(validator, instance)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_estimate_encloses_blow_ups(family: Any) -> None:
    for depth in (1, 4, 10):
        validator = schemafuse.compile(family.schema(depth), limits=PATIENT)
        for _, make, _ in family.instances:
            assert_enclosed(validator, make(depth))


def nested(levels: int, wrap: Callable[[Any], Any], leaf: Any) -> Any:
    for _ in range(levels):
        leaf = wrap(leaf)
    return leaf


FAILING = {"not": {"not": {"minItems": 9}}}
TALL, WIDE = nested(100, lambda x: [x], []), [[i] for i in range(500)]
MANY_NAMES = [f"{letter}{number}" for letter in "pq" for number in range(99)]
#: Shapes in which a bound is easily forgotten.
SHAPES: list[tuple[Any, Any]] = [
    ({"anyOf": [{"items": {"$ref": "#"}, **FAILING}, {"items": {"$ref": "#"}}]}, TALL),
    ({"oneOf": [{"items": {"$ref": "#"}, **FAILING}] * 2 + [{"items": {"$ref": "#"}}]}, TALL),
    ({"anyOf": [{"prefixItems": [True], **FAILING} for _ in range(50)] + [True]}, WIDE),
    ({"anyOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}], "unevaluatedItems": False}, TALL),
    ({"allOf": [{"items": {"$ref": "#"}}, {"not": {"enum": [[1], TALL, [TALL]]}}]}, nested(100, lambda x: [x], 2)),
    ({"uniqueItems": True, "items": {"$ref": "#"}}, nested(100, lambda x: [x, 1, 2, 3, 4, 5, 6], [])),
    ({"uniqueItems": True, "items": {"$ref": "#"}}, nested(100, lambda x: [x, 1, 2, 3, 4, 5], [])),
    ({"items": {"multipleOf": 1e-300}}, [10**4_000 + 1] * 5),
    ({"items": {"enum": [10**300 + i for i in range(1_000)]}}, [10**300 - 1] * 5),
    ({"dependentRequired": {f"p{i}": [f"q{j}" for j in range(99)] for i in range(99)}}, dict.fromkeys(MANY_NAMES, 1)),
    ({"patternProperties": {f"^{c}[0-9]+$": {"minLength": 3} for c in "abcdpqxy"}}, {n: n for n in MANY_NAMES}),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(SHAPES)))
def test_estimate_encloses_shape(number: int) -> None:
    schema, instance = SHAPES[number]
    validator = schemafuse.compile(schema, limits=PATIENT)
    assert_enclosed(validator, instance)


# What it says ---------------------------------------------------------------------------------------------------------


def scopes(resources: int, anchors: int) -> dict[str, Any]:
    """A schema of resources that all refer to each other; several of them declare the same dynamic anchor."""
    return {
        "$id": "https://e.test/root",
        "$ref": "r0",
        "$defs": {
            f"r{i}": {
                "$id": f"https://e.test/r{i}",
                "$dynamicAnchor": f"a{i % anchors}",
                "properties": {f"p{j}": {"$ref": f"https://e.test/r{j}"} for j in range(resources)},
                "items": {"$dynamicRef": f"#a{i % anchors}"},
            }
            for i in range(resources)
        },
    }


TREE = {
    "$defs": {"n": {"properties": {"left": {"$ref": "#/$defs/n"}, "right": {"$ref": "#/$defs/n"}}}},
    "$ref": "#/$defs/n",
}
TWICE = {"allOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}, "type": ["array", "null"]}]}
KINDS = [
    pytest.param(True, "linear", id="true"),
    pytest.param({"type": "string", "pattern": "^a"}, "linear", id="scalar"),
    pytest.param({"properties": {"a": {"items": {"enum": [1, "a", [2]]}, "uniqueItems": True}}}, "linear", id="nested"),
    pytest.param({"anyOf": [{"type": "integer"}, {"properties": {"a": {"minimum": 1}}}]}, "linear", id="branches"),
    pytest.param({"$ref": "#/$defs/a", "$defs": {"a": {"type": "integer"}}}, "linear", id="reference"),
    pytest.param(TREE, "linear", id="tree"),
    pytest.param(TWICE, "polynomial", id="applied twice below itself"),
    pytest.param(next(f for f in FAMILIES if "all" in f.name.lower()).schema(20), "polynomial", id="doubling"),
    pytest.param(scopes(2, 1), "linear", id="one scope"),
    pytest.param(scopes(4, 2), "scope_exponential", id="scopes"),
]


@pytest.mark.parametrize(("schema", "kind"), KINDS)
def test_kind(schema: Any, kind: str) -> None:
    assert schemafuse.compile(schema, limits=PATIENT).cost.kind == kind


def test_a_linear_bound_does_not_depend_on_unused_definitions() -> None:
    plain = schemafuse.compile({"type": "string"}).cost
    assert schemafuse.compile({"type": "string", "$defs": {"a": {"allOf": [True, {"pattern": "a"}]}}}).cost == plain


def test_the_bound_grows_with_the_schema_as_promised() -> None:
    """Doubling definitions: twice the subschemas, twice the steps, not their square."""
    family = next(family for family in FAMILIES if "all" in family.name.lower())
    costs = [schemafuse.compile(family.schema(depth)).cost.max_steps(100) for depth in (10, 20, 40)]
    assert costs[2] - costs[1] == pytest.approx(2 * (costs[1] - costs[0]))


def test_heaviest_names_the_heavy_place() -> None:
    for heavy in (
        {"pattern": "(a|b)*" * 100},
        {"items": {"type": "integer"}, "uniqueItems": True},
        {"patternProperties": {f"({c}+)+$": True for c in "abcdef"}},
        {"enum": [10**300 + i for i in range(100)]},
    ):
        schema = {"properties": {"light": {"type": "string"}, "heavy": {"items": heavy}, "other": {"minimum": 1}}}
        heaviest = schemafuse.compile(schema).cost.heaviest
        assert heaviest[0] == "#/properties/heavy/items"
        assert len(heaviest) <= 3


def test_heaviest_in_another_document_is_named_by_its_uri() -> None:
    resources = {"https://e.test/x": {"$id": "https://e.test/x", "uniqueItems": True, "items": {"uniqueItems": True}}}
    cost = schemafuse.compile({"items": {"$ref": "https://e.test/x"}}, resources=resources).cost
    assert any(place.startswith("https://e.test/x#") for place in cost.heaviest)


def test_minimum_is_an_integer_and_reached() -> None:
    cost = schemafuse.compile({"type": "string"}).cost
    assert cost.min_steps == 1 == schemafuse.compile({"type": "string"}).check(5).steps
    assert json.loads(json.dumps({"min": cost.min_steps})) == {"min": 1}


def test_costs_are_pinned() -> None:
    """Costs are part of the interface: a change shows here, and in the step counts of blowup_steps.json."""
    assert {name: int(cost) for name, cost in StepCost.__members__.items()} == {
        "VISIT": 1, "MATCH": 1, "WEIGHT_SHIFT": 6, "MEMBERS_SHIFT": 4, "CAREFUL_MEMBER": 1, "DEPENDENCY_SHIFT": 1,
        "BRANCHES_SHIFT": 3, "SET": 1, "SET_SHIFT": 9, "WORDS_SHIFT": 3, "PAIR": 1, "HASHING": 1, "UNIQUE_ITEM": 1,
        "LONG_TEXT_SHIFT": 12, "BITS_SHIFT": 12, "DIVISION_SHIFT": 14, "DECIMAL": 4,
    }  # fmt: skip
    for schema, instance, steps in (
        (True, None, 1),
        ({"type": "integer"}, 5, 1),
        ({"items": {"type": "integer"}}, [1, 2, 3], 4),
        ({"properties": {"a": {"minimum": 1}}, "required": ["a"]}, {"a": 1, "b": [2]}, 4),
        ({"pattern": "^ab*$"}, "a" + "b" * 63, 5),
        ({"uniqueItems": True}, [1, 2, 3], 7),
    ):
        assert schemafuse.compile(schema).check(instance).steps == steps, schema


# The refusal ----------------------------------------------------------------------------------------------------------


def too_expensive(limits: Limits) -> SchemaError:
    with pytest.raises(SchemaError) as caught:
        schemafuse.compile(scopes(20, 5), limits=limits)
    assert caught.value.code == "too_expensive"
    return caught.value


def test_too_many_scopes_are_refused_with_a_remedy() -> None:
    error = too_expensive(PATIENT)
    assert len(str(error)) < 1_000
    assert "$dynamicRef" in error.message
    assert "$ref" in error.message.replace("$dynamicRef", "")


def test_too_many_scopes_name_factor_and_places() -> None:
    error = too_expensive(PATIENT)
    assert re.search(r"\d+(\.\d+)? times", error.message)
    assert "max_subschemas" in error.message
    assert re.search(r"/\$defs/r\d+", error.message)
    assert error.location.startswith("/$defs/r")


def test_scopes_within_the_limit_are_checked() -> None:
    validator = schemafuse.compile(scopes(4, 2), limits=PATIENT)
    nodes = validator.plan.node_count
    assert nodes > 4
    for instance in ({"p1": {"p2": [{"p3": []}]}}, [[{"p0": 1}]]):
        assert_enclosed(validator, instance)
    allowed = PATIENT.replace(max_subschemas=max(validator.subschema_count, nodes))
    schemafuse.compile(scopes(4, 2), limits=allowed)
