"""The compiled schema as users hold it, and the way from a schema to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ._core.checks import Evaluator
from ._core.contents import content_key, content_of, copied
from ._core.meter import Abort, Frames
from .admission import admit
from .costs import Cost, estimate
from .deadline import Deadline
from .errors import Budget, BudgetExceeded, Report, ValidationError
from .explain import NOT_JSON, OWN_MEMBER, explain_invalid, not_json_error
from .limits import DEFAULT_LIMITS, Limits
from .lowering import lower
from .render import json_pointer
from .repair import repair
from .secrets import has_marks
from .subschemas import Document, Subschema

_BUDGETS: dict[int, Budget] = {
    Abort.OUT_OF_STEPS: "steps",
    Abort.OUT_OF_TIME: "time",
    Abort.TOO_DEEP: "instance_depth",
    Abort.OUT_OF_STACK: "stack",
    Abort.OUT_OF_MEMORY: "memory",
}
_NOT_JSON = {int(Abort.NO_JSON): NOT_JSON, int(Abort.OWN_MEMBER): OWN_MEMBER}


def compile(
    schema: dict[str, Any] | bool,
    *,
    limits: Limits = DEFAULT_LIMITS,
    dialect: str | None = None,
    assert_formats: bool = False,
    resources: Mapping[str, Any] | None = None,
) -> Validator:
    """Compile a schema, from whomever it comes, or refuse it.

    `schema`: a JSON Schema as Python data. Changing it afterwards changes nothing.
    `limits`: what the compilation and every later check may cost.
    `dialect`: URI of the dialect of a schema without `$schema`; 2020-12 when None.
    `assert_formats`: whether `format` is an assertion; by default it is an annotation (Validation 7.2.1).
    `resources`: URI -> schema, for references that leave the document. Nothing is ever fetched.

    Raises `SchemaError` for a schema that is refused, `TypeError` for an argument of the wrong type; nothing else.
    """
    if not isinstance(limits, Limits):
        raise TypeError(f"limits must be a Limits, not {type(limits).__name__}")
    if dialect is not None and type(dialect) is not str:
        raise TypeError(f"dialect must be a URI as a str, not {type(dialect).__name__}")
    if resources is not None and not isinstance(resources, Mapping):
        raise TypeError(f"resources must be a mapping of URIs to schemas, not {type(resources).__name__}")
    deadline = Deadline(limits.max_compile_ms)
    document = admit(schema, limits, dialect, resources, deadline)
    plan = lower(document, assert_formats=assert_formats, limits=limits, deadline=deadline)
    validator = Validator(
        plan,
        max_steps=limits.max_steps,
        max_memory_bytes=limits.max_memory_bytes,
        max_time_ms=limits.max_time_ms,
        max_instance_depth=limits.max_instance_depth,
    )
    validator._document = document
    validator._arguments = (limits, dialect, assert_formats, reached(document, resources))
    validator._cost = None
    validator._has_secrets = None
    return validator


def reached(document: Document, resources: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Copies of the resources that a schema has made use of: a recompilation needs no others, and the caller may change
    his. Where a custom metaschema is in force, that may be any of them."""
    if not resources:
        return None
    copies = {uri: value for uri, value in document.values.items() if uri}
    if any([resource.dialect.base is not resource.dialect for resource in document.resources]):
        for uri, value in resources.items():
            key = content_key(value, document.limits.max_schema_bytes * 4, document.limits.max_json_depth)
            if key is not None:
                copies.setdefault(str(uri), content_of(key))
    return copies


class Validator(Evaluator):
    """A compiled schema. Immutable, and safe to share between threads; made by `compile`."""

    __slots__ = ("__weakref__", "_arguments", "_cost", "_document", "_has_secrets")

    _document: Document
    _arguments: tuple[Limits, str | None, bool, dict[str, Any] | None]
    _cost: Cost | None
    #: None until somebody asks.
    _has_secrets: bool | None

    # `is_valid(instance) -> bool` comes from the native base class: it is called most.

    @property
    def limits(self) -> Limits:
        return self._arguments[0]

    @property
    def dialect(self) -> str:
        """URI of the dialect of the root schema."""
        return self._document.root.resource.dialect.uri

    @property
    def schema(self) -> Any:
        """An equal copy of the schema."""
        return copied(self._document.value)

    @property
    def usage(self) -> dict[str, int]:
        """How much of each compile limit the schema uses, by the limit's name."""
        return self._document.usage

    @property
    def root(self) -> Subschema:
        """The root of the admitted schema."""
        return self._document.root

    @property
    def document(self) -> Document:
        """The admitted schema."""
        return self._document

    @property
    def has_secrets(self) -> bool:
        """Whether a subschema marks values as secret."""
        if self._has_secrets is None:
            self._has_secrets = has_marks(self._document)
        return self._has_secrets

    @property
    def subschema_count(self) -> int:
        """Subschemas admitted, reached ones of `resources` and metaschemas included."""
        return len(self._document.subschemas)

    @property
    def cost(self) -> Cost:
        """What a check can cost, from the schema alone."""
        if self._cost is None:
            self._cost = estimate(self.plan, self.limits.max_instance_depth)
        return self._cost

    def check(self, instance: Any) -> Report:
        """Check an instance. Never raises because of the instance or the schema."""
        verdict, steps, abort, path = self.evaluate(instance)
        limits = self._arguments[0]
        if verdict:
            return Report("valid", steps, limits)
        if abort and abort in _NOT_JSON:
            return Report("invalid", steps, limits, (not_json_error(self, instance, path, _NOT_JSON[abort]),))
        if abort:
            return Report("exhausted", steps, limits, exhausted=self._budget_exceeded(abort, path))
        errors, more = explain_invalid(self, instance, limits)
        return Report("invalid", steps, limits, errors, more)

    def validate(self, instance: Any) -> None:
        """Raise the first `ValidationError` of an invalid instance, or `BudgetExceeded` when there is no verdict."""
        for error in self.iter_errors(instance):
            raise error

    def iter_errors(self, instance: Any) -> Iterator[ValidationError]:
        """Iterate over what is wrong, `limits.max_errors` at most. Raises `BudgetExceeded` when there is no verdict."""
        report = self.check(instance)
        if report.exhausted is not None:
            raise report.exhausted
        return iter(report.errors)

    def repair(self, instance: Any) -> tuple[Any, Report]:
        """Apply every unambiguous fix to a copy; return the copy and the report of its check.

        `report.fixes` names the JSON Patch operations applied. The instance itself is never changed; it is returned
        instead of a copy where it is not JSON, or nested too deeply.
        """
        return repair(self, instance)

    def _ended_early(self, abort: int, path: tuple[str | int, ...]) -> bool:
        """Called by `is_valid` when there was no ordinary verdict."""
        if abort in _NOT_JSON:
            return False
        raise self._budget_exceeded(abort, path)

    def _budget_exceeded(self, abort: int, path: tuple[str | int, ...]) -> BudgetExceeded:
        budget = _BUDGETS[abort]
        limits = self.limits
        limit = {
            "steps": limits.max_steps,
            "time": limits.max_time_ms,
            "instance_depth": limits.max_instance_depth,
            "stack": int(Frames.MAX_FRAMES),
            "memory": limits.max_memory_bytes,
        }[budget]
        return BudgetExceeded(budget, limit, json_pointer(path))

    def __reduce__(self) -> tuple[Any, ...]:
        # A plan holds native memory; what is pickled is what it was compiled from.
        limits, dialect, assert_formats, resources = self._arguments
        return _recompile, (self._document.value, limits, dialect, assert_formats, resources)

    def __copy__(self) -> Validator:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Validator:
        return self  # it is immutable

    def __repr__(self) -> str:
        return f"<Validator {self.dialect}, {self.subschema_count} subschema(s)>"


def _recompile(
    schema: Any, limits: Limits, dialect: str | None, assert_formats: bool, resources: Mapping[str, Any] | None
) -> Validator:
    return compile(schema, limits=limits, dialect=dialect, assert_formats=assert_formats, resources=resources)
