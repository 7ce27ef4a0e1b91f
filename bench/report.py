"""Print the figures that the project promises, each beside its bound.

Comes in: nothing (SCHEMAFUSE_CORPUS chooses the tools). Goes out: a small table on stdout. Exit status 1 when a bound
is not kept.

    python -m bench.report
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable

from .measure import Pair, cache_hit, cold_compile, geometric_mean, invalid_check, is_valid
from .memory import LIBRARIES, measured
from .service import asynchronous, overhead, synchronous
from .tools import Tool, tools

#: What is measured, how, and the largest ratio to the peer that is admitted.
FIGURES: tuple[tuple[str, Callable[[Tool], Pair | None], float], ...] = (
    ("is_valid, valid example", is_valid, 0.60),
    ("compile, cold", cold_compile, 8.0),
    ("cache hit / peer's compile", cache_hit, 0.25),
    ("check, every message read", invalid_check, 2.0),
)
ROW = "{:36} {:>8} {:>8} {:>8} {:>8} {:>10} {:>10} {:>7}"


def row(name: str, pairs: list[Pair], bound: float) -> str:
    ratios = sorted(pair.ratio for pair in pairs)
    return ROW.format(
        name,
        f"{geometric_mean(ratios):.2f}",
        f"{bound:.2f}",
        f"{ratios[len(ratios) // 10]:.2f}",
        f"{ratios[len(ratios) * 9 // 10]:.2f}",
        f"{statistics.median(pair.ours for pair in pairs):,.0f}",
        f"{statistics.median(pair.peer for pair in pairs):,.0f}",
        len(pairs),
    )


def service_report() -> bool:
    """Print what a tool service adds to a handler; say whether a bound is missed."""
    missed = False
    print("a call through ToolService, ns: added to the handler (bound 5,000), of it validation (bound 500)")
    for name, handler in (("plain handler", synchronous), ("async handler", asynchronous)):
        found = overhead(handler)
        missed |= found.added > 5_000 or found.validation >= 500
        print(f"  {name:34} {found.added:8,.0f} {found.validation:8,.0f}")
    return missed


def main() -> int:
    print(f"{len(tools())} tools; ratio = schemafuse / jsonschema-rs, geometric mean; times are medians in ns")
    print(ROW.format("", "ratio", "bound", "p10", "p90", "ours", "peer", "tools"))
    missed = False
    for name, measure, bound in FIGURES:
        pairs = [pair for tool in tools() if (pair := measure(tool))]
        missed |= geometric_mean(pair.ratio for pair in pairs) > bound
        print(row(name, pairs, bound), flush=True)
    ours, peer = map(measured, LIBRARIES)
    print(
        ROW.format("memory of a validator, bytes", f"{ours / peer:.2f}", "", "", "", f"{ours:,.0f}", f"{peer:,.0f}", "")
    )
    missed |= service_report()
    if missed:
        print("a bound is not kept")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
