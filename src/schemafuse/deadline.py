"""The clock of one compilation: milliseconds go in, a `compile_timeout` refusal comes out when they are over.

It never interrupts anything by itself; every stage asks it now and then.
"""

from __future__ import annotations

from time import monotonic

from .errors import SchemaError


class Deadline:
    """A point in time that a compilation must not pass."""

    __slots__ = ("_end", "_milliseconds")

    def __init__(self, milliseconds: int) -> None:
        self._milliseconds = milliseconds
        # Beyond some 31,000 years a float would overflow into infinity or an OverflowError.
        self._end = monotonic() + min(milliseconds, 10**15) / 1000

    def seconds_left(self) -> float:
        """Return the seconds that are left, 0.0 when the time is up."""
        return max(0.0, self._end - monotonic())

    def check(self, location: str = "") -> None:
        """Raise `SchemaError("compile_timeout")` once the time is up."""
        if monotonic() >= self._end:
            raise SchemaError(
                "compile_timeout",
                location,
                f"compiling this schema takes more than the {self._milliseconds} ms allowed: make the schema smaller, "
                "or raise max_compile_ms",
            )
