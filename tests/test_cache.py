"""The cache: keys that tell every two schemas apart, bounds, refusals, threads."""

import json
import math
import struct
import sys
import threading
import time
from collections import OrderedDict
from enum import IntEnum
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import schemafuse.cache
from schemafuse._core.contents import content_key, content_of
from schemafuse.cache import ValidatorCache
from schemafuse.errors import SchemaError
from schemafuse.limits import Limits

BYTES, LEVELS = 1 << 22, 128


def key_of(value):
    return content_key(value, BYTES, LEVELS)


# Keys ---------------------------------------------------------------------------------------------

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(2**200), 2**200)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters())
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=30)


def identity(value):
    """What must be told apart, said another way: Python's notation keeps 1, 1.0, true, "1" and the order of members."""
    return repr(value)


ALIKE = [
    0, -0.0, 0.0, False, None, "", "0", [], {}, [[]], [0], [0, 0], [[0], 0], [[0, 0]], {"": 0}, {"0": 0}, {"a":
    1, "b": 2}, {"b": 2, "a": 1}, {"a": {"b": 1}}, {"a": 1, "b": 1}, ["a", 1, "b", 1], 1, 1.0, True, "1", 2**63
    - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 2.0**63, 10**400, -(10**400), "a", "á", "\u0141", "a\0", "\0a",
    "\U0001f600", "\ud83d\ude00", "x" * 254, "x" * 255, "x" * 256, ["x"] * 254, ["x"] * 255, ["x"] * 256,
    "null", "true",
]  # fmt: skip


def test_values_that_look_alike_have_keys_of_their_own():
    keys = {key_of(value) for value in ALIKE}
    assert None not in keys
    assert len(keys) == len(ALIKE)


@given(VALUES, VALUES)
def test_keys_are_equal_exactly_when_the_content_is(left, right):
    assert (key_of(left) == key_of(right)) == (identity(left) == identity(right))


@given(VALUES)
def test_a_key_holds_the_whole_content(value):
    restored = content_of(key_of(value))
    assert identity(restored) == identity(value)
    assert key_of(restored) == key_of(value)


def lie(*_args, **_kwargs):
    raise AssertionError("an overridden method was called")


def lying(base):
    names = "__len__ __iter__ __getitem__ __eq__ __hash__ __str__ __repr__ __int__ __index__ __float__ __bool__ items"
    return type("Lying", (base,), dict.fromkeys(names.split(), lie))


class Colour(IntEnum):
    RED = 1


class Text(str):
    __slots__ = ()


def test_subclasses_are_read_as_what_they_are_built_on():
    for base, value in [(str, "a"), (int, 5), (int, 2**70), (float, 0.5), (list, [1, [2]]), (dict, {"a": 1})]:
        assert key_of(lying(base)(value)) == key_of(value)
    assert key_of(Colour.RED) == key_of(1)
    assert key_of({Text("type"): Text("object")}) == key_of({"type": "object"})
    assert key_of(OrderedDict(a=1, b=2)) == key_of({"a": 1, "b": 2})


def test_a_tuple_is_not_a_list():
    assert key_of((1, 2)) != key_of([1, 2])
    assert content_of(key_of((1, (2,)))) == (1, (2,))


def cyclic():
    value = {"a": [1]}
    value["a"].append(value)
    return value


NO_KEYS = [
    math.nan,
    math.inf,
    -math.inf,
    b"a",
    bytearray(b"a"),
    {1},
    object(),
    1j,
    int,
    {1: 2},
    {None: 2},
    {b"a": 2},
    {("a",): 2},
]


@pytest.mark.parametrize("value", [*NO_KEYS, cyclic()], ids=lambda value: type(value).__name__)
def test_what_is_not_json_has_no_key(value):
    assert key_of(value) is None
    assert key_of({"default": [value]}) is None


def nested(levels):
    value = 0
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "wrap", [nested, lambda levels: {"a": nested(levels - 1)}, lambda levels: (nested(levels - 1),)]
)
def test_depth_limit(wrap):
    assert content_key(wrap(9), BYTES, 10) is not None
    assert content_key(wrap(10), BYTES, 10) is not None
    assert content_key(wrap(11), BYTES, 10) is None
    assert content_key(wrap(100_000), BYTES, 10**9) is None


LARGE = ["x" * 5000, ["x" * 50] * 100, {"x" * 100: "y" * 3000}, 2**40_000, [True] * 5000, [[]] * 3000]


@pytest.mark.parametrize("value", LARGE, ids=lambda value: type(value).__name__)
def test_size_limit(value):
    size = len(key_of(value))
    assert content_key(value, size + 32, LEVELS) == key_of(value)
    assert content_key(value, size - 1, LEVELS) is None
    assert content_key(value, 0, LEVELS) is None
    assert content_key(value, -5, LEVELS) is None


def test_a_value_that_is_huge_only_when_expanded_costs_no_more_than_the_limit():
    value = ["x"]
    for _ in range(60):
        value = [value, value]
    started = time.perf_counter()
    assert key_of(value) is None
    assert content_key(value, 1000, 512) is None
    assert time.perf_counter() - started < 2
    assert key_of(1 << 10**8) is None


def test_keys_are_written_on_a_small_stack():
    outcomes = []
    old = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(
            target=lambda: outcomes.append(content_of(content_key(nested(512), BYTES, 512)) == nested(512))
        )
        thread.start()
        thread.join()
    finally:
        threading.stack_size(old)
    assert outcomes == [True]


def test_all_floats_keep_their_bits():
    for value in (5e-324, sys.float_info.max, -0.0, 0.1):
        assert struct.pack("d", content_of(key_of(value))) == struct.pack("d", value)


# The cache, with a compiler that only notes what it is asked --------------------------------------


class Compiled(list):
    """Stands in for a Validator."""

    subschema_count: ClassVar = 1


class Compiler:
    """Stands in for `compile`: a fresh object for each call, refusing `{"refuse": code}`."""

    def __init__(self):
        self.calls = []
        self.gate = None

    def __call__(self, schema, *, limits, assert_formats):
        self.calls.append(schema)
        if self.gate is not None:
            assert self.gate.wait(10)
        if isinstance(schema, dict) and "raise" in schema:
            raise KeyboardInterrupt
        if isinstance(schema, dict) and "refuse" in schema:
            raise SchemaError(schema["refuse"], "/refuse", "no")
        return Compiled([schema, limits, assert_formats])


@pytest.fixture
def compiler(monkeypatch):
    fake = Compiler()
    monkeypatch.setattr(schemafuse.cache, "compile", fake)
    return fake


def test_an_equal_schema_is_compiled_once(compiler):
    cache = ValidatorCache()
    first = cache.get({"type": "object"})
    assert cache.get({"type": "object"}) is first
    assert cache.get({"type": "array"}) is not first
    assert len(compiler.calls) == 2
    stats = cache.stats()
    assert stats.pop("bytes") > 0
    assert stats == {"hits": 1, "misses": 2, "refusals": 0, "evictions": 0, "entries": 2}


def test_neither_id_nor_identity_is_a_key(compiler):
    cache = ValidatorCache()
    schema = {"$id": "https://example.com/a", "type": "object"}
    first = cache.get(schema)
    schema["type"] = "array"
    second = cache.get(schema)
    assert second is not first
    assert compiler.calls == [{"$id": "https://example.com/a", "type": kind} for kind in ("object", "array")]


def test_options_reach_the_compiler(compiler):
    limits = Limits(max_steps=7)
    assert ValidatorCache(limits=limits, assert_formats=True).get(True)[1:] == [limits, True]


def test_the_compiler_sees_a_copy(compiler):
    schema = {"enum": [Text("a"), (1,)]}
    ValidatorCache().get(schema)
    assert compiler.calls == [schema]
    assert compiler.calls[0] is not schema
    assert type(compiler.calls[0]["enum"][0]) is str


def test_refusals_are_remembered_and_raised_afresh(compiler):
    cache = ValidatorCache()
    errors = []
    for _ in range(3):
        with pytest.raises(SchemaError) as caught:
            cache.get({"refuse": "bad_pattern"})
        errors.append(caught.value)
    assert [(error.code, error.location, error.message) for error in errors] == [("bad_pattern", "/refuse", "no")] * 3
    assert len({id(error) for error in errors}) == 3
    assert all(error.__context__ is None for error in errors)
    assert len(compiler.calls) == 1
    assert cache.stats()["refusals"] == 3


def test_what_the_clock_refused_is_tried_again(compiler):
    cache = ValidatorCache()
    for _ in range(2):
        with pytest.raises(SchemaError):
            cache.get({"refuse": "compile_timeout"})
    assert len(compiler.calls) == 2
    assert cache.stats()["entries"] == 0


def test_what_has_no_key_goes_to_the_compiler_as_it_is(compiler):
    cache = ValidatorCache(limits=Limits(max_json_depth=5))
    for value in (nested(6), {"const": math.nan}, cyclic()):
        cache.get(value)
        assert compiler.calls[-1] is value
    assert cache.stats()["entries"] == 0


def test_the_entry_asked_for_least_recently_goes_first(compiler):
    cache = ValidatorCache(max_entries=2)
    a, _ = cache.get({"const": "a"}), cache.get({"const": "b"})
    assert cache.get({"const": "a"}) is a
    cache.get({"const": "c"})
    assert cache.get({"const": "a"}) is a
    cache.get({"const": "b"})
    assert [call["const"] for call in compiler.calls] == ["a", "b", "c", "b"]
    assert cache.stats()["evictions"] == 2
    assert cache.stats()["entries"] == 2


def test_bytes_are_bounded(compiler):
    cache = ValidatorCache(max_bytes=200_000)
    for number in range(100):
        cache.get({"const": [number] * 20})
        assert cache.stats()["bytes"] <= 200_000
    assert cache.stats()["evictions"] > 0
    cache.get({"const": "x" * 100_000})  # larger than all the room: not kept, and nothing makes way for it
    assert cache.stats()["entries"] > 1


@pytest.mark.parametrize("name", ["max_entries", "max_bytes"])
def test_bounds_are_positive_integers(name):
    for value, error in [(0, ValueError), (-1, ValueError), (True, TypeError), (1.5, TypeError), ("1", TypeError)]:
        with pytest.raises(error, match=name):
            ValidatorCache(**{name: value})


def test_limits_are_a_limits():
    with pytest.raises(TypeError, match="limits must be a Limits"):
        ValidatorCache(limits={"max_steps": 5})


# Threads ------------------------------------------------------------------------------------------


def in_threads(count, work):
    outcomes = []

    def run():
        try:
            outcomes.append(work())
        except BaseException as error:
            outcomes.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads, outcomes


def join(threads):
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()


def wait_until(condition):
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_one_compilation_at_a_time_for_one_schema(compiler):
    cache = ValidatorCache()
    compiler.gate = threading.Event()
    threads, outcomes = in_threads(8, lambda: cache.get({"type": "object"}))
    other_threads, others = in_threads(1, lambda: cache.get({"type": "array"}))
    wait_until(lambda: len(compiler.calls) == 2)
    compiler.gate.set()
    join(threads + other_threads)
    assert len({id(outcome) for outcome in outcomes}) == 1
    assert len(compiler.calls) == 2
    assert len(others) == 1
    assert cache.stats()["hits"] == 7


@pytest.mark.parametrize("code", ["bad_pattern", "compile_timeout"])
def test_those_who_wait_get_the_refusal_too(compiler, code):
    cache = ValidatorCache()
    compiler.gate = threading.Event()
    threads, outcomes = in_threads(4, lambda: cache.get({"refuse": code}))
    wait_until(lambda: compiler.calls)
    time.sleep(0.05)
    compiler.gate.set()
    join(threads)
    assert [outcome.code for outcome in outcomes] == [code] * 4
    assert len({id(outcome) for outcome in outcomes}) == 4


def test_an_interrupted_compilation_leaves_nobody_waiting(compiler):
    cache = ValidatorCache()
    threads, outcomes = in_threads(4, lambda: cache.get({"raise": 1}))
    join(threads)
    assert [type(outcome) for outcome in outcomes] == [KeyboardInterrupt] * 4
    assert cache.stats()["entries"] == 0


def test_a_compilation_that_asks_for_itself_does_not_wait(monkeypatch):
    cache = ValidatorCache()
    depth = []

    def compile(schema, **_options):
        depth.append(schema)
        return cache.get(schema) if len(depth) < 3 else Compiled([schema])

    monkeypatch.setattr(schemafuse.cache, "compile", compile)
    assert cache.get({"type": "object"}) == [{"type": "object"}]


def test_a_schema_that_changes_meanwhile_never_misleads(compiler):
    cache = ValidatorCache(max_entries=4)
    schema = {"a": 0, "b": 0}
    stop = threading.Event()

    def change():
        while not stop.is_set():
            schema["a"] = schema["b"] = 1 - schema["a"]

    threads, _ = in_threads(1, change)
    try:
        for _ in range(20_000):
            cache.get(schema)
            expected = {"a": 0, "b": 0}
            assert cache.get(expected)[0] == expected
    finally:
        stop.set()
        join(threads)


def test_many_threads_and_evictions(compiler):
    cache = ValidatorCache(max_entries=3)

    def work():
        for round_ in range(500):
            for number in range(6):
                schema = {"const": (number * round_) % 7}
                assert cache.get(schema)[0] == schema

    threads, outcomes = in_threads(6, work)
    join(threads)
    assert outcomes == [None] * 6
    stats = cache.stats()
    assert stats["hits"] + stats["misses"] == 6 * 500 * 6
    assert stats["entries"] == 3
    assert not cache._running


# With the compiler itself -------------------------------------------------------------------------

TOOLS = Path(__file__).parent / "cases" / "tools.jsonl"


def test_real_tools_come_from_the_cache_with_their_verdicts():
    cache = ValidatorCache()
    lines = TOOLS.read_text(encoding="utf-8").splitlines()
    for _ in range(2):
        for row in map(json.loads, lines):
            validator = cache.get(row["tool"]["inputSchema"])
            assert all(validator.is_valid(arguments) for arguments in row["valid"])
            assert not any(validator.is_valid(arguments) for arguments in row["invalid"])
            assert validator.schema == row["tool"]["inputSchema"]
    stats = cache.stats()
    assert stats["misses"] == stats["entries"]
    assert stats["hits"] == 2 * len(lines) - stats["misses"]


# A cache keyed by `$id` would judge the second schema by the first one; the metaschema's `$id` is one that all know.
@pytest.mark.parametrize("id", ["https://example.com/tool", "https://json-schema.org/draft/2020-12/schema", ""])
def test_a_shared_id_shares_nothing(id):
    cache = ValidatorCache()
    for kind, value in [("string", "a"), ("integer", 1), ("null", None)]:
        try:
            validator = cache.get({"$id": id, "type": kind})
        except SchemaError:
            continue  # not everything may carry that name
        assert validator.is_valid(value)
        assert not validator.is_valid([value])


def test_values_that_look_alike_keep_their_own_validators():
    cache = ValidatorCache(max_entries=10)
    for _ in range(2):
        for value in (1, 1.0, True, "1", None, 0, -0.0, False, "", [], {}, [1], {"1": 1}):
            validator = cache.get({"const": value})
            assert validator.is_valid(value)
            assert type(validator.schema["const"]) is type(value)


REFUSED = [
    ({"type": "int"}, "invalid_schema"),
    ({"$ref": "http://localhost/"}, "remote_ref"),
    ({"const": math.nan}, "not_json"),
    ({"const": b""}, "not_json"),
    ({1: 2}, "not_json"),
    (cyclic(), "not_json"),
    ("a string", "invalid_schema"),
    ({"default": nested(200)}, "too_deep"),
    ({"default": "x" * (1 << 20)}, "too_large"),
]


@pytest.mark.parametrize(("schema", "code"), REFUSED, ids=[code for _, code in REFUSED])
def test_every_refusal_comes_out_as_the_compiler_says_it(schema, code):
    cache = ValidatorCache()
    with pytest.raises(SchemaError) as directly:
        schemafuse.compile(schema)
    for _ in range(2):
        with pytest.raises(SchemaError) as caught:
            cache.get(schema)
        assert caught.value.args == directly.value.args
        assert caught.value.code == code


def test_overridden_methods_are_not_called():
    schema = lying(dict)({Text("type"): lying(str)("object"), "required": lying(list)([lying(str)("a")])})
    cache = ValidatorCache()
    assert cache.get(schema) is cache.get({"type": "object", "required": ["a"]})
    assert not cache.get(schema).is_valid({})
