"""The errors and the report: data first, words on demand.

`SchemaError` says why a schema was refused, `BudgetExceeded` which budget ended a check, `ValidationError` what is
wrong at one place of an instance, and `Report` holds the outcome of one check.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote as percent_encode

from ._core.contents import copied
from .render import json_path, json_pointer, pointer_token, quote_text, render_report

if TYPE_CHECKING:
    from ._core.failure import Failure
    from .limits import Limits

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

#: Characters that a fragment may hold as they are (RFC 3986 section 3.5).
_FRAGMENT_SAFE = "/~!$&'()*+,;=:@?-._"


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
        where = quote_text(self.location, 200) if self.location else "the root"
        return f"the check ended without a verdict at {where}: budget {self.budget!r} of {self.limit}{unit} ran out"

    def to_dict(self) -> dict[str, Any]:
        return {"budget": self.budget, "limit": self.limit, "location": self.location}


#: The attributes of a `ValidationError` that are no properties.
_PUBLIC = ("context", "fix", "instance", "instance_path", "keyword", "message")


class ValidationError(ValueError):
    """One thing that is wrong at one place of an instance."""

    __slots__ = ("_covered", "_failure", "_schema_part", *_PUBLIC)

    message: str
    """One line, complete on its own, the location included."""
    instance: Any
    """The offending value, as it was given."""
    instance_path: tuple[str | int, ...]
    """Where it stands: property names and array indices from the root."""
    keyword: str | None
    """The keyword that failed; None where a `false` schema stands, or where a value is not JSON."""
    context: tuple[ValidationError, ...]
    """For `anyOf` and `oneOf`: the errors of the branch that the value was judged against. For `contains`: those of the
    one item that comes near."""
    fix: list[dict[str, Any]] | None
    """JSON Patch operations (RFC 6902) on the whole instance when exactly one repair is right, else None."""

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
        self.message = message
        self.instance = instance
        self.instance_path = instance_path
        self.keyword = keyword
        self.context = context
        self.fix = fix
        self._covered = False
        self._failure: Failure | None = None
        self._schema_part = (keyword_value, schema_location, evaluation_path)

    def _of_schema(self) -> tuple[Any, str, str]:
        if self._failure is not None:
            self._schema_part = schema_part(self._failure)
            self._failure = None
        return self._schema_part

    @property
    def keyword_value(self) -> Any:
        """A copy of the failed keyword's value in the schema."""
        return copied(self._of_schema()[0])

    @property
    def schema_location(self) -> str:
        """Where the keyword stands: a URI reference with a JSON Pointer fragment (Core 12.3.3)."""
        return self._of_schema()[1]

    @property
    def evaluation_path(self) -> str:
        """JSON Pointer from the root schema through references (Core 12.3.2)."""
        return self._of_schema()[2]

    @property
    def instance_location(self) -> str:
        """JSON Pointer to the offending value, "" for the root."""
        return json_pointer(self.instance_path)

    @property
    def json_path(self) -> str:
        """The same place as a JSONPath (RFC 9535), "$" for the root."""
        return json_path(self.instance_path)

    @property
    def covered(self) -> bool:
        """Whether other errors of the same report say all that this one does, so that a text can do without it: that
        of a union whose nearest branch was looked into, that of a type where the allowed values are listed."""
        return self._covered

    def cover(self) -> None:
        """Mark the error as covered."""
        self._covered = True

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        state = {name: getattr(self, name) for name in _PUBLIC}
        return _restore, (state, self._covered, self._of_schema(), self.__dict__)

    def to_dict(self) -> dict[str, Any]:
        """Return the error as JSON-serialisable data."""
        return {
            "message": self.message,
            "instanceLocation": self.instance_location,
            "keyword": self.keyword,
            "schemaLocation": self.schema_location,
            "evaluationPath": self.evaluation_path,
            "fix": self.fix,
        }


def error_of(
    message: str,
    failure: Failure,
    context: tuple[ValidationError, ...],
    fix: list[dict[str, Any]] | None,
    covered: bool,
) -> ValidationError:
    """Make the error of a failure. What it says of the schema is put together when it is asked for."""
    error = ValidationError.__new__(ValidationError, message)
    error.message = message
    error.instance = failure.instance
    error.instance_path = failure.path
    error.keyword = failure.keyword
    error.context = context
    error.fix = fix
    error._covered = covered
    error._failure = failure
    return error


def schema_part(failure: Failure) -> tuple[Any, str, str]:
    """The value of the failed keyword, where it stands, and the way of the evaluation to it."""
    subschema, keyword = failure.subschema, failure.keyword
    schema = subschema.value
    value = schema.get(keyword) if isinstance(schema, dict) and keyword is not None else None
    pointer = subschema.pointer if keyword is None else f"{subschema.pointer}/{keyword}"
    fragment = percent_encode(pointer, safe=_FRAGMENT_SAFE, errors="surrogatepass")
    return (
        value,
        f"{subschema.document}#{fragment}",
        "".join([f"/{pointer_token(str(token))}" for token in failure.evaluation]),
    )


def _restore(state: dict[str, Any], covered: bool, part: tuple[Any, str, str], more: dict[str, Any]) -> ValidationError:
    error = ValidationError(**state, keyword_value=part[0], schema_location=part[1], evaluation_path=part[2])
    error._covered = covered
    error.__dict__.update(more)
    return error


class Report:
    """The outcome of one check. Immutable by convention."""

    __slots__ = ("_limits", "errors", "exhausted", "fixes", "more_errors", "status", "steps")

    def __init__(
        self,
        status: Status,
        steps: int,
        limits: Limits,
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
        #: JSON Patch operations that `Validator.repair` has applied; empty in every other report.
        self.fixes: tuple[dict[str, Any], ...] = ()
        self._limits = limits

    def with_fixes(self, fixes: tuple[dict[str, Any], ...]) -> Report:
        """Return the same report with a record of what was repaired before."""
        report = Report(self.status, self.steps, self._limits, self.errors, self.more_errors, self.exhausted)
        report.fixes = fixes
        return report

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
        """Return the report as JSON-serialisable data.

        Names and locations are as they were given: where they hold lone surrogates, so does this, and only JSON with
        escapes (the default of `json.dumps`) can hold it.
        """
        return {
            "status": self.status,
            "errors": [error.to_dict() for error in self.errors],
            "moreErrors": self.more_errors,
            "exhausted": self.exhausted.to_dict() if self.exhausted else None,
            "steps": self.steps,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        state = (self.status, self.steps, self._limits, self.errors, self.more_errors, self.exhausted)
        return _restore_report, (state, self.fixes)

    def __repr__(self) -> str:
        return f"<Report {self.status}, {len(self.errors)} error(s), {self.steps} steps>"


def _restore_report(state: tuple[Any, ...], fixes: tuple[dict[str, Any], ...]) -> Report:
    return Report(*state).with_fixes(fixes)
