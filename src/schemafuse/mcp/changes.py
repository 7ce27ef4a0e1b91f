"""Tells who wants to know that the list of tools has changed: once for changes that come together.

Comes in: callbacks, and changes from any thread. Goes out: one call of each callback in the next turn of its event
loop, however many changes there were. An async callback that is not done by then is called once more when it is. What
a callback raises is logged and stops nobody else.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
from collections.abc import Callable, Coroutine
from typing import Any

from .driving import STRAY

Callback = Callable[[], Any]

logger = logging.getLogger("schemafuse.mcp")


class ListChanges:
    """The callbacks of one service."""

    def __init__(self) -> None:
        self._subscriptions: dict[object, _Subscription] = {}

    def subscribe(self, callback: Callback) -> Callable[[], None]:
        """Register a callback, sync or async. Returns a function that takes it back; calling that twice is fine."""
        if not callable(callback):
            raise TypeError(f"the callback must be callable, not {type(callback).__name__}")
        key = object()
        self._subscriptions[key] = _Subscription(callback)

        def unsubscribe() -> None:
            subscription = self._subscriptions.pop(key, None)
            if subscription is not None:
                subscription.active = False

        return unsubscribe

    def happened(self) -> None:
        """Say that the list has changed."""
        for subscription in list(self._subscriptions.values()):
            subscription.ring()


class _Subscription:
    """One callback and the loop it belongs to: the one that ran when it was registered."""

    def __init__(self, callback: Callback) -> None:
        self.callback = callback
        self.active = True
        self._home = _running_loop()
        self._rung_on: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        #: What an async callback is still doing, and whether there were changes since it began.
        self._task: asyncio.Task[Any] | None = None
        self._again = False

    def ring(self) -> None:
        loop = self._home if self._home is not None and self._home.is_running() else _running_loop()
        if loop is None:
            self._tell()
            return
        with self._lock:
            # A loop that stopped before its next turn will not tell any more.
            if self._rung_on is not None and self._rung_on.is_running():
                return
            self._rung_on = loop
        try:
            loop.call_soon_threadsafe(self._tell)
        except RuntimeError:  # the loop was closed in this very moment: nobody is served by it any more
            self._rung_on = None

    def _tell(self) -> None:
        with self._lock:
            self._rung_on = None
        if not self.active:
            return
        if self._task is not None and self._task.get_loop().is_running():
            self._again = True  # one that waits for ever must not pile up tasks
            return
        try:
            outcome = self.callback()
            if inspect.iscoroutine(outcome):
                self._finish(outcome)
        except (Exception, *STRAY):  # a plain function cannot have been cancelled
            logger.exception("a list_changed callback failed")

    def _finish(self, outcome: Coroutine[Any, Any, Any]) -> None:
        loop = _running_loop()
        if loop is None:
            outcome.close()
            logger.warning("an async list_changed callback was not run: no event loop is running")
            return
        self._again = False
        self._task = loop.create_task(outcome)  # the loop itself keeps no reference
        self._task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._task = None
        if not task.cancelled() and task.exception() is not None:
            logger.error("a list_changed callback failed", exc_info=task.exception())
        if self._again:
            self._tell()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
