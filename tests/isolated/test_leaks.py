"""Memory and reference counts stay flat, whatever the outcomes."""

from __future__ import annotations

import pytest

from .runner import run_isolated, unless_sanitized


@unless_sanitized
@pytest.mark.parametrize(
    "scenario", ["memory.checks_leak_nothing", "memory.compilations_leak_nothing", "memory.caches_stay_bounded"]
)
def test_isolated_leaks(scenario: str) -> None:
    run_isolated(scenario, seconds=300)
