"""Patterns so simple that no regular expression engine is needed to match them.

In goes the source of an ECMA-262 pattern; out comes an exactly equivalent simpler form, or None when the source is not
of such a form (or when that is in doubt). A source for which a form is returned is valid with the `u` flag. Nothing
here raises because of a source, and the time taken is proportional to its length.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

LiteralKind = Literal["prefix", "suffix", "exact", "contains", "any"]

#: No form counts further than this; it keeps the counts within a C int.
MOST = 1 << 30
#: The bit of a set that stands for every code point from U+0080 on, lone surrogates included.
_EVERYTHING = (1 << 129) - 1

_SYNTAX = frozenset("^$\\.*+?()[]{}|")
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "v": "\v", "f": "\f"}


def _bits(characters: str) -> int:
    bits = 0
    for character in characters:
        bits |= 1 << ord(character)
    return bits


_DIGITS = _bits("0123456789")
_WORD = _DIGITS | _bits("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_")
_CLASSES = {"d": _DIGITS, "w": _WORD, "D": _EVERYTHING ^ _DIGITS, "W": _EVERYTHING ^ _WORD}


class Atom(NamedTuple):
    """A set of characters and how often it may occur in a row."""

    #: Bit c is set when code point c is in the set; bit 128 when all code points beyond ASCII are.
    members: int
    least: int
    #: -1: no bound.
    most: int


class Sequence(NamedTuple):
    """Atoms that a text must start with, each taking as many characters as it can; no backtracking is ever needed."""

    atoms: tuple[Atom, ...]
    #: Whether the atoms must take the whole text.
    whole: bool


class _Item(NamedTuple):
    members: int | None  # None: a set that is not known here
    literal: str  # the one character, or "" for a set
    least: int
    most: int


class _UnsuitableError(Exception):
    """The source is not of a simple form."""


class Forms(NamedTuple):
    """The simple forms of one source."""

    literal: tuple[LiteralKind, str] | None
    sequence: Sequence | None


NO_FORMS = Forms(None, None)


def simple_forms(source: str) -> Forms:
    """Return both forms of a source, each None where it has none."""
    try:
        starts, ends, items = _reduced(source)
    except _UnsuitableError:
        return NO_FORMS
    return Forms(_literal(starts, ends, items), _sequence(starts, ends, items))


def literal_form(source: str) -> tuple[LiteralKind, str] | None:
    """Say which literal text must stand where: ("prefix", "ab") for `^ab`; ("any", "") matches every text."""
    return simple_forms(source).literal


def class_form(source: str) -> Sequence | None:
    """Return the atoms of a pattern that starts with `^`, when taking as much as possible at each is always right."""
    return simple_forms(source).sequence


def _literal(starts: bool, ends: bool, items: list[_Item]) -> tuple[LiteralKind, str] | None:
    if not items and not (starts and ends):
        return "any", ""
    if any(not item.literal or item.least != item.most for item in items):
        return None
    if sum(item.least for item in items) > 4096:
        return None
    kind: LiteralKind = "exact" if starts and ends else "prefix" if starts else "suffix" if ends else "contains"
    return kind, "".join(item.literal * item.least for item in items)


def _sequence(starts: bool, ends: bool, items: list[_Item]) -> Sequence | None:
    if not starts or len(items) > 64:
        return None
    for place, item in enumerate(items):
        if item.members is None:
            return None
        if item.least != item.most and not _disjoint_from_next(items, place):
            return None
    return Sequence(tuple(Atom(item.members or 0, item.least, item.most) for item in items), ends)


def _disjoint_from_next(items: list[_Item], place: int) -> bool:
    """Whether no character that the item could leave over can be taken by what follows it."""
    own = items[place].members or 0
    for following in items[place + 1 :]:
        if following.members is None or own & following.members:
            return False
        if following.least:
            return True
    return True


def _reduced(source: str) -> tuple[bool, bool, list[_Item]]:
    """Parse, then drop what an open end makes pointless: without `$`, `^ab*` matches exactly where `^a` does."""
    starts, ends, items = _Parser(source).parse()
    if not starts:
        while items and not items[0].least:
            del items[0]
        if items:
            items[0] = items[0]._replace(most=items[0].least)
    if not ends:
        while items and not items[-1].least:
            items.pop()
        if items:
            items[-1] = items[-1]._replace(most=items[-1].least)
    return starts, ends, items


class _Parser:
    """Reads the plain part of the ECMA-262 grammar (with flag u); raises _UnsuitableError at anything else."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.open_groups = 0

    def parse(self) -> tuple[bool, bool, list[_Item]]:
        source = self.source
        starts = source.startswith("^")
        self.at = int(starts)
        items: list[_Item] = []
        while self.at < len(source):
            character = source[self.at]
            if character == "$" and self.at + 1 == len(source) and not self.open_groups:
                return starts, True, items
            if character == "(":
                self._open_group()
            elif character == ")":
                self._close_group()
            else:
                members, literal = self._atom(character)
                items.append(_Item(members, literal, *self._quantifier()))
        if self.open_groups:
            raise _UnsuitableError
        return starts, False, items

    def _open_group(self) -> None:
        # Without alternation, quantifier and backreference a group changes nothing about what matches.
        self.at += 3 if self.source.startswith("(?:", self.at) else 1
        self.open_groups += 1

    def _close_group(self) -> None:
        self.at += 1
        self.open_groups -= 1
        if self.open_groups < 0 or self.source[self.at : self.at + 1] in ("*", "+", "?", "{"):
            raise _UnsuitableError

    def _atom(self, character: str) -> tuple[int | None, str]:
        self.at += 1
        if character == "[":
            return self._class(), ""
        if character == ".":
            return None, ""
        if character == "\\":
            return self._escape(in_class=False)
        if character in _SYNTAX or "\ud800" <= character <= "\udfff":
            raise _UnsuitableError
        return _single(character), character

    def _escape(self, in_class: bool) -> tuple[int | None, str]:
        character = self.source[self.at : self.at + 1]
        self.at += 1
        if character in _CLASSES:
            return _CLASSES[character], ""
        if character in ("s", "S"):
            return None, ""
        if character in _CONTROLS:
            literal = _CONTROLS[character]
        elif character and (character in _SYNTAX or character == "/" or (in_class and character == "-")):
            literal = character
        else:
            raise _UnsuitableError
        return _single(literal), literal

    def _class(self) -> int | None:
        source = self.source
        negated = source.startswith("^", self.at)
        self.at += negated
        members = 0
        spaces = ""  # \s and \S hold characters beyond ASCII, but not all; together they hold everything
        while not source.startswith("]", self.at):
            first, low = self._class_atom()
            if source.startswith("-", self.at) and not source.startswith("-]", self.at):
                self.at += 1
                _, high = self._class_atom()
                if not low or not high or low > high:
                    raise _UnsuitableError
                members |= (2 << ord(high)) - (1 << ord(low))
            elif first is None:
                spaces += source[self.at - 1]
            else:
                members |= first
        self.at += 1
        if "s" in spaces and "S" in spaces:
            members = _EVERYTHING
        elif spaces:
            return None
        return members ^ _EVERYTHING if negated else members

    def _class_atom(self) -> tuple[int | None, str]:
        character = self.source[self.at : self.at + 1]
        self.at += 1
        if character == "\\":
            return self._escape(in_class=True)
        if not character or character > "\x7f":
            raise _UnsuitableError
        return 1 << ord(character), character

    def _quantifier(self) -> tuple[int, int]:
        source = self.source
        mark = source[self.at : self.at + 1]
        least, most = 1, 1
        if mark and mark in "*+?":
            self.at += 1
            least, most = {"*": (0, -1), "+": (1, -1), "?": (0, 1)}[mark]
        elif mark == "{":
            end = source.find("}", self.at)
            low, comma, high = source[self.at + 1 : max(end, self.at + 1)].partition(",")
            least = _count(low)
            most = least if not comma else _count(high) if high else -1
            if 0 <= most < least:
                raise _UnsuitableError
            self.at = end + 1
        else:
            return 1, 1
        # A lazy quantifier prefers another match, but not another answer to whether there is one.
        self.at += source.startswith("?", self.at)
        return least, most


def _single(character: str) -> int | None:
    return 1 << ord(character) if character < "\x80" else None


def _count(digits: str) -> int:
    if not 0 < len(digits) < 10 or not (digits.isascii() and digits.isdigit()):
        raise _UnsuitableError
    count = int(digits)
    if count > MOST:
        raise _UnsuitableError
    return count
