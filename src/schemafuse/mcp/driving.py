"""Drives what a handler left to wait for, in the task of whoever called it, within a time limit.

Comes in: something to await. Goes out: what it returns or raises, `CallTimeoutError` when its time ran out, and
`StrayError` for what would mean something else to the caller. Never calls `Task.cancel`: that leaves marks on a task
which has other things to do afterwards, and nobody could tell whose cancellation a `CancelledError` is. A task of its
own would know, but costs 10 µs a call, also for the many that never wait.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator
from contextvars import Context
from functools import partial
from types import CoroutineType
from typing import Any

#: Seconds that a handler may take to clean up once its time has run out, but no more than it had before.
CLEANUP_S = 1.0

logger = logging.getLogger("schemafuse.mcp")


class CallTimeoutError(Exception):
    """A call took longer than its tool may."""


class StrayError(Exception):
    """A handler raised one of `STRAY` by itself, as `__cause__`; its caller must not take it for his own."""


#: What ends whoever it reaches, and says that the caller was cancelled or closed.
STRAY = (asyncio.CancelledError, GeneratorExit)


async def drive(awaitable: Awaitable[Any], seconds: float | None) -> Any:
    """Await something for so long and no longer; None is any time."""
    coroutine: Any = awaitable if type(awaitable) is CoroutineType else _as_coroutine(awaitable)
    try:
        # Most calls of most tools never wait for anything: only one that does is worth the rest.
        waits_for = coroutine.send(None)
    except StopIteration as finished:
        return finished.value
    except STRAY as error:
        raise StrayError from error
    return await _Drive(coroutine, waits_for, seconds)


async def _as_coroutine(awaitable: Awaitable[Any]) -> Any:
    return await awaitable


#: From Python 3.11 on a task counts how often it was cancelled, without those who took it back, as a time limit within
#: the handler does.
_COUNTED = hasattr(asyncio.Task, "cancelling")


class _Cancellations:
    """Those of the current task, from here on; with one that it brought about just now and has yet to hear of."""

    __slots__ = ("_before", "_task")

    def __init__(self) -> None:
        task: Any = asyncio.current_task()
        self._task = task
        self._before: int = task.cancelling() - task._must_cancel if _COUNTED else 0

    def were_taken_back(self) -> bool:
        """Whether none is left; False where that can't be seen."""
        return bool(_COUNTED and self._task.cancelling() <= self._before)


class _Drive:
    """A coroutine on its way from where it first waits to its end."""

    __slots__ = (
        "_cancellations",
        "_cancelled",
        "_coroutine",
        "_due",
        "_seconds",
        "_timer",
        "_times",
        "_wait",
        "_waits_for",
    )

    def __init__(self, coroutine: Any, waits_for: Any, seconds: float | None) -> None:
        self._coroutine = coroutine
        self._waits_for = waits_for
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None
        self._wait: _Wait | None = None
        #: How often time ran out. Once: the coroutine is cancelled. Twice: it ends where it stands.
        self._times = 0
        #: Whether it has yet to hear that it is cancelled.
        self._due = False
        #: Whether it was told that the task was cancelled. It may wait for a while before it ends because of that.
        self._cancelled = False
        self._cancellations = _Cancellations()

    def __await__(self) -> Generator[Any, Any, Any]:
        if self._seconds is not None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._ring, self._seconds)
        try:
            while True:
                go_on = yield from self._pause()
                try:
                    self._waits_for = go_on()
                except StopIteration as finished:
                    return finished.value
                except asyncio.CancelledError as error:
                    if self._cancelled and not self._cancellations.were_taken_back():
                        raise
                    raise (CallTimeoutError if self._times else StrayError) from error
                except GeneratorExit as error:
                    raise StrayError from error
        finally:
            if self._timer is not None:
                self._timer.cancel()

    def _pause(self) -> Generator[Any, Any, Callable[[], Any]]:
        """Wait for what the coroutine waits for; return the way to go on with it."""
        waits_for = self._waits_for
        if getattr(waits_for, "_asyncio_future_blocking", None):
            waits_for = self._wait = _Wait(waits_for)
        thrown: BaseException | None = None
        try:
            yield waits_for
        except GeneratorExit:
            self._coroutine.close()
            raise
        except BaseException as error:
            # A task that waits for nothing in particular is told of its own cancellation only.
            if isinstance(error, asyncio.CancelledError) and (self._wait is None or self._wait.was_cancelled):
                self._cancelled = True
            thrown = error
        self._wait = None
        if self._times > 1:
            return self._end
        if self._due:
            self._due = False
            thrown = thrown or asyncio.CancelledError()
        return partial(self._coroutine.send, None) if thrown is None else partial(self._coroutine.throw, thrown)

    def _ring(self, seconds: float) -> None:
        """Time has run out: do what `Task.cancel` does, and see to it that this is not in vain."""
        self._times += 1
        if self._times == 1:
            self._due = self._wait is None or not self._wait.future.cancel()
            self._timer = asyncio.get_running_loop().call_later(min(seconds, CLEANUP_S), self._ring, seconds)
        elif self._wait is not None:
            self._wait.interrupt()

    def _end(self) -> None:
        """End a coroutine that went on although it was cancelled."""
        try:
            self._coroutine.close()
        except BaseException as error:
            logger.error("a handler that took too long could not be stopped properly", exc_info=error)
        raise asyncio.CancelledError


class _Wait:
    """A future as the task sees it: what asyncio asks of an object that is awaited. Tells whose cancellation it is."""

    __slots__ = ("_asyncio_future_blocking", "_context", "_wake", "future", "was_cancelled")

    _wake: Callable[[Any], None]
    _context: Context | None

    def __init__(self, future: asyncio.Future[Any]) -> None:
        self.future = future
        self._asyncio_future_blocking, future._asyncio_future_blocking = True, False
        #: Whether the task was cancelled while it waited.
        self.was_cancelled = False

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self.future.get_loop()

    def add_done_callback(self, wake: Callable[[Any], None], *, context: Context | None = None) -> None:
        self._wake, self._context = wake, context
        self.future.add_done_callback(wake, context=context)

    def cancel(self, msg: Any = None) -> bool:
        self.was_cancelled = True
        return self.future.cancel(msg)

    def interrupt(self) -> None:
        """Wake the task, whatever becomes of the future."""
        if self.future.remove_done_callback(self._wake):
            self.get_loop().call_soon(self._wake, self, context=self._context)

    def result(self) -> None:
        """What the task is given when it was woken by `interrupt`."""
