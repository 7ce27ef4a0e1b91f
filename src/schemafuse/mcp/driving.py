"""Drives what a handler left to wait for, within a time limit.

Comes in: something to await. Goes out: what it returns or raises, `CallTimeoutError` when its time ran out, and
`StrayError` for what would mean something else to the caller. Leaves no mark on the caller's task.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Generator
from functools import partial
from types import CoroutineType
from typing import Any


class CallTimeoutError(Exception):
    """A call took longer than its tool may."""


class StrayError(Exception):
    """A handler raised one of `STRAY` by itself, as `__cause__`; its caller must not take it for his own."""


#: What ends whoever it reaches, and says that the caller was cancelled or closed.
STRAY = (asyncio.CancelledError, GeneratorExit)

#: From Python 3.11 on a task counts how often it was cancelled, so that a time limit can take its own back.
_COUNTED = hasattr(asyncio.Task, "cancelling")


async def drive(awaitable: Awaitable[Any], seconds: float | None) -> Any:
    """Await something for so long and no longer; None is any time. What catches its cancellation is waited for."""
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
    return await _in_time(_Rest(coroutine, waits_for), seconds)


async def _as_coroutine(awaitable: Awaitable[Any]) -> Any:
    return await awaitable


async def _in_time(rest: _Rest, seconds: float | None) -> Any:
    task: Any = asyncio.current_task()
    before = task.cancelling()
    limit: Any = asyncio.timeout(seconds)  # type: ignore[attr-defined,unused-ignore]
    try:
        async with limit:
            return await rest
    except asyncio.CancelledError as error:
        if task.cancelling() > before:
            raise
        raise StrayError from error
    except TimeoutError as error:
        if limit.expired():
            raise CallTimeoutError from error
        raise  # the handler's own


class _Rest:
    """A coroutine on its way from where it first waits to its end."""

    __slots__ = ("_coroutine", "_waits_for")

    def __init__(self, coroutine: Any, waits_for: Any) -> None:
        self._coroutine = coroutine
        self._waits_for = waits_for

    def __await__(self) -> Generator[Any, Any, Any]:
        waits_for = self._waits_for
        while True:
            try:
                sent = yield waits_for
            except GeneratorExit:
                self._coroutine.close()
                raise
            except BaseException as error:
                go_on = partial(self._coroutine.throw, error)
            else:
                go_on = partial(self._coroutine.send, sent)
            try:
                waits_for = go_on()
            except StopIteration as finished:
                return finished.value
            except GeneratorExit as error:
                raise StrayError from error


async def _in_a_task(coroutine: Any, seconds: float | None) -> Any:
    """The same where nothing counts cancellations: a task of its own knows whose each is, for 10 µs a call."""
    task = asyncio.ensure_future(coroutine)
    in_time: Any = ()
    try:
        in_time, _ = await asyncio.wait({task}, timeout=seconds)
    except GeneratorExit:  # closed: nothing can be waited for
        task.cancel()
        raise
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait({task})
        raise
    if not in_time:
        task.cancel()
        await asyncio.wait({task})
    try:
        return task.result()
    except STRAY as error:
        raise (StrayError if in_time else CallTimeoutError) from error
