from typing import Any

from ..subschemas import Subschema
from .checks import Evaluator

class Failure:
    keyword: str | None
    subschema: Subschema
    instance: Any
    path: tuple[str | int, ...]
    evaluation: tuple[str | int, ...]
    detail: Any
    context: list[Failure] | None
    of_name: bool

def explain(evaluator: Evaluator, instance: Any, max_failures: int) -> tuple[list[Failure], bool]: ...
