"""Which name or value another was probably meant to be.

Texts go in, the one that is near comes out, and how near it is. Two that are equally near are no answer, nor is a text
that may just as well mean something else: `max_price` is not `min_price`, nor `user_ip` `user_id`, nor `line2` `line3`.
"""

from __future__ import annotations

import re
import unicodedata
from enum import IntEnum
from functools import lru_cache
from typing import Any

from ._core.distance import beginning_like, nearest

_CHARS = 200
#: Values that are put in order.
_MOST = 1_000
#: Names and values among which one is looked for: of more, none is known to be the only one.
_CANDIDATES = 2_000
#: Those of them that are taken apart into words: of more, hardly one alone is meant.
_LIKELY = 16
#: A slip in a shorter word is too likely another word (`ip`, `id`), two edits are a slip in a long word only.
_SHORTEST, _LONG = 4, 7

_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
#: What joins two words; between digits ("1.5"), and in front ("-name"), it means something.
_JOINER = re.compile(r"(?<=[^\W\d_])[ _.\-]+(?=[^\W_])|(?<=[^\W_])[ _.\-]+(?=[^\W\d_])")


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Words by which names differ that are otherwise alike: the other name is another thing.
_CONTRASTS = _set(
    "no not non never without except exclude excluded include included min max minimum maximum from to start end "
    "before after since until old new previous next first last source target src dst left right in out on off "
    "enable disable enabled disabled all any lower upper least most import export"
)
#: Slips of one word that are words themselves.
_WORDS_TOO = _set(
    "form from trial trail angle angel later latter lose loose filing filling desert dessert coma comma casual causal "
    "united untied cart chart pace place cost coast pint point post pot shot short band brand stat start stats starts "
    "content context contract contact country county reply replay message massage complement compliment adopt adapt "
    "batch bath string sting device devise course coarse friend fiend granted grated diary dairy marital martial "
    "minute minuet sever server fired fried sliver silver unclear nuclear dinner diner supper super bared barred "
    "prefect perfect scared sacred stationary stationery latitude altitude user users price prices "
    "though through hoping hopping planed planned quiet quite"
)


class Nearness(IntEnum):
    """How near one text is to another."""

    FAR = 0
    #: All words of the one are words of the other: `email`, `customer_email`.
    PART = 1
    #: Like enough for a question.
    SIMILAR = 2
    #: A letter inserted or substituted within a word, an `s` at its end more or less.
    TYPO = 3
    #: Two letters swapped, one doubled, one dropped within a word: hardly ever another word.
    SLIP = 4
    #: The same words, in another case or joined in another way.
    SAME = 5


class Near:
    """A text that was probably meant, and how near it is to the one that was given."""

    __slots__ = ("nearness", "text")

    def __init__(self, text: str, nearness: Nearness) -> None:
        self.text = text
        self.nearness = nearness


def plain(text: str) -> str:
    """A name without what people vary in it: case, and how its words are joined."""
    return _plain(text if len(text) <= _CHARS else text[:_CHARS])


@lru_cache(maxsize=8192)
def _plain(text: str) -> str:
    return _JOINER.sub("", unicodedata.normalize("NFC", text).strip()).casefold()


def words_of(text: str) -> list[str]:
    """The words of a name, however they are joined; a number is one of them."""
    return [word.casefold() for word in _WORD.findall(_CAMEL.sub(" ", text[:_CHARS]))]


class Spelt:
    """Texts among which one is looked for, with their `plain` spellings; without, where each cannot be looked at."""

    __slots__ = ("spelt", "texts")

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts
        self.spelt = [plain(text) for text in texts] if len(texts) <= _CANDIDATES else []


def nearest_of_each(given: list[str], texts: list[str]) -> list[Near | None]:
    """The same for each of several."""
    among = Spelt(texts)
    return [nearest_of(one, among) for one in given]


def nearest_of(given: str, among: Spelt) -> Near | None:
    """The one text that another was probably meant to be; None where there is none, or not one alone."""
    texts, spelt = among.texts, among.spelt
    wanted = plain(given)
    found: list[int] = [i for i, other in enumerate(spelt) if other == wanted] if wanted else []
    if not found:
        found, _ = nearest(wanted, spelt, 2 if len(wanted) >= _LONG else 1)
    if len(found) > 1:
        return None
    if found:
        how = nearness(given, texts[found[0]])
        if how:
            return Near(texts[found[0]], how)
    # Texts that share no letters in a row need not be taken apart.
    likely = [text for text, other in zip(texts, spelt) if other in wanted or wanted in other]
    if not 0 < len(likely) <= _LIKELY:
        return None
    words = words_of(given)
    whole = [text for text in likely if _is_part(words, words_of(text))]
    return Near(whole[0], Nearness.PART) if len(whole) == 1 else None


def nearness(given: str, meant: str) -> Nearness:
    """How near a text is to the one that may be meant, which is at most two edits away."""
    slip, right = plain(given), plain(meant)
    if slip == right:
        return Nearness.SAME
    words = words_of(meant)
    same_numbers = _DIGIT.findall(slip) == _DIGIT.findall(right)
    if not same_numbers or "".join(words) != right or _WORDS_TOO & set(words_of(given)) - set(words):
        return Nearness.FAR
    at = next((i for i, (one, other) in enumerate(zip(slip, right)) if one != other), min(len(slip), len(right)))
    inserted, dropped = slip[at + 1 :] == right[at:], slip[at:] == right[at + 1 :]
    swapped = slip[at : at + 2] == right[at : at + 2][::-1] and slip[at + 2 :] == right[at + 2 :]
    if not inserted and not dropped and not swapped and slip[at + 1 :] != right[at + 1 :]:
        alike = slip[:3] == right[:3] and slip[-1:] == right[-1:] and max(map(len, words)) >= _LONG
        return Nearness.SIMILAR if alike else Nearness.FAR
    start, end = _word_at(at - 1 if inserted and at else at, words)
    if end - start < _SHORTEST:
        return Nearness.FAR
    if swapped:
        return Nearness.SLIP if at + 2 <= end else Nearness.FAR
    if inserted:
        return _of_inserted(slip, at, start, end)
    within = start < at < end - 1
    if dropped:
        return Nearness.SLIP if within else _of_an_end(right[at], at == start)
    return Nearness.TYPO if within else Nearness.FAR


def _of_inserted(slip: str, at: int, start: int, end: int) -> Nearness:
    if at > start and slip[at] == slip[at - 1]:
        return Nearness.SLIP
    return Nearness.TYPO if start < at < end else _of_an_end(slip[at], at == start)


def _of_an_end(letter: str, first: bool) -> Nearness:
    """A letter more or less at an end of a word: `async` is not `sync`, and `tag` is `tags`."""
    if first:
        return Nearness.FAR if letter == "a" else Nearness.SIMILAR
    return Nearness.TYPO if letter == "s" else Nearness.SIMILAR


def _word_at(position: int, words: list[str]) -> tuple[int, int]:
    """Where the word at a position of the joined words begins and ends."""
    start = 0
    for word in words:
        if position < start + len(word):
            return start, start + len(word)
        start += len(word)
    return start, start


def _is_part(one: list[str], other: list[str]) -> bool:
    """Do the words of one text stand in the other one, and nothing by which they would differ?"""
    short, long = (one, other) if len(one) < len(other) else (other, one)
    if not short or len(short) == len(long) or max(map(len, short)) < 2:
        return False
    for i in range(len(long) - len(short) + 1):
        if long[i : i + len(short)] == short:
            rest = long[:i] + long[i + len(short) :]
            return not any([word in _CONTRASTS or word.isdigit() for word in rest])
    return False


def by_nearness(text: str, values: list[Any], most: int) -> list[Any]:
    """The values with those first that look most like the text, or begin like it."""
    looked_at = [value for value in values[:_MOST] if type(value) is str]
    found, _ = nearest(text, looked_at, 0 if len(text) < 3 else 1 if len(text) < 5 else 2 if len(text) < 12 else 3)
    first = [looked_at[i] for i in found[:most]]
    for letters in (3, 1):
        first += beginning_like(text, looked_at, letters, most)
    first = list(dict.fromkeys(first))[:most]
    return first + [value for value in values if value not in first]


def by_distance(number: int | float, values: list[Any], most: int) -> list[Any]:
    """The values with those numbers first that are nearest to a number, in their order."""
    try:
        # As floats: a subtraction of large integers would take longer.
        away = [
            (abs(number - float(value)), i) for i, value in enumerate(values[:_MOST]) if type(value) in (int, float)
        ]
    except OverflowError:
        return values
    first = [i for _, i in sorted(sorted(away)[:most], key=lambda found: found[1])]
    return [values[i] for i in first] + [value for i, value in enumerate(values) if i not in first]
