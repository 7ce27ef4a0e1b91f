"""What matching a pattern may cost, read off its source.

In goes the source of a pattern that an engine has accepted; out come a weight and whether the weight is a bound. The
scan is never recursive, takes time proportional to the source, and never raises: what it doesn't understand costs more.

`corvus-regex-ecma262` says that a pattern without backreferences is linear in size × text. Measured, that holds while
its automaton serves and starts at one place (2 to 10 ns a character, see `pattern_rewrites`); on texts with characters
beyond ASCII, under look-around, around loops whose body can be empty, and for automata with too many states it tries
one start after the other, which is quadratic (`.+\\d` takes 40 µs a character on 8,000 times "é") or worse
(`(?:a*){3}c` takes seconds on 1,000 characters). So only a pattern that starts with `^` and that has few ways of
matching from there counts as bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

#: Weight of a pattern with a simple form: matched natively a few ns a character, by the engine at worst 35.
PLAIN_WEIGHT = 3
#: Ways to try from one position, in tests of one character, up to which a pattern counts as bounded.
MOST_WAYS = 512
_TESTS_PER_WEIGHT = 8
#: Where the clock rules, the weight ends hopeless checks early and the same way every time. By its size, since the
#: engine does not look at the clock everywhere: `[ab]*a[ab]{400}c` takes 0.4 to 1 µs a character whatever its
#: timeout.
_CLOCKED_WEIGHT = 4
_MOST_SIZE = 2_048

_CAP = 1_000_000
#: An opening of a group, a separator, or anything that a quantifier may follow, with the quantifier. Without flag `u`,
#: `\p` and `\u` are letters, and a brace behind them is a quantifier, or itself a letter (ECMA-262 B.1.2).
_TOKEN = r"""
    (?P<open> \( (?: \?: | \?<[^=!>][^>]*> | \?(?P<special>) )? )
    | (?P<or> \| )
    | (?: (?P<close> \) )
        | (?P<reference> \\[1-9k] )
        | \[ (?: [^\]\\] | \\. )* \]?
        | \\ (?: %s u[0-9a-fA-F]{4} | x[0-9a-fA-F]{2} | c[A-Za-z] | .? )
        | .
      )
      (?: (?P<mark>[*+?]) \?? | \{ (?P<least>[0-9]+) (?: (?P<comma>,) (?P<most>[0-9]*) )? \} \?? )?
"""
_TOKENS = {
    unicode: re.compile(_TOKEN % escapes, re.VERBOSE | re.DOTALL)
    for unicode, escapes in ((True, r"[pPu]\{[^}]*\} |"), (False, ""))
}


class Cost(NamedTuple):
    weight: int
    #: Whether a match takes time proportional to weight × length, whatever the text.
    linear: bool
    #: Whether a match can only start where the text does.
    anchored: bool


@dataclass(slots=True)
class _Part:
    """What trying a part of a pattern at one position can take: tests of one character, and ways to succeed."""

    tests: int = 0
    ways: int = 1
    size: int = 1

    def then(self, other: _Part) -> None:
        self.tests = min(_CAP, self.tests + self.ways * other.tests)
        self.ways = min(_CAP, self.ways * other.ways)
        self.size = min(_CAP, self.size + other.size)

    def repeated(self, least: int, most: int) -> _Part:
        times = max(1, most)
        if self.ways == 1:
            ways, tests = most - least + 1, times * self.tests
        else:
            ways = tests = 0
            reached = 1
            for done in range(min(times, 32)):
                ways += reached if done >= least else 0
                tests += reached * self.tests
                reached *= self.ways
            ways = min(_CAP, ways + reached) if times <= 32 else _CAP
        return _Part(min(_CAP, tests + 1), min(_CAP, max(1, ways)), min(_CAP, times * self.size))


class _Group:
    __slots__ = ("alternatives", "current")

    def __init__(self) -> None:
        self.alternatives: list[_Part] = []
        self.current = _Part()

    def close(self) -> _Part:
        parts = [*self.alternatives, self.current]
        return _Part(
            min(_CAP, sum(part.tests for part in parts) + 1),
            min(_CAP, sum(part.ways for part in parts)),
            min(_CAP, sum(part.size for part in parts)),
        )


def pattern_cost(source: str, *, unicode: bool) -> Cost:
    """Return the weight of an ECMA-262 pattern that is valid, with flag `u` or without."""
    scan = _Scan(_TOKENS[unicode].finditer(source))
    scan.run()
    part = scan.whole
    anchored = source.startswith("^") and not scan.top_alternatives
    if scan.bounded and anchored and part.tests <= MOST_WAYS:
        return Cost(PLAIN_WEIGHT + part.tests // _TESTS_PER_WEIGHT, True, anchored)
    return Cost(_CLOCKED_WEIGHT + min(part.size, _MOST_SIZE), False, anchored)


class _Scan:
    def __init__(self, tokens: Iterable[re.Match[str]]) -> None:
        self.tokens = tokens
        self.bounded = True  # no unbounded repetition, look-around, backreference, nor anything unknown
        self.top_alternatives = False
        self.whole = _Part()

    def run(self) -> None:
        groups = [_Group()]
        for token in self.tokens:
            kind = token.lastgroup
            if kind is None:
                groups[-1].current.then(_Part(1))
            elif token["open"]:
                self.bounded &= token["special"] is None
                groups.append(_Group())
            elif token["or"]:
                groups[-1].alternatives.append(groups[-1].current)
                groups[-1].current = _Part()
                self.top_alternatives |= len(groups) == 1
            else:
                part = groups.pop().close() if token["close"] and len(groups) > 1 else _Part(1)
                self.bounded &= not token["reference"]
                groups[-1].current.then(self._quantified(part, token))
        for group in groups[:0:-1]:
            groups[0].current.then(group.close())
        self.whole = groups[0].close()

    def _quantified(self, part: _Part, token: re.Match[str]) -> _Part:
        mark, counted = token["mark"], token["least"]
        if mark:
            self.bounded &= mark == "?"
            return part.repeated(0, 1)
        if not counted:
            return part
        least = _number(counted)
        most = _number(token["most"]) if token["most"] else least
        if token["comma"] and not token["most"]:
            self.bounded = False
            most = least + 1
        return part.repeated(least, max(least, most))


def _number(digits: str) -> int:
    return min(_CAP, int(digits)) if len(digits) < 10 else _CAP
