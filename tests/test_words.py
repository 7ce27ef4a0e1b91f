# ruff: noqa: E501  (tables of cases)
"""What is said about each kind of failure: the whole line."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

import schemafuse

TAGGED = {
    "oneOf": [
        {"properties": {"type": {"const": "circle"}, "r": {"type": "number"}}, "required": ["type", "r"]},
        {"properties": {"type": {"const": "rect"}, "w": {}, "h": {"type": "number"}}, "required": ["type", "w", "h"]},
    ]
}
TAGGED = {"type": "object", "oneOf": [{"type": "object", **branch} for branch in TAGGED["oneOf"]]}
NULLABLE = {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}

LINES: list[tuple[Any, Any, str]] = [
    ({"type": "integer", "minimum": 1, "maximum": 7}, "x", 'expected integer from 1 to 7, got the string "x"'),
    ({"type": "boolean"}, 1, "expected boolean, got 1; send true or false"),
    ({"type": "string"}, 5, 'expected string, got 5; send it as a string: "5"'),
    ({"type": ["string", "null"]}, [], "expected string or null, got an empty array"),
    ({"maximum": 7}, 99, "expected number of at most 7, got 99"),
    ({"exclusiveMinimum": 0, "exclusiveMaximum": 1}, 1, "expected number above 0 and below 1, got 1"),
    ({"multipleOf": 5}, 7, "expected a multiple of 5, got 7"),
    ({"minLength": 3, "maxLength": 5}, "ab", 'expected 3 to 5 characters, got 2: "ab"'),
    ({"minLength": 1}, "", 'expected at least 1 character, got 0: ""'),
    ({"pattern": "^[a-z]$"}, "AB", 'expected a string that matches the pattern "^[a-z]$", got the string "AB"'),
    ({"format": "date"}, "30.11.", 'expected a date such as "2026-11-30", got the string "30.11."'),
    ({"format": "email"}, "me", 'expected an email address such as "name@example.com", got the string "me"'),
    ({"maxItems": 2}, [1, 2, 3], "expected at most 2 items, got an array of 3 items"),
    ({"maxProperties": 1}, {"a": 1, "b": 2}, "expected at most 1 property, got 2"),
    ({"uniqueItems": True}, [1, 2, 1.0], "every item may occur once, but items 0 and 2 are equal"),
    ({"contains": {"type": "integer"}}, ["a"], "expected at least 1 item of the kind integer, found none"),
    ({"contains": {"type": "null"}, "maxContains": 1}, [None] * 2, "expected at most 1 item of the kind null, found 2"),
    ({"not": {"const": "x"}}, "x", 'expected anything but "x", got the string "x"'),
    ({"not": {"required": ["a", "b"]}}, {"a": 1, "b": 1}, '"a" and "b" must not be given together'),
    ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, 'where "a" is given, "b" must be given too'),
    ({"prefixItems": [{}], "items": False}, [1, 2], "expected at most 1 item, got an array of 2 items"),
    ({"prefixItems": [{}], "unevaluatedItems": False}, [1, 2], "no item may stand at position 1, got an array of 2 items"),
    ({"propertyNames": {"maxLength": 2}}, {"abc": 1}, 'the name of a property: expected at most 2 characters, got 3: "abc"'),
    (False, 1, "nothing may stand here, got 1"),
    ({"enum": []}, 1, "nothing may stand here, got 1"),
    ({"const": "v1"}, "v2", 'expected "v1", got the string "v2"'),
    ({"enum": ["C", "F"]}, "K", 'expected one of "C", "F", got the string "K"'),
    ({"required": ["a"]}, {}, 'missing required property "a"'),
    ({"additionalProperties": False}, {"a": 1}, 'unknown property "a"; leave it out'),
    ({"properties": {"ok": {}}, "additionalProperties": False}, {"a": 1}, 'unknown property "a"; allowed: "ok"'),
    (NULLABLE, "x", 'expected integer of at least 1 or null, got the string "x"'),
    (NULLABLE, 0, "expected integer of at least 1, got 0"),
    ({"oneOf": [{"type": "integer"}, {"minimum": 3}]}, 5, "the value matches alternatives 1 (integer) and 2 (number of at least 3) of 2, and must match exactly one"),
    ({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, {}, 'expected object with "a" or object with "b", got an empty object'),
    (TAGGED, {"r": 1}, 'missing required property "type" (one of "circle", "rect") (taken for the alternative where "type" is "circle")'),
    (TAGGED, {"type": "rect", "w": 1}, 'missing required property "h" (number) (taken for the alternative where "type" is "rect")'),
]  # fmt: skip
REQUIRED_X = {"required": ["x"]}
IS_A = {"properties": {"k": {"const": "a"}}, "required": ["k"]}
CONSTS = [{"const": value, "title": value.title()} for value in ("low", "high", "a", "b", "c")]
SHAPES = [
    {"type": "object", "properties": {"kind": {"const": kind}, name: {}}, "required": ["kind", name]}
    for kind, name in ((1, "r"), (2, "w"), (True, "h"))
]
OPEN = [
    {"type": "object", "properties": {"k": {"const": i}, f"p{i}": {}}, "required": ["k", f"p{i}"]} for i in range(12)
]
#: Statements about subschemas: true of everything that the reader may send, or an admission that there is more.
LINES += [
    # `not`
    ({"not": {"type": "string", "pattern": "^x"}}, "xy", 'expected anything but string that matches the pattern "^x", got the string "xy"'),
    ({"not": {"pattern": "^x"}}, "xy", 'expected string other than string that matches the pattern "^x", got the string "xy"'),
    ({"not": {"type": "integer", "multipleOf": 5}}, 10, "expected anything but integer that is a multiple of 5, got 10"),
    ({"not": {"type": "array", "minItems": 3}}, [1, 2, 3], "expected anything but array of at least 3 items, got an array of 3 items"),
    ({"not": IS_A}, {"k": "a"}, 'expected object other than object with "k": "a", got an object with "k"'),
    ({"not": {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}}, {"a": 1}, 'expected object other than object with "a" or object with "b", got an object with "a"'),
    ({"not": {"type": "object", "maxProperties": 1}}, {}, 'the value matches the schema under "not" (object and further conditions) and must not, got an empty object'),
    ({"not": {"type": "object", "required": ["a"]}}, {"a": 1}, '"a" must not be given'),
    ({"not": True}, 1, "nothing may stand here, got 1"),
    # `contains`
    ({"contains": {"type": "integer", "minimum": 3}}, ["a", "b"], "expected at least 1 item of the kind integer of at least 3, found none"),
    ({"contains": {"minimum": 5}}, [1], "expected at least 1 item of the kind number of at least 5, found none; item 0 comes near: /0: expected number of at least 5, got 1"),
    ({"contains": {"const": "x"}}, ["y", "z"], 'expected at least 1 item equal to "x", found none'),
    ({"contains": {"type": "object", **IS_A}}, ["y", {"k": "b"}], 'expected at least 1 item of the kind object with "k": "a", found none; item 1 comes near: /1/k: expected "a", got the string "b"'),
    ({"contains": {"type": "object", "minProperties": 1}, "minContains": 2}, [{"a": 1}], "expected at least 2 items of the kind object and further conditions, found 1"),
    # What a condition asks for
    ({"if": IS_A, "then": REQUIRED_X}, {"k": "a"}, 'missing required property "x" (asked because "k" is "a")'),
    ({"if": IS_A, "else": REQUIRED_X}, {"k": "b"}, 'missing required property "x" (asked unless "k" is "a")'),
    ({"if": {"properties": {"k": {"const": "a"}}}, "then": REQUIRED_X}, {}, 'missing required property "x" (asked because "k" is not given)'),
    ({"if": {"properties": {"k": {"const": "a"}}}, "then": REQUIRED_X}, {"k": "a"}, 'missing required property "x" (asked because "k" is "a")'),
    ({"if": {"minProperties": 1}, "then": REQUIRED_X}, {"k": 1}, 'missing required property "x" (asked because the schema under "if" accepts the value)'),
    ({"if": {"type": "string"}, "then": False}, "a", "nothing may stand here, got the string \"a\" (asked because the value is string)"),
    ({"dependentSchemas": {"a": REQUIRED_X}}, {"a": 1}, 'missing required property "x" (asked because "a" is given)'),
    # Enumerations that are spread over branches
    ({"oneOf": CONSTS}, "hgih", 'expected one of "low", "high", "a", "b", "c", got the string "hgih"; did you mean "high"?'),
    ({"anyOf": [{"enum": ["auto", "none"]}, {"type": "integer"}]}, "atuo", 'expected one of "auto", "none" or integer, got the string "atuo"; did you mean "auto"?'),
    # Several ways
    ({"anyOf": [{"type": "number"}, {"type": "string", "pattern": "px$"}]}, "5", 'expected a string that matches the pattern "px$", got the string "5" (number is allowed too)'),
    ({"anyOf": [{"type": "string", "maxLength": 1}, {"type": "string", "pattern": "^z"}]}, "abc", 'expected string of at most 1 character or string that matches the pattern "^z", got the string "abc"'),
    ({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"a": 1, "b": 2}, 'the value matches alternatives 1 (object with "a") and 2 (object with "b") of 2, and must match exactly one; give only one of "a", "b"'),
    ({"oneOf": [{"required": ["a"]}, {"required": ["a", "b"]}]}, {"a": 1, "b": 2}, 'the value matches alternatives 1 (object with "a") and 2 (object with "a", "b") of 2, and must match exactly one; leave out "b"'),
    # Branches told apart by a tag of another type
    ({"oneOf": SHAPES}, {"kind": 2, "r": 1}, 'missing required property "w" (taken for the alternative where "kind" is 2)'),
    ({"oneOf": SHAPES}, {"kind": True, "r": 1}, 'missing required property "h" (taken for the alternative where "kind" is true)'),
    ({"oneOf": SHAPES}, {"r": 1}, 'missing required property "kind" (one of 1, 2, true) (taken for the alternative where "kind" is 1)'),
    ({"oneOf": SHAPES}, {"z": 1}, 'expected object with "kind": 1, "r" or object with "kind": 2, "w" or object with "kind": true, "h", got an object with "z"'),
    ({"oneOf": OPEN}, {"z": 1}, 'expected object with "k" one of 0, 1, 2, 3, 4, 5 and 6 more, got an object with "z"'),
    # The type is kept
    ({"type": ["integer", "null"], "minimum": 5}, 1, "expected integer of at least 5, got 1"),
    ({"dependentRequired": {"a": ["b", "c"]}}, {"a": 1}, 'where "a" is given, "b" and "c" must be given too'),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "instance", "line"), LINES)
def test_lines(schema: Any, instance: Any, line: str) -> None:
    report = schemafuse.compile(schema, assert_formats=True).check(instance)
    first, second = report.text().split("\n")
    assert first == "The arguments are not valid: 1 problem."
    assert second == f"- / (the root): {line}"


def test_a_tag_with_a_value_of_no_branch() -> None:
    report = schemafuse.compile(TAGGED).check({"type": "oval", "w": 1, "h": 1})
    assert report.text().endswith('- /type: expected one of "circle", "rect", got the string "oval"')


@pytest.mark.parametrize(("value", "said"), [(3, "3"), (None, "null"), (1.5, "1.5"), ("1", 'the string "1"')])
def test_a_tag_of_another_type_with_a_value_of_no_branch(value: Any, said: str) -> None:
    report = schemafuse.compile({"oneOf": SHAPES}).check({"kind": value})
    assert report.text().partition("; ")[0].endswith(f"- /kind: expected one of 1, 2, true, got {said}")


def test_what_looks_the_same_is_told_apart() -> None:
    closed = {"properties": {"größe": {}}, "additionalProperties": False}
    for schema, instance, given, known in (
        (closed, {"gro\u0308ße": 1}, "gro\\u0308\\u00dfe", "gr\\u00f6\\u00dfe"),
        ({"required": ["größe"]}, {"gro\u0308ße": 1}, "gro\\u0308\\u00dfe", "gr\\u00f6\\u00dfe"),
        ({"enum": ["paypal", "card"]}, "p\u0430ypal", "p\\u0430ypal", "paypal"),
    ):
        (error,) = schemafuse.compile(schema).check(instance).errors
        assert f'"{given}"' in error.message
        assert f'"{known}"' in error.message
    (error,) = schemafuse.compile(closed).check({"grösse": 1}).errors
    assert '"grösse"' in error.message


def test_missing_properties_come_together_with_type_and_description() -> None:
    city = {"type": "string", "description": "City name. " + "Long. " * 50}
    schema = {"properties": {"city": city, "units": {"enum": ["C", "F"]}}, "required": ["city", "units"]}
    (error,) = schemafuse.compile(schema).check({}).errors
    assert error.message.startswith('/ (the root): missing required properties "city" (string: "City name. Long.')
    assert '"units" (one of "C", "F")' in error.message
    assert len(error.message) < 250


def test_long_enums_are_cut_around_the_nearest_values() -> None:
    schema = {"enum": [f"value{i:03}" for i in range(300)]}
    (error,) = schemafuse.compile(schema).check("valu150").errors
    assert 'expected one of "value150", ' in error.message
    assert "and 294 more" in error.message
    assert error.message.endswith('did you mean "value150"?')


def test_a_dialect_of_somebodys_own_cannot_speak_for_us() -> None:
    metaschema = {
        "$id": "https://example.com/own",
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": True, "https://json-schema.org/draft/2020-12/vocab/applicator": True},
    }  # fmt: skip
    schema = {
        "$schema": metaschema["$id"],
        "properties": {"a": {"type": ["Ignore this.", 5], "not": {}}, "b": {"type": 5, "not": {}}},
    }
    report = schemafuse.compile(schema, resources={metaschema["$id"]: metaschema}).check({"a": 1, "b": 1})
    assert len(report.errors) == 2
    assert "Ignore" not in report.text()


def test_the_page_shows_what_is_said_today() -> None:
    docs = Path(__file__).resolve().parents[1] / "docs"
    page = (docs / "errors.md").read_text(encoding="utf-8")
    script = runpy.run_path(str(docs / "make_errors.py"))
    schema = json.loads((docs / "errors.json").read_text(encoding="utf-8"))["schema"]
    validator = schemafuse.compile(schema, assert_formats=True)
    for _, changes in script["MISTAKES"]:
        assert validator.check(script["arguments"](changes)).text() in page
