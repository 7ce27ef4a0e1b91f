"""The errors and the report: data first, words on demand.

`SchemaError` says why a schema was refused, `BudgetExceeded` which budget ended a check, `ValidationError` what is wrong
at one place of an instance, and `Report` holds the outcome of one check.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from .render import json_path, json_pointer, render_report

SchemaErrorCode = Literal[
    "invalid_schema",
    "not_json",
    "too_deep",
    "too_large",
    "too_many_subschemas",
    "too_expensive",
    "remote_ref",
    "unresolvable_ref",
    "duplicate_id",
    "infinite_recursion",
    "unsupported_dialect",
    "bad_pattern",
    "compile_timeout",
]
Budget = Literal["steps", "time", "instance_depth", "stack", "memory"]
Status = Literal["valid", "invalid", "exhausted"]


class SchemaError(ValueError):
    """A schema was refused. `str(error)` is one line: what is wrong, where, and what to change."""

    def __init__(self, code: SchemaErrorCode, location: str, message: str) -> None:
        super().__init__(code, location, message)
        self.code: SchemaErrorCode = code
        #: JSON Pointer (RFC 6901) to the place in the schema, "" for its root.
        self.location = location
        self.message = message

    def __str__(self) -> str:
        return self.message


class BudgetExceeded(RuntimeError):
    """A check ended before there was a verdict, because a budget ran out."""

    def __init__(self, budget: Budget, limit: int, location: str) -> None:
        super().__init__(budget, limit, location)
        #: "steps", "time" (milliseconds), "instance_depth" (levels), "stack" (nested visits) or "memory" (bytes).
        self.budget: Budget = budget
        #: The limit that was reached, in the unit of the budget.
        self.limit = limit
        #: JSON Pointer to the place in the instance where it ran out, "" for the root.
        self.location = location

    @property
    def message(self) -> str:
        return str(self)

    def __str__(self) -> str:
        unit = {"time": " ms", "memory": " bytes"}.get(self.budget, "")
        where = json.dumps(self.location) if self.location else "the root"
        return f"the check ended without a verdict at {where[:200]}: budget {self.budget!r} of {self.limit}{unit} ran out"

    def to_dict(self) -> dict[str, Any]:
        return {"budget": self.budget, "limit": self.limit, "location": self.location}


class ValidationError(ValueError):
    """One thing that is wrong at one place of an instance."""

    def __init__(
        self,
        message: str,
        *,
        instance: Any = None,
        instance_path: tuple[str | int, ...] = (),
        keyword: str | None = None,
        keyword_value: Any = None,
        schema_location: str = "#",
        evaluation_path: str = "",
        context: tuple[ValidationError, ...] = (),
        fix: list[dict[str, Any]] | None = None,
    ) -> None:
        super().__init__(message)
        #: One line, complete on its own, the location included.
        self.message = message
        #: The offending value, as it was given.
        self.instance = instance
        #: Where it stands: property names and array indices from the root.
        self.instance_path = instance_path
        #: The keyword that failed; None where a `false` schema stands, or where a value is not JSON.
        self.keyword = keyword
        #: A copy of that keyword's value in the schema.
        self.keyword_value = keyword_value
        #: Where the keyword stands: a URI reference with a JSON Pointer fragment (Core 12.3.3).
        self.schema_location = schema_location
        #: JSON Pointer from the root schema through references (Core 12.3.2).
        self.evaluation_path = evaluation_path
        #: For `anyOf` and `oneOf`: the errors of the branch that the value was judged against.
        self.context = context
        #: JSON Patch operations (RFC 6902) on the whole instance when exactly one repair is right, else None.
        self.fix = fix

    @property
    def instance_location(self) -> str:
        """JSON Pointer to the offending value, "" for the root."""
        return json_pointer(self.instance_path)

    @property
    def json_path(self) -> str:
        """The same place as a JSONPath (RFC 9535), "$" for the root."""
        return json_path(self.instance_path)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.message, self.__dict__)

    def to_dict(self) -> dict[str, Any]:
        return {
            "message": self.message,
            "instanceLocation": self.instance_location,
            "keyword": self.keyword,
            "schemaLocation": self.schema_location,
            "evaluationPath": self.evaluation_path,
            "fix": self.fix,
        }


def _restore(message: str, state: dict[str, Any]) -> ValidationError:
    error = ValidationError(message)
    error.__dict__.update(state)
    return error


class Report:
    """The outcome of one check. Immutable by convention; it renders its text when asked."""

    __slots__ = ("_limits", "errors", "exhausted", "more_errors", "status", "steps")

    def __init__(
        self,
        status: Status,
        steps: int,
        limits: Any,
        errors: tuple[ValidationError, ...] = (),
        more_errors: bool = False,
        exhausted: BudgetExceeded | None = None,
    ) -> None:
        self.status: Status = status
        #: Steps that the evaluation paid; the same for the same schema, instance and limits.
        self.steps = steps
        #: What is wrong, most useful first; empty exactly when the status is not "invalid".
        self.errors = errors
        #: Whether there were more errors than the limits admit.
        self.more_errors = more_errors
        #: The budget that ended the check, or None.
        self.exhausted = exhausted
        self._limits = limits

    @property
    def ok(self) -> bool:
        return self.status == "valid"

    def __bool__(self) -> bool:
        # A report in a boolean context is almost always meant as "did it pass"; without this it would be always true.
        return self.ok

    def text(self, subject: str = "arguments") -> str:
        """Say for a model what is wrong with its `subject`, in at most `limits.max_text_chars` characters."""
        return render_report(self, subject, self._limits)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON-serialisable data."""
        return {
            "status": self.status,
            "errors": [error.to_dict() for error in self.errors],
            "moreErrors": self.more_errors,
            "exhausted": self.exhausted.to_dict() if self.exhausted else None,
            "steps": self.steps,
        }

    def __repr__(self) -> str:
        return f"<Report {self.status}, {len(self.errors)} error(s), {self.steps} steps>"
