# ruff: noqa: E501  (tables of cases)
"""Hints, and fixes: where one is offered, where none may be."""

from __future__ import annotations

import json
from typing import Any

import pytest

import schemafuse


def of(schema: Any, value: Any, **more: Any) -> tuple[str, Any]:
    schema = {"type": "object", "properties": {"p": schema}, **more}
    error = next(error for error in schemafuse.compile(schema).check({"p": value}).errors if not error.covered)
    return error.message.partition("; ")[2], error.fix


def replaced(value: Any) -> list[dict[str, Any]]:
    return [{"op": "replace", "path": "/p", "value": value}]


STRINGS = {"type": "array", "items": {"type": "string"}}


@pytest.mark.parametrize(
    ("schema", "value", "fix"),
    [
        ({"type": "integer"}, "5", replaced(5)),
        ({"type": "integer"}, " 5 ", replaced(5)),
        ({"type": "number"}, "-1.5e3", replaced(-1500.0)),
        ({"type": "boolean"}, "True", replaced(True)),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "5", replaced(5)),
        ({"type": ["integer", "null"]}, "null", replaced(None)),
        (STRINGS, '["x"]', replaced(["x"])),
        ({"type": "object"}, '{"a": 1}', replaced({"a": 1})),
        (STRINGS, "x", replaced(["x"])),
        ({"type": "array"}, {"a": 1}, replaced([{"a": 1}])),
        ({"type": "string"}, ["x"], [{"op": "move", "from": "/p/0", "path": "/p"}]),
        (STRINGS, [["x", "y"]], [{"op": "move", "from": "/p/0", "path": "/p"}]),
        (STRINGS, [[]], [{"op": "move", "from": "/p/0", "path": "/p"}]),
        ({"enum": ["celsius", "fahrenheit"]}, "Celsius", replaced("celsius")),
        ({"enum": ["in_progress", "done"]}, "In Progress", replaced("in_progress")),
        ({"anyOf": [{"enum": ["dark", "light"]}, {"type": "null"}]}, "DARK", replaced("dark")),
        ({"enum": [1, 2]}, "2", replaced(2)),
        ({"type": "string"}, None, [{"op": "remove", "path": "/p"}]),
    ],
)
def test_one_repair(schema: Any, value: Any, fix: Any) -> None:
    assert of(schema, value)[1] == fix


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer"}, "5.5"),  # does not lead to a valid place
        ({"type": "integer", "maximum": 3}, "5"),
        ({"type": "integer"}, "five"),
        ({"type": "integer"}, "NaN"),
        ({"type": "number"}, "1e999"),
        ({"type": "integer"}, "0x10"),
        ({"type": "boolean"}, "yes"),
        ({"type": "boolean"}, 1),
        ({"type": "string"}, 5),  # which of its notations?
        ({"type": "object", "required": ["k"]}, '{"a": 1}'),
        ({"type": "object"}, '{"a": 1, "a": 2}'),
        (STRINGS, "x,y"),  # one string or two
        (STRINGS, "['x', 'y']"),
        (STRINGS, '["x", 5]'),
        ({"type": "array", "items": {"type": "integer"}}, "5"),  # [5] or ["5"]: neither is what was written
        ({"type": "string"}, ["x", "y"]),
        ({"type": "array", "items": STRINGS}, ["x", "y"]),  # [["x", "y"]] or [["x"], ["y"]]
        ({"enum": ["yes", "Yes"]}, "YES"),
        ({"enum": ["celsius", "fahrenheit"]}, "celcius"),  # said, not done
        ({"enum": ["a", "b"]}, "c"),
        ({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "string"}}]}, "5"),
        ({"oneOf": [{"type": "integer"}, {"minimum": 3}]}, 5),
        ({"not": {"type": "string"}}, "5"),
    ],
)
def test_no_repair(schema: Any, value: Any) -> None:
    assert of(schema, value)[1] is None


def test_null_for_a_required_property_stays() -> None:
    assert of({"type": "string"}, None, required=["p"])[1] is None


def names(schema: Any, value: Any) -> list[Any]:
    return [error.fix for error in schemafuse.compile({"type": "object", **schema}).check(value).errors]


CITY = {"properties": {"city": {"type": "string"}, "units": {}}}


@pytest.mark.parametrize(
    ("schema", "value", "fixes"),
    [
        ({**CITY, "additionalProperties": False}, {"cty": "x"}, [[{"op": "move", "from": "/cty", "path": "/city"}]]),
        ({**CITY, "required": ["city"]}, {"City": "x"}, [[{"op": "move", "from": "/City", "path": "/city"}]]),
        ({**CITY, "unevaluatedProperties": False}, {"citty": "x"}, [[{"op": "move", "from": "/citty", "path": "/city"}]]),
        ({**CITY, "additionalProperties": False}, {"cty": 5}, [None]),  # would not be valid there
        ({**CITY, "additionalProperties": False}, {"cty": "x", "city": "y"}, [None]),  # the name is taken
        ({"properties": {"city": {}, "cite": {}}, "additionalProperties": False}, {"cit": "x"}, [None]),  # two are as near
        ({"properties": {"k": {}, "v": {}}, "then": {"required": ["v"]}, "if": {"required": ["k"]}}, {"k": 1}, [None]),
        ({"dependentSchemas": {"a": {"required": ["z"]}}}, {"a": 1}, [None]),
        ({"properties": {"v": {"const": "1"}}, "required": ["v"]}, {}, [[{"op": "add", "path": "/v", "value": "1"}]]),
        ({"properties": {"v": {"enum": [None]}}, "required": ["v"]}, {}, [[{"op": "add", "path": "/v", "value": None}]]),
        ({"properties": {"v": {"enum": [1, 2]}}, "required": ["v"]}, {}, [None]),
        # What was misspelt is renamed, not filled in beside it.
        ({"properties": {"type": {"const": "a"}}, "required": ["type"]}, {"tpye": "a"}, [[{"op": "move", "from": "/tpye", "path": "/type"}]]),
        ({"properties": {"type": {"const": "a"}}, "required": ["type"]}, {"tpye": "b"}, [None]),
    ],
)  # fmt: skip
def test_names(schema: Any, value: Any, fixes: list[Any]) -> None:
    assert names(schema, value) == fixes


def test_a_name_that_is_missing_and_its_slip_are_one_problem() -> None:
    schema = {"type": "object", **CITY, "required": ["city"], "additionalProperties": False}
    report = schemafuse.compile(schema).check({"City": "x"})
    assert report.text().startswith("The arguments are not valid: 1 problem.\n")
    assert [error.covered for error in report.errors] == [False, True]


def test_hints_that_offer_nothing() -> None:
    assert of({"type": "object", "required": ["k"]}, '{"a": 1}')[0] == "send a JSON object, not a string containing one"
    assert of({"type": "integer", "maximum": 7}, "12")[0] == "send a number, not a string"
    assert of({"type": "boolean"}, "yes")[0] == "send true or false"
    assert of({"enum": ["celsius", "kelvin"]}, "celcius")[0] == 'did you mean "celsius"?'
    assert of({"const": "v1"}, "v2")[0] == ""


@pytest.mark.parametrize(
    "value", [10**6000, {"b": 10**6000}, {"b": "z" * 5_000_000}], ids=["integer", "integer inside", "long string"]
)
def test_a_fix_never_repeats_what_json_or_a_text_cannot_hold(value: Any) -> None:
    report = schemafuse.compile({"properties": {"a": {"type": "array"}}}).check({"a": value})
    assert len(json.dumps(report.to_dict())) < 2_000
