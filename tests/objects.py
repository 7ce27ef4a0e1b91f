"""Objects of every kind that Python has, the ones that are JSON and the ones that are not, and a way to ask for an
outcome."""

from __future__ import annotations

import array
import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import json
import types
from collections.abc import Callable
from typing import Any, NamedTuple

from hypothesis import strategies as st

import schemafuse
from schemafuse import BudgetExceeded, SchemaError, Validator

HUGE = 10**5_000


@dataclasses.dataclass
class Record:
    a: int = 1


class Colour(enum.Enum):
    RED = "red"


class Spoof:
    """Claims to be a string to `isinstance`, without being one."""

    __class__ = property(lambda self: str)  # type: ignore[assignment]


class Hostile:
    """Raises whatever is asked of it."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def fail(self, *_: Any) -> Any:
        raise RuntimeError("called")

    __eq__ = __hash__ = __repr__ = __str__ = __len__ = __iter__ = __bool__ = __int__ = __float__ = __index__ = fail


NOT_JSON: dict[str, Callable[[], Any]] = {
    "nan": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "minus infinity": lambda: float("-inf"),
    "bytes": lambda: b"a",
    "bytearray": lambda: bytearray(b"a"),
    "memoryview": lambda: memoryview(b"a"),
    "array": lambda: array.array("i", [1]),
    "set": lambda: {1},
    "frozenset": lambda: frozenset({1}),
    "range": lambda: range(3),
    "generator": lambda: (x for x in [1]),
    "iterator": lambda: iter([1]),
    "deque": lambda: collections.deque([1]),
    "dict view": lambda: {"a": 1}.keys(),
    "mapping proxy": lambda: types.MappingProxyType({"a": 1}),
    "UserDict": lambda: collections.UserDict(a=1),
    "UserList": lambda: collections.UserList([1]),
    "UserString": lambda: collections.UserString("a"),
    "complex": lambda: 1j,
    "Decimal": lambda: decimal.Decimal("1.0"),
    "Decimal sNaN": lambda: decimal.Decimal("sNaN"),
    "Fraction": lambda: fractions.Fraction(1, 2),
    "datetime": lambda: datetime.datetime(2020, 1, 1),
    "dataclass": Record,
    "enum member": lambda: Colour.RED,
    "object": object,
    "class": lambda: dict,
    "function": lambda: len,
    "module": lambda: json,
    "Ellipsis": lambda: ...,
    "NotImplemented": lambda: NotImplemented,
    "spoof": Spoof,
    "hostile": Hostile,
    "integer key": lambda: {1: 2},
    "None key": lambda: {None: 2},
    "bytes key": lambda: {b"a": 2},
    "tuple key": lambda: {("a",): 2},
    "hostile key among strings": lambda: {"a": 1, Colour.RED: 2},
}

#: Schemas that look at everything, at parts, and at nothing.
SCHEMAS: tuple[Any, ...] = (
    True,
    {},
    {"type": ["object", "array", "string", "number", "null", "boolean"]},
    {"properties": {"a": {"minimum": 0}}, "items": {"type": "string"}, "uniqueItems": True},
    {"enum": [1, "a", None]},
    {"const": {"a": [1]}},
    {"not": {"type": "integer"}},
    {"anyOf": [{"required": ["a"]}, {"minItems": 1}, {"pattern": "a"}, {"multipleOf": 2}]},
    {"patternProperties": {"^a": True}, "additionalProperties": False, "propertyNames": {"maxLength": 3}},
    {"unevaluatedProperties": False, "unevaluatedItems": False},
)


def outcome(schema: Any, instance: Any) -> str:
    """Compile and check in every way; return the code of the refusal or the status. Asserts what always holds."""
    try:
        validator = schemafuse.compile(schema)
    except SchemaError as error:
        refusal = error
    else:
        return judged(validator, instance)
    assert len(str(refusal)) < 2_000
    assert str(refusal).isprintable()
    return refusal.code


def judged(validator: Validator, instance: Any) -> str:
    """Check in every way and return the status."""
    report = validator.check(instance)
    assert report.steps == validator.check(instance).steps
    assert bool(report.errors) is (report.status == "invalid")
    text = report.text()
    assert len(text) <= validator.limits.max_text_chars
    assert text.encode()
    assert json.dumps(report.to_dict())
    try:
        verdict: bool | str = validator.is_valid(instance)
    except BudgetExceeded as error:
        verdict = error.budget
    assert verdict == (report.exhausted.budget if report.exhausted is not None else report.ok)
    return report.status


class Number(enum.IntEnum):
    FIVE = 5


class Word(str, enum.Enum):
    YES = "yes"


class Point(NamedTuple):
    x: int
    y: int


def lying(base: type, *values: Any) -> Any:
    """Return an instance of a subclass whose every method raises or lies."""

    def fail(*_: Any, **__: Any) -> Any:
        raise RuntimeError("an overridden method was called")

    names = [
        "__eq__",
        "__ne__",
        "__lt__",
        "__gt__",
        "__len__",
        "__iter__",
        "__getitem__",
        "__contains__",
        "__repr__",
        "__str__",
    ]
    names += [
        "__bool__",
        "__int__",
        "__float__",
        "__index__",
        "__format__",
        "__mod__",
        "__add__",
        "__reversed__",
        "__copy__",
    ]
    names += [
        "keys",
        "values",
        "items",
        "get",
        "bit_length",
        "is_integer",
        "encode",
        "__deepcopy__",
        "__reduce_ex__",
        "__sizeof__",
    ]
    namespace: dict[str, Any] = {name: fail for name in names if hasattr(base, name) or name.startswith("__")}
    namespace["__hash__"] = base.__hash__ or fail
    return type(f"Lying{base.__name__.title()}", (base,), namespace)(*values)


def unsafe_dict(pairs: list[tuple[Any, Any]]) -> Any:
    """Make a dict, or, where two hostile keys would have to be compared, a list."""
    try:
        return dict(pairs)
    except RuntimeError:
        return [value for _, value in pairs]


KEYWORDS = st.sampled_from(
    [
        "type",
        "enum",
        "const",
        "properties",
        "items",
        "allOf",
        "not",
        "$ref",
        "$id",
        "pattern",
        "required",
        "minimum",
        "if",
        "$defs",
        "$schema",
    ]
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.binary(max_size=3),
    st.sampled_from(["#", "object", "integer", "#/$defs/a", "\ud800", 10**4_000, 2**64, -0.0, Number.FIVE, Word.YES]),
    st.sampled_from(sorted(NOT_JSON)).map(lambda name: NOT_JSON[name]()),
)
KEYS = st.one_of(
    KEYWORDS,
    st.text(max_size=3),
    st.integers(),
    st.none(),
    st.tuples(),
    st.just(Word.YES),
    st.just("type").map(lambda text: lying(str, text)),
)
OBJECTS = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.lists(inner, max_size=4).map(lambda items: lying(list, items)),
        st.dictionaries(KEYWORDS, inner, max_size=4),
        st.lists(st.tuples(KEYS, inner), max_size=4).map(unsafe_dict),
        inner.map(lambda part: [part, part]),
    ),
    max_leaves=12,
)
