"""How much memory one compiled validator takes, by library.

Comes in: the name of a library on the command line. Goes out: bytes for each validator, on stdout. It runs in a
process of its own, so that nothing that was freed before can be taken again unseen.

    python -m bench.memory schemafuse|jsonschema-rs
"""

from __future__ import annotations

import gc
import json
import resource
import subprocess
import sys

LIBRARIES = ("schemafuse", "jsonschema-rs")
#: With fewer validators than this, the allocators' own steps would show.
AT_LEAST = 2_000


def resident_bytes() -> int:
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def bytes_each(library: str) -> float:
    from .measure import peer_compile, schemafuse
    from .tools import tools

    make = schemafuse.compile if library == "schemafuse" else peer_compile
    texts = [tool.schema for tool in tools()]
    texts *= -(-AT_LEAST // len(texts))
    kept = [make(json.loads(text)) for text in texts[:50]]
    before = resident_bytes()
    kept.extend(make(json.loads(text)) for text in texts)
    return (resident_bytes() - before) / len(texts)


def measured(library: str) -> float:
    done = subprocess.run([sys.executable, "-m", "bench.memory", library], capture_output=True, text=True, check=True)
    return float(done.stdout)


if __name__ == "__main__":
    print(bytes_each(sys.argv[1]))
