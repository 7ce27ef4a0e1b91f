"""Applies what errors offer as their fix, to a copy, until nothing more is offered.

Comes in: a validator and an instance. Goes out: a copy and the report of its last check, which names every operation
applied. Only what is wrong is touched, and only where exactly one repair is right; a fix that would make anything wrong
that was not, is not applied. Never raises because of the instance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._core.contents import content_key, content_of
from ._core.explainer import failures_within, steps_to_accept
from ._core.failure import Failure
from .explain import to_errors
from .patch import Operations, apply
from .scene import Judge, Wrong, count_of, mends, what_is_wrong

if TYPE_CHECKING:
    from .errors import Report
    from .validator import Validator

#: Each round applies the fixes of one search; what a fix uncovers is repaired in the next.
_ROUNDS = 16
#: Problems in all, and names that are wrong in one object, of an instance that is repaired; attempts to apply fixes.
_PROBLEMS, _NAMES, _ATTEMPTS = 500, 1_000, 100
#: Values of an instance that is copied at all.
_VALUES = 200_000
#: Checks that one repair may cost at their worst.
_CHECKS = 8


def repair(validator: Validator, instance: Any) -> tuple[Any, Report]:
    """Return `(copy, report)`; the instance itself where it is not JSON, or too large or deep to be copied.

    Takes the time of two checks at most, and of one more in between: five times `max_time_ms`.
    """
    limits = validator.limits
    if not has_few_values(instance):
        return instance, validator.check(instance)
    key = content_key(instance, limits.max_memory_bytes, limits.max_instance_depth)
    if key is None:
        return instance, validator.check(instance)
    value = content_of(key)
    report = validator.check(value)
    if report.status != "invalid":
        return value, report
    work = _Repair(validator, key)
    work.run()
    if work.applied:
        value = content_of(work.key)
        report = validator.check(value)
    return value, report.with_fixes(tuple(work.applied))


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
        self.applied: Operations = []
        self.tried: Operations = []
        self.wrong: Wrong = frozenset()
        self.attempts_left = _ATTEMPTS
        self.deadline = validator.time_is_up()
        self.steps_left = _CHECKS * validator.limits.max_steps

    def run(self) -> None:
        for _ in range(_ROUNDS):
            operations = self.look()
            if not operations:
                return
            self.tried += operations
            self.mend(operations)

    def look(self) -> Operations:
        """The operations that are offered and were not tried yet, no two for one place; none where what is wrong is too
        much to be told completely, or cannot be afforded."""
        failures = self.failures(content_of(self.key))
        if failures is None:
            return []
        self.wrong = what_is_wrong(failures)
        # Whether an operation does harm is seen below, of many together.
        errors = to_errors(failures, Judge(self.validator, self.validator.limits, self.deadline))
        operations = [operation for error in errors for operation in error.fix or ()]
        return [operation for operation in operations if operation not in self.tried]

    def failures(self, value: Any) -> list[Failure] | None:
        """What a value fails; None where that cannot be told completely."""
        steps = steps_to_accept(self.validator, self.validator.plan.root_node, value, self.steps_left, self.deadline)
        self.steps_left -= abs(steps)
        if steps > 0:
            return []
        if self.steps_left <= 0:
            return None
        failures, steps = failures_within(self.validator, value, _PROBLEMS, self.steps_left, self.deadline)
        self.steps_left -= steps
        if failures is None or any([count_of(failure) > _NAMES for failure in failures]):
            return None
        return failures

    def mend(self, operations: Operations) -> None:
        """Apply what can be applied together; of operations that are right alone and wrong together, none."""
        before, applied = (self.key, self.wrong), self.applied
        left: Operations = []
        self.attempt(operations, left)
        taken, after = self.applied[len(applied) :], (self.key, self.wrong)
        rivals: Operations = []
        for other in left if taken else ():
            self.key, self.wrong = before
            if self.outcome([other]) is not None:
                rivals += [one for one in self.rivals_of(other, taken) if one not in rivals]
        self.key, self.wrong = before if rivals else after
        if rivals:
            self.applied = applied
            self.attempts_left = max(self.attempts_left, 1)
            self.apply([one for one in taken if one not in rivals])

    def rivals_of(self, other: dict[str, Any], taken: Operations) -> Operations:
        """The operations that rule another one out; all of them where it is only some together that do."""
        if self.outcome([*taken, other]) is not None:
            return []
        if len(taken) == 1:
            return taken
        half = len(taken) // 2
        return self.rivals_of(other, taken[:half]) + self.rivals_of(other, taken[half:]) or taken

    def attempt(self, operations: Operations, left: Operations) -> None:
        """Apply operations, all together; where that does harm, one half and then the other. Notes what is left."""
        if self.apply(operations):
            return
        if len(operations) == 1:
            left += operations
            return
        half = len(operations) // 2
        self.attempt(operations[:half], left)
        self.attempt(operations[half:], left)

    def apply(self, operations: Operations) -> bool:
        """Apply operations; keep the outcome if that makes nothing wrong that was not."""
        found = self.outcome(operations)
        if found is None:
            return False
        self.key, self.wrong, done = found
        self.applied = self.applied + done
        return True

    def outcome(self, operations: Operations) -> tuple[bytes, Wrong, Operations] | None:
        """The value with operations applied, what is wrong with it, and what has been done; None where that is no help,
        or after too many attempts."""
        self.attempts_left -= 1
        if self.attempts_left < 0 or not operations:
            return None
        value = content_of(self.key)
        done: Operations = []
        for operation in in_order(operations):
            value, changed = apply(value, operation)
            if changed:
                done.append(operation)
        failures = self.failures(value) if done else None
        wrong = None if failures is None else what_is_wrong(failures)
        if wrong is None or not mends(done, self.wrong, wrong):
            return None
        limits = self.validator.limits
        key = content_key(value, limits.max_memory_bytes, limits.max_instance_depth)
        return None if key is None else (key, wrong, done)


def in_order(operations: Operations) -> Operations:
    """What stands inside another place goes first: a path must mean what it meant when it was offered."""
    return sorted(operations, key=lambda operation: (-operation["path"].count("/"), operation["path"]))
