"""Whatever a check would cost, it ends: by its budgets, in time, in memory, and on a small stack.

What is measured runs in an interpreter of its own, a few times over, and the best time counts: a machine that has other
things to do makes it longer, and never shorter. Depth has its tests in isolated/test_crash.py.
"""

from __future__ import annotations

import json
from time import perf_counter

import pytest

import schemafuse
from isolated.runner import run_isolated
from schemafuse import Limits

#: For a machine under load; a check that nothing ends takes seconds, minutes or for ever.
ALLOWANCE_MS = 150


def assert_in_time(scenario: str) -> None:
    """Every line that the scenario prints is `[case, milliseconds, milliseconds promised, status]`."""
    printed = [json.loads(line) for line in run_isolated(scenario, seconds=400).splitlines()]
    assert printed
    assert [line for line in printed if line[1] > line[2] + ALLOWANCE_MS] == []


def test_the_clock_ends_a_check_within_twice_its_time() -> None:
    assert_in_time("budgets.print_slow_checks")


def test_the_clock_ends_a_long_division_within_twice_its_time() -> None:
    assert_in_time("budgets.print_long_division")


def test_steps_end_a_long_division_before_it_begins() -> None:
    """With the default limits no one needs the clock for it."""
    for divisor in (10**4_299 + 1, 1e300):
        begin = perf_counter()
        report = schemafuse.compile({"multipleOf": divisor}).check(1 << 100_000_000)
        assert report.exhausted is not None
        assert report.exhausted.budget == "steps"
        assert perf_counter() - begin < 1


def test_a_report_takes_no_time_of_its_own() -> None:
    assert_in_time("budgets.print_reports")
    assert_in_time("budgets.print_repairs")


@pytest.mark.parametrize(
    "scenario",
    [
        "budgets.live_through_long_texts",
        "budgets.live_through_large_enums",
        "budgets.live_through_large_objects",
        "budgets.live_through_deep_work_on_a_small_stack",
    ],
)
def test_size(scenario: str) -> None:
    run_isolated(scenario, seconds=300)


def test_outcomes_do_not_depend_on_the_hash_seed() -> None:
    printed = {run_isolated("budgets.print_outcomes", PYTHONHASHSEED=seed) for seed in ("0", "1", "4711")}
    assert len(printed) == 1
    assert "exhausted" in printed.pop()


def test_the_memory_budget_bounds_every_use() -> None:
    verdicts = {"allOf": [{"items": {"$ref": "#/$defs/a"}}] * 2, "$defs": {"a": {"not": {"enum": [[1], [2]]}}}}
    large = [[value] for value in range(200_000)]
    for schema, instance in (
        (verdicts, large),
        ({"uniqueItems": True}, large),
        ({"unevaluatedProperties": True}, dict.fromkeys(map(str, range(100_000)))),
    ):
        for admitted in (1, 1_000, 10_000):
            limits = Limits(max_memory_bytes=admitted, max_time_ms=60_000, max_steps=10**9)
            report = schemafuse.compile(schema, limits=limits).check(instance)
            assert report.exhausted is not None
            assert (report.exhausted.budget, report.exhausted.limit) == ("memory", admitted)


@pytest.mark.parametrize(
    "keyword", ["not", "anyOf", "oneOf", "if", "contains", "propertyNames", "dependentSchemas", "unevaluatedItems"]
)
@pytest.mark.parametrize("budget", ["steps", "memory", "instance_depth"])
def test_an_exhausted_part_is_no_verdict(keyword: str, budget: str) -> None:
    """Nothing turns a budget that ran out inside a branch into valid or invalid."""
    costly = {"uniqueItems": True, "items": {"items": {"items": True}}}
    inner = {"items": costly, "additionalProperties": costly}
    applied = {"anyOf": [inner, True], "oneOf": [inner, False], "dependentSchemas": {"a": inner}}.get(keyword, inner)
    schema = {keyword: applied, "then": False, "else": True} if keyword == "if" else {keyword: applied}
    if keyword == "propertyNames":
        schema = {"propertyNames": {"not": {"enum": [f"{i}" for i in range(9)]}}, "patternProperties": {"": inner}}
    heavy = [[[list(range(30))] * 30 for _ in range(30)] + [[[[i]]] for i in range(30)]]
    instance = {"a": heavy} if keyword in {"propertyNames", "dependentSchemas"} else heavy
    small = {
        "steps": {"max_steps": 25},
        "memory": {"max_memory_bytes": 100},
        "instance_depth": {"max_instance_depth": 3},
    }
    report = schemafuse.compile(schema, limits=Limits(**small[budget])).check(instance)
    assert report.status == "exhausted"
    assert report.exhausted is not None
    assert report.exhausted.budget == budget
    assert report.errors == ()
