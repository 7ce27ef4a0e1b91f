"""Steps and texts are the same whatever the hash seed and the version of the interpreter.

Comes in: a seed. Goes out: which pairs differ between processes. The pairs are made once, here, and handed over as
JSON, so that nothing depends on another interpreter's random numbers.

    python -m fuzz.interpreters                          # this interpreter, several hash seeds
    python -m fuzz.interpreters python3.10 python3.12    # others as well, each in an environment made for it
    python -m fuzz.interpreters --record                 # the side that is compared: pairs in, one line each out
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HASH_SEEDS = ("0", "1", "4242")


def make_pairs(seed: object, count: int) -> list[dict[str, Any]]:
    """Make documents with instances, as lines of JSON."""
    from . import instances, schemas

    lines: list[dict[str, Any]] = []
    while len(lines) < count:
        random = Random(f"{seed}:interpreters:{len(lines)}")
        document = schemas.document(random)
        source = instances.Instances(document.schema, random)
        made = [source.make() for _ in range(4)]
        lines.append({"schema": document.schema, "formats": document.assert_formats, "instances": made})
    return lines


def record() -> None:
    """Read pairs on stdin; print status, steps and a digest of the text for each."""
    import schemafuse

    limits = schemafuse.Limits(max_time_ms=600_000, max_compile_ms=60_000)
    for line in sys.stdin:
        pair = json.loads(line)
        try:
            validator = schemafuse.compile(pair["schema"], limits=limits, assert_formats=pair["formats"])
        except schemafuse.SchemaError as error:
            print(f"{error.code} {digest(str(error))}")
            continue
        cost = validator.cost
        outcomes = [f"{cost.kind} {cost.min_steps} {cost.max_steps(10, 10)}"]
        for instance in pair["instances"]:
            report = validator.check(instance)
            outcomes.append(f"{report.status} {report.steps} {digest(report.text() + json.dumps(report.to_dict()))}")
        print("; ".join(outcomes))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


def recorded(python: str, hash_seed: str, pairs: str, package: str | None) -> list[str]:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    if package is not None:
        environment["PYTHONPATH"] = package
    else:
        environment.pop("PYTHONPATH", None)
    command = [python, str(Path(__file__).resolve()), "--record"]
    done = subprocess.run(command, input=pairs, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise RuntimeError(f"{python} with hash seed {hash_seed} ended with {done.returncode}: {done.stderr[-1_000:]}")
    return done.stdout.splitlines()


def differences(seed: object, count: int, pythons: tuple[str, ...] = ()) -> list[str]:
    """Return a line for each pair whose outcome differs; `pythons` have the package installed."""
    import schemafuse

    lines = [json.dumps(pair) for pair in make_pairs(seed, count)]
    pairs = "".join(f"{line}\n" for line in lines)
    package = str(Path(schemafuse.__file__).resolve().parents[1])
    runs = {f"hash seed {hash_seed}": recorded(sys.executable, hash_seed, pairs, package) for hash_seed in HASH_SEEDS}
    runs |= {python: recorded(python, "0", pairs, None) for python in pythons}
    first_name, first = next(iter(runs.items()))
    found = []
    for name, outcomes in runs.items():
        for line, one, other in zip(lines, first, outcomes, strict=True):
            if one != other:
                found.append(f"{first_name}: {one}\n{name}: {other}\n{line}")
    return found


def environment_for(python: str) -> str:
    """Make an environment with the package built for another interpreter, and return its Python."""
    folder = ROOT / "build" / "interpreters" / Path(python).name.replace("/", "-")
    version = subprocess.run(
        [python, "-c", "import sys; print(sys.version_info[:2])"], capture_output=True, text=True, check=True
    )
    folder = folder.with_name(f"python{version.stdout.strip().replace(', ', '.').strip('()')}")
    inside = folder / "bin" / "python"
    if not inside.exists():
        subprocess.run([python, "-m", "venv", "--clear", str(folder)], check=True)
    subprocess.run(
        [str(inside), "-m", "pip", "-qq", "install", "--force-reinstall", "--no-deps", str(ROOT)], check=True
    )
    subprocess.run([str(inside), "-m", "pip", "-qq", "install", str(ROOT)], check=True)
    return str(inside)


def main(arguments: list[str]) -> int:
    if arguments == ["--record"]:
        record()
        return 0
    parser = argparse.ArgumentParser(prog="python -m fuzz.interpreters", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--seed", default="1")
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("pythons", nargs="*", metavar="PYTHON")
    options = parser.parse_args(arguments)
    pythons = tuple(environment_for(python) for python in options.pythons)
    found = differences(options.seed, options.documents, pythons)
    print("\n\n".join(found[:10]))
    others = f"{len(HASH_SEEDS)} hash seeds, {len(pythons)} other interpreters"
    print(f"{options.documents} documents, {others}: {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
