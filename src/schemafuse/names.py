"""Tool names: what MCP asks of one, and a name close by that would do.

Comes in: any Python object. Goes out: the problems with it as a tool name, none when it is fine (MCP 2026-07-28 tools
§ Tool Names, SEP-986). Never raises, and never looks at more than the first `_LOOKED_AT` characters of a huge name.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from .render import quote, quote_text

NameProblemCode = Literal["not_a_string", "empty", "too_long", "bad_character"]

MAX_NAME_CHARS = 128

_LOOKED_AT = 4 * MAX_NAME_CHARS
_SHOWN_CHARACTERS = 5
_NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_.-]")

# What compatibility decomposition (NFKD) leaves of characters that readers take for one of the allowed ones.
_LOOKALIKES = str.maketrans(
    {
        **dict(zip("аеорсухіјѕһԁԛԝкмтпгьѵɡɑıο", "aeopcyxijshdqwkmtnrbvgaio", strict=True)),
        **dict(zip("АВЕКМНОРСТУХІЈЅԌԚԜЗ", "ABEKMHOPCTYXIJSGQW3", strict=True)),
        **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True)),
        **dict(zip("ανριυκτχ", "avpiuktx", strict=True)),
        **dict(zip("øłđðħŧØŁĐÐĦŦ", "olddhtOLDDHT", strict=True)),
        **dict.fromkeys("‐‑‒–—―−⁃﹘", "-"),
        **dict.fromkeys("。․·", "."),
        **dict(zip("ßæÆœŒþÞ", ("ss", "ae", "AE", "oe", "OE", "th", "Th"), strict=True)),
    }
)


@dataclass(frozen=True, slots=True)
class NameProblem:
    """One thing that is wrong with a tool name."""

    code: NameProblemCode
    """"not_a_string", "empty", "too_long" (more than 128 characters) or "bad_character"."""
    message: str
    """One line, complete on its own, bounded and escaped whatever the name is."""
    suggestion: str | None
    """A name close to the given one in which nothing is wrong, or None when nothing of it is left."""


def check_tool_name(name: object) -> tuple[NameProblem, ...]:
    """Return what is wrong with `name` as the name of an MCP tool; an empty tuple when nothing is.

    A name should have 1 to 128 characters out of A-Z, a-z, 0-9, "_", "-" and ".". Whether a list holds a name twice is
    for the caller to see. Takes any object, raises nothing.
    """
    if not issubclass(type(name), str):
        return (NameProblem("not_a_string", f"a tool name must be a string, not {quote(name)}", None),)
    length = str.__len__(name)  # type: ignore[arg-type]
    start = str.__getitem__(name, slice(0, _LOOKED_AT))  # type: ignore[index]
    if not length:
        return (NameProblem("empty", "a tool name must have at least 1 character", None),)
    problems: list[tuple[NameProblemCode, str]] = []
    if length > MAX_NAME_CHARS:
        excess = f"{length} characters, {length - MAX_NAME_CHARS} more than the {MAX_NAME_CHARS} allowed"
        problems.append(("too_long", f"the tool name {quote_text(start)} has {excess}"))
    strange = list(dict.fromkeys(_NOT_ALLOWED.findall(start)))
    if strange:
        shown = ", ".join(quote_text(character, 16) for character in strange[:_SHOWN_CHARACTERS])
        more = f" and {len(strange) - _SHOWN_CHARACTERS} more" if len(strange) > _SHOWN_CHARACTERS else ""
        rule = 'use only A-Z, a-z, 0-9, "_", "-" and "."'
        problems.append(("bad_character", f"the tool name {quote_text(start)} contains {shown}{more}: {rule}"))
    suggestion = _closest_allowed(start) if problems else None
    return tuple(NameProblem(code, message, suggestion) for code, message in problems)


def _closest_allowed(name: str) -> str | None:
    """Return an allowed name that reads like `name`, or None."""
    plain = unicodedata.normalize("NFKD", name.translate(_LOOKALIKES)).translate(_LOOKALIKES)
    # Marks and invisible characters stand beside a letter; everything else that is not allowed stood for itself.
    visible = "".join(character for character in plain if unicodedata.category(character) not in ("Mn", "Me", "Cf"))
    replaced = _NOT_ALLOWED.sub("\0", visible)
    allowed = re.sub("\0+", "_", replaced.strip("\0"))[:MAX_NAME_CHARS]
    return allowed or None
