"""The side of the harness that cases run on: one process that forks a child for every case.

    python -m fuzz.worker ENGINE

Comes in: case keys on stdin, one a line. Goes out: outcomes on stdout, as JSON, one a line.

A child may add `MEMORY` to its address space and spend `SECONDS` on the case; it can open no file and no socket (no
new descriptors), and an audit hook reports a Python-level attempt. It ends by a signal rather than by cooperation:
validators hold the interpreter lock.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sys
from typing import Any, NoReturn

from .cases import by_key
from .engines import Engine, warmed_up

#: The address sanitizer reserves terabytes of address space and is slow: no limits of that kind then.
SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")
SECONDS = 20.0 if SANITIZED else 2.0
MEMORY = 256 << 20
BUILD_SECONDS = 60
#: Audit events that are an attempt to reach something outside the process.
FORBIDDEN = ("open", "os.exec", "os.fork", "os.posix_spawn", "os.system", "socket.", "subprocess.", "urllib.")


class Touched(BaseException):
    """The engine tried to reach a file, a socket or a process."""


def address_space() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def deny(event: str, arguments: tuple[Any, ...]) -> None:
    if event.startswith(FORBIDDEN):
        raise Touched(f"{event} {arguments[:1]!r:.100}")


def run_case(key: str, engine: Engine, pipe: int) -> NoReturn:
    """Be the child: build the case, take every right away, run it, write the outcome to the pipe."""
    limit = address_space() + MEMORY
    signal.alarm(BUILD_SECONDS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    stage, labels, detail = "build", ("undocumented",), ""
    try:
        schema, instance = by_key()[key].build()
        stage = "run"
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what a dying library prints is no part of the outcome
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
        sys.addaudithook(deny)
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        labels, detail = engine(schema, instance)
    except Touched as error:
        labels, detail = ("touched",), str(error)
    except MemoryError:
        labels, detail = ("memory",), f"MemoryError while the case was in stage {stage}"
    except BaseException as error:
        # Not str(error): it may be the very thing that is too large.
        labels, detail = ("undocumented",), type(error).__name__
    signal.alarm(0)
    outcome = json.dumps({"labels": labels, "detail": detail[:300]})
    os.write(pipe, outcome.encode()[:4_000])
    os._exit(0)


def run_in_child(key: str, engine: Engine) -> dict[str, Any]:
    """Fork for one case and say how it ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            run_case(key, engine, writing)
        os._exit(70)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        said = file.read()
    _, status, usage = os.wait4(child, 0)
    outcome: dict[str, Any] = {"seconds": round(usage.ru_utime + usage.ru_stime, 3), "megabytes": usage.ru_maxrss >> 10}
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        return outcome | {"labels": ["hang" if name == "SIGALRM" else "crash"], "detail": name}
    if not said:
        return outcome | {"labels": ["crash"], "detail": f"exit status {os.WEXITSTATUS(status)}"}
    return outcome | json.loads(said)


def main(name: str) -> None:
    engine = warmed_up(name)
    by_key()
    print("ready", flush=True)
    for line in sys.stdin:
        key = line.rstrip("\n")
        print(json.dumps(run_in_child(key, engine)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
