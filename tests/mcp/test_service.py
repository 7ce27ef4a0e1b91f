"""Tools added, changed, found and called; what handlers are given."""

import asyncio
import contextvars
import copy
import enum
import functools
import json
import threading

import pytest
from services import ANYTHING, define, request, run, text_of

from schemafuse import Limits
from schemafuse.mcp import Call, ProtocolError, ToolDefinitionError, ToolError, ToolService

WEATHER = define(
    "weather",
    {
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 2},
            "days": {"type": "integer", "minimum": 1},
            "on": {"type": "string", "format": "date"},
        },
        "required": ["city"],
        "additionalProperties": False,
    },
    outputSchema={"type": "object", "properties": {"temp": {"type": "number"}}, "required": ["temp"]},
)


def call(handler, arguments=None, definition=None, **options):
    service = ToolService()
    service.add(definition or define(), handler, **options)
    name = (definition or define())["name"]
    return run(service.call_tool(name, {} if arguments is None else arguments))


class Word(str):
    """Equal to what it holds, and says otherwise."""

    __slots__ = ()

    def __eq__(self, other):
        return False

    def __hash__(self):
        return 0


class Name(str, enum.Enum):
    TOOL = "tool"


@pytest.mark.parametrize("name", [Word("tool"), Name.TOOL])
def test_a_name_may_be_any_kind_of_string(name):
    service = ToolService()
    service.add(define("tool"), lambda _: 1)
    assert run(service.call_tool(name))["structuredContent"] == 1


# Handlers -----------------------------------------------------------------------------------------


async def give(arguments):
    await asyncio.sleep(0)
    return arguments


class Callable:
    async def __call__(self, arguments):
        return arguments


class Methods:
    def plain(self, arguments):
        return arguments

    async def coroutine(self, arguments, call):
        return arguments


@pytest.mark.parametrize(
    "handler",
    [
        lambda arguments: arguments,
        give,
        lambda arguments: give(arguments),
        functools.partial(give),
        Callable(),
        Methods().plain,
        Methods().coroutine,
        lambda *arguments: arguments[0],
        lambda arguments, other=None: arguments,
        dict,
    ],
)
def test_any_kind_of_handler(handler):
    assert call(handler, {"a": [1]})["structuredContent"] == {"a": [1]}


@pytest.mark.parametrize(
    "handler", [None, 5, lambda: 1, lambda a, b, c: 1, lambda *, arguments: 1, lambda arguments, *, more: 1]
)
def test_what_is_no_handler(handler):
    with pytest.raises(TypeError):
        ToolService().add(define(), handler)


def test_a_handler_must_not_yield():
    def generator(arguments):
        yield 1

    async def async_generator(arguments):
        yield 1

    for handler in (generator, async_generator):
        with pytest.raises(TypeError, match="not yield"):
            ToolService().add(define(), handler)


def test_the_call_is_given_to_those_who_take_it():
    seen = []

    def handler(arguments, call):
        seen.append(call)

    service = ToolService()
    service.add(define(), handler)
    run(service.call_tool("tool", {}, authorization="ada"))
    assert isinstance(seen[0], Call)
    assert seen[0].authorization == "ada"
    assert seen[0].client_capabilities is None
    assert not seen[0].declares("sampling")


def test_blocking_runs_in_a_thread_with_the_context():
    variable = contextvars.ContextVar("variable", default="none")

    def handler(arguments):
        return [threading.current_thread() is threading.main_thread(), variable.get()]

    async def main():
        service = ToolService()
        service.add(define(), handler, blocking=True)
        variable.set("set")
        return await service.call_tool("tool")

    assert run(main())["structuredContent"] == [False, "set"]


def test_an_async_handler_cannot_block():
    with pytest.raises(TypeError, match="blocking"):
        ToolService().add(define(), give, blocking=True)
    service = ToolService()
    handle = service.add(define(), lambda _: "old", blocking=True)
    with pytest.raises(TypeError, match="blocking"):
        handle.update(handler=give)
    assert run(service.call_tool("tool"))["structuredContent"] == "old"


# Arguments ----------------------------------------------------------------------------------------


def test_absent_arguments_are_an_empty_object():
    service = ToolService()
    service.add(define(), lambda arguments: arguments)
    assert run(service.call_tool("tool"))["structuredContent"] == {}


@pytest.mark.parametrize("arguments", [None, [], "{}", 5, True])
def test_arguments_that_are_no_object_are_a_malformed_request(arguments):
    service = ToolService()
    service.add(define(), lambda arguments: 1 / 0)
    with pytest.raises(ProtocolError) as caught:
        run(service.call_tool("tool", arguments))
    assert caught.value.code == -32602


def test_invalid_arguments_never_reach_the_handler():
    result = call(lambda arguments: 1 / 0, {"city": "x", "dayz": 1}, WEATHER)
    assert result["isError"] is True
    assert "structuredContent" not in result
    assert "/city" in text_of(result)
    assert "dayz" in text_of(result)


def test_arguments_that_cost_too_much_never_reach_the_handler():
    service = ToolService(limits=Limits(max_steps=10))
    service.add(define(schema={"type": "object", "additionalProperties": {"type": "integer"}}), lambda a: 1 / 0)
    result = run(service.call_tool("tool", {str(n): n for n in range(100)}))
    assert result["isError"] is True


def test_formats_are_asserted_in_arguments_unless_told_otherwise():
    assert call(lambda a: {"temp": 1}, {"city": "Oslo", "on": "tomorrow"}, WEATHER)["isError"] is True
    service = ToolService(assert_formats=False)
    service.add(WEATHER, lambda a: {"temp": 1})
    assert run(service.call_tool("weather", {"city": "Oslo", "on": "tomorrow"}))["isError"] is False


def test_formats_are_never_asserted_in_results():
    definition = define(outputSchema={"type": "string", "format": "date"})
    assert call(lambda a: "tomorrow", definition=definition)["isError"] is False


def test_repair_applies_what_is_unambiguous_to_a_copy():
    given = {"city": "Oslo", "days": "3"}
    kept = copy.deepcopy(given)
    seen = []

    def handler(arguments):
        seen.append(arguments)
        return {"temp": 1}

    assert call(handler, given, WEATHER, mode="repair")["isError"] is False
    assert seen == [{"city": "Oslo", "days": 3}]
    assert given == kept
    refused = call(handler, {"city": 5.5, "days": []}, WEATHER, mode="repair")
    assert refused == call(handler, {"city": 5.5, "days": []}, WEATHER)
    assert len(seen) == 1


def test_an_unknown_mode_is_refused():
    with pytest.raises(ValueError, match="mode"):
        ToolService().add(define(), give, mode="lax")


# Names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["nope", "Tool", "tool\n", "", "\ud800", None, 5, ["tool"], {}])
def test_an_unknown_tool_is_a_protocol_error(name):
    service = ToolService()
    service.add(define(), give)
    with pytest.raises(ProtocolError) as caught:
        run(service.call_tool(name, {}))
    assert caught.value.code == -32602
    str(caught.value).encode("utf-8")
    assert len(str(caught.value)) < 200


def test_a_name_is_taken_once():
    service = ToolService()
    service.add(define(), give)
    with pytest.raises(ValueError, match="already"):
        service.add(define(), give)


def test_a_bad_definition_is_refused():
    with pytest.raises(ToolDefinitionError):
        ToolService().add({"name": "tool", "inputSchema": {"type": "string"}}, give)


def test_a_definition_changed_afterwards_changes_nothing():
    definition = copy.deepcopy(WEATHER)
    service = ToolService()
    service.add(definition, lambda a: {"temp": 1})
    definition["inputSchema"]["required"] = ["nothing"]
    page = run(service.list_tools())
    assert page["tools"] == [WEATHER]
    page["tools"][0]["name"] = "other"
    assert run(service.list_tools())["tools"] == [WEATHER]


def test_the_decorator_leaves_the_function_as_it_is():
    service = ToolService()

    @service.tool(define())
    def handler(arguments):
        return 1

    assert handler({}) == 1
    assert run(service.call_tool("tool"))["structuredContent"] == 1


def test_a_handle_can_be_had_later():
    service = ToolService()
    service.tool(define())(lambda arguments: 1)
    service.get("tool").disable()
    assert not service.get("tool").enabled
    with pytest.raises(LookupError):
        service.get("nope")


# Handles ------------------------------------------------------------------------------------------


def listed(service):
    return [tool["name"] for tool in run(service.list_tools())["tools"]]


def test_a_disabled_tool_does_not_exist_for_clients():
    service = ToolService()
    handle = service.add(define(), give)
    handle.disable()
    assert listed(service) == []
    assert not handle.enabled
    with pytest.raises(ProtocolError, match='Unknown tool: "tool"'):
        run(service.call_tool("tool"))
    handle.enable()
    assert listed(service) == ["tool"]
    assert run(service.call_tool("tool"))["isError"] is False


def test_update_replaces_definition_and_handler():
    service = ToolService()
    handle = service.add(define(), lambda a: 1)
    handle.update(handler=lambda a, call: 2)
    assert run(service.call_tool("tool"))["structuredContent"] == 2
    handle.update(definition=define(outputSchema={"type": "string"}), handler=give)
    assert run(service.call_tool("tool"))["isError"] is True
    assert handle.tool.output is not None


def test_an_update_that_is_refused_changes_nothing():
    service = ToolService()
    handle = service.add(define(), lambda a: 1)
    with pytest.raises(ToolDefinitionError):
        handle.update(definition={"name": "tool", "inputSchema": 5}, handler=lambda a: 2)
    with pytest.raises(ValueError, match="named"):
        handle.update(definition=define("other"), handler=lambda a: 2)
    with pytest.raises(TypeError):
        handle.update(definition=define(title="new"), handler=5)
    assert run(service.call_tool("tool"))["structuredContent"] == 1
    assert run(service.list_tools())["tools"] == [define()]


def test_a_handle_has_no_power_over_a_later_tool_of_that_name():
    service = ToolService()
    first = service.add(define(), lambda a: 1)
    first.remove()
    first.remove()
    service.add(define(), lambda a: 2)
    for change in (first.enable, first.disable, lambda: first.update(handler=give)):
        with pytest.raises(LookupError):
            change()
    first.remove()
    assert first.tool is None
    assert not first.enabled
    assert run(service.call_tool("tool"))["structuredContent"] == 2


def test_a_call_in_flight_ends_as_it_began():
    async def main():
        service = ToolService()
        started, go_on = asyncio.Event(), asyncio.Event()

        async def slow(arguments):
            started.set()
            await go_on.wait()
            return 1

        handle = service.add(define(outputSchema={"type": "integer"}), slow)
        call = asyncio.create_task(service.call_tool("tool"))
        await started.wait()
        handle.update(definition=define(outputSchema={"type": "string"}), handler=lambda a: "new")
        new = await service.call_tool("tool")
        handle.remove()
        go_on.set()
        return (await call)["structuredContent"], new["structuredContent"]

    assert run(main()) == (1, "new")


# The service itself -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"page_size": 0}, ValueError),
        ({"page_size": 1.5}, TypeError),
        ({"page_size": True}, TypeError),
        ({"ttl_ms": -1}, ValueError),
        ({"cache_scope": "shared"}, ValueError),
        ({"limits": None}, TypeError),
        ({"name": None}, TypeError),
        ({"version": 1}, TypeError),
        ({"call_timeout_s": 0}, ValueError),
        ({"call_timeout_s": float("inf")}, ValueError),
        ({"call_timeout_s": "5"}, TypeError),
        ({"max_concurrent_calls": 0}, ValueError),
        ({"max_message_bytes": 0}, ValueError),
        ({"max_message_depth": None}, TypeError),
    ],
)
def test_options_out_of_range(options, error):
    with pytest.raises(error):
        ToolService(**options)


def test_tool_error_is_exported_for_handlers():
    def handler(arguments):
        raise ToolError("Ask for something else.")

    assert text_of(call(handler)) == "Ask for something else."
    assert ANYTHING == {"type": "object"}


# Arguments that are no text -----------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["strict", "repair"])
@pytest.mark.parametrize(
    "arguments", [{"x": "\ud800"}, {"a": [{"\udfff": 1}]}, {"x": float("nan")}, {"x": {1}}, {1: 2}]
)
def test_no_handler_sees_what_json_cannot_carry(arguments, mode):
    service = ToolService()
    seen = []
    service.add(define(), seen.append, mode=mode)
    result = run(service.call_tool("tool", arguments))
    assert "The arguments are not valid" in text_of(result)
    assert seen == []
    if "\ud800" in arguments.values():
        assert "/x" in text_of(result)
        assert "lone surrogate" in text_of(result)


# Options ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"name": "\ud800"},
        {"version": 5},
        {"title": "\udfff"},
        {"instructions": 5},
        {"instructions": "\ud800"},
        {"visible": 5},
        {"visible": give},
        {"assert_formats": "no"},
        {"cache_scope": "everybody"},
        {"resources": []},
        {"limits": None},
        {"max_message_depth": 513},
        {"max_message_depth": 0},
        {"page_size": 0},
        {"call_timeout_s": float("nan")},
    ],
)
def test_options_that_cannot_be_meant(options):
    with pytest.raises((TypeError, ValueError)):
        ToolService(**options)


def test_the_deepest_messages_that_may_be_let_in():
    service = ToolService(max_message_depth=512)
    service.add(define(), dict)
    for levels in (250, 505, 600, 100_000):
        arguments = '{"a":' + "[" * levels + "]" * levels + "}"
        message = json.dumps(request("tools/call", name="tool", arguments=0)).replace(
            '"arguments": 0', f'"arguments":{arguments}'
        )
        answer = json.loads(run(service.handle_bytes(message.encode())))
        assert ("error" in answer) is (levels > 505)


def test_an_equal_definition_is_no_change():
    told = []
    service = ToolService()
    handle = service.add(define(description="a"), dict)
    service.on_list_changed(lambda: told.append(1))
    handle.update(definition=handle.tool.definition)
    handle.update(handler=list)
    assert told == []
    handle.update(definition=define(description="b"))
    assert told == [1]
