"""The tools that the benchmarks run on.

Comes in: the committed selection of real definitions, or, with SCHEMAFUSE_CORPUS=FOLDER, that folder's
`tools.jsonl.gz`. Goes out: `Tool` values with JSON texts, in the order of the file: every measurement parses its own,
so that keys come from a JSON parser as they do in use.
"""

from __future__ import annotations

import gzip
import json
import os
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

COMMITTED = Path(__file__).resolve().parents[1] / "tests" / "cases" / "tools.jsonl"


class Tool(NamedTuple):
    """An input schema with its first examples, as JSON texts; None where there is no such example."""

    name: str
    schema: str
    valid: str | None
    invalid: str | None


def first(examples: list[Any]) -> str | None:
    return json.dumps(examples[0]) if examples else None


@cache
def tools() -> tuple[Tool, ...]:
    folder = os.environ.get("SCHEMAFUSE_CORPUS")
    path = Path(folder) / "tools.jsonl.gz" if folder else COMMITTED
    open_text = gzip.open if folder else open
    with open_text(path, "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return tuple(
        Tool(
            f"{line['server']}/{line['tool']['name']}",
            json.dumps(line["tool"]["inputSchema"]),
            first(line["valid"]),
            first(line["invalid"]),
        )
        for line in lines
    )
