"""The case files of `tests/cases` as one list of the same shape.

Comes in: `reports.jsonl`, `hostile.jsonl` (data) and `hostile_built.py` (what JSON cannot hold). Goes out: `Case`
values that say how to build a schema and an instance and which outcomes are right. Nothing is built before `build` is
called: some of it is huge.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "cases"

#: What `expect` and `also_ok` of reports.jsonl are called among the labels of an outcome.
EXPECTATIONS = {"schema_rejected": "schema-rejected", "budget_exceeded": "budget"}

#: Cases that a rule of MCP decides and no rule of JSON Schema, with that rule.
NEEDS_MCP = {
    **dict.fromkeys(("h02", "h03", "h05", "h07", "h10", "h14", "h16", "h19"), "what `x-mcp-header` may be"),
    **dict.fromkeys(("m05a", "m05d"), "the root of an inputSchema says type: object"),
    **dict.fromkeys(("m08a", "m08c"), "when a result needs structuredContent"),
    **dict.fromkeys(("m09a", "m09c", "m09f"), "what the arguments of a call may be"),
    **dict.fromkeys(("n20", "n22", "p01", "p02"), "names and pages of a tools/list"),
    **dict.fromkeys(("t02", "t03", "t04"), "how long a tools/list may be kept, and for whom"),
}

#: Cases that are decided otherwise here, on purpose, with the reason.
DECIDED_OTHERWISE = {
    "regex-invalid-05": "`(?P<n>a)` is Python's own syntax: Python servers ship it, so it is read as Python does",
    "regex-invalid-09": "`\\k<n>` without such a group is plain text by ECMA-262 Annex B, the last reading tried",
}


class Case(NamedTuple):
    """A schema, an instance, and what may come of them."""

    key: str
    kind: str
    truth: str  # the verdict if nothing were bounded
    allowed: frozenset[str]  # labels of outcomes (see engines.py), any of which is right
    role: str | None  # the part of a tool definition that it stands in; None: plain `compile`
    note: str
    build: Callable[[], tuple[Any, Any]]


def read_lines(name: str) -> Iterator[dict[str, Any]]:
    with (FOLDER / name).open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def from_report(line: dict[str, Any]) -> Case:
    def build() -> tuple[Any, Any]:
        if "build" not in line:
            return line["schema"], line["instance"]
        schema, instance = eval(line["build"])  # an expression of our own case file
        return schema, instance

    labels = [EXPECTATIONS.get(label, label) for label in (line["expect"], *line.get("also_ok", ()))]
    return Case(line["id"], line["kind"], labels[0], frozenset(labels), line.get("role"), line["note"], build)


def from_hostile(line: dict[str, Any]) -> Case:
    schema, instance = line["case"]
    return Case(
        line["id"], line["kind"], line["truth"], frozenset(line["safe"]), None, line["note"], lambda: (schema, instance)
    )


def from_built(module: Any, entry: dict[str, Any]) -> Case:
    def build() -> tuple[Any, Any]:
        schema, instance = entry["fn"](module.Ctx())
        return schema, instance

    return Case(entry["id"], entry["kind"], entry["truth"], frozenset(entry["safe"]), None, entry["note"], build)


def load_built() -> Any:
    spec = importlib.util.spec_from_file_location("hostile_built", FOLDER / "hostile_built.py")
    if spec is None or spec.loader is None:
        raise ImportError("tests/cases/hostile_built.py cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def reports() -> tuple[Case, ...]:
    """Cases made from bug reports; the verdict matters."""
    return tuple(map(from_report, read_lines("reports.jsonl")))


@cache
def hostile() -> tuple[Case, ...]:
    """Cases made to hurt; what matters first is that nothing happens."""
    module = load_built()
    built = (from_built(module, entry) for entry in module.CASES.values())
    return (*map(from_hostile, read_lines("hostile.jsonl")), *built)


@cache
def by_key() -> dict[str, Case]:
    return {case.key: case for case in (*reports(), *hostile())}
