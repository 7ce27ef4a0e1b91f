"""Drives what a handler left to wait for, within a time limit.

Comes in: something to await. Goes out: what it returns or raises, `CallTimeoutError` when its time ran out, and
`StrayError` for what would mean something else to the caller. Leaves no mark on the caller's task.
"""

from __future__ import annotations

import asyncio
import logging
import types
from collections.abc import Awaitable, Generator
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

#: From Python 3.11 on a task counts how often it was cancelled, so that a time limit can take its own back.
_COUNTED = hasattr(asyncio.Task, "cancelling")


async def drive(awaitable: Awaitable[Any], seconds: float | None) -> Any:
    """Await something for so long, with some time to clean up, and no longer; None is any time."""
    coroutine: Any = awaitable if type(awaitable) is types.CoroutineType else _as_coroutine(awaitable)
    if not _COUNTED:
        return await _in_a_task(coroutine, seconds)
    try:
        # Most calls of most tools never wait for anything: only one that does is worth the rest.
        waits_for = coroutine.send(None)
    except StopIteration as finished:
        return finished.value
    except STRAY as error:
        raise StrayError from error
    return await _in_time(coroutine, waits_for, seconds)


async def _as_coroutine(awaitable: Awaitable[Any]) -> Any:
    return await awaitable


async def _in_time(coroutine: Any, waits_for: Any, seconds: float | None) -> Any:
    task: Any = asyncio.current_task()
    # Not the one that has been asked for and is still to come, at the first wait: that is the caller's as well.
    before = task.cancelling() - bool(getattr(task, "_must_cancel", False))
    limit = _Limit(task, seconds)
    try:
        return await _rest(coroutine, waits_for, limit)
    except asyncio.CancelledError as error:
        limit.end()
        if task.cancelling() > before:
            raise
        raise (CallTimeoutError if limit.cancelled else StrayError) from error
    finally:
        limit.end()


class _Limit:
    """The time of a call: cancels its task when that is up, and once more when the time to clean up is as well.

    One timer, where `asyncio.timeout` for each would cost as much again as all the rest of a call.
    """

    __slots__ = ("_ours", "_seconds", "_task", "_timer", "cancelled")

    def __init__(self, task: Any, seconds: float | None) -> None:
        self._task = task
        self._seconds = seconds
        self._timer = None if seconds is None else asyncio.get_running_loop().call_later(seconds, self._up)
        #: How often the task was cancelled by this.
        self.cancelled = 0
        #: How many of those it has not taken back.
        self._ours = 0

    @property
    def is_over(self) -> bool:
        """Whether the time to clean up has run out."""
        return self.cancelled > 1

    def _up(self) -> None:
        self.cancelled += 1
        self._ours += 1
        self._timer = None
        if not self.is_over and self._seconds is not None:
            cleanup_s = min(self._seconds, CLEANUP_S)
            self._timer = asyncio.get_running_loop().call_later(cleanup_s, self._up)
        self._task.cancel()

    def end(self) -> None:
        """Leave no mark on the task."""
        if self._timer is not None:
            self._timer.cancel()
        while self._ours:
            self._ours -= 1
            self._task.uncancel()


@types.coroutine
def _rest(coroutine: Any, waits_for: Any, limit: _Limit) -> Generator[Any, Any, Any]:
    """A coroutine on its way from where it first waits to its end, or to where it waits when its limit is over."""
    while True:
        try:
            given = yield waits_for
            go_on = coroutine.send
        except GeneratorExit:
            coroutine.close()
            raise
        except BaseException as error:
            if limit.is_over:
                _close(coroutine)
                raise
            given, go_on = error, coroutine.throw
        try:
            waits_for = go_on(given)
        except StopIteration as finished:
            return finished.value
        except GeneratorExit as error:
            raise StrayError from error


def _close(coroutine: Any) -> None:
    """End a coroutine that went on although it was cancelled."""
    try:
        coroutine.close()
    except BaseException as error:  # it goes on regardless, or its own clean-up failed
        logger.error("a handler that took too long could not be stopped properly", exc_info=error)


async def _in_a_task(coroutine: Any, seconds: float | None) -> Any:
    """The same where nothing counts cancellations: a task of its own knows whose each is, for 10 µs a call."""
    task = asyncio.ensure_future(_outcome(coroutine))
    try:
        in_time, _ = await asyncio.wait({task}, timeout=seconds)
    except GeneratorExit:  # closed: nothing can be waited for
        _close(coroutine)
        task.cancel()
        raise
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task})
        raise
    if seconds is not None and not in_time:
        task.cancel()
        await asyncio.wait({task}, timeout=min(seconds, CLEANUP_S))
        if not task.done():
            _close(coroutine)
            task.cancel()
            raise CallTimeoutError
    value, error = (None, asyncio.CancelledError()) if task.cancelled() else task.result()
    if isinstance(error, asyncio.CancelledError) and not in_time:
        raise CallTimeoutError from error
    if isinstance(error, STRAY):
        raise StrayError from error
    if error is not None:
        raise error
    return value


async def _outcome(coroutine: Any) -> tuple[Any, BaseException | None]:
    """Carry over what a handler raises as well: a task lets some exceptions through to the loop."""
    try:
        return await coroutine, None
    except BaseException as error:
        return None, error
