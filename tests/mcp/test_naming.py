"""Names for model APIs and for aggregators."""

import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemafuse.mcp import Tool, naming, prefix_names
from schemafuse.mcp.naming import model_name

ALLOWED = re.compile(r"[A-Za-z0-9_-]{1,64}")


def test_plain_names_stay_readable():
    assert prefix_names("github", ["create_issue", "list-prs", "9lives"]) == {
        "create_issue": "github__create_issue",
        "list-prs": "github__list-prs",
        "9lives": "github__9lives",
    }


def test_tools_definitions_and_names_are_taken():
    definition = {"name": "a", "inputSchema": {"type": "object"}}
    expected = {"a": "s__a"}
    assert prefix_names("s", [Tool.from_dict(definition)]) == expected
    assert prefix_names("s", (definition,)) == expected
    assert prefix_names("s", iter(["a", "a"])) == expected
    assert prefix_names("s", []) == {}


@pytest.mark.parametrize("tool", [None, 5, {}, {"name": 5}, object()])
def test_other_objects_are_refused(tool):
    with pytest.raises(TypeError):
        prefix_names("s", [tool])


def test_labels():
    with pytest.raises(ValueError, match="empty"):
        prefix_names("", ["a"])
    with pytest.raises(TypeError):
        prefix_names(None, ["a"])


def test_names_that_are_not_plain_get_a_digest():
    for server, name in (
        ("s", "a.b"),
        ("s", "x" * 128),
        ("a__b", "c"),
        ("a_", "c"),
        ("a", "_c"),
        ("1", "a"),
        ("s", "é"),
        ("s", ""),
    ):
        [prefixed] = prefix_names(server, [name]).values()
        assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*-[a-z2-7]{16}", prefixed), prefixed
        assert ALLOWED.fullmatch(prefixed)


def test_a_plain_name_that_looks_like_one_with_a_digest_gets_one():
    [prefixed] = prefix_names("s", ["a.b"]).values()
    taken = prefixed.removeprefix("s__")
    assert prefix_names("s", [taken])[taken] != prefixed


def test_no_two_tools_of_two_servers_meet():
    labels = ["a", "a_", "a__b", "a_b", "b", "a.b", "a-b", "A", "a b", "é", "x" * 100, "x" * 101, "_", "1"]
    names = ["a", "b", "_b", "b__c", "b_c", "b.c", "b-c", "", "b c", "B", "y" * 64, "y" * 65, "_", "-", "c"]
    taken = [prefixed for label in labels for prefixed in prefix_names(label, names).values()]
    assert len(set(taken)) == len(labels) * len(names)
    assert all(ALLOWED.fullmatch(prefixed) for prefixed in taken)


names = st.text(st.sampled_from("ab_.-é0"), max_size=70)


@given(st.lists(names), names.filter(bool), names.filter(bool))
def test_a_name_depends_on_nothing_but_label_and_name(tools, server, other):
    together = prefix_names(server, tools)
    assert together == prefix_names(server, tools[::-1])
    assert all(prefix_names(server, [tool]) == {tool: together[tool]} for tool in tools)
    assert len(set(together.values())) == len(set(tools))
    if other != server:
        assert not set(together.values()) & set(prefix_names(other, tools).values())


def test_the_same_in_another_process():
    code = "from schemafuse.mcp import prefix_names; print(prefix_names('a.b', ['c.d', 'x']))"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }
    assert runs == {f"{prefix_names('a.b', ['c.d', 'x'])}\n"}
    assert prefix_names("github", ["a.b"]) == {"a.b": "github__a_b-3nsiqahre6odzyvr"}


def test_digests_that_meet_are_written_out(monkeypatch):
    monkeypatch.setattr(naming, "_DIGEST_CHARS", 0)
    prefixed = prefix_names("s", ["a.b", "a,b", "c"])
    assert prefixed["c"] == "s__c"
    assert len(set(prefixed.values())) == 3


def test_what_hosts_make_of_a_name():
    assert model_name("a.b c") == "a_b_c"
    assert model_name("x" * 100) == "x" * 64
