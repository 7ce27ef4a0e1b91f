"""Runs handlers: on the loop or in a thread, not too many at once and not for too long.

Comes in: an entry, checked arguments, and the call. Goes out: what the handler returned, or what it raised, with
`StrayError` in place of what its caller would take for his own; `CallTimeoutError`, `ServerBusyError` and
`ServerClosedError` where it did neither. A place is given back when the work has really ended.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import inspect
import threading
from typing import Any

from .calls import Call
from .driving import STRAY, StrayError, drive
from .registry import Entry, Handler


class ServerBusyError(Exception):
    """As many calls run as may run at once."""


class ServerClosedError(Exception):
    """The service was closed, so no thread is started."""


class Runner:
    """Runs the calls of one service, at most `max_concurrent_calls` at once, those in threads included."""

    def __init__(self, max_concurrent_calls: int) -> None:
        self.limit = max_concurrent_calls
        self.running = 0
        self._lock = threading.Lock()
        self._threads: concurrent.futures.ThreadPoolExecutor | None = None
        self._closed = False

    async def run(self, entry: Entry, arguments: dict[str, Any], call: Call | None) -> Any:
        """Return what the handler returns. See the module for what is raised."""
        with self._lock:
            if self.running >= self.limit:
                raise ServerBusyError
            self.running += 1
        given = (arguments, call) if entry.takes_call else (arguments,)
        if entry.blocking:
            return await self._run_in_thread(entry, given)
        try:
            try:
                outcome = entry.handler(*given)
            except STRAY as error:
                raise StrayError from error
            # Plain functions may hand out a coroutine too; JSON values of exact types are not worth asking.
            if entry.is_async or (type(outcome) not in _PLAIN and inspect.isawaitable(outcome)):
                return await drive(outcome, entry.timeout_s)
            return outcome
        finally:
            self._give_back()

    async def _run_in_thread(self, entry: Entry, given: tuple[Any, ...]) -> Any:
        try:
            future = self._pool().submit(contextvars.copy_context().run, _outcome, entry.handler, given)
        except BaseException:
            self._give_back()
            raise
        # A thread can't be stopped: whoever waits for it may go, its place is taken until it ends.
        future.add_done_callback(lambda _: self._give_back())
        value, error = await drive(asyncio.wrap_future(future), entry.timeout_s)
        if isinstance(error, STRAY):
            raise StrayError from error
        if error is not None:
            raise error
        return value

    def _pool(self) -> concurrent.futures.ThreadPoolExecutor:
        with self._lock:
            if self._closed:
                raise ServerClosedError
            if self._threads is None:
                self._threads = concurrent.futures.ThreadPoolExecutor(self.limit, "schemafuse-tool")
            return self._threads

    def _give_back(self) -> None:
        with self._lock:
            self.running -= 1

    def close(self) -> None:
        """Start no more threads, and don't wait for those that run."""
        with self._lock:
            self._closed = True
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
