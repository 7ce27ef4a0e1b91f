"""tools/list: order, pages, cursors, who sees what; and word of changes."""

import asyncio
import logging
import threading

import pytest
from services import define, request, run

from schemafuse.mcp import ProtocolError, ToolService


def service_with(*names, **options):
    service = ToolService(**options)
    return service, {name: service.add(define(name), lambda _: 1) for name in names}


def pages(service, **options):
    cursor, result = None, []
    while True:
        page = run(service.list_tools(cursor, **options))
        result.append([tool["name"] for tool in page["tools"]])
        if "nextCursor" not in page:
            return result
        cursor = page["nextCursor"]


def names(service, **options):
    return [name for page in pages(service, **options) for name in page]


def test_a_list_is_in_the_order_of_the_names_whatever_happened():
    service, handles = service_with("b", "B", "a.1", "a_1", "c", "a-1")
    expected = ["B", "a-1", "a.1", "a_1", "b", "c"]
    assert names(service) == expected
    handles["b"].disable()
    handles["b"].enable()
    handles["a.1"].remove()
    service.add(define("a.1"), lambda _: 1)
    assert names(service) == expected


@pytest.mark.parametrize(
    ("size", "expected"),
    [(1, [["a"], ["b"], ["c"]]), (2, [["a", "b"], ["c"]]), (3, [["a", "b", "c"]]), (4, [["a", "b", "c"]])],
)
def test_pages(size, expected):
    assert pages(service_with("c", "a", "b", page_size=size)[0]) == expected


def test_a_list_without_tools():
    page = run(ToolService(ttl_ms=0).list_tools())
    assert page == {"resultType": "complete", "tools": [], "ttlMs": 0, "cacheScope": "public"}


def test_a_cursor_names_a_position():
    service, handles = service_with("a", "b", "c", "d", page_size=2)
    cursor = run(service.list_tools())["nextCursor"]
    handles["b"].remove()
    handles["a"].remove()
    for name in ("a0", "bb"):
        service.add(define(name), lambda _: 1)
    page = run(service.list_tools(cursor))
    assert [tool["name"] for tool in page["tools"]] == ["bb", "c"]


def test_a_replica_takes_the_cursor():
    cursor = run(service_with("a", "b", page_size=1)[0].list_tools())["nextCursor"]
    replica = service_with("a", "b", "c", page_size=2)[0]
    assert [tool["name"] for tool in run(replica.list_tools(cursor))["tools"]] == ["b", "c"]


@pytest.mark.parametrize(
    "change",
    [
        lambda c: "",
        lambda c: c + "=",
        lambda c: c[:-1],
        lambda c: c + "A",
        lambda c: c[::-1],
        lambda c: " " + c,
        lambda c: c + "\n",
        lambda c: "a",
        lambda c: "é",
        lambda c: "\ud800",
        lambda c: "A" * 100_000,
    ],
)
def test_a_cursor_that_was_not_issued(change):
    service = service_with("a", "b", page_size=1)[0]
    cursor = change(run(service.list_tools())["nextCursor"])
    with pytest.raises(ProtocolError) as caught:
        run(service.list_tools(cursor))
    assert caught.value.code == -32602
    assert run(service.handle(request("tools/list", cursor=cursor)))["error"]["code"] == -32602


def test_another_service_does_not_take_the_cursor():
    cursor = run(service_with("a", "b", page_size=1, name="one")[0].list_tools())["nextCursor"]
    with pytest.raises(ProtocolError):
        run(service_with("a", "b", page_size=1, name="two")[0].list_tools(cursor))


# Who sees what ------------------------------------------------------------------------------------


def mine(tool, authorization):
    return authorization is not None and tool.name.startswith(authorization)


def test_visible_filters_lists_and_calls_alike():
    service = service_with("a1", "a2", "b1", "b2", "b3", page_size=2, visible=mine, cache_scope="public")[0]
    assert pages(service, authorization="b") == [["b1", "b2"], ["b3"]]
    assert pages(service) == [[]]
    assert run(service.list_tools())["cacheScope"] == "private"
    assert service.discover()["cacheScope"] == "private"
    assert run(service.call_tool("a1", authorization="a"))["structuredContent"] == 1
    errors = []
    for name, who in (("a1", "b"), ("a1", None), ("zz", "a")):
        with pytest.raises(ProtocolError) as caught:
            run(service.call_tool(name, authorization=who))
        errors.append((caught.value.code, str(caught.value).replace(name, "?"), caught.value.data))
    assert len(set(map(str, errors))) == 1  # nothing tells what is hidden from what is not there


def test_the_authorization_of_a_message_counts():
    service = service_with("a1", "b1", visible=mine)[0]
    listed = run(service.handle(request("tools/list"), authorization="a"))["result"]["tools"]
    assert [tool["name"] for tool in listed] == ["a1"]
    assert "error" in run(service.handle(request("tools/call", name="b1"), authorization="a"))


def test_a_filter_that_fails_hides(caplog):
    def broken(tool, authorization):
        raise KeyError("secret")

    service = service_with("a", visible=broken)[0]
    assert names(service) == []
    with pytest.raises(ProtocolError, match="Unknown tool"):
        run(service.call_tool("a"))
    assert caplog.records


def test_an_async_filter_would_show_everything():
    async def visible(tool, authorization):
        return False

    with pytest.raises(TypeError, match="plain function"):
        ToolService(visible=visible)
    service = service_with("a", visible=lambda tool, who: visible(tool, who))[0]
    with pytest.warns(RuntimeWarning, match="never awaited"):
        assert names(service) == []


# Changes ------------------------------------------------------------------------------------------


async def turn():
    for _ in range(5):
        await asyncio.sleep(0.01)


def test_changes_that_come_together_are_told_once():
    async def main():
        told = []
        service, handles = service_with("a", "b")
        service.on_list_changed(lambda: told.append(len(service._registry.listing[0])))
        handles["a"].disable()
        service.add(define("c"), lambda _: 1)
        handles["b"].update(definition=define("b", title="B"))
        assert told == []
        await turn()
        assert told == [2]
        handles["a"].enable()
        await turn()
        assert told == [2, 3]

    run(main())


def test_what_clients_would_not_see_is_no_change():
    async def main():
        told = []
        service, handles = service_with("a", "b")
        handles["b"].disable()
        service.on_list_changed(lambda: told.append(1))
        handles["a"].enable()
        handles["b"].disable()
        handles["a"].update(handler=lambda _: 2)
        handles["b"].update(definition=define("b", title="B"))
        handles["b"].remove()
        await turn()
        return told

    assert run(main()) == []


def test_callbacks_may_be_async_fail_and_be_taken_back(caplog):
    async def main():
        told = []
        service, handles = service_with("a")

        async def tell():
            await asyncio.sleep(0)
            told.append("async")

        async def fail():
            raise ValueError("async")

        stops = [
            service.on_list_changed(callback) for callback in (lambda: 1 / 0, fail, tell, lambda: told.append("plain"))
        ]
        handles["a"].disable()
        await turn()
        assert sorted(told) == ["async", "plain"]
        assert [record.levelno for record in caplog.records] == [logging.ERROR] * 2
        for stop in stops:
            stop()
            stop()
        handles["a"].enable()
        await turn()
        assert len(told) == 2

    run(main())


def test_changes_from_another_thread_are_told_on_the_loop():
    async def main():
        told = []
        service, handles = service_with("a")
        service.on_list_changed(lambda: told.append(threading.current_thread()))
        thread = threading.Thread(
            target=lambda: (handles["a"].disable(), handles["a"].enable(), handles["a"].disable())
        )
        thread.start()
        thread.join()
        await turn()
        return told

    assert run(main()) == [threading.main_thread()]


def test_without_a_loop_changes_are_told_at_once():
    told = []
    service, handles = service_with("a")
    service.on_list_changed(lambda: told.append(1))
    handles["a"].disable()
    assert told == [1]


def test_a_loop_that_has_gone_does_not_swallow_changes():
    told = []
    service, handles = service_with("a")

    async def main():
        service.on_list_changed(lambda: told.append(1))
        handles["a"].disable()  # and the loop ends before its next turn

    run(main())
    handles["a"].enable()
    assert told


@pytest.mark.parametrize("failure", [ValueError, asyncio.CancelledError, GeneratorExit])
def test_functions_of_the_author_end_nobody_else(failure, caplog):
    def fail(*given):
        raise failure

    service = ToolService(visible=fail)
    service.on_list_changed(fail)
    service.add(define(), dict)
    assert run(service.list_tools())["tools"] == []
    assert len(caplog.records) == 2


def test_an_async_callback_that_waits_is_not_called_again_until_it_is_done():
    async def main():
        service = ToolService()
        go_on, begun = asyncio.Event(), []

        async def wait():
            begun.append(True)
            await go_on.wait()

        service.on_list_changed(wait)
        handle = service.add(define(), dict)
        for change in (handle.disable, handle.enable) * 3:
            await asyncio.sleep(0.001)
            change()
        await asyncio.sleep(0.001)
        while_it_waits = len(begun)
        go_on.set()
        await asyncio.sleep(0.01)
        return while_it_waits, len(begun)

    assert run(main()) == (1, 2)


def test_a_callback_whose_loop_ended_while_it_waited_is_called_on_the_next():
    service = ToolService()
    begun = []

    async def wait():
        begun.append(True)
        await asyncio.sleep(60)

    service.on_list_changed(wait)

    async def change(number):
        service.add(define(f"t{number}"), dict)
        await asyncio.sleep(0.001)

    for number in range(2):
        loop = asyncio.new_event_loop()
        loop.run_until_complete(change(number))
        loop.close()  # and with it what the callback waits for
    assert len(begun) == 2


def test_a_callback_that_was_taken_back_in_the_same_turn_is_not_called():
    async def main():
        service = ToolService()
        told = []
        take_back = service.on_list_changed(lambda: told.append(True))
        service.add(define(), dict)
        take_back()
        await asyncio.sleep(0.001)
        return told

    assert run(main()) == []


def test_a_callback_must_be_callable():
    with pytest.raises(TypeError):
        ToolService().on_list_changed(None)


def test_changes_from_several_threads_come_one_after_the_other(monkeypatch):
    service = ToolService()
    registry, held = service._registry, []
    publish = registry._publish

    def watched(entries):
        held.append(registry._lock.locked())  # from reading the old tables to putting the new ones in place
        return publish(entries)

    monkeypatch.setattr(registry, "_publish", watched)
    handle = service.add(define(), dict)
    handle.disable()
    handle.update(handler=lambda _: 1)
    handle.remove()
    assert held == [True] * 4


def test_lists_and_calls_stay_whole_while_another_thread_changes_them():
    service, _ = service_with(*(f"fixed{n:02}" for n in range(20)), page_size=7)
    stop = threading.Event()
    failures = []

    def change():
        while not stop.is_set():
            try:
                handle = service.add(define("moving"), lambda _: 1)
                handle.disable()
                handle.enable()
                handle.remove()
            except Exception as error:
                failures.append(error)
                return

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(100):
            found = names(service)
            assert found in ([f"fixed{n:02}" for n in range(20)], [f"fixed{n:02}" for n in range(20)] + ["moving"])
    finally:
        stop.set()
        thread.join()
    assert failures == []
