"""Each limit admits what is just within it, and refuses or ends what is just beyond in the way that it promises."""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import schemafuse
from schemafuse import Limits, SchemaError
from schemafuse.limits import CEILINGS, LARGEST

NAMES = [field.name for field in dataclasses.fields(Limits)]
#: The clock must not be what ends a check or a compilation here.
PATIENT = Limits(max_time_ms=600_000, max_compile_ms=600_000)
SMALLEST = {"max_text_chars": 200, "max_value_chars": 16}


def nest(levels: int, wrap: Callable[[Any], Any], leaf: Any) -> Any:
    for _ in range(levels):
        leaf = wrap(leaf)
    return leaf


def refusal(schema: Any, limits: Limits) -> str:
    """The code of the refusal, "" when the schema is admitted."""
    try:
        schemafuse.compile(schema, limits=limits)
    except SchemaError as error:
        return error.code
    return ""


def budget(schema: Any, instance: Any, limits: Limits) -> str:
    """The budget that ends the check, "" when there is a verdict."""
    report = schemafuse.compile(schema, limits=limits).check(instance)
    return report.exhausted.budget if report.exhausted else ""


# What compiling may cost ----------------------------------------------------------------------------------------------

#: limit, a size for it, a schema that uses exactly n of it, the code of the refusal
COMPILE_LIMITS: list[tuple[str, int, Callable[[int], Any], str]] = [
    ("max_schema_depth", 5, lambda n: nest(n - 1, lambda s: {"not": s}, {}), "too_deep"),
    ("max_schema_depth", 128, lambda n: nest(n - 1, lambda s: {"properties": {"a": s}}, {"type": "null"}), "too_deep"),
    (
        "max_schema_depth",
        7,
        lambda n: {"$ref": "#/default", "default": nest(n - 2, lambda s: {"not": s}, {})},
        "too_deep",
    ),
    ("max_json_depth", 6, lambda n: {"default": nest(n - 2, lambda x: [x], [])}, "too_deep"),
    ("max_json_depth", 256, lambda n: {"const": nest(n - 2, lambda x: {"a": x}, {})}, "too_deep"),
    ("max_subschemas", 10, lambda n: {"anyOf": [True] * (n - 1)}, "too_many_subschemas"),
    ("max_subschemas", 3_000, lambda n: {"$defs": {f"d{i}": {} for i in range(n - 1)}}, "too_many_subschemas"),
    ("max_schema_bytes", 40, lambda n: {"title": "x" * (n - 12)}, "too_large"),
    ("max_schema_bytes", 1 << 20, lambda n: {"title": "x" * (n - 12)}, "too_large"),
    ("max_pattern_chars", 20, lambda n: {"pattern": "é" * n}, "too_large"),
    ("max_pattern_chars", 1_024, lambda n: {"patternProperties": {"a" * n: True}}, "too_large"),
    ("max_enum_values", 10, lambda n: {"enum": list(range(n))}, "too_large"),
    ("max_enum_values", 10_000, lambda n: {"properties": {"a": {"enum": [f"v{i}" for i in range(n)]}}}, "too_large"),
    ("max_integer_digits", 5, lambda n: {"const": 10 ** (n - 1)}, "too_large"),
    ("max_integer_digits", 4_300, lambda n: {"maximum": -(10**n) + 1}, "too_large"),
]


@pytest.mark.parametrize(
    ("name", "limit", "schema", "code"), COMPILE_LIMITS, ids=[f"{x[0]}-{x[1]}" for x in COMPILE_LIMITS]
)
def test_compile_limit(name: str, limit: int, schema: Callable[[int], Any], code: str) -> None:
    limits = PATIENT.replace(max_json_depth=256, max_schema_depth=128).replace(**{name: limit})
    for used in (limit - 1, limit):
        validator = schemafuse.compile(schema(used), limits=limits)
        assert validator.usage[name] == used
    with pytest.raises(SchemaError) as caught:
        schemafuse.compile(schema(limit + 1), limits=limits)
    assert caught.value.code == code
    assert name in caught.value.message
    assert f"the {limit} of" in caught.value.message or name == "max_subschemas"


def test_compile_time() -> None:
    schema = {"properties": {f"p{i}": {"enum": ["a", i]} for i in range(4_000)}}
    assert refusal(schema, Limits(max_compile_ms=1)) == "compile_timeout"
    assert refusal(schema, PATIENT) == ""


# What a check may cost ------------------------------------------------------------------------------------------------

TREE = {"type": ["array", "integer"], "items": {"$ref": "#"}}


def test_instance_depth() -> None:
    for limit in (1, 2, 20, CEILINGS["max_instance_depth"]):
        limits = PATIENT.replace(max_instance_depth=limit)
        for schema in (True, {}, TREE, {"uniqueItems": True}, {"unevaluatedItems": True}):
            for levels in (limit - 1, limit):
                assert budget(schema, nest(levels, lambda x: [x], 1), limits) == "", (schema, levels)
            assert budget(schema, nest(limit + 1, lambda x: [x], 1), limits) == "instance_depth", schema
            assert budget(schema, nest(limit + 1, lambda x: {"a": x}, 1), limits) in {"instance_depth", ""}


def test_steps() -> None:
    for schema, instance in (
        (TREE, [[1, 2], [3, [4]]] * 20),
        ({"uniqueItems": True}, list(range(100))),
        ({}, [{"a": [1]}]),
    ):
        steps = schemafuse.compile(schema, limits=PATIENT).check(instance).steps
        assert budget(schema, instance, PATIENT.replace(max_steps=steps + 1)) == ""
        assert budget(schema, instance, PATIENT.replace(max_steps=steps)) == ""
        short = schemafuse.compile(schema, limits=PATIENT.replace(max_steps=steps - 1)).check(instance)
        assert short.exhausted is not None
        assert (short.exhausted.budget, short.exhausted.limit) == ("steps", steps - 1)


MEMORY_HUNGRY: dict[str, tuple[Any, Any]] = {
    "a table of verdicts": (
        {
            "allOf": [{"items": {"$ref": "#/$defs/a"}}, {"items": {"$ref": "#/$defs/a"}}],
            "$defs": {"a": {"not": {"enum": [[1]]}}},
        },
        [[i] for i in range(500)],
    ),
    "sets of evaluated members": (
        {"allOf": [{"properties": {"p1": True}}], "unevaluatedProperties": {"type": "integer"}},
        {f"p{i}": i for i in range(20_000)},
    ),
    "uniqueItems": ({"uniqueItems": True}, list(range(5_000))),
}


@pytest.mark.parametrize("use", MEMORY_HUNGRY)
def test_memory(use: str) -> None:
    schema, instance = MEMORY_HUNGRY[use]
    low, high = 1, 1 << 24
    assert budget(schema, instance, PATIENT.replace(max_memory_bytes=high)) == ""
    while low < high:
        middle = (low + high) // 2
        low, high = (
            (low, middle)
            if not budget(schema, instance, PATIENT.replace(max_memory_bytes=middle))
            else (middle + 1, high)
        )
    assert low > 1_000
    # The edge is sharp, and does not move with what earlier checks have left behind.
    for _ in range(3):
        assert budget(schema, instance, PATIENT.replace(max_memory_bytes=low + 1)) == ""
        assert budget(schema, instance, PATIENT.replace(max_memory_bytes=low)) == ""
        assert budget(schema, instance, PATIENT.replace(max_memory_bytes=low - 1)) == "memory"


def test_an_exhausted_check_names_its_budget_and_limit() -> None:
    limits = PATIENT.replace(max_steps=10)
    report = schemafuse.compile(TREE, limits=limits).check([[1] * 20])
    assert report.status == "exhausted"
    assert not report.ok
    assert report.errors == ()
    assert report.exhausted is not None
    assert report.exhausted.to_dict() == {"budget": "steps", "limit": 10, "location": "/0"}
    with pytest.raises(schemafuse.BudgetExceeded) as caught:
        schemafuse.compile(TREE, limits=limits).is_valid([[1] * 20])
    assert caught.value.to_dict() == report.exhausted.to_dict()


# How long a report may be ---------------------------------------------------------------------------------------------


def test_errors() -> None:
    schema = {"additionalProperties": {"type": "integer"}}
    for limit in (1, 3, 8):
        validator = schemafuse.compile(schema, limits=Limits(max_errors=limit))
        for wrong in (limit - 1, limit, limit + 1):
            instance = {f"p{i}": "x" for i in range(wrong)}
            report = validator.check(instance)
            assert len(report.errors) == min(wrong, limit)
            assert report.more_errors is (wrong > limit)
            assert len(list(validator.iter_errors(instance))) == min(wrong, limit)


def test_text_chars() -> None:
    schema = {"additionalProperties": {"type": "integer"}}
    instance = {f"property {i}": "x" for i in range(8)}
    whole = schemafuse.compile(schema).check(instance).text()
    assert 200 < len(whole) < 2_000
    # A line that says how many were left out may need room.
    roomy = Limits(max_text_chars=len(whole) + 40)
    assert schemafuse.compile(schema, limits=roomy).check(instance).text() == whole
    for limit in (len(whole) + 1, len(whole), len(whole) - 1, 300, 201, 200):
        text = schemafuse.compile(schema, limits=Limits(max_text_chars=limit)).check(instance).text()
        assert len(text) <= limit
        assert text == whole or "more" in text


def test_text_chars_hold_for_an_exhausted_check_and_any_subject() -> None:
    limits = Limits(max_text_chars=200, max_steps=3)
    report = schemafuse.compile(TREE, limits=limits).check([1] * 9)
    for subject in ("arguments", "result", "x" * 5_000):
        assert len(report.text(subject)) <= 200


def test_value_chars() -> None:
    for limit in (16, 40, 80):
        for length in (limit - 3, limit - 2, limit - 1):  # in quotes: limit - 1, limit, limit + 1
            value = "v" * length
            report = schemafuse.compile({"type": "integer"}, limits=Limits(max_value_chars=limit)).check(value)
            for said in (report.text(), report.errors[0].message):
                assert (value in said) is (length + 2 <= limit), said
                assert "v" * (limit - 1) not in said


# The limits themselves ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_range(name: str) -> None:
    smallest, largest = SMALLEST.get(name, 1), CEILINGS.get(name, LARGEST)
    for value in (smallest, largest):
        assert getattr(Limits(**{name: value}), name) == value
    for value in (smallest - 1, largest + 1, 0, -1, 10**30):
        with pytest.raises(ValueError, match=name):
            Limits(**{name: value})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [True, 1.0, "1", None, [1], float("inf")])
def test_type(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=name):
        Limits(**{name: value})


def test_an_enum_member_is_an_integer() -> None:
    assert Limits(max_errors=enum.IntEnum("Few", {"THREE": 3}).THREE).max_errors == 3  # type: ignore[attr-defined]


def test_replace() -> None:
    limits = Limits(max_errors=3)
    changed = limits.replace(max_steps=7, max_text_chars=300)
    assert (changed.max_errors, changed.max_steps, changed.max_text_chars) == (3, 7, 300)
    assert limits == Limits(max_errors=3)
    assert limits.replace() == limits
    with pytest.raises(TypeError):
        limits.replace(max_step=7)
    with pytest.raises(ValueError, match="max_instance_depth"):
        limits.replace(max_instance_depth=257)
    with pytest.raises(TypeError):
        limits.replace(max_steps=2.0)


def test_limits_are_values() -> None:
    assert Limits() == Limits()
    assert hash(Limits(max_errors=2)) == hash(Limits(max_errors=2))
    assert Limits(max_errors=2) != Limits(max_errors=3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Limits().max_errors = 9  # type: ignore[misc]
    with pytest.raises(TypeError):
        Limits(9)  # type: ignore[misc]


def test_only_limits_are_taken_for_limits() -> None:
    for wrong in (None, {}, 5, Limits):
        with pytest.raises(TypeError):
            schemafuse.compile(True, limits=wrong)  # type: ignore[arg-type]


SCHEMA = {
    "properties": {
        "a": {"pattern": "(a+)+$"},
        "b": {"multipleOf": 1e-300},
        "c": {"uniqueItems": True},
        "d": {"format": "date"},
    },
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "names", [[name] for name in NAMES] + [NAMES], ids=lambda names: names[0] if len(names) == 1 else "all"
)
def test_the_largest_of_every_limit_works(names: list[str]) -> None:
    limits = PATIENT.replace(**{name: CEILINGS.get(name, LARGEST) for name in names})
    validator = schemafuse.compile(SCHEMA, limits=limits, assert_formats=True)
    assert validator.check({"a": "aaa", "b": 1e308, "c": [1, 2], "d": "2026-11-30"}).ok
    report = validator.check({"a": "b" * 500, "b": 1e-305, "c": [1] * 9, "d": "x", "e": 1})
    assert len(report.errors) == 5
    assert report.text()


@pytest.mark.parametrize(
    "names", [[name] for name in NAMES] + [NAMES], ids=lambda names: names[0] if len(names) == 1 else "all"
)
def test_the_smallest_of_every_limit_works(names: list[str]) -> None:
    limits = Limits(**{name: SMALLEST.get(name, 1) for name in names})
    for schema in (True, {}, SCHEMA, {"enum": [10, [1]]}):
        try:
            validator = schemafuse.compile(schema, limits=limits)
        except SchemaError:
            continue
        for instance in (None, "x", [[1]], {"a": "aaa", "z": [1, 2]}):
            report = validator.check(instance)
            assert len(report.text()) <= limits.max_text_chars
            assert len(report.errors) <= limits.max_errors


# The page about them --------------------------------------------------------------------------------------------------

PAGE = (Path(__file__).parent.parent / "docs" / "limits.md").read_text(encoding="utf-8")


def test_examples_of_the_page() -> None:
    """In order, in one namespace: an example may go on from those before it."""
    namespace: dict[str, Any] = {}
    blocks = re.findall(r"^```python.*?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(blocks) > len(NAMES)
    for block in blocks:
        exec(compile(block, "limits.md", "exec"), namespace)


def test_the_page_has_each_limit_with_its_default_and_ceiling() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| ([\d,]+) \|", PAGE, re.MULTILINE))
    assert {name: int(default.replace(",", "")) for name, default in rows.items()} == dataclasses.asdict(Limits())
    for name in NAMES:
        section = PAGE.split(f"### `{name}`\n")[1].split("\n#")[0]
        assert "```python" in section
        stated = re.findall(r"\*\*Ceiling (\d+)\*\*", section)
        assert stated == ([str(CEILINGS[name])] if name in CEILINGS else [])
