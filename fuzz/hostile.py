"""The hostile cases against three validators, as a matrix in Markdown.

Comes in: nothing, or keys of cases. Goes out: the matrix on stdout; with `--write`, in `docs/hostile.md` too. It
holds no times and no machine's figures, so that it changes only when a behaviour does.

    python -m fuzz.hostile [--write] [KEY ...]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from .cases import DECIDED_OTHERWISE, NEEDS_MCP, Case, by_key
from .harness import Harness, Outcome

ENGINES = ("schemafuse", "jsonschema-rs", "jsonschema")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "hostile.md"
#: Outcomes that end the process or the promise, as a row of the summary each.
FAILURES = ("hang", "crash", "memory", "touched", "undocumented")
INTRODUCTION = """\
# Hostile schemas and instances

Every case of `tests/cases`, each in a process of its own with 2 seconds, 256 MB and no way to open a file or a socket.
Made by `python -m fuzz.hostile --write`; `fuzz/engines.py` shows the exact calls.

* **schemafuse**: `compile(schema)` and `check(instance)` with the default limits, then the text, the dictionary and
  `is_valid`.
* **jsonschema-rs**: `validator_for` with `offline=True`, the linear pattern engine under size limits and `mask`, then
  `validate`.
* **jsonschema**: `jsonschema.validate(instance, schema)`, as the MCP SDK calls it.

In bold: an outcome that the case does not admit. *hang*: 2 seconds were not enough. *crash*: the process ended by a
signal, or out of memory in native code. *memory*: MemoryError. *touched*: it tried to open a file or a socket.
*undocumented*: an exception that the library does not announce. *budget*: a refusal, or no verdict within the budget,
and said so.
"""


def cell(outcome: Outcome, case: Case) -> str:
    labels = [label for label in outcome.labels if label != "schema-rejected"] or list(outcome.labels)
    words = labels[-1] if "schema-rejected" not in outcome.labels else f"refused: {labels[0]}"
    if outcome.labels[0] in ("crash", "undocumented") and outcome.detail:
        words += f" ({outcome.detail.split(' ')[0]})"
    return words if case.allowed & set(outcome.labels) else f"**{words}**"


def category(outcome: Outcome, case: Case) -> str:
    if outcome.labels[0] in FAILURES:
        return outcome.labels[0]
    if case.allowed & set(outcome.labels):
        return "right"
    return "not admitted"


def run_all(cases: Sequence[Case], engine: str) -> list[Outcome]:
    with Harness(engine) as harness:
        return [harness.run(case.key) for case in cases]


def matrix(cases: Sequence[Case]) -> str:
    outcomes = {engine: run_all(cases, engine) for engine in ENGINES}
    counts = {engine: Counter(map(category, outcomes[engine], cases)) for engine in ENGINES}
    lines = [INTRODUCTION, f"## {len(cases)} cases", ""]
    lines += table(
        ["", *ENGINES],
        ([name, *(str(counts[engine][name]) for engine in ENGINES)] for name in ("right", "not admitted", *FAILURES)),
    )
    for kind in dict.fromkeys(case.kind for case in cases):
        chosen = [index for index, case in enumerate(cases) if case.kind == kind]
        lines += ["", f"## {kind}", ""]
        lines += table(
            ["case", "truth", *ENGINES],
            (
                [
                    f"`{cases[index].key}`",
                    cases[index].truth,
                    *(cell(outcomes[e][index], cases[index]) for e in ENGINES),
                ]
                for index in chosen
            ),
        )
    otherwise = [f"* `{key}`: {reason}." for key, reason in DECIDED_OTHERWISE.items()]
    return "\n".join([*lines, "", "## Decided otherwise, on purpose", "", *otherwise]) + "\n"


def table(head: list[str], rows: Iterable[list[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


def main(arguments: list[str]) -> int:
    keys = [argument for argument in arguments if argument != "--write"]
    # Nothing to compare: rules of MCP, names of tools, and what only a direct test can judge (`expect: "other"`).
    comparable = [
        c for c in by_key().values() if c.key not in NEEDS_MCP and c.role != "tool_name" and c.truth != "other"
    ]
    page = matrix([case for case in comparable if not keys or case.key in keys])
    print(page, end="")
    if "--write" in arguments:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
