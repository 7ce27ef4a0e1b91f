"""The small phrases of which descriptions are made: kinds, lists of values, ranges, formats.

Values of a schema go in, short text comes out, in which everything from outside is quoted, escaped and cut.
"""

from __future__ import annotations

from typing import Any

from .render import quote

#: Values listed, and characters of one of them.
_SHOWN, _VALUE = 4, 40

#: A value of each format, for a reader who has to send one.
EXAMPLES = {
    "date": "2026-11-30",
    "date-time": "2026-11-30T14:05:00Z",
    "time": "14:05:00Z",
    "duration": "P1DT2H",
    "email": "name@example.com",
    "idn-email": "name@example.com",
    "hostname": "www.example.com",
    "idn-hostname": "www.example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/path",
    "iri": "https://example.com/path",
    "uri-reference": "/path",
    "iri-reference": "/path",
    "uri-template": "/users/{id}",
    "uuid": "7b6e5a1e-3f0c-4d7e-9c1a-2b3c4d5e6f70",
    "json-pointer": "/items/0",
    "relative-json-pointer": "1/items",
    "regex": "^[a-z]+$",
}


#: The formats that have a name of their own.
FORMATS = {
    "date": "a date",
    "date-time": "a date and time",
    "time": "a time of day with an offset",
    "duration": "an ISO 8601 duration",
    "email": "an email address",
    "idn-email": "an email address",
    "hostname": "a host name",
    "ipv4": "an IPv4 address",
    "ipv6": "an IPv6 address",
    "uri": "an absolute URI",
    "uri-reference": "a URI or a relative reference",
    "uuid": "a UUID",
    "json-pointer": "a JSON Pointer",
    "regex": "a regular expression",
}
KINDS = frozenset(("null", "boolean", "integer", "number", "string", "array", "object"))


def kind_names(kinds: Any) -> str:
    """The value of `type` in words; a dialect of somebody's own may let anything stand there."""
    names = [kinds] if isinstance(kinds, str) else kinds if isinstance(kinds, list) else []
    known = [name for name in names if isinstance(name, str) and name in KINDS]
    return " or ".join(known) or "another type"


def listed(values: list[Any], lead: str = "", most: int = _SHOWN) -> str:
    """List values, and how many are left out."""
    shown = ", ".join([quote(value, _VALUE) for value in values[:most]])
    return f"{lead}{shown}" if len(values) <= most else f"{lead}{shown} and {len(values) - most} more"


def together(shown: list[str], count: int) -> str:
    """Join phrases, the first ones of `count`: "1, 2 and 3", "1, 2 and 7 more"."""
    *others, last = shown if count == len(shown) else [*shown, f"{count - len(shown)} more"]
    return f"{', '.join(others)} and {last}" if others else last


def names_together(names: list[Any], most: int = 6) -> str:
    """Join names: `"a", "b" and "c"`."""
    return together([quote(name, _VALUE) for name in names[:most]], len(names))


def number_range(schema: dict[str, Any]) -> str:
    """The bounds of a number: "from 1 to 7", "of at least 0", "above 0 and below 1"; "" without bounds."""
    low, high = schema.get("minimum"), schema.get("maximum")
    over, under = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if over is True:  # draft-04: the plain keyword is the exclusive one
        low, over = None, low
    if under is True:
        high, under = None, high
    if isinstance(over, bool):
        over = None
    if isinstance(under, bool):
        under = None
    if low is not None and high is not None and over is None and under is None:
        return f"from {quote(low, _VALUE)} to {quote(high, _VALUE)}"
    said = [
        f"{word} {quote(bound, _VALUE)}"
        for word, bound in (("of at least", low), ("above", over), ("of at most", high), ("below", under))
        if bound is not None
    ]
    return " and ".join(said)


def format_example(name: object) -> str:
    """ " such as ..." for a format that has an example, else ""."""
    example = EXAMPLES.get(name) if isinstance(name, str) else None
    return f' such as "{example}"' if example else ""


def count_range(least: Any, most: Any, noun: str) -> str:
    """How many there may be: "1 to 3 items", "at least 1 item"."""
    if least and most is not None:
        return f"exactly {counted(least, noun)}" if least == most else f"{quote(least, 24)} to {counted(most, noun)}"
    return f"at least {counted(least, noun)}" if least else f"at most {counted(most, noun)}"


def counted(number: Any, noun: str) -> str:
    """ "1 item", "2 items", "3 properties"."""
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{quote(number, 24)} {noun if number == 1 else many}"
