"""`check_arguments` and `check_result`: what a model reads, and what is passed on untouched."""

import json
import logging
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemafuse import Limits
from schemafuse.mcp import Tool

WEATHER = {
    "name": "weather",
    "inputSchema": {
        "type": "object",
        "properties": {"city": {"type": "string", "minLength": 2}, "days": {"type": "integer", "maximum": 7}},
        "required": ["city"],
        "additionalProperties": False,
    },
    "outputSchema": {"type": "object", "properties": {"temp": {"type": "number"}}, "required": ["temp"]},
}
NAN = float("nan")


@pytest.fixture(scope="module")
def weather():
    return Tool.from_dict(WEATHER)


def plain(result_schema=None, **options):
    definition = {"name": "t", "inputSchema": {"type": "object"}}
    if result_schema is not None:
        definition["outputSchema"] = result_schema
    return Tool.from_dict(definition, **options)


def text_of(result):
    """The text of a result with isError, which is all there is in it."""
    assert result.keys() == {"resultType", "content", "isError"}
    assert (result["resultType"], result["isError"]) == ("complete", True)
    [block] = result["content"]
    assert block["type"] == "text"
    json.dumps(result).encode()
    assert all(line.isprintable() for line in block["text"].split("\n"))
    return block["text"]


# Arguments ----------------------------------------------------------------------------------------


def test_good_arguments(weather):
    assert weather.check_arguments({"city": "Oslo"}) is None
    assert weather.check_arguments({"city": "Oslo", "days": 3.0}) is None


def test_bad_arguments_say_what_to_change(weather):
    text = text_of(weather.check_arguments({"town": "Oslo", "days": "3"}))
    assert "arguments" in text.split("\n")[0]
    for expected in ("city", "town", "/days", "integer"):
        assert expected in text


@pytest.mark.parametrize("arguments", [None, [], "[]", 5, True, (), NAN, object(), b"x"])
def test_arguments_are_an_object(weather, arguments):
    assert "object" in text_of(weather.check_arguments(arguments))


@pytest.mark.parametrize("value", [NAN, float("inf"), b"x", {1}, object()])
def test_arguments_are_json(value):
    assert "JSON" in text_of(plain().check_arguments({"a": [value]}))


@pytest.mark.parametrize("arguments", [{"a": "\ud800"}, {"a": [{"\udc00": 1}]}])
def test_arguments_are_unicode(arguments):
    text = text_of(plain().check_arguments(arguments))
    assert "lone surrogate" in text
    assert "/a" in text


def test_a_budget_that_ran_out_blames_nobody_for_it():
    tool = plain(limits=Limits(max_steps=50, max_instance_depth=5))
    text = text_of(tool.check_arguments({"a": list(range(1_000))}))
    assert "not valid" not in text
    assert "no sign of a mistake" in text
    deep = {"a": [[[[[[1]]]]]]}
    assert "less deeply nested" in text_of(tool.check_arguments(deep))


def test_texts_are_bounded():
    tool = plain(limits=Limits(max_text_chars=200, max_steps=10))
    for arguments in ("x" * 10_000, {"a": list(range(100))}, {"a" * 5_000: {1}}):
        assert len(text_of(tool.check_arguments(arguments))) <= 200
    tool = plain({"type": "string"}, limits=Limits(max_text_chars=200))
    assert len(text_of(tool.check_result({"content": [], "structuredContent": 5}))) <= 200


def test_subclasses_are_objects_too(weather):
    class Arguments(dict):
        pass

    assert weather.check_arguments(Arguments(city="Oslo")) is None


# Results ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "result",
    [
        {"content": [], "structuredContent": {"temp": 1.5}},
        {"content": [{"type": "text", "text": "1.5"}], "structuredContent": {"temp": 1}, "isError": False},
        {"resultType": "complete", "content": [], "structuredContent": {"temp": 1}, "_meta": {}, "x": None},
        {
            "content": [{"type": "resource_link", "uri": "a:b", "name": "n", "size": 5}],
            "structuredContent": {"temp": 1},
        },
        {"content": [{"type": "text", "text": "upstream down"}], "isError": True},
        {"content": [], "structuredContent": {"temp": "hot"}, "isError": True},
        {"resultType": "input_required", "requestState": "opaque"},
        {"resultType": "input_required", "inputRequests": {}, "structuredContent": {"temp": "hot"}},
        {"content": [{"type": "of tomorrow"}], "structuredContent": {"temp": 1}},
    ],
)
def test_results_that_pass_untouched(weather, result):
    before = json.dumps(result)
    assert weather.check_result(result) is result
    assert json.dumps(result) == before
    assert weather.result_fault(result) is None


@pytest.mark.parametrize(
    ("result", "code"),
    [
        (None, "not_an_object"),
        ([], "not_an_object"),
        ("text", "not_an_object"),
        ({"content": []}, "missing_structured_content"),
        ({}, "malformed"),
        ({"isError": True}, "malformed"),
        ({"structuredContent": {"temp": 1}}, "malformed"),
        ({"resultType": "input_required"}, "malformed"),
        ({"content": [{"type": "image", "data": "AA==", "mimeType": "image/png"}]}, "missing_structured_content"),
        ({"content": [], "structuredContent": {"temp": "hot"}}, "invalid_structured_content"),
        ({"content": [], "structuredContent": None}, "invalid_structured_content"),
        ({"content": [], "structuredContent": {"temp": NAN}}, "not_json"),
        ({"content": [], "structuredContent": {"temp": 1}, "_meta": {"a": float("inf")}}, "not_json"),
        ({"content": [], "structuredContent": {"temp": 1, "x": "\ud800"}}, "not_json"),
        ({"content": [], "structuredContent": {"temp": 1, "\udfff": 1}}, "not_json"),
        ({"content": [], "structuredContent": {"temp": 1, 5: 1}}, "not_json"),
        ({"content": [], "structuredContent": {"temp": 10**5_000}}, "not_json"),
        ({"content": [{"type": "text", "text": b"x"}], "structuredContent": {"temp": 1}}, "not_json"),
        ({"content": [{"type": "text", "text": "\ud800"}], "isError": True}, "not_json"),
        ({"resultType": "input_required", "requestState": object()}, "not_json"),
        ({"resultType": "task", "structuredContent": {"temp": 1}}, "result_type"),
        ({"resultType": None, "structuredContent": {"temp": 1}}, "result_type"),
        ({"resultType": ["complete"], "structuredContent": {"temp": 1}}, "result_type"),
        ({"resultType": "task", "isError": True}, "result_type"),
        ({"isError": "yes", "structuredContent": {"temp": 1}}, "malformed"),
        ({"isError": 1, "structuredContent": {"temp": 1}}, "malformed"),
        ({"content": None, "structuredContent": {"temp": 1}}, "malformed"),
        ({"content": "text", "structuredContent": {"temp": 1}}, "malformed"),
        ({"content": ["text"], "structuredContent": {"temp": 1}}, "malformed"),
        ({"content": [{"text": "x"}], "structuredContent": {"temp": 1}}, "malformed"),
        ({"content": [{"type": 5}], "structuredContent": {"temp": 1}}, "malformed"),
        *[
            ({"content": [block], "structuredContent": {"temp": 1}}, "malformed")
            for block in (
                {"type": "text", "text": "x", "_meta": []},
                {"type": "resource_link", "uri": "a:b", "name": "n", "title": 5},
                {"type": "resource_link", "uri": "a:b", "name": "n", "size": "5"},
                {"type": "resource", "resource": {"uri": "a:b", "text": None}},
                {"type": "image", "data": "", "mimeType": None},
            )
        ],
    ],
)
def test_results_that_are_replaced(weather, result, code, caplog):
    fault = weather.result_fault(result)
    assert fault.code == code
    assert not caplog.records
    with caplog.at_level(logging.WARNING, "schemafuse.mcp"):
        text = text_of(weather.check_result(result))
    assert "fault of the tool's server" in text
    assert "other arguments will not help" in text
    assert '"weather"' in text
    assert "hot" not in text
    [record] = caplog.records
    assert code in record.getMessage()
    assert record.getMessage().isprintable()


@pytest.mark.parametrize(
    "many",
    [{"structuredContent": [[]] * 10_000_000}, {"isError": True, "_meta": {"x": [[]] * 10_000_000}}],
)
def test_more_than_is_looked_at_is_withheld_and_takes_no_time(many):
    started = perf_counter()
    assert plain().result_fault(many).code == "too_large"
    assert "asking for less may help" in text_of(plain().check_result(many))
    assert perf_counter() - started < 2


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "null"}, None),
        ({"type": "integer"}, 0),
        ({"type": "boolean"}, False),
        ({"type": "string"}, ""),
        ({"type": "array"}, []),
        ({}, {}),
    ],
)
def test_falsy_values_are_values(schema, value):
    result = {"content": [], "structuredContent": value}
    assert plain(schema).check_result(result) is result


def test_without_an_output_schema_structured_content_is_any_json():
    for result in ({"content": []}, {"content": [], "structuredContent": [1, {"a": None}]}):
        assert plain().check_result(result) is result
    assert text_of(plain().check_result({"content": [], "structuredContent": NAN}))


def test_a_result_that_cannot_be_checked_is_nobody_elses_fault():
    tool = plain({"type": "array", "items": {"type": "integer"}}, limits=Limits(max_steps=50))
    result = {"content": [], "structuredContent": list(range(1_000))}
    assert tool.result_fault(result).code == "exhausted"
    text = text_of(tool.check_result(result))
    assert "not the cause" in text
    assert "fault of the tool's server" not in text


def test_the_log_line_is_bounded(caplog):
    result = {"content": [], "structuredContent": {"temp": "x" * 100_000 + "\n"}}
    with caplog.at_level(logging.WARNING, "schemafuse.mcp"):
        Tool.from_dict(WEATHER).check_result(result)
    assert len(caplog.records[0].getMessage()) <= 2_000


def test_the_report_is_there_for_those_who_want_it(weather):
    fault = weather.result_fault({"content": [], "structuredContent": {"temp": "hot"}})
    assert fault.report.errors[0].instance_location == "/temp"
    assert "hot" in fault.message


class Text(str):
    __slots__ = ()

    def fail(self, *_):
        raise RuntimeError("called")

    __eq__ = __repr__ = __str__ = __len__ = __iter__ = encode = isascii = fail

    def __hash__(self):
        return 7


def test_subclasses_are_read_through_their_base_types(weather):
    class Mapping(dict):
        def fail(self, *_):
            raise RuntimeError("called")

        __iter__ = __len__ = __getitem__ = __contains__ = items = keys = get = fail

    content = (Mapping({Text("type"): Text("text"), "text": Text("x")}),)
    result = Mapping({Text("content"): content, "structuredContent": Mapping(temp=1)})
    assert weather.check_result(result) is result
    assert weather.result_fault(Mapping({Text("resultType"): Text("task")})).code == "result_type"
    waiting = Mapping({Text("resultType"): Text("input_required"), "requestState": Text("s")})
    assert weather.check_result(waiting) is waiting
    assert weather.result_fault(Mapping({Text("isError"): Text("x")})).code == "malformed"


def test_a_large_result_is_no_burden():
    result = {
        "content": [{"type": "image", "data": "A" * 5_000_000, "mimeType": "image/png"}],
        "structuredContent": [{"n": i, "t": "é"} for i in range(50_000)],
    }
    started = perf_counter()
    assert plain().check_result(result) is result
    assert perf_counter() - started < 0.5


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.binary()
    | st.just(object()),
    lambda children: (
        st.lists(children, max_size=4)
        | st.dictionaries(st.text() | st.integers(), children, max_size=4)
        | st.tuples(children)
    ),
    max_leaves=10,
)
results = st.dictionaries(
    st.sampled_from(["content", "structuredContent", "isError", "resultType", "_meta"]),
    values | st.sampled_from(["complete", "input_required", True, []]),
)


@given(results | values)
@settings(max_examples=300, deadline=None)
def test_any_object_gives_a_result(result):
    tool = Tool.from_dict(WEATHER)
    given = tool.check_result(result)
    if given is not result:
        text_of(given)
    else:
        json.dumps(result, allow_nan=False, ensure_ascii=False).encode()
    given = tool.check_arguments(result)
    assert given is None or text_of(given)
