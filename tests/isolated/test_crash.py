"""Depth, small stacks and values that change during a check end no process."""

from __future__ import annotations

import pytest

from .runner import run_isolated, unless_sanitized


@pytest.mark.parametrize(
    "scenario",
    [
        "depth.check_deep_instances",
        "depth.compile_deep_schemas",
        pytest.param("depth.fit_on_a_small_stack", marks=unless_sanitized),
        pytest.param("depth.walk_long_reference_chains", marks=unless_sanitized),
        "mutation.mutate_during_checks",
        "mutation.mutate_schemas_during_compile",
        "mutation.mutate_from_within",
    ],
)
def test_isolated_crash(scenario: str) -> None:
    run_isolated(scenario)


def test_isolated_debug_allocator() -> None:
    run_isolated("mutation.mutate_from_within", PYTHONMALLOC="debug")
    run_isolated("mutation.mutate_during_checks", PYTHONMALLOC="debug")
