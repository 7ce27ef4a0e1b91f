"""Single characters and classes of Python's pattern syntax, written for the `regex` package.

The lower half of `pattern_python`: a reader that stands at a character, an escape or a class goes in; the same thing,
spelt so that `regex` means by it what `re` means on `str`, comes out, or `NotPythonError`. Literals come out as
escapes, and the escapes for digits, spaces and words as sets, so that nothing that `regex` alone knows can be spelt.
"""

from __future__ import annotations

import re

# What `re` means on str: isdecimal(), isspace(), isalnum() or "_" (and their ASCII parts under (?a)).
_SPACE = r"\x09-\x0d\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_NOT_SPACE = (
    r"\x00-\x08\x0e-\x1b\x21-\x84\x86-\x9f\xa1-\u167f\u1681-\u1fff"
    r"\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\U0010ffff"
)
_NOT_WORD = r"\p{M}\p{Z}\p{C}\p{S}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}\u203f\u2040\u2054\ufe33\ufe34\ufe4d-\ufe4f\uff3f"
# Not \P{Nd}: `regex` takes "a" for a member of [^\P{Nd}\p{Nd}].
_NOT_DIGIT = r"\p{L}\p{M}\p{Z}\p{C}\p{S}\p{P}\p{Nl}\p{No}"
# To `re` these four are one letter when case is ignored; to `regex` only some pairs of them are.
_LETTERS_I = "Ii\u0130\u0131"
UNICODE_SETS = {
    "d": r"\p{Nd}", "D": _NOT_DIGIT, "s": _SPACE, "S": _NOT_SPACE, "w": r"\p{L}\p{N}_", "W": _NOT_WORD,
}  # fmt: skip
ASCII_SETS = {
    "d": "0-9", "D": r"\x00-\x2f\x3a-\U0010ffff", "s": r"\x09-\x0d\x20", "S": r"\x00-\x08\x0e-\x1f\x21-\U0010ffff",
    "w": "0-9A-Z_a-z", "W": r"\x00-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\U0010ffff",
}  # fmt: skip
_CONTROLS = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_OCTAL = re.compile("0[0-7]{0,2}|[0-7]{3}")
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}


class NotPythonError(ValueError):
    """The source is outside the allow-list. `str()` is the reason, free of text from the source."""


class CharacterReader:
    """Reads characters, escapes of characters, and classes. `at` is where in the source it stands."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.sets = UNICODE_SETS
        self.joins_letters_i = False

    def cased(self, character: str) -> str:
        return f"[{_LETTERS_I}]" if character in _LETTERS_I and self.joins_letters_i else literal(character)

    def escaped_character(self, in_class: bool) -> str:
        source = self.source
        character = source[self.at : self.at + 1]
        if not character:
            raise NotPythonError("it ends in a backslash")
        if character in _HEX_DIGITS:
            return self._numeric_escape(_HEX_DIGITS[character])
        if character in "01234567":
            found = _OCTAL.match(source, self.at)
            if not found or int(found[0], 8) > 0o377:
                raise NotPythonError("an octal escape is not complete")
            self.at = found.end()
            return chr(int(found[0], 8))
        self.at += 1
        if character in _CONTROLS and (in_class or character != "b"):
            return chr(_CONTROLS[character])
        if character.isascii() and character.isalnum():
            raise NotPythonError("an escape is not known to Python")
        return character

    def _numeric_escape(self, length: int) -> str:
        digits = self.source[self.at + 1 : self.at + 1 + length]
        if not re.fullmatch(f"[0-9a-fA-F]{{{length}}}", digits) or int(digits, 16) > 0x10FFFF:
            raise NotPythonError("a numeric escape is not complete")
        self.at += 1 + length
        return chr(int(digits, 16))

    def read_class(self) -> str:
        source = self.source
        written = ["["]
        if source.startswith("^", self.at):
            written.append("^")
            self.at += 1
        first = True
        while first or not source.startswith("]", self.at):
            first = False
            low, text = self._class_atom()
            if source.startswith("-", self.at) and source[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                high, end = self._class_atom()
                if not low or not high or low > high:
                    raise NotPythonError("a range in a class has no proper ends")
                text += "-" + end
            else:
                high = low
            if low and any(low <= letter <= high for letter in _LETTERS_I) and self.joins_letters_i:
                text += _LETTERS_I
            written.append(text)
        self.at += 1
        return "".join(written) + "]"

    def _class_atom(self) -> tuple[str, str]:
        """Return the single character ("" for a set) and how to write it."""
        character = self.source[self.at : self.at + 1]
        if not character:
            raise NotPythonError("a class is not closed")
        self.at += 1
        if character != "\\":
            return character, literal(character)
        escaped = self.source[self.at : self.at + 1]
        if escaped and escaped in self.sets:
            self.at += 1
            return "", self.sets[escaped]
        character = self.escaped_character(in_class=True)
        return character, literal(character)


def literal(character: str) -> str:
    code = ord(character)
    if code < 128:
        return character if character.isalnum() else f"\\x{code:02x}"
    return f"\\U{code:08x}"
