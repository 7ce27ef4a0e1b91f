"""From what failed to what a reader is told: one `ValidationError` a failure.

Comes in: the failures that the native explainer found, in the order of the schema. Goes out: errors, each with a
message of one line that says the place, what was expected, what was there, and what to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from ._core.explainer import explain
from ._core.failure import Failure
from .advice import advise
from .branches import names_of
from .condition_words import absent_from_condition, condition
from .describe import OF_SCALARS, alternatives
from .errors import ValidationError, error_of
from .knowledge import recall
from .limits import LARGEST, Limits
from .lookalikes import told_apart
from .mentions import branch_name, only_other_is_null, what
from .patch import Edit, Operations, Places, edit_of
from .render import place
from .scene import NO_ADVICE, Judge, Scene
from .secrets import Secrets
from .union_words import allowed_values, tag_values
from .words import words

NOT_JSON = "got {}; send null, a boolean, a finite number, a string, an array or an object with strings as names"
OWN_MEMBER = "an array or object that contains itself"

Errors = tuple[ValidationError, ...]
#: Branches of a union of which all are named, and names and values that are compared.
_OTHERS, _GIVEN = 4, 200
_UNKNOWN = ("additionalProperties", "unevaluatedProperties")
_OF_NAMES = ("required", *_UNKNOWN)


def explain_invalid(evaluator: Any, instance: Any, limits: Limits) -> tuple[Errors, bool]:
    """Return the errors of an invalid instance, and whether there were more. There is at least one."""
    deadline = evaluator.time_is_up()
    failures, more, odd = explain(evaluator, instance, min(2 * limits.max_errors, LARGEST), deadline)
    if odd is not None:
        # What failed before may be no more than a consequence.
        return (not_json_error(evaluator, instance, odd, NOT_JSON),), more
    if not failures:
        # The budget of the explanation was too small for a single place.
        message = f"{place(())}: the value does not match the schema"
        return (ValidationError(message, instance=instance),), True
    errors = to_errors(failures, Judge(evaluator, limits, deadline, instance, None if more else failures))
    return _few(errors, limits.max_errors, more) if len(errors) > limits.max_errors else (errors, more)


def _few(errors: Errors, most: int, more: bool) -> tuple[Errors, bool]:
    """No more errors than are asked for: those that others cover give way first, and do not count as left out."""
    told = [error for error in errors if not error.covered]
    covered = [error for error in errors if error.covered][: max(most - len(told), 0)]
    kept = {id(error) for error in (*told[:most], *covered)}
    return tuple([error for error in errors if id(error) in kept]), more or len(told) > most


def to_errors(failures: list[Failure], judge: Judge) -> Errors:
    """Put failures into words, each once: those of the branch that stands for a union are in its context as well."""
    if len(failures) == 1:
        return (to_error(failures[0], judge, failures[0].covered, {}),)
    errors: dict[int, ValidationError] = {}
    for failure in failures:
        errors[id(failure)] = to_error(failure, judge, _is_covered(failure, failures), errors)
    found = tuple(errors.values())
    _cover_repetitions(found)
    for failure, error in zip(failures, found):
        if _is_echo(failure, error, found, judge):
            error.cover()
    _keep_apart(found, judge)
    return found


def _cover_repetitions(errors: Errors) -> None:
    """Several places of a schema may say the same of a value; a reader needs it once."""
    said: set[str] = set()
    for error in errors:
        if not error.covered:
            if error.message in said:
                error.cover()
            said.add(error.message)


def _keep_apart(errors: Errors, judge: Judge) -> None:
    """Leave no fix that another error offers as well, and of those that are right alone and wrong together, none: all
    can be applied."""
    fixed = [error for error in errors if error.fix is not None]
    offered: Operations = []
    for error in fixed if len(fixed) > 1 else ():
        error.fix = [operation for operation in error.fix or () if operation not in offered] or None
        offered += error.fix or ()
    fixed = [error for error in fixed if error.fix is not None]
    if len(fixed) < 2 or _go_together(fixed, judge):
        return
    pairs = combinations(fixed, 2)
    rivals = {id(error) for pair in pairs if not _go_together(list(pair), judge) for error in pair}
    others = [error for error in fixed if id(error) not in rivals]
    kept = others if others and _go_together(others, judge) else []
    for error in fixed:
        if error not in kept:
            error.fix = None


def _go_together(errors: list[ValidationError], judge: Judge) -> bool:
    """Can the fixes of errors be applied one after the other, and help then?"""
    places = Places()
    return all([places.take(error.fix or []) for error in errors]) and judge.helps(_edits(errors))


def _edits(errors: list[ValidationError]) -> list[Edit]:
    return [edit_of(operation) for error in errors for operation in error.fix or ()]


def _is_echo(failure: Failure, error: ValidationError, errors: Errors, judge: Judge) -> bool:
    """Is all that an error asks for asked by another: names that nothing allows are those that are missing, or an
    alternative misses the name that nothing allows?"""
    if failure.keyword in _UNKNOWN:
        few = len(failure.detail) <= len(judge.asked_about)
        return few and all([(*failure.path, name) in judge.asked_about for name in failure.detail])
    if failure.keyword not in ("anyOf", "oneOf") or not error.fix or error.covered:
        return False
    others = [other.fix for other in errors if other.keyword in _OF_NAMES and other.fix and not other.covered]
    return all([any([operation in fix for fix in others]) for operation in error.fix])


def _is_covered(failure: Failure, failures: list[Failure]) -> bool:
    """Do other failures say all that this one does? The branch of a union does; a list of values says their type; what
    a condition asks because a property is missing, that the property is required."""
    if failure.covered:
        return True
    absent = () if failure.condition is None else absent_from_condition(failure)
    if absent and failure.condition is not None:
        missing = [
            other.detail for other in failures if other.keyword == "required" and other.path == failure.condition[2]
        ]
        return any([name in names for name in absent for names in missing])
    if failure.keyword != "type":
        return False
    return any([other.keyword in ("enum", "const") and other.path == failure.path for other in failures])


def to_error(failure: Failure, judge: Judge, covered: bool, known: dict[int, ValidationError]) -> ValidationError:
    """Put one failure into words. `known` are the errors made so far, by the identity of their failure."""
    scene = Scene(failure, judge)
    hint, fix = NO_ADVICE
    if not covered:
        try:
            hint, fix = advise(scene, judge)
        except (LookupError, RuntimeError):  # another thread has changed the value meanwhile
            hint, fix = NO_ADVICE
    of_name = "the name of a property: " if failure.of_name else ""
    advised = f"; {hint}" if hint else ""
    assumed = "" if failure.alternative is None else _assumption(scene)
    message = f"{scene.place()}: {of_name}{words(scene)}{advised}{assumed}{condition(scene)}"
    if not message.isascii() and not message.replace("…", "").isascii():  # not for a mere cut
        message = told_apart(message, *_compared(scene))
    context: Errors = ()
    if failure.context:
        context = tuple(
            [
                known[id(inner)] if id(inner) in known else to_error(inner, judge, inner.covered, known)
                for inner in failure.context
            ]
        )
    return error_of(message, failure, context, fix, covered)


def _assumption(scene: Scene) -> str:
    """Which branch of a union the value was judged against, where there was a choice; for a value that is of the right
    kind and not more, what else would do."""
    failure = scene.failure
    if failure.alternative is None or failure.union is None or tag_values(scene):
        return ""
    union, keyword, index = failure.alternative
    branches: Any = union.children[keyword]
    if only_other_is_null(branches, index):
        return ""
    if failure.path == failure.union[2] and failure.keyword in OF_SCALARS and len(branches) <= _OTHERS:
        return f" ({alternatives([*branches[:index], *branches[index + 1 :]], 1).text} is allowed too)"
    return f" (taken for {recall(branch_name, branches[index])})"


def _compared(scene: Scene) -> tuple[Iterable[str], Iterable[str]]:
    """What was given and what is known, where the message is about such names or values."""
    failure = scene.failure
    if failure.keyword == "required":
        return [name for name in list(dict.keys(failure.instance))[:_GIVEN] if type(name) is str], failure.detail
    if failure.keyword in _UNKNOWN:
        return failure.detail, names_of(failure.subschema)
    if type(failure.instance) is not str:
        return (), ()
    values = tag_values(scene) or allowed_values(failure)
    return [failure.instance], [value for value in values[:_GIVEN] if type(value) is str]


def not_json_error(evaluator: Any, instance: Any, path: tuple[str | int, ...], reason: str) -> ValidationError:
    """The error for a value that is not JSON, wherever it stands and whatever the schema says."""
    culprit = _value_at(instance, path)
    secrets = Secrets(evaluator)
    found = "a secret value" if secrets.at(path) else _not_json(culprit, evaluator.limits)
    message = f"{place(secrets.shown(path))}: not a JSON value: {reason.format(found)}"
    return ValidationError(message, instance=culprit, instance_path=path)


def _not_json(culprit: Any, limits: Limits) -> str:
    if issubclass(type(culprit), dict):
        names = [name for name in list(dict.keys(culprit))[:1000] if not issubclass(type(name), str)]
        if names:
            return f"an object with {what(names[0], limits.max_value_chars)} as a name"
    return what(culprit, limits.max_value_chars)


def _member(value: dict[Any, Any], name: str | int) -> Any:
    # Looking it up would call the methods of a name that is a subclass of str.
    return next(member for key, member in dict.items(value) if issubclass(type(key), str) and str.__str__(key) == name)


def _value_at(instance: Any, path: tuple[str | int, ...]) -> Any:
    value = instance
    try:
        for part in path:
            kind = type(value)
            base: Any = dict if issubclass(kind, dict) else list if issubclass(kind, list) else tuple
            value = _member(value, part) if base is dict else base.__getitem__(value, part)
    except Exception:  # it has changed since
        return None
    return value
