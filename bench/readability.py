"""How well a reader is told what is wrong: known mistakes, and whether the errors point at them.

Comes in: the mistakes of mistakes.py that jsonschema-rs finds invalid. Goes out: a table on stdout, for schemafuse,
for `best_match` of jsonschema and for jsonschema-rs. Exit status 1 when a bound is not kept.

    python -m bench.readability [--show KIND]     with --show: the cases of a kind that schemafuse misses

An error names the place of a mistake when it stands at that place: `instance_location` here, `absolute_path` in
jsonschema, `instance_path` in jsonschema-rs. Of a member that is missing or misspelt the object counts as well as the
member, for everybody. "First" is the first error of `Report.errors`, what `best_match` chooses, and the first that
jsonschema-rs gives; "all" are all errors of a report with the default limits, all of jsonschema's `iter_errors` (of the
branches too, which is generous: `best_match` gives one), all of jsonschema-rs's.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import jsonschema
import jsonschema_rs
from jsonschema.exceptions import best_match

import schemafuse

from .mistakes import KINDS, Case, Place, double, examples, single

PEERS = ("schemafuse", "best_match", "jsonschema-rs")
#: Kinds of mistake that lose nothing, so that one repair can be right.
RESTORED = ("stringified", "JSON text", "wrapped", "unwrapped", "misspelt", "case")
#: Figure -> smallest share of schemafuse's that is admitted.
BOUNDS = {"first": 0.99, "union": 0.90, "both": 0.97, "guessed": 0.99} | dict.fromkeys(RESTORED, 0.90)
LONGEST = 2000


class Judges(NamedTuple):
    """The compiled schema of one tool, in each library."""

    ours: schemafuse.Validator
    reference: Any
    native: Any

    @classmethod
    def of(cls, schema: Any) -> Judges:
        peer = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)(schema)
        return cls(schemafuse.compile(schema), peer, jsonschema_rs.validator_for(schema, validate_formats=False))

    def errors(self, arguments: Any) -> tuple[list[Place], list[Place], list[Place]]:
        """The places of the errors that each library gives, the first one first."""
        report = self.ours.check(arguments)
        found = list(self.reference.iter_errors(arguments))
        ours = [error.instance_path for error in report.errors]
        peers = [tuple(error.absolute_path) for error in [best_match(found), *with_context(found)]]
        return ours, peers, [tuple(error.instance_path) for error in self.native.iter_errors(arguments)]

    def union_at_root(self, case: Case) -> bool:
        """Is the mistake inside a union, and jsonschema-rs reports it at nothing but the union's own place?"""
        allowed = case.mistakes[0].places
        errors = list(self.native.iter_errors(case.wrong))
        at = {tuple(error.instance_path) for error in errors}
        unions = {tuple(error.instance_path) for error in errors if error.schema_path[-1] in ("anyOf", "oneOf")}
        return not at & allowed and any(is_inside(case.mistakes[0].place, union) for union in unions)


def with_context(errors: list[Any]) -> Iterator[Any]:
    for error in errors:
        yield error
        yield from with_context(error.context)


def is_inside(place: Place, outer: Place) -> bool:
    return place[: len(outer)] == outer


class Tally:
    """Counts of cases, and of those that went well, by figure and library; and the cases that did not."""

    def __init__(self) -> None:
        self.cases: Counter[str] = Counter()
        self.good: Counter[tuple[str, str]] = Counter()
        self.missed: list[tuple[str, Case, Any]] = []
        self.longest = dict.fromkeys(PEERS, 0)

    def count(self, figure: str, good: dict[str, bool], case: Case, got: Any = None) -> None:
        self.cases[figure] += 1
        for peer, well in good.items():
            self.good[figure, peer] += well
        if not good["schemafuse"]:
            self.missed.append((figure, case, got))

    def share(self, figure: str, peer: str = "schemafuse") -> float:
        return self.good[figure, peer] / self.cases[figure] if self.cases[figure] else 1.0


def judge_single(judges: Judges, case: Case, tally: Tally) -> None:
    mistake = case.mistakes[0]
    errors = judges.errors(case.wrong)
    good = {peer: bool(places) and places[0] in mistake.places for peer, places in zip(PEERS, errors)}
    tally.count("first", good, case, errors[0])
    tally.count(f"first: {mistake.kind}", good, case, errors[0])
    if judges.union_at_root(case):
        tally.count("union", good, case, errors[0])
    if mistake.kind in RESTORED:
        repaired, _ = judges.ours.repair(case.wrong)
        tally.count(mistake.kind, {"schemafuse": same(repaired, case.right)}, case, repaired)


def judge_double(judges: Judges, case: Case, tally: Tally) -> None:
    errors = judges.errors(case.wrong)
    good = {
        peer: all(not mistake.places.isdisjoint(places) for mistake in case.mistakes)
        for peer, places in zip(PEERS, errors)
    }
    tally.count("both", good, case, errors[0])


def judge_harm(judges: Judges, case: Case, tally: Tally) -> None:
    """Repair must touch nothing but the places of the mistakes, and must not make anything of what is right."""
    repaired, report = judges.ours.repair(case.wrong)
    allowed = [place for mistake in case.mistakes for place in (mistake.place, mistake.found) if place is not None]
    unharmed = all(any(is_inside(place, outer) for outer in allowed) for place in differences(case.wrong, repaired))
    tally.count("unharmed", {"schemafuse": unharmed}, case, repaired)
    if report.ok:
        # Arguments that lost something may be right without it.
        right = same(repaired, case.right) or is_left_out(case, repaired)
        tally.count("guessed", {"schemafuse": right}, case, repaired)


def is_left_out(case: Case, repaired: Any) -> bool:
    """Are the arguments right, but for members that are missing or null by mistake, and left out by the repair?"""
    lost = {mistake.place for mistake in case.mistakes if mistake.kind in ("missing", "null")}
    return all(place in lost and value_at(repaired, place) is _ABSENT for place in differences(case.right, repaired))


_ABSENT = object()


def value_at(value: Any, place: Place) -> Any:
    for part in place:
        if not (part in value if isinstance(value, dict) else isinstance(value, list) and part < len(value)):
            return _ABSENT
        value = value[part]
    return value


def judge_length(judges: Judges, case: Case, tally: Tally) -> None:
    texts = (
        judges.ours.check(case.wrong).text(),
        best_match(judges.reference.iter_errors(case.wrong)).message,
        "\n".join(error.message for error in judges.native.iter_errors(case.wrong)),
    )
    for peer, text in zip(PEERS, texts):
        tally.longest[peer] = max(tally.longest[peer], len(text))


def same(one: Any, other: Any) -> bool:
    return not list(differences(one, other))


def differences(one: Any, other: Any, place: Place = ()) -> Iterator[Place]:
    """The places at which two JSON values differ; 1 and true and 1.0 do."""
    if type(one) is not type(other):
        yield place
    elif isinstance(one, dict):
        yield from ((*place, name) for name in one.keys() ^ other.keys())
        for name in one.keys() & other.keys():
            yield from differences(one[name], other[name], (*place, name))
    elif isinstance(one, list) and len(one) == len(other):
        for i, (item, counterpart) in enumerate(zip(one, other)):
            yield from differences(item, counterpart, (*place, i))
    elif one != other:
        yield place


def measure() -> Tally:
    tally = Tally()
    for name, schema, right in examples():
        judges, choose = Judges.of(schema), random.Random(name)
        found = [case for case in single(name, schema, right, choose) if not judges.native.is_valid(case.wrong)]
        pairs = [case for case in double(found, choose) if not judges.native.is_valid(case.wrong)]
        for case in found:
            judge_single(judges, case, tally)
        for case in pairs:
            judge_double(judges, case, tally)
        for case in found + pairs:
            judge_harm(judges, case, tally)
            judge_length(judges, case, tally)
    return tally


TITLES = {
    "first": "the first error names the place",
    "union": "  of those inside unions (see the docstring)",
    "both": "two mistakes, both named",
    "guessed": "repair: what is valid then is what was meant",
    "unharmed": "repair: nothing else is touched",
}
ROW = "{:46} {:>7} {:>7} {:>11} {:>11} {:>14}"


def table(tally: Tally) -> Iterator[str]:
    yield ROW.format("", "cases", "bound", *PEERS)
    figures = ["first", "union", "both", *(f"first: {kind}" for kind in KINDS), *RESTORED, "guessed", "unharmed"]
    for figure in figures:
        peers = [f"{tally.share(figure, peer):.1%}" if (figure, peer) in tally.good else "" for peer in PEERS]
        bound = f"{BOUNDS[figure]:.0%}" if figure in BOUNDS else "100%" if figure == "unharmed" else ""
        title = TITLES.get(figure, f"repair restores: {figure}" if figure in RESTORED else f"  {figure}")
        yield ROW.format(title, tally.cases[figure], bound, *peers)
    yield ROW.format("longest text, characters", "", LONGEST, *(tally.longest[peer] for peer in PEERS))


def kept(tally: Tally) -> bool:
    bounds = all(tally.share(figure) >= bound for figure, bound in BOUNDS.items())
    return bounds and tally.share("unharmed") == 1.0 and tally.longest["schemafuse"] <= LONGEST


def main() -> int:
    tally = measure()
    for line in table(tally):
        print(line)
    if "--show" in sys.argv:
        wanted = sys.argv[sys.argv.index("--show") + 1]
        for figure, case, got in tally.missed:
            if figure == wanted:
                print(f"\n{case.tool}: {case.mistakes}\n  wrong    {case.wrong}\n  got      {got}")
    if not kept(tally):
        print("a bound is not kept")
    return int(not kept(tally))


if __name__ == "__main__":
    sys.exit(main())
