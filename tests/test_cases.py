"""Every case of `tests/cases` has an outcome that it admits.

The cases run in the harness of `fuzz/`: each in a process of its own, with 2 seconds, 256 MB, no file and no socket.
Cases whose outcome is described in words (`expect: "other"`) have a test of their own below. `NEEDS_MCP` names those
that wait for `schemafuse.mcp`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from fuzz.cases import DECIDED_OTHERWISE, NEEDS_MCP, Case, by_key, hostile, reports
from fuzz.harness import Harness

import schemafuse
from schemafuse import Report

#: Cases that only a test of their own can judge; see below.
DESCRIBED = {"c04e", "c05o", "c06e", "c08e", "c08i", "d04f"}

NAMES = [case for case in reports() if case.role == "tool_name"]
BOUNDED = [c for c in (*reports(), *hostile()) if c not in NAMES and c.key not in NEEDS_MCP and c.key not in DESCRIBED]


@pytest.fixture(scope="module")
def harness() -> Iterator[Harness]:
    with Harness("schemafuse") as running:
        yield running


@pytest.mark.parametrize("case", BOUNDED, ids=lambda case: case.key)
def test_hostile_or_reported(case: Case, harness: Harness) -> None:
    outcome = harness.run(case.key)
    if case.key in DECIDED_OTHERWISE:
        assert not case.allowed & set(outcome.labels), f"{case.key} is admitted: take it off the list"
        assert {"valid", "invalid"} & set(outcome.labels)
    elif not case.allowed & set(outcome.labels):
        pytest.fail(f"{case.key}: {outcome}, not one of {sorted(case.allowed)}; {case.note}", pytrace=False)


@pytest.mark.parametrize("case", NAMES, ids=lambda case: case.key)
def test_tool_name(case: Case) -> None:
    _, name = case.build()
    problems = schemafuse.check_tool_name(name)
    assert (not problems) is ("valid" in case.allowed), case.note
    assert all(problem.code and problem.message for problem in problems)


def test_no_case_is_left_out() -> None:
    judged = {case.key for case in (*BOUNDED, *NAMES)} | DESCRIBED | NEEDS_MCP.keys()
    assert judged == by_key().keys()


def check(key: str, instance: object = None) -> Report:
    """Check a described case, or another instance against its schema."""
    schema, own = by_key()[key].build()
    return schemafuse.compile(schema).check(own if instance is None else instance)


def test_a_lone_surrogate_is_one_character_and_breaks_no_encoder() -> None:
    assert check("c04e").status == "valid"
    assert schemafuse.compile({"maxLength": 1}).is_valid("\ud800")
    for schema in ({"maxLength": 0}, {"type": "integer"}, {"pattern": "a"}, {"enum": ["\udfff"]}, {"format": "email"}):
        report = schemafuse.compile(schema, assert_formats=True).check("\ud800")
        assert report.status == "invalid"
        assert report.text().encode()
        assert report.errors[0].message.encode()


def test_leading_inline_flags_have_the_meaning_of_their_language() -> None:
    assert check("c05o").ok
    assert not check("c05o", "NO").ok


def test_a_pointer_may_cross_an_embedded_resource() -> None:
    assert check("c06e").ok
    assert not check("c06e", {"a": 1}).ok


def test_format_is_an_annotation_in_every_dialect_unless_asked_for() -> None:
    assert check("c08e").ok
    schema, instance = by_key()["c08e"].build()
    assert not schemafuse.compile(schema, assert_formats=True).is_valid(instance)


def test_dependencies_is_no_silent_no_op_in_newer_dialects() -> None:
    assert check("c08i").status == "invalid"
    assert check("c08i", {"card": 1, "cvc": 2}).ok


def test_an_instance_that_contains_itself_is_not_json() -> None:
    report = check("d04f")
    assert report.status == "invalid"
    assert "JSON" in report.errors[0].message


def test_tools_that_share_an_id_are_judged_each_by_its_own_schema() -> None:
    cache = schemafuse.ValidatorCache()
    for key in ("m11a", "m11b", "m11c"):
        schema, instance = by_key()[key].build()
        assert cache.get(schema).is_valid(instance) is ("valid" in by_key()[key].allowed)


def test_an_error_below_a_reference_is_located_in_the_instance() -> None:
    error = check("m01c").errors[0]
    assert (error.instance_location, error.schema_location) == ("/filter/max", "#/$defs/Filter/properties/max/type")
    assert error.evaluation_path == "/properties/filter/$ref/properties/max/type"


@pytest.mark.parametrize("key", ["e04a", "e04d"])
def test_a_missing_property_does_not_echo_the_object(key: str) -> None:
    text = check(key).text()
    assert "tok_live_abc" not in text
    assert "x" * 100 not in text


def test_an_unknown_dialect_is_named() -> None:
    schema, _ = by_key()["m04e"].build()
    with pytest.raises(schemafuse.SchemaError, match=re.escape("https://example.com/dialect/v9")) as caught:
        schemafuse.compile(schema)
    assert caught.value.code == "unsupported_dialect"
