"""The main job on real input: compile strangers' tools, check calls, print what a model reads, stop attacks.

Comes in: `tests/cases/tools.jsonl`, definitions as published on npm and PyPI. Goes out: a page of text.
"""

from __future__ import annotations

import json
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import schemafuse

TOOLS = Path(__file__).parent.parent / "tests" / "cases" / "tools.jsonl"
SHOWN = ["monday-api-mcp", "mcp-google-map", "drawio-mcp-server"]


def heading(text: str) -> None:
    print(f"\n{text}\n{'-' * len(text)}")


def show(text: str) -> None:
    for line in text.splitlines():
        print(textwrap.fill(line, 110, initial_indent="    | ", subsequent_indent="    |   ", break_long_words=False))


def short(value: Any) -> str:
    return textwrap.shorten(json.dumps(value), 100, placeholder=" …")


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return what `work` returns, or the error it raises, and the milliseconds it took."""
    started = time.perf_counter()
    try:
        outcome = work()
    except (schemafuse.SchemaError, schemafuse.BudgetExceeded) as error:
        outcome = error
    return outcome, (time.perf_counter() - started) * 1000


def real_tools() -> list[dict[str, Any]]:
    with TOOLS.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def compile_all(rows: list[dict[str, Any]]) -> None:
    heading(f"{len(rows)} tools that real servers publish")
    accepted = refused = 0
    milliseconds = 0.0
    for row in rows:
        row["validator"], taken = timed(lambda row=row: schemafuse.compile(row["tool"]["inputSchema"]))
        milliseconds += taken
        accepted += sum(row["validator"].is_valid(arguments) for arguments in row["valid"])
        refused += sum(not row["validator"].is_valid(arguments) for arguments in row["invalid"])
    good, bad = (sum(len(row[kind]) for row in rows) for kind in ("valid", "invalid"))
    print(f"compiled in {milliseconds:.0f} ms")
    print(f"{accepted} of {good} good calls accepted, {refused} of {bad} bad ones refused")


def show_calls(rows: list[dict[str, Any]]) -> None:
    for server in SHOWN:
        row = next(row for row in rows if server in row["server"])
        heading(f"{row['tool']['name']} ({row['source']}, {row['license']})")
        for arguments in (row["valid"][0], row["invalid"][0]):
            report, taken = timed(lambda row=row, arguments=arguments: row["validator"].check(arguments))
            print(f"call with {short(arguments)}")
            print(f"{report.status}: {report.steps} steps, {taken:.2f} ms")
            if not report.ok:
                show(report.text())


def doubling(levels: int) -> dict[str, Any]:
    """Each definition applies the next one twice: 2**levels evaluations for whoever does not remember verdicts."""
    definitions: dict[str, Any] = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(levels)}
    return {"$defs": {**definitions, f"d{levels}": {"type": "integer"}}, "properties": {"n": {"$ref": "#/$defs/d0"}}}


def show_attacks() -> None:
    heading("Schemas that would take a server down")
    attacks: list[tuple[str, Any, Any]] = [
        ("definitions that double 50 times (2**50 evaluations)", doubling(50), {"n": 1}),
        ("the same, with a value that does not fit", doubling(50), {"n": "1"}),
        ("a pattern that backtracks without end", {"pattern": "^(a|a)*\\1$"}, "a" * 60 + "b"),
        ("a reference to itself", {"allOf": [{"$ref": "#"}]}, {}),
        ("a reference into the network", {"$ref": "http://169.254.169.254/latest/meta-data"}, {}),
        ("9,000 properties inside one another", nested(9_000), {}),
    ]
    for what, schema, instance in attacks:
        outcome, taken = timed(lambda schema=schema, instance=instance: schemafuse.compile(schema).check(instance))
        print(f"{what}: {taken:.1f} ms")
        if isinstance(outcome, schemafuse.SchemaError):
            show(f"refused, {outcome.code}: {outcome}")
        else:
            show(f"{outcome.status} after {outcome.steps} steps" if outcome.ok else outcome.text())


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(levels):
        schema = {"properties": {"a": schema}}
    return schema


def main() -> int:
    rows = real_tools()
    compile_all(rows)
    show_calls(rows)
    show_attacks()
    return 0


if __name__ == "__main__":
    sys.exit(main())
