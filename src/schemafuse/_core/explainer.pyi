from typing import Any

from .checks import Evaluator
from .failure import Failure
from .plan import Plan

def explain(
    evaluator: Evaluator, instance: Any, max_failures: int
) -> tuple[list[Failure], bool, tuple[str | int, ...] | None]: ...
def accepts(evaluator: Evaluator, node: int, value: Any, max_steps: int) -> tuple[bool, int]: ...
def member_node(plan: Plan, instruction: int, name: str) -> int: ...
