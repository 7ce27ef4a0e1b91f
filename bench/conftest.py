"""Fixtures of the benchmarks: every library compiled beforehand, every instance parsed, the libraries side by side in
one group."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from .measure import both
from .tools import tools

Checks = list[tuple[Callable[[Any], Any], Any]]


def checks(side: int, example: str) -> Checks:
    """Return a bound `is_valid` and an instance for each tool that has such an example."""
    return [
        (both(tool)[side].is_valid, json.loads(text))
        for tool in tools()
        if (text := getattr(tool, example)) is not None
    ]


@pytest.fixture(scope="session", params=["schemafuse", "jsonschema-rs"])
def valid_checks(request: pytest.FixtureRequest) -> Checks:
    return checks(request.param_index, "valid")


@pytest.fixture(scope="session", params=["schemafuse", "jsonschema-rs"])
def invalid_checks(request: pytest.FixtureRequest) -> Checks:
    return checks(request.param_index, "invalid")
