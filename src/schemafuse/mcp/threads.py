"""Threads for blocking handlers, none of which holds up the end of the process.

Comes in: jobs, functions that never raise. Goes out: a future each. The interpreter waits at its end for the threads of
`concurrent.futures`, however long their work takes; these are daemons, and end with the process.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

#: Seconds after which a thread without work ends.
IDLE_S = 10.0

Job = tuple["Future[Any]", Callable[[], Any]]


class ServerClosedError(Exception):
    """The service was closed, so no thread is started."""


class Threads:
    """As many threads as there are jobs at once: who submits them bounds that."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        #: Threads that wait for a job, those aside for which there is one in the queue.
        self._idle = 0
        self._closed = False

    def submit(self, run: Callable[[], Any]) -> Future[Any]:
        """Have `run()` called in a thread. Raises `ServerClosedError`, and whatever starting a thread raises."""
        job: Job = (Future(), run)
        with self._lock:
            if self._closed:
                raise ServerClosedError
            if self._idle:
                self._idle -= 1
                self._jobs.put(job)
            else:
                threading.Thread(target=self._work, args=(job,), name=self._name, daemon=True).start()
        return job[0]

    def close(self) -> None:
        """Start no more threads, and don't wait for those that run."""
        with self._lock:
            self._closed = True
            for _ in range(self._idle):
                self._jobs.put(None)
            self._idle = 0

    def _work(self, job: Job | None) -> None:
        while job is not None:
            future, run = job
            wanted = future.set_running_or_notify_cancel()
            outcome = run() if wanted else None
            # Before anybody learns of the outcome: who then submits the next job finds this thread.
            self._offer()
            if wanted:
                future.set_result(outcome)
            del future, run, outcome  # what a call leaves behind does not live as long as its thread
            job = self._next()

    def _offer(self) -> None:
        with self._lock:
            if self._closed:
                self._jobs.put(None)
            else:
                self._idle += 1

    def _next(self) -> Job | None:
        while True:
            try:
                return self._jobs.get(timeout=IDLE_S)
            except queue.Empty:
                with self._lock:
                    if self._idle:  # else there is a job in the queue by now, for this thread
                        self._idle -= 1
                        return None
