"""Two other validators, asked in a process that can be killed: they hang, crash and recurse on what we admit.

Comes in: an `Oracle`'s `ask(document, instances)`. Goes out: True, False or None for each instance, None where there is
no answer, and a word on why. Kept away from them altogether: integers of more than 4,300 digits, NaN, lone surrogates,
patterns on which the regular expression engines disagree, and endless references (those we refuse first).

    python -m fuzz.oracles jsonschema-rs        # the side that is asked: pickles in, pickles out
"""

from __future__ import annotations

import functools
import os
import pickle
import select
import struct
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from . import grammar
from .schemas import Document

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 2.0


class Answer(NamedTuple):
    """What an oracle says of a schema and some instances."""

    verdicts: list[bool | None]
    reason: str = ""  # why there are no verdicts: "refused: …", "hang", "crash"


class Oracle:
    """One oracle in a process of its own, which is replaced when it had to be killed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._process: subprocess.Popen[bytes] | None = None

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "fuzz.oracles", self.name]
        # Sanitizers that are loaded for our own code stay out of it: they need more memory than an oracle may take.
        environment = {name: text for name, text in os.environ.items() if name not in ("LD_PRELOAD", "PYTHONMALLOC")}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(command, cwd=ROOT, env=environment, **pipes)  # type: ignore[call-overload, no-any-return]

    def ask(self, document: Document, instances: list[Any]) -> Answer:
        if self._process is None:
            self._process = self._start()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = (document.schema, document.assert_formats, instances)
        try:
            _write(self._process.stdin, request)
            ready, _, _ = select.select([self._process.stdout], [], [], SECONDS + 5)
            if ready:
                return Answer(*_read(self._process.stdout))
            reason = "hang"
        except (OSError, EOFError):
            reason = "crash" if self._process.wait() != -14 else "hang"  # SIGALRM, see `serve`
        self.close()
        return Answer([None] * len(instances), reason)

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None


def _write(stream: BinaryIO | Any, message: Any) -> None:
    data = pickle.dumps(message)
    stream.write(struct.pack("<I", len(data)) + data)
    stream.flush()


def _read(stream: BinaryIO | Any) -> Any:
    head = stream.read(4)
    if len(head) < 4:
        raise EOFError
    return pickle.loads(stream.read(struct.unpack("<I", head)[0]))


# --- the side that is asked

Judge = Callable[[Any], bool]


def jsonschema_rs_judge(schema: Any, assert_formats: bool) -> Judge:
    import jsonschema_rs

    return jsonschema_rs.validator_for(schema, offline=True, validate_formats=assert_formats).is_valid  # type: ignore[no-any-return]


def exact_multiple(validator: Any, divisor: Any, instance: Any, schema: Any) -> Any:
    """`multipleOf` by the decimal values that were written; jsonschema divides floats."""
    from jsonschema import ValidationError

    if validator.is_type(instance, "number") and Fraction(str(instance)) % Fraction(str(divisor)):
        yield ValidationError("not a multiple")


@functools.cache
def teach_jsonschema() -> None:
    """Give jsonschema two keywords of our own: an exact `multipleOf`, and `dependencies` also from 2019-09 on."""
    from jsonschema import validators
    from jsonschema._legacy_keywords import dependencies_draft4_draft6_draft7 as dependencies

    added = {"multipleOf": exact_multiple, "dependencies": dependencies}
    for uri in grammar.DIALECTS.values():
        # Registered: below a `$schema` it takes what it knows by that name, not the class that it was asked through.
        validators.validates(uri)(validators.extend(validators.validator_for({"$schema": uri}), added))


def jsonschema_judge(schema: Any, assert_formats: bool) -> Judge:
    from jsonschema import validators
    from referencing import Registry

    teach_jsonschema()
    return validators.validator_for(schema)(schema, registry=Registry()).is_valid  # type: ignore[no-any-return]


JUDGES: dict[str, Callable[[Any, bool], Judge]] = {
    "jsonschema-rs": jsonschema_rs_judge,
    "jsonschema": jsonschema_judge,
}


def answer(make: Callable[[Any, bool], Judge], schema: Any, assert_formats: bool, instances: list[Any]) -> Answer:
    try:
        judge = make(schema, assert_formats)
    except BaseException as error:  # a panic is no Exception
        return Answer([None] * len(instances), f"refused: {type(error).__name__}: {str(error)[:200]}")
    verdicts: list[bool | None] = []
    reason = ""
    for instance in instances:
        try:
            verdicts.append(judge(instance))
        except BaseException as error:
            verdicts.append(None)
            reason = f"raised: {type(error).__name__}: {str(error)[:200]}"
    return Answer(verdicts, reason)


def serve(name: str) -> None:
    import resource
    import signal

    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    make = JUDGES[name]
    while True:
        try:
            schema, assert_formats, instances = _read(sys.stdin.buffer)
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_REAL, SECONDS)  # its default action ends the process, whoever holds the lock
        said = answer(make, schema, assert_formats, instances)
        signal.setitimer(signal.ITIMER_REAL, 0)
        _write(sys.stdout.buffer, tuple(said))


if __name__ == "__main__":
    serve(sys.argv[1])
