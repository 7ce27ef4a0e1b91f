"""The formats that each dialect defines: a format's name goes in, a check of one text comes out, or nothing.

The checks are `jsonschema-rs` validators of a single `format`, compiled once for each dialect, because they pass the
official format tests; `regex` is the exception and is asked of the ECMA-262 engine. Formats apply to strings only; the
caller sees to that. Nothing here decides whether `format` is asserted at all.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import corvus_regex_ecma262
import jsonschema_rs

FormatCheck = Callable[[str], bool]

_DIALECT_URIS = {
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft-07": "http://json-schema.org/draft-07/schema#",
    "draft-06": "http://json-schema.org/draft-06/schema#",
    "draft-04": "http://json-schema.org/draft-04/schema#",
}

# Drafts 04 and 06 define fewer than are here, but `date`, `time`, `regex` and `idn-email` are checked in them as well:
# their names come from draft-03 or mean the same later on, and other validators check them.
_DRAFT_04 = frozenset(
    ["date", "date-time", "email", "hostname", "idn-email", "ipv4", "ipv6", "regex", "time", "uri"],
)  # fmt: skip
_DRAFT_06 = _DRAFT_04 | {"json-pointer", "uri-reference", "uri-template"}
_DRAFT_07 = _DRAFT_06 | {"idn-hostname", "iri", "iri-reference", "relative-json-pointer"}
_DRAFT_2019_09 = _DRAFT_07 | {"duration", "uuid"}

#: Names of the formats known to each dialect.
FORMATS = {
    "draft-04": _DRAFT_04,
    "draft-06": _DRAFT_06,
    "draft-07": _DRAFT_07,
    "2019-09": _DRAFT_2019_09,
    "2020-12": _DRAFT_2019_09,
}

#: Steps for 64 characters, at some 200 ns each. Measured at worst: idn-hostname 1,100 ns a character (quadratic in the
#: length of a label, up to 1,000 characters), regex 2,700 (deep groups), idn-email 420, email 200, the others 50.
_WEIGHTS = {"regex": 1_024, "idn-hostname": 512, "idn-email": 128, "email": 64}
_USUAL_WEIGHT = 16


def format_weight(name: str) -> int:
    """Return the steps that a check of this format takes for each 64 characters of the text."""
    return _WEIGHTS.get(name, _USUAL_WEIGHT)


@functools.lru_cache(maxsize=256)
def _checker(name: str, dialect_name: str) -> FormatCheck:
    if name == "regex":
        return _is_ecma_pattern
    uri = _DIALECT_URIS[dialect_name]
    return _guarded(jsonschema_rs.validator_for({"$schema": uri, "format": name}, validate_formats=True).is_valid)


def format_checker(name: str, dialect_name: str) -> FormatCheck | None:
    """Return the check of a format; None when the dialect doesn't know it, so that it is an annotation.

    The check takes an exact `str` and never raises: a text with a lone surrogate has no format.
    """
    if name not in FORMATS.get(dialect_name, ()):
        return None
    return _checker(name, dialect_name)


def _guarded(is_valid: Callable[[object], bool]) -> FormatCheck:
    def check(text: str) -> bool:
        # jsonschema-rs raises UnicodeEncodeError on lone surrogates.
        return is_valid(text) if text.isascii() or is_unicode(text) else False

    return check


def is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_ecma_pattern(text: str) -> bool:
    # Flag u, as Core 6.4 has it: Annex B would take nearly any text for a pattern, and so check nothing.
    return is_unicode(text) and corvus_regex_ecma262.Regex.is_valid(text, "u")
