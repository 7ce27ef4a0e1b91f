"""On the definitions of real tools our verdict is that of jsonschema-rs, and the recorded one; none is refused for a
budget.

The committed selection is always run; SCHEMAFUSE_CORPUS=FOLDER adds every `*.jsonl.gz` in that folder. The errors
that we report are compared with the recorded ones as sets of (keyword, instance location).
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

import schemafuse
from schemafuse import Limits, SchemaError, ValidationError, Validator

from .corpus import Sample, files, read

#: Enough room to see every error of an example; all else as by default.
LIMITS = Limits(max_errors=1_000)
#: What may be said of the errors reported. The recorded ones are jsonschema's: it says of `anyOf` only that it failed,
#: where we say besides what is wrong in the nearest branch; and it takes 1 for one of the values of `enum: [true]`.
SAME, WITH_BRANCH, AS_PEER = "the same", "the same, and those of the branch judged", "those of jsonschema-rs"
each_file = pytest.mark.parametrize("path", files(), ids=lambda path: path.name)


def compiled(sample: Sample, **options: Any) -> tuple[Validator | SchemaError, Any]:
    """Compile with both libraries; an exception stands for a refusal, None for that of jsonschema-rs."""
    ours: Validator | SchemaError
    try:
        ours = schemafuse.compile(sample.schema, limits=LIMITS, **options)
    except SchemaError as refusal:
        ours = refusal
    try:
        theirs = jsonschema_rs.validator_for(sample.schema, validate_formats=options.get("assert_formats", False))
    except (ValueError, jsonschema_rs.ReferencingError):
        theirs = None
    return ours, theirs


def fail_with(problems: list[str]) -> None:
    if problems:
        pytest.fail("\n".join([f"{len(problems)} disagreements", *problems[:40]]), pytrace=False)


@each_file
def test_the_same_schemas_compile(path: Path) -> None:
    problems = []
    for sample in read(path):
        ours, theirs = compiled(sample)
        if isinstance(ours, SchemaError) is not (theirs is None):
            problems.append(f"{sample.name}: {ours!s:.300}; recorded: {sample.problem:.100}")
        elif isinstance(ours, SchemaError) and ours.code not in ("invalid_schema", "unresolvable_ref"):
            problems.append(f"{sample.name}: refused as {ours.code}")
    fail_with(problems)


@each_file
def test_verdicts_agree(path: Path) -> None:
    problems = []
    for sample in read(path):
        ours, theirs = compiled(sample)
        if isinstance(ours, SchemaError) or theirs is None:
            continue
        examples = [(instance, True) for instance in sample.valid] + [(instance, False) for instance in sample.invalid]
        for number, (instance, recorded) in enumerate(examples):
            report = ours.check(instance)
            verdicts = (report.status, ours.is_valid(instance), not report.errors, theirs.is_valid(instance))
            if verdicts != ("valid" if recorded else "invalid", recorded, recorded, recorded):
                problems.append(
                    f"{sample.name}, example {number}: recorded {recorded}, got {verdicts}, {report.exhausted}"
                )
    fail_with(problems)


@each_file
def test_verdicts_agree_with_formats_asserted(path: Path) -> None:
    problems = []
    for sample in read(path):
        if not sample.format_invalid:
            continue
        annotating, _ = compiled(sample)
        asserting, theirs = compiled(sample, assert_formats=True)
        assert isinstance(annotating, Validator)
        assert isinstance(asserting, Validator)
        for instance in (*sample.format_invalid, *sample.valid):
            if not annotating.is_valid(instance) or asserting.is_valid(instance) is not theirs.is_valid(instance):
                problems.append(f"{sample.name}: {instance!r:.300}")
    fail_with(problems)


def place(error: ValidationError) -> tuple[str | None, str]:
    return error.keyword, error.instance_location


def peer_place(error: jsonschema_rs.ValidationError) -> tuple[str, str]:
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in error.instance_path)
    return error.kind.name, "".join(f"/{step}" for step in steps)


@each_file
def test_errors_are_those_recorded(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts: Counter[str] = Counter()
    problems = []
    for sample in read(path):
        ours, theirs = compiled(sample)
        if isinstance(ours, SchemaError) or theirs is None:
            continue
        for instance, pairs in zip(sample.invalid, sample.invalid_errors, strict=False):
            recorded = {(keyword, location) for keyword, location in pairs}
            errors = list(ours.iter_errors(instance))
            reported = [place(error) for error in errors]
            twice = len({(*place(error), error.schema_location) for error in errors}) < len(errors)
            relation = "one error twice" if twice else compare(reported, recorded)
            if relation == "there are more" and set(reported) == set(map(peer_place, theirs.iter_errors(instance))):
                relation = AS_PEER
            counts[relation] += 1
            if relation not in (SAME, WITH_BRANCH, AS_PEER):
                problems.append(f"{sample.name}: {relation}: recorded {sorted(recorded)}, reported {reported}"[:400])
    with capsys.disabled():
        print(f"\n{path.name}, reported errors against recorded ones: {dict(counts)}")
    fail_with(problems)


def compare(reported: list[tuple[str | None, str]], recorded: set[tuple[str, str]]) -> str:
    found: set[Any] = set(reported)
    if found == recorded:
        return SAME
    if found < recorded:
        return "some are missing"
    alternatives = [location for keyword, location in recorded if keyword in ("anyOf", "oneOf")]
    if found > recorded and all(is_below(location, alternatives) for _, location in found - recorded):
        return WITH_BRANCH
    if found > recorded:
        return "there are more"
    return "others, the first among the recorded" if reported[0] in recorded else "others"


def is_below(location: str, others: list[str]) -> bool:
    return any(location == other or location.startswith(f"{other}/") for other in others)
