from typing import Any

from .checks import Evaluator
from .failure import Failure

def explain(
    evaluator: Evaluator, instance: Any, max_failures: int, deadline: float
) -> tuple[list[Failure], bool, tuple[str | int, ...] | None]: ...
def steps_to_accept(evaluator: Evaluator, node: int, value: Any, max_steps: int, deadline: float) -> int: ...
def failures_within(
    evaluator: Evaluator, instance: Any, max_failures: int, max_steps: int, deadline: float
) -> tuple[list[Failure] | None, int]: ...
