from typing import Any

from ..subschemas import Subschema

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
