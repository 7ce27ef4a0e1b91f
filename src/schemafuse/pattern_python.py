"""Patterns in Python's own syntax: an allow-list, and a translation that means in `regex` what it means in `re`.

In goes a source that bears one of Python's own marks; out comes a source for the `regex` package (VERSION0) and its
flags, or `NotPythonError` with the reason. Nothing that `re` does not know reaches `regex`: no fuzzy match, recursion,
verb, set operation, POSIX class or branch reset. Never recursive; nesting and counted repetition are bounded, because
`regex` compiles recursively and unrolls counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import regex

from .pattern_python_characters import ASCII_SETS, UNICODE_SETS, CharacterReader, NotPythonError

#: Groups within groups. `regex` needs a few Python frames for each.
MAX_NESTING = 40
#: Characters and sets after writing out every counted repetition. `regex` takes about 300 bytes for each.
MAX_EXPANDED = 5_000
#: A word boundary is written as four look-arounds, and takes as long to compile as this many characters.
_ASSERTION_EXPANDED = 25

_GLOBAL_FLAGS = re.compile(r"\(\?([aimsux]+)\)")
# Not i: where a scope ignores case and its neighbours don't, `regex` misjudges them (`\A[^\WA-Z]|(?i:k)\Z` on "b").
_SCOPED_FLAGS = re.compile(r"\(\?([ms]*)(?:-([ms]+))?:")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_COUNT = re.compile(r"\{(?:([0-9]{1,9})?(,)([0-9]{1,9})?|([0-9]{1,9}))\}")
_ANY_COUNT = re.compile(r"\{[0-9]*(?:,[0-9]*)?\}")


def translate(source: str) -> tuple[str, int]:
    """Return the source and the flags for `regex.compile`. Raises NotPythonError."""
    return _Translator(source).run()


_Width = tuple[int, "int | None"]


@dataclass(slots=True)
class _Group:
    """One open group: what its alternatives are so far."""

    number: int = 0  # of a capturing group, else 0
    lookbehind: bool = False
    outside_lookbehind: bool = True
    widths: list[_Width] = field(default_factory=list)
    width: _Width = (0, 0)  # of the alternative being read
    expanded: int = 1
    start: int = 0  # where it begins in the output


@dataclass(slots=True)
class _Atom:
    """What a quantifier would apply to."""

    width: _Width
    expanded: int = 1
    repeatable: bool = True


class _Translator(CharacterReader):
    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.out: list[str] = []
        self.groups = [_Group()]
        self.count = 0  # capturing groups opened
        self.closed: set[int] = set()
        self.names: dict[str, int] = {}
        self.flags = int(regex.VERSION0)
        self.verbose = False

    def run(self) -> tuple[str, int]:
        self._global_flags()
        while True:
            self._skip_blanks()
            if self.at >= len(self.source):
                break
            self._piece(self.source[self.at])
        if len(self.groups) > 1:
            raise NotPythonError("a group is not closed")
        return "".join(self.out), self.flags

    def _global_flags(self) -> None:
        ascii_only = False
        while found := _GLOBAL_FLAGS.match(self.source, self.at):
            self.at = found.end()
            letters = found[1]
            if "a" in letters and "u" in letters:
                raise NotPythonError("flags a and u exclude each other")
            ascii_only |= "a" in letters
            self.verbose |= "x" in letters
            for letter, flag in (("i", regex.IGNORECASE), ("m", regex.MULTILINE), ("s", regex.DOTALL)):
                if letter in letters:
                    self.flags |= int(flag)
        self.flags |= int(regex.ASCII if ascii_only else regex.UNICODE)
        self.sets = ASCII_SETS if ascii_only else UNICODE_SETS
        self.joins_letters_i = bool(self.flags & int(regex.IGNORECASE)) and not ascii_only

    def _skip_blanks(self) -> None:
        while self.verbose and self.at < len(self.source):
            character = self.source[self.at]
            if character == "#":
                end = self.source.find("\n", self.at)
                self.at = len(self.source) if end < 0 else end + 1
            elif character in " \t\n\r\v\f":
                self.at += 1
            else:
                return

    # One construct, with its quantifier -------------------------------------------------------------------------

    def _piece(self, character: str) -> None:
        if character == "(":
            self._open()
            return
        if character == "|":
            self.at += 1
            self.out.append("|")
            group = self.groups[-1]
            group.widths.append(group.width)
            group.width = (0, 0)
            self._expand(1)
            return
        if character in "*+?" or self._at_count():
            raise NotPythonError("nothing to repeat")
        self._finish(self._atom(character))

    def _finish(self, atom: _Atom) -> None:
        """Read the quantifier after an atom, which is the last element of the output, and count both in."""
        least, most, suffix = self._quantifier()
        if suffix:
            if not atom.repeatable:
                raise NotPythonError("nothing to repeat")
            # An outer group keeps a quantifier off the last character of an atom that was written as several.
            self.out[-1] = f"(?:{self.out[-1]}){suffix}"
        group = self.groups[-1]
        group.width = _wider(group.width, atom.width, least, most)
        self._expand(atom.expanded * max(1, least if most is None else most))

    def _expand(self, size: int) -> None:
        self.groups[-1].expanded += size
        if self.groups[-1].expanded > MAX_EXPANDED:
            raise NotPythonError(f"written out, it comes to more than {MAX_EXPANDED} characters")

    def _at_count(self) -> bool:
        """Whether a counted quantifier stands here; `{}` is two literals to Python, `{,}` is none."""
        found = _ANY_COUNT.match(self.source, self.at)
        return found is not None and found[0] != "{}"

    def _quantifier(self) -> tuple[int, int | None, str]:
        self._skip_blanks()
        character = self.source[self.at : self.at + 1]
        least: int
        most: int | None
        if character and character in "*+?":
            self.at += 1
            least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[character]
        elif character == "{" and (found := _COUNT.match(self.source, self.at)):
            self.at = found.end()
            least = int(found[4] or found[1] or 0)
            most = least if found[4] else int(found[3]) if found[3] else None
            if most is not None and most < least:
                raise NotPythonError("a repetition has its counts in the wrong order")
        elif self._at_count():
            raise NotPythonError("a repetition count is too large")
        else:
            return 1, 1, ""
        written = f"{{{least},{'' if most is None else most}}}"
        if self.source[self.at : self.at + 1] in ("?", "+"):
            written += self.source[self.at]
            self.at += 1
        self._skip_blanks()
        following = self.source[self.at : self.at + 1]
        if following in ("*", "+", "?") or self._at_count():
            raise NotPythonError("multiple repeat")
        return least, most, written

    def _atom(self, character: str) -> _Atom:
        if character == ")":
            return self._close()
        self.at += 1
        if character == "[":
            self.out.append(self.read_class())
        elif character == "\\":
            return self._escape()
        elif character in "^$":
            self.out.append(character)
            return _Atom((0, 0), repeatable=False)
        else:
            self.out.append("." if character == "." else self.cased(character))
        return _Atom((1, 1))

    # Groups -----------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        if len(self.groups) > MAX_NESTING:
            raise NotPythonError(f"its groups nest more than {MAX_NESTING} deep")
        source, at = self.source, self.at
        group = _Group(start=len(self.out), outside_lookbehind=self.groups[-1].outside_lookbehind)
        if not source.startswith("(?", at):
            self.at += 1
            written = self._capture(group)
        elif source.startswith("(?P<", at):
            written = self._named(group)
        elif source.startswith("(?P=", at):
            self._named_reference()
            return
        elif source.startswith("(?#", at):
            end = source.find(")", at)
            if end < 0:
                raise NotPythonError("a comment is not closed")
            self.at = end + 1
            return
        else:
            written = self._special(group)
        self.out.append(written)
        self.groups.append(group)

    def _special(self, group: _Group) -> str:
        source, at = self.source, self.at
        for opening in ("(?=", "(?!", "(?<=", "(?<!", "(?>", "(?:"):
            if source.startswith(opening, at):
                self.at += len(opening)
                if opening.startswith("(?<"):
                    group.lookbehind = True
                    group.outside_lookbehind = False
                if opening in ("(?=", "(?!", "(?<=", "(?<!"):
                    group.number = -1
                return opening
        found = _SCOPED_FLAGS.match(source, at)
        if not found or not (found[1] or found[2]) or set(found[1]) & set(found[2] or ""):
            raise NotPythonError("a group starts with something that is not allowed here")
        self.at = found.end()
        return found[0]

    def _capture(self, group: _Group) -> str:
        self.count += 1
        group.number = self.count
        if self.count > 99:
            raise NotPythonError("it has more than 99 groups")
        return "("

    def _named(self, group: _Group) -> str:
        name, self.at = self._name(self.at + 4, ">")
        if name in self.names:
            raise NotPythonError("two groups have the same name")
        self.names[name] = self.count + 1
        return self._capture(group)

    def _name(self, at: int, end: str) -> tuple[str, int]:
        found = _NAME.match(self.source, at)
        if not found or not self.source.startswith(end, found.end()):
            raise NotPythonError("a group name is missing or not an ASCII identifier of up to 64 characters")
        return found[0], found.end() + 1

    def _named_reference(self) -> None:
        name, self.at = self._name(self.at + 4, ")")
        self._finish(self._reference(self.names.get(name, 0)))

    def _reference(self, number: int) -> _Atom:
        if number not in self.closed:
            raise NotPythonError("a backreference names a group that is not there, or not closed yet")
        if not self.groups[-1].outside_lookbehind:
            raise NotPythonError("a backreference stands in a look-behind")
        self.out.append(rf"\g<{number}>")
        return _Atom((0, None))

    def _close(self) -> _Atom:
        if len(self.groups) == 1:
            raise NotPythonError("a group is closed that was not opened")
        self.at += 1
        group = self.groups.pop()
        group.widths.append(group.width)
        self.out.append(")")
        low = min(width[0] for width in group.widths)
        highs = [width[1] for width in group.widths]
        high = None if None in highs else max(width or 0 for width in highs)
        if group.lookbehind and low != high:
            raise NotPythonError("a look-behind has no fixed width")
        # The output of the whole group is one element from here on, so that a quantifier can be put around it.
        self.out[group.start :] = ["".join(self.out[group.start :])]
        if group.number > 0:
            self.closed.add(group.number)
        return _Atom((0, 0) if group.number < 0 else (low, high), group.expanded)

    # Escapes and classes ----------------------------------------------------------------------------------------

    def _escape(self) -> _Atom:
        character = self.source[self.at : self.at + 1]
        if character in ("A", "Z", "b", "B"):
            self.at += 1
            self.out.append(self._assertion(character))
            return _Atom((0, 0), _ASSERTION_EXPANDED if character in "bB" else 1, repeatable=False)
        if character in self.sets and character:
            self.at += 1
            self.out.append(f"[{self.sets[character]}]")
            return _Atom((1, 1))
        if character and character in "123456789":
            digits = self.source[self.at : self.at + 3]
            if len(digits) < 3 or not all("0" <= digit <= "7" for digit in digits):
                length = 2 if digits[1:2].isascii() and digits[1:2].isdigit() else 1
                self.at += length
                return self._reference(int(digits[:length]))
        self.out.append(self.cased(self.escaped_character(in_class=False)))
        return _Atom((1, 1))

    def _assertion(self, character: str) -> str:
        if character in "AZ":
            return "\\" + character
        word = f"[{self.sets['w']}]"
        if character == "b":
            return f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"
        return f"(?:(?<={word})(?={word})|(?<!{word})(?!{word}))"


def _wider(width: _Width, added: _Width, least: int, most: int | None) -> _Width:
    """The fewest and most characters taken by a part and a repetition of another after it; None: no bound."""
    if width[1] is None or added[1] is None or (most is None and added[1]):
        return width[0] + added[0] * least, None
    return width[0] + added[0] * least, width[1] + added[1] * (most or 0)
