"""What JSON in UTF-8 has a notation for, and where something else stands."""

import enum
import threading
from time import perf_counter

import pytest

from schemafuse._core.sendable import MAX_RECURSION, MAX_VALUES, is_plainly_sendable
from schemafuse.mcp.sendable import find_unsendable, plain

NAN = float("nan")


def test_what_can_be_sent():
    for value in (None, True, 0, -(10**4_000), 1.5, "é\U0001f600", [], {}, [[], {"a": ("b",)}], {"é": "日本" * 1_000}):
        assert find_unsendable(value) is None


def test_places_are_named():
    assert find_unsendable({"a": [1, {"b/c": NAN}]}).path == ("a", 1, "b/c")
    assert find_unsendable("\ud800")[:2] == ((), "a lone surrogate")
    assert find_unsendable({"a": {"\ud800": 1}})[:2] == (("a",), "a name with a lone surrogate")


def test_too_much_has_no_end_or_is_counted_out():
    shared = [1]
    for _ in range(60):
        shared = [shared, shared]
    endless = {}
    endless["a"] = [endless]
    deep = []
    for _ in range(10_000):
        deep = [deep]
    started = perf_counter()
    for many in (shared, [[]] * 10_000_000, {str(number): shared for number in range(1_000)}):
        assert find_unsendable(many).fault == "too_many"
    assert "contains itself" in find_unsendable(endless).reason
    assert "256 levels deep" in find_unsendable(deep).reason
    assert perf_counter() - started < 2


@pytest.mark.parametrize(("more", "fault"), [(-1, None), (0, None), (1, "too_many")])
def test_the_limit_of_values(more, fault):
    found = find_unsendable([0] * (MAX_VALUES - 1 + more))
    assert (found and found.fault) == fault


@pytest.mark.parametrize(("levels", "fault"), [(255, None), (256, None), (257, "too_deep")])
def test_the_limit_of_levels(levels, fault):
    deep = "x"
    for level in range(levels):
        deep = [deep] if level % 2 else {"a": deep}
    found = find_unsendable(deep)
    assert (found and found.fault) == fault
    assert is_plainly_sendable(deep) is (fault is None)


def test_the_deepest_value_fits_on_a_small_stack():
    deep = []
    for _ in range(511):
        deep = [deep]
    found = []
    before = threading.stack_size(256 << 10)
    try:
        thread = threading.Thread(target=lambda: found.append(find_unsendable(deep, max_levels=MAX_RECURSION)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert found == [None]


class Lying(dict):
    """Says of itself what it does not hold."""

    def items(self):
        raise RuntimeError

    __getitem__ = __iter__ = get = keys = __len__ = items


class Text(str):
    __slots__ = ()

    def encode(self, *_):
        raise RuntimeError

    __hash__ = str.__hash__
    __eq__ = __str__ = __len__ = __iter__ = encode


def test_subclasses_are_what_they_hold():
    value = [Lying(a=(Text("b"), 10**30)), enum.IntEnum("E", "A").A]
    assert find_unsendable(value) is None
    assert plain(value) == [{"a": ("b", 10**30)}, 1]
    assert type(plain(value)[0]) is dict
    assert find_unsendable(Lying(a=[Text("\ud800")])).path == ("a", 0)
    same = [{"a": 1}]
    assert plain(same) is same


def test_the_quick_look_never_says_yes_too_often():
    for value in (None, True, 0, 2**63 - 1, -(10**4_000), 1.5, "é\U0001f600\ud7ff\ue000", [], {}, [[], {"日本": "b"}]):
        assert is_plainly_sendable(value)
    others = (10**5_000, NAN, float("inf"), "\ud800", "日\udfff", {"\ud800": 1}, {5: 1}, (1,), b"x", object())
    for value in (*others, Text("a"), {Text("a"): 1}):
        assert not is_plainly_sendable(value)
        assert not is_plainly_sendable([value])
