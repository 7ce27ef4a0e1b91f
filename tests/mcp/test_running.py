"""Limits on calls: how many at once, for how long, and what cancelling one does."""

import asyncio
import contextlib
import threading
import time

import pytest
from services import define, run, text_of

from schemafuse.mcp import ToolService
from schemafuse.mcp import threads as threads_module


def test_an_async_call_that_takes_too_long_is_stopped():
    stopped = []

    async def slow(arguments):
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            stopped.append(True)
            raise

    service = ToolService()
    service.add(define(), slow, call_timeout_s=0.05)
    started = time.monotonic()
    result = run(service.call_tool("tool"))
    assert time.monotonic() - started < 5
    assert stopped == [True]
    assert result["isError"] is True
    assert "0.05 s" in text_of(result)
    assert "was stopped" in text_of(result)


def test_a_blocking_call_that_takes_too_long_is_left_alone_and_keeps_its_place():
    go_on = threading.Event()

    async def main():
        service = ToolService(max_concurrent_calls=1)
        service.add(define("slow"), lambda _: go_on.wait(20), blocking=True, call_timeout_s=0.05)
        service.add(define("quick"), lambda _: 1)
        late = await service.call_tool("slow")
        busy = await service.call_tool("quick")
        go_on.set()
        for _ in range(500):
            after = await service.call_tool("quick")
            if not after["isError"]:
                break
            await asyncio.sleep(0.01)
        service.close()
        return late, busy, after

    late, busy, after = run(main())
    assert "may still be at work" in text_of(late)
    assert "1 calls at a time" in text_of(busy)
    assert after["structuredContent"] == 1


@pytest.mark.parametrize("service_s", [None, 0.05])
@pytest.mark.parametrize("tool_s", [None, 30])
def test_the_time_of_a_tool_comes_before_that_of_the_service(service_s, tool_s):
    async def slow(arguments):
        await asyncio.sleep(0.2)

    service = ToolService(call_timeout_s=service_s)
    service.add(define(), slow, call_timeout_s=tool_s)
    assert run(service.call_tool("tool"))["isError"] is False


def test_a_handler_that_is_done_in_time_is_not_bothered():
    async def main():
        service = ToolService(call_timeout_s=0.3)

        async def handler(arguments):
            await asyncio.sleep(0.01)
            return 1

        service.add(define(), handler)
        first = await service.call_tool("tool")
        await asyncio.sleep(0.5)  # the time of the call passes in its task, which has gone on
        return first["structuredContent"]

    assert run(main()) == 1


def test_exceptions_and_results_survive_the_timer():
    async def main():
        service = ToolService(call_timeout_s=5)
        inner = []

        async def handler(arguments):
            with contextlib.suppress(KeyError):
                await asyncio.gather(asyncio.sleep(0), fail())
            inner.append(asyncio.current_task())
            return "after"

        async def fail():
            await asyncio.sleep(0)
            raise KeyError

        service.add(define(), handler)
        assert (await service.call_tool("tool"))["structuredContent"] == "after"
        if hasattr(asyncio, "timeout"):  # before Python 3.11 a handler has a task of its own
            assert inner == [asyncio.current_task()]

    run(main())


def test_one_call_more_than_may_run_is_refused_at_once():
    async def main():
        service = ToolService(max_concurrent_calls=2)
        go_on = asyncio.Event()

        async def wait(arguments):
            await go_on.wait()
            return 1

        service.add(define(), wait)
        calls = [asyncio.create_task(service.call_tool("tool")) for _ in range(2)]
        await asyncio.sleep(0)
        refused = await service.call_tool("tool")
        go_on.set()
        results = await asyncio.gather(*calls)
        return refused, results, await service.call_tool("tool")

    refused, results, after = run(main())
    assert "try again later" in text_of(refused)
    assert [result["structuredContent"] for result in [*results, after]] == [1, 1, 1]


@pytest.mark.parametrize("failure", [ValueError, asyncio.CancelledError, SystemExit])
def test_every_end_of_a_call_gives_its_place_back(failure):
    async def handler(arguments):
        raise failure

    async def main():
        service = ToolService(max_concurrent_calls=1)
        service.add(define("async"), handler)
        service.add(define("plain"), lambda _: 1)
        with contextlib.suppress(asyncio.CancelledError):
            await service.call_tool("async")
        return await service.call_tool("plain")

    assert run(main())["structuredContent"] == 1


@pytest.mark.parametrize("failure", [StopIteration, ValueError, SystemExit, asyncio.CancelledError])
def test_whatever_a_thread_raises_comes_back(failure):
    def handler(arguments):
        raise failure("secret")

    async def main():
        service = ToolService(max_concurrent_calls=1)
        service.add(define(), handler, blocking=True)
        for _ in range(2):
            result = await service.call_tool("tool")
        service.close()
        return result

    assert "internal error" in text_of(run(main()))


# Cancellation -------------------------------------------------------------------------------------


async def cancelled_future(arguments):
    task = asyncio.create_task(asyncio.sleep(60))
    task.cancel()
    await task


def raising(failure):
    def handler(arguments):
        raise failure

    return handler


def raising_late(failure):
    async def handler(arguments):
        await asyncio.sleep(0)
        raise failure

    return handler


@pytest.mark.parametrize("seconds", [None, 30])
@pytest.mark.parametrize(
    "handler",
    [
        cancelled_future,
        raising(asyncio.CancelledError),
        raising_late(asyncio.CancelledError),
        raising(GeneratorExit),
        raising_late(GeneratorExit),
    ],
)
def test_what_ends_others_is_a_failure_like_any_when_a_handler_raises_it(handler, seconds, caplog):
    async def main():
        service = ToolService(call_timeout_s=seconds, max_concurrent_calls=1)
        service.add(define(), handler)
        await service.call_tool("tool")
        return await service.call_tool("tool")

    assert "internal error" in text_of(run(main()))
    assert issubclass(caplog.records[-1].exc_info[0], (asyncio.CancelledError, GeneratorExit))


def test_a_timeout_leaves_no_mark_on_the_task():
    async def swallow(arguments):
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return "cleaned up"

    async def fail(arguments):
        try:
            await asyncio.sleep(60)
        finally:
            raise ValueError

    async def slow(arguments):
        await asyncio.sleep(60)

    async def main():
        service = ToolService(call_timeout_s=0.02)
        for name, handler in {"a": swallow, "b": fail, "c": slow, "d": cancelled_future}.items():
            service.add(define(name), handler)
        return [text_of(await service.call_tool(name)) for name in "abcdcba"]

    texts = run(main())
    for text, expected in zip(
        texts, ["cleaned up", "internal error", "did not finish", "internal error", "did not finish", "internal error"]
    ):
        assert expected in text


def test_an_inner_limit_is_the_handlers_own():
    async def handler(arguments):
        try:
            await asyncio.wait_for(asyncio.sleep(60), 0.02)
        except asyncio.TimeoutError:
            return "inner"

    service = ToolService(call_timeout_s=30)
    service.add(define(), handler)
    assert run(service.call_tool("tool"))["structuredContent"] == "inner"


@pytest.mark.parametrize("first", ["caller", "timeout"])
def test_a_caller_who_is_cancelled_as_time_runs_out_is_cancelled(first):
    class Awaited(asyncio.Future):
        """Has the call cancelled in the moment in which its time has run out, before its task hears of that."""

        def cancel(self, msg=None):
            cancelled = super().cancel(msg)
            if cancelled and first == "timeout":
                call.cancel()
            return cancelled

    async def main():
        nonlocal call
        service = ToolService(call_timeout_s=0.05)
        service.add(define(), lambda _: Awaited())
        call = asyncio.create_task(service.call_tool("tool"))
        await asyncio.sleep(0)
        if first == "caller":
            call.cancel()
            time.sleep(0.1)  # both are due in the same turn of the loop
        with pytest.raises(asyncio.CancelledError):
            await call
        return service._runner.running

    call = None
    assert run(main()) == 0


@pytest.mark.parametrize("seconds", [None, 30])
def test_a_handler_that_cleans_up_for_a_while_hears_of_a_cancellation_all_the_same(seconds):
    cleaned = []

    async def handler(arguments):
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.01)
            cleaned.append(True)

    async def main():
        service = ToolService(call_timeout_s=seconds)
        service.add(define(), handler)
        call = asyncio.create_task(service.call_tool("tool"))
        await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    run(main())
    assert cleaned == [True]


@pytest.mark.skipif(not hasattr(asyncio, "timeout"), reason="asyncio.timeout is there from Python 3.11 on")
def test_a_cancellation_that_was_taken_back_is_nobodys_any_more():
    async def handler(arguments):
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.01):
                await asyncio.sleep(60)
        await cancelled_future(arguments)

    service = ToolService()
    service.add(define(), handler)
    assert "internal error" in text_of(run(service.call_tool("tool")))


@pytest.mark.parametrize("blocking", [False, True])
def test_a_cancellation_that_is_still_to_come_is_the_callers(blocking):
    async def waits(arguments):
        await asyncio.sleep(0.05)

    service = ToolService()
    service.add(define(), (lambda arguments: time.sleep(0.05)) if blocking else waits, blocking=blocking)

    async def body():
        asyncio.current_task().cancel()
        return await service.call_tool("tool")

    async def main():
        with pytest.raises(asyncio.CancelledError):
            await asyncio.ensure_future(body())

    run(main())


async def ignores_cancellation(arguments):
    while True:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(60)


async def ignores_cancellation_and_spins(arguments):
    while True:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(0)


async def cleans_up_for_ever(arguments):
    try:
        await asyncio.sleep(60)
    finally:
        await asyncio.sleep(60)


async def ignores_everything(arguments):
    for _ in range(3):
        with contextlib.suppress(BaseException):
            await asyncio.sleep(60)


@pytest.mark.parametrize(
    "handler",
    [
        ignores_cancellation,
        ignores_cancellation_and_spins,
        cleans_up_for_ever,
        ignores_everything,
    ],
)
def test_a_handler_that_goes_on_regardless_is_ended_where_it_waits(handler):
    async def main():
        service = ToolService(call_timeout_s=0.05, max_concurrent_calls=1)
        service.add(define(), handler)
        service.add(define("other"), dict)
        started = time.monotonic()
        result = await service.call_tool("tool")
        took = time.monotonic() - started
        after = await service.call_tool("other")
        return result, took, after

    result, took, after = run(main())
    assert "did not finish" in text_of(result)
    assert took < 5
    assert after["isError"] is False


def test_closing_a_call_closes_its_handler():
    ended = []

    async def handler(arguments):
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    async def main():
        service = ToolService()
        service.add(define(), handler)
        call = service.call_tool("tool")
        call.send(None)
        await asyncio.sleep(0)  # before Python 3.11 the handler starts in the next turn
        call.close()
        return service._runner.running

    assert (run(main()), ended) == (0, [True])


def test_a_closed_service_starts_no_threads():
    async def main():
        service = ToolService()
        service.add(define(), dict, blocking=True)
        service.close()
        return await service.call_tool("tool"), service._runner

    result, runner = run(main())
    assert "about to stop" in text_of(result)
    assert runner.running == 0


def tool_threads():
    return {thread for thread in threading.enumerate() if thread.name == "schemafuse-tool"}


def wait_until(condition):
    """Wait for what another thread does; it comes soon, or never."""
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_closing_waits_for_no_thread_and_ends_the_idle_ones(monkeypatch):
    monkeypatch.setattr(threads_module, "IDLE_S", 600)
    begun, go_on, ended = threading.Event(), threading.Event(), []

    def handler(arguments):
        begun.set()
        go_on.wait(20)
        ended.append(True)

    async def main():
        service = ToolService()
        service.add(define("slow"), handler, blocking=True)
        service.add(define("quick"), dict, blocking=True)
        calls = [asyncio.create_task(service.call_tool(name)) for name in ("slow", "quick")]
        await calls[1]
        await asyncio.to_thread(begun.wait, 20)
        service.close()
        at_work = list(ended)
        wait_until(lambda: len(tool_threads() - before) == 1)
        go_on.set()
        return at_work, (await calls[0])["isError"]

    before = tool_threads()
    assert run(main()) == ([], False)
    wait_until(lambda: tool_threads() <= before)


def test_threads_are_used_again_and_hold_up_no_exit():
    threads = []

    async def main():
        service = ToolService(max_concurrent_calls=2)
        service.add(define(), lambda _: threads.append(threading.current_thread()), blocking=True)
        for _ in range(20):
            await asyncio.gather(service.call_tool("tool"), service.call_tool("tool"))
        service.close()

    run(main())
    assert len(threads) == 40
    assert len(set(threads)) <= 2
    assert all(thread.daemon for thread in threads)


def test_a_thread_without_work_ends(monkeypatch):
    monkeypatch.setattr(threads_module, "IDLE_S", 0.01)

    async def main():
        service = ToolService()
        service.add(define(), lambda _: threading.current_thread().name, blocking=True)
        names = []
        for _ in range(2):
            names.append((await service.call_tool("tool"))["structuredContent"])
            wait_until(lambda: tool_threads() <= before)
        return names

    before = tool_threads()
    assert run(main()) == ["schemafuse-tool"] * 2


def test_a_thread_that_cannot_be_started_takes_no_place(monkeypatch):
    def fail(thread):
        raise RuntimeError("can't start new thread")

    async def main():
        service = ToolService()
        service.add(define(), dict, blocking=True)
        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", fail)
            failed = await service.call_tool("tool")
        after = await service.call_tool("tool")
        service.close()
        return text_of(failed), after["isError"], service._runner.running

    text, failed_again, running = run(main())
    assert "internal error" in text
    assert (failed_again, running) == (False, 0)


@pytest.mark.parametrize("how", ["timeout", "cancelled"])
def test_what_a_thread_raises_too_late_is_logged(how, caplog):
    go_on = threading.Event()

    def handler(arguments):
        go_on.wait(20)
        raise ValueError("late")

    async def main():
        service = ToolService(call_timeout_s=0.02 if how == "timeout" else 30)
        service.add(define(), handler, blocking=True)
        call = asyncio.create_task(service.call_tool("tool"))
        await asyncio.sleep(0.001)
        if how == "cancelled":
            call.cancel()
        await asyncio.wait({call})
        go_on.set()
        wait_until(lambda: service._runner.running == 0)
        service.close()

    run(main())
    wait_until(lambda: [record for record in caplog.records if record.exc_info])
    [record] = [record for record in caplog.records if record.exc_info]
    assert str(record.exc_info[1]) == "late"
    assert record.getMessage() == 'the tool "tool" failed after its call had ended'


@pytest.mark.skipif(not hasattr(asyncio, "timeout"), reason="before Python 3.11 a handler has a task of its own")
@pytest.mark.parametrize(("seconds", "waits", "timers"), [(30, True, 1), (30, False, 0), (None, True, 0)])
def test_a_call_has_one_timer_and_only_if_it_waits(seconds, waits, timers, monkeypatch):
    async def handler(arguments):
        if waits:
            await asyncio.sleep(0)

    async def main():
        service = ToolService(call_timeout_s=seconds)
        service.add(define(), handler)
        loop = asyncio.get_running_loop()
        call_at, started = loop.call_at, []

        def counted(*given, **options):
            started.append(call_at(*given, **options))
            return started[-1]

        monkeypatch.setattr(loop, "call_at", counted)
        await service.call_tool("tool")
        return len(started), all(timer.cancelled() for timer in started)

    assert run(main()) == (timers, True)


@pytest.mark.parametrize("seconds", [None, 30])
def test_cancelling_a_call_cancels_its_handler(seconds):
    async def main():
        service = ToolService(call_timeout_s=seconds)
        started, ended = asyncio.Event(), []

        async def handler(arguments):
            started.set()
            try:
                await asyncio.sleep(60)
            finally:
                ended.append(True)

        service.add(define(), handler)
        call = asyncio.create_task(service.call_tool("tool"))
        await started.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        return ended

    assert run(main()) == [True]


def test_a_call_cancelled_before_it_waits_closes_its_handler():
    async def main():
        service = ToolService()

        async def handler(arguments):
            await asyncio.sleep(0)
            return 1

        service.add(define(), handler)
        call = asyncio.create_task(service.call_tool("tool"))
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        return (await service.call_tool("tool"))["structuredContent"]

    assert run(main()) == 1
