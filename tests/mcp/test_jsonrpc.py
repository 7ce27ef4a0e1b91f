"""JSON-RPC messages as objects: what is answered, with which code, and what is never run."""

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from services import META, VERSION, define, request, run

import schemafuse
from schemafuse.mcp import ProtocolError, ToolService, http_status
from schemafuse.mcp import listening as listening_module

#: The schema of the protocol itself, where it is at hand.
PROTOCOL = Path(__file__).parents[1] / "cases" / "mcp-schema-2026-07-28.json"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"


@pytest.fixture
def service():
    service = ToolService(name="test", version="1.2", title="Test", instructions="Ask.", page_size=1)
    service.add(define("echo", description="Echo."), lambda arguments: arguments)
    service.add(define("other"), lambda arguments: [])
    return service


def handle(service, message, **options):
    return run(service.handle(message, **options))


# Requests that are in order -----------------------------------------------------------------------


def test_discover(service):
    response = handle(service, request("server/discover"))
    assert response["result"] == {
        "resultType": "complete",
        "supportedVersions": [VERSION],
        "capabilities": {"tools": {"listChanged": False}},
        "instructions": "Ask.",
        "ttlMs": 300_000,
        "cacheScope": "public",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "test", "version": "1.2", "title": "Test"}},
    }


async def nobody(message):
    raise AssertionError


def test_discover_promises_changes_where_they_can_be_told(service):
    result = handle(service, request("server/discover"), notify=nobody)["result"]
    assert result["capabilities"] == {"tools": {"listChanged": True}}


def test_list_and_call(service):
    first = handle(service, request("tools/list", "x"))
    assert (first["id"], first["result"]["tools"][0]["name"]) == ("x", "echo")
    second = handle(service, request("tools/list", 2, cursor=first["result"]["nextCursor"]))
    assert second["result"]["tools"][0]["name"] == "other"
    called = handle(service, request("tools/call", 3, name="echo", arguments={"a": 1}))
    assert called["result"]["structuredContent"] == {"a": 1}
    assert handle(service, request("tools/call", name="echo"))["result"]["structuredContent"] == {}


def test_a_result_keeps_the_meta_of_its_handler(service):
    service.add(define("meta"), lambda _: {"content": [], "_meta": {"a.b/c": 1}})
    meta = handle(service, request("tools/call", name="meta"))["result"]["_meta"]
    assert meta.keys() == {"a.b/c", "io.modelcontextprotocol/serverInfo"}


def test_a_result_says_itself_who_made_it(service):
    whose = {"io.modelcontextprotocol/serverInfo": {"name": "upstream", "version": "1"}}
    service.add(define("proxied"), lambda _: {"content": [], "_meta": whose})
    assert handle(service, request("tools/call", name="proxied"))["result"]["_meta"] == whose


@pytest.mark.parametrize("request_id", [0, -1, 2**53, 2**64 - 1, "", "é", "a" * 500, 7.0])
def test_ids_come_back_as_they_were(service, request_id):
    response = handle(service, request("tools/list", request_id))
    assert response["id"] == request_id
    assert type(response["id"]) is type(request_id)


# Messages that are not ----------------------------------------------------------------------------


def without(member, **changes):
    message = {**request("tools/list"), **changes}
    message.pop(member, None)
    return message


def meta(**changes):
    full = {
        **META,
        **{{"version": PROTOCOL_VERSION, "capabilities": CAPABILITIES}[key]: changes[key] for key in changes},
    }
    return request("tools/list", _meta={key: value for key, value in full.items() if value is not ...})


MALFORMED = [
    # message, code, whether the id comes back
    (None, -32600, False),
    (5, -32600, False),
    ("text", -32600, False),
    ([], -32600, False),
    ([request("tools/list")], -32600, False),
    ({}, -32600, False),
    (without("jsonrpc"), -32600, True),
    ({**request("tools/list"), "jsonrpc": "1.0"}, -32600, True),
    ({**request("tools/list"), "jsonrpc": 2.0}, -32600, True),
    (without("method"), -32600, True),
    ({**request("tools/list"), "method": None}, -32600, True),
    ({**request("tools/list"), "method": ["tools/list"]}, -32600, True),
    (request("tools/list", None), -32600, False),
    (request("tools/list", True), -32600, False),
    (request("tools/list", 1.5), -32600, False),
    (request("tools/list", float("nan")), -32600, False),
    (request("tools/list", []), -32600, False),
    (request("tools/list", {}), -32600, False),
    (request("tools/list", "\ud800"), -32600, False),
    (request("tools/list", 2**64), -32600, False),
    (request("tools/list", 10**400), -32600, False),
    ({"jsonrpc": "2.0", "method": 5}, -32600, False),
    ({**request("tools/list"), "params": []}, -32602, True),
    ({**request("tools/list"), "params": None}, -32602, True),
    ({**request("tools/list"), "params": "x"}, -32602, True),
    (without("params"), -32602, True),
    ({**request("tools/list"), "params": {}}, -32602, True),
    (request("tools/list", _meta=None), -32602, True),
    (request("tools/list", _meta=[]), -32602, True),
    (meta(version=...), -32602, True),
    (meta(version=None), -32602, True),
    (meta(version=20260728), -32602, True),
    (meta(capabilities=...), -32602, True),
    (meta(capabilities=None), -32602, True),
    (meta(capabilities=[]), -32602, True),
    (meta(version="2025-11-25"), -32022, True),
    (meta(version="\ud800"), -32022, True),
    (meta(version="9" * 10_000), -32022, True),
    (request("initialize", protocolVersion="\ud800", _meta=None), -32022, True),
    (meta(version=""), -32022, True),
    (request("nope"), -32601, True),
    (request(""), -32601, True),
    (request("tools/List"), -32601, True),
    (request("x" * 10_000), -32601, True),
    (request("\ud800"), -32601, True),
    (request("initialize"), -32601, True),
    (request("ping"), -32601, True),
    (request("subscriptions/listen", notifications={}), -32601, True),
    (request("tools/list", cursor=None), -32602, True),
    (request("tools/list", cursor=5), -32602, True),
    (request("tools/list", cursor=""), -32602, True),
    (request("tools/call"), -32602, True),
    (request("tools/call", name=None), -32602, True),
    (request("tools/call", name=["echo"]), -32602, True),
    (request("tools/call", name="nope"), -32602, True),
    (request("tools/call", name="echo", arguments=None), -32602, True),
    (request("tools/call", name="echo", arguments=[]), -32602, True),
    (request("tools/call", name="echo", arguments="{}"), -32602, True),
    (request("tools/call", name="echo", inputResponses=None), -32602, True),
    (request("tools/call", name="echo", inputResponses=[]), -32602, True),
    (request("tools/call", name="echo", inputResponses={"a": 5}), -32602, True),
    (request("tools/call", name="echo", requestState=None), -32602, True),
    (request("tools/call", name="echo", requestState=5), -32602, True),
]


@pytest.mark.parametrize(("message", "code", "with_id"), MALFORMED, ids=lambda value: str(value)[:60])
def test_malformed_messages(service, message, code, with_id):
    response = handle(service, message)
    assert response["error"]["code"] == code
    assert response.keys() == ({"jsonrpc", "id", "error"} if with_id else {"jsonrpc", "error"})
    if with_id:
        assert response["id"] == message["id"]
    assert "\n" not in response["error"]["message"]
    assert len(response["error"]["message"]) < 400
    assert len(json.dumps(response, allow_nan=False, ensure_ascii=False).encode("utf-8")) < 600


def test_an_unsupported_version_is_told_what_is_supported(service):
    response = handle(service, meta(version="1999-01-01"))
    assert response["error"]["data"] == {"supported": [VERSION], "requested": "1999-01-01"}


def test_a_client_of_an_earlier_revision_is_told_what_is_supported(service):
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    response = handle(service, {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
    assert response["error"]["code"] == -32022
    assert response["error"]["data"] == {"supported": [VERSION], "requested": "2025-11-25"}


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        {"jsonrpc": "2.0", "method": "nope", "params": 5},
        without("id", method="tools/call"),
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}},
    ],
)
def test_messages_that_are_owed_nothing(service, message):
    assert handle(service, message) is None


def test_a_notification_runs_nothing():
    service = ToolService()
    service.add(define(), lambda _: pytest.fail("it ran"))
    message = request("tools/call", name="tool")
    del message["id"]
    assert handle(service, message) is None


def test_a_fault_of_the_service_does_not_leak(service, monkeypatch, caplog):
    monkeypatch.setattr(service, "discover", lambda **options: 1 / 0)
    response = handle(service, request("server/discover"))
    assert response["error"]["code"] == -32603
    assert "division" not in str(response)
    assert response["error"]["message"].split()[-1] in caplog.records[0].getMessage()


class Forgetful(ProtocolError):
    def __init__(self, thing):
        self.thing = thing


def changed(**attributes):
    error = ProtocolError(-32602, "fine")
    for name, value in attributes.items():
        setattr(error, name, value)
    return error


UNSOUND = [
    Forgetful("secret"),
    changed(code="secret"),
    changed(code=-32042),
    changed(data=object()),
    changed(message=5),
]


@pytest.mark.parametrize("error", UNSOUND, ids=repr)
def test_an_error_that_cannot_be_sent_is_a_failure_like_any(service, error, monkeypatch, caplog):
    def fail(*arguments, **options):
        raise error

    service.add(define("fails"), fail)
    result = handle(service, request("tools/call", name="fails"))["result"]
    assert "internal error" in result["content"][0]["text"]
    assert error in [record.exc_info[1] for record in caplog.records]
    monkeypatch.setattr(service, "discover", fail)
    response = handle(service, request("server/discover"))
    assert response["error"]["code"] == -32603
    assert "secret" not in str((result, response))


def test_an_error_that_was_changed_is_sent_as_what_it_holds(service):
    class Loud(ProtocolError):
        def to_dict(self):
            raise ValueError

    def fail(arguments):
        error = Loud(-32602, "x", {"a": 1})
        error.message = "half \ud800"
        raise error

    service.add(define("fails"), fail)
    response = handle(service, request("tools/call", name="fails"))
    assert response["error"] == {"code": -32602, "message": "half \\ud800", "data": {"a": 1}}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
members = {
    "jsonrpc": st.just("2.0") | json_values,
    "id": st.integers() | st.text(max_size=3) | json_values,
    "method": st.sampled_from(["tools/list", "tools/call", "server/discover", "notifications/x"]) | json_values,
}
params = st.fixed_dictionaries(
    {"_meta": st.just(META) | json_values},
    optional={"name": st.just("echo") | json_values, "arguments": json_values, "cursor": json_values},
)


@settings(max_examples=400, deadline=None)
@given(st.fixed_dictionaries({}, optional={**members, "params": params | json_values}))
def test_any_message_is_answered_or_owed_nothing(message):
    service = ToolService()
    service.add(define("echo"), lambda arguments: arguments)
    response = handle(service, message)
    if response is None:
        assert "id" not in message or "method" not in message
    else:
        assert ("result" in response) != ("error" in response)
        json.dumps(response, allow_nan=False).encode("utf-8")


# Listening ----------------------------------------------------------------------------------------


def test_listening_tells_changes_until_the_service_closes(service):
    async def main():
        sent = asyncio.Queue()
        listening = asyncio.create_task(
            service.handle(
                request("subscriptions/listen", "s", notifications={"toolsListChanged": True}), notify=sent.put
            )
        )
        acknowledged = await sent.get()
        handle = service.add(define("new"), lambda _: 1)
        handle.disable()
        changed = await sent.get()
        handle.enable()
        again = await sent.get()
        service.close()
        return acknowledged, changed, again, await listening, sent.qsize()

    acknowledged, changed, again, response, more = run(main())
    tag = {"io.modelcontextprotocol/subscriptionId": "s"}
    assert acknowledged == {
        "jsonrpc": "2.0",
        "method": "notifications/subscriptions/acknowledged",
        "params": {"notifications": {"toolsListChanged": True}, "_meta": tag},
    }
    assert changed == {"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {"_meta": tag}}
    assert again == changed
    assert response["id"] == "s"
    assert response["result"]["_meta"].items() >= tag.items()
    assert (more, service.streams) == (0, set())


def test_nothing_is_sent_that_was_not_asked_for(service):
    async def main():
        sent = []

        async def notify(message):
            sent.append(message)

        asked = {"promptsListChanged": True, "toolsListChanged": "yes", "resourceSubscriptions": ["a:b"]}
        listening = asyncio.create_task(
            service.handle(request("subscriptions/listen", notifications=asked), notify=notify)
        )
        await asyncio.sleep(0.01)
        service.add(define("new"), lambda _: 1)
        await asyncio.sleep(0.01)
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        return sent, service.streams

    sent, streams = run(main())
    assert [message["params"]["notifications"] for message in sent] == [{}]
    assert streams == set()


@pytest.mark.parametrize("notifications", [None, [], "tools"])
def test_a_malformed_filter(service, notifications):
    message = request("subscriptions/listen", notifications=notifications)
    assert handle(service, message, notify=nobody)["error"]["code"] == -32602


def test_streams_are_bounded(service, monkeypatch):
    async def main():
        sent = asyncio.Queue()
        message = request("subscriptions/listen", notifications={})
        listening = asyncio.create_task(service.handle(message, notify=sent.put))
        await sent.get()
        monkeypatch.setattr(listening_module, "MAX_STREAMS", 1)
        refused = await service.handle(message, notify=nobody)
        service.close()
        await listening
        return refused

    assert "Too many subscriptions" in run(main())["error"]["message"]


# Progress -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("token", "count"), [("t", 2), (0, 2), (None, 0), (True, 0), (1.5, 0), (..., 0)])
def test_progress_goes_to_those_who_asked(service, token, count):
    sent = []

    async def notify(message):
        sent.append(message["params"])

    async def work(arguments, call):
        await call.report_progress(1)
        await call.report_progress(1, 3, "left out: it does not grow")
        await call.report_progress(2, 3, "half")

    service.add(define("work"), work)
    meta = META if token is ... else {**META, "progressToken": token}
    handle(service, request("tools/call", name="work", _meta=meta), notify=notify)
    expected = [
        {"progressToken": token, "progress": 1},
        {"progressToken": token, "progress": 2, "total": 3, "message": "half"},
    ]
    assert sent == expected[:count]


# The protocol's own schema ------------------------------------------------------------------------


def test_responses_by_the_schema_of_the_protocol(service):
    definitions = json.loads(PROTOCOL.read_text(encoding="utf-8"))["$defs"]
    limits = schemafuse.Limits(max_compile_ms=10_000)
    expected = {
        "DiscoverResultResponse": [request("server/discover")],
        "ListToolsResultResponse": [request("tools/list")],
        "CallToolResultResponse": [request("tools/call", name="echo"), request("tools/call", name="other")],
        "JSONRPCErrorResponse": [message for message, _, _ in MALFORMED],
    }
    for name, messages in expected.items():
        validator = schemafuse.compile({"$ref": f"#/$defs/{name}", "$defs": definitions}, limits=limits)
        for message in messages:
            report = validator.check(handle(service, message))
            assert report.ok, (name, message, report.text())


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (-32700, 400),
        (-32600, 400),
        (-32602, 400),
        (-32020, 400),
        (-32021, 400),
        (-32022, 400),
        (-32601, 404),
        (-32603, 200),
    ],
)
def test_http_status(code, status):
    assert http_status({"error": ProtocolError(code, "x").to_dict()}) == status
    assert http_status({"result": {}}) == 200
    assert http_status(None) == 202
