"""Runs handlers: on the loop or in a thread, not too many at once and not for too long.

Comes in: an entry, checked arguments, and the call. Goes out: what the handler returned, or what it raised, with
`StrayError` in place of what its caller would take for his own; `CallTimeoutError`, `ServerBusyError` and
`ServerClosedError` where it did neither. A place is given back when the work has really ended; what a thread raises
when nobody waits for it any more goes to the log.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeAlias

from ..render import quote_text
from .calls import Call
from .driving import STRAY, StrayError, drive
from .registry import Entry, Handler
from .threads import Threads

logger = logging.getLogger("schemafuse.mcp")

#: What a handler in a thread returned, or what it raised.
Outcome: TypeAlias = tuple[Any, BaseException | None]


class ServerBusyError(Exception):
    """As many calls run as may run at once."""


class Runner:
    """Runs the calls of one service, at most `max_concurrent_calls` at once, those in threads included."""

    def __init__(self, max_concurrent_calls: int) -> None:
        self.limit = max_concurrent_calls
        self.running = 0
        self._lock = threading.Lock()
        self._threads = Threads("schemafuse-tool")

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
            future = self._threads.submit(_job(entry.handler, given))
        except BaseException:
            self._give_back()
            raise
        # A thread can't be stopped: whoever waits for it may go, its place is taken until it ends.
        future.add_done_callback(lambda _: self._give_back())
        try:
            value, error = await drive(asyncio.wrap_future(future), entry.timeout_s)
        except BaseException:
            future.add_done_callback(lambda late: _log_late(entry, late))
            raise
        if isinstance(error, STRAY):
            raise StrayError from error
        if error is not None:
            raise error
        return value

    def _give_back(self) -> None:
        with self._lock:
            self.running -= 1

    def close(self) -> None:
        """Start no more threads, and don't wait for those that run."""
        self._threads.close()


_PLAIN = frozenset((dict, list, str, int, float, bool, type(None)))


def _job(handler: Handler, given: tuple[Any, ...]) -> Callable[[], Outcome]:
    """Return what calls a handler and carries over what it raises as well: not every exception passes a future."""
    context = contextvars.copy_context()

    def run() -> Outcome:
        try:
            return context.run(handler, *given), None
        except BaseException as error:
            return None, error

    return run


def _log_late(entry: Entry, future: Future[Outcome]) -> None:
    """Log what a handler raised that nobody waited for any more."""
    error = None if future.cancelled() else future.result()[1]
    if error is not None:
        name = quote_text(entry.tool.name, 140)
        logger.error("the tool %s failed after its call had ended", name, exc_info=error)
