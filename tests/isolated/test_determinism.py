"""The same schema, instance and limits give the same steps and text in every interpreter, whatever its hash seed."""

from __future__ import annotations

from .runner import run_isolated


def test_isolated_hash_seeds_change_nothing() -> None:
    printed = {run_isolated("determinism.print_steps", PYTHONHASHSEED=seed) for seed in ("0", "1", "12345")}
    assert len(printed) == 1
    assert printed.pop().count("\n") > 200
