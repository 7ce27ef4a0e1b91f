# ruff: noqa: E501  (tables of cases)
"""Which failures are reported, in which order, and what explaining costs."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest
from bench.mistakes import examples, single
from bench.readability import Judges, kept, measure

import schemafuse


def test_the_figures_are_kept_on_the_committed_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCHEMAFUSE_CORPUS", raising=False)
    assert kept(measure())


def places_of(schema: Any, instance: Any) -> list[tuple[str | None, str]]:
    report = schemafuse.compile(schema).check(instance)
    return [(error.keyword, error.instance_location) for error in report.errors]


BY_NAMES = [
    {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
    {
        "type": "object",
        "properties": {"name": {"type": "string"}, "org": {"type": "string"}},
        "required": ["name", "org"],
    },
]


@pytest.mark.parametrize(
    ("branches", "instance", "first"),
    [
        (BY_NAMES, {"name": "x", "orgg": "y"}, ("required", "")),
        (BY_NAMES, {"name": 5, "org": "y"}, ("type", "/name")),
        (BY_NAMES, {"id": "5"}, ("type", "/id")),
        ([{"type": "string"}, {"type": "array", "items": {"type": "string"}}], ["a", 5], ("type", "/1")),
        ([{"type": "string"}, {"type": "null"}], 5, ("anyOf", "")),
        # A value that is no tag at all says nothing about the branch; the names do.
        (
            [
                {"properties": {"operator": {"type": "string"}, "value": {}}, "required": ["operator", "value"]},
                {
                    "properties": {"operator": {"enum": ["and", "or"]}, "filters": {}},
                    "required": ["operator", "filters"],
                },
            ],
            {"operator": None, "filters": []},
            ("enum", "/operator"),
        ),
        (
            [
                {"properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}, "required": ["kind", "x"]},
                {"properties": {"kind": {"const": "b"}, "y": {"type": "integer"}}, "required": ["kind", "y"]},
            ],
            {"kind": "b", "x": 1},
            ("required", ""),
        ),
    ],
)
def test_the_branch_that_was_meant(branches: Any, instance: Any, first: tuple[str, str]) -> None:
    for keyword in ("anyOf", "oneOf"):
        keyword_first = (keyword, *first[1:]) if first[0] == "anyOf" else first
        assert places_of({keyword: branches}, instance)[0] == keyword_first


def test_the_union_comes_after_what_is_wrong_inside_and_is_covered() -> None:
    (inner, union) = schemafuse.compile({"anyOf": BY_NAMES}).check({"id": "5"}).errors
    assert (inner.keyword, union.keyword, union.covered, union.context[0].keyword) == ("type", "anyOf", True, "type")
    assert inner.schema_location == "#/anyOf/0/properties/id/type"


def branches(*names: str) -> list[Any]:
    return [{"type": "object", "properties": {name: {"type": "integer"}}, "required": [name]} for name in names]


@pytest.mark.parametrize(
    ("parts", "instance", "places"),
    [
        ([{"pattern": "^a"}, {"pattern": "b$"}], "z", [("pattern", ""), ("pattern", "")]),
        ([{"not": {"const": 1}}, {"not": {"type": "integer"}}], 1, [("not", ""), ("not", "")]),
        ([{"contains": {"const": 1}}, {"contains": {"const": 2}}], [], [("contains", ""), ("contains", "")]),
        ([{"dependentRequired": {"a": ["x"], "b": ["y"]}}], {"a": 1, "b": 2}, [("dependentRequired", "")] * 2),
        ([{"oneOf": branches("a", "b")}, {"oneOf": branches("c", "d")}], {}, [("oneOf", ""), ("oneOf", "")]),
        ([{"$ref": "#/$defs/s"}, {"$ref": "#/$defs/s"}], 1, [("type", "")]),
    ],
)
def test_every_distinct_failure_is_told_once(parts: list[Any], instance: Any, places: list[Any]) -> None:
    assert places_of({"allOf": parts, "$defs": {"s": {"type": "string"}}}, instance) == places


def test_what_reads_the_same_stands_in_a_text_once() -> None:
    report = schemafuse.compile({"allOf": [{"type": "string"}, {"type": "string"}]}).check(1)
    assert [error.covered for error in report.errors] == [False, True]
    assert report.text().startswith("The arguments are not valid: 1 problem.\n")


def test_what_is_covered_uses_up_no_room() -> None:
    validator = schemafuse.compile({"items": {"anyOf": branches("a", "b")}}, limits=schemafuse.Limits(max_errors=4))
    for wrong in (3, 4, 5):
        report = validator.check([{"a": "x"}] * wrong)
        told = [error for error in report.errors if not error.covered]
        assert len(report.errors) == 4
        assert len(told) == min(wrong, 4)
        assert report.more_errors is (wrong > 4)
        assert report.text().startswith(f"The arguments are not valid: {'4 or more' if wrong > 4 else wrong} problems.")


def test_more_problems_in_a_branch_than_there_is_room_for() -> None:
    known = {"type": "object", "properties": {f"p{i}": {"type": "integer"} for i in range(9)}}
    instance = {f"p{i}": "x" for i in range(9)}
    report = schemafuse.compile({"anyOf": [known, {"type": "null"}]}).check(instance)
    assert report.more_errors
    assert not schemafuse.compile({"anyOf": [known, {"type": "null"}]}).check({**instance, "p0": 1}).more_errors


def test_where_nothing_speaks_for_a_branch_only_what_all_want_is_told() -> None:
    schema = {"anyOf": [{"properties": {"id": {"type": "integer"}, name: {"type": "integer"}}} for name in "ab"]}
    assert places_of(schema, {"id": "x"}) == [("type", "/id"), ("anyOf", "")]
    assert "alternative" not in schemafuse.compile(schema).check({"id": "x"}).text()


def test_not_json_inside_a_union_is_found() -> None:
    schema = {"oneOf": [{"properties": {"k": {"const": tag}}, "required": ["k"]} for tag in "ab"]}
    (error,) = schemafuse.compile(schema).check({"k": float("nan")}).errors
    assert (error.keyword, error.instance_location) == (None, "/k")


def test_the_same_every_time() -> None:
    schema = {"anyOf": BY_NAMES, "additionalProperties": {"enum": [1, "two", None]}}
    instance = {f"n{i}": i for i in range(20)}
    texts = {json.dumps(schemafuse.compile(schema).check(dict(instance)).to_dict()) for _ in range(5)}
    assert len(texts) == 1


def test_what_others_cover_takes_no_room() -> None:
    either = {"type": "string", "enum": ["a", "b"]}
    schema = {"properties": {f"p{i}": either for i in range(9)}}
    for wrong in (8, 9):
        report = schemafuse.compile(schema).check({f"p{i}": None for i in range(wrong)})
        assert [error.keyword for error in report.errors] == ["enum"] * 8
        assert report.more_errors is (wrong > 8)
    one = schemafuse.compile({"properties": {"p": either}}, limits=schemafuse.Limits(max_errors=1))
    assert one.check({"p": None}).text().count("expected one of") == 1


BIG = "x" * 5_000_000
HOSTILE: list[tuple[str, Any, Any]] = [
    ("a long string", {"properties": {"a": {"type": "integer"}}}, {"a": BIG}),
    ("a long name", {"additionalProperties": {"type": "integer"}}, {BIG: "x"}),
    ("a long unknown name", {"properties": {"abc": {}}, "additionalProperties": False}, {BIG: "x"}),
    ("many unknown names", {"properties": {"abc": {}}, "additionalProperties": False}, {f"k{i}": 1 for i in range(10**5)}),
    ("many names known", {"properties": {f"v{i}": {} for i in range(5000)}, "additionalProperties": False}, {f"w{i}": 1 for i in range(5000)}),
    ("many missing", {"required": [f"value{i}" for i in range(5000)]}, {f"valeu{i}": 1 for i in range(5000)}),
    ("a long enum", {"enum": [f"value {i}" for i in range(10_000)]}, "Value 9999"),
    ("long values", {"enum": ["a" * 300_000, "b" * 300_000]}, "c"),
    ("a long description", {"properties": {"a": {"description": "d" * 900_000}}, "required": ["a"]}, {}),
    ("many branches", {"anyOf": [{"properties": {"k": {"const": f"v{i}"}}, "required": ["k"]} for i in range(1000)]}, {"k": "x"}),
    ("many branches without a tag", {"anyOf": [{"type": "object", "required": [f"p{i}"]} for i in range(1000)]}, {"k": "x"}),
    ("many branches with many tags", {"items": {"oneOf": [{"properties": {f"k{j}": {"$ref": "#/$defs/e"} for j in range(20)}} for _ in range(200)]}, "$defs": {"e": {"enum": [f"v{i}" for i in range(50)]}}}, [{f"k{j}": 1 for j in range(20)} for _ in range(50)]),
    ("branches that are equally near, nested", {"$defs": {"d0": {"type": "integer"}, **{f"d{i}": {"anyOf": [{"type": "object", "properties": {"a": {"$ref": f"#/$defs/d{i - 1}"}}}] * 2} for i in range(1, 31)}}, "$ref": "#/$defs/d30"}, json.loads('{"a":' * 30 + '"x"' + "}" * 30)),
    ("a long enum in each of many branches", {"anyOf": [{"$ref": "#/$defs/e"}] * 200, "$defs": {"e": {"enum": [f"v{i}" for i in range(5_000)]}}}, "v49999"),
    ("names of the same words", {"items": {"properties": dict.fromkeys(["x_y_" * 45 + f"{i}_z" for i in range(990)], True), "additionalProperties": False}}, [{"x_y_" * (20 + k) + "x": 1 for k in range(10)}] * 80),
    ("values of the same words", {"items": {"enum": ["xY" * 95 + f"Q{i}Z" for i in range(1990)]}}, ["xYxY" * 20 + "Q"] * 8),
    ("many wrong items", {"items": {"type": "integer"}}, ["5"] * 10**5),
    ("deep JSON text", {"type": "array"}, "[" * 40_000 + "]" * 40_000),
    ("many digits", {"type": "integer"}, "9" * 90_000),
    ("a huge integer", {"type": "string"}, 10**100_000),
    ("unions in unions", {"$defs": {"d0": {"type": "integer"}, **{f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{i - 1}"}, {"type": "array", "items": {"$ref": f"#/$defs/d{i - 1}"}}]} for i in range(1, 40)}}, "$ref": "#/$defs/d39"}, [[["x"]]]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "schema", "instance"), HOSTILE, ids=[name for name, *_ in HOSTILE])
def test_explaining_is_bounded(name: str, schema: Any, instance: Any) -> None:
    validator = schemafuse.compile(schema)
    start = time.perf_counter()
    report = validator.check(instance)
    text, data = report.text(), json.dumps(report.to_dict())
    repaired, after = validator.repair(instance)
    assert time.perf_counter() - start < 4
    assert report.status == "invalid"
    assert report.errors
    assert len(text) <= validator.limits.max_text_chars
    assert all(len(error.message) <= 1000 for error in report.errors)
    assert after.status in ("valid", "invalid")
    if name not in ("a long name",):  # the location is what it is
        assert len(data) < 20_000
    assert repaired is not instance or not isinstance(instance, (dict, list))


def test_a_small_budget_still_gives_an_error() -> None:
    limits = schemafuse.Limits(max_steps=30)
    report = schemafuse.compile({"items": {"type": "integer"}}, limits=limits).check(["5"])
    assert report.status == "invalid"
    assert report.errors


def test_a_value_that_changes_meanwhile_is_no_error() -> None:
    item = ["5"]
    report = schemafuse.compile({"items": {"type": "integer"}, "properties": {"a": {"type": "array"}}}).check(item)
    item.clear()
    assert report.errors[0].fix == [{"op": "replace", "path": "/0", "value": 5}]


def test_verdicts_are_those_of_the_peer() -> None:
    for _, schema, right in list(examples())[:20]:
        judges = Judges.of(schema)
        for case in single("", schema, right, random.Random(1)):
            report = judges.ours.check(case.wrong)
            assert (report.status == "invalid") == (not judges.native.is_valid(case.wrong))
