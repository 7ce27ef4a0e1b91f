"""Parameters in HTTP headers: the values on their way out, and the check on their way in.

Comes in: the parameters that a tool mirrors, arguments, and the headers of a request. Goes out: the headers for a call
(MCP 2026-07-28 streamable-http § Custom Headers), or whether the headers of a request agree with its body. Looks at
nothing in the arguments but the places that the schema names.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..render import json_pointer, place, quote
from .header_parameters import MAX_INTEGER, HeaderParameter
from .protocol import HEADER_MISMATCH

_PRINTABLE = re.compile(r"[\x20-\x7e]*")
_OPENING, _CLOSING = "=?base64?", "?="
_INTEGER = re.compile(r"(-?)0*([0-9]{1,16})(?:\.0{0,16})?")


# Values -------------------------------------------------------------------------------------------


def encode(text: str) -> str:
    """Write a text as the value of a header: as it is when it survives that, else in Base64 between marks."""
    looks_marked = text.startswith(_OPENING) and text.endswith(_CLOSING)
    if _PRINTABLE.fullmatch(text) and text == text.strip(" ") and not looks_marked:
        return text
    return _OPENING + base64.b64encode(text.encode("utf-8")).decode("ascii") + _CLOSING


def decode(value: str) -> str | None:
    """Read the value of a header; None when it is not one that `encode` could have written."""
    if not (value.startswith(_OPENING) and value.endswith(_CLOSING) and len(value) >= len(_OPENING + _CLOSING)):
        return value if _PRINTABLE.fullmatch(value) else None
    payload = value[len(_OPENING) : -len(_CLOSING)]
    try:
        content = base64.b64decode(payload.encode("ascii"), validate=True)
        # Base64 has several spellings for the same bytes; two readers must not take one value for two.
        return content.decode("utf-8") if base64.b64encode(content).decode("ascii") == payload else None
    except (binascii.Error, UnicodeError):
        return None


def _value_at(arguments: Any, path: tuple[str, ...]) -> Any:
    value = arguments
    for name in path:
        if not issubclass(type(value), dict):
            return None
        value = dict.get(value, name)
    return value


def _spelled(value: Any, declared: str) -> str | None:
    """Return an argument as a header spells it, None for one that has no such form; its schema is for others."""
    kind = type(value)
    if kind is bool:
        return "true" if value else "false"
    if issubclass(kind, str):
        return str.__str__(value)
    if issubclass(kind, int):
        number = int.__pos__(value)
        return str(number) if -MAX_INTEGER <= number <= MAX_INTEGER else None
    if issubclass(kind, float):
        real = float.__pos__(value)
        if real - real != 0.0:  # NaN and infinities are no JSON
            return None
        if declared == "integer" and real.is_integer():
            return str(int(real)) if abs(real) <= MAX_INTEGER else None
        return float.__repr__(real)
    return None


def find_large_integer(parameters: tuple[HeaderParameter, ...], arguments: Any) -> tuple[tuple[str, ...], Any] | None:
    """Return a number among valid arguments that no header can hold, and its path; None when there is none."""
    for parameter in parameters:
        value = _value_at(arguments, parameter.path)
        if issubclass(type(value), (int, float)) and _spelled(value, parameter.type) is None:
            return parameter.path, value
    return None


def param_headers(parameters: tuple[HeaderParameter, ...], arguments: Any) -> dict[str, str]:
    """Return the headers that mirror `arguments`. See `Tool.param_headers`."""
    headers: dict[str, str] = {}
    for parameter in parameters:
        value = _value_at(arguments, parameter.path)
        spelled = _spelled(value, parameter.type)
        if spelled is None:
            if issubclass(type(value), (int, float)):
                text = f"{quote(value, 40)} is no number within ±(2^53-1), so it cannot be sent in a header"
                raise ValueError(f"at {place(parameter.path)}: {text}")
            continue
        try:
            headers[parameter.header] = encode(spelled)
        except UnicodeEncodeError:
            text = "a lone surrogate is no text that can be sent in a header"
            raise ValueError(f"at {place(parameter.path)}: {text}") from None
    return headers


# Requests -----------------------------------------------------------------------------------------

Headers = Mapping[Any, Any] | Iterable[tuple[Any, Any]]


def check_param_headers(
    parameters: tuple[HeaderParameter, ...], headers: Headers, arguments: Any
) -> dict[str, Any] | None:
    """Return None when the headers agree with the arguments, else the error to answer with."""
    if not parameters:
        return None
    given = _by_name(headers, {parameter.header.lower() for parameter in parameters})
    for parameter in parameters:
        values = given.get(parameter.header.lower(), [])
        reason = _disagreement(parameter, values, _value_at(arguments, parameter.path))
        if reason is not None:
            where = json_pointer(parameter.path)
            message = f"Header mismatch: {parameter.header} {reason} {place(parameter.path)} in the arguments"
            return {
                "code": HEADER_MISMATCH,
                "message": message,
                "data": {"header": parameter.header, "argument": where},
            }
    return None


def _by_name(headers: Headers, names: set[str]) -> dict[str, list[str]]:
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        key = _text(name).lower()
        if key in names:
            given.setdefault(key, []).append(_text(value))
    return given


def _text(part: Any) -> str:
    # ASGI has bytes, others have text. HTTP defines no other encoding than this one (RFC 9110 5.5).
    return bytes.decode(part, "latin-1") if isinstance(part, bytes) else str(part)


def _disagreement(parameter: HeaderParameter, values: list[str], argument: Any) -> str | None:
    """Say how a header and an argument disagree: "does not match", …; None when they agree."""
    if len(values) > 1:
        return "is there more than once, so that readers may differ on"
    if argument is None:
        # Whoever routes by the header would act on a value that the body does not have.
        return "is there, but there is no value at" if values else None
    spelled = _spelled(argument, parameter.type)
    if spelled is None and issubclass(type(argument), (int, float)):
        return "cannot mirror the number beyond 2^53-1 at"
    if spelled is None:  # an array or an object: the check of the arguments says what is wrong with it
        return "does not match the value at" if values else None
    if not values:
        return "is missing, but there is a value at"
    decoded = decode(values[0].strip(" \t"))
    if decoded is None:
        return "has characters or Base64 that no client sends; it should mirror the value at"
    same = decoded == spelled
    if not same and parameter.type == "integer" and not issubclass(type(argument), str):
        same = _same_number(decoded, spelled)
    return None if same else "does not match the value at"


def _same_number(decoded: str, spelled: str) -> bool:
    """Compare integers by value: 42, 42.0 and 042 are the same."""
    one, other = _INTEGER.fullmatch(decoded), _INTEGER.fullmatch(spelled)
    if one is None or other is None:
        return False
    return int(one[1] + one[2]) == int(other[1] + other[2])
