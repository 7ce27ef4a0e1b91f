"""Run hostile cases so that none of them can hurt the caller.

Comes in: an engine's name and keys of cases. Goes out: an `Outcome` for each, whatever the case did to its process:
hang, crash, memory, a socket or a file it tried to open. The work is done by `fuzz.worker`, one child process for
every case.

    with Harness("schemafuse") as harness:
        outcome = harness.run("exp-allOf-ref-30-fail")
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]


class Outcome(NamedTuple):
    """How one case ended. Labels as in engines.py, or one of "hang", "crash", "memory", "touched"."""

    labels: tuple[str, ...]
    detail: str
    seconds: float  # processor time, building the case included
    megabytes: int  # resident at most, the interpreter and its libraries included

    def __str__(self) -> str:
        return "/".join(self.labels) + (f" ({self.detail})" if self.detail else "")


class Harness:
    """A worker process for one engine; a context manager."""

    def __init__(self, engine: str) -> None:
        command = [sys.executable, "-m", "fuzz.worker", engine]
        self._worker = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self._read() != "ready":
            raise RuntimeError(f"the worker for {engine} did not start")

    def _read(self) -> str:
        assert self._worker.stdout is not None
        return self._worker.stdout.readline().rstrip("\n")

    def run(self, key: str) -> Outcome:
        assert self._worker.stdin is not None
        self._worker.stdin.write(f"{key}\n")
        self._worker.stdin.flush()
        said = json.loads(self._read())
        return Outcome(tuple(said["labels"]), said["detail"], said["seconds"], said["megabytes"])

    def close(self) -> None:
        assert self._worker.stdin is not None
        assert self._worker.stdout is not None
        self._worker.stdin.close()
        self._worker.wait(timeout=30)
        self._worker.stdout.close()

    def __enter__(self) -> Harness:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
