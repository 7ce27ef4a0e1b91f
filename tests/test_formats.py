"""Formats: which dialect knows which, what a check never does."""

from __future__ import annotations

import jsonschema_rs
import pytest

from schemafuse.formats import FORMATS, format_checker, format_weight

URIS = {
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft-07": "http://json-schema.org/draft-07/schema#",
    "draft-06": "http://json-schema.org/draft-06/schema#",
    "draft-04": "http://json-schema.org/draft-04/schema#",
}
NAMES = sorted(FORMATS["2020-12"])
TEXTS = [
    "",
    "a",
    "é",
    "2024-02-30",
    "2024-02-29",
    "12:00:00Z",
    "23:59:60Z",
    "2024-01-01T00:00:00Z",
    "P1Y",
    "P",
    "a@b.c",
    "é@é.de",
    "example.com",
    "-a.com",
    "bücher.de",
    "xn--bcher-kva.de",
    "127.0.0.1",
    "256.1.1.1",
    "::1",
    "::g",
    "http://a/b",
    "//a",
    "http://é/",
    "{a}",
    "{",
    "/a/~0",
    "/~2",
    "0/a",
    "01",
    "00000000-0000-0000-0000-000000000000",
    "^a$",
    "(",
    "\x00",
]


@pytest.mark.parametrize("dialect", URIS)
def test_every_dialect_knows_what_jsonschema_rs_knows(dialect):
    for name in [*NAMES, "color", "ip-address", "int32", "unknown", "", "\ud800"]:
        try:
            jsonschema_rs.validator_for(
                {"$schema": URIS[dialect], "format": name}, validate_formats=True, ignore_unknown_formats=False
            )
            known = True
        except (ValueError, UnicodeEncodeError):
            known = False
        assert (format_checker(name, dialect) is not None) is known, name


@pytest.mark.parametrize("dialect", URIS)
@pytest.mark.parametrize("name", NAMES)
def test_same_answers_as_jsonschema_rs(name, dialect):
    check = format_checker(name, dialect)
    if check is None:
        return
    oracle = jsonschema_rs.validator_for({"$schema": URIS[dialect], "format": name}, validate_formats=True)
    assert [text for text in TEXTS if check(text)] == [text for text in TEXTS if oracle.is_valid(text)]
    assert check is format_checker(name, dialect)


@pytest.mark.parametrize("name", NAMES)
def test_a_lone_surrogate_has_no_format(name):
    check = format_checker(name, "2020-12")
    assert check is not None
    assert check("a\ud800") is False


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        (r"^\p{L}+$", True),
        (r"a\/b", True),
        ("(?<n>a)", True),
        (r"a\Z", False),
        (r"\a", False),
        (r"[\w-.]", False),
        ("(?P<n>a)", False),
        ("(", False),
        ("(" * 2_000 + ")" * 2_000, False),
    ],
)
def test_regex_is_ecma_262_with_flag_u(text, valid):
    check = format_checker("regex", "2020-12")
    assert check is not None
    assert check(text) is valid


def test_every_format_has_a_weight():
    assert all(format_weight(name) > 0 for name in [*NAMES, "unknown"])
    assert format_weight("idn-hostname") > format_weight("date")


def test_unknown_dialect():
    assert format_checker("date", "draft-03") is None
