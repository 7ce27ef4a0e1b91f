from typing import Any

from ..subschemas import Subschema
from .checks import Evaluator
from .plan import Plan

class Failure:
    keyword: str | None
    subschema: Subschema
    instance: Any
    path: tuple[str | int, ...]
    evaluation: tuple[str | int, ...]
    detail: Any
    context: list[Failure] | None
    of_name: bool
    entry: int
    holder: Any
    holder_entry: int
    container: Subschema | None
    alternative: tuple[Subschema, str, int] | None
    instruction: int
    covered: bool

def explain(
    evaluator: Evaluator, instance: Any, max_failures: int
) -> tuple[list[Failure], bool, tuple[str | int, ...] | None]: ...
def accepts(evaluator: Evaluator, node: int, value: Any, max_steps: int) -> tuple[bool, int]: ...
def member_node(plan: Plan, instruction: int, name: str) -> int: ...
