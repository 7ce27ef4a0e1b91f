"""A JavaScript engine as the judge of ECMA-262 patterns, where one is installed.

Comes in: patterns with their texts. Goes out: where our answers differ and no known difference is the reason. Only what
we read as ECMA-262 is compared, in the flavour that we read it in; texts are short, and the engine can be killed.
"""

from __future__ import annotations

import json
import re
import select
import shutil
import subprocess
from array import array
from pathlib import Path
from typing import Any

import schemafuse
from schemafuse.patterns import BadPattern, compile_pattern, has_python_mark

from .patterns import PatternTrial

_SCRIPT = Path(__file__).with_name("answers.js")
_SECONDS = 10
#: What our engine knows, and V8 as Node 20 has it does not yet; and where V8 departs from the standard.
KNOWN = {
    "modifiers are not known there (ECMAScript 2025)": re.compile(r"\(\?[ims]*-?[ims]*:"),
    "duplicate group names are not known there (ECMAScript 2025)": re.compile(r"\(\?<(\w+)>.*\(\?<\1>", re.DOTALL),
}
#: With flag u V8 tries these inside a surrogate pair as well (22.2.2: characters are code points).
INSIDE_A_PAIR = re.compile(r"\\[Bb]|\(\?<[!=]")


def code_units(text: str) -> list[int]:
    units = array("H")
    units.frombytes(text.encode("utf-16-le", "surrogatepass"))
    return units.tolist()


class JavaScript:
    """A process that answers; replaced when it had to be killed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    @staticmethod
    def is_installed() -> bool:
        return shutil.which("node") is not None

    def ask(self, trial: PatternTrial) -> dict[str, list[bool | None] | None] | None:
        """Return the answers by flags; None where the engine gave none."""
        if self._process is None:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
            self._process = subprocess.Popen(["node", "--stack-size=500", str(_SCRIPT)], **pipes)  # type: ignore[call-overload]
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"source": code_units(trial.source), "texts": list(map(code_units, trial.texts))}
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            ready, _, _ = select.select([self._process.stdout], [], [], _SECONDS)
            line = self._process.stdout.readline() if ready else ""
        except OSError:
            line = ""
        if not line:
            self.close()
            return None
        answers: dict[str, list[bool | None] | None] = json.loads(line)
        return answers

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None


def ours(trial: PatternTrial) -> tuple[str | None, list[bool | None]]:
    """Return the flags under which we read a source (None: not as ECMA-262), and what we find."""
    try:
        engine = compile_pattern(trial.source, seconds=1).engine
        validator = schemafuse.compile({"pattern": trial.source})
    except (BadPattern, schemafuse.SchemaError):
        return None, []
    found: list[bool | None] = []
    for text in trial.texts:
        report = validator.check(text)
        found.append(None if report.status == "exhausted" else report.ok)
    return {"ecma-unicode": "u", "ecma-annex-b": ""}.get(engine), found


def difference(trial: PatternTrial, answers: dict[str, Any]) -> str:
    """Return how our answers differ from a JavaScript engine's, or ""."""
    flags, found = ours(trial)
    if flags is None:
        taken = answers["u"] is not None or (answers[""] is not None and not has_python_mark(trial.source))
        return "we refuse what the other engine takes" if taken and not found else ""
    if answers["u"] is None and flags == "u":
        return "the other engine refuses it under flag u"
    if flags == "" and (answers["u"] is not None or answers[""] is None):
        return "read without flags, which the other engine does not do"
    for text, mine, its in zip(trial.texts, found, answers[flags], strict=True):
        if mine is not None and its is not None and mine != its:
            return f"{mine} for {text[:60]!r}, where the other engine says {its}"
    return ""


def known_reason(trial: PatternTrial) -> str | None:
    """Return the known difference that a pattern meets, or None."""
    for name, sign in KNOWN.items():
        if sign.search(trial.source):
            return name
    if INSIDE_A_PAIR.search(trial.source) and any(char > "\uffff" for text in trial.texts for char in text):
        return r"\b, \B and look-behind are tried inside a surrogate pair there, under flag u (22.2.2)"
    return None
