"""Any Python object as schema or instance: a `SchemaError`, a report or `BudgetExceeded`, and nothing else.

What could end the process, should the library be wrong, stands in `isolated/`.
"""

from __future__ import annotations

import collections
import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import schemafuse
from objects import HUGE, KEYWORDS, NOT_JSON, OBJECTS, SCHEMAS, Number, Point, Word, lying, outcome

# Objects that are not JSON --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NOT_JSON)
@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_a_value_that_is_not_json_is_an_error_wherever_it_stands(schema: Any, name: str) -> None:
    make = NOT_JSON[name]
    for instance in (make(), [make()], {"a": make()}, {"deep": [{"er": [0, make()]}]}, ("x", make())):
        assert outcome(schema, instance) == "invalid"


@pytest.mark.parametrize("name", NOT_JSON)
def test_the_error_says_where_and_what(name: str) -> None:
    error = schemafuse.compile(True).check({"deep": [{"er": [0, NOT_JSON[name]()]}]}).errors[0]
    assert error.instance_location.startswith("/deep/0/er/1")
    assert error.keyword is None
    assert "JSON" in error.message


@pytest.mark.parametrize("name", NOT_JSON)
def test_no_schema_holds_a_value_that_is_not_json(name: str) -> None:
    value = NOT_JSON[name]
    for keyword in ("default", "const", "x-unknown"):
        assert outcome({keyword: value()}, 1) == "not_json"
    for schema in (
        value(),
        {"properties": value()},
        {"enum": value()},
        {"minimum": value()},
        {"type": value()},
        {"$ref": value()},
    ):
        assert outcome(schema, 1) in {"not_json", "invalid_schema"}
    for schema in ({"properties": {"a": value()}}, {"allOf": [value()]}, {"not": value()}, {"pattern": value()}):
        assert outcome(schema, 1) in {"not_json", "invalid_schema"}


def test_a_class_with_a_name_of_its_own_making_is_named_all_the_same() -> None:
    class Meta(type):
        @property
        def __name__(cls) -> str:  # type: ignore[override]
            raise ZeroDivisionError

    class Odd(metaclass=Meta):
        pass

    assert '"Odd"' in schemafuse.compile({"type": "integer"}).check(Odd()).text()


@pytest.mark.parametrize("schema", [None, 1, 1.5, "", "true", [], [{}], (), (True,)], ids=repr)
def test_a_schema_is_an_object_or_a_boolean(schema: Any) -> None:
    assert outcome(schema, 1) in {"invalid_schema", "not_json"}


# Subclasses are read through the base type ----------------------------------------------------------------------------

TAGGED = {"oneOf": [{"properties": {"k": {"const": tag}}, "required": ["k"]} for tag in ("a", "b", None)]}
READ_AS_BASE = [
    (Number.FIVE, {"const": 5}, {"const": 6}),
    (Word.YES, {"const": "yes"}, {"const": "no"}),
    (Point(1, 2), {"const": [1, 2]}, {"maxItems": 1}),
    ((1, 2), {"items": {"type": "integer"}, "minItems": 2}, {"items": {"type": "string"}}),
    (collections.OrderedDict(a=1), {"required": ["a"]}, {"required": ["b"]}),
    (collections.defaultdict(int, a=1), {"required": ["a"]}, {"required": ["b"]}),
    (collections.Counter("aa"), {"properties": {"a": {"const": 2}}}, {"additionalProperties": False}),
    (lying(str, "abc"), {"type": "string", "minLength": 3, "pattern": "^abc$", "enum": ["abc"]}, {"maxLength": 2}),
    (lying(str, "abc"), {"not": {"pattern": "z"}}, {"pattern": "z"}),
    (lying(int, 5), {"type": "integer", "minimum": 5, "multipleOf": 5, "enum": [5]}, {"maximum": 4}),
    (lying(float, 5.0), {"type": "integer", "minimum": 5, "multipleOf": 5, "const": 5}, {"maximum": 4}),
    (
        lying(list, [1, 2]),
        {"type": "array", "maxItems": 2, "uniqueItems": True, "items": {"type": "integer"}},
        {"maxItems": 1},
    ),
    (lying(tuple, [1, 1]), {"type": "array", "contains": {"const": 1}}, {"uniqueItems": True}),
    (lying(dict, {"a": 1}), {"type": "object", "required": ["a"], "maxProperties": 1}, {"additionalProperties": False}),
    (lying(dict, {"a": 1}), {"dependentRequired": {"b": ["c"]}}, {"dependentRequired": {"a": ["c"]}}),
    (lying(dict, {"a": 1}), {"dependentSchemas": {"b": False}}, {"dependentSchemas": {"a": {"required": ["c"]}}}),
    (
        lying(dict, {"a": 1}),
        {"required": ["a"]},
        {"required": ["b"], "properties": {"c": {}}, "additionalProperties": False},
    ),
    (lying(dict, {lying(str, "k"): "a"}), TAGGED, {"allOf": [TAGGED, {"required": ["b"]}]}),
    (lying(dict, {lying(str, "k"): 1}), {"required": ["k"]}, TAGGED),
    ([lying(dict, {"a": 1})], {"contains": {"required": ["a"]}}, {"contains": {"required": ["b"]}}),
    (
        {"a": [lying(dict, {"b": 1})]},
        {"properties": {"a": {"type": "array"}}},
        {"properties": {"a": {"type": "string"}}},
    ),
    ({lying(str, "a"): 1}, {"properties": {"a": {"const": 1}}, "required": ["a"]}, {"additionalProperties": False}),
    ({lying(str, "a"): 1}, {"patternProperties": {"^a": {"type": "integer"}}}, {"propertyNames": {"maxLength": 0}}),
]


@pytest.mark.parametrize(("instance", "accepting", "refusing"), READ_AS_BASE, ids=lambda value: type(value).__name__)
def test_a_subclass_is_read_through_its_base_type(instance: Any, accepting: Any, refusing: Any) -> None:
    for wrap in (lambda x: x, lambda x: [x], lambda x: {"a": x}):
        keyword = {"list": "items", "dict": "additionalProperties"}.get(type(wrap(1)).__name__, "")
        assert outcome({keyword: accepting} if keyword else accepting, wrap(instance)) == "valid"
        assert outcome({keyword: refusing} if keyword else refusing, wrap(instance)) == "invalid"


def test_a_schema_of_subclasses_is_read_through_its_base_types() -> None:
    schema = collections.OrderedDict(
        type=lying(str, "object"),
        properties=lying(dict, {lying(str, "a"): lying(dict, {"minimum": lying(int, 5)})}),
        required=("a",),
        additionalProperties=False,
    )
    validator = schemafuse.compile(schema)
    assert validator.is_valid({"a": 5})
    assert not validator.is_valid({"a": 4})
    assert not validator.is_valid({"a": 5, "b": 1})
    assert type(validator.schema) is dict
    assert type(validator.schema["properties"]["a"]["minimum"]) is int


def test_booleans_are_no_numbers_and_no_subclass_makes_them_so() -> None:
    assert outcome({"type": "integer"}, True) == "invalid"
    assert outcome({"enum": [0, 1]}, False) == "invalid"
    assert outcome({"uniqueItems": True}, [1, True, 0, False]) == "valid"


# Numbers and text at the edge -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "status"),
    [
        ({"type": "integer"}, "valid"),
        ({"type": "string"}, "invalid"),
        ({"minimum": 1e308}, "valid"),
        ({"maximum": 10**300}, "invalid"),
        ({"exclusiveMaximum": 1.5}, "invalid"),
        ({"multipleOf": 3}, "invalid"),
        ({"multipleOf": 10}, "valid"),
        ({"multipleOf": 0.5}, "valid"),
        ({"const": 1}, "invalid"),
        ({"enum": [1, 2]}, "invalid"),
    ],
    ids=str,
)
def test_a_huge_integer_is_exact_or_over_a_budget(schema: Any, status: str) -> None:
    assert outcome(schema, HUGE) in {status, "exhausted"}
    assert outcome({"items": schema}, [HUGE]) in {status, "exhausted"}


@pytest.mark.parametrize("keyword", ["minimum", "multipleOf", "const", "default", "maxLength", "minItems"])
def test_a_huge_integer_in_a_schema_is_over_a_limit(keyword: str) -> None:
    assert outcome({keyword: HUGE}, 1) == "too_large"
    assert outcome({keyword: -HUGE} if keyword != "multipleOf" else {"enum": [HUGE]}, 1) in {
        "too_large",
        "invalid_schema",
    }


@pytest.mark.parametrize(
    "text", ["\ud800", "a\udfffb", "\udc00\ud800", "\x00", "\u202e", "\x1b[31m", "\u2028"], ids=ascii
)
def test_odd_text_breaks_no_message(text: str) -> None:
    for schema in ({"type": "integer"}, {"maxLength": 0}, {"pattern": "^z"}, {"enum": [text * 2]}, {"const": "a"}):
        assert outcome(schema, text) == "invalid"
    assert outcome({"additionalProperties": False}, {text: 1}) == "invalid"
    assert outcome({"required": [text]}, {}) == "invalid"
    assert outcome({"properties": {text: {"type": "null"}}}, {text: 1}) == "invalid"
    assert outcome({"const": text}, text) == "valid"
    report = schemafuse.compile({"additionalProperties": {"type": "null"}}).check({text: text})
    assert all(character == "\n" or character.isprintable() for character in report.text())


# Cycles and sharing ---------------------------------------------------------------------------------------------------


def cyclic_list() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


def cyclic_dict() -> Any:
    value: dict[str, Any] = {}
    value["a"] = {"b": value}
    return value


def cyclic_below() -> Any:
    return {"x": [1, cyclic_list()]}


@pytest.mark.parametrize("make", [cyclic_list, cyclic_dict, cyclic_below])
def test_what_contains_itself_is_not_json(make: Callable[[], Any]) -> None:
    for schema in (*SCHEMAS, {"items": {"$ref": "#"}, "additionalProperties": {"$ref": "#"}}):
        assert outcome(schema, make()) == "invalid"
    assert outcome({"default": make()}, 1) == "not_json"
    assert outcome({"const": make()}, 1) == "not_json"


def test_a_schema_that_contains_itself_is_refused() -> None:
    schema: dict[str, Any] = {"properties": {}}
    schema["properties"]["a"] = schema
    assert outcome(schema, {}) == "not_json"
    branches: list[Any] = [True]
    branches.append({"allOf": branches})
    assert outcome({"allOf": branches}, {}) == "not_json"


def test_sharing_changes_neither_verdict_nor_steps() -> None:
    part: dict[str, Any] = {"a": [1, "x", 1000]}
    schema = {"type": "array", "items": {"properties": {"a": {"items": {"type": ["integer", "string"]}}}}}
    validator = schemafuse.compile(schema)
    assert validator.check([part] * 5).ok
    assert validator.check([copy.deepcopy(part) for _ in range(5)]).ok
    shared_schema = {"type": "integer"}
    assert outcome({"properties": {"a": shared_schema, "b": shared_schema}}, {"a": 1, "b": "x"}) == "invalid"


# Anything at all ------------------------------------------------------------------------------------------------------


@settings(max_examples=300, deadline=None)
@given(st.one_of(OBJECTS, st.dictionaries(KEYWORDS, OBJECTS, max_size=4)), OBJECTS)
def test_anything_gets_an_announced_outcome(schema: Any, instance: Any) -> None:
    assert outcome(schema, instance)
    for known in SCHEMAS:
        assert outcome(known, instance) in {"valid", "invalid", "exhausted"}
