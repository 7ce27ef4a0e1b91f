"""The official JSON-Schema-Test-Suite: five dialects, required and optional parts, one test item for each group.

Comes in: the folder that `fetch.py` leaves. The suite's remote documents are given through `resources`, all of them
to every schema, so an unreached one must cost nothing. Formats are asserted in `optional/format` only, as the suite's
README asks.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any, NamedTuple

import pytest

import schemafuse
from schemafuse import Validator

from .fetch import SUITE
from .known import EXCEPTIONS

DIALECTS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
MISSING = f"the official test suite is not in {SUITE.parent.name}/{SUITE.name}: run `python tests/suite/fetch.py`"


class Group(NamedTuple):
    """One schema of the suite with its tests."""

    draft: str
    file: str
    content: dict[str, Any]


def read_groups() -> list[Group]:
    return [
        Group(draft, path.relative_to(SUITE / "tests" / draft).with_suffix("").as_posix(), content)
        for draft in DIALECTS
        for path in sorted((SUITE / "tests" / draft).rglob("*.json"))
        for content in json.loads(path.read_text(encoding="utf-8"))
    ]


@cache
def remotes() -> dict[str, Any]:
    root = SUITE / "remotes"
    return {
        f"http://localhost:1234/{path.relative_to(root).as_posix()}": json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(root.rglob("*.json"))
    }


GROUPS = read_groups()


def resolves(instance: Any, path: tuple[str | int, ...]) -> bool:
    """Say whether an error's path leads anywhere in the instance."""
    for step in path:
        try:
            instance = instance[step]
        except (LookupError, TypeError):
            return False
    return True


def disagreements(validator: Validator, instance: Any, expected: bool) -> list[str]:
    """Ask for the verdict in every way there is; return what differs from the expected one."""
    report = validator.check(instance)
    again = validator.check(json.loads(json.dumps(instance)))
    errors = list(validator.iter_errors(instance))
    found = {
        "is_valid": validator.is_valid(instance) is expected,
        f"check().status {report.status}": report.status == ("valid" if expected else "invalid"),
        f"{len(errors)} errors of iter_errors": (not errors) is expected,
        f"{len(report.errors)} errors of check": (not report.errors) is expected,
        f"steps {report.steps} and {again.steps}": report.steps == again.steps and report.status == again.status,
        "locations": all(resolves(instance, error.instance_path) for error in report.errors),
    }
    return [name for name, right in found.items() if not right]


def test_the_suite_is_there() -> None:
    if not SUITE.is_dir():
        pytest.fail(MISSING, pytrace=False)
    assert len(GROUPS) > 1_600, "a part of the suite is missing"


@pytest.mark.parametrize(
    "group", GROUPS, ids=lambda group: f"{group.draft}/{group.file}: {group.content['description']}"
)
def test_group(group: Group) -> None:
    validator = schemafuse.compile(
        group.content["schema"],
        dialect=DIALECTS[group.draft],
        assert_formats=group.file.startswith("optional/format/"),
        resources=remotes(),
    )
    wrong = []
    for test in group.content["tests"]:
        key = (group.draft, group.file, group.content["description"], test["description"])
        problems = disagreements(validator, test["data"], test["valid"])
        if bool(problems) is not (key in EXCEPTIONS):
            wrong.append(f"{test['description']}: {', '.join(problems) or 'passes, though listed in known.py'}")
    if wrong:
        pytest.fail("\n".join([json.dumps(group.content["schema"])[:1_000], *wrong]), pytrace=False)


def test_every_exception_names_a_test() -> None:
    names = {
        (group.draft, group.file, group.content["description"], test["description"])
        for group in GROUPS
        for test in group.content["tests"]
    }
    assert not EXCEPTIONS.keys() - names
