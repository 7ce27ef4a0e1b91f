"""What a handler returns or raises, and what the client gets."""

import json
import logging

import pytest
from services import META, define, request, run, text_of

from schemafuse._core.sendable import MAX_LEVELS
from schemafuse.mcp import ProtocolError, Tool, ToolError, ToolService
from schemafuse.mcp.outcomes import finish


def outcome(handler, **members):
    service = ToolService()
    service.add(define(**members), handler)
    return run(service.call_tool("tool"))


VALUES = [None, False, 0, 1.5, "", "text", [], [1, None], {}, {"a": {"b": ["ü\u2028"]}}, {"content": 5}, 10**30]


@pytest.mark.parametrize("value", VALUES)
def test_any_json_value_with_its_mirror(value):
    result = outcome(lambda _: value)
    assert result["structuredContent"] == value
    assert json.loads(text_of(result)) == value
    assert (result["resultType"], result["isError"]) == ("complete", False)


@pytest.mark.parametrize("value", VALUES)
def test_any_json_value_under_an_output_schema(value):
    result = outcome(lambda _: value, outputSchema={"const": value})
    assert (result["structuredContent"], result["isError"]) == (value, False)
    refused = outcome(lambda _: value, outputSchema={"not": {"const": value}})
    assert refused["isError"] is True
    assert "structuredContent" not in refused
    assert "not of your arguments" in text_of(refused)


LOOP: list = []
LOOP.append(LOOP)
DEEP: list = []
for _ in range(5_000):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "value",
    [
        object(),
        {1, 2},
        b"x",
        float("nan"),
        [float("inf")],
        "\ud800",
        {"\udfff": 1},
        {1: 2},
        10**5_000,
        LOOP,
        DEEP,
        {"content": [{"type": "text", "text": "\ud800"}]},
        {"content": [{"type": "text", "text": "x"}], "structuredContent": float("nan")},
        {"resultType": "input_required", "requestState": "\ud800"},
        {"content": 5, "isError": True, "_meta": object()},
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("schema", [{}, {"outputSchema": {}}])
def test_what_cannot_be_sent(value, schema, caplog):
    result = outcome(lambda _: value, **schema)
    assert result["isError"] is True
    assert "fault of the tool's server" in text_of(result)
    json.dumps(result, allow_nan=False).encode("utf-8")
    assert caplog.records


@pytest.mark.parametrize(
    "given",
    [
        {"content": [{"type": "text", "text": "x"}]},
        {"content": [{"type": "image", "data": "AAAA", "mimeType": "image/png"}], "isError": True},
        {"content": [], "_meta": {"a.b/c": 1}},
        {"resultType": "complete", "content": []},
    ],
)
def test_whole_results_pass_through(given):
    assert outcome(lambda _: given) == {"resultType": "complete", **given}


def test_a_result_without_content_gets_the_mirror():
    result = outcome(lambda _: {"structuredContent": [1], "_meta": {}}, outputSchema={"type": "array"})
    assert result == {
        "resultType": "complete",
        "structuredContent": [1],
        "_meta": {},
        "content": [{"type": "text", "text": "[1]"}],
    }


@pytest.mark.parametrize(
    "value",
    [
        {"content": "of a file"},
        {"content": [1, 2]},
        {"content": [{"type": "chapter"}]},
        {"content": [{"type": []}]},
        {"content": [{"type": "text", "text": "x"}], "more": 1},
        {"isError": False},
        {"resultType": "input_required"},
        {"resultType": "sports"},
    ],
)
def test_values_that_look_like_results_are_values(value):
    assert outcome(lambda _: value)["structuredContent"] == value


def test_an_empty_content_under_an_output_schema_is_a_value():
    assert outcome(lambda _: {"content": []}, outputSchema={"type": "object"})["structuredContent"] == {"content": []}


def test_promised_structured_content_must_be_there():
    result = outcome(lambda _: {"content": [{"type": "text", "text": "x"}]}, outputSchema={"type": "object"})
    assert "left out the structured content" in text_of(result)


def test_errors_are_not_checked_against_the_output_schema():
    failed = {"content": [{"type": "text", "text": "x"}], "isError": True}
    assert outcome(lambda _: failed, outputSchema={"type": "object"}) == {"resultType": "complete", **failed}


# Foreign JSON, and results that are not whole -----------------------------------------------------

ASKS_FOR_A_SECRET = {
    "resultType": "input_required",
    "inputRequests": {"q": {"method": "elicitation/create", "params": {"message": "Your password?"}}},
}


def test_a_value_with_more_members_than_a_result_is_never_one():
    page = {**ASKS_FOR_A_SECRET, "title": "news"}
    schema = {"type": "object", "required": ["title"]}
    assert outcome(lambda _: page, outputSchema=schema)["structuredContent"] == page
    assert outcome(lambda _: page, outputSchema={**schema, "maxProperties": 1})["isError"] is True


@pytest.mark.parametrize(
    "foreign",
    [ASKS_FOR_A_SECRET, {"isError": True, "content": []}, {"structuredContent": 5}, {"content": [{"type": "text"}]}],
)
def test_foreign_json_is_safe_in_structured_content(foreign):
    result = outcome(lambda _: {"structuredContent": foreign}, outputSchema={"type": "object"})
    assert (result["structuredContent"], result["resultType"]) == (foreign, "complete")
    assert "isError" not in result
    refused = outcome(lambda _: {"structuredContent": foreign}, outputSchema={"required": ["title"]})
    assert refused["isError"] is True


@pytest.mark.parametrize("failed", [{"isError": True}, {}])
@pytest.mark.parametrize(
    "members",
    [
        {"content": "boo", "structuredContent": 1},
        {"content": [{"type": "text"}], "structuredContent": 1},
        {"content": [{"type": "text", "text": 5}]},
        {"content": [{"type": "image", "data": "AAAA"}]},
        {"content": [{"type": "resource_link", "uri": "a:b"}]},
        {"content": [{"type": "resource"}]},
        {"content": [{"type": "resource", "resource": {"uri": "a:b"}}]},
        {"content": [{"type": "text", "text": "x"}], "_meta": 5},
        {"content": [5], "structuredContent": 1},
        {"content": [{"type": "text", "text": "x", "annotations": {"lastModified": 5}}]},
        {"content": [{"type": "resource", "resource": {"uri": "a:b", "text": "x", "mimeType": 5}}]},
        {"content": [{"type": "resource_link", "uri": "a:b", "name": "n", "icons": [{"src": None}]}]},
    ],
)
def test_results_that_no_client_can_read_are_withheld(members, failed):
    result = outcome(lambda _: {**members, **failed})
    assert "malformed result" in text_of(result)


@pytest.mark.parametrize(
    "members",
    [
        {"inputRequests": {"a": {"method": "x/y"}}},
        {"inputRequests": [1]},
        {"inputRequests": {"a": 1}},
        {"inputRequests": {"a": {}}},
        {"requestState": 5},
    ],
)
def test_input_requests_that_no_client_can_read_are_withheld(members):
    assert "malformed result" in text_of(outcome(lambda _: {"resultType": "input_required", **members}))


@pytest.mark.parametrize("failed", [{"isError": True}, {"isError": True, "content": []}])
def test_an_error_without_a_word_gets_one(failed):
    assert text_of(outcome(lambda _: failed)) == "The tool failed."


IMAGE = {"type": "image", "data": "AAAA", "mimeType": "image/png"}


@pytest.mark.parametrize("content", [[], [IMAGE]])
def test_structured_content_has_a_text_for_those_who_read_only_that(content):
    result = outcome(lambda _: {"content": content, "structuredContent": [1, 2]}, outputSchema={"type": "array"})
    assert result["content"] == [*content, {"type": "text", "text": "[1,2]"}]
    own = [{"type": "text", "text": "one and two"}]
    assert outcome(lambda _: {"content": own, "structuredContent": [1, 2]})["content"] == own


class Lying(dict):
    def items(self):
        raise RuntimeError

    __getitem__ = __iter__ = get = keys = items


@pytest.mark.parametrize(
    "value", [Lying(a=1), [Lying(a=1)], {"content": [Lying(type="text", text="x")]}, {"structuredContent": Lying(a=1)}]
)
def test_what_is_sent_is_what_was_looked_at(value):
    service = ToolService()
    service.add(define(), lambda _: value)
    answer = json.loads(run(service.handle_bytes(json.dumps(request("tools/call", name="tool")).encode())))
    assert not answer["result"].get("isError")


# Input required -----------------------------------------------------------------------------------

ASK = {"method": "elicitation/create", "params": {"message": "?", "requestedSchema": {"type": "object"}}}
REQUESTS = {"a": ASK, "b": {"method": "sampling/createMessage", "params": {}}, "c": {"method": "roots/list"}}


def test_input_required_passes_through_unchecked():
    needed = {"resultType": "input_required", "inputRequests": REQUESTS, "requestState": "s"}
    assert outcome(lambda _: needed, outputSchema={"type": "integer"}) == needed


@pytest.mark.parametrize(
    ("declared", "missing"),
    [
        ({}, {"elicitation", "sampling", "roots"}),
        ({"elicitation": {}}, {"sampling", "roots"}),
        ({"elicitation": {}, "sampling": {}, "roots": {}}, set()),
    ],
)
def test_only_what_the_client_declared_is_asked_for(declared, missing):
    service = ToolService()
    service.add(define(), lambda _: {"resultType": "input_required", "inputRequests": REQUESTS})
    meta = {**META, "io.modelcontextprotocol/clientCapabilities": declared}
    response = run(service.handle(request("tools/call", name="tool", _meta=meta)))
    if missing:
        assert response["error"]["code"] == -32021
        assert response["error"]["data"] == {"requiredCapabilities": {name: {} for name in missing}}
    else:
        assert response["result"]["resultType"] == "input_required"


def asks(method, **params):
    return {"resultType": "input_required", "inputRequests": {"q": {"method": method, "params": params}}}


@pytest.mark.parametrize(
    ("result", "declared", "missing"),
    [
        (asks("elicitation/create", mode="url"), {"elicitation": {}}, {"elicitation": {"url": {}}}),
        (asks("elicitation/create", mode="url"), {"elicitation": {"form": {}}}, {"elicitation": {"url": {}}}),
        (asks("elicitation/create", mode="url"), {"elicitation": {"url": {}}}, None),
        (asks("elicitation/create", mode="form"), {"elicitation": {"url": {}}}, {"elicitation": {"form": {}}}),
        (asks("elicitation/create"), {"elicitation": {"form": {}}}, None),
        (asks("elicitation/create"), {"elicitation": {}}, None),
        (asks("sampling/createMessage", tools=[]), {"sampling": {}}, {"sampling": {"tools": {}}}),
        (asks("sampling/createMessage", toolChoice={}), {}, {"sampling": {"tools": {}}}),
        (asks("sampling/createMessage", tools=[]), {"sampling": {"tools": {}}}, None),
        (asks("sampling/createMessage"), {"sampling": None}, {"sampling": {}}),
    ],
)
def test_the_parts_of_capabilities(result, declared, missing):
    service = ToolService()
    service.add(define(), lambda _: result)
    meta = {**META, "io.modelcontextprotocol/clientCapabilities": declared}
    response = run(service.handle(request("tools/call", name="tool", _meta=meta)))
    assert response.get("error", {}).get("data") == (missing and {"requiredCapabilities": missing})


def test_answers_and_state_reach_the_handler():
    service = ToolService()
    seen = []
    service.add(define(), lambda arguments, call: seen.append((call.input_responses, call.request_state, call.meta)))
    run(service.handle(request("tools/call", name="tool", inputResponses={"a": {"b": 1}}, requestState="s")))
    run(service.handle(request("tools/call", name="tool")))
    assert seen == [({"a": {"b": 1}}, "s", META), ({}, None, META)]


# Failures -----------------------------------------------------------------------------------------


class Sneaky(BaseException):
    pass


@pytest.mark.parametrize(
    "error", [ValueError("secret detail"), KeyError("secret"), SystemExit("secret"), Sneaky("secret"), RecursionError()]
)
def test_exceptions_are_logged_and_never_leak(error, caplog):
    def handler(arguments):
        raise error

    result = outcome(handler)
    text = text_of(result)
    assert result["isError"] is True
    assert "secret" not in text
    assert "internal error" in text
    (record,) = caplog.records
    assert record.name == "schemafuse.mcp"
    assert record.levelno == logging.ERROR
    assert record.exc_info[1] is error
    reference = text.split("reference ")[1].split(".")[0]
    assert reference in record.getMessage()


def test_two_failures_have_two_references():
    assert outcome(lambda _: 1 / 0) != outcome(lambda _: 1 / 0)


def test_the_operator_can_stop_the_process():
    def handler(arguments):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        outcome(handler)


@pytest.mark.parametrize(
    ("given", "shown"), [("Try b.", "Try b."), ("", "The tool failed."), ("half \ud800", "half \\ud800"), (5, "5")]
)
def test_tool_errors_are_for_the_model(given, shown):
    def handler(arguments):
        raise ToolError(given)

    assert outcome(handler) == {
        "resultType": "complete",
        "content": [{"type": "text", "text": shown}],
        "isError": True,
    }


class Wordless(ToolError):
    def __init__(self, thing):
        self.thing = thing


class Failing(ToolError):
    @property
    def text(self):
        raise ValueError("secret")

    @text.setter
    def text(self, value):
        pass


def no_text():
    error = ToolError("x")
    error.text = 5
    return error


@pytest.mark.parametrize("error", [Wordless("secret"), Failing("secret"), no_text()], ids=repr)
def test_a_tool_error_that_has_lost_its_text_is_a_failure_like_any(error, caplog):
    def handler(arguments):
        raise error

    text = text_of(outcome(handler))
    assert "internal error" in text
    assert "secret" not in text
    assert error in [record.exc_info[1] for record in caplog.records]


def test_protocol_errors_of_handlers_are_for_the_client():
    def handler(arguments):
        raise ProtocolError(-32602, "requestState was tampered with", {"a": 1})

    with pytest.raises(ProtocolError):
        outcome(handler)
    service = ToolService()
    service.add(define(), handler)
    response = run(service.handle(request("tools/call", name="tool")))
    assert response["error"] == {"code": -32602, "message": "requestState was tampered with", "data": {"a": 1}}


@pytest.mark.parametrize("code", [True, "x", None, 1.5])
def test_codes_are_integers(code):
    with pytest.raises(TypeError):
        ProtocolError(code, "x")


@pytest.mark.parametrize("code", [-32042, -32002, -32023, -32099, 10**400, 2**31])
def test_codes_that_must_not_be_sent(code):
    with pytest.raises(ValueError, match="must not be sent"):
        ProtocolError(code, "x")


@pytest.mark.parametrize("code", [-32602, -32020, -32021, -32022, -32000, -32100, 1, 0])
def test_codes_that_may_be_sent(code):
    assert ProtocolError(code, "half \ud800").to_dict() == {"code": code, "message": "half \\ud800"}


@pytest.mark.parametrize(("message", "data"), [(None, None), ("x", {1}), ("x", [float("nan")]), ("x", "\ud800")])
def test_errors_that_cannot_be_sent_are_found_where_they_are_made(message, data):
    def handler(arguments):
        raise ProtocolError(-32602, message, data)

    assert "internal error" in text_of(outcome(handler))


def test_what_a_result_carries_may_be_as_deep_either_way():
    def nested(levels):
        value = 1
        for _ in range(levels):
            value = [value]
        return value

    tool = Tool.from_dict(define())
    for levels, sent in ((MAX_LEVELS, True), (MAX_LEVELS + 1, False)):
        for value in (nested(levels), {"structuredContent": nested(levels)}):
            result = finish(tool, value, None)
            assert ("structuredContent" in result) is sent
            assert tool.check_result(result) is result


@pytest.mark.parametrize(
    "annotations", [5, {"audience": "user"}, {"audience": ["x"]}, {"priority": 7}, {"priority": True}], ids=repr
)
def test_annotations_of_a_block_that_no_client_reads_are_the_servers_fault(annotations):
    block = {"type": "text", "text": "a", "annotations": annotations}
    result = Tool.from_dict(define()).check_result({"content": [block]})
    assert result["isError"] is True
    assert "fault of the tool's server" in text_of(result)
    fine = {**block, "annotations": {"audience": ["user", "assistant"], "priority": 0.5}}
    assert Tool.from_dict(define()).check_result({"content": [fine]})["content"] == [fine]


@pytest.mark.parametrize(("number", "sent"), [(10**4300 - 1, True), (1 - 10**4300, True), (10**4300, False)], ids="abc")
def test_integers_that_python_writes_are_sent(number, sent):
    assert ("structuredContent" in finish(Tool.from_dict(define()), {"n": number}, None)) is sent
