"""Work that doubles with every level elsewhere grows by the same number of steps here, and the verdict stays right.

The step counts are pinned: an optimisation, or a mistake, that changes the work shows as a difference in
`blowup_steps.json`. After a change that is meant: `python tests/test_blowups.py` writes the file anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

import schemafuse
from blowup_families import FAMILIES, Family, nest

STEPS_FILE = Path(__file__).parent / "cases" / "blowup_steps.json"
DEPTHS = (10, 20, 40)
#: Where the question is what is counted, the clock is not to answer first.
PATIENT = schemafuse.Limits(max_compile_ms=20_000)
RUNS = [(family, index) for family in FAMILIES for index in range(len(family.instances))]
each_run = pytest.mark.parametrize(
    ("family", "index"), RUNS, ids=[f"{family.name}-{family.instances[index][0]}" for family, index in RUNS]
)


def measure(family: Family, index: int) -> list[int]:
    """Return the steps at each depth."""
    _, instance, _ = family.instances[index]
    return [schemafuse.compile(family.schema(depth)).check(instance(depth)).steps for depth in DEPTHS]


@each_run
def test_the_verdict_is_right(family: Family, index: int) -> None:
    _, instance, verdict = family.instances[index]
    for depth in (1, 2, 3, 7, 8, 39, *DEPTHS):
        validator = schemafuse.compile(family.schema(depth))
        report = validator.check(instance(depth))
        assert report.status == ("valid" if verdict(depth) else "invalid"), f"at depth {depth}: {report.exhausted}"
        assert bool(report.errors) is not verdict(depth)
        assert len(report.text()) <= validator.limits.max_text_chars


@each_run
def test_another_validator_agrees_while_it_can(family: Family, index: int) -> None:
    _, instance, verdict = family.instances[index]
    for depth in (1, 2, 3, 6, 7):
        assert jsonschema_rs.validator_for(family.schema(depth)).is_valid(instance(depth)) is verdict(depth)


@each_run
def test_steps_grow_with_depth_and_as_pinned(family: Family, index: int) -> None:
    steps = measure(family, index)
    assert steps[2] - steps[1] == 2 * (steps[1] - steps[0]), f"not linear: {dict(zip(DEPTHS, steps, strict=True))}"
    pinned = json.loads(STEPS_FILE.read_text(encoding="utf-8"))
    assert steps == pinned[family.name][family.instances[index][0]]


@pytest.mark.parametrize("keyword", ["allOf", "default"])
def test_a_schema_that_shares_its_parts_counts_as_what_it_expands_to(keyword: str) -> None:
    schema: Any = nest(40, lambda inner: {keyword: [inner, inner]} if keyword == "allOf" else [inner, inner], {})
    with pytest.raises(schemafuse.SchemaError) as caught:
        schemafuse.compile(schema if keyword == "allOf" else {keyword: schema}, limits=PATIENT)
    assert caught.value.code in {"too_large", "too_many_subschemas"}


def test_a_constant_is_compared_with_a_shared_value_once_for_each_pair() -> None:
    constant = nest(12, lambda inner: [inner, inner], [1])
    validator = schemafuse.compile({"const": constant}, limits=schemafuse.Limits(max_schema_bytes=1 << 24))
    assert validator.is_valid(nest(12, lambda inner: [inner, inner], [1.0]))
    assert not validator.is_valid(nest(12, lambda inner: [inner, inner], [2]))


if __name__ == "__main__":
    found: dict[str, dict[str, list[int]]] = {}
    for family, index in RUNS:
        found.setdefault(family.name, {})[family.instances[index][0]] = measure(family, index)
    rows = (f"  {json.dumps(name)}: {json.dumps(counts)}" for name, counts in found.items())
    STEPS_FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
