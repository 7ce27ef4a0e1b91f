"""Run one function of a module of this folder in a fresh interpreter.

Comes in: the name, `module.function`. Goes out: what it printed, or a test failure that says by which signal or with
what last words it ended.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import schemafuse

#: The address sanitizer keeps freed memory and makes every frame larger: no test for a leak or a small stack then.
unless_sanitized = pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""), reason="the address sanitizer needs more stack and memory"
)
FOLDER = Path(__file__).resolve().parent
#: The same library as the one under test here, wherever it was imported from.
SOURCE = str(Path(schemafuse.__file__).resolve().parents[1])


def run_isolated(scenario: str, *, seconds: float = 120, **environment: str) -> str:
    """Run `scenario` and return what it prints; any way to end but a clean one is a failure."""
    module, function = scenario.split(".")
    program = f"import {module}; {module}.{function}()"
    try:
        done = subprocess.run(
            [sys.executable, "-X", "faulthandler", "-c", program],
            cwd=FOLDER,
            env={**os.environ, "PYTHONPATH": SOURCE, **environment},
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        pytest.fail(f"{scenario} did not end within {seconds} s", pytrace=False)
    if done.returncode:
        ending = signal.Signals(-done.returncode).name if done.returncode < 0 else f"exit status {done.returncode}"
        pytest.fail(f"{scenario}: {ending}\n{done.stderr[-3_000:]}", pytrace=False)
    return done.stdout
