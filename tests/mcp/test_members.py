"""Texts, icons, annotations and metadata in a tool definition."""

import pytest
from findings import PIXEL, define, errors, found

from schemafuse.mcp import Tool


@pytest.mark.parametrize("member", ["title", "description"])
def test_texts(member):
    assert errors(define(**{member: 5}), lenient=True) == [("wrong_type", f"/{member}")]
    for hidden in ("\x1b[31m", "\u202e", "\U000e0041", "\x00", "\x9b"):
        assert found(define(**{member: f"a{hidden}b"})) == [("warning", "hidden_text", f"/{member}")]
        beside = found(define(title="fine", annotations={"title": f"a{hidden}b"}))
        assert beside == [("warning", "hidden_text", "/annotations/title")]


def test_a_lone_surrogate_anywhere_cannot_be_sent():
    for definition, location in (
        (define(description="a\ud800"), "/description"),
        (define(_meta={"a": {"b": ["\udfff"]}}), "/_meta/a/b/0"),
        (define(inputSchema={"type": "object", "enum": [{"\ud800": 1}]}), "/inputSchema/enum/0"),
        (define(outputSchema={"const": "\ud800"}), "/outputSchema/const"),
    ):
        assert errors(definition, lenient=True) == [("not_unicode", location)]
    # These bytes occur in texts without any surrogate, and in numbers.
    assert found(define(description="\ud7ff\ue000\U0001f600", extra=[0xA0ED, 1.5e-200, -(2**62)])) == []


@pytest.mark.parametrize(
    "source", ["https://x.example/i.png", "HTTPS://x.example/", "https://[::1]:80/", PIXEL, "DATA:image/svg+xml,x"]
)
def test_icons_that_may_be_shown(source):
    assert found(define(icons=[{"src": source}])) == []
    assert Tool.from_dict(define(icons=[{"src": source}])).icons == ({"src": source},)


@pytest.mark.parametrize(
    "source",
    [
        *(
            "http://x.example/i.png",
            "javascript:alert(1)",
            "file:///etc/passwd",
            " https://x.example/",
            "//x.example/i",
        ),
        *("https:x", "", "i.png", "blob:https://x.example/1", "JavaScript:alert(1)", "\x01javascript:x"),
    ],
)
def test_icons_at_other_schemes_are_refused(source):
    definition = define(icons=[{"src": source}, {"src": PIXEL}])
    assert errors(definition) == [("icon_scheme", "/icons/0/src")]
    tool = Tool.from_dict(definition, lenient=True)
    assert tool.icons == ({"src": PIXEL},)
    assert tool.definition == definition


@pytest.mark.parametrize(
    ("icon", "location"),
    [
        (5, ""),
        ({}, "/src"),
        ({"src": 5}, "/src"),
        ({"src": "https://x.example/a b"}, "/src"),
        *[({"src": f"https://{rest}"}, "/src") for rest in ("", "/x", "?", "#a", "[::1", ":80/", "a@/", "@")],
        ({"src": "https://x.example/\n"}, "/src"),
        ({"src": PIXEL, "mimeType": 5}, "/mimeType"),
        ({"src": PIXEL, "theme": "blue"}, "/theme"),
        ({"src": PIXEL, "theme": ["dark"]}, "/theme"),
        ({"src": PIXEL, "sizes": "48x48"}, "/sizes"),
        ({"src": PIXEL, "sizes": [48]}, "/sizes"),
    ],
)
def test_malformed_icons(icon, location):
    assert errors(define(icons=[icon])) == [("icon", f"/icons/0{location}")]
    assert Tool.from_dict(define(icons=[icon]), lenient=True).icons == ()


def test_doubtful_icons_are_warned_of():
    assert found(define(icons=[{"src": "data:text/html,x"}])) == [("warning", "icon_not_image", "/icons/0/src")]
    assert found(define(icons=[{"src": PIXEL, "sizes": ["48"]}])) == [("warning", "icon_size", "/icons/0/sizes/0")]
    assert errors(define(icons={"src": PIXEL}), lenient=True) == [("wrong_type", "/icons")]


def test_effective_annotations():
    defaults = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}
    assert Tool.from_dict(define()).effective_annotations() == defaults
    tool = Tool.from_dict(define(annotations={"readOnlyHint": True, "openWorldHint": False, "else": 1}))
    assert tool.effective_annotations() == {**defaults, "readOnlyHint": True, "openWorldHint": False}


def test_annotations_of_the_wrong_type():
    annotations = {"readOnlyHint": "yes", "destructiveHint": 0, "idempotentHint": None, "title": 5}
    expected = {("annotation", f"/annotations/{name}") for name in annotations}
    assert set(errors(define(annotations=annotations))) == expected
    tool = Tool.from_dict(define(annotations=annotations), lenient=True)
    assert tool.effective_annotations()["destructiveHint"] is True
    assert tool.effective_annotations()["readOnlyHint"] is False
    assert errors(define(annotations=[]), lenient=True) == [("wrong_type", "/annotations")]


def test_the_title_before_people():
    assert Tool.from_dict(define()).title == "weather"
    assert Tool.from_dict(define(annotations={"title": "A"})).title == "A"
    assert Tool.from_dict(define(annotations={"title": "A"}, title="T")).title == "T"


@pytest.mark.parametrize(
    "key", ["a", "a.b-c_d", "com.example/", "com.example/a", "example/a", "a-b.c1/x", "", "9", "com.example.mcp/x"]
)
def test_meta_keys_of_the_right_form(key):
    assert found(define(_meta={key: None})) == []


@pytest.mark.parametrize(
    "key", ["_a", "a_", "-", "a b", "é", "/", "/a", "1a/b", "a-/b", "a..b/c", ".a/b", "a/b/c", "a/_b", "a\n", "a/b\n"]
)
def test_meta_keys_of_another_form(key):
    location = "/_meta/" + key.replace("~", "~0").replace("/", "~1")
    assert errors(define(_meta={key: None})) == [("meta_key", location)]
    assert Tool.from_dict(define(_meta={key: None}), lenient=True).definition["_meta"] == {key: None}


@pytest.mark.parametrize(
    "prefix", ["io.modelcontextprotocol", "dev.mcp", "org.modelcontextprotocol.api", "com.MCP.tools"]
)
def test_reserved_meta_prefixes_are_warned_of(prefix):
    assert found(define(_meta={f"{prefix}/x": 1})) == [("warning", "meta_key_reserved", f"/_meta/{prefix}~1x")]


def test_meta_is_an_object():
    assert errors(define(_meta=[]), lenient=True) == [("wrong_type", "/_meta")]
