# ruff: noqa: E501  (tables of cases)
"""Unions and conditions: what is told where nothing, or not enough, speaks for one branch, and that no branch is guessed
for a repair."""

from __future__ import annotations

from typing import Any

import pytest

import schemafuse

STRING, INTEGER, BOOLEAN = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
ARRAY = {"type": "array"}


def record(properties: dict[str, Any], *required: str, closed: bool = False) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        **({"additionalProperties": False} if closed else {}),
    }


def tagged(tag: str, value: Any, *required: str, **properties: Any) -> dict[str, Any]:
    return record({tag: {"const": value}, **properties}, tag, *required)


def inside(schema: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"u": schema}}


ALIKE = {"oneOf": [tagged("type", "delete", "id", id=STRING), tagged("type", "archive", "id", id=STRING)]}
OPEN = {"oneOf": [tagged("action", "create", name=STRING), tagged("action", "delete_all", force=BOOLEAN)]}
TWO_TAGS = {"anyOf": [record({"t": {"const": c}, "v": {"const": v}}, "t", "v") for c, v in (("a", 1), ("b", 2))]}
CLOSED = {"anyOf": [record({"id": INTEGER}, "id", closed=True), record({"name": STRING}, "name", closed=True)]}
CONNECTION = {"oneOf": [tagged("m", "basic", "u", "p", u=STRING, p=STRING), tagged("m", "bearer", "t", t=STRING)]}
COMMENT = {
    "anyOf": [
        record({"path": STRING, "position": INTEGER, "body": STRING}, "path", "position", "body", closed=True),
        record({"path": STRING, "line": INTEGER, "body": STRING}, "path", "line", "body", closed=True),
    ]
}
SAME_KEY = {"anyOf": [record({"v": INTEGER}, "v"), record({"v": {"type": "array", "items": STRING}}, "v")]}
TWO_KEYS = {"anyOf": [record({"v": v, "k": k}, "v", "k") for v, k in ((INTEGER, STRING), ({"type": "array", "items": STRING}, BOOLEAN))]}  # fmt: skip
SAME_TYPE = {"anyOf": [record({"number": number, "repo": STRING}, "number", "repo") for number in (INTEGER, STRING)]}
ITEM_OR_ITEMS = {"anyOf": [STRING, {"type": "array", "items": INTEGER}]}


def add(path: str, value: Any) -> dict[str, Any]:
    return {"op": "add", "path": path, "value": value}


@pytest.mark.parametrize(
    ("schema", "value", "fixes"),
    [
        # Each branch would take the object with its own tag.
        (ALIKE, {"id": "5"}, [None]),
        ({"allOf": [ALIKE, {}]}, {"id": "5"}, [None]),
        (TWO_TAGS, {"x": 1}, [None]),
        ({"oneOf": [tagged("t", c, "o", o=record({"k": {"const": k}}, "k")) for c, k in (("a", 1), ("b", 2))]}, {"o": {}}, [None, None]),
        # The branch that does not look at the mistake is not the one that is meant.
        (OPEN, {"name": 5}, [None, None]),
        (OPEN, {"force": "true"}, [None, [{"op": "replace", "path": "/u/force", "value": True}]]),
        # One branch alone takes it; a tag leaves no doubt.
        ({"oneOf": [record({"action": {"const": c}, n: STRING}, "action", n, closed=True) for c, n in (("a", "x"), ("b", "y"))]}, {"x": "1"}, [[add("/u/action", "a")]]),
        (TWO_TAGS, {"v": 2}, [[add("/u/t", "b")]]),
        (TWO_TAGS, {"t": "b"}, [[add("/u/v", 2)]]),
        ({"anyOf": [record({"k": {"const": 1}}, "k"), {"type": "null"}]}, {}, [[add("/u/k", 1)]]),
        # Values may be wrong as well as a tag.
        ({"anyOf": [tagged("t", "a", v=INTEGER), tagged("t", "b", v=STRING)]}, {"v": "5"}, [None]),
        (SAME_TYPE, {"number": "5", "Repo": "x"}, [[{"op": "move", "from": "/u/Repo", "path": "/u/repo"}]]),
        (CLOSED, {"id": None, "name": "x"}, [[{"op": "remove", "path": "/u/id"}]]),
        # The item itself would do as well.
        (ITEM_OR_ITEMS, ["5"], [None]),
        (ITEM_OR_ITEMS, ["5", "6"], [[{"op": "replace", "path": f"/u/{i}", "value": 5 + i}] for i in (0, 1)]),
        ({"anyOf": [{"type": "array", "items": STRING}, record({"n": STRING})]}, [{"n": "x"}], [[{"op": "move", "from": "/u/0", "path": "/u"}]]),
        # One place, and each branch wants something else there.
        (SAME_KEY, {"v": "5"}, [None]),
    ],
)  # fmt: skip
def test_no_branch_is_guessed_for_a_fix(schema: Any, value: Any, fixes: list[Any]) -> None:
    validator = schemafuse.compile(inside(schema))
    assert [error.fix for error in validator.check({"u": value}).errors if not error.covered] == fixes
    repaired, report = validator.repair({"u": value})
    assert report.ok is (len(fixes) > 0 and all(fixes))
    assert bool(report.fixes) is any(fixes)
    assert (repaired == {"u": value}) is not any(fixes)


LINES: list[tuple[Any, Any, list[str]]] = [
    (SAME_KEY, {"v": "5"}, ['/u/v: expected integer or array of string, got the string "5"']),
    ({"oneOf": [record({"id": INTEGER}, "id"), record({"id": {"type": "string", "minLength": 9}}, "id")]}, {"id": None}, ["/u/id: expected integer or string of at least 9 characters, got null"]),
    # Names of two alternatives, and names of none
    (CLOSED, {"id": 1, "name": "x"}, ['/u: give only one of "id", "name", got an object with "id", "name"']),
    ({"anyOf": [record({a: STRING, b: {"not": {}}}, a, closed=True) for a, b in (("x", "y"), ("y", "x"))]}, {"x": "1", "y": "1"}, ['/u: give only one of "x", "y", got an object with "x", "y"']),
    (CLOSED, {"Name": "x"}, ['/u: expected object with "id" or object with "name", got an object with "Name"; did you mean "name"?']),
    # More is wrong than what all branches have against it
    (COMMENT, {"path": "a", "body": 5}, ['/u/body: expected string, got 5; send it as a string: "5"', '/u: expected object with "path", "position", "body" or object with "path", "line", "body", got an object with "path", "body"']),
    (TWO_TAGS, {"v": "2"}, ['/u: missing required property "t" (one of "a", "b")', '/u/v: expected one of 1, 2, got the string "2"']),
    (TWO_KEYS, {"v": "5", "k": 1}, ['/u/v: expected integer or array of string, got the string "5"', '/u/k: expected string or boolean, got 1']),
    (TWO_KEYS, {"v": "5"}, ['/u: missing required property "k" (string or boolean)', '/u/v: expected integer or array of string, got the string "5"']),
    # The branch that has less against the value, not that which has something more inside
    (SAME_TYPE, {"number": "5", "Repo": "x"}, ['/u: missing required property "repo" (string); "Repo" was given: did you mean "repo"? (taken for alternative 2 of 2: object with "number", "repo")']),
    # null may stand for what is not there
    (CLOSED, {"id": None, "name": "x"}, ['/u: unknown property "id"; leave it out (taken for alternative 2 of 2: object with "name")']),
    (ALIKE, {"id": "5"}, ['/u: missing required property "type" (one of "delete", "archive")']),
    # A tag that is no branch's
    (CONNECTION, {"m": "digest"}, ['/u/m: expected one of "basic", "bearer", got the string "digest"']),
    (CONNECTION, {"m": 5}, ['/u/m: expected one of "basic", "bearer", got 5']),
    (CONNECTION, {"m": "bearr", "t": 5}, ['/u/m: expected one of "basic", "bearer", got the string "bearr"; did you mean "bearer"?', '/u/t: expected string, got 5; send it as a string: "5" (taken for the alternative where "m" is "bearer")']),
    (TWO_TAGS, {"t": "b", "v": 1}, ['/u: expected object with "t": "a", "v": 1 or object with "t": "b", "v": 2, got an object with "t", "v"']),
    # The name of an alternative is no secret because it has one
    ({"oneOf": [tagged("kind", "p", password={"minLength": 9}), tagged("kind", "k", api_key=STRING)]}, {"kind": "p", "password": "x"}, ['/u/password: expected at least 9 characters, got 1 (taken for the alternative where "kind" is "p")']),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "value", "lines"), LINES)
def test_what_is_told_of_unions(schema: Any, value: Any, lines: list[str]) -> None:
    errors = schemafuse.compile(inside(schema)).check({"u": value}).errors
    assert [error.message for error in errors if not error.covered] == lines


BY_ACTION = {
    "properties": {"action": {"enum": ["create", "delete"]}, "name": {"type": "string", "description": "What"}, "id": INTEGER},
    "required": ["action"],
    "allOf": [
        {"if": {"properties": {"action": {"const": "create"}}}, "then": {"required": ["name"]}},
        {"if": {"properties": {"action": {"const": "delete"}}}, "then": {"required": ["id"]}},
    ],
}  # fmt: skip
BY_TWO = {
    "required": ["type"],
    "allOf": [
        {"if": {"properties": {"type": {"const": c}, "mode": {"const": "m"}}}, "then": {"required": [n]}}
        for c, n in (("a", "x"), ("b", "y"))
    ],
}
OPTIONAL = {name: value for name, value in BY_ACTION.items() if name != "required"}


@pytest.mark.parametrize(
    ("schema", "value", "lines"),
    [
        # What is asked because the action is missing, is a consequence of that.
        (BY_ACTION, {}, ['missing required property "action" (one of "create", "delete")']),
        (BY_ACTION, {"Action": "create", "name": "x"}, ['missing required property "action" (one of "create", "delete"); "Action" was given: did you mean "action"?']),
        (OPTIONAL, {}, ['missing required property "name" (string: "What") (asked because "action" is not given)', 'missing required property "id" (integer) (asked because "action" is not given)']),
        (BY_ACTION, {"action": "create"}, ['missing required property "name" (string: "What") (asked because "action" is "create")']),
        (BY_TWO, {"mode": "m"}, ['missing required property "type"']),
        (BY_TWO, {"type": "a", "mode": "m"}, ['missing required property "x" (asked because "type" is "a" and "mode" is "m")']),
        # What a condition asks for comes to light by what is right all the same.
        (BY_ACTION, {"action": "Create"}, ['expected one of "create", "delete", got the string "Create"; did you mean "create"?']),
        (BY_ACTION, {"action": ["create"]}, ['expected one of "create", "delete", got an array of 1 item; send the item itself, not an array with it']),
        # Names that stand apart from what is said of them
        ({"properties": {"a": STRING}, "allOf": [{"required": ["a"]}]}, {}, ['missing required property "a" (string)']),
        ({"properties": {"a": STRING, "b": INTEGER}, "dependentRequired": {"b": ["a"]}}, {"b": 1, "A": "x"}, ['where "b" is given, "a" (string) must be given too; "A" was given: did you mean "a"?']),
    ],
)  # fmt: skip
def test_what_is_told_of_conditions(schema: Any, value: Any, lines: list[str]) -> None:
    errors = schemafuse.compile({"type": "object", **schema}).check(value).errors
    assert [error.message.split(": ", 1)[1] for error in errors if not error.covered] == lines


@pytest.mark.parametrize(
    ("schema", "value", "hint"),
    [
        ({"properties": {"a": {}, "old": False, "gone": {"not": {}}}}, {"b": 1}, 'allowed: "a"'),
        ({"properties": {"a": {}, "legacy": False}}, {"legcy": 1}, 'allowed: "a"'),
        ({"properties": {"a": {}}, "patternProperties": {"^x-": {}}}, {"X-b": 1}, 'allowed: "a" and names that match "^x-"'),
        ({"patternProperties": {"^[a-z]+$": {}}}, {"A": 1}, 'allowed: names that match "^[a-z]+$"'),
        ({"properties": {"query": {}, "limit": {}}}, {"query": 1, "Query": 2}, '"query" is given as well: leave "Query" out'),
        ({"properties": {"start_date": {}, "end_date": {}}}, {"start_date": 1, "startDate": 2}, '"start_date" is given as well: leave "startDate" out'),
    ],
)  # fmt: skip
def test_which_names_are_allowed(schema: Any, value: Any, hint: str) -> None:
    (error,) = schemafuse.compile({"type": "object", **schema, "additionalProperties": False}).check(value).errors
    assert error.message.partition("; ")[2] == hint


def test_one_slip_is_told_once() -> None:
    schema = {**record({"name": STRING, "user_id": STRING}, "name", closed=True)}
    for value in ({"nam": "x"}, {"Name": 5}):
        errors = schemafuse.compile(schema).check(value).errors
        assert [error.covered for error in errors] == [False, True]
    schema = {**record({"user_id": STRING, "email": STRING}, closed=True), "anyOf": [{"required": ["user_id"]}, {"required": ["email"]}]}  # fmt: skip
    errors = schemafuse.compile(schema).check({"userId": "x"}).errors
    assert [(error.keyword, error.covered) for error in errors] == [("additionalProperties", False), ("anyOf", True)]


def test_what_nothing_evaluates_is_told_whatever_else_is_wrong() -> None:
    schema = {"properties": {"a": STRING}, "unevaluatedProperties": False}
    errors = schemafuse.compile(schema).check({"a": 5, "b": 1}).errors
    assert [error.keyword for error in errors] == ["type", "unevaluatedProperties"]
    (error,) = schemafuse.compile({**schema, "allOf": [{"properties": {"b": STRING}}]}).check({"a": "x", "b": 1}).errors
    assert error.instance_location == "/b"


def test_lists_of_numbers_are_cut_around_the_nearest() -> None:
    validator = schemafuse.compile({"enum": list(range(100))})
    assert "one of 94, 95, 96, 97, 98, 99 and 94 more" in validator.check(150).text()
    assert "one of 3, 4, 5, 6, 7, 8 and 94 more" in validator.check(5.5).text()
    for value in (10**400, -(10**400)):
        assert "one of 0, 1, 2, 3, 4, 5 and 94 more" in validator.check(value).text()


def test_the_name_of_a_property_that_is_near() -> None:
    schema = {"propertyNames": {"enum": ["red", "green"]}}
    (error,) = schemafuse.compile(schema).check({"Red": 1}).errors
    assert error.message.endswith('got the string "Red"; did you mean "red"?')
    assert error.fix == [{"op": "move", "from": "/Red", "path": "/red"}]
    (error,) = schemafuse.compile(schema).check({"Red": 1, "red": 2}).errors
    assert error.fix is None
