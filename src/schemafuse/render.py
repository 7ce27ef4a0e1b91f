"""Text for a reader, bounded and escaped whatever goes in.

Comes in: values, names and paths from strangers, and finished reports. Goes out: short text in which everything from
outside stands in double quotes, with nothing in it that a terminal, a log or a model could take for more than data.
Never calls a method that a subclass could have overridden, and never renders more than it shows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ._core.texts import beginning, plain_pointer, quoted

if TYPE_CHECKING:
    from .errors import Report
    from .limits import Limits

#: What Python calls printable and nobody sees (Unicode's Default_Ignorable_Code_Point, and the blank Braille pattern);
#: whole messages can be hidden in it.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
#: A metaclass may have a `__name__` of its own.
_NAME: Any = vars(type)["__name__"]
_LITERALS = {None: "null", True: "true", False: "false"}
#: Names as programs have them in a JSON Pointer, in whatever letters; a word or several.
_PLAIN = re.compile(r"[\w$@~/…-]+")
_WORDS = re.compile(r"[A-Za-z0-9_]+(?:[ -][A-Za-z0-9_]+)*")
_SHORT_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}

#: Integers between are written with fewer characters.
_SHORT, _SHORT_CHARS = 10**14, 16
#: Containers inside containers are shown as "[…]" or "{…}" below this many levels.
_SHOWN_LEVELS = 3
#: Characters of what a text is about.
_SUBJECT_CHARS = 60
#: Kept free for the line that says how many problems were left out.
_CLOSING_CHARS = 32


def escape(text: str) -> str:
    """Escape what is not printable, or printed as nothing: control, format (bidi, zero-width), surrogate, private,
    unassigned characters, fillers and variation selectors."""
    if text.isprintable() and '"' not in text and "\\" not in text and (text.isascii() or not _BLANK.search(text)):
        return text
    return "".join(_escape_char(char) for char in text)


def _escape_char(char: str) -> str:
    if char in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[char]
    if char.isprintable() and not _BLANK.match(char):
        return char
    return code_escape(char)


def code_escape(char: str) -> str:
    """A character by its code point."""
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\u{{{code:x}}}"


def quote_text(text: str, max_chars: int = 80) -> str:
    """Put text in double quotes, escaped and cut with "…" so that the whole has at most `max_chars` characters."""
    room = max_chars - 2
    plain = quoted(text, room)
    if plain is not None:
        return plain
    if str.__len__(text) > room:
        plain = quoted(beginning(text, room - 1), room)
        if plain is not None:
            return f'{plain[:-1]}…"'
    body = escape(beginning(text, room + 1))
    if len(body) <= room and str.__len__(text) <= room:
        return f'"{body}"'
    body = body[: room - 1]
    # An escape that the cut has torn apart would read as something else.
    for back in range(1, min(10, len(body)) + 1):
        if body[-back] == "\\":
            if len(escape(body[-back:])) != back:
                body = _without_torn_escape(body)
            break
    return f'"{body}…"'


def _without_torn_escape(body: str) -> str:
    position = 0
    while position < len(body):
        length = _escape_length(body, position)
        if position + length > len(body):
            return body[:position]
        position += length
    return body


def _escape_length(body: str, position: int) -> int:
    if body[position] != "\\":
        return 1
    following = body[position + 1 : position + 3]
    if following == "u{":
        end = body.find("}", position)
        return end - position + 1 if end >= 0 else len(body) + 1
    return 6 if following[:1] == "u" else 2


def quote(value: Any, max_chars: int = 80) -> str:
    """Show any value in at most `max_chars` characters, JSON values in JSON's notation."""
    kind = type(value)
    if kind is str:
        return quote_text(value, max_chars)
    if kind is int and -_SHORT < value < _SHORT and max_chars >= _SHORT_CHARS:
        return str(value)
    text = _shown(value, max_chars, 0)
    return text if len(text) <= max_chars else text[: max_chars - 1] + "…"


def _shown(value: Any, room: int, level: int) -> str:
    kind = type(value)
    if value is None or kind is bool:
        return _LITERALS[value]
    if issubclass(kind, str):
        return quote_text(value, max(room, 4))
    if issubclass(kind, int):
        return _shown_int(int.__pos__(value), room)
    if issubclass(kind, float):
        return float.__repr__(value)
    if issubclass(kind, dict):
        return _shown_object(value, room, level)
    if issubclass(kind, (list, tuple)):
        return _shown_array(value, room, level)
    return f"a Python object of type {quote_text(_NAME.__get__(kind), 40)}"


def _shown_int(value: int, room: int) -> str:
    bits = value.bit_length()
    if bits > 192:  # never str() of a huge integer: it costs quadratic time, and Python refuses it
        return f"an integer of about {int(bits * 0.30103) + 1} digits"
    text = str(value)
    return text if len(text) <= room else f"an integer of {len(text.lstrip('-'))} digits"


def _shown_object(value: dict[Any, Any], room: int, level: int) -> str:
    if not dict.__len__(value):
        return "{}"
    if level >= _SHOWN_LEVELS:
        return "{…}"
    parts: list[str] = []
    used = 2
    try:
        for key, member in dict.items(value):
            if used >= room:
                break
            part = f"{_shown(key, room - used, level + 1)}: {_shown(member, room - used, level + 1)}"
            parts.append(part)
            used += len(part) + 2
    except RuntimeError:  # another thread changed it; what has been seen will do
        pass
    return _joined("{", parts, "}", dict.__len__(value), room)


def _shown_array(value: list[Any] | tuple[Any, ...], room: int, level: int) -> str:
    base: Any = list if issubclass(type(value), list) else tuple
    length: int = base.__len__(value)
    if not length:
        return "[]"
    if level >= _SHOWN_LEVELS:
        return "[…]"
    parts: list[str] = []
    used = 2
    for item in base.__iter__(value):
        if used >= room:
            break
        part = _shown(item, room - used, level + 1)
        parts.append(part)
        used += len(part) + 2
    return _joined("[", parts, "]", length, room)


def _joined(opening: str, parts: list[str], closing: str, length: int, room: int) -> str:
    while parts:
        more = ["…"] if len(parts) < length else []
        text = opening + ", ".join(parts + more) + closing
        if len(text) <= room:
            return text
        parts = parts[:-1]
    return f"{opening}…{closing}"


def json_pointer(path: tuple[str | int, ...]) -> str:
    """Write a path as a JSON Pointer (RFC 6901)."""
    plain = plain_pointer(path)
    if plain is not None:
        return plain
    return "".join(["/" + pointer_token(part) if isinstance(part, str) else f"/{part}" for part in path])


def pointer_token(name: str) -> str:
    """Write one reference token of a JSON Pointer."""
    if "~" in name or "/" in name:
        return name.replace("~", "~0").replace("/", "~1")
    return name


def json_path(path: tuple[str | int, ...]) -> str:
    """Write a path as a JSONPath (RFC 9535)."""
    return "$" + "".join(_path_part(part) for part in path)


def _path_part(part: str | int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    if part.isidentifier() and part.isascii():
        return f".{part}"
    return f"[{quote_text(part, len(part) * 10 + 2)}]"


def place(path: tuple[str | int, ...], max_chars: int = 120) -> str:
    """Name a place in an instance for a reader: the JSON Pointer, cut in the middle; "/" spelled out for the root. In
    quotes, unless it consists of what names in programs consist of: other text could be read as more than a place."""
    if not path:
        return "/ (the root)"
    plain = plain_pointer(path, True)
    if plain is not None and len(plain) <= max_chars:
        return plain
    pointer = json_pointer(tuple([part[: max_chars + 1] if isinstance(part, str) else part for part in path]))
    quotes = not _PLAIN.fullmatch(pointer) or escape(pointer) != pointer
    if len(pointer) > max_chars:
        half = (max_chars - 1) // 2
        pointer = f"{pointer[:half]}…{pointer[-half:]}"
    return quote_text(pointer, max_chars) if quotes else pointer


def _subject(subject: str) -> tuple[str, str]:
    """What the text is about, short and with nothing in it that could end the sentence, and the verb for it."""
    text = str.__str__(subject)
    if len(text) > _SUBJECT_CHARS or not _WORDS.fullmatch(text):
        text = quote_text(text, _SUBJECT_CHARS)
    return text, "are" if text.endswith("s") else "is"


def render_report(report: Report, subject: str, limits: Limits) -> str:
    """Say what is wrong with `subject`, a line a problem, in at most `limits.max_text_chars` characters."""
    subject, are = _subject(subject)
    if report.status == "valid":
        return f"The {subject} {are} valid."
    if report.exhausted is not None:
        cause = _cause(report.exhausted.budget, are == "are")
        return shortened(f"The {subject} could not be checked: {report.exhausted}. {cause}", limits.max_text_chars)
    errors = [error for error in report.errors if not error.covered]
    count = f"{len(errors)} or more" if report.more_errors else str(len(errors))
    lines = [f"The {subject} {are} not valid: {count} problem{'' if count == '1' else 's'}."]
    lines += [f"- {error.message}" for error in errors]
    text = "\n".join(lines)
    return text if len(text) <= limits.max_text_chars else _cut(lines, limits.max_text_chars)


def shortened(line: str, max_chars: int) -> str:
    """Cut a line so that no quotation stays open."""
    if len(line) <= max_chars:
        return line
    body = _without_torn_escape(line[: max_chars - 2])
    position = quotes = 0
    while position < len(body):
        quotes += body[position] == '"'
        position += _escape_length(body, position)
    return body + ('…"' if quotes % 2 else "…")


def _cause(budget: str, many: bool) -> str:
    """Whose fault it is that there is no verdict, as far as that is known."""
    if budget == "instance_depth":
        return f"{'They are' if many else 'It is'} nested too deeply."
    their, they_are = ("their", "they are") if many else ("its", "it is")
    return f"That can be due to the schema or to {their} size; it does not mean that {they_are} wrong."


def _cut(lines: list[str], max_chars: int) -> str:
    """Leave out the last problems, and say how many; the first is always there, cut if it must be."""
    room = max_chars - _CLOSING_CHARS
    kept = 1
    while kept < len(lines) and sum(map(len, lines[: kept + 1])) + kept <= room:
        kept += 1
    if kept == 1:
        kept = 2
        lines[1] = shortened(lines[1], room - len(lines[0]) - 1)
    left_out = len(lines) - kept
    return "\n".join(lines[:kept] + ([f"({left_out} more not shown.)"] if left_out else []))
