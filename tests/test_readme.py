"""What the pages show is what happens: Python blocks run, console blocks print what they say, and so does the demo."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(language):
    for page in PAGES:
        for match in re.finditer(
            rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
        ):
            line = page.read_text(encoding="utf-8")[: match.start()].count("\n") + 1
            yield pytest.param(match[1], id=f"{page.name}:{line}")


@pytest.mark.parametrize("block", list(blocks("python")))
def test_python_block_runs(block, capsys):
    exec(compile(block, "block", "exec"), {"__name__": "block"})


@pytest.mark.parametrize("block", list(blocks("console")))
def test_console_block_prints_what_it_says(block, tmp_path):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        run = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,  # as on a terminal
            text=True,
            timeout=60,
        )
        assert run.stdout == expected


def test_demo_runs():
    run = subprocess.run([sys.executable, ROOT / "examples" / "demo.py"], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
    counted = re.search(r"(\d+) of (\d+) good calls accepted, (\d+) of (\d+) bad ones refused", run.stdout)
    assert counted
    assert counted[1] == counted[2]
    assert counted[3] == counted[4]
