"""JSON on the wire: bytes go in, one JSON value comes out, or a refusal; and back.

Stricter than `json.loads`, which reads names twice, NaN, half a surrogate pair and numbers that no float holds. What it
refuses is answered with -32700, under the id of the request wherever that can be read: a peer that waits for an answer
never waits in vain.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from itertools import islice
from typing import Any, TypeAlias

from .._core.nesting import deeper_than
from .protocol import PARSE_ERROR, ProtocolError

Id: TypeAlias = "str | int | float"

#: Digits of one integer. `int` takes time quadratic in them, and refuses more by itself unless told otherwise.
MAX_INTEGER_DIGITS = 4_300

#: Levels that `max_message_depth` may allow at most. Python's reader of JSON recurses: beyond some 900 it gives up.
MOST_MESSAGE_DEPTH = 512

#: Tokens looked at for the id of a broken message: some 10 ms.
_MAX_TOKENS = 20_000

_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")
# A string that never ends is one token to the end of the text, else each quote in it would be tried once more.
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)'
_TOKEN = re.compile(_STRING + r"|[\[{]+|[\]}]+|[^\"\[\]{}]+", re.DOTALL)
_AFTER_ID = re.compile(r"\s*:\s*(?:(-?[0-9]{1,20}(?:\.0{1,16})?)\s*(?:,|\Z)|\Z)")


def _refuse(value: object) -> Any:
    raise TypeError(f"{type(value).__name__} is not JSON")


def _encoder() -> Callable[[Any], str]:
    """Return what writes compact JSON; `JSONEncoder.encode` takes as long to start as a small value takes to write."""
    make: Any = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
    chunks = make(None, _refuse, json.encoder.encode_basestring, None, ":", ",", False, False, False)
    return lambda value: "".join(chunks(value, 0))


#: Writes a value as compact JSON. Raises `TypeError`, `ValueError` or `RecursionError` for what is none.
encode_json = _encoder()


class UnreadableMessageError(ProtocolError):
    """A message that is no JSON text, or not one that is let in. `request_id`: of the request, None if unknown."""

    def __init__(self, reason: str, request_id: Id | None = None) -> None:
        super().__init__(PARSE_ERROR, f"Parse error: {reason}")
        self.request_id = request_id


def read_message(data: bytes | bytearray | memoryview, *, max_bytes: int, max_depth: int) -> Any:
    """Return the JSON value that `data` holds. Raises `UnreadableMessageError` and nothing else.

    `max_bytes`: of the whole text. `max_depth`: levels of arrays and objects, the message itself counted.
    """
    size = memoryview(data).nbytes
    if size > max_bytes:
        # Up to a comma, so that no number is cut off. As much of it as of any message: its id often comes first.
        start = bytes(memoryview(data)[:max_bytes]).rpartition(b",")[0].decode("utf-8", "replace")
        raise UnreadableMessageError(f"the message has {size} bytes, {max_bytes} are allowed", readable_id(start))
    raw = bytes(data)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise UnreadableMessageError("the message is not UTF-8", readable_id(raw.decode("utf-8", "replace"))) from None
    try:
        if deeper_than(text, max_depth):
            raise _RefusedError(f"nested deeper than the {max_depth} levels allowed")
        value = _DECODER.decode(text)
        if _HALF_PAIR.search(text):
            encode_json(value).encode("utf-8")
        return value
    except UnicodeEncodeError:
        reason = "a string holds half of a surrogate pair"
    except _RefusedError as refusal:
        reason = str(refusal)
    except json.JSONDecodeError as error:
        reason = f"{error.msg} at character {error.pos}"
    except RecursionError:  # whoever called this has used up most of the stack
        reason = "nested deeper than can be read here"
    except ValueError:  # what int() and float() say about a text goes to nobody
        reason = "a number cannot be read"
    raise UnreadableMessageError(reason, readable_id(text))


class _RefusedError(ValueError):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _RefusedError("an object has a name twice")
    return members


def _integer(digits: str) -> int:
    if len(digits) > MAX_INTEGER_DIGITS:
        raise _RefusedError(f"an integer has more than {MAX_INTEGER_DIGITS} digits")
    return int(digits)


def _number(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _RefusedError("a number is out of range")
    return value


def _constant(name: str) -> Any:
    raise _RefusedError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_number, parse_constant=_constant
)


def sound_id(value: object) -> Id | None:
    """Return a value when it is an id that a response can carry: a string, or an integer of up to 64 bits."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return value if _is_text(value) else None
    if isinstance(value, int):
        return value if value.bit_length() <= 64 else None
    return value if isinstance(value, float) and value.is_integer() else None


def _is_text(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def readable_id(text: str) -> Id | None:
    """Return the `id` of a message whose text is broken somewhere, or None when it has none, or several.

    One pass over tokens: only a member of the outermost object counts.
    """
    depth = 0
    found: list[Id | None] = []
    expecting = ""  # "colon" after a string that reads "id", "string" after a colon behind that
    for match in islice(_TOKEN.finditer(text), _MAX_TOKENS):
        token = match[0]
        expected, expecting = expecting, ""
        if token[0] in "[{":
            depth += len(token)
        elif token[0] in "]}":
            depth -= len(token)
        elif depth != 1:
            continue
        elif token[0] == '"':
            if expected == "string":
                found.append(_id_from(token))
            elif token == '"id"':
                expecting = "colon"
        elif expected == "colon" and (value := _AFTER_ID.match(token)):
            if value[1]:
                found.append(_id_from(value[1]))
            else:
                expecting = "string"
    return found[0] if len(found) == 1 else None


def _id_from(token: str) -> Id | None:
    try:
        return sound_id(json.loads(token))
    except ValueError:
        return None
