"""How much a schema, a check and a report may cost.

One frozen value, `Limits`, goes in with every compilation; the compiled validator keeps it. Nothing here is consulted
by name anywhere else: a limit that is not a field of `Limits` does not exist.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

#: No limit may be larger than this; it keeps every count within a signed 64-bit integer with room to add to.
LARGEST = 2**62

#: Hard ceilings. These limits protect the C stack, so no caller may raise them further: the metaschema check and the
#: evaluator recurse once a level and must fit on a thread with a stack of 256 KiB.
CEILINGS = {
    "max_schema_depth": 128,
    "max_json_depth": 256,
    "max_instance_depth": 256,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """The budgets for one schema and its checks. The defaults fit schemas and instances that come from strangers.

    Every limit is a positive integer. `ValueError` for a number out of range, `TypeError` for anything else.
    """

    max_schema_depth: int = 64
    """Levels of subschemas, the root counted as 1. Ceiling 128."""
    max_json_depth: int = 128
    """Levels of arrays and objects in the schema document, data such as `default` included. Ceiling 256."""
    max_subschemas: int = 10_000
    """Subschemas, boolean ones and unused definitions included."""
    max_schema_bytes: int = 1 << 20
    """Bytes of the schema as compact UTF-8 JSON, an object that occurs twice counted twice."""
    max_pattern_chars: int = 1_024
    """Characters (code points) of one regular expression."""
    max_enum_values: int = 10_000
    """Values of one `enum`."""
    max_integer_digits: int = 4_300
    """Decimal digits of one integer in the schema."""
    max_compile_ms: int = 250
    """Milliseconds of wall-clock time for one compilation."""

    max_instance_depth: int = 128
    """Levels of arrays and objects in an instance. Ceiling 256."""
    max_steps: int = 2_000_000
    """Steps of one check: a step is one visit of one value by one subschema, larger work counts as several."""
    max_time_ms: int = 200
    """Milliseconds of wall-clock time for one check. A last resort: steps end a check first unless a step is slow."""
    max_memory_bytes: int = 16 << 20
    """Bytes of the table of remembered verdicts during one check."""

    max_errors: int = 8
    """Errors in one report."""
    max_text_chars: int = 2_000
    """Characters (code points) of one text for a model. At least 200, so that one problem always fits."""
    max_value_chars: int = 80
    """Characters (code points) of one value or name quoted in a text. At least 16."""

    def __post_init__(self) -> None:
        for name, smallest in _SMALLEST.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int):
                raise TypeError(f"{name} must be an integer, not {type(value).__name__}")
            largest = CEILINGS.get(name, LARGEST)
            if not smallest <= value <= largest:
                raise ValueError(f"{name} must be between {smallest} and {largest}")

    def replace(self, **changes: Any) -> Limits:
        """Return a copy with some limits changed; `TypeError` for a name that is no limit."""
        return replace(self, **changes)


_SMALLEST = {field.name: {"max_text_chars": 200, "max_value_chars": 16}.get(field.name, 1) for field in fields(Limits)}

#: The limits that apply when a caller gives none.
DEFAULT_LIMITS = Limits()
