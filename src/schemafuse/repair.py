"""Applies what errors offer as their fix, to a copy, until nothing more is offered.

Comes in: a validator and an instance. Goes out: a copy and the report of its last check, which names every operation
applied. Only what is wrong is touched, and only where exactly one repair is right; a fix that would make anything wrong
that was not, is not applied. Never raises because of the instance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._core.contents import content_key, content_of
from ._core.explainer import explain
from ._core.failure import Failure
from .explain import to_errors
from .patch import apply

if TYPE_CHECKING:
    from .errors import Report
    from .validator import Validator

#: Each round applies the fixes of one search; what a fix uncovers is repaired in the next.
_ROUNDS = 16
#: Problems in all, and names that are wrong in one object, of an instance that is repaired; fixes tried one by one
#: where all together do harm.
_PROBLEMS, _NAMES, _SINGLE = 500, 1_000, 32
#: Values of an instance that is copied at all.
_VALUES = 200_000
#: Checks that one repair may cost at their worst.
_CHECKS = 8

Fix = list[dict[str, Any]]
Wrong = frozenset[tuple[Any, ...]]


def repair(validator: Validator, instance: Any) -> tuple[Any, Report]:
    """Return `(copy, report)`; the instance itself where it is not JSON, or too large or deep to be copied."""
    limits = validator.limits
    if not has_few_values(instance):
        return instance, validator.check(instance)
    key = content_key(instance, limits.max_memory_bytes, limits.max_instance_depth)
    if key is None:
        return instance, validator.check(instance)
    work = _Repair(validator, key)
    if not validator.check(content_of(key)).ok:
        work.run()
    value = content_of(work.key)
    return value, validator.check(value).with_fixes(tuple(work.applied))


def has_few_values(instance: Any) -> bool:
    """Is the instance of a size that is copied, shared parts counted as often as they occur?"""
    stack = [instance]
    left = _VALUES
    while stack:
        value = stack.pop()
        kind = type(value)
        if issubclass(kind, dict):
            inside = list(dict.values(value))
        elif issubclass(kind, list):
            inside = list.__getitem__(value, slice(None))
        elif issubclass(kind, tuple):
            inside = list(tuple.__iter__(value))
        else:
            continue
        left -= len(inside)
        if left < 0:
            return False
        stack += inside
    return True


class _Repair:
    """One repair under way. The value is kept as bytes: every attempt starts from a new copy."""

    def __init__(self, validator: Validator, key: bytes) -> None:
        self.validator = validator
        self.key = key
        self.applied: Fix = []
        self.tried: list[Fix] = []
        self.steps_left = _CHECKS * validator.limits.max_steps

    def run(self) -> None:
        for _ in range(_ROUNDS):
            fixes, wrong = self.look()
            if wrong is None or not fixes:
                return
            self.tried += fixes
            if self.attempt(fixes, wrong) or len(fixes) == 1:
                continue
            for fix in fixes[:_SINGLE]:
                if self.attempt([fix], wrong):
                    wrong = self.look()[1]
                    if wrong is None:
                        return

    def look(self) -> tuple[list[Fix], Wrong | None]:
        """The fixes that are offered and were not tried yet, no two for one place, and what is wrong; None for that
        where it is too much to be told completely, or cannot be afforded."""
        value = content_of(self.key)
        failures = self.failures(value)
        if failures is None:
            return [], None
        offered: list[Fix] = []
        places: set[str] = set()
        for error in to_errors(failures, self.validator, self.validator.limits):
            fix = error.fix
            if fix is None or fix in self.tried:
                continue
            touched = {operation[name] for operation in fix for name in ("path", "from") if name in operation}
            if not touched & places:
                offered.append(fix)
                places |= touched
        return offered, what_is_wrong(failures)

    def failures(self, value: Any) -> list[Failure] | None:
        """What a value fails; None where that cannot be told completely."""
        verdict, steps, abort, _ = self.validator.evaluate(value)
        self.steps_left -= max(steps, 1)
        if verdict:
            return []
        if abort or self.steps_left < 0:
            return None
        failures, more, odd = explain(self.validator, value, _PROBLEMS)
        if more or odd is not None or any([count_of(failure) > _NAMES for failure in failures]):
            return None
        return failures

    def attempt(self, fixes: list[Fix], wrong: Wrong) -> bool:
        """Apply fixes; keep the outcome if that makes nothing wrong that was not."""
        value = content_of(self.key)
        done: Fix = []
        for operation in in_order([operation for fix in fixes for operation in fix]):
            value, changed = apply(value, operation)
            if changed:
                done.append(operation)
        failures = self.failures(value) if done else None
        if failures is None or not what_is_wrong(failures) <= wrong:
            return False
        limits = self.validator.limits
        key = content_key(value, limits.max_memory_bytes, limits.max_instance_depth)
        if key is None:
            return False
        self.key = key
        self.applied += done
        return True


def in_order(operations: Fix) -> Fix:
    """What stands inside another place goes first: a path must mean what it meant when it was offered."""
    return sorted(operations, key=lambda operation: (-operation["path"].count("/"), operation["path"]))


def what_is_wrong(failures: list[Failure]) -> Wrong:
    """What a value fails, so that it can be compared with what another fails: a name that is missing or unknown
    counts on its own."""
    wrong: list[tuple[Any, ...]] = []
    for failure in failures:
        what = (failure.path, failure.keyword, failure.of_name, failure.instance if failure.of_name else None)
        names = failure.detail if count_of(failure) else [None]
        wrong += [(*what, id(failure.subschema), name) for name in names]
    return frozenset(wrong)


def count_of(failure: Failure) -> int:
    """How many names are missing or unknown."""
    return len(failure.detail) if failure.keyword in _BY_NAME else 0


_BY_NAME = ("required", "additionalProperties", "unevaluatedProperties", "unevaluatedItems")
