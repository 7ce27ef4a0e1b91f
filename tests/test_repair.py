"""`repair`: a copy, mended where that is unambiguous, and never worse."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from typing import Any

import pytest
from bench.mistakes import Case, double, examples, single
from hypothesis import given, settings
from hypothesis import strategies as st

import schemafuse
from json_patch import patched
from objects import NOT_JSON, OBJECTS
from schemafuse.patch import apply

SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer", "minimum": 1},
        "tags": {"type": "array", "items": {"type": "string"}},
        "units": {"enum": ["celsius", "fahrenheit"]},
        "where": {"type": "object", "properties": {"lat": {"type": "number"}}, "required": ["lat"]},
        "version": {"const": 2},
    },
    "required": ["city", "version"],
    "additionalProperties": False,
}
RIGHT = {"city": "Oslo", "days": 5, "tags": ["a"], "units": "celsius", "where": {"lat": 1.5}, "version": 2}
WRONG = {"City": "Oslo", "days": "5", "tags": "a", "units": "Celsius", "where": '{"lat": 1.5}'}


def test_everything_at_once() -> None:
    before = deepcopy(WRONG)
    repaired, report = schemafuse.compile(SCHEMA).repair(WRONG)
    assert report.ok
    assert repaired == RIGHT
    assert before == WRONG
    assert len(report.fixes) == 6


def test_the_fixes_recorded_are_what_was_done() -> None:
    repaired, report = schemafuse.compile(SCHEMA).repair(WRONG)
    document = deepcopy(WRONG)
    for operation in report.fixes:
        document, done = apply(document, operation)
        assert done
    assert document == repaired == patched(WRONG, list(report.fixes))


def mistaken(schema: Any, right: Any, choose: random.Random) -> list[Case]:
    found = list(single("", schema, right, choose))
    return found + list(double(found, choose))


def test_fixes_are_json_patch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each alone, all errors' one after the other, and those of a repair, on the mistakes of bench/mistakes.py."""
    monkeypatch.delenv("SCHEMAFUSE_CORPUS", raising=False)
    fixed = 0
    for name, schema, right in examples():
        validator = schemafuse.compile(schema)
        for case in mistaken(schema, right, random.Random(name)):
            before = json.dumps(case.wrong)
            errors = validator.check(case.wrong).errors
            for error in errors:
                if error.fix is not None:
                    fixed += 1
                    known = {(other.keyword, other.instance_location) for other in errors}
                    after = validator.check(patched(case.wrong, error.fix)).errors
                    assert {(other.keyword, other.instance_location) for other in after} <= known
            everything = patched(case.wrong, [operation for error in errors for operation in error.fix or ()])
            repaired, report = validator.repair(case.wrong)
            assert patched(case.wrong, list(report.fixes)) == repaired
            if report.ok and len(case.mistakes) == 1:
                assert everything == repaired or not validator.check(everything).ok
            assert json.dumps(case.wrong) == before
    assert fixed > 400


@pytest.mark.parametrize(
    ("schema", "value", "repaired"),
    [
        ({"items": {"type": "string"}}, [["a"], ["b"], ["c"]], ["a", "b", "c"]),
        ({"items": {"items": {"type": "string"}}}, [[["a"]], [["b"], "c"]], [["a"], ["b", "c"]]),
        ({"items": {"type": "array", "items": {"type": "string"}}}, [[["a", "b"]], ["c"]], [["a", "b"], ["c"]]),
        ({"type": "string"}, ["a"], "a"),
        ({"type": "integer"}, "5", 5),
        ({"type": "array", "items": {"type": "string"}}, '"[\\"a\\"]"', ["a"]),
        ({"type": "integer"}, '"5"', 5),
        ({"properties": {"a/b": {"type": "integer"}}}, {"a/b": "5"}, {"a/b": 5}),
        ({"properties": {"~": {"type": "string"}}}, {"~": ["x"]}, {"~": "x"}),
    ],
)  # fmt: skip
def test_fixes_inside_arrays_and_odd_names(schema: Any, value: Any, repaired: Any) -> None:
    validator = schemafuse.compile(schema)
    errors = validator.check(value).errors
    assert patched(value, [operation for error in errors for operation in error.fix or ()]) == repaired
    copy, report = validator.repair(value)
    assert copy == repaired
    assert patched(value, list(report.fixes)) == repaired


def test_no_operation_stands_at_two_errors() -> None:
    schema = {"properties": {"city": {}}, "required": ["city"], "additionalProperties": False}
    for errors in (
        schemafuse.compile(schema).check({"City": 1}).errors,
        schemafuse.compile({"allOf": [{"type": "integer"}, {"type": "integer", "minimum": 1}]}).check("5").errors,
    ):
        operations = [json.dumps(operation) for error in errors for operation in error.fix or ()]
        assert len(operations) == len(set(operations)) == 1


def test_many_fixes_and_few_that_do_harm() -> None:
    schema = {
        "properties": {"a": {"items": {"type": "integer"}, "uniqueItems": True}, "b": {"items": {"type": "integer"}}}
    }
    copy, report = schemafuse.compile(schema).repair({"a": [5, "5"], "b": [str(i) for i in range(300)]})
    assert copy == {"a": [5, "5"], "b": list(range(300))}
    assert len(report.fixes) == 300


def test_always_a_copy() -> None:
    validator = schemafuse.compile(True)
    for value in ({"a": [1]}, [{}], {}):
        copy, report = validator.repair(value)
        assert copy == value
        assert copy is not value
        assert report.ok
        assert report.fixes == ()


def test_what_the_schema_accepts_stays() -> None:
    value = {"city": "5", "version": 2.0, "tags": ["[1]", "null"]}
    copy, report = schemafuse.compile(SCHEMA).repair(value)
    assert report.ok
    assert json.dumps(copy) == json.dumps(value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        # Each would be right in its place, and make something else wrong.
        ({"items": {"type": "integer"}, "uniqueItems": True}, [5, "5"]),
        ({"properties": {"a": {"type": "string"}}, "minProperties": 1}, {"a": None}),
        ({"properties": {"a": {"type": "array"}}, "not": {"properties": {"a": {"type": "array"}}}}, {"a": 1}),
        (
            {
                "properties": {"a": {"type": "integer"}, "b": {}},
                "if": {"properties": {"a": {"type": "integer"}}},
                "then": {"properties": {"b": {"type": "null"}}},
            },
            {"a": "5", "b": 1},
        ),
    ],
)
def test_no_fix_that_does_harm_elsewhere(schema: Any, value: Any) -> None:
    copy, report = schemafuse.compile(schema).repair(value)
    assert copy == value
    assert report.fixes == ()
    assert not report.ok


def test_a_harmful_fix_does_not_keep_others_from_being_applied() -> None:
    schema = {"properties": {"a": {"items": {"type": "integer"}, "uniqueItems": True}, "b": {"type": "integer"}}}
    copy, report = schemafuse.compile(schema).repair({"a": [5, "5"], "b": "7"})
    assert copy == {"a": [5, "5"], "b": 7}
    assert [operation["path"] for operation in report.fixes] == ["/b"]


def test_what_a_fix_uncovers_is_repaired_next() -> None:
    schema = {
        "properties": {"a": {"type": "object", "properties": {"b": {"type": "integer"}}}},
        "additionalProperties": False,
    }
    copy, report = schemafuse.compile(schema).repair({"a": [{"b": "5"}]})
    assert (copy, report.ok) in (({"a": {"b": 5}}, True), ({"a": [{"b": "5"}]}, False))


def survives(value: Any) -> None:
    validator = schemafuse.compile(SCHEMA)
    for instance in (value, {"city": value}, {"tags": [value]}):
        _, report = validator.repair(instance)
        assert report.status in ("valid", "invalid", "exhausted")
        json.dumps(report.to_dict())
        report.text()


@settings(max_examples=100, deadline=None)
@given(OBJECTS)
def test_any_object(value: Any) -> None:
    survives(value)


@pytest.mark.parametrize("name", list(NOT_JSON))
def test_what_is_not_json(name: str) -> None:
    survives(NOT_JSON[name]())


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.sampled_from(["5", "a", "[]", '["a"]', "true", "Celsius", "null"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["city", "City", "days", "tags", "units", "where", "version", "x"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)
SCHEMAS = st.sampled_from(
    [
        SCHEMA,
        {"additionalProperties": SCHEMA},
        {"items": {"anyOf": [SCHEMA, {"type": "integer"}]}, "uniqueItems": True},
        {"oneOf": [SCHEMA, {"type": "array", "items": {"type": "boolean"}, "maxItems": 2}]},
        {"type": ["integer", "null"]},
    ]
)


@settings(max_examples=300, deadline=None)
@given(SCHEMAS, VALUES)
def test_never_worse(schema: Any, value: Any) -> None:
    validator = schemafuse.compile(schema, limits=schemafuse.Limits(max_errors=100))
    before = validator.check(value)
    copy, after = validator.repair(value)
    assert after.status in ("valid", "invalid")
    if before.ok:
        assert after.ok
        assert json.dumps(copy) == json.dumps(value)
    elif not after.ok:
        known = {(error.keyword, error.instance_location) for error in before.errors}
        assert {(error.keyword, error.instance_location) for error in after.errors} <= known
    else:
        assert after.fixes
    again, second = validator.repair(copy)
    assert second.fixes == ()
    assert json.dumps(again) == json.dumps(copy)
