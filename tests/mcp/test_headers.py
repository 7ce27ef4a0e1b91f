"""Parameters in headers: what is sent, and what a server makes of what arrives."""

import asyncio
import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemafuse.mcp import Tool, ToolService
from schemafuse.mcp.headers import decode, encode

SITE = {"type": "string", "x-mcp-header": "Site"}


def tool_with(properties, **schema):
    return Tool.from_dict({"name": "t", "inputSchema": {"type": "object", "properties": properties, **schema}})


# Values -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "plain", ["", "us-west1", "a b", "~!@#$%^&*()", "=?base64?", "?=", "=?BASE64?YQ==?=", "x=?base64?YQ==?="]
)
def test_plain_texts_are_sent_as_they_are(plain):
    assert encode(plain) == plain == decode(plain)


@pytest.mark.parametrize(
    "text",
    [
        " a",
        "a ",
        " ",
        "\t",
        "a\tb",
        "a\r\nEvil: 1",
        "\x00",
        "\x7f",
        "Zürich",
        "日本",
        "=?base64?YQ==?=",
        "=?base64??=",
        "=?base64?=",
    ],
)
def test_other_texts_are_sent_in_base64(text):
    value = encode(text)
    assert value == f"=?base64?{base64.b64encode(text.encode()).decode()}?="
    assert decode(value) == text


@given(st.text())
def test_every_text_comes_back(text):
    value = encode(text)
    assert value.isascii()
    assert value.isprintable()
    assert value == value.strip()
    assert decode(value) == text


@pytest.mark.parametrize(
    "value",
    [
        "é",
        "a\x00",
        "a\tb",
        "\n",
        "=?base64?a?=",
        "=?base64?YQ?=",
        "=?base64?YR==?=",
        "=?base64? YQ==?=",
        "=?base64?/w==?=",
        "=?base64?é?=",
    ],
)
def test_values_that_nobody_sends(value):
    assert decode(value) is None


def test_values_by_type():
    tool = tool_with(
        {
            "s": {"type": "string", "x-mcp-header": "S"},
            "i": {"type": "integer", "x-mcp-header": "I"},
            "b": {"type": "boolean", "x-mcp-header": "B"},
            "o": {"type": "object", "properties": {"s": {"type": "string", "x-mcp-header": "OS"}}},
        }
    )

    def sent(**arguments):
        headers = tool.param_headers(arguments)
        assert tool.check_param_headers(headers, arguments) is None
        return {name.removeprefix("Mcp-Param-"): value for name, value in headers.items()}

    assert sent(s="eu", i=-5, b=True, o={"s": "x"}, other=1) == {"S": "eu", "I": "-5", "B": "true", "OS": "x"}
    assert sent(b=False, i=0, s="") == {"B": "false", "I": "0", "S": ""}
    assert sent(i=7.0) == {"I": "7"}
    assert sent(i=2**53 - 1) == {"I": "9007199254740991"}
    assert sent(i=-(2**53) + 1) == {"I": "-9007199254740991"}
    assert sent(s=None, i=None, o={"s": None}) == {} == sent() == sent(o=None) == sent(o=[]) == sent(o={})
    # Not what the schema says: the check of the arguments has words for it, this one stays out of the way.
    assert sent(s=[], i={}, b=1, o=5) == {"B": "1"}
    for arguments in (None, [], "x", 5):
        assert tool.param_headers(arguments) == {}


@pytest.mark.parametrize(
    "number",
    [2**53, -(2**53), 10**5_000, 2.0**53, -(2.0**53), 1e300, float("inf"), float("nan")],
    ids=["one more", "one less", "huge", "as a float", "one less as a float", "a large float", "infinite", "NaN"],
)
def test_integers_that_readers_read_differently_are_not_sent(number):
    tool = tool_with({"i": {"type": "integer", "x-mcp-header": "I"}})
    with pytest.raises(ValueError, match="/i"):
        tool.param_headers({"i": number})
    assert tool.check_param_headers({"Mcp-Param-I": "1"}, {"i": number})["code"] == -32020


@pytest.mark.parametrize(("number", "fine"), [(2**53 - 1, True), (1 - 2**53, True), (2**53, False), (-1e300, False)])
def test_integers_that_cannot_be_sent_are_told_to_the_model(number, fine):
    inner = {"type": "object", "properties": {"i": {"type": "integer", "x-mcp-header": "I"}}}
    tool = tool_with({"o": inner, "other": {"type": "integer"}})
    result = tool.check_arguments({"o": {"i": number}})
    assert (result is None) is fine
    if not fine:
        assert "at /o/i" in result["content"][0]["text"]
        assert "from -9007199254740991 to 9007199254740991" in result["content"][0]["text"]
    assert tool.check_arguments({"other": number}) is None
    seen = []
    service = ToolService()
    service.add(tool.definition, seen.append)
    assert asyncio.run(service.call_tool("t", {"o": {"i": number}}))["isError"] is not fine
    assert len(seen) == fine


def test_a_lone_surrogate_is_not_sent():
    tool = tool_with({"site": SITE})
    with pytest.raises(ValueError, match="/site"):
        tool.param_headers({"site": "\ud800"})
    assert tool.check_param_headers({"Mcp-Param-Site": "?"}, {"site": "\ud800"})["code"] == -32020


# Requests -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "arguments"),
    [
        ({"Mcp-Param-Site": "eu"}, {"site": "eu"}),
        ({"MCP-PARAM-SITE": "eu", "Other": "x", "Mcp-Param-Unknown": "y"}, {"site": "eu"}),
        ([(b"mcp-param-site", b"eu")], {"site": "eu"}),
        ({"mcp-param-site": " eu\t"}, {"site": "eu"}),
        ({"mcp-param-site": "=?base64?ZXU=?="}, {"site": "eu"}),
        ({}, {}),
        ({}, {"site": None}),
        ({}, {"site": ["not", "a", "string"]}),
        ({"mcp-param-count": "42"}, {"count": 42}),
        ({"mcp-param-count": "42.0"}, {"count": 42}),
        ({"mcp-param-count": "042"}, {"count": 42.0}),
        ({"mcp-param-count": "-0"}, {"count": 0}),
        ({"mcp-param-flag": "true"}, {"flag": True}),
    ],
)
def test_headers_that_agree(headers, arguments):
    tool = tool_with(
        {
            "site": SITE,
            "count": {"type": "integer", "x-mcp-header": "Count"},
            "flag": {"type": "boolean", "x-mcp-header": "Flag"},
        }
    )
    assert tool.check_param_headers(headers, arguments) is None


@pytest.mark.parametrize(
    ("headers", "arguments", "reason"),
    [
        ({}, {"site": "eu"}, "missing"),
        ({}, {"site": ""}, "missing"),
        ({"Mcp-Param-Site": "us"}, {"site": "eu"}, "does not match"),
        ({"Mcp-Param-Site": "EU"}, {"site": "eu"}, "does not match"),
        ({"Mcp-Param-Site": "eu"}, {}, "no value"),
        ({"Mcp-Param-Site": ""}, {"site": None}, "no value"),
        ({"Mcp-Param-Site": "eu"}, {"site": ["eu"]}, "does not match"),
        ({"Mcp-Param-Site": "=?base64?!?="}, {"site": "eu"}, "Base64"),
        ({"Mcp-Param-Site": "Zürich"}, {"site": "Zürich"}, "characters"),
        ([("Mcp-Param-Site", "eu"), ("mcp-param-site", "eu")], {"site": "eu"}, "more than once"),
        ({"mcp-param-count": "43"}, {"count": 42}, "does not match"),
        ({"mcp-param-count": "42.5"}, {"count": 42}, "does not match"),
        ({"mcp-param-count": "4_2"}, {"count": 42}, "does not match"),
        ({"mcp-param-count": "٤٢"}, {"count": 42}, "characters"),
        ({"mcp-param-count": "0" * 100_000 + "x"}, {"count": 42}, "does not match"),
        ({"mcp-param-count": ""}, {"count": 0}, "does not match"),
        ({"mcp-param-flag": "True"}, {"flag": True}, "does not match"),
        ({"mcp-param-flag": "1"}, {"flag": True}, "does not match"),
        ({"mcp-param-site": "42.0"}, {"site": "42"}, "does not match"),
    ],
)
def test_headers_that_disagree(headers, arguments, reason):
    tool = tool_with(
        {
            "site": SITE,
            "count": {"type": "integer", "x-mcp-header": "Count"},
            "flag": {"type": "boolean", "x-mcp-header": "Flag"},
        }
    )
    error = tool.check_param_headers(headers, arguments)
    assert error["code"] == -32020
    assert reason in error["message"]
    assert error["message"].isprintable()
    assert error["data"]["header"].lower().startswith("mcp-param-")
    assert error["data"]["argument"].startswith("/")


def test_a_tool_without_such_parameters_looks_at_no_header():
    assert tool_with({"a": {"type": "string"}}).check_param_headers({"Mcp-Param-A": "x"}, {"a": "y"}) is None


@given(
    st.dictionaries(st.sampled_from(["Mcp-Param-Site", "mcp-param-count", "x"]), st.text()),
    st.dictionaries(
        st.sampled_from(["site", "count"]), st.none() | st.text() | st.integers() | st.floats() | st.lists(st.none())
    ),
)
def test_no_request_raises(headers, arguments):
    tool = tool_with({"site": SITE, "count": {"type": "integer", "x-mcp-header": "Count"}})
    error = tool.check_param_headers(headers, arguments)
    assert error is None or (error["code"] == -32020 and len(error["message"]) < 300)
