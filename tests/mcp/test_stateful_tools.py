"""The example of handles: opaque, expiring, checked by owner, bounded in number."""

import importlib.util
import secrets
import subprocess
import sys

import pytest
from served import EXAMPLES
from services import run, text_of

from schemafuse.mcp import ToolError


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("stateful_tools", EXAMPLES / "stateful_tools.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def call(example, clock):
    service = example.make_service(clock=clock)
    return lambda who, name, **arguments: run(service.call_tool(name, arguments, authorization=who))


def test_a_handle_stands_for_a_state(call):
    basket = call("ada", "basket_create")["structuredContent"]["basket"]
    other = call("ada", "basket_create")["structuredContent"]["basket"]
    call("ada", "basket_add", basket=basket, item="apple", count=2)
    result = call("ada", "basket_add", basket=basket, item="apple", count=3)
    assert result["structuredContent"] == {"basket": basket, "items": {"apple": 5}}
    assert call("ada", "basket_add", basket=other, item="pear", count=1)["structuredContent"]["items"] == {"pear": 1}
    assert len({basket, other}) == 2
    assert len(basket) >= 20


def test_handles_are_128_random_bits(example, clock, monkeypatch):
    token_urlsafe, asked = secrets.token_urlsafe, []

    def watched(size):
        asked.append((size, token_urlsafe(size)))
        return asked[-1][1]

    monkeypatch.setattr(secrets, "token_urlsafe", watched)
    handles = example.Handles(ttl_s=10, most=3, most_each=3, how_to_get_one="Make one.", clock=clock)
    made = [handles.create({}, "ada") for _ in range(3)]
    assert asked == [(16, handle) for handle in made]


def test_nobody_learns_whether_a_handle_exists(call, clock):
    basket = call("ada", "basket_create")["structuredContent"]["basket"]
    stolen = call("bob", "basket_add", basket=basket, item="worm", count=1)
    unknown = call("bob", "basket_add", basket="made-up", item="worm", count=1)
    assert stolen == unknown
    clock.now = 601
    expired = call("ada", "basket_add", basket=basket, item="pear", count=1)
    assert expired == unknown
    assert expired["isError"] is True
    assert "basket_create" in text_of(expired)


def test_use_keeps_a_handle(call, clock):
    basket = call("ada", "basket_create")["structuredContent"]["basket"]
    for _ in range(3):
        clock.now += 500
        assert not call("ada", "basket_add", basket=basket, item="pear", count=1)["isError"]
    assert call("ada", "basket_drop", basket=basket)["structuredContent"] is True
    assert call("ada", "basket_drop", basket=basket)["isError"] is True


def test_the_number_of_states_is_bounded(example, clock):
    handles = example.Handles(ttl_s=10, most=3, most_each=2, how_to_get_one="Make one.", clock=clock)
    for _ in range(2):
        handles.create({}, "ada")
    with pytest.raises(ToolError, match="You have 2"):
        handles.create({}, "ada")
    handles.create({}, "bob")
    with pytest.raises(ToolError, match="as many of these as it can"):
        handles.create({}, "eve")
    clock.now = 10
    handles.create({}, "ada")
    assert len(handles.kept) == 1


def test_one_owner_does_not_lock_out_others(call):
    while not call("eve", "basket_create")["isError"]:
        pass
    assert not call("ada", "basket_create")["isError"]


def test_a_basket_is_bounded_and_what_was_said_of_it_stays(call, example):
    basket = call("ada", "basket_create")["structuredContent"]["basket"]
    results = [
        call("ada", "basket_add", basket=basket, item=f"item {number}", count=1)
        for number in range(example.MAX_ITEMS + 1)
    ]
    assert [len(result["structuredContent"]["items"]) for result in results[:-1]] == [*range(1, example.MAX_ITEMS + 1)]
    assert "Start another one" in text_of(results[-1])
    assert not call("ada", "basket_add", basket=basket, item="item 5", count=1)["isError"]


def test_the_example_runs():
    done = subprocess.run(
        [sys.executable, EXAMPLES / "stateful_tools.py"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("unknown or has expired") == 2
