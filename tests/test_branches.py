"""What tells the branches of a union apart: found by JSON's equality, and at a cost that no schema can drive up."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from time import perf_counter
from typing import Any

import pytest

import schemafuse
from schemafuse import SchemaError
from schemafuse.branches import evidence, portraits
from schemafuse.lowering.tags import is_among
from schemafuse.subschemas import Subschema, Tag


def compiled(schema: Any) -> Subschema:
    return schemafuse.compile(schema, limits=schemafuse.Limits(max_compile_ms=60_000)).root


def tag_of(*members: dict[str, Any], **more: Any) -> Tag | None:
    """The tag of a union with these properties, by member, in its branches."""
    return compiled({"oneOf": [{"properties": properties} for properties in members], **more}).tags.get("oneOf")


A = {"k": {"const": "a"}}


@pytest.mark.parametrize(
    ("members", "tag"),
    [
        ([{"k": {"const": "a"}}, {"k": {"enum": ["b", "c"]}}], ("k", [("a", 0), ("b", 1), ("c", 1)])),
        ([{"v": {"const": 1}}, {"v": {"const": 2}}], ("v", [(1, 0), (2, 1)])),
        ([{"v": {"const": 1}}, {"v": {"const": True}}], ("v", [(1, 0), (True, 1)])),
        ([{"v": {"const": False}}, {"v": {"enum": [0, None]}}], ("v", [(False, 0), (0, 1), (None, 1)])),
        ([{"v": {"const": "1"}}, {"v": {"const": 1.5}}], ("v", [("1", 0), (1.5, 1)])),
        # A member with strings only comes first, wherever it stands.
        ([{"v": {"const": 1}, "k": {"const": "a"}}, {"v": {"const": 2}, "k": {"const": 3}}], ("v", [(1, 0), (2, 1)])),
        ([{"v": {"const": 1}, "k": {"const": "a"}}, {"v": {}, "k": {"const": "b"}}], ("k", [("a", 0), ("b", 1)])),
        ([{"v": {"const": 1}, **A}, {"v": {"const": 2}, "k": {"const": "b"}}], ("k", [("a", 0), ("b", 1)])),
        ([{"k": {"enum": ["a", "a"]}}, {"k": {"const": "b"}}], ("k", [("a", 0), ("b", 1)])),
        ([{"v": {"const": 1}}, {"v": {"const": 1.0}}], None),
        ([{"k": {"const": "a"}}, {"k": {"enum": ["b", "a"]}}], None),
        ([{"k": {"const": "a"}}, {"k": {}}], None),
        ([{"k": {"const": "a"}}, {"k": {"const": ["b"]}}], None),
    ],
)  # fmt: skip
def test_the_member_that_tells_branches_apart(members: list[dict[str, Any]], tag: Tag | None) -> None:
    assert tag_of(*members) == tag


def test_a_tag_has_a_value_by_the_equality_of_json() -> None:
    by_tag = [(1, 0), (False, 1)]
    assert is_among(1.0, by_tag)
    assert is_among(False, by_tag)
    for value in (True, 0, "1", None, [1], {}):
        assert not is_among(value, by_tag)


def test_verdicts_do_not_depend_on_tags_that_are_no_strings() -> None:
    branches = [{"properties": {"v": {"const": value}}, "required": ["v"]} for value in (1, True, None, "1")]
    validator = schemafuse.compile({"oneOf": branches})
    assert [validator.is_valid({"v": value}) for value in (1, 1.0, True, None, "1", 0, False, "true", [1])] == [
        *[True] * 5,
        *[False] * 4,
    ]


def test_tags_of_any_scalar_are_named() -> None:
    branches = [
        {"type": "object", "properties": {"v": {"const": value}, "a": {"type": "integer"}}, "required": ["v", "a"]}
        for value in (1, True)
    ]
    validator = schemafuse.compile({"oneOf": branches})
    assert "expected one of 1, true" in validator.check({"v": 3, "a": 1}).text()
    assert 'the alternative where "v" is true' in validator.check({"v": True, "a": "x"}).text()


@pytest.mark.parametrize(
    ("each", "branches", "has_tag"), [(16, 2, True), (17, 2, False), (2, 1000, True), (3, 1000, False)]
)
def test_a_tag_has_a_bounded_number_of_values(each: int, branches: int, has_tag: bool) -> None:
    members = [{"k": {"enum": [f"{index}-{value}" for value in range(each)]}} for index in range(branches)]
    assert (tag_of(*members) is not None) is has_tag


def test_evidence_counts_members_by_the_equality_of_json() -> None:
    root = compiled(
        {"anyOf": [{"properties": {"v": {"const": value}, "k": {"const": f"K{value}"}}} for value in (1, True, 2)]}
    )
    branches: Any = root.children["anyOf"]
    drawn = portraits(branches)
    assert [evidence(drawn, index, {"v": 1.0}) for index in range(3)] == [(0, 1, 0), (-1, 0, 0), (-1, 0, 0)]
    assert [evidence(drawn, index, {"v": True, "x": 1}) for index in range(3)] == [(-1, 0, -1), (0, 1, -1), (-1, 0, -1)]
    assert [evidence(drawn, index, {"k": "k2", "v": []}) for index in range(3)] == [(0, 0, 0), (0, 0, 0), (0, 1, 0)]


# --- families that made the work grow with branches times values, or branches times names -------------------------


def values(count: int, first: int = 0) -> Any:
    return {"enum": [f"{number:x}" for number in range(first, first + count)]}


def references(name: str, count: int) -> list[Any]:
    return [{"$ref": f"#/$defs/{name}"} for _ in range(count)]


def record(**properties: Any) -> Any:
    return {"type": "object", "properties": properties}


def one_target() -> tuple[Any, Any]:
    return {"oneOf": references("d", 9_000), "$defs": {"d": record(p=values(10_000))}}, {"p": "z"}


def many_members() -> tuple[Any, Any]:
    members = {f"p{i}": values(10_000) for i in range(12)}
    return {"anyOf": references("d", 200), "$defs": {"d": record(**members)}}, dict.fromkeys(members, "z")


def one_list_of_values() -> tuple[Any, Any]:
    return {"items": {"anyOf": references("d", 9_000)}, "$defs": {"d": values(10_000)}}, ["z"] * 8


def many_unions_of_large_lists() -> tuple[Any, Any]:
    unions = {f"u{i}": {"oneOf": references("a", 1) + references("b", 1)} for i in range(3_000)}
    definitions = {"a": record(p=values(10_000)), "b": record(p=values(10_000, 10_000))}
    return {"properties": unions, "$defs": definitions}, {name: {"p": "z"} for name in unions}


def many_unions_of_many_members() -> tuple[Any, Any]:
    unions = {f"u{i}": {"oneOf": references("a", 1) + references("b", 1)} for i in range(2_000)}
    members = {f"p{i}": {"const": "a"} for i in range(1_000)}
    definitions = {"a": record(**members), "b": record(**members)}
    return {"properties": unions, "$defs": definitions}, {name: dict.fromkeys(members, "z") for name in unions}


def many_branches_with_many_tags() -> tuple[Any, Any]:
    branches = [record(**{f"p{i}": {"const": f"{k}"} for i in range(45)}) for k in range(200)]
    return {"items": {"anyOf": branches}}, [{f"p{i}": "z" for i in range(60)}] * 30


def wide_targets() -> tuple[Any, Any]:
    definitions = {"big": {"anyOf": [record(**{f"q{i}": {}}) for i in range(3_000)]}}
    branches = [{"required": [f"r{i}"], "$ref": "#/$defs/big"} for i in range(190)]
    return {"items": {"anyOf": branches}, "$defs": definitions}, [{f"p{i}": "z" for i in range(60)}] * 20


def long_chains() -> tuple[Any, Any]:
    definitions = {f"d{i}": {"$ref": f"#/$defs/d{i + 1}", "type": "string"} for i in range(8)}
    return {"items": {"anyOf": references("d0", 9_000)}, "$defs": {**definitions, "d8": values(10_000)}}, ["z!"] * 8


def large_objects_with_long_texts() -> tuple[Any, Any]:
    branches = [record(**{f"p{i}": {"const": f"{k}"} for i in range(20)}) for k in range(200)]
    return {"anyOf": branches}, {f"p{i}": "z" * 1_000_000 for i in range(20)} | {f"q{i}": 1 for i in range(100_000)}


FAMILIES: list[Callable[[], tuple[Any, Any]]] = [
    one_target,
    many_members,
    one_list_of_values,
    many_unions_of_large_lists,
    many_unions_of_many_members,
    many_branches_with_many_tags,
    wide_targets,
    long_chains,
    large_objects_with_long_texts,
]


@pytest.mark.parametrize("family", FAMILIES)
def test_unions_are_bounded(family: Callable[[], tuple[Any, Any]]) -> None:
    """Each took seconds to minutes, or gigabytes. The allowances are several times what a slow machine needs."""
    schema, instance = family()
    begin = perf_counter()
    with contextlib.suppress(SchemaError):
        schemafuse.compile(schema)
    assert perf_counter() - begin < 2.5
    validator = schemafuse.compile(schema, limits=schemafuse.Limits(max_compile_ms=60_000))
    assert sum([len(by_tag) for part in validator._document.subschemas for _, by_tag in part.tags.values()]) <= 20_000
    begin = perf_counter()
    report = validator.check(instance)
    assert report.text()
    assert perf_counter() - begin < 4
    assert report.status in ("invalid", "exhausted")
