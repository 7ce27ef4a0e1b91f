"""Messages as bytes: what is refused, how fast, and that the one who asked is always told."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from services import META, define, request, run

from schemafuse._core.nesting import deeper_than
from schemafuse.mcp import ToolService
from schemafuse.mcp.wire import UnreadableMessageError, read_message


def service_with_echo(**options):
    service = ToolService(**options)
    service.add(define("echo"), lambda arguments: arguments)
    return service


def send(data, **options):
    answer = run(service_with_echo(**options).handle_bytes(data))
    return None if answer is None else json.loads(answer)


def call(arguments, request_id=b"7"):
    """Return the bytes of a call, with arguments that are bytes already."""
    head = b'{"jsonrpc":"2.0","id":' + request_id + b',"method":"tools/call","params":{"name":"echo","_meta":'
    return head + json.dumps(META).encode() + b',"arguments":' + arguments + b"}}"


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_in_bytes_out(kind):
    answer = run(service_with_echo().handle_bytes(kind(call('{"a":["é\\u00e9\\ud83d\\ude00",1e2]}'.encode()))))
    assert b"\n" not in answer
    assert json.loads(answer)["result"]["structuredContent"] == {"a": ["éé😀", 100.0]}
    assert "éé😀".encode() in answer


def test_a_notification_is_owed_nothing():
    assert send(b' {"jsonrpc":"2.0","method":"notifications/initialized"}\r\n') is None


REFUSED = {
    "name twice": b'{"a":1,"a":1}',
    "name twice, escaped": b'{"a":1,"\\u0061":1}',
    "name twice, deep": b'{"x":[{"a":1,"a":2}]}',
    "NaN": b'{"a":NaN}',
    "Infinity": b'{"a":[Infinity]}',
    "-Infinity": b'{"a":-Infinity}',
    "float out of range": b'{"a":1e400}',
    "integer of many digits": b'{"a":' + b"1" * 5_000 + b"}",
    "half a pair": b'{"a":"\\ud800"}',
    "half a pair in a name": b'{"\\udfff":1}',
    "halves in the wrong order": b'{"a":"\\ude00\\ud83d"}',
    "no UTF-8": b'{"a":"\xff"}',
    "a surrogate in UTF-8": b'{"a":"\xed\xa0\x80"}',
    "Latin-1": '{"a":"é"}'.encode("latin-1"),
    "a control character": b'{"a":"\x00"}',
    "single quotes": b"{'a':1}",
    "a comment": b'{"a":1/*x*/}',
    "a trailing comma": b'{"a":1,}',
    "a leading zero": b'{"a":01}',
    "too deep": b'{"a":' + b"[" * 300 + b"]" * 300 + b"}",
    "much too deep": b'{"a":' + b"[" * 500_000 + b"]" * 500_000 + b"}",
    "never closed": b'{"a":' + b'{"b":' * 10_000,
    "an open string": b'{"a":"x',
}


@pytest.mark.parametrize("arguments", REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize(
    "request_id", [b"7", b' "x\\u0041" ', b"-12", b"7.0", b"18446744073709551615", b"-9223372036854775808"]
)
def test_what_is_refused_is_answered_under_its_id(arguments, request_id):
    response = send(call(arguments, request_id))
    assert response["error"]["code"] == -32700
    assert repr(response["id"]) == repr(json.loads(request_id))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        b"\xef\xbb\xbf{}",
        b"{}x",
        '{"id":1}'.encode("utf-16"),
        b'{"id":1,"id":2,"x":NaN}',
        b'{"id":1,"x":NaN,"id":1}',
        b'{"id":null,"x":NaN}',
        b'{"id":1.5,"x":NaN}',
        b'{"id":18446744073709551616,"x":NaN}',
        b'{"id":07,"x":NaN}',
        b'{"id":[1],"x":NaN}',
        b'{"id":"\\ud800","x":NaN}',
        b'{"x":{"id":1},"y":NaN}',
        b'{"method":"id","x":NaN}',
        b'[{"id":1,"x":NaN}]',
        b'{"x":"\\"id\\":1","y":NaN}',
        b"[" * 100_000,
    ],
)
def test_without_a_readable_id_there_is_none(data):
    response = send(data)
    assert response["error"]["code"] == -32700
    assert "id" not in response


@pytest.mark.parametrize("data", [b"5", b"null", b"[]", b'"x"', b"{}"])
def test_json_that_is_no_request(data):
    assert send(data)["error"]["code"] == -32600


@pytest.mark.parametrize(("count", "seen"), [(9_000, True), (11_000, False)])
def test_the_search_for_an_id_has_an_end(count, seen):
    data = b'{"x":NaN,"p":[' + b",".join([b'""'] * count) + b'],"id":5}'
    assert ("id" in send(data)) is seen


def test_the_last_of_many_ids_is_found_too():
    response = send(b'{"method":"tools/list","params":{"a":NaN,"id":5},"jsonrpc":"2.0","id":9}')
    assert response["id"] == 9


@pytest.mark.parametrize(("size", "refused"), [(399, True), (400, False), (401, False)])
def test_max_message_bytes(size, refused):
    data = call(b"{}").ljust(400)
    assert len(data) == 400
    response = send(data, max_message_bytes=size)
    assert ("error" in response) is refused
    if refused:
        assert (response["error"]["code"], response["id"]) == (-32700, 7)


@pytest.mark.parametrize(
    ("data", "request_id"),
    [
        (b'{"jsonrpc":"2.0","id":5,"method":"x","p":"aaa', 5),
        (b'{"id":"a\\u0041","p":"a', "aA"),
        (b'{"id":123456,', 123456),
        (b'{"id":1234567', None),  # cut off in the middle, perhaps
        (b'{"p":1,"id":1234567', None),
        (b'{"id":"a,bcdefg', None),
        (b'{"id":"\xc3', None),
        (b'{"p":{"id":1},', None),
        (b"12345678", None),
    ],
)
@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_a_message_that_is_too_large_is_answered_under_its_id_where_it_begins_with_it(data, request_id, kind):
    with pytest.raises(UnreadableMessageError) as caught:
        read_message(kind(data.ljust(1_000, b"9")), max_bytes=len(data), max_depth=9)
    assert caught.value.request_id == request_id


@pytest.mark.parametrize(("levels", "refused"), [(9, False), (10, False), (11, True)])
def test_max_message_depth(levels, refused):
    arguments = b'{"a":' + b"[" * (levels - 3) + b"]" * (levels - 3) + b"}"
    assert ("error" in send(call(arguments), max_message_depth=10)) is refused


def test_brackets_in_strings_are_no_depth():
    text = "[{" * 10_000 + '\\"' + "[" * 1_000
    arguments = json.dumps({"a": text}).encode()
    assert send(call(arguments))["result"]["structuredContent"] == {"a": text}


def test_the_deepest_message_let_in_ends_in_a_result():
    arguments = b'{"a":' + b"[" * 253 + b"]" * 253 + b"}"
    response = send(call(arguments))
    assert response["result"]["isError"] is True  # of the arguments, which may have 128 levels


HOSTILE = {
    "brackets": b"[" * 4_000_000,
    "pairs of brackets": b'{"id":1,"p":[' + b"[]," * 1_300_000 + b"1]}",
    "quotes": b'{"id":1,"p":' + b'"' * 4_000_000,
    "escaped quotes": b'{"id":1,"p":"' + b'\\"' * 2_000_000,
    "backslashes": b'{"id":1,"p":"' + b"\\" * 4_000_000,
    "ids": b'{"id":' * 600_000,
    "digits": b'{"id":1,"p":' + b"9" * 4_000_000,
    "spaces": b" " * 4_000_000,
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_hostile_messages_take_time_linear_in_their_size(data):
    started = time.process_time()
    assert send(data)["error"]
    assert time.process_time() - started < 8


@pytest.mark.parametrize("value", [b"[{}]", b"{}", b"[[]]", b"[]", b"1", b'""'])
def test_small_values_in_great_number_take_time_linear_in_their_size(value):
    arguments = b'{"a":[' + b",".join([value] * (4_190_000 // (len(value) + 1))) + b"]}"
    started = time.process_time()
    assert send(call(arguments))["result"]
    assert time.process_time() - started < 6  # with reading the answer; about 1 s on its own


def test_a_caller_deep_in_the_stack_is_answered_too():
    data = call(b'{"a":' + b"[" * 250 + b"]" * 250 + b"}")

    def deeper(frames):
        return deeper(frames - 1) if frames else read_message(data, max_bytes=10_000, max_depth=256)

    for frames in range(10, 1_000, 50):
        try:
            deeper(frames)
        except (UnreadableMessageError, RecursionError) as error:
            assert frames > 500
            if isinstance(error, UnreadableMessageError):
                break


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("", 0),
        ("[]", 1),
        ('{"a":[{}]}', 3),
        ("[],[],[[]]", 2),
        ('"[[["', 0),
        (r'["\\",[]]', 2),
        (r'["\"[[["]', 1),
        ('["é[", "日[", [1]]', 2),
    ],
)
def test_levels_are_counted_outside_of_strings(text, levels):
    assert not deeper_than(text, levels)
    assert levels == 0 or deeper_than(text, levels - 1)


@settings(max_examples=500, deadline=None)
@given(st.binary(max_size=60) | st.text(alphabet='{}[]":,\\ud8id01eNa \n', max_size=60).map(str.encode))
def test_any_bytes_are_answered(data):
    response = send(data)
    assert response is None or response["error"]["code"] in (-32700, -32600)


@settings(max_examples=200, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
        max_leaves=10,
    )
)
def test_json_is_read_as_json_reads_it(value):
    message = json.dumps(request("tools/call", name="echo", arguments={"value": value}), ensure_ascii=True)
    try:
        message.encode().decode()
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return
    assert send(message.encode())["result"]["structuredContent"] == {"value": value}


def test_a_result_that_cannot_be_written_is_an_error(monkeypatch):
    service = service_with_echo()

    async def handle(message, **options):
        return {"jsonrpc": "2.0", "id": 1, "result": object()}

    monkeypatch.setattr(service, "handle", handle)
    assert json.loads(run(service.handle_bytes(b"{}")))["error"]["code"] == -32603
