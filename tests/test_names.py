"""Tool names: the rule, at its limits, for every kind of object, and what is suggested instead."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemafuse.names import NameProblem, check_tool_name

ALLOWED = string.ascii_letters + string.digits + "_-."


def codes(name: object) -> list[str]:
    return [problem.code for problem in check_tool_name(name)]


# The examples of MCP 2026-07-28 tools § Tool Names, and names that real servers use.
@pytest.mark.parametrize(
    "name",
    [
        "getUser",
        "DATA_EXPORT_v2",
        "admin.tools.list",
        "_9lives",
        "-tool",
        ".",
        "a",
        "0",
        "constructor",
        "a" * 128,
        ALLOWED,
    ],
)
def test_allowed(name):
    assert check_tool_name(name) == ()


@pytest.mark.parametrize(
    ("name", "code", "suggestion"),
    [
        ("", "empty", None),
        ("a" * 129, "too_long", "a" * 128),
        ("x@1!", "bad_character", "x_1"),
        ("tool\n", "bad_character", "tool"),
        ("\ntool", "bad_character", "tool"),
        ("a,b", "bad_character", "a_b"),
        ("a b\tc", "bad_character", "a_b_c"),
        ("files/read", "bad_character", "files_read"),
        ("créer_réunion", "bad_character", "creer_reunion"),
        ("straße", "bad_character", "strasse"),
        ("gеt_usеr", "bad_character", "get_user"),  # Cyrillic е
        ("ｇｅｔ", "bad_character", "get"),
        ("get\u200b\u202euser", "bad_character", "getuser"),
        ("get–user", "bad_character", "get-user"),
        ("𝐠𝐞𝐭", "bad_character", "get"),
        ("天気", "bad_character", None),
        ("天気_now", "bad_character", "_now"),
        ("a\0b", "bad_character", "a_b"),
        ("\ud800", "bad_character", None),
        ("!!!", "bad_character", None),
        ("٣", "bad_character", None),  # a digit, but not one of 0-9
    ],
)
def test_refused(name, code, suggestion):
    (problem,) = check_tool_name(name)
    assert (problem.code, problem.suggestion) == (code, suggestion)


def test_both_problems_at_once():
    assert codes("a " * 100) == ["too_long", "bad_character"]


def test_each_strange_character_is_named_once_and_escaped():
    (problem,) = check_tool_name("\x1b[31m \x1b@")
    assert problem.message.count('"\\u001b"') == 1
    assert problem.message.isprintable()
    assert '"@"' in problem.message


class Lying(str):
    def __len__(self):
        raise AssertionError("an overridden method was called")

    __getitem__ = __iter__ = __eq__ = __hash__ = __str__ = __repr__ = __contains__ = __len__


class Impostor:
    __class__ = str


NOT_STRINGS = [None, 5, 10**5000, 1.5, True, b"tool", ["tool"], {"a": 1}, object(), Impostor(), str]


@pytest.mark.parametrize("value", NOT_STRINGS, ids=lambda value: type(value).__name__)
def test_any_object_is_answered(value):
    (problem,) = check_tool_name(value)
    assert problem.code == "not_a_string"
    assert problem.suggestion is None
    assert len(problem.message) < 200


def test_overridden_methods_are_not_called():
    assert check_tool_name(Lying("getUser")) == ()
    assert codes(Lying("get User")) == ["bad_character"]


def test_a_huge_name_costs_nothing():
    (problem,) = check_tool_name("a" * 50_000_000)
    assert problem.suggestion == "a" * 128
    assert len(problem.message) < 300
    assert [problem.code for problem in check_tool_name("\ufdfa" * 5_000_000)] == ["too_long", "bad_character"]


@given(st.one_of(st.text(), st.text(ALLOWED), st.text(st.characters(categories=["Cs", "Cc", "Cf", "Co"]))))
def test_fine_means_exactly_the_rule(name):
    problems = check_tool_name(name)
    assert (not problems) == bool(re.fullmatch(r"[A-Za-z0-9_.-]{1,128}", name, re.DOTALL))
    for problem in problems:
        assert isinstance(problem, NameProblem)
        assert len(problem.message) < 400
        assert problem.message.isprintable()
        assert problem.suggestion is None or check_tool_name(problem.suggestion) == ()
