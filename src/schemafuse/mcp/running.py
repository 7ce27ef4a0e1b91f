"""Runs handlers: on the loop or in a thread, not too many at once and not for too long.

Comes in: an entry, checked arguments, and the call. Goes out: what the handler returned, or what it raised;
`CallTimeoutError` and `ServerBusyError` where it did neither. A place is given back when the work has really ended.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import inspect
import threading
from collections.abc import Awaitable, Generator
from types import CoroutineType
from typing import Any

from .calls import Call
from .registry import Entry, Handler


class ServerBusyError(Exception):
    """As many calls run as may run at once."""


class CallTimeoutError(Exception):
    """A call took longer than its tool may."""


class Runner:
    """Runs the calls of one service, at most `max_concurrent_calls` at once, those in threads included."""

    def __init__(self, max_concurrent_calls: int) -> None:
        self.limit = max_concurrent_calls
        self.running = 0
        self._lock = threading.Lock()
        self._threads: concurrent.futures.ThreadPoolExecutor | None = None

    async def run(self, entry: Entry, arguments: dict[str, Any], call: Call | None) -> Any:
        """Return what the handler returns. Raises what it raises, `ServerBusyError` or `CallTimeoutError`."""
        with self._lock:
            if self.running >= self.limit:
                raise ServerBusyError
            self.running += 1
        given = (arguments, call) if entry.takes_call else (arguments,)
        if entry.blocking:
            return await self._run_in_thread(entry, given)
        try:
            outcome = entry.handler(*given)
            # Plain functions may hand out a coroutine too; JSON values of exact types are not worth asking.
            if entry.is_async or (type(outcome) not in _PLAIN and inspect.isawaitable(outcome)):
                if entry.timeout_s is None:
                    return await outcome
                return await _within(outcome, entry.timeout_s)
            return outcome
        finally:
            self._give_back()

    async def _run_in_thread(self, entry: Entry, given: tuple[Any, ...]) -> Any:
        try:
            if self._threads is None:
                self._threads = concurrent.futures.ThreadPoolExecutor(self.limit, "schemafuse-tool")
            future = self._threads.submit(contextvars.copy_context().run, _outcome, entry.handler, given)
        except BaseException:
            self._give_back()
            raise
        # A thread can't be stopped: whoever waits for it may go, its place is taken until it ends.
        future.add_done_callback(lambda _: self._give_back())
        waiting = asyncio.wrap_future(future)
        value, error = await (waiting if entry.timeout_s is None else _within(waiting, entry.timeout_s))
        if error is not None:
            raise error
        return value

    def _give_back(self) -> None:
        with self._lock:
            self.running -= 1

    def close(self) -> None:
        """Start no more threads, and don't wait for those that run."""
        threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown(wait=False, cancel_futures=True)


_PLAIN = frozenset((dict, list, str, int, float, bool, type(None)))


def _outcome(handler: Handler, given: tuple[Any, ...]) -> tuple[Any, BaseException | None]:
    """Call a handler and carry over what it raises as well: not every exception passes through a future."""
    try:
        return handler(*given), None
    except BaseException as error:
        return None, error


async def _within(awaitable: Awaitable[Any], seconds: float) -> Any:
    """Await something for so long and no longer; what asyncio.timeout does, from Python 3.10 on."""
    if type(awaitable) is CoroutineType:
        # Most calls of most tools never wait for anything: only one that does is worth a timer.
        try:
            awaitable = _Rest(awaitable, awaitable.send(None))
        except StopIteration as finished:
            return finished.value
    task = asyncio.current_task()
    assert task is not None
    alarm = _Alarm(task)
    timer = task.get_loop().call_later(seconds, alarm.ring)
    try:
        return await awaitable
    except asyncio.CancelledError:
        if alarm.was_the_only_one():
            raise CallTimeoutError from None
        raise
    finally:
        timer.cancel()


class _Rest:
    """A coroutine that has run to where it first waits, and what it waits for there."""

    __slots__ = ("_coroutine", "_waits_for")

    def __init__(self, coroutine: CoroutineType[Any, Any, Any], waits_for: Any) -> None:
        self._coroutine = coroutine
        self._waits_for = waits_for

    def __await__(self) -> Generator[Any, Any, Any]:
        # What `yield from` does, from the second step on (PEP 380).
        coroutine, waits_for = self._coroutine, self._waits_for
        try:
            while True:
                try:
                    sent = yield waits_for
                except GeneratorExit:
                    coroutine.close()
                    raise
                except BaseException as error:
                    waits_for = coroutine.throw(error)
                else:
                    waits_for = coroutine.send(sent)
        except StopIteration as finished:
            return finished.value


class _Alarm:
    """Cancels a task once, and can tell whether somebody else did too."""

    __slots__ = ("_rang", "_task")

    def __init__(self, task: asyncio.Task[Any]) -> None:
        self._task = task
        self._rang = False

    def ring(self) -> None:
        self._rang = True
        self._task.cancel()

    def was_the_only_one(self) -> bool:
        if not self._rang:
            return False
        uncancel = getattr(self._task, "uncancel", None)  # from Python 3.11 on
        return uncancel is None or uncancel() == 0


def is_being_cancelled() -> bool:
    """Say whether a CancelledError is meant for the current task, and not one that a handler ran into elsewhere."""
    task = asyncio.current_task()
    cancelling = getattr(task, "cancelling", None)
    return cancelling is None or cancelling() > 0
