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
        ({"enum": ["us-east-1", "us-west-2"]}, "US East 1", replaced("us-east-1")),
        (STRINGS, "New York", replaced(["New York"])),
        ({"items": {"type": "integer"}}, [[1], [2]], [{"op": "replace", "path": "/p/0", "value": 1}]),
        ({"type": "array", "items": {"properties": {"id": {}}}}, {"id": 3}, replaced([{"id": 3}])),
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
        # Joiners that mean something.
        ({"enum": ["1", "2"]}, "-1"),
        ({"enum": ["-name", "-date"]}, "name"),
        ({"enum": ["1.5", "2.5"]}, "15"),
        ({"enum": ["Foo", *[f"v{i}" for i in range(300)], "FOO"]}, "foo"),
        # What says "nothing", or several, is not one item.
        (STRINGS, ""),
        (STRINGS, "null"),
        (STRINGS, "a;b;c"),
        (STRINGS, "a | b"),
        (STRINGS, "a\nb"),
        ({"type": "array"}, False),
        ({"type": "array"}, {}),
        ({"type": "array"}, {"0": "a", "1": "b"}),
        ({"type": "array"}, {"item": ["a", "b"]}),
        ({"type": "array", "items": {"properties": {"id": {}}}}, {"x": {"id": 3}, "y": {"id": 4}}),
        # One entry of a map, written as a list of them.
        ({"type": "object", "additionalProperties": {"type": "string"}}, [{"key": "a", "value": "b"}]),
        ({"type": "object"}, "{'a': 1}"),
        # Slips of one word that are words themselves.
        ({"properties": {"altitude": {}}, "required": ["altitude"]}, {"latitude": 59.9}),
        ({"properties": {"context": {}}, "additionalProperties": False}, {"content": "x"}),
        # A secret would be repeated.
        (STRINGS, "Bearer abc.def"),
        (STRINGS, "password=hunter2"),
        ({"type": "array"}, '["Bearer abc.def"]'),
        ({"items": {"type": "string"}}, [["Bearer abc.def"]]),
        ({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "string"}}]}, "5"),
        ({"oneOf": [{"type": "integer"}, {"minimum": 3}]}, 5),
        ({"not": {"type": "string"}}, "5"),
    ],
)
def test_no_repair(schema: Any, value: Any) -> None:
    assert of(schema, value)[1] is None


def test_null_for_a_required_property_stays() -> None:
    assert of({"type": "string"}, None, required=["p"])[1] is None


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"allOf": [{"properties": {"p": {"type": "string"}}}, {"required": ["p"]}]}, {"p": None}),
        ({"properties": {"p": {"type": "string"}}, "required": ["p"]}, {"p": None}),
        ({"required": ["p"], "$ref": "#/$defs/a", "$defs": {"a": {"properties": {"p": {"type": "string"}}}}}, {"p": None}),
        ({"properties": {"p": {"type": "string"}}, "dependentRequired": {"b": ["p"]}}, {"p": None, "b": 1}),
        ({"properties": {"p": {"type": "string"}}, "minProperties": 1}, {"p": None}),
        ({"allOf": [{"properties": {"p": {"type": "integer"}}}, {"properties": {"p": {"maximum": 3}}}]}, {"p": "5"}),
        ({"properties": {"p": {"type": "array"}}, "not": {"properties": {"p": {"type": "array"}}}}, {"p": 1}),
        ({"properties": {"p": {"type": "array", "items": {"type": "string"}}}}, {"p": 5}),
        ({"properties": {"p": {"type": "string", "pattern": "^[a-z]"}}}, {"p": 5}),
        ({"properties": {"p": {"type": "array", "items": {"type": "integer"}}}}, {"p": "a,b"}),
        ({"items": {"type": "integer"}, "uniqueItems": True}, [5, "5"]),
    ],
)  # fmt: skip
def test_neither_hint_nor_fix_that_leads_to_the_next_error(schema: Any, value: Any) -> None:
    (error,) = schemafuse.compile(schema).check(value).errors
    assert error.fix is None
    assert "; " not in error.message


def test_what_stands_unevaluated_beside_it_is_no_harm_of_a_fix() -> None:
    schema = {"properties": {"a": {"type": "integer"}}, "unevaluatedProperties": False}
    assert schemafuse.compile(schema).check({"a": "5", "z": 1}).errors[0].fix == [
        {"op": "replace", "path": "/a", "value": 5}
    ]
    assert schemafuse.compile(schema).repair({"a": "5", "z": 1})[0] == {"a": 5, "z": 1}


def test_what_is_advised_does_not_change_with_the_instance() -> None:
    value = {"p": "5"}
    report = schemafuse.compile({"properties": {"p": {"type": "integer"}}}).check(value)
    value.clear()
    assert report.errors[0].fix == replaced(5)


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


@pytest.mark.parametrize(
    ("known", "given"),
    [
        # Another word, number or prefix is another thing.
        (["min_price"], ["max_price"]),
        (["exclude"], ["include"]),
        (["export"], ["import"]),
        (["disable_cache"], ["enable_cache"]),
        (["lock_door"], ["unlock_door"]),
        (["subscribe"], ["unsubscribe"]),
        (["is_active"], ["inactive"]),
        (["is_active"], ["is_not_active"]),
        (["employer"], ["employee"]),
        (["sync"], ["async"]),
        (["user_id"], ["user_ip"]),
        (["address2"], ["address3"]),
        (["price"], ["max_price"]),
        (["created_after"], ["created_before"]),
        (["form"], ["from"]),
        # Not the only one.
        (["name"], ["naem", "nmae"]),
        (["user_ida", "user_idb"], ["user_idc"]),
        (["fooBar", *[f"x{i}" for i in range(300)], "foo_bar"], ["foo-bar"]),
        (["customer_email", "billing_email"], ["email"]),
    ],
)
def test_names_that_may_mean_something_else(known: list[str], given: list[str]) -> None:
    properties = {"properties": {name: {} for name in known}}
    for more in ({"additionalProperties": False}, {"required": known}, {"unevaluatedProperties": False}):
        (error,) = schemafuse.compile({"type": "object", **properties, **more}).check(dict.fromkeys(given, 1)).errors
        assert error.fix is None
        assert "did you mean" not in error.message


@pytest.mark.parametrize(
    ("known", "given"),
    [
        ("customerId", "customer_id"),
        ("first_name", "firstName"),
        ("days", "dasy"),
        ("address", "adress"),
        ("city", "citty"),
    ],
)
def test_names_that_can_only_be_a_slip(known: str, given: str) -> None:
    move = [[{"op": "move", "from": f"/{given}", "path": f"/{known}"}]]
    assert names({"properties": {known: {}}, "additionalProperties": False}, {given: 1}) == move
    assert names({"properties": {known: {}}, "required": [known]}, {given: 1}) == move


@pytest.mark.parametrize(("known", "given"), [("size", "side"), ("names", "name"), ("tags", "tag")])
def test_what_an_open_object_allows_is_left_alone(known: str, given: str) -> None:
    (error,) = schemafuse.compile({"properties": {known: {}}, "required": [known]}).check({given: 1}).errors
    assert error.fix is None
    assert f'"{given}" was given: did you mean "{known}"?' in error.message


OPTIONS = {"properties": {"limit": {"type": "integer"}}, "additionalProperties": False}
TOOL = {"properties": {"city": {"type": "string"}, "opts": OPTIONS}, "additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "value", "hint"),
    [
        ({"properties": {"customer_email": {}}, "additionalProperties": False}, {"email": 1}, 'did you mean "customer_email"?'),
        ({"properties": {"customer_email": {}}, "required": ["customer_email"]}, {"email": 1}, '"email" was given: did you mean "customer_email"?'),
        ({"enum": ["order_status_pending", "order_status_paid"]}, "pending", 'did you mean "order_status_pending"?'),
        ({"anyOf": [{"const": "low"}, {"const": "high"}]}, "hihg", 'did you mean "high"?'),
        (TOOL, {"limit": 3}, '"limit" belongs inside "opts"'),
        (TOOL, {"opts": {"city": "x"}}, '"city" belongs outside "opts"'),
        (TOOL, {"limit": "x"}, 'allowed: "city", "opts"'),
        (TOOL, {"arguments": {"city": "x"}}, 'the members of "arguments" belong one level up'),
        ({**TOOL, "required": ["city"], "additionalProperties": True}, {"input": {"city": "x"}}, 'the members of "input" belong one level up'),
        ({**TOOL, "required": ["city"], "additionalProperties": True}, {"input": {"x": "x"}}, ""),
    ],
)  # fmt: skip
def test_hints_about_names_and_levels(schema: Any, value: Any, hint: str) -> None:
    (error,) = schemafuse.compile(schema).check(value).errors
    assert error.fix is None
    assert error.message.partition("; ")[2] == hint


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
    assert of({"type": "object"}, "{'a': 1}")[0].endswith("this text is not JSON: strings stand in double quotes")
    assert of({"type": "object"}, '{"a": 1')[0].endswith("this text is not JSON: it ends too early")
    assert of({"type": "object"}, '{"a": 1, "a": 2}')[0].endswith("in this text a name occurs twice")
    assert of({"type": "array"}, "[1 2]")[0].endswith("this text is not JSON")
    assert of({"type": "object"}, '{"a": "it\'s",}')[0].endswith("this text is not JSON: nothing follows on a comma")
    assert of({"type": "integer"}, "null")[0] == "leave the property out"
    assert of({"type": "integer"}, "null", required=["p"])[0] == ""
    assert of({"enum": ["a", "b"]}, "None")[0] == "leave the property out"
    assert of({"type": "string", "format": "date-time"}, 1_700_000_000)[0] == ""
    assert of({"type": "array", "items": {"type": "integer"}}, "1")[0] == "send an array, with 1 as its one item"
    assert of({"enum": ["1", "2"]}, 1)[0] == 'send it as a string: "1"'
    assert of({"enum": ["1", "2"]}, 3)[0] == ""
    for text in ("-", "(none)", "empty", " N/A "):
        assert of(STRINGS, text)[0] == "leave the property out"
    assert of(STRINGS, "a,b")[0] == "send a JSON array, each item on its own"


@pytest.mark.parametrize(
    "value", [10**6000, {"b": 10**6000}, {"b": "z" * 5_000_000}], ids=["integer", "integer inside", "long string"]
)
def test_a_fix_never_repeats_what_json_or_a_text_cannot_hold(value: Any) -> None:
    report = schemafuse.compile({"properties": {"a": {"type": "array"}}}).check({"a": value})
    assert len(json.dumps(report.to_dict())) < 2_000


def test_fixes_that_are_right_alone_and_wrong_together_are_not_offered() -> None:
    text = {"type": "string"}
    either = {"properties": {"a": text, "b": text}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    report = schemafuse.compile(either).check({"a": None, "b": None})
    assert [error.fix for error in report.errors] == [None, None]
    colours = {"items": {"enum": ["red", "green"]}, "uniqueItems": True}
    names = {"propertyNames": {"enum": ["red", "green"]}}
    ids = {"oneOf": [{"properties": {name: text}, "required": [name]} for name in ("source_id", "target_id")]}
    three = {"properties": {x: {"enum": [x * 2, "zz"]} for x in "abc"}, "not": {"properties": {x: {"const": x * 2} for x in "abc"}}}  # fmt: skip
    for schema, value in (
        (either, {"a": None, "b": None}),
        (colours, ["Red", "RED"]),
        (names, {"Red": 1, "RED": 2}),
        (ids, {"sourceId": "s", "targetId": "t"}),
        (ids, {"targetId": "t", "sourceId": "s"}),
        (three, {"a": "AA", "b": "BB", "c": "CC"}),
        (three, {"c": "CC", "b": "BB", "a": "AA"}),
    ):
        validator = schemafuse.compile(schema)
        assert not any(error.fix for error in validator.check(value).errors)
        repaired, report = validator.repair(value)
        assert (repaired, report.fixes) == (value, ())
    # What goes together is repaired all the same.
    repaired, report = schemafuse.compile(colours).repair(["Red", "RED", "Green"])
    assert repaired == ["Red", "RED", "green"]
    pair = {"properties": {x: {"enum": [x * 2, "zz"]} for x in "ab"}, "not": {"properties": {x: {"const": x * 2} for x in "ab"}}}  # fmt: skip
    many = {"properties": {"n": {"type": "array", "items": {"type": "integer"}}, "pair": pair}}
    value = {"n": [str(i) for i in range(200)], "pair": {"a": "AA", "b": "BB"}}
    repaired, report = schemafuse.compile(many).repair(value)
    assert repaired == {"n": list(range(200)), "pair": {"a": "AA", "b": "BB"}}
    apart = schemafuse.compile({"properties": {"a": {"type": "integer"}, "b": {"type": "boolean"}}})
    assert all(error.fix for error in apart.check({"a": "1", "b": "true"}).errors)
