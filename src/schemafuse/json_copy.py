"""The private copy: any Python object goes in, the same JSON value in exact builtin types comes out.

The only check that a schema is JSON. It reads through the base types and never calls a method that a subclass could
override, charges every value before it copies it, and never goes deeper or becomes larger than the limits admit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .limits import Limits
from .refusals import changed, not_json, same_keys, too_deep, too_large, too_many_digits, too_much_work
from .weights import Weighing

if TYPE_CHECKING:
    from .deadline import Deadline
    from .subschemas import Subschema

#: What a member takes at least as compact JSON, its value's own characters aside: a separator in an array; quotes, a
#: colon and a separator in an object.
ITEM_BYTES, MEMBER_BYTES = 1, 4
#: A count made of those and of characters is never below the bytes divided by this: a number may take 25 with its
#: separator, where 1 is counted.
SLACK = 26
#: Integers below this need no look at their digits.
SMALL = 1 << 53
#: Work beside the walk may come to this many times `max_schema_bytes`.
WORK_FACTOR = 8
#: Values between two looks at the clock.
INTERVAL = 2_048

#: Containers below this size are paid for after they were read.
FEW = 1_024

_INFINITY = float("inf")

Token = str | int
#: Where a container stands: the place of the one around it and the token below that; None for the outermost.
Place = Optional[tuple[Any, Token]]  # noqa: UP045 - compiled, `| None` at run time draws a warning from gcc


class JsonCopier:
    """Copies JSON values and keeps count."""

    __slots__ = (
        "alarm",
        "countdown",
        "counted",
        "deadline",
        "digits_bits",
        "document",
        "floor",
        "huge_integers",
        "limits",
        "most_bytes",
        "raw_documents",
        "small",
        "work",
    )

    def __init__(self, limits: Limits, deadline: Deadline) -> None:
        self.limits = limits
        self.deadline = deadline
        self.most_bytes = limits.max_schema_bytes
        #: Bytes read or made that are no part of the schema: data read again as a schema, joined URIs.
        self.work = 0
        #: Where to look at the whole of the document being read.
        self.alarm = self.most_bytes // 32
        #: Bytes that the schema takes at least, as far as it was read.
        self.floor = 0
        #: Whether there are integers that not every library reads right.
        self.huge_integers = False
        #: Bytes of the documents before the present one, where they had to be counted.
        self.counted = 0
        #: The URI of the document that is being read.
        self.document = ""
        #: Values until the next look at the clock.
        self.countdown = INTERVAL
        # log2(10) is between 3.321 and 3.322: with this many bits an integer certainly has no more digits than allowed.
        self.digits_bits = limits.max_integer_digits * 3321 // 1000
        self.small = min(SMALL, 10 ** min(limits.max_integer_digits, 16))
        #: Document URI -> the caller's object, to say what is wrong with it; never read for anything else.
        self.raw_documents: dict[str, Any] = {}

    def charge(self, items: int, least_bytes: int) -> None:
        """Pay for the members of a container before any of them is read."""
        self.floor += items * least_bytes + 1
        if self.floor > self.alarm:
            self.foresee()
        self.countdown -= items + 1
        if self.countdown < 0:
            self.countdown = INTERVAL
            self.deadline.check()

    def charge_text(self, chars: int) -> None:
        """Pay for characters."""
        self.floor += chars
        if self.floor > self.alarm:
            self.foresee()

    def foresee(self) -> None:
        """Stop a schema that is too large, early: by its whole weight as soon as a part of the limit is used.

        Shared objects that expand to a multiple of the limit are found out by this before they are expanded.
        """
        self.alarm = self.most_bytes
        weighing = Weighing(self.raw_documents[self.document], self.most_bytes)
        if max(self.floor, weighing.bytes + self.counted) > self.most_bytes or not weighing.complete:
            raise too_large(self, weighing)

    def spend(self, work: int) -> None:
        """Pay for work that is no part of the schema."""
        self.work += work
        if self.work > self.most_bytes * WORK_FACTOR:
            raise too_much_work()

    def exact_key(self, key: Any, subschema: Subschema, tokens: tuple[Token, ...]) -> str:
        """Return the text of a key that is not an exact `str`."""
        if issubclass(type(key), str):
            return str.__str__(key)
        raise not_json(subschema, tokens, key, is_key=True)

    def mismatch(self, raw: Any, subschema: Subschema, tokens: tuple[Token, ...]) -> Exception:
        """Say why an object has another number of members than were read from it."""
        if any(type(key) is not str for key in dict.keys(raw)):
            return same_keys(subschema, tokens)
        return changed(subschema.pointer)

    def copy(self, raw: Any, level: int, subschema: Subschema, *tokens: Token) -> Any:
        """Copy one value that stands at `tokens` below a subschema, in a container at `level`."""
        kind = type(raw)
        if kind is list:
            if len(raw) < FEW and level < self.limits.max_json_depth:
                # Most arrays in schemas are short lists of names.
                names = raw[:]
                chars = len(names) + 1
                for item in names:
                    if type(item) is not str:
                        break
                    chars += len(item)
                else:
                    self.charge_text(chars)
                    return names
            return self._copy_container(raw, level + 1, subschema, tokens)
        if kind is str:
            self.charge_text(len(raw))
            return raw
        if raw is None or kind is bool or (kind is int and -self.small < raw < self.small):
            return raw
        if kind is dict or issubclass(kind, (dict, list, tuple)):
            return self._copy_container(raw, level + 1, subschema, tokens)
        return self._copy_scalar(raw, subschema, tokens)

    def _copy_scalar(self, raw: Any, subschema: Subschema, tokens: tuple[Token, ...]) -> Any:
        kind = type(raw)
        if issubclass(kind, str):
            text = str.__str__(raw)
            self.charge_text(len(text))
            return text
        if issubclass(kind, int):
            number = int.__pos__(raw)
            bits = number.bit_length()
            if bits > 64 or bits > self.digits_bits:
                self._check_digits(number, bits, subschema, tokens)
            return number
        if issubclass(kind, float):
            value = float.__pos__(raw)
            if value != value or value in (_INFINITY, -_INFINITY):
                raise not_json(subschema, tokens, value)
            return value
        raise not_json(subschema, tokens, raw)

    def _check_digits(self, number: int, bits: int, subschema: Subschema, tokens: tuple[Token, ...]) -> None:
        digits = self.limits.max_integer_digits
        self.huge_integers = self.huge_integers or bits > 900
        self.charge_text(bits // 4)  # a decimal digit holds less than 4 bits
        if bits > self.digits_bits and (bits > digits * 3322 // 1000 + 1 or abs(number) >= 10**digits):
            raise too_many_digits(subschema, tokens, bits, digits)

    def _copy_container(self, raw: Any, level: int, subschema: Subschema, tokens: tuple[Token, ...]) -> Any:
        """Copy an array or an object and everything below it."""
        root: Any = [] if not issubclass(type(raw), dict) else {}
        if level > self.limits.max_json_depth:
            raise too_deep(self, subschema, tokens)
        stack: list[tuple[Any, Any, int, Place]] = [(raw, root, level, None)]
        while stack:
            raw, copy, level, place = stack.pop()
            if type(copy) is list:
                raw = snapshot(raw, self)
            else:
                self.charge(dict.__len__(raw), MEMBER_BYTES)
            chars = 0
            deeper = level + 1
            for key, item in dict.items(raw) if type(copy) is dict else enumerate(raw):
                if type(copy) is dict:
                    if type(key) is not str:
                        key = self.exact_key(key, subschema, tokens + unfold(place))
                    chars += len(key)
                kind = type(item)
                if kind is str:
                    chars += len(item)
                elif item is None or kind is bool or (kind is int and -self.small < item < self.small):
                    pass
                elif kind is dict or kind is list or issubclass(kind, (dict, list, tuple)):
                    below: Any = {} if issubclass(kind, dict) else []
                    if deeper > self.limits.max_json_depth:
                        raise too_deep(self, subschema, (*tokens, *unfold(place), key))
                    stack.append((item, below, deeper, (place, key)))
                    item = below
                else:
                    item = self._copy_scalar(item, subschema, (*tokens, *unfold(place), key))
                if type(copy) is dict:
                    copy[key] = item
                else:
                    copy.append(item)
            if type(copy) is dict and len(copy) != dict.__len__(raw):
                raise self.mismatch(raw, subschema, tokens + unfold(place))
            self.charge_text(chars)
        return root


def snapshot(raw: Any, copier: JsonCopier) -> Any:
    """Pay for the items of an array and return them at one moment, as a list or tuple that nobody else changes."""
    if issubclass(type(raw), list):
        copier.charge(list.__len__(raw), ITEM_BYTES)
        return list.__getitem__(raw, slice(None))
    copier.charge(tuple.__len__(raw), ITEM_BYTES)
    return raw if type(raw) is tuple else tuple.__getitem__(raw, slice(None))


def unfold(place: Place) -> tuple[Token, ...]:
    """Return the tokens of a place, outermost first."""
    tokens: list[Token] = []
    while place is not None:
        place, token = place
        tokens.append(token)
    return tuple(reversed(tokens))
