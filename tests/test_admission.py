"""Admission: the private copy, the limits, and that nothing but a `SchemaError` ever comes out."""

from __future__ import annotations

import decimal
import enum
import json
import threading
from typing import Any

import pytest

from schemafuse.admission import Deadline, Document, admit
from schemafuse.errors import SchemaError
from schemafuse.limits import DEFAULT_LIMITS, Limits


def run(schema: Any, limits: Limits = DEFAULT_LIMITS, **options: Any) -> Document:
    return admit(schema, limits, options.get("dialect"), options.get("resources"), Deadline(10_000))


def refuse(schema: Any, limits: Limits = DEFAULT_LIMITS, **options: Any) -> SchemaError:
    with pytest.raises(SchemaError) as caught:
        run(schema, limits, **options)
    assert len(caught.value.message) <= 320
    assert caught.value.message.isprintable()
    return caught.value


def nested(levels: int, wrap: Any, leaf: Any) -> Any:
    for _ in range(levels):
        leaf = wrap(leaf)
    return leaf


class CalledError(Exception):
    """Raised by every overridden method below: none may ever be called."""


def boom(*args: Any, **kwargs: Any) -> Any:
    raise CalledError


LIES = ("__iter__", "__len__", "__getitem__", "__contains__", "__eq__", "__str__", "__repr__", "__bool__")


def lying(base: type, *more: str) -> Any:
    return type(f"Lying{base.__name__}", (base,), {**dict.fromkeys((*LIES, *more), boom), "__hash__": base.__hash__})


Dict = lying(dict, "items", "keys", "values", "get", "copy")
List = lying(list, "copy", "append")
Tuple = lying(tuple)
Str = lying(str, "isascii", "encode", "split", "replace")
Int = lying(int, "__pos__", "__neg__", "__abs__", "__int__", "__index__", "__lt__", "__gt__", "bit_length")
Float = lying(float, "__pos__", "__float__", "__lt__", "__gt__")


class OddKey(str):
    """A key that is the text of another key and yet not equal to it."""

    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        return False


class Color(enum.IntEnum):
    RED = 3


# The private copy ---------------------------------------------------------------------------------------------------


def test_copy_is_equal_and_in_exact_types() -> None:
    schema = Dict(
        {
            Str("type"): Str("object"),
            "properties": Dict({Str("a"): Dict({"minimum": Int(1), "maximum": Float(2.5)}), "b": True}),
            "enum": Tuple((Color.RED, None, False, List([Int(7)]), 10**40)),
            "allOf": (Dict(), {"title": "t"}),
        }
    )
    document = run(schema)
    expected = {
        "type": "object",
        "properties": {"a": {"minimum": 1, "maximum": 2.5}, "b": True},
        "enum": [3, None, False, [7], 10**40],
        "allOf": [{}, {"title": "t"}],
    }
    assert document.value == expected
    stack: list[Any] = [document.value]
    while stack:
        value = stack.pop()
        assert type(value) in (dict, list, str, int, float, bool, type(None))
        if type(value) is dict:
            assert all(type(key) is str for key in value)
            stack.extend(value.values())
        elif type(value) is list:
            stack.extend(value)
    assert type(document.value["enum"][2]) is bool  # type: ignore[index]


def test_copy_is_private() -> None:
    schema: dict[str, Any] = {"properties": {"a": {"enum": [[1]]}}, "default": {"x": [1]}}
    document = run(schema)
    schema["properties"]["a"]["enum"][0].append(2)
    schema["default"]["x"].clear()
    assert document.value == {"properties": {"a": {"enum": [[1]]}}, "default": {"x": [1]}}


def test_order_of_members_is_kept() -> None:
    schema = {"properties": {"b": {}, "a": True}, "x": 1, "allOf": [True], "type": "object"}
    assert list(run(schema).value) == list(schema)  # type: ignore[arg-type]


def test_subschemas_are_where_they_stand() -> None:
    document = run({"properties": {"a/b~": {"items": {"type": "string"}}}, "anyOf": [True, {"not": {}}]})
    pointers = {subschema.pointer for subschema in document.subschemas}
    assert pointers == {
        "", "/properties/a~1b~0", "/properties/a~1b~0/items", "/anyOf/0", "/anyOf/1", "/anyOf/1/not",
    }  # fmt: skip
    root = document.root
    assert root.children["anyOf"][1].children["not"].value == {}  # type: ignore[index,union-attr]
    assert root.value["anyOf"][1] is root.children["anyOf"][1].value  # type: ignore[index,union-attr]
    assert root.children["anyOf"][0].children == {}  # type: ignore[index,union-attr]


def test_data_positions_hold_no_schemas() -> None:
    data = {"$ref": "http://x.test/", "$id": "http://y.test/", "properties": {"a": 5}, "pattern": "(" * 5_000}
    document = run({"enum": [data], "const": data, "default": data, "examples": [data], "x-own": data})
    assert len(document.subschemas) == 1
    assert len(document.resources) == 1


def test_keywords_as_property_names() -> None:
    document = run({"properties": {"$ref": {"type": "string"}, "$id": True, "enum": {}, "$schema": {}}})
    assert len(document.subschemas) == 5
    assert document.root.targets == {}


def test_keywords_depend_on_the_dialect() -> None:
    schema = {"prefixItems": [{}], "items": {}, "if": {}, "dependentSchemas": {"a": {}}}
    assert len(run(schema).subschemas) == 5
    assert len(run({**schema, "$schema": "http://json-schema.org/draft-07/schema#"}).subschemas) == 3
    assert len(run({**schema, "$schema": "http://json-schema.org/draft-04/schema"}).subschemas) == 2
    assert len(run(schema, dialect="https://json-schema.org/draft-06/schema").subschemas) == 2


def test_dependencies_hold_schemas_and_names() -> None:
    document = run({"dependencies": {"a": ["b"], "c": {"type": "object"}, "d": False}})
    assert set(document.root.children["dependencies"]) == {"c", "d"}  # type: ignore[arg-type]
    assert document.root.value["dependencies"]["a"] == ["b"]  # type: ignore[index]


# What is not JSON ---------------------------------------------------------------------------------------------------

SELF: list[Any] = []
SELF.append(SELF)
CYCLE: dict[str, Any] = {"properties": {"a": {}}}
CYCLE["properties"]["a"]["items"] = CYCLE
WIDE: dict[str, Any] = {}
WIDE.update({f"x{index}": WIDE for index in range(50)})


@pytest.mark.parametrize(
    ("schema", "location"),
    [
        ({1: 2}, ""),
        ({"default": {None: 1}}, "/default"),
        ({"properties": {b"a": {}}}, "/properties"),
        ({"minimum": float("nan")}, "/minimum"),
        ({"enum": ["a", [float("inf")]]}, "/enum/1/0"),
        ({"x": {"y": b"bytes"}}, "/x/y"),
        ({"enum": {1, 2}}, "/enum"),
        ({"const": decimal.Decimal(1)}, "/const"),
        ({"properties": {"a": {"default": object()}}}, "/properties/a/default"),
        ({"properties": {"a": object()}}, "/properties/a"),
        ({"allOf": [{}, range(3)]}, "/allOf/1"),
        ({"default": SELF}, "/default/0"),
        (CYCLE, "/properties/a/items"),
        ({"default": WIDE}, None),
        ({OddKey("a"): 1, "a": 2}, ""),
        ({"properties": {"a": {}, OddKey("a"): {}}}, "/properties"),
    ],
)
def test_not_json(schema: Any, location: str | None) -> None:
    error = refuse(schema)
    assert error.code == "not_json"
    assert location is None or error.location == location


@pytest.mark.parametrize(
    "schema",
    ["true", 1, None, 1.0, [], b"{}", object(), Str("x"), Int(1), {1}, ()],
    ids=lambda schema: type(schema).__name__,
)
def test_root_is_a_dict_or_a_bool(schema: Any) -> None:
    error = refuse(schema)
    assert error.code == "invalid_schema"
    assert error.location == ""


def test_text_is_not_parsed_but_says_how() -> None:
    assert "json.loads" in refuse('{"type": "object"}').message


def test_class_attribute_is_not_believed() -> None:
    class Spoof:
        __class__ = property(lambda self: dict)  # type: ignore[assignment]

    assert refuse(Spoof()).code == "invalid_schema"
    assert refuse({"default": Spoof()}).code == "not_json"


# Limits -------------------------------------------------------------------------------------------------------------


def at_limit(name: str, build: Any, limit: int, code: str) -> None:
    """`build(n)` uses exactly n of a limit."""
    limits = Limits(**{name: limit})
    for count in (limit - 1, limit):
        assert run(build(count), limits).usage[name] == count
    error = refuse(build(limit + 1), limits)
    assert error.code == code
    assert name in error.message


def test_schema_depth() -> None:
    at_limit("max_schema_depth", lambda n: nested(n - 1, lambda s: {"not": s}, {}), 10, "too_deep")
    at_limit("max_schema_depth", lambda n: nested(n - 1, lambda s: {"properties": {"a": s}}, {}), 10, "too_deep")


@pytest.mark.parametrize(
    "build",
    [
        lambda n: {"default": nested(n - 2, lambda x: [x], [])},
        lambda n: {"default": nested(n - 2, lambda x: {"a": x}, {})},
        lambda n: {"enum": [nested(n - 2, lambda x: (x,), "leaf")]},
        lambda n: nested((n - 1) // 2, lambda s: {"anyOf": [s]}, {} if n % 2 else {"title": "x", "examples": []}),
        lambda n: nested((n - 1) // 2, lambda s: {"$defs": {"a": s}}, {} if n % 2 else {"$defs": {}}),
    ],
)
def test_json_depth(build: Any) -> None:
    at_limit("max_json_depth", build, 9, "too_deep")


def test_subschemas() -> None:
    at_limit("max_subschemas", lambda n: {"anyOf": [True] * (n - 1)}, 10, "too_many_subschemas")
    at_limit("max_subschemas", lambda n: {"$defs": {str(i): {} for i in range(n - 1)}}, 10, "too_many_subschemas")


@pytest.mark.parametrize("char", ["a", '"', "\\", "\n", "\x01", "é", "\u20ac", "\U0001f600", "\ud800", "\x7f"])
def test_bytes(char: str) -> None:
    size = {"a": 1, '"': 2, "\\": 2, "\n": 2, "\x01": 6, "é": 2, "\u20ac": 3, "\U0001f600": 4, "\ud800": 6, "\x7f": 1}
    # {"title":"?…"} is 12 bytes beside the characters
    at_limit("max_schema_bytes", lambda n: {"title": char + "x" * (n - 12 - size[char])}, 60, "too_large")
    at_limit("max_schema_bytes", lambda n: {"x": char, "y" * (n - 13 - size[char]): 0}, 60, "too_large")


@pytest.mark.parametrize("value", [0, -5, 1.5, 1e300, True, False, None, [], {}, [1, "a", []], 10**30, -(10**17)])
def test_bytes_of_values(value: Any) -> None:
    size = len(json.dumps({"x": value, "p": ""}, separators=(",", ":")))
    at_limit("max_schema_bytes", lambda n: {"x": value, "p": "p" * (n - size)}, 80, "too_large")


def test_patterns() -> None:
    at_limit("max_pattern_chars", lambda n: {"pattern": "é" * n}, 10, "too_large")
    at_limit("max_pattern_chars", lambda n: {"patternProperties": {"a" * n: {}}}, 10, "too_large")


def test_enum_values() -> None:
    at_limit("max_enum_values", lambda n: {"enum": list(range(n))}, 10, "too_large")


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("limit", [3, 16, 17, 20, 4_300])
def test_integer_digits(sign: int, limit: int) -> None:
    limits = Limits(max_integer_digits=limit)
    assert run({"const": sign * (10**limit - 1)}, limits).usage["max_integer_digits"] == limit
    for value in (10**limit, 10 ** (limit + 900)):
        assert refuse({"const": sign * value}, limits).code == "too_large"
        assert refuse({"enum": [[sign * value]]}, limits).code == "too_large"
    assert refuse({"maximum": 1 << 10_000_000}).code == "too_large"


@pytest.mark.parametrize("key", ["allOf", "default", "x-own"])
def test_shared_parts_count_as_often_as_they_occur(key: str) -> None:
    schema = nested(40, lambda s: {key: [s, s]}, {"title": "x"})
    error = refuse(schema)
    assert error.code in ("too_large", "too_many_subschemas")
    assert key in error.message


def test_the_factor_and_the_heaviest_place_are_named() -> None:
    error = refuse({"properties": {"a": {}, "big": {"enum": ["x" * 50_000]}}}, Limits(max_schema_bytes=10_000))
    assert error.code == "too_large"
    assert error.location.startswith("/properties/big")
    assert "5.1 times" in error.message


def test_huge_schemas_are_refused_without_reading_them_all() -> None:
    assert refuse({"required": ["p"] * 5_000_000}).code == "too_large"
    assert refuse({"default": "x" * 5_000_000}).code == "too_large"
    assert refuse({"$defs": {f"d{i}": {} for i in range(200_000)}}).code in ("too_large", "too_many_subschemas")


def test_time_is_limited() -> None:
    with pytest.raises(SchemaError) as caught:
        admit({"enum": [[i] for i in range(9_000)]}, DEFAULT_LIMITS, None, None, Deadline(0))
    assert caught.value.code == "compile_timeout"


# Hostile surroundings -----------------------------------------------------------------------------------------------


def test_changes_by_another_thread() -> None:
    names = [f"n{index}" for index in range(400)]
    properties: dict[str, Any] = {name: {"default": {"a": [1]}} for name in names}
    schema = {"properties": properties, "enum": [1] * 100}
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            for name in names:
                properties.pop(name, None)
                schema["enum"] = [1] * (len(properties) % 7 + 1)
            for name in names:
                properties[name] = {"default": {"a": [1]}}

    thread = threading.Thread(target=change)
    thread.start()
    refusals = []
    try:
        for _ in range(300):
            try:
                run(schema)
            except SchemaError as error:
                refusals.append(error)
    finally:
        stop.set()
        thread.join()
    assert {error.code for error in refusals} <= {"not_json"}
    assert all("changed" in error.message for error in refusals)


def test_a_small_stack_is_enough() -> None:
    limits = Limits(max_schema_depth=128, max_json_depth=256, max_schema_bytes=1 << 16)
    deepest = nested(127, lambda s: {"properties": {"a": s}}, {"enum": ["x" * 9_000]})
    outcomes: list[Any] = []
    # Kept out of the thread: CPython 3.13 itself takes more stack to drop a dict so deep.
    schemas = (
        deepest,
        {"default": nested(255, lambda x: [x], 1), "title": "x" * 9_000},
        nested(100_000, lambda x: [x], 1),
        {"default": nested(100_000, lambda x: {"a": x}, 1)},
        nested(100_000, lambda s: {"not": s}, {}),
        nested(127, lambda s: {"allOf": [s]}, {"type": "int"}),
    )

    def compile_deep() -> None:
        for schema in schemas:
            try:
                outcomes.append(run(schema, limits))
            except SchemaError as error:
                outcomes.append(error.code)

    previous = threading.stack_size(262_144)
    try:
        thread = threading.Thread(target=compile_deep)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(previous)
    assert [type(outcome) for outcome in outcomes[:2]] == [Document, Document]
    assert outcomes[2:] == ["invalid_schema", "too_deep", "too_deep", "invalid_schema"]


def test_refusals_are_short_and_printable() -> None:
    name = "\x1b[31m\u202e\ud800" + "n" * 100_000
    for schema in (
        {"$ref": "#/$defs/" + name},
        {"$ref": "#" + name},
        {"$ref": "http://x.test/" + name},
        {"$schema": name},
        {"properties": {name: {"type": name}}},
        {"properties": {name: {name: float("nan")}}},
        {"$defs": {"a": {"$anchor": "a"}, name: {"$anchor": "a", "title": name}}},
        {name: nested(200, lambda x: {name[:50]: x}, 1)},
        {name: {name: "x" * (1 << 20)}},
    ):
        refuse(schema)
