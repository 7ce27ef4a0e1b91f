"""Drives what a handler left to wait for, within a time limit.

Comes in: something to await. Goes out: what it returns or raises, `CallTimeoutError` when its time ran out, and
`StrayError` for what would mean something else to the caller. Leaves no mark on the caller's task.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Generator
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

#: From Python 3.11 on a task counts how often it was cancelled, so that a time limit can take its own back.
_COUNTED = hasattr(asyncio.Task, "cancelling")


async def drive(awaitable: Awaitable[Any], seconds: float | None) -> Any:
    """Await something for so long, with some time to clean up, and no longer; None is any time."""
    coroutine: Any = awaitable if type(awaitable) is CoroutineType else _as_coroutine(awaitable)
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
    before = task.cancelling()
    last: Any = asyncio.timeout(_with_cleanup(seconds))  # type: ignore[attr-defined,unused-ignore]
    limit: Any = asyncio.timeout(seconds)  # type: ignore[attr-defined,unused-ignore]
    try:
        async with last, limit:
            return await _Rest(coroutine, waits_for, last)
    except asyncio.CancelledError as error:
        if task.cancelling() > before:
            raise
        raise StrayError from error
    except TimeoutError as error:
        if limit.expired():
            raise CallTimeoutError from error
        raise  # the handler's own


def _with_cleanup(seconds: float | None) -> float | None:
    return None if seconds is None else seconds + min(seconds, CLEANUP_S)


class _Rest:
    """A coroutine on its way from where it first waits to its end, or to where it waits when its last limit is up."""

    __slots__ = ("_coroutine", "_last", "_waits_for")

    def __init__(self, coroutine: Any, waits_for: Any, last: Any) -> None:
        self._coroutine = coroutine
        self._waits_for = waits_for
        self._last = last

    def __await__(self) -> Generator[Any, Any, Any]:
        waits_for = self._waits_for
        while True:
            try:
                sent = yield waits_for
            except GeneratorExit:
                self._coroutine.close()
                raise
            except BaseException as error:
                if self._last.expired():
                    _close(self._coroutine)
                    raise
                go_on = partial(self._coroutine.throw, error)
            else:
                go_on = partial(self._coroutine.send, sent)
            try:
                waits_for = go_on()
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
