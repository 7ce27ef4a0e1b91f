"""Coverage-guided fuzzing with atheris (libFuzzer): bytes choose what the grammar makes, new code reached is kept.

Comes in: libFuzzer's arguments, such as -max_total_time=60, and a folder for the corpus. Goes out: libFuzzer's log, and
for what breaks a property the complaint with the smallest pair and a crash file that brings it back. Counted is the
coverage of the package's Python modules and, when counters.c is preloaded, of its native core. No oracle is asked: it
would be most of the time and none of the coverage.

    make fuzz-guided SECONDS=60
"""

from __future__ import annotations

import ctypes
import importlib
import sys
from pathlib import Path
from random import Random
from typing import Any

import atheris

with atheris.instrument_imports(include=["schemafuse"], enable_loader_override=False):
    import schemafuse

from . import instances, malformed, patterns, properties, schemas
from .reporting import Findings

_SEEDS, _SEED_BYTES = 64, 600


class ByteRandom(Random):
    """A `Random` whose every choice is read from bytes; zeros when they are used up, which ends what is made soon."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._position = 0
        super().__init__(0)

    def getrandbits(self, k: int) -> int:
        count = (k + 7) // 8
        part = self._data[self._position : self._position + count]
        self._position += count
        return int.from_bytes(part, "little") & ((1 << k) - 1)

    def random(self) -> float:
        return self.getrandbits(16) / 65_536


def fault(data: bytes) -> tuple[str, str, schemas.Document | None, Any] | None:
    """Make what the bytes say, and return the first complaint about it."""
    random = ByteRandom(data)
    kind = random.randrange(8)
    if kind == 0:
        trial = patterns.trial(random)
        complaint = patterns.complaint_of(trial)
        return ("patterns", f"{complaint}: {trial!r:.500}", None, None) if complaint else None
    document = schemas.document(random)
    if kind == 1:
        document = document._replace(schema=malformed.malformed(document.schema, random))
    validator = properties.compiled(document)
    if isinstance(validator, schemafuse.SchemaError):
        complaint = properties.refusal_fault(validator)
        return ("refusal", complaint, document, None) if complaint else None
    subject = properties.Subject(document, validator)
    source = instances.Instances(document.schema, random)
    for position in range(3):
        instance = source.make()
        for name, complaint in properties.complaints(
            properties.Trial(subject, instance), thorough=position == 0 and kind > 1
        ):
            return name, complaint, document, instance
    return None


def test_one_input(data: bytes) -> None:
    found = fault(data)
    if found is None:
        return
    name, complaint, document, instance = found
    if document is None:
        raise AssertionError(f"{name}: {complaint}")
    Findings().broken(name, complaint, "the crash file", document, instance)
    raise AssertionError(f"{name}: {complaint}")


def count_native_code() -> bool:
    """Give libFuzzer the counters of counters.c, if that is preloaded."""
    process = ctypes.CDLL(None)
    if not hasattr(process, "schemafuse_counters"):
        return False
    parts = [ctypes.c_void_p() for _ in range(4)]
    process.schemafuse_counters(*map(ctypes.byref, parts))
    # The module that holds libFuzzer. Its symbols are libFuzzer's interface, that of clang's -fsanitize=fuzzer-no-link.
    library = ctypes.CDLL(importlib.import_module("atheris.core_with_libfuzzer").__file__)
    library.__sanitizer_cov_8bit_counters_init(*parts[:2])
    library.__sanitizer_cov_pcs_init(*parts[2:])
    return True


def plant(folder: Path) -> None:
    """Start a corpus with inputs long enough for whole documents: growing them from nothing takes libFuzzer hours."""
    folder.mkdir(parents=True, exist_ok=True)
    if not any(folder.iterdir()):
        for number in range(_SEEDS):
            (folder / f"seed-{number}").write_bytes(Random(number).randbytes(_SEED_BYTES))


def main() -> None:
    for argument in sys.argv[1:]:
        if not argument.startswith("-"):
            plant(Path(argument))
    atheris.Setup(sys.argv, test_one_input)
    print(f"native code counted: {count_native_code()}", flush=True)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
