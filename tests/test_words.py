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
    ({"contains": {"type": "integer"}}, ["a"], "expected at least 1 item of the kind integer, found 0"),
    ({"contains": {"type": "null"}, "maxContains": 1}, [None] * 2, "expected at most 1 item of the kind null, found 2"),
    ({"not": {"const": "x"}}, "x", 'expected anything but "x", got the string "x"'),
    ({"not": {"required": ["a", "b"]}}, {"a": 1, "b": 1}, '"a", "b" must not be given together'),
    ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, 'where "a" is given, "b" must be given too'),
    ({"prefixItems": [{}], "items": False}, [1, 2], "expected at most 1 item, got an array of 2 items"),
    ({"prefixItems": [{}], "unevaluatedItems": False}, [1, 2], "no item may stand at position 1, got an array of 2 items"),
    ({"propertyNames": {"maxLength": 2}}, {"abc": 1}, 'the name of a property: expected at most 2 characters, got 3: "abc"'),
    (False, 1, "nothing may stand here, got 1"),
    ({"const": "v1"}, "v2", 'expected "v1", got the string "v2"'),
    ({"enum": ["C", "F"]}, "K", 'expected one of "C", "F", got the string "K"'),
    ({"required": ["a"]}, {}, 'missing required property "a"'),
    ({"additionalProperties": False}, {"a": 1}, 'unknown property "a"; leave it out'),
    ({"properties": {"ok": {}}, "additionalProperties": False}, {"a": 1}, 'unknown property "a"; allowed: "ok"'),
    (NULLABLE, "x", 'expected integer of at least 1 or null, got the string "x"'),
    (NULLABLE, 0, "expected integer of at least 1, got 0"),
    ({"oneOf": [{"type": "integer"}, {"minimum": 3}]}, 5, "the value matches alternatives 1 and 2 of 2, and must match exactly one"),
    ({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, {}, 'expected object with "a" or object with "b", got an empty object'),
    (TAGGED, {"r": 1}, 'missing required property "type" (one of "circle", "rect") (taken for the alternative where "type" is "circle")'),
    (TAGGED, {"type": "rect", "w": 1}, 'missing required property "h" (number) (taken for the alternative where "type" is "rect")'),
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
