"""Fuzz everything for a while, or for a number of pairs, and say what was found.

Comes in: a seed and how long. Goes out: a summary on stdout, and each new disagreement with the smallest schema and
instance that show it; exit status 1 if there is one that nothing explains.

    python -m fuzz --seconds 60 [--seed 1] [--pairs 1000000] [--only schemas|malformed|patterns]

Everything is made from `seed:part:number`, so that a number alone brings a case back.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from schemafuse import SchemaError

from . import differences, instances, interpreters, javascript, malformed, oracles, patterns, properties, schemas
from .reporting import Findings, resident_megabytes

INSTANCES = 12
#: Of the documents, what part is put through what takes long.
_THOROUGH, _SLOW_ORACLE = 0.4, 0.15
_LONGEST_JAVASCRIPT_SOURCE = 200
#: From the 1,000th document on the process may grow by so much: caches are full by then.
_SETTLED_DOCUMENTS, _GROWTH_MEGABYTES = 1_000, 120


class Run:
    """One run: the oracles it asks and what it has counted."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.counts: Counter[str] = Counter()
        self.findings = Findings()
        self.oracles = {name: oracles.Oracle(name) for name in oracles.JUDGES}
        self.javascript = javascript.JavaScript() if javascript.JavaScript.is_installed() else None
        self.settled_megabytes = 0

    def close(self) -> None:
        for oracle in self.oracles.values():
            oracle.close()
        if self.javascript is not None:
            self.javascript.close()

    # --- well-formed schemas

    def schemas(self, number: int) -> None:
        label = f"{self.seed}:schemas:{number}"
        random = Random(label)
        document = schemas.document(random)
        validator = self.compiled(label, document)
        if validator is None:
            return
        source = instances.Instances(document.schema, random)
        made = [source.make() for _ in range(INSTANCES)]
        subject = properties.Subject(document, validator)
        thorough = random.randrange(INSTANCES) if random.random() < _THOROUGH else -1
        for position, instance in enumerate(made):
            trial = properties.Trial(subject, instance, label)
            for name, complaint in properties.complaints(trial, thorough=position == thorough):
                self.findings.broken(name, complaint, label, document, instance)
            self.counts["pairs"] += 1
        for name, oracle in self.oracles.items():
            if name == "jsonschema-rs" or random.random() < _SLOW_ORACLE:
                self.compare(oracle, label, subject, made)

    def compiled(self, label: str, document: schemas.Document) -> Any:
        """Compile, and look at the refusal if that is what comes of it; None if there is no validator."""
        self.counts["documents"] += 1
        try:
            validator = properties.compiled(document)
        except (KeyboardInterrupt, MemoryError):
            raise
        except BaseException as error:
            self.findings.broken("compile", f"{type(error).__name__}: {error!s:.300}", label, document, None)
            return None
        if not isinstance(validator, SchemaError):
            return validator
        self.counts[f"refused: {validator.code}"] += 1
        complaint = properties.refusal_fault(validator)
        if complaint:
            self.findings.broken("refusal", complaint, label, document, None)
        return None

    def compare(self, oracle: oracles.Oracle, label: str, subject: properties.Subject, made: list[Any]) -> None:
        if not differences.is_comparable(oracle.name, subject.document):
            return
        answer = oracle.ask(subject.document, made)
        if answer.reason:
            self.counts[f"{oracle.name} gave no answer: {answer.reason.split(':')[0]}"] += 1
        for instance, verdict in zip(made, answer.verdicts, strict=True):
            if verdict is None:
                continue
            self.counts[f"compared with {oracle.name}"] += 1
            ours = subject.validator.check(instance)
            if ours.status == "exhausted" or ours.ok is verdict:
                continue
            referee = self.oracles["jsonschema"] if oracle.name == "jsonschema-rs" else None
            reason = differences.explained(oracle, subject.document, instance, ours.ok, referee)
            if reason is None:
                complaint = f"ours: {ours.status}, {oracle.name}: {'valid' if verdict else 'invalid'}"
                self.findings.disagreement(oracle, complaint, label, subject.document, instance)
            else:
                self.counts[f"explained: {oracle.name}: {reason}"] += 1

    # --- broken ones

    def malformed(self, number: int) -> None:
        label = f"{self.seed}:malformed:{number}"
        random = Random(label)
        document = schemas.document(random)
        source = instances.Instances(document.schema, random)
        document = document._replace(schema=malformed.malformed(document.schema, random))
        validator = self.compiled(label, document)
        if validator is None:
            return
        subject = properties.Subject(document, validator)
        for _ in range(4):
            instance = source.make()
            instance = malformed.malformed(instance, random) if random.random() < 0.7 else instance
            trial = properties.Trial(subject, instance, label)
            self.counts["pairs with something malformed"] += 1
            for prop in (properties.limits_hold, properties.answers_agree, properties.checks_repeat):
                complaint = properties.complaint_of(prop, trial)
                if complaint:
                    self.findings.broken(prop.__name__, complaint, label, document, instance)

    # --- patterns

    def patterns(self, number: int) -> None:
        label = f"{self.seed}:patterns:{number}"
        trial = patterns.trial(Random(label))
        self.counts["patterns"] += 1
        self.counts["pairs of a pattern and a text"] += len(trial.texts)
        complaint = patterns.complaint_of(trial)
        if complaint:
            self.findings.pattern("patterns", complaint, label, trial)
        if (
            self.javascript is None
            or len(trial.source) > _LONGEST_JAVASCRIPT_SOURCE
            or max(map(len, trial.texts)) > 5_000
        ):
            return
        answers = self.javascript.ask(trial)
        if answers is None:
            self.counts["JavaScript gave no answer"] += 1
            return
        self.counts["patterns compared with JavaScript"] += 1
        complaint = javascript.difference(trial, answers)
        reason = javascript.known_reason(trial) if complaint else None
        if reason is not None:
            self.counts[f"explained: JavaScript: {reason}"] += 1
        elif complaint:
            self.findings.pattern("JavaScript", complaint, label, trial)

    def look_at_memory(self) -> None:
        if self.counts["documents"] < _SETTLED_DOCUMENTS:
            return
        self.settled_megabytes = self.settled_megabytes or resident_megabytes()
        grown = resident_megabytes() - self.settled_megabytes
        if grown > _GROWTH_MEGABYTES:
            self.findings.add("memory", f"{grown} MB more after {self.counts['documents']} documents", self.seed)
            self.settled_megabytes += grown

    def interpreters(self, documents: int) -> None:
        self.counts["documents compared between hash seeds"] += documents
        for difference in interpreters.differences(self.seed, documents):
            self.findings.add("hash seeds", difference, self.seed)


#: Part -> how many of it make a round. A round takes a few seconds at most.
PARTS = {"schemas": 100, "malformed": 25, "patterns": 60}


def fuzz(run: Run, seconds: float, pairs: int, only: str | None) -> None:
    """Go in rounds until the time is up or, when `pairs` is given, as many pairs have been checked."""
    ends = time.monotonic() + seconds
    parts: list[tuple[Callable[[int], None], int]] = [
        (getattr(run, part), count) for part, count in PARTS.items() if only in (None, part)
    ]
    number = 0
    while time.monotonic() < ends and not (pairs and run.counts["pairs"] >= pairs):
        for work, count in parts:
            for position in range(count):
                work(number * count + position)
                if time.monotonic() > ends:
                    return
        number += 1
        run.look_at_memory()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--seconds", type=float, help="how long; 60 unless --pairs is given")
    parser.add_argument("--seed", default="1", help="any text; the same seed makes the same cases in the same order")
    parser.add_argument("--pairs", type=int, default=0, help="stop after so many pairs of a schema and an instance")
    parser.add_argument("--only", choices=sorted(PARTS), help="nothing but this part")
    options = parser.parse_args(arguments)
    seconds = options.seconds or (10**9 if options.pairs else 60)
    started = time.monotonic()
    run = Run(options.seed)
    try:
        if options.only is None:
            run.interpreters(int(min(1_000, max(20, seconds * 3))))
        fuzz(run, seconds - (time.monotonic() - started), options.pairs, options.only)
    except KeyboardInterrupt:
        print("interrupted")
    finally:
        run.close()
    run.findings.print_summary(run.counts, options.seed, time.monotonic() - started)
    return 1 if run.findings.kinds else 0
