"""Patterns: the answers of real engines (cases/patterns.jsonl), simple forms, hostile sources, time."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
import time
from pathlib import Path

import corvus_regex_ecma262
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemafuse._core.utf16 import code_units
from schemafuse.pattern_costs import pattern_cost
from schemafuse.pattern_forms import Sequence, class_form, literal_form
from schemafuse.pattern_rewrites import for_test
from schemafuse.patterns import (
    MAX_PYTHON_TEXT_CHARS,
    MAX_SOURCE_CHARS,
    BadPattern,
    compile_pattern,
    has_python_mark,
)

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases" / "patterns.jsonl").read_text(encoding="ascii").splitlines()
]


def search(source: str, text: str) -> bool:
    return bool(compile_pattern(source, seconds=1).search_wide(text, timeout=2.0))


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case["pattern"]))
def test_answers_of_real_engines(case):
    if case["engine"] is None:
        with pytest.raises(BadPattern) as caught:
            compile_pattern(case["pattern"], seconds=1)
        assert caught.value.reason.isprintable()
        assert len(caught.value.reason) <= 200
        return
    pattern = compile_pattern(case["pattern"], seconds=1)
    assert pattern.engine == case["engine"]
    for text, matches in case["texts"]:
        assert bool(pattern.search_wide(text, timeout=2.0)) is matches, ascii(text)
        assert bool(pattern.search(text, timeout=2.0)) is matches, ascii(text)


def test_there_are_enough_cases():
    assert len({case["pattern"] for case in CASES}) == len(CASES) >= 400
    assert sum(len(case.get("texts", ())) for case in CASES) >= 2_000


# Simple forms -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "form"),
    [
        ("^ab", ("prefix", "ab")),
        ("ab$", ("suffix", "ab")),
        ("^ab$", ("exact", "ab")),
        ("ab", ("contains", "ab")),
        (r"^a\.b\/$", ("exact", "a.b/")),
        ("a{3}", ("contains", "aaa")),
        ("^ab*", ("prefix", "a")),
        (".*é", ("contains", "é")),
        ("(?:a)(b)", ("contains", "ab")),
        ("", ("any", "")),
        (".*", ("any", "")),
        ("^.*", ("any", "")),
        (".*$", ("any", "")),
        ("^$", ("exact", "")),
        ("^.*$", None),
        ("^.*a", None),
        ("a|b", None),
        (r"\-", None),
        ("a{", None),
        ("\ud800", None),
        ("[a]", None),
        ("(a)*", None),
        (r"(a)\1", None),
    ],
)
def test_literal_form(source, form):
    assert literal_form(source) == form


@pytest.mark.parametrize(
    ("source", "shape"),
    [
        ("^[a-z]+$", ([(1, -1)], True)),
        (r"^\d{4}-\d{2}-\d{2}$", ([(4, 4), (1, 1), (2, 2), (1, 1), (2, 2)], True)),
        ("^[a-z][a-z0-9_-]*$", ([(1, 1), (0, -1)], True)),
        ("^#[0-9a-fA-F]{6}$", ([(1, 1), (6, 6)], True)),
        ("^[^/]+/[^/]+$", ([(1, -1), (1, 1), (1, -1)], True)),
        (r"^[\s\S]{0,9}$", ([(0, 9)], True)),
        ("^[a-z]+", ([(1, 1)], False)),
        ("^([A-Z]{2,}?)$", ([(2, -1)], True)),
        ("^[a-z]+[a-z]$", None),
        ("^a*b*a$", None),
        (r"^\s+$", None),
        ("^.+$", None),
        ("^[é]$", None),
        ("[a-z]+$", None),
        ("^a{2,1}$", None),
        (r"^[\w-.]$", None),
        ("^[a-z]+$|b", None),
    ],
)
def test_class_form(source, shape):
    form = class_form(source)
    if shape is None:
        assert form is None
    else:
        assert form is not None
        assert ([(atom.least, atom.most) for atom in form.atoms], form.whole) == shape


def matches_sequence(form: Sequence, text: str) -> bool:
    at = 0
    for members, least, most in form.atoms:
        start = at
        while at < len(text) and at - start != most and members >> min(ord(text[at]), 128) & 1:
            at += 1
        if at - start < least:
            return False
    return at == len(text) or not form.whole


ATOMS = st.sampled_from(
    [*"ab-é.", r"\.", r"\d", r"\w", r"\W", r"\D", "[ab]", "[^a]", "[a-c_-]", "[^]", "[]", "(a)", r"[\s\S]"]
)
COUNTS = st.sampled_from(["", "", "*", "+", "?", "{2}", "{1,3}", "{2,}", "{0}", "+?"])
BODY = st.lists(st.tuples(ATOMS, COUNTS).map("".join), max_size=4).map("".join)
SIMPLE = st.tuples(st.sampled_from(["^", ""]), BODY, st.sampled_from(["$", ""])).map("".join)
TEXTS = st.text(st.sampled_from("aabc-_.1é\n\u2028\U0001f600"), max_size=8)


@given(SIMPLE, st.lists(TEXTS, min_size=1, max_size=10))
def test_forms_agree_with_the_engine(source, texts):
    literal, sequence = literal_form(source), class_form(source)
    if literal is None and sequence is None:
        return
    engine = corvus_regex_ecma262.compile(source, "u")
    for text in texts:
        expected = engine.test(text)
        if literal is not None:
            kind, part = literal
            found = {
                "prefix": text.startswith(part),
                "suffix": text.endswith(part),
                "exact": text == part,
                "contains": part in text,
                "any": True,
            }[kind]
            assert found is expected
        if sequence is not None:
            assert matches_sequence(sequence, text) is expected


# Hostile sources ----------------------------------------------------------------------------------------------------

SOUP = st.text(st.sampled_from("()[]{}|*+?^$\\.ab1-,:=!<>PpuxckndwsAZB&#/ é\U0001f600\ud83d\n"), max_size=40)


@given(st.one_of(SOUP, SOUP.map("(?i)".__add__), SOUP.map(r"\A{}\Z".format), st.text()), TEXTS)
def test_any_source_compiles_or_is_refused(source, text):
    try:
        pattern = compile_pattern(source, seconds=1)
    except BadPattern as refusal:
        reason = refusal.reason
    else:
        reason = ""
        with contextlib.suppress(*pattern.timeouts):
            pattern.search_wide(text, timeout=1.0)
    assert not reason or reason.isprintable()
    assert len(reason) <= 200


HOSTILE = [
    "((a{1,100}){1,100}){1,100}[xy]",
    "(a{1,1000}){1,1000}",
    r"(\p{L}{1,100}){1,50}",
    "a{99999999999999999999}",
    "(?i:" + r"\p{Lu}\P{Ll}" * 80 + ")",
    "(" * 500 + ")" * 500,
    "(" * 50_000 + ")" * 50_000,
    "(?:" * 900 + "a" + ")*" * 900,
    "(?=" * 30_000 + ")" * 30_000,
    "(?<=" * 240 + ")" * 240,
    "|" * 100_000,
    "[" * 100_000,
    "[" + "".join(chr(0x3400 + 2 * at) for at in range(20_000)) + "]",
    "\\" * 99_999,
    "a?" * 500,
    "".join(f"(?<a{at}>)" for at in range(9_000)),
    r"\p{" * 30_000,
    r"\u{" * 30_000,
    "a{" * 40_000,
    # The same for Python's flavour.
    r"\Z{" + "1" * 99_000,
    "a{" + "1" * 99_000,
    r"\p{?" * 20_000,
    r"\Z" + "{1," * 30_000,
    r"\Z" + "(?#" * 30_000,
    "(?P<" * 20_000,
    r"(?:a{1,1000}){1,1000}\Z",
    r"a{1000000}\Z",
    r"a{99999999999999999999}\Z",
    "(" * 500 + "a" + ")" * 500 + r"\Z",
    "(?:" * 30_000 + ")" * 30_000 + r"\Z",
    r"\Z" + "|" * 99_000,
    "(?i)" + "s" * 4_900,
    r"\A" + r"\b" * 480 + r"\w" * 100,
    "(?i)(?:" + "|".join(f"sk{at}" for at in range(700)) + ")",
    "(?P<a>x)" + "(?P=a)" * 10_000,
    "(?x)" + "#" * 90_000,
    "(?i)[" + "".join(chr(0x3400 + 2 * at) for at in range(900)) + "]",
    "a" * (MAX_SOURCE_CHARS + 1),
]


@pytest.mark.parametrize("source", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_sources_are_bounded_on_a_small_stack(source):
    outcome: list[object] = []

    def run() -> None:
        start = time.perf_counter()
        try:
            pattern = compile_pattern(source, seconds=1)
            with contextlib.suppress(*pattern.timeouts):
                pattern.search("ab" * 500, timeout=0.05)
        except BadPattern:
            pass
        except BaseException as error:  # a panic is no Exception
            outcome.append(repr(error))
        outcome.append(time.perf_counter() - start)

    previous = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(previous)
    assert isinstance(outcome[0], float), outcome
    assert outcome[0] < 0.5


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("(a*)*b", "a" * 100_000),
        ("(?:a*){3}c", "a" * 1_000_000),
        (r".+\d", "é" * 100_000),
        (r"(.*)(.*)\1\2x$", "a" * 10_000),
        ("(?:a{1,30}){1,30}b", "a" * 100_000),
        (r"(?:[ab]*a[ab]{12}c|[ab]*b[ab]{13}d)", "abba" * 50_000),
        (r"(?:x+x+)+y\Z", "x" * 40_000),
        (r"(?:a|b)*[xy]\Z", "ab" * (MAX_PYTHON_TEXT_CHARS // 2)),
    ],
)
def test_time_is_up_in_time(source, text):
    pattern = compile_pattern(source, seconds=1)
    assert not pattern.linear
    start = time.perf_counter()
    with pytest.raises(pattern.timeouts):
        pattern.search(text, timeout=0.1)
    assert time.perf_counter() - start < 0.3


@pytest.mark.parametrize(
    ("source", "text"),
    [
        # Searched as they are written, each takes seconds to minutes on such a text, with the clock unseen.
        (r"(a|a)([^\W0])*b", "a" * 200_000),
        ("(a|aa)(?:aa{1,50})+$", "a" * 200_000 + "b"),
        ("b(?:a|b|ab)*c", "b" * 200_000 + "0"),
        ("^é|(a|a)a*b", "a" * 200_000),
        (r"^(\p{L}*?)*a", "u" * 100_000),
        (r"^(?!x)(?:u*?|b)+a", "u" * 100_000),
        (r"(?=(?:u{0,}?)*a)b", "u" * 100_000),
        ("(é|é)*b", "é" * 200_000),
        # With references, and with what looks like one or like a property escape without flag u.
        (r"^(.*?\1)+b", "a" * 100_000),
        (r"^(.*?\1)*$b", "a" * 100_000),
        (r"^(?<n>.*?\1)+?(?:\8b{1,}|\p{L}){1,1000}?c", "é" * 100_000),
        (r"^(\w*?)*\8", "a" * 100_000),
        (r"^(\p{0,}?)*a", "p" * 100_000),
        (r"^(?=((.*?\2)+b))\1", "a" * 100_000),
        (r"^(?=(.*?\1)+b)", "a" * 100_000),
        (r"^(?=(a+?\1*)+b)", "a" * 100_000),
        (r"^(?=((a*?)\1*?)*?b)", "a" * 100_000),
        (r"^(?=((a*?)\1*?)*?b)\2", "a" * 100_000),
    ],
)
def test_the_engine_is_asked_in_a_form_that_keeps_its_clock(source, text):
    pattern = compile_pattern(source, seconds=1)
    start = time.process_time()
    with contextlib.suppress(*pattern.timeouts):
        assert not pattern.search(text, timeout=0.2)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("source", "anchored", "expected"),
    [
        ("a|b", False, "^[^]*?(?:a|b)"),
        ("^ab", True, "^ab"),
        ("^a*?b+?c??d{2}?e{1,}?f{1,3}?$", True, "^a*b+c?d{2}e{1,}f{1,3}$"),
        # What only looks lazy: an optional character that is escaped, in a class, or named by its number.
        (r"^\*?\u{12}?\p{L}?[*?+?](?:x)?(?=y)(?<n>z)", True, r"^\*?\u{12}?\p{L}?[*?+?](?:x)?(?=y)(?<n>z)"),
        ("^a{,3}?", True, "^a{,3}?"),
        # All ways are tried, so a reference does not tell either ...
        (r"^(a*?)\1$", True, r"^(a*)\1$"),
        (r"^(?<n>a*?)\k<n>", True, r"^(?<n>a*)\k<n>"),
        # ... but where a look-around captures something, only its first one is.
        (r"^(?=(a+?)(?=b??))a+?\1(?=c+?)d+?", True, r"^(?=(a+?)(?=b??))a+\1(?=c+)d+"),
        (r"^(?=(?<n>a+?))\k<n>(b+?)(?<=a+?(b+?))c*?", True, r"^(?=(?<n>a+?))\k<n>(b+)(?<=a+?(b+?))c*"),
        (r"^(?=(a+?))a+?", True, r"^(?=(a+))a+"),
        # ... and that tells only where what it captured is referred to outside of it.
        (r"^(?=(a+?)\1)(b*?)\2", True, r"^(?=(a+)\1)(b*)\2"),
        (r"^(x)(?=(a+?)(?<=(b+?))\3)\2", True, r"^(x)(?=(a+?)(?<=(b+?))\3)\2"),
        (r"^(?=(a+?)(?=(b+?))c+?\2)d", True, r"^(?=(a+)(?=(b+?))c+\2)d"),
        (r"^(?=(a+?))" + "(b)" * 10 + r"\11", True, r"^(?=(a+))" + "(b)" * 10 + r"\11"),
    ],
)
def test_what_the_engine_is_asked(source, anchored, expected):
    assert for_test(source, anchored, True) == expected


def test_what_the_engine_is_asked_without_flag_u():
    assert for_test(r"^\p{[}*?]$", True, False) == r"^\p{[}*?]$"
    assert for_test(r"^\u{2}?\p{(a*?)}", True, False) == r"^\u{2}\p{(a*)}"


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        (r"^\p{[}*?]$", "p{?", True),
        (r"^\P{[}+?]$", "P{?", True),
        (r"^(?=(a+?))a+\p{\1}$", "aap{a}", True),
        (r"^(?=(a+?))a\1$", "aa", True),
        (r"^(?=(a+))a\1$", "aa", False),
        (r"^(?<!(?=(a+?))b)(a)", "a", True),
    ],
)
def test_laziness_that_tells(source, text, expected):
    """The answers of Node 20."""
    assert search(source, text) is expected


@given(
    st.lists(
        st.sampled_from(
            [
                *"ab.^$|()",
                "(?:",
                "(?=",
                "(?<!",
                r"\d",
                "[^a]",
                r"\1",
                "*?",
                "+",
                "??",
                "{2}?",
                "é",
                r"\B",
                r"\p{",
                "}",
                "[b*?]",
                "(?=(",
            ]
        )
    ).map("".join),
    st.text(st.sampled_from("ab1é\n\U0001f600"), max_size=8),
)
def test_what_the_engine_is_asked_has_the_same_answer(source, text):
    for flags in ("u", ""):
        if corvus_regex_ecma262.is_valid(source, flags):
            anchored = pattern_cost(source, unicode=bool(flags)).anchored
            asked = corvus_regex_ecma262.compile(for_test(source, anchored, bool(flags)), flags)
            assert asked.test(text) is corvus_regex_ecma262.compile(source, flags).test(text)


def test_a_bracket_too_many_is_not_made_good():
    with pytest.raises(BadPattern):
        compile_pattern("a)(?:b", seconds=1)


def test_python_flavour_never_runs_without_a_limit():
    pattern = compile_pattern(r"(?:x+x+)+y\Z", seconds=1)
    for seconds in (0.0, -1.0, float("nan")):
        with pytest.raises(TimeoutError):
            pattern.search("x" * 100, timeout=seconds)
    short = compile_pattern(r"a\Z", seconds=1)
    assert short.search("b" * (MAX_PYTHON_TEXT_CHARS - 1) + "a", timeout=1.0)
    with pytest.raises(TimeoutError):
        short.search("a" * (MAX_PYTHON_TEXT_CHARS + 1), timeout=1.0)
    with pytest.raises(TimeoutError):
        short.search("a" * 6_000, timeout=0.01)  # 2 µs a character may be more than that


def test_no_time_to_compile():
    with pytest.raises(TimeoutError):
        compile_pattern("a", seconds=0)


# Which flavour ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", [r"a\Z", r"\Aa", "(?P<n>a)", "(?P=n)", "(?i)a", "(?im)a", r"[\]]\Z", r"\\\A"])
def test_python_marks(source):
    assert has_python_mark(source)


@pytest.mark.parametrize("source", [r"\\Z", r"[\A]", "(?i:a)", "a(?i)", "(?<n>a)", "[(?P<n>]", r"[]\A]", ""])
def test_no_python_marks(source):
    assert not has_python_mark(source)


@pytest.mark.parametrize(
    "source", [r"\p{L}\Z", r"(?i:a)b\Z", r"(?R)\Z", r"\A(?|a|b)", r"\A(*FAIL)", r"\A\K", r"(?<n>a)\Z"]
)
def test_a_marked_source_is_python_or_bad(source):
    # Annex B would take some of these, and read \Z as a letter.
    with pytest.raises(BadPattern, match="Python"):
        compile_pattern(source, seconds=1)


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        (r"a{e}\Z", "b", False),
        (r"(?:abc){e<=2}\Z", "ab", False),
        (r"\A[a-z&&[b]]\Z", "b", False),
        (r"\A[[:alpha:]]\Z", "b", False),
        (r"\A[+--]\Z", ",", True),
    ],
)
def test_no_extensions_of_regex(source, text, expected):
    assert search(source, text) is expected


# What Node 20 does not know yet, with the answers of ECMA-262 (2025).
@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("(?i:a)b", "Ab", True),
        ("(?i:a)b", "AB", False),
        ("(?<n>a)|(?<n>b)", "b", True),
        (r"(?:(?<n>a)|(?<n>b))\k<n>", "bb", True),
        # 22.2.7.2: with flag u no attempt starts between the halves of a surrogate pair (V8 says true).
        (r"\B", "a\U0001f600b", False),
    ],
)
def test_ecma_262_beyond_node_20(source, text, expected):
    assert search(source, text) is expected


# Cost ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["^(?:a|b)$", "^(today|tomorrow)$", r"^\d{4}-(?:0[1-9]|1[0-2])$", "^(a{1,3}b?){2}$"])
def test_few_ways_from_the_start_are_linear(source):
    assert pattern_cost(source, unicode=True).linear


@pytest.mark.parametrize(
    "source", ["a|b", "^a|b", "(a*)*b", r"^(a)\1", "^(?=a)", "^(?:a+)+$", "^(a{1,30}){1,30}$", ".+x", "^(?i:a)"]
)
def test_others_are_not(source):
    assert not pattern_cost(source, unicode=True).linear


@pytest.mark.parametrize("source", [r"^\p{(a|a)*\1b}", r"^\u{1,}", r"^(\p{0,}?)*a"])
def test_nothing_is_hidden_in_an_escape_that_is_none(source):
    assert not pattern_cost(source, unicode=False).linear


def test_weight_grows_with_counts_but_is_bounded():
    weights = [
        pattern_cost(source, unicode=True).weight
        for source in ("x|a{9}", "x|a{900}", "x|(a{900}){900}", "x|((a{900}){900}){900}")
    ]
    assert weights == sorted(weights)
    assert weights[0] < weights[1] < weights[2] == weights[3] < 3_000


def test_threads_share_a_pattern():
    pattern = compile_pattern("^[a-z]{1,5}(?:x|y)$", seconds=1)
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(pattern.search("abcx", timeout=1.0))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * 8


def test_lone_surrogates_beside_astral_characters():
    text = "\U0001f600\ud800" * 3
    assert search(r"^(?:\u{1F600}\u{D800}){3}$", text)
    assert search(r"^.{6}$", text)
    assert not search(r"\ude00", text)


@given(st.text(st.sampled_from("aé\u2028\ud800\udc00\U0001f600\U0010ffff"), max_size=8))
def test_code_units(text):
    assert code_units(text).tobytes() == b"".join(
        unit.to_bytes(2, sys.byteorder) for character in text for unit in _units(ord(character))
    )


def _units(code: int) -> list[int]:
    return [code] if code < 0x10000 else [0xD800 + (code - 0x10000 >> 10), 0xDC00 + (code & 0x3FF)]
