"""The example without an SDK, in a process of its own: what goes over real sockets."""

import asyncio
import importlib.util
import json
import signal
import socket
import time
from pathlib import Path

import pytest
from asgi import ask
from served import EXAMPLES, LIMIT_S, headers_for, serving
from services import META, define, request

from schemafuse.mcp import ToolService
from schemafuse.mcp.http import check_headers, handle_post

SLOW_SERVER = Path(__file__).with_name("slow_server.py")


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def served():
    pytest.importorskip("starlette", reason="the example needs the extra http")
    pytest.importorskip("uvicorn", reason="the example needs the extra http")
    with serving(SLOW_SERVER) as server:
        yield server


def test_requests_and_notifications(served):
    status, answer, response = served.send(request("tools/list"))
    assert (status, answer["result"]["tools"][0]["name"]) == (200, "cancelled")
    assert response.getheader("content-type") == "application/json"
    status, answer, _ = served.send(request("tools/call", name="headed", arguments={"size": 1}))
    assert (status, answer["result"]["structuredContent"]) == (200, {"size": 1})
    assert served.send({"jsonrpc": "2.0", "method": "notifications/initialized"})[:2] == (202, None)


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH"])
def test_other_methods(served, method):
    status, _, response = served.send(b"", method=method)
    assert (status, response.getheader("allow")) == (405, "POST")


@pytest.mark.parametrize("method", ["GET", "DELETE", "OPTIONS", "POST"])
@pytest.mark.parametrize("changes", [[("origin", "http://evil.example")], [("host", "127.0.0.1")]], ids=str)
def test_other_sites_are_refused_before_anything_else(method, changes):
    pytest.importorskip("starlette", reason="the example needs the extra http")
    app = load("http_service").make_app(ToolService())
    message = request("tools/list")
    given = [*headers_for(message, {"Host": "localhost"}).items(), *changes]
    assert asyncio.run(ask(app, json.dumps(message).encode(), given, method))[0] == 403
    assert asyncio.run(ask(app, b"", given[:-1], method))[0] == (400 if method == "POST" else 405)


def test_a_response_is_refused(served):
    for message in ({"jsonrpc": "2.0", "id": 1, "result": {}}, {"jsonrpc": "2.0", "error": {"code": 1}}):
        status, answer, _ = served.send(message)
        assert (status, answer["error"]["code"], "id" in answer) == (400, -32600, False)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": None}, 200),
        ({"Origin": "http://localhost:3000"}, 200),
        ({"Origin": "http://127.0.0.1"}, 200),
        ({"Origin": "http://[::1]:80"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Origin": "http://evil.example@localhost"}, 403),
        ({"Origin": "http://localhost@evil.example"}, 403),
        ({"Origin": "http://localhost", "origin": "http://evil.example"}, 403),
        ({"Origin": "ftp://localhost"}, 403),
        ({"Host": "evil.example@localhost"}, 403),
        ({"Host": "LOCALHOST:80"}, 200),
        ({"Accept": "Application/JSON, Text/Event-Stream"}, 200),
        ({"Accept": "application/json", "accept": "text/event-stream"}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Host": "evil.example:80"}, 403),
        ({"Host": "localhost"}, 200),
        ({"Accept": "application/json"}, 406),
        ({"Accept": "*/*"}, 200),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "Application/JSON; charset=utf-8"}, 200),
        ({"Mcp-Session-Id": "x", "Last-Event-ID": "y"}, 200),
    ],
)
def test_who_may_ask_and_how(served, headers, status):
    assert served.send(request("tools/list"), headers)[0] == status


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b'{"jsonrpc":"2.0","id":1', 400, -32700),
        (b"[]", 400, -32600),
        (request("nope"), 404, -32601),
        (request("tools/call", name="nope"), 400, -32602),
        (request("tools/list", _meta={}), 400, -32602),
        (request("tools/list", cursor=""), 400, -32602),
    ],
)
def test_errors_have_a_status(served, body, status, code):
    got, answer, _ = served.send(body)
    assert (got, answer["error"]["code"]) == (status, code)


def test_a_version_that_is_not_spoken(served):
    meta = {**META, "io.modelcontextprotocol/protocolVersion": "2999-01-01"}
    message = request("tools/list", _meta=meta)
    assert served.send(message)[1]["error"]["code"] == -32020  # the header says otherwise
    status, answer, _ = served.send(message, {"MCP-Protocol-Version": "2999-01-01"})
    assert (status, answer["error"]["code"]) == (400, -32022)


def test_a_body_that_is_too_large(served):
    assert served.send(b" " * 100_001)[0] == 413


@pytest.mark.parametrize(
    ("arguments", "header", "status"),
    [
        ({"region": "eu"}, "eu", 200),
        ({"region": "eu"}, "=?base64?ZXU=?=", 200),
        ({"region": "eu"}, "us", 400),
        ({"region": "eu"}, None, 400),
        ({"region": "eu"}, "=?base64?ZXU?=", 400),
        ({}, "eu", 400),
        ({"region": None}, None, 200),
    ],
)
def test_parameters_in_headers(served, arguments, header, status):
    message = request("tools/call", name="headed", arguments=arguments)
    got, answer, _ = served.send(message, {"Mcp-Param-Region": header})
    assert got == status
    if status == 400:
        assert answer["error"]["code"] == -32020
        assert answer["id"] == 1


def test_progress_makes_a_stream(served):
    message = request(
        "tools/call", name="slow", arguments={"steps": 3, "pause": 0}, _meta={**META, "progressToken": "t"}
    )
    connection, events = served.stream(message)
    *progress, answer = events
    connection.close()
    assert [event["params"]["progress"] for event in progress] == [0, 1, 2]
    assert answer["result"]["structuredContent"] == "done"


def cancelled(served):
    return served.send(request("tools/call", name="cancelled"))[1]["result"]["structuredContent"]


@pytest.mark.parametrize("streamed", [True, False])
def test_closing_the_connection_cancels_the_call(served, streamed):
    before = cancelled(served)
    meta = {**META, "progressToken": 1} if streamed else META
    message = request("tools/call", name="slow", arguments={"steps": 1000, "pause": 0.05}, _meta=meta)
    if streamed:
        connection, events = served.stream(message)
        next(events)
    else:
        connection = served.connect()
        connection.request("POST", "/mcp", json.dumps(message), headers_for(message, None))
        time.sleep(0.3)
    connection.close()
    deadline = time.monotonic() + 10
    while cancelled(served) == before:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_listening_and_a_graceful_stop():
    pytest.importorskip("starlette", reason="the example needs the extra http")
    with serving(SLOW_SERVER) as served:
        connection, events = served.stream(
            request("subscriptions/listen", "s", notifications={"toolsListChanged": True})
        )
        assert next(events)["method"] == "notifications/subscriptions/acknowledged"
        served.send(request("tools/call", name="switch"))
        assert next(events)["method"] == "notifications/tools/list_changed"
        started = time.monotonic()
        served.process.terminate()
        last = next(events)
        assert last["id"] == "s"
        assert last["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "s"
        connection.close()
        assert served.stop() < 5
        assert time.monotonic() - started < 8


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_waits_for_nobody_for_long(by, capfd):
    pytest.importorskip("starlette", reason="the example needs the extra http")
    with serving(SLOW_SERVER) as served:
        listening, events = served.stream(
            request("subscriptions/listen", "s", notifications={"toolsListChanged": True})
        )
        next(events)
        message = request("tools/call", name="sleep", arguments={"seconds": LIMIT_S})
        blocked = served.connect()
        blocked.request("POST", "/mcp", json.dumps(message), headers_for(message, None))
        served.send(request("tools/list"))
        assert served.stop(by) < 10  # 5 of them for the call that does not end
        assert next(events)["id"] == "s"
        for connection in (listening, blocked):
            connection.close()
    assert "KeyboardInterrupt" not in capfd.readouterr().err


def test_it_listens_on_the_loopback_address_only(served):
    with socket.socket() as connection:  # another address of this machine, where there is one
        connection.settimeout(1)
        assert connection.connect_ex(("127.0.0.2", served.port)) != 0


def test_streams_are_kept_open_and_unbuffered(served):
    meta = {**META, "progressToken": 1}
    message = request("tools/call", name="slow", arguments={"steps": 1, "pause": 0.5}, _meta=meta)
    connection = served.connect()
    connection.request("POST", "/mcp", json.dumps(message), headers_for(message, None))
    response = connection.getresponse()
    assert response.getheader("x-accel-buffering") == "no"
    lines = response.read().split(b"\n\n")
    connection.close()
    assert [line[:5] for line in (lines[0], lines[-2])] == [b"data:", b"data:"]
    assert lines[1:-2]
    assert set(lines[1:-2]) == {b": still here"}


def test_the_official_client(served):
    mcp = pytest.importorskip("mcp", reason="the official client needs the extra mcp")

    async def main():
        seen = []
        async with mcp.Client(served.url) as client:
            assert client.protocol_version == "2026-07-28"
            async with client.listen(tools_list_changed=True) as changes:
                names = [tool.name for tool in (await client.list_tools()).tools]
                await client.call_tool("switch", {})
                await changes.__anext__()
                after = [tool.name for tool in (await client.list_tools()).tools]
            assert set(names) ^ set(after) == {"extra"}

            async def progress(value, total, message):
                seen.append(value)

            done = await client.call_tool("slow", {"steps": 2, "pause": 0.01}, progress_callback=progress)
            headed = await client.call_tool("headed", {"region": "é ", "size": 5})
            wrong = await client.call_tool("slow", {"steps": 2})
            return done, headed, wrong, seen

    done, headed, wrong, seen = asyncio.run(asyncio.wait_for(main(), LIMIT_S))
    assert (done.structured_content, seen) == ("done", [0, 1])
    assert headed.structured_content == {"region": "é ", "size": 5}
    assert wrong.is_error
    assert "pause" in wrong.content[0].text


def test_the_example_itself():
    pytest.importorskip("starlette", reason="the example needs the extra http")
    mcp = pytest.importorskip("mcp", reason="the official client needs the extra mcp")

    async def main(url):
        async with mcp.Client(url) as client:
            good = await client.call_tool("forecast", {"city": "Oslo", "days": 2})
            bad = await client.call_tool("forecast", {"city": "Oslo", "days": "2"})
            told = await client.call_tool("forecast", {"city": "Atlantis"})
            return good, bad, told

    with serving(EXAMPLES / "http_service.py") as served:
        good, bad, told = asyncio.run(asyncio.wait_for(main(served.url), LIMIT_S))
        assert served.stop() < 5
    assert good.structured_content == ["sunny", "sunny"]
    assert "/days" in bad.content[0].text
    assert "Atlantis" in told.content[0].text


# The part that needs no server ------------------------------------------------------------------


def headers(**changes):
    given = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "mcp-name": "tool"}
    given |= {name.replace("_", "-"): value for name, value in changes.items()}
    return {name: value for name, value in given.items() if value is not None}


@pytest.mark.parametrize(
    ("given", "agrees"),
    [
        (headers(), True),
        ([(name.encode(), value.encode()) for name, value in headers().items()], True),
        (headers(**{"Mcp-Method": " tools/call\t"}), True),
        (headers(**{"Mcp-Method": "Tools/call"}), False),
        (headers(**{"Mcp-Method": None}), False),
        (headers(**{"MCP-Protocol-Version": "2025-11-25"}), False),
        (headers(**{"MCP-Protocol-Version": None}), False),
        (headers(**{"mcp-name": "Tool"}), False),
        (headers(**{"mcp-name": None}), False),
        (headers(**{"mcp-name": "=?base64?dG9vbA==?="}), True),
        (headers(**{"mcp-name": "=?base64?dG9vbA?="}), False),
        (headers(**{"Mcp-Method": "=?base64?dG9vbHMvY2FsbA==?="}), False),
        (headers(**{"MCP-Protocol-Version": "=?base64?MjAyNi0wNy0yOA==?="}), False),
        ([*headers().items(), ("MCP-NAME", "tool")], False),
        ([*headers().items(), ("mcp-method", "tools/list")], False),
        ({}, False),
    ],
)
def test_standard_headers(given, agrees):
    service = ToolService()
    ran = []
    service.add(define(), ran.append)
    error = check_headers(service, request("tools/call", name="tool"), given)
    assert (error is None) is agrees
    if error is not None:
        assert error.code == -32020
        assert len(str(error)) < 400
    assert ran == []


@pytest.mark.parametrize(("method", "member"), [("prompts/get", "name"), ("resources/read", "uri")])
def test_whoever_answers_more_methods_has_their_names_checked(method, member):
    message = request(method, **{member: "a"})
    for name, agrees in (("a", True), ("b", False), (None, False)):
        given = headers(**{"Mcp-Method": method, "mcp-name": name})
        assert (check_headers(ToolService(), message, given) is None) is agrees


def test_parameters_in_headers_are_a_matter_of_this_revision():
    schema = {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "A"}}}
    service = ToolService()
    service.add(define("tool", schema), dict)
    for version, agrees in (("2026-07-28", False), ("2025-11-25", True)):
        meta = {**META, "io.modelcontextprotocol/protocolVersion": version}
        message = request("tools/call", name="tool", arguments={"a": "x"}, _meta=meta)
        given = headers(**{"MCP-Protocol-Version": version})
        assert (check_headers(service, message, given) is None) is agrees


def test_messages_that_are_malformed_are_judged_by_what_is_wrong_with_them():
    service = ToolService()
    for message in (None, [], {}, {"id": 1}, {"id": 1, "params": {}}, {"jsonrpc": "2.0", "method": "x"}):
        assert check_headers(service, message, {}) is None
    assert asyncio.run(handle_post(service, b"{", {}))[0] == 400


def test_hidden_tools_are_not_betrayed_by_their_headers():
    schema = {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "A"}}}
    service = ToolService(visible=lambda tool, who: who == "ada")
    service.add(define("tool", schema), lambda _: 1)
    message = request("tools/call", name="tool", arguments={"a": "x"})
    assert check_headers(service, message, headers(), authorization="ada").code == -32020
    assert check_headers(service, message, headers(), authorization="bob") is None
