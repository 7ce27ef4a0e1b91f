"""An ECMA-262 pattern that asks only whether there is a match, in a form that the engine answers in less time.

Comes in: the source of a valid pattern, and whether it is one under flag `u`. Goes out: a source that matches somewhere
in exactly the same texts.
"""

from __future__ import annotations

import re

#: What has to be told apart: escapes and classes, in which nothing else stands; groups; and lazy quantifiers. Without
#: flag `u`, `\p` and `\u` are letters in front of a brace (ECMA-262 B.1.2).
_TOKEN = r"""
      \\ (?: %s (?P<number>[1-9][0-9]*) | (?P<name>k) | . )
    | \[ (?: [^\]\\] | \\. )* \]
    | (?P<ahead> \( \? <? = )
    | (?P<capture> \( (?: (?! \? ) | \? < (?! [=!] ) ) )
    | (?P<open> \( \?? )
    | (?P<close> \) )
    | (?P<greedy> [*+?] | \{[0-9]+(?:,[0-9]*)?\} ) \?
"""
#: Look-arounds of one source that are told apart.
_MOST_KEPT = 20
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
    Only a look-around is left with its first one (22.2.2.4), and by what that has captured a reference that stands
    outside of it may tell. (There the engine does see the clock.)"""
    if "?" not in source:
        return source
    tokens = list(_TOKENS[unicode].finditer(source))
    references = [token for token in tokens if token["number"] or token["name"]]
    kept = _first_ways(tokens, references) if references else []
    parts, at = [], 0
    for token in tokens:
        if token["greedy"] and not any([start < token.start() < end for start, end in kept]):
            parts.append(source[at : token.end() - 1])
            at = token.end()
    return "".join(parts) + source[at:]


def _first_ways(tokens: list[re.Match[str]], references: list[re.Match[str]]) -> list[tuple[int, int]]:
    """From where to where look-arounds stand whose first way may tell: a few, or the whole source."""
    found: list[tuple[int, int]] = []
    groups: list[tuple[int, bool, int]] = []
    captures = 0
    for token in tokens:
        if token["close"] and groups:
            start, looks, before = groups.pop()
            if looks and captures > before and _tells(references, start, token.start(), before, captures):
                found.append((start, token.start()))
                if len(found) > _MOST_KEPT:
                    return [(-1, len(token.string))]
        elif token["ahead"] or token["capture"] or token["open"]:
            groups.append((token.start(), token["ahead"] is not None, captures))
            captures += token["capture"] is not None
    return found


def _tells(references: list[re.Match[str]], start: int, end: int, before: int, captures: int) -> bool:
    """Does a reference outside of a look-around mean one of the groups in it? A name may be any of them."""
    outside = [token for token in references if not start < token.start() < end]
    return any([token["name"] or before < int(token["number"][:9]) <= captures for token in outside])
