"""What was found, made small, and the summary of a run.

Comes in: complaints with the documents and instances that brought them up. Goes out: text on stdout. The first few of a
kind are shrunk, as long as they still show the same fault; all are counted.
"""

from __future__ import annotations

import resource
from collections import Counter
from collections.abc import Callable
from typing import Any

from schemafuse import SchemaError

from . import differences, oracles, patterns, properties, shrinking
from .schemas import Document

_SHOWN = 3
_SHRINK_SECONDS = 15


def resident_megabytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() >> 20


def shown(value: Any) -> str:
    """Show a value as Python source, where it can be: integers of more than 4,300 digits have no text."""
    try:
        return repr(value)
    except Exception as error:
        return f"<a value without a repr: {type(error).__name__}>"


class Findings:
    """Everything that nothing explains, by kind."""

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()

    def add(self, kind: str, complaint: str, label: str) -> None:
        self.kinds[kind] += 1
        if self.kinds[kind] <= _SHOWN:
            print(f"\n== {kind} (case {label})\n{complaint}", flush=True)

    def broken(self, name: str, complaint: str, label: str, document: Document, instance: Any) -> None:
        """A property of one pair does not hold, or compiling failed."""

        def fails(schema: Any, instance: Any) -> bool:
            return bool(complaint_about(name, document._replace(schema=schema), instance, label))

        self._shrunk(name, complaint, label, document, instance, fails)

    def disagreement(
        self, oracle: oracles.Oracle, complaint: str, label: str, document: Document, instance: Any
    ) -> None:
        """An oracle has another verdict."""

        def fails(schema: Any, instance: Any) -> bool:
            changed = document._replace(schema=schema)
            if not isinstance(schema, dict) or schema.get("$schema") != document.schema["$schema"]:
                return False
            validator = properties.compiled(changed)
            if isinstance(validator, SchemaError):
                return False
            verdict = oracle.ask(changed, [instance]).verdicts[0]
            ours = validator.check(instance)
            if verdict is None or ours.status == "exhausted" or ours.ok is verdict:
                return False
            return differences.explained(oracle, changed, instance, ours.ok) is None

        self._shrunk(f"{oracle.name} disagrees", complaint, label, document, instance, fails)

    def pattern(self, name: str, complaint: str, label: str, trial: patterns.PatternTrial) -> None:
        texts = [text if len(text) < 200 else f"{text[:20]}… ({len(text)} characters)" for text in trial.texts]
        self.add(name, f"{complaint}\npattern {trial.source!r}\ntexts {texts!r}", label)

    def _shrunk(
        self,
        kind: str,
        complaint: str,
        label: str,
        document: Document,
        instance: Any,
        fails: Callable[[Any, Any], bool],
    ) -> None:
        if self.kinds[kind] >= _SHOWN:
            self.kinds[kind] += 1
            return
        schema, instance = shrinking.shrink(document.schema, instance, fails, seconds=_SHRINK_SECONDS)
        formats = ", assert_formats=True" if document.assert_formats else ""
        self.add(kind, f"{complaint}\nsmallest: compile({shown(schema)}{formats}).check({shown(instance)})", label)

    def print_summary(self, counts: Counter[str], seed: str, seconds: float) -> None:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        print(f"\nseed {seed}, {seconds:.0f} s, at most {peak} MB resident\n")
        for name, count in sorted(counts.items()):
            print(f"  {count:>10,}  {name}")
        for kind, count in self.kinds.most_common():
            print(f"  {count:>10,}  UNEXPLAINED: {kind}")
        if not self.kinds:
            print("  nothing that is not explained")


def complaint_about(name: str, document: Document, instance: Any, label: str) -> str:
    """Ask one property about a pair, from the compilation on."""
    try:
        validator = properties.compiled(document)
    except Exception as error:
        return f"{type(error).__name__}" if name == "compile" else ""
    if isinstance(validator, SchemaError):
        return properties.refusal_fault(validator) if name == "refusal" else ""
    prop = properties.BY_NAME.get(name)
    return (
        ""
        if prop is None
        else properties.complaint_of(prop, properties.Trial(properties.Subject(document, validator), instance, label))
    )
