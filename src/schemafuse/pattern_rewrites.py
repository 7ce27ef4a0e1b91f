"""An ECMA-262 pattern that asks only whether there is a match, in a form that the engine answers in less time.

Comes in: the source of a valid pattern, and whether it is one under flag `u`. Goes out: a source that matches somewhere
in exactly the same texts.
"""

from __future__ import annotations

import re

#: What has to be told apart: escapes and classes, in which nothing else stands; groups; and lazy quantifiers. Without
#: flag `u`, `\p` and `\u` are letters in front of a brace (ECMA-262 B.1.2).
_TOKEN = r"""
      \\ (?: %s (?P<reference>[1-9k]) | . )
    | \[ (?: [^\]\\] | \\. )* \]
    | (?P<ahead> \( \? <? = )
    | (?P<capture> \( (?: (?! \? ) | \? < (?! [=!] ) ) )
    | (?P<open> \( \?? )
    | (?P<close> \) )
    | (?P<greedy> [*+?] | \{[0-9]+(?:,[0-9]*)?\} ) \?
"""
_TOKENS = {
    unicode: re.compile(_TOKEN % escapes, re.VERBOSE | re.DOTALL)
    for unicode, escapes in ((True, r"u\{[0-9a-fA-F]*\} | [pP]\{[^}]*\} |"), (False, ""))
}


def for_test(source: str, anchored: bool, unicode: bool) -> str:
    """Rewrite a source. `anchored`: its matches start where the text does, and nowhere else.

    Left to look for a start by itself, the engine tries its automaton at one place after the other, off its clock
    (`(a|a)([^\\W0])*b` on 200,000 times "a": 40 s where 0.2 s were allowed). Anchored, with the way to the start as
    part of the pattern, it reads the text once. Nor does it see the clock while it takes up what lazy quantifiers
    inside a loop left (`^(\\p{L}*?)*a` on 20,000 characters: 1.8 s).
    """
    eager = _without_laziness(source, unicode)
    return eager if anchored else f"^[^]*?(?:{eager})"


def _without_laziness(source: str, unicode: bool) -> str:
    """Which of several ways to match is tried first tells nothing where all of them are tried (ECMA-262 22.2.2.3.1).
    Only a look-around is left with its first one (22.2.2.4), and by what that has captured a reference may tell."""
    if "?" not in source:
        return source
    tokens = list(_TOKENS[unicode].finditer(source))
    kept = _first_ways(tokens) if any([token["reference"] for token in tokens]) else []
    parts, at = [], 0
    for token in tokens:
        while kept and kept[0][1] < token.start():
            kept.pop(0)
        if token["greedy"] and not (kept and kept[0][0] < token.start()):
            parts.append(source[at : token.end() - 1])
            at = token.end()
    return "".join(parts) + source[at:]


def _first_ways(tokens: list[re.Match[str]]) -> list[tuple[int, int]]:
    """From where to where the outermost look-arounds stand that capture something."""
    found: list[tuple[int, int]] = []
    groups: list[tuple[int, bool]] = []
    captured = -1  # where the last group that captures was opened
    for token in tokens:
        if token["close"] and groups:
            start, looks = groups.pop()
            if looks and captured > start:
                while found and found[-1][0] > start:
                    found.pop()
                found.append((start, token.start()))
        elif token["ahead"] or token["capture"] or token["open"]:
            groups.append((token.start(), token["ahead"] is not None))
            captured = token.start() if token["capture"] else captured
    return found
