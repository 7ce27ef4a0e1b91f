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
    union: tuple[Subschema, str, tuple[str | int, ...]] | None
    alternative: tuple[Subschema, str, int] | None
    condition: tuple[Subschema | str, bool, tuple[str | int, ...], int] | None
    instruction: int
    covered: bool
    doubt: int
    rivals: list[Subschema] | None
