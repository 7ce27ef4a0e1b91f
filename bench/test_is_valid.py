"""Verdicts and errors: all tools once a round, each library a row of the same group, and the ratio tool by tool."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Checks
from .measure import geometric_mean, invalid_check, is_valid
from .tools import tools


def run(checks: Checks) -> None:
    for check, instance in checks:
        check(instance)


@pytest.mark.benchmark(group="is_valid on every valid example")
def test_valid(benchmark: Any, valid_checks: Checks) -> None:
    assert all(check(instance) for check, instance in valid_checks)
    benchmark(run, valid_checks)


@pytest.mark.benchmark(group="is_valid on every invalid example")
def test_invalid(benchmark: Any, invalid_checks: Checks) -> None:
    assert not any(check(instance) for check, instance in invalid_checks)
    benchmark(run, invalid_checks)


def test_ratio_on_valid_examples() -> None:
    ratio = geometric_mean(pair.ratio for tool in tools() if (pair := is_valid(tool)))
    assert ratio <= 0.60, f"{ratio:.2f} of the peer's time"


def test_ratio_with_every_message_read() -> None:
    ratio = geometric_mean(pair.ratio for tool in tools() if (pair := invalid_check(tool)))
    assert ratio <= 2.0, f"{ratio:.2f} of the peer's time"
