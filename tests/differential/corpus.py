"""Read tool definitions with recorded examples.

Comes in: JSON lines, plain or gzipped, one tool each: `tool` (the definition), `valid` and `invalid` arguments,
`invalid_errors` ([keyword, location] pairs of each invalid example), `output_valid` and `output_invalid`,
`format_invalid`, and a `problem` where the schema is none. Goes out: one `Sample` for each schema. The committed
selection always; with SCHEMAFUSE_CORPUS set, every file in that folder.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

COMMITTED = Path(__file__).resolve().parents[1] / "cases" / "tools.jsonl"


class Sample(NamedTuple):
    """One schema of one tool, with examples."""

    name: str
    schema: Any
    valid: list[Any]
    invalid: list[Any]
    invalid_errors: list[list[list[str]]]  # for each invalid example, [keyword, location] pairs; empty: not recorded
    format_invalid: list[Any]  # valid as long as formats are annotations
    problem: str  # why no validator compiles it, or no instance is invalid; "" for an ordinary schema


def files() -> list[Path]:
    extra = os.environ.get("SCHEMAFUSE_CORPUS")
    return [COMMITTED, *sorted(Path(extra).glob("*.jsonl.gz"))] if extra else [COMMITTED]


def read(path: Path) -> Iterator[Sample]:
    open_text = gzip.open if path.suffix == ".gz" else open
    with open_text(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield from samples(json.loads(line))


def samples(line: dict[str, Any]) -> Iterator[Sample]:
    tool, problem = line["tool"], line.get("problem", "")
    name = f"{line['server']}/{tool['name']}"
    formats = list(line.get("format_invalid", ()))
    yield Sample(name, tool["inputSchema"], line["valid"], line["invalid"], line["invalid_errors"], formats, problem)
    if "outputSchema" in tool:
        yield Sample(
            f"{name} (output)",
            tool["outputSchema"],
            line.get("output_valid", []),
            line.get("output_invalid", []),
            [],
            [],
            str(line.get("output_schema_problem", "")),
        )
