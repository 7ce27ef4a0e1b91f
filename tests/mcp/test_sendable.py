"""What JSON in UTF-8 has a notation for, and where something else stands."""

from time import perf_counter

from schemafuse._core.sendable import is_plainly_sendable
from schemafuse.mcp.sendable import find_unsendable

NAN = float("nan")


def test_what_can_be_sent():
    for value in (None, True, 0, -(10**4_000), 1.5, "é\U0001f600", [], {}, [[], {"a": ("b",)}], {"é": "日本" * 1_000}):
        assert find_unsendable(value) is None


def test_places_are_named():
    assert find_unsendable({"a": [1, {"b/c": NAN}]})[0] == ("a", 1, "b/c")
    assert find_unsendable("\ud800") == ((), "a lone surrogate")
    assert find_unsendable({"a": {"\ud800": 1}}) == (("a",), "a name with a lone surrogate")


def test_shared_values_are_looked_at_once_and_endless_ones_are_found():
    shared = [1]
    for _ in range(60):
        shared = [shared, shared]
    started = perf_counter()
    assert find_unsendable(shared) is None
    endless = {}
    endless["a"] = [endless]
    assert "contains itself" in find_unsendable(endless)[1]
    deep = []
    for _ in range(10_000):
        deep = [deep]
    assert "levels deep" in find_unsendable(deep)[1]
    assert perf_counter() - started < 2


def test_the_quick_look_never_says_yes_too_often():
    for value in (None, True, 0, 2**63 - 1, 1.5, "é\U0001f600\ud7ff\ue000", [], {}, [[], {"日本": "b"}]):
        assert is_plainly_sendable(value)
    deep = []
    for _ in range(64):
        deep = [deep]
    shared = [1]
    for _ in range(60):
        shared = [shared, shared]

    class Text(str):
        __slots__ = ()

    others = (2**63, NAN, float("inf"), "\ud800", "日\udfff", {"\ud800": 1}, {5: 1}, (1,), b"x", object(), deep, shared)
    for value in (*others, Text("a"), {Text("a"): 1}):
        assert not is_plainly_sendable(value)
        assert not is_plainly_sendable([value])
