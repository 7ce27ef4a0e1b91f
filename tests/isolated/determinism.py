"""Steps and texts of many checks, printed for comparison between interpreters."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import schemafuse
from schemafuse import SchemaError

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

#: What hashes are used for inside: sets of values, names, tags, and sums over members.
HASHING: list[tuple[Any, Any]] = [
    ({"uniqueItems": True}, [{"k": n, "l": [n]} for n in range(100)]),
    ({"uniqueItems": True}, [f"text {n}" for n in range(100)] + ["text 7"]),
    ({"uniqueItems": True}, [n * (2**61 - 1) for n in range(100)]),
    ({"items": {"enum": [{"a": n} for n in range(50)]}}, [{"a": n} for n in range(60)]),
    ({"items": {"enum": [f"v{n}" for n in range(50)]}}, [f"v{n}" for n in range(60)]),
    (
        {"properties": {f"p{n}": {"type": "integer"} for n in range(40)}, "additionalProperties": False},
        {f"p{n}": n for n in range(45)},
    ),
    (
        {
            "oneOf": [
                {"properties": {"kind": {"enum": [f"{first}{n}" for n in range(5)]}}, "required": ["kind"]}
                for first in "ab"
            ]
        },
        {"kind": "c"},
    ),
    ({"required": [f"p{n}" for n in range(40)], "unevaluatedProperties": False}, {f"p{n}": n for n in range(20)}),
]


def print_steps() -> None:
    from blowup_families import FAMILIES

    pairs = [*HASHING, *((family.schema(12), make(12)) for family in FAMILIES for _, make, _ in family.instances)]
    with (TESTS / "cases" / "tools.jsonl").open(encoding="utf-8") as file:
        for tool in map(json.loads, file):
            pairs += [(tool["tool"]["inputSchema"], instance) for instance in (*tool["valid"], *tool["invalid"])]
    for schema, instance in pairs:
        try:
            report = schemafuse.compile(schema).check(instance)
        except SchemaError as error:
            print(error.code, error)
        else:
            print(report.status, report.steps, hashlib.sha256(report.text().encode()).hexdigest())
