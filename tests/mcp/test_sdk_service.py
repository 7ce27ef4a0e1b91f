"""A tool service on the official SDK: in process, over stdio, and over HTTP, for clients of two revisions."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from asgi import ask
from served import ENVIRONMENT, EXAMPLES, LIMIT_S, headers_for, serving
from services import META, define, request

mcp = pytest.importorskip("mcp", reason="needs the extra mcp")

import anyio  # noqa: E402
from mcp.client.stdio import StdioServerParameters  # noqa: E402
from mcp.server.auth.middleware.auth_context import auth_context_var  # noqa: E402
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser  # noqa: E402
from mcp.server.auth.provider import AccessToken  # noqa: E402
from mcp.shared.exceptions import MCPError  # noqa: E402

from schemafuse.mcp import ProtocolError, ToolError, ToolService  # noqa: E402
from schemafuse.mcp.sdk import as_server  # noqa: E402

EXAMPLE = EXAMPLES / "sdk_service.py"
MODES = ["auto", "legacy"]


def run(awaitable):
    async def within():
        return await asyncio.wait_for(awaitable, LIMIT_S)

    return asyncio.run(within())


def with_client(service, use, **options):
    """Return what `use(client)` returns, with a client of the service in this process."""

    async def main():
        async with mcp.Client(as_server(service), **options) as client:
            return await use(client)

    return run(main())


def service_with(**handlers):
    service = ToolService(name="test", version="1.2", title="Test", instructions="Ask.", page_size=2, ttl_ms=5_000)
    for name, handler in handlers.items():
        service.add(define(name, description=name), handler)
    return service


# In process ---------------------------------------------------------------------------------------


def test_lists_have_pages_and_hints():
    async def use(client):
        first = await client.list_tools()
        second = await client.list_tools(cursor=first.next_cursor)
        with pytest.raises(MCPError) as caught:
            await client.list_tools(cursor="made-up")
        return first, second, caught.value.code

    first, second, code = with_client(service_with(a=dict, b=dict, c=dict), use)
    assert [tool.name for tool in [*first.tools, *second.tools]] == ["a", "b", "c"]
    assert (first.ttl_ms, first.cache_scope, second.next_cursor, code) == (5_000, "public", None, -32602)


@pytest.mark.parametrize("mode", MODES)
def test_calls(mode):
    service = service_with(echo=lambda arguments: arguments, boom=lambda _: 1 / 0)
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    service.add(define("typed", schema, outputSchema={"type": "object", "required": ["n"]}), lambda a: {"n": a["n"]})

    async def use(client):
        with pytest.raises(MCPError) as caught:
            await client.call_tool("nope", {})
        assert caught.value.code == -32602
        return [
            await client.call_tool("echo", {"a": [1, None]}),
            await client.call_tool("echo"),
            await client.call_tool("typed", {"n": 5}),
            await client.call_tool("typed", {"n": "5"}),
            await client.call_tool("boom", {}),
        ]

    echo, absent, typed, wrong, boom = with_client(service, use, mode=mode)
    assert echo.structured_content == {"a": [1, None]}
    assert absent.structured_content == {}
    assert typed.structured_content == {"n": 5}
    assert wrong.is_error
    assert "/n" in wrong.content[0].text
    assert boom.is_error
    assert "internal error" in boom.content[0].text


def test_clients_of_earlier_revisions_get_what_they_can_read():
    service = service_with(ask=lambda _: {"resultType": "input_required", "requestState": "s"})
    service.add(define("list", outputSchema={"type": "array"}), lambda _: [1, 2])

    async def use(client):
        tools = (await client.list_tools()).tools
        return tools, await client.call_tool("list", {}), await client.call_tool("ask", {})

    tools, result, ask = with_client(service, use, mode="legacy")
    assert [(tool.name, tool.output_schema) for tool in tools] == [("ask", None), ("list", None)]
    assert (result.structured_content, result.content[0].text) == (None, "[1,2]")
    assert ask.is_error


@pytest.mark.parametrize("mode", MODES)
def test_progress_and_capabilities(mode):
    async def work(arguments, call):
        await call.report_progress(1, 2, "half")
        return {"sampling": call.declares("sampling"), "who": call.authorization}

    async def answer(context, params):
        raise AssertionError

    async def use(client):
        seen = []

        async def progress(*report):
            seen.append(report)

        result = await client.call_tool("work", {}, progress_callback=progress)
        await asyncio.sleep(0.05)
        return result.structured_content, seen

    result, seen = with_client(service_with(work=work), use, mode=mode, sampling_callback=answer)
    assert result == {"sampling": True, "who": None}
    assert seen == [(1, 2, "half")]


def test_input_is_asked_for_and_given():
    question = {
        "method": "elicitation/create",
        "params": {"message": "Name?", "requestedSchema": {"type": "object", "properties": {}}},
    }

    def greet(arguments, call):
        if "name" not in call.input_responses:
            return {"resultType": "input_required", "inputRequests": {"name": question}, "requestState": "s"}
        assert call.request_state == "s"
        return f"Hello, {call.input_responses['name']['content']['name']}!"

    async def answer(context, params):
        from mcp_types import ElicitResult

        return ElicitResult(action="accept", content={"name": "Ada"})

    async def use(client):
        return await client.call_tool("greet", {})

    async def refused(client):
        with pytest.raises(MCPError) as caught:
            await client.call_tool("greet", {})
        return caught.value

    assert with_client(service_with(greet=greet), use, elicitation_callback=answer).structured_content == "Hello, Ada!"
    error = with_client(service_with(greet=greet), refused)
    assert (error.code, error.data) == (-32021, {"requiredCapabilities": {"elicitation": {}}})


def test_errors_of_handlers():
    def fail(error):
        def handler(arguments):
            raise error

        return handler

    service = service_with(told=fail(ToolError("Try b.")), refused=fail(ProtocolError(-32602, "no", {"a": 1})))

    async def use(client):
        with pytest.raises(MCPError) as caught:
            await client.call_tool("refused", {})
        return await client.call_tool("told", {}), caught.value

    told, refused = with_client(service, use)
    assert (told.is_error, told.content[0].text) == (True, "Try b.")
    assert (refused.code, refused.message, refused.data) == (-32602, "no", {"a": 1})


def test_who_asks_decides_what_is_there():
    service = ToolService(visible=lambda tool, who: who == "ada")
    service.add(define("hers"), lambda arguments, call: call.authorization)

    async def use(client):
        page = await client.list_tools()
        return [tool.name for tool in page.tools], page.cache_scope

    async def main(who):
        async with mcp.Client(as_server(service, authorization=lambda context: who)) as client:
            names = await use(client)
            try:
                return names, (await client.call_tool("hers", {})).structured_content
            except MCPError as error:
                return names, error.code

    assert run(main("ada")) == ((["hers"], "private"), "ada")
    assert run(main("bob")) == (([], "private"), -32602)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("error", [ValueError, asyncio.CancelledError, None])
def test_a_failing_authorization_tells_clients_nothing(mode, error, caplog):
    def authorization(context):
        if error is None:
            return asyncio.get_running_loop().create_future()  # as an async function would return
        raise error("secret")

    async def main():
        async with mcp.Client(as_server(service_with(a=dict), authorization=authorization), mode=mode) as client:
            for request in (client.list_tools, lambda: client.call_tool("a", {})):
                with pytest.raises(MCPError) as caught:
                    await request()
                assert (caught.value.code, caught.value.data) == (-32603, None)
                assert "secret" not in caught.value.message
                reference = caught.value.message.split()[-1]
                assert reference in caplog.records[-1].getMessage()

    run(main())


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("error", [ProtocolError(-32000, "sign in", {"a": 1}), MCPError(-32000, "sign in", {"a": 1})])
def test_an_authorization_can_refuse(mode, error):
    def authorization(context):
        raise error

    async def main():
        async with mcp.Client(as_server(service_with(a=dict), authorization=authorization), mode=mode) as client:
            for request in (client.list_tools, lambda: client.call_tool("a", {})):
                with pytest.raises(MCPError) as caught:
                    await request()
                assert (caught.value.code, caught.value.message, caught.value.data) == (-32000, "sign in", {"a": 1})

    run(main())


async def nobody(context):
    return None


@pytest.mark.parametrize("authorization", ["ada", nobody])
def test_authorization_is_a_plain_function(authorization):
    with pytest.raises(TypeError, match="plain function"):
        as_server(service_with(a=dict), authorization=authorization)


@contextlib.contextmanager
def signed_in(who):
    """Have everything inside asked with an access token, as the SDK has it after its own check."""
    token = auth_context_var.set(AuthenticatedUser(AccessToken(token="t", client_id="c", scopes=[], subject=who)))
    try:
        yield
    finally:
        auth_context_var.reset(token)


@pytest.mark.parametrize("mode", MODES)
def test_by_default_who_asks_is_the_access_token_of_the_sdk(mode):
    service = ToolService(visible=lambda tool, who: who is not None and who.subject == "ada")
    service.add(define("hers"), lambda arguments, call: call.authorization.subject)

    async def use(client):
        names = [tool.name for tool in (await client.list_tools()).tools]
        try:
            return names, (await client.call_tool("hers", {})).content[0].text
        except MCPError as error:
            return names, error.code

    with signed_in("ada"):
        assert with_client(service, use, mode=mode) == (["hers"], '"ada"')
    with signed_in("bob"):
        assert with_client(service, use, mode=mode) == ([], -32602)


@pytest.mark.parametrize("mode", MODES)
def test_changes_are_told(mode):
    service = service_with(a=dict)
    handle = service.add(define("b"), dict)

    async def use(client):
        await client.list_tools()
        if mode == "auto":
            async with client.listen(tools_list_changed=True) as changes:
                handle.disable()
                event = type(await changes.__anext__()).__name__
                await client.list_tools()
                service.close()
                assert [event async for event in changes] == []  # ended, not lost
                return event
        handle.disable()
        handle.enable()
        for _ in range(200):
            if notes:
                break
            await asyncio.sleep(0.01)
        return notes

    notes = []

    async def note(message):
        notes.append(getattr(message, "method", message))

    told = with_client(service, use, mode=mode, message_handler=note)
    assert told == ("ToolsListChanged" if mode == "auto" else ["notifications/tools/list_changed"])


def test_a_change_is_told_once_however_many_are_connected():
    service = service_with(a=dict)
    handle = service.add(define("b"), dict)
    server = as_server(service)

    async def listen(client, events):
        async with client.listen(tools_list_changed=True) as changes:
            async for event in changes:
                events.append(event)

    async def main():
        async with contextlib.AsyncExitStack() as stack:
            seen = [[] for _ in range(3)]
            notes = []

            async def note(message):
                notes.append(message)

            for events in seen:
                client = await stack.enter_async_context(mcp.Client(server))
                stack.push_async_callback(asyncio.gather, asyncio.create_task(listen(client, events)))
            await stack.enter_async_context(mcp.Client(server, mode="legacy", message_handler=note))
            await asyncio.sleep(0.2)
            handle.disable()
            await asyncio.sleep(0.3)
            service.close()  # ends the streams, which the stack waits for
            return [len(events) for events in (*seen, notes)]

    assert run(main()) == [1, 1, 1, 1]
    assert service.streams == set()
    handle.enable()  # nobody is left to be told


@pytest.mark.parametrize("mode", MODES)
def test_limits_of_handlers_that_use_anyio(mode):
    async def group(arguments):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(anyio.sleep, 60)
            await anyio.sleep(60)

    async def move_on(arguments):
        with anyio.move_on_after(0.01):
            await anyio.sleep(60)
        return "moved on"

    service = ToolService(call_timeout_s=0.1)
    for handler in (group, move_on):
        service.add(define(handler.__name__), handler)

    async def use(client):
        texts = [(await client.call_tool(name, {})).content[0].text for name in ("group", "move_on", "group")]
        with anyio.move_on_after(0.02) as scope:
            await service.call_tool("group", {})
        return texts, scope.cancelled_caught

    (late, moved, again), caught = with_client(service, use, mode=mode)
    assert ("did not finish" in late, moved, "did not finish" in again) == (True, '"moved on"', True)
    assert caught is True


def test_servers_that_never_ran_leave_nothing_behind():
    service = service_with(a=dict)
    for _ in range(3):
        as_server(service)
    assert service.streams == set()


def test_half_a_surrogate_pair_is_refused_over_the_sdk():
    seen = []
    service = service_with(a=seen.append)
    server = as_server(service)
    context = SimpleNamespace(
        params={"name": "a", "arguments": {"x": "\ud800"}},
        request=None,
        protocol_version=META["io.modelcontextprotocol/protocolVersion"],
        session=SimpleNamespace(client_capabilities=None, report_progress=None),
    )
    result = run(server._call_tool(context, SimpleNamespace(name="a")))
    assert "lone surrogate" in result["content"][0]["text"]
    assert seen == []


def test_sessions_that_have_ended_are_forgotten():
    service = service_with(a=dict)
    server = as_server(service)

    async def main():
        for _ in range(3):
            async with mcp.Client(server, mode="legacy") as client:
                await client.list_tools()
                assert len(server._sessions) == 1

    run(main())
    assert len(server._sessions) == 0


class Peer:
    """A connection of the SDK whose client may read or not."""

    def __init__(self):
        self.told = 0
        self.reads = asyncio.Event()
        self.exit_stack = contextlib.AsyncExitStack()

    async def notify(self, method, params):
        assert method == "notifications/tools/list_changed"
        await self.reads.wait()
        self.told += 1


def context_of(peer):
    return SimpleNamespace(session=SimpleNamespace(_connection=peer))


def test_a_session_that_does_not_read_holds_up_no_other():
    async def main():
        service = service_with(a=dict)
        server = as_server(service)
        peers = [Peer() for _ in range(4)]
        for peer in peers:
            await server._remember(context_of(peer), None)
        silent, *others = peers
        for peer in others:
            peer.reads.set()
        handle = service.get("a")
        async with server.publishing():
            before = len(asyncio.all_tasks())
            for change in (handle.disable, handle.enable) * 3:
                change()
                for _ in range(5):
                    await asyncio.sleep(0)
                await server._remember(context_of(silent), None)  # a client may say more than once that it is there
            tasks = len(asyncio.all_tasks()) - before
            told = [peer.told for peer in peers]
            silent.reads.set()
            await asyncio.sleep(0.01)
            after = silent.told
            silent.reads.clear()
            handle.disable()
            await asyncio.sleep(0.01)
            for peer in peers:
                await peer.exit_stack.aclose()
            await asyncio.sleep(0.01)
            return told, tasks, after, len(asyncio.all_tasks()) - before, server._sessions

    # What a client did not read in time is told once, later; what waits for it ends with its session.
    assert run(main()) == ([0, 6, 6, 6], 1, 2, 0, {})


def test_a_session_that_fails_is_no_end_of_it(caplog):
    class Broken(Peer):
        async def notify(self, method, params):
            self.told += 1
            raise OSError

    async def main():
        service = service_with(a=dict)
        server = as_server(service)
        peer = Broken()
        await server._remember(context_of(peer), None)
        async with server.publishing():
            for change in (service.get("a").disable, service.get("a").enable):
                change()
                await asyncio.sleep(0.01)
        return peer.told

    assert run(main()) == 2
    assert "could not be told" in caplog.text


def test_capabilities_by_revision():
    service = service_with(a=dict)

    async def use(client):
        return client.server_capabilities.tools.list_changed, client.server_info, client.instructions

    for mode in MODES:
        changed, info, instructions = with_client(service, use, mode=mode)
        assert changed is True
        assert (info.name, info.version, info.title, instructions) == ("test", "1.2", "Test", "Ask.")


# Over stdio and HTTP ------------------------------------------------------------------------------


async def follow_the_flag(client, flag):
    """Switch a tool on and off by the flag while a client listens; return the lists it sees."""
    lists = [sorted(tool.name for tool in (await client.list_tools()).tools)]
    async with client.listen(tools_list_changed=True) as changes:
        flag.touch()
        await changes.__anext__()
        lists.append(sorted(tool.name for tool in (await client.list_tools()).tools))
        found = await client.call_tool("beta_search", {"words": "budgets"})
        flag.unlink()
        await changes.__anext__()
        lists.append(sorted(tool.name for tool in (await client.list_tools()).tools))
    with pytest.raises(MCPError):
        await client.call_tool("beta_search", {"words": "budgets"})
    wrong = await client.call_tool("read", {"key": "c"})
    return lists, found.structured_content, wrong.content[0].text


def check_what_was_seen(seen):
    lists, found, text = seen
    assert lists == [["read"], ["beta_search", "read"], ["read"]]
    assert found == ["b"]
    assert "/key" in text


def test_stdio(tmp_path):
    flag = tmp_path / "flag"
    command = [str(EXAMPLE), "--flag", str(flag)]

    async def main():
        parameters = StdioServerParameters(command=sys.executable, args=command, env=ENVIRONMENT)
        async with mcp.Client(parameters) as client:
            return await follow_the_flag(client, flag)

    check_what_was_seen(run(main()))


def test_ctrl_c_over_stdio_is_nothing_to_report(tmp_path):
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command = [sys.executable, EXAMPLE, "--flag", tmp_path / "flag"]
    with subprocess.Popen(command, **pipes, env={**os.environ, **ENVIRONMENT}) as process:
        process.stdin.write(json.dumps(request("tools/list")).encode() + b"\n")
        process.stdin.flush()
        assert b'"read"' in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=LIMIT_S)  # closes stdin, in which the SDK reads to the end
    assert (process.returncode, complaints) == (0, b"")


def test_stdio_for_clients_of_the_revision_before(tmp_path):
    flag = tmp_path / "flag"
    noted = asyncio.Event()

    async def note(message):
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            noted.set()

    async def main():
        command = [str(EXAMPLE), "--flag", str(flag)]
        parameters = StdioServerParameters(command=sys.executable, args=command, env=ENVIRONMENT)
        async with mcp.Client(parameters, mode="legacy", message_handler=note) as client:
            before = len((await client.list_tools()).tools)
            flag.touch()
            await noted.wait()
            return before, len((await client.list_tools()).tools)

    assert run(main()) == (1, 2)


def test_http_and_a_graceful_stop(tmp_path):
    pytest.importorskip("uvicorn", reason="serving HTTP needs uvicorn, which the extra mcp brings")
    flag = tmp_path / "flag"

    async def main(served):
        async with mcp.Client(served.url) as client:
            seen = await follow_the_flag(client, flag)
            async with client.listen(tools_list_changed=True) as changes:
                served.process.terminate()
                assert [event async for event in changes] == []
            return seen

    with serving(EXAMPLE, "--flag", flag) as served:
        check_what_was_seen(run(main(served)))
        started = time.monotonic()
        served.stop()
        assert time.monotonic() - started < 8


def test_headers_and_sites_over_http(tmp_path):
    pytest.importorskip("uvicorn", reason="serving HTTP needs uvicorn, which the extra mcp brings")
    with serving(EXAMPLE, "--flag", tmp_path / "flag") as served:
        message = request("tools/call", name="read", arguments={"key": "a"})
        assert served.send(message)[1]["result"]["structuredContent"] == {"text": "schemas are programs"}
        for arguments in (None, [], "{}"):
            refused = served.send(request("tools/call", name="read", arguments=arguments))
            assert refused[1]["error"]["code"] == -32602
        assert served.send(message, {"Mcp-Name": "other"})[0] == 400
        assert served.send(message, {"Origin": "http://evil.example"})[0] == 403
        meta = {**META, "io.modelcontextprotocol/protocolVersion": "2026-07-28"}
        assert served.send(request("nope", _meta=meta))[0] == 404
        discovered = served.send(request("server/discover"))[1]["result"]
        assert (discovered["ttlMs"], discovered["cacheScope"]) == (300_000, "public")
        with socket.socket() as connection:  # another address of this machine, where there is one
            connection.settimeout(1)
            assert connection.connect_ex(("127.0.0.2", served.port)) != 0
        assert served.stop(signal.SIGINT) < 8


@pytest.mark.parametrize("authorization", [None, lambda context: "ada"])
def test_header_parameters_are_checked_however_many_tools_are_listed(authorization):
    schema = {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "A"}}}
    who = authorization and authorization(None)
    service = ToolService(page_size=1, visible=lambda tool, asking: asking == who)
    for number in range(120):  # the SDK looks through 100 pages of a list, then lets calls pass
        service.add(define(f"a{number:03}"), dict)
    seen = []
    service.add(define("headed", schema), seen.append)

    async def main():
        message = request("tools/call", name="headed", arguments={"a": "x"})
        app = as_server(service, authorization=authorization).streamable_http_app()
        answers = []
        async with app.router.lifespan_context(app):
            for given in ("y", None, "x"):
                headers = headers_for(message, {"Mcp-Param-A": given, "Host": "127.0.0.1:8000"})
                answers.append(await ask(app, json.dumps(message).encode(), list(headers.items())))
        return answers

    wrong, missing, right = run(main())
    for status, _, body in (wrong, missing):
        assert (status, json.loads(body)["error"]["code"]) == (400, -32020)
    assert (right[0], seen) == (200, [{"a": "x"}])
