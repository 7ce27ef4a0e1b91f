"""Shapes of results by the protocol's own schema: every member of every kind, with values of each type."""

import copy
import json
from pathlib import Path

import pytest
from services import text_of

import schemafuse
from schemafuse.mcp import Tool
from schemafuse.mcp.shapes import wrong_in_request, wrong_in_result

PROTOCOL = Path(__file__).parents[1] / "cases" / "mcp-schema-2026-07-28.json"
ANNOTATIONS = {"audience": ["user", "assistant"], "priority": 0.5, "lastModified": "2025-01-12T15:00:58Z"}
ICON = {"src": "https://a.example/i.png", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark"}
COMMON = {"annotations": ANNOTATIONS, "_meta": {"a.b/c": 1}}
LINK = {"uri": "a:b", "name": "n", "title": "t", "description": "d", "mimeType": "a/b", "size": 5, "icons": [ICON]}
BLOCKS = [
    {"type": "text", "text": "x", **COMMON},
    {"type": "image", "data": "AA==", "mimeType": "image/png", **COMMON},
    {"type": "audio", "data": "AA==", "mimeType": "audio/wav", **COMMON},
    {"type": "resource_link", **LINK, **COMMON},
    {"type": "resource", "resource": {"uri": "a:b", "mimeType": "a/b", "text": "x", "_meta": {}}, **COMMON},
    {"type": "resource", "resource": {"uri": "a:b", "mimeType": "a/b", "blob": "AA==", "_meta": {}}, **COMMON},
]
RESULTS = [{"resultType": "complete", "content": [block], "isError": False, "_meta": {}} for block in BLOCKS]
MESSAGE = {"role": "user", "content": {"type": "text", "text": "x"}}
REQUESTS = [
    {
        "method": "elicitation/create",
        "params": {"message": "?", "requestedSchema": {"type": "object", "properties": {}}},
    },
    {"method": "sampling/createMessage", "params": {"messages": [MESSAGE], "maxTokens": 5}},
    {"method": "roots/list", "params": {}},
]
WAITING = [
    {"resultType": "input_required", "requestState": "s", "inputRequests": {"a": request}, "_meta": {}}
    for request in REQUESTS
]
GONE = object()
VALUES = [GONE, None, True, 5, 5.5, -1, "x", [], [5], ["x"], [None], {}, {"x": 5}]
PARAMS = ("inputRequests", "a", "params")
#: Content of an unknown kind is left alone. What stands in params is between handler and client.
LEFT_ALONE = {("resultType",), ("content", 0, "type")}


def places(value, path=()):
    """Yield the path of everything inside a value."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in members:
        yield (*path, name)
        yield from places(member, (*path, name))


def changed(whole, path, value):
    whole = copy.deepcopy(whole)
    inside = whole
    for name in path[:-1]:
        inside = inside[name]
    if value is GONE:
        del inside[path[-1]]
    else:
        inside[path[-1]] = value
    return whole


@pytest.fixture(scope="module")
def protocol():
    definitions = json.loads(PROTOCOL.read_text(encoding="utf-8"))["$defs"]
    limits = schemafuse.Limits(max_compile_ms=10_000)

    def validator(name):
        return schemafuse.compile({"$ref": f"#/$defs/{name}", "$defs": definitions}, limits=limits)

    return {name: validator(name) for name in ("CallToolResult", "InputRequiredResult")}


@pytest.mark.parametrize("whole", [*RESULTS, *WAITING], ids=lambda whole: str(whole)[:90])
def test_verdicts_are_those_of_the_protocol(protocol, whole):
    waiting = whole["resultType"] == "input_required"
    validator = protocol["InputRequiredResult" if waiting else "CallToolResult"]
    wrong_in = wrong_in_request if waiting else wrong_in_result
    assert wrong_in(whole) is None
    assert validator.is_valid(whole)
    verdicts = []
    for path in places(whole):
        if path in LEFT_ALONE or (path[:3] == PARAMS and len(path) > 3):
            continue
        for value in VALUES:
            result = changed(whole, path, value)
            valid = validator.is_valid(result)
            if path == PARAMS and isinstance(value, dict):
                valid = True
            wrong = wrong_in(result)
            assert (wrong is None) is valid, (path, value, wrong)
            verdicts.append(valid)
    assert {True, False} == set(verdicts)


@pytest.mark.parametrize("value", [None, 0, 1, "x", [], {}])
def test_is_error_is_true_or_false(protocol, value):
    result = {"content": [], "isError": value}
    assert not protocol["CallToolResult"].is_valid({**result, "resultType": "complete"})
    assert "isError" in wrong_in_result(result)


@pytest.mark.parametrize(
    ("result", "named"),
    [
        ({}, "content"),
        ({"isError": True}, "content"),
        ({"structuredContent": 5}, "content"),
        ({"content": [], "isError": None}, "isError"),
        ({"resultType": "input_required"}, "requestState"),
        (
            {"resultType": "input_required", "inputRequests": {"a": {"method": "x/y", "params": {}}}},
            "elicitation/create",
        ),
        ({"resultType": "input_required", "inputRequests": {"a": {"method": "elicitation/create"}}}, "params"),
    ],
)
def test_what_typed_clients_refuse_is_withheld(result, named):
    tool = Tool.from_dict({"name": "t", "inputSchema": {"type": "object"}})
    fault = tool.result_fault(result)
    assert fault.code == "malformed"
    assert named in fault.message
    assert "malformed result" in text_of(tool.check_result(result))


def test_what_is_not_known_is_left_alone():
    result = {
        "content": [{"type": "of tomorrow", "size": "big", "resource": 5}, {"type": "text", "text": "x", "size": "y"}]
    }
    assert wrong_in_result(result) is None
