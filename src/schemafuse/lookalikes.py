"""Names and values that look the same and are not: a reader must see what is different.

Comes in: a message in which texts are quoted, what was given and what is known. Goes out: the same message, with the
characters beyond ASCII escaped in the texts that could be taken for one another.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from .render import code_escape, escape

#: Texts of each side that are compared, and characters of one: longer ones are cut where they are quoted.
_MOST, _LONGEST = 200, 36


def told_apart(message: str, given: Iterable[str], known: Iterable[str]) -> str:
    """Escape in the message what could be taken for something else."""
    if message.isascii():
        return message
    others = [text for text, _ in zip(known, range(_MOST)) if len(text) <= _LONGEST]
    for text, _ in zip(given, range(_MOST)):
        if len(text) <= _LONGEST:
            for other in others:
                if look_alike(text, other):
                    for shown in (escape(text), escape(other)):
                        message = message.replace(f'"{shown}"', f'"{_in_ascii(shown)}"')
    return message


def look_alike(one: str, other: str) -> bool:
    """Can a text be taken for another? It can where they differ in how letters are composed, or where one has a letter
    of another script in the place of the other's."""
    if one == other or (one.isascii() and other.isascii()):
        return False
    one, other = (unicodedata.normalize("NFKC", text) for text in (one, other))
    return len(one) == len(other) and all([a == b or _same_shape(a, b) for a, b in zip(one, other)])


def _same_shape(a: str, b: str) -> bool:
    """A Latin letter with a mark is told from one without by everybody, a Cyrillic one by nobody."""
    if a.isascii() == b.isascii():
        return False
    return "LATIN" not in unicodedata.name(b if a.isascii() else a, "")


def _in_ascii(shown: str) -> str:
    return "".join([char if char.isascii() else code_escape(char) for char in shown])
