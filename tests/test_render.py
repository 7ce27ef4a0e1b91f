"""Text from outside stands in quotes that it cannot leave, and is as long as it may be."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import schemafuse
from schemafuse.render import escape, json_path, json_pointer, place, quote, quote_text

ANY_TEXT = st.text(st.characters(codec=None), max_size=200)
QUOTED = re.compile(r'"(?:[^"\\]|\\["\\nrt]|\\u[0-9a-f]{4}|\\u\{[0-9a-f]+\})*"')


@given(ANY_TEXT, st.integers(8, 120))
def test_a_quotation_is_whole_bounded_and_printable(text: str, most: int) -> None:
    quoted = quote_text(text, most)
    assert QUOTED.fullmatch(quoted)
    assert quoted.isprintable()
    assert len(quoted) <= most
    quoted.encode()


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ('a"b', 'a\\"b'),
        ("a\\b", "a\\\\b"),
        ("a\nb\r\t", "a\\nb\\r\\t"),
        ("\x1b[31m", "\\u001b[31m"),
        ("\u202e", "\\u202e"),
        ("\u200b\u2060", "\\u200b\\u2060"),
        ("\ud800", "\\ud800"),
        ("\u2028", "\\u2028"),
        ("\U000e0041", "\\u{e0041}"),
        ("\x85\xa0", "\\u0085\\u00a0"),
        ("a\ufe0f\U000e0100\u3164\u2800", "a\\ufe0f\\u{e0100}\\u3164\\u2800"),
        ("naïve 数据 😀", "naïve 数据 😀"),
    ],
)
def test_escapes(text: str, escaped: str) -> None:
    assert escape(text) == escaped


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (1.5, "1.5"),
        ({"a": [1, {"b": None}]}, '{"a": [1, {"b": null}]}'),
        ((1, 2), "[1, 2]"),
        (object(), 'a Python object of type "object"'),
    ],
)
def test_values(value: Any, text: str) -> None:
    assert quote(value) == text


def test_a_huge_integer_is_never_written_out() -> None:
    assert quote(10**5000) == "an integer of about 5001 digits"


@given(
    st.recursive(ANY_TEXT | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner))
)
def test_any_value_is_bounded_and_printable(value: Any) -> None:
    text = quote(value, 60)
    assert len(text) <= 60
    assert text.isprintable()


@given(st.lists(ANY_TEXT | st.integers(0, 99), max_size=6).map(tuple))
def test_a_place_is_one_bounded_word_or_in_quotes(path: tuple[str | int, ...]) -> None:
    text = place(path)
    assert len(text) <= 122
    assert text.isprintable()
    assert not path or (QUOTED.fullmatch(text) if text.startswith('"') else " " not in text)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("a_b", 0, "c-d", "$e"), "/a_b/0/c-d/$e"),
        (("a/b", "c~d"), "/a~1b/c~0d"),
        (("fine.", 0), '"/fine./0"'),
        (("days;the_value_is_valid",), '"/days;the_value_is_valid"'),
        (("größe",), "/größe"),
        (("a:\u00a0ok",), '"/a:\\u00a0ok"'),
    ],
)
def test_a_place_that_could_be_read_as_more_stands_in_quotes(path: tuple[str | int, ...], text: str) -> None:
    assert place(path) == text


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("arguments", "The arguments are not valid"),
        ("result", "The result is not valid"),
        ("tool\nresult", 'The "tool\\nresult" is not valid'),
        ("valid. Ignore this", 'The "valid. Ignore this" is not valid'),
        ("x" * 5_000, 'The "' + "x" * 57 + '…" is not valid'),
    ],
)
def test_what_a_text_is_about_is_short_and_cannot_end_the_sentence(subject: str, text: str) -> None:
    validator = schemafuse.compile({"type": "integer"})
    assert validator.check("x").text(subject).startswith(text + ": 1 problem.\n")
    assert len(validator.check(1).text(subject)) <= 80


def test_pointers_and_paths() -> None:
    assert json_pointer(("a/b", "c~d", 0)) == "/a~1b/c~0d/0"
    assert json_path(("a", 0, "b c")) == '$.a[0]["b c"]'
    assert place(()) == "/ (the root)"
    assert place(("a", 0, "b-c")) == "/a/0/b-c"
    assert place(("é",)) == "/é"


@pytest.mark.parametrize("name", ["\u3164", "a\ufe0f", "a\u034f"])
def test_a_name_that_is_not_seen_is_escaped_in_a_place(name: str) -> None:
    assert name.isidentifier()
    assert place((name,)) == f'"/{escape(name)}"' != f'"/{name}"'


def test_a_place_at_the_longest_that_is_shown() -> None:
    assert place(("a" * 119,)) == "/" + "a" * 119
    assert len(place(("a" * 120,))) < 121
    assert "…" in place(("a" * 120,))


@given(ANY_TEXT, ANY_TEXT)
def test_a_text_has_a_line_a_problem_whatever_stands_in_it(name: str, value: str) -> None:
    schema = {
        "properties": {name: {"enum": [value, 1], "title": value, "description": value}, "n": {"type": "integer"}},
        "required": [name + "x"],
        "additionalProperties": False,
    }
    report = schemafuse.compile(schema).check({"n": value, name + "y": value})
    lines = report.text().split("\n")
    assert len(lines) == 1 + sum(not error.covered for error in report.errors)
    assert all(line.startswith(("- /", '- "/')) for line in lines[1:])
    assert report.text().replace("\n", "").isprintable()


def test_the_limit_on_text_cuts_by_problem_and_says_so() -> None:
    limits = schemafuse.Limits(max_text_chars=300)
    report = schemafuse.compile({"items": {"type": "integer"}}, limits=limits).check([f"text {i}" for i in range(50)])
    text = report.text()
    assert len(text) <= 300
    assert re.search(r"\(\d+ more not shown\.\)$", text)
    assert report.more_errors
    assert "8 or more problems" in text


def test_no_quotation_stays_open() -> None:
    limits = schemafuse.Limits(max_text_chars=200)
    schema = {"enum": [f"value {i} with some length" for i in range(6)]}
    text = schemafuse.compile(schema, limits=limits).check('x"' * 50).text()
    assert len(text) <= 200
    assert QUOTED.sub("", text).count('"') == 0


@pytest.mark.parametrize(
    ("limits", "schema", "instance"),
    [
        (schemafuse.Limits(max_steps=20), {"items": {"type": "integer"}}, [1] * 1000),
        (schemafuse.Limits(max_instance_depth=3), {}, {'a"b': [[[[1]]]]}),
    ],
)
def test_without_a_verdict_nobody_is_blamed(limits: schemafuse.Limits, schema: Any, instance: Any) -> None:
    text = schemafuse.compile(schema, limits=limits).check(instance).text()
    assert text.startswith("The arguments could not be checked: ")
    assert "not valid" not in text
    assert text.endswith(("are nested too deeply.", "does not mean that they are wrong."))
