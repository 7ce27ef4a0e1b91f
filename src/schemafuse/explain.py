"""From what failed to what a reader is told: one `ValidationError` a failure.

Comes in: the failures that the native explainer found, in the order of the schema. Goes out: errors, each with a
message of one line that says the place, what was expected, what was there, and what to do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._core.explainer import Failure, explain
from .advice import NO_ADVICE, advise
from .errors import ValidationError
from .limits import Limits
from .render import place, quote_text
from .words import Scene, branch_name, tag_values, what, words

NOT_JSON = "got {}; send null, a boolean, a finite number, a string, an array or an object with strings as names"
OWN_MEMBER = "an array or object that contains itself"

#: Values that nobody can change any more: what is to be said of them can be said later.
_LASTING = (str, int, float, bool, type(None))

Errors = tuple[ValidationError, ...]


def explain_invalid(evaluator: Any, instance: Any, limits: Limits) -> tuple[Errors | Callable[[], Errors], bool]:
    """Return the errors of an invalid instance, and whether there were more. There is at least one.

    Where only strings, numbers and the like are to blame, the errors come as a function that puts them into words when
    somebody wants to read them; an object or array is described at once, since it may change.
    """
    failures, more, odd = explain(evaluator, instance, limits.max_errors)
    if odd is not None:
        # What failed before may be no more than a consequence.
        return (not_json_error(instance, odd, NOT_JSON, limits),), more
    if not failures:
        # The budget of the explanation was too small for a single place.
        message = f"{place(())}: the value does not match the schema"
        return (ValidationError(message, instance=instance),), True

    def errors() -> Errors:
        return to_errors(failures, evaluator, limits)

    lasting = all([type(failure.instance) in _LASTING for failure in failures])
    return (errors if lasting else errors()), more


def to_errors(failures: list[Failure], evaluator: Any, limits: Limits) -> Errors:
    """Put failures into words, each once: those of the branch that stands for a union are in its context as well."""
    errors: dict[int, ValidationError] = {}
    for failure in failures:
        errors[id(failure)] = to_error(failure, evaluator, limits, _is_covered(failure, failures), errors)
    return tuple(errors.values())


def _is_covered(failure: Failure, failures: list[Failure]) -> bool:
    """Do other failures say all that this one does? The branch of a union does; a list of values says their type."""
    if failure.keyword != "type" or len(failures) == 1:
        return failure.covered
    return any([other.keyword in ("enum", "const") and other.path == failure.path for other in failures])


def to_error(
    failure: Failure, evaluator: Any, limits: Limits, covered: bool, known: dict[int, ValidationError]
) -> ValidationError:
    """Put one failure into words. `known` are the errors made so far, by the identity of their failure."""
    scene = Scene(failure, limits)
    hint, fix = NO_ADVICE if covered else advise(scene, evaluator)
    message = f"{place(failure.path)}: {_name_of(failure)}{words(scene)}"
    if hint:
        message += f"; {hint}"
    if failure.alternative is not None and not tag_values(scene):
        union, keyword, index = failure.alternative
        message += f" (taken for {branch_name(union, keyword, index)})"
    context = tuple(
        [
            known[id(inner)] if id(inner) in known else to_error(inner, evaluator, limits, inner.covered, known)
            for inner in failure.context or ()
        ]
    )
    return ValidationError.of_failure(message, failure, context, fix, covered)


def _name_of(failure: Failure) -> str:
    return f"the property name {quote_text(failure.instance, 60)}: " if failure.of_name else ""


def not_json_error(instance: Any, path: tuple[str | int, ...], reason: str, limits: Limits) -> ValidationError:
    """The error for a value that is not JSON, wherever it stands and whatever the schema says."""
    culprit = _value_at(instance, path)
    message = f"{place(path)}: not a JSON value: {reason.format(_not_json(culprit, limits))}"
    return ValidationError(message, instance=culprit, instance_path=path)


def _not_json(culprit: Any, limits: Limits) -> str:
    if issubclass(type(culprit), dict):
        names = [name for name in list(dict.keys(culprit))[:1000] if not issubclass(type(name), str)]
        if names:
            return f"an object with {what(names[0], limits.max_value_chars)} as a name"
    return what(culprit, limits.max_value_chars)


def _value_at(instance: Any, path: tuple[str | int, ...]) -> Any:
    value = instance
    try:
        for part in path:
            kind = type(value)
            base: Any = dict if issubclass(kind, dict) else list if issubclass(kind, list) else tuple
            value = base.__getitem__(value, part)
    except Exception:  # it has changed since
        return None
    return value
