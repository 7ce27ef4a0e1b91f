"""What must hold for every schema and every instance, each as a function that returns a complaint or "".

Comes in: a `Trial`, which is a compiled document and one instance. Goes out: names of properties with complaints.
Nothing here asks another validator; see oracles.py. No exception gets out, but KeyboardInterrupt and MemoryError: any
other is a complaint.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cached_property
from random import Random
from typing import Any

import schemafuse
from schemafuse import BudgetExceeded, Limits, Report, SchemaError, ValidationError, Validator

from . import reproduction, values
from .schemas import Document

#: No time budget, so that nothing depends on the machine; the patterns are fuzzed with one (patterns.py).
PATIENT = Limits(max_time_ms=600_000, max_compile_ms=60_000)
_SMALL_LIMITS: dict[str, tuple[int, ...]] = {
    "max_steps": (1, 2, 5, 20, 100),
    "max_errors": (1, 2, 3),
    "max_text_chars": (200, 300),
    "max_value_chars": (16, 20),
    "max_instance_depth": (1, 2, 3),
    "max_memory_bytes": (1, 100, 1_000),
}


class Subject:
    """One document, compiled."""

    def __init__(self, document: Document, validator: Validator) -> None:
        self.document = document
        self.validator = validator

    @cached_property
    def cost(self) -> schemafuse.Cost:
        return self.validator.cost


class Trial:
    """One document, compiled, and one instance."""

    def __init__(self, subject: Subject, instance: Any, seed: str = "") -> None:
        self.subject = subject
        self.document = subject.document
        self.validator = subject.validator
        self.instance = instance
        self.seed = seed

    @cached_property
    def report(self) -> Report:
        return self.validator.check(self.instance)

    def recompiled(self, schema: Any, limits: Limits | None = None) -> Validator:
        return schemafuse.compile(
            schema, limits=limits or self.validator.limits, assert_formats=self.document.assert_formats
        )


Property = Callable[[Trial], str]


# --- for every pair


def limits_hold(trial: Trial) -> str:
    return limits_fault(trial.report, trial.validator.limits)


def limits_fault(report: Report, limits: Limits) -> str:
    text = report.text()
    if report.steps > limits.max_steps:
        return f"{report.steps} steps, {limits.max_steps} are admitted"
    if len(report.errors) > limits.max_errors:
        return f"{len(report.errors)} errors, {limits.max_errors} are admitted"
    if len(text) > limits.max_text_chars:
        return f"a text of {len(text)} characters, {limits.max_text_chars} are admitted"
    if not all(character == "\n" or character.isprintable() for character in text):
        return f"a text that is not printable: {ascii(text)[:300]}"
    if report.exhausted is not None and report.exhausted.limit <= 0:
        return "a budget of nothing ran out"
    return "" if json.dumps(report.to_dict()) else "no JSON"


def answers_agree(trial: Trial) -> str:
    """`check`, `is_valid`, `validate` and `iter_errors` say the same, and there are errors exactly where invalid."""
    report, validator, instance = trial.report, trial.validator, trial.instance
    if bool(report.errors) is not (report.status == "invalid") or report.ok is not (report.status == "valid"):
        return f"status {report.status} with {len(report.errors)} errors"
    if (report.exhausted is None) is (report.status == "exhausted"):
        return f"status {report.status} with exhausted={report.exhausted!r}"
    budget = report.exhausted.budget if report.exhausted else None
    try:
        verdict: Any = validator.is_valid(instance)
    except BudgetExceeded as error:
        verdict = error.budget
    if verdict != (budget or report.ok):
        return f"check: {report.status}, is_valid: {verdict}"
    try:
        messages: Any = [error.message for error in validator.iter_errors(instance)]
    except BudgetExceeded as error:
        messages = error.budget
    if messages != (budget or [error.message for error in report.errors]):
        return f"check: {report.status}, iter_errors: {messages}"
    try:
        validator.validate(instance)
        raised: Any = None
    except ValidationError as error:
        raised = error.message
    except BudgetExceeded as error:
        raised = error.budget
    return "" if raised == (budget or (report.errors[0].message if report.errors else None)) else f"validate: {raised}"


def checks_repeat(trial: Trial) -> str:
    """A second check, while the report of the first is held, gives the same steps, errors and text."""
    again = trial.validator.check(trial.instance)
    return "" if outcome(again) == outcome(trial.report) else f"{outcome(trial.report)} and then {outcome(again)}"


def references_do_not_count(trial: Trial) -> str:
    """Who else holds parts of an instance changes nothing; what is shared within it is the same in the copy."""
    instance = pickle.loads(pickle.dumps(trial.instance))
    alone = outcome(trial.validator.check(instance))
    holder = list(values.walk(instance))
    held = outcome(trial.validator.check(instance))
    del holder
    return "" if alone == held else f"{alone}, with every part held elsewhere {held}"


def outcome(report: Report) -> tuple[Any, ...]:
    return report.status, report.steps, report.text(), json.dumps(report.to_dict())


def estimate_encloses(trial: Trial) -> str:
    cost = trial.subject.cost
    most = cost.max_steps(*values.size(trial.instance))
    if trial.report.status == "exhausted" or cost.min_steps <= trial.report.steps <= most:
        return ""
    return f"{trial.report.steps} steps, estimated {cost.min_steps} to {most}"


# --- for one pair of a document


def order_is_free(trial: Trial) -> str:
    """The verdict does not depend on the order of members, of the instance or the schema."""
    random = Random(trial.seed)
    for _ in range(3):
        instance = values.shuffled(trial.instance, random)
        schema = values.shuffled(trial.document.schema, random)
        for validator in (trial.validator, trial.recompiled(schema)):
            status = validator.check(instance).status
            if "exhausted" not in (status, trial.report.status) and status != trial.report.status:
                return f"{trial.report.status}, in another order of members {status}: {instance!r}"
    return ""


def steps_are_exact(trial: Trial) -> str:
    """A budget of just the steps that a check pays leaves it as it is; with one less there is no verdict."""
    limits, report = trial.validator.limits, trial.report
    if report.status == "exhausted":
        return ""
    enough = trial.recompiled(trial.document.schema, limits.replace(max_steps=max(report.steps, 1))).check(
        trial.instance
    )
    if (enough.status, enough.steps) != (report.status, report.steps):
        return f"{report!r}, with max_steps={report.steps} {enough!r}"
    if report.steps < 2:
        return ""
    short = trial.recompiled(trial.document.schema, limits.replace(max_steps=report.steps - 1)).check(trial.instance)
    if short.exhausted is None or short.exhausted.budget != "steps" or short.steps > report.steps - 1:
        return f"{report!r}, with max_steps={report.steps - 1} {short!r}"
    return ""


def small_limits_hold(trial: Trial) -> str:
    """With limits drawn small, they hold, and a verdict is the same verdict."""
    random = Random(trial.seed)
    chosen = {name: random.choice(_SMALL_LIMITS[name]) for name in random.sample(sorted(_SMALL_LIMITS), 3)}
    limits = trial.validator.limits.replace(**chosen)
    small = trial.recompiled(trial.document.schema, limits)
    report = small.check(trial.instance)
    if report.status not in (trial.report.status, "exhausted"):
        return f"{trial.report.status}, with {chosen} {report.status}"
    return limits_fault(report, limits) or answers_agree(Trial(Subject(trial.document, small), trial.instance))


def values_are_not_echoed(trial: Trial) -> str:
    """A long text of the instance is never shown beyond `max_value_chars`."""
    secret = "secret-" * 40

    def lengthened(item: Any) -> Any:
        if isinstance(item, dict):
            return {name: lengthened(member) for name, member in item.items()}
        if isinstance(item, list):
            return [lengthened(part) for part in item]
        return secret if isinstance(item, str) else item

    report = trial.validator.check(lengthened(trial.instance))
    shown = secret[: trial.validator.limits.max_value_chars]
    said = [report.text(), *(str(error) for error in report.errors)]  # a fix is data, and may hold the value
    return f"a text of the instance is echoed: {said[0]!r}" if any(shown in text for text in said) else ""


def errors_reproduce(trial: Trial) -> str:
    for error in trial.report.errors:
        complaint = reproduction.fault(trial.document, trial.validator, trial.instance, error)
        if complaint:
            return complaint
    return ""


def copies_are_equal(trial: Trial) -> str:
    """What was pickled, copied or remembered gives equal reports; the schema comes back equal and unchanged."""
    document, validator = trial.document, trial.validator
    schema = deepcopy(document.schema)
    cache = schemafuse.ValidatorCache(limits=validator.limits, assert_formats=document.assert_formats)
    others = {
        "pickled": pickle.loads(pickle.dumps(validator)),
        "cached": cache.get(schema),
        "from the cache": cache.get(document.schema),
        "compiled from .schema": trial.recompiled(validator.schema),
    }
    for name, other in others.items():
        report = other.check(trial.instance)
        if outcome(report) != outcome(trial.report):
            return f"{name}: {outcome(report)}, not {outcome(trial.report)}"
    if values.identity(validator.schema) != values.identity(document.schema) or schema != document.schema:
        return ".schema differs from the schema that was compiled"
    restored = pickle.loads(pickle.dumps(trial.report.errors))
    same = [error.to_dict() for error in restored] == [error.to_dict() for error in trial.report.errors]
    return "" if same else "errors differ after pickling"


FOR_EVERY_PAIR: tuple[Property, ...] = (
    limits_hold,
    answers_agree,
    checks_repeat,
    references_do_not_count,
    estimate_encloses,
)
FOR_ONE_PAIR: tuple[Property, ...] = (
    order_is_free,
    steps_are_exact,
    small_limits_hold,
    values_are_not_echoed,
    errors_reproduce,
    copies_are_equal,
)
BY_NAME = {prop.__name__: prop for prop in (*FOR_EVERY_PAIR, *FOR_ONE_PAIR)}


def complaint_of(prop: Property, trial: Trial) -> str:
    """Ask one property; an exception is a complaint as well."""
    try:
        return prop(trial)
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # a panic of native code is no Exception
        return f"{type(error).__name__}: {str(error)[:300]}"


def complaints(trial: Trial, *, thorough: bool) -> Iterator[tuple[str, str]]:
    """Iterate over (name of the property, complaint)."""
    for prop in (*FOR_EVERY_PAIR, *(FOR_ONE_PAIR if thorough else ())):
        complaint = complaint_of(prop, trial)
        if complaint:
            yield prop.__name__, complaint


def compiled(document: Document, limits: Limits = PATIENT) -> Validator | SchemaError:
    """Compile a document, or return the refusal; any other exception goes through."""
    try:
        return schemafuse.compile(document.schema, limits=limits, assert_formats=document.assert_formats)
    except SchemaError as error:
        return error


def refusal_fault(error: SchemaError) -> str:
    """Return what is wrong with a refusal, or ""."""
    if len(str(error)) > 2_000 or not str(error).isprintable():
        return f"a refusal of {len(str(error))} characters, printable: {str(error).isprintable()}"
    if error.location and not error.location.startswith("/"):
        return f"the location of a refusal is no JSON Pointer: {error.location!r:.200}"
    return "" if error.code and error.message else "a refusal without a code or a message"
