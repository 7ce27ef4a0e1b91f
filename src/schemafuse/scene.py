"""What the words and the advice about one failure have in common: the failure with its surroundings, and whom to ask.

Comes in: a `Failure`. Goes out: a `Scene`, which knows what may be echoed, and a `Judge`, which asks the evaluator
within a budget of its own. Writes no words.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

from ._core.explainer import failures_within, steps_to_accept
from ._core.failure import Failure
from .json_text import NOTHING as NO_JSON
from .json_text import read_text
from .limits import Limits
from .mentions import what
from .patch import NOTHING, Edit, Operations, Path, applied, operations_of
from .places import Places
from .render import json_pointer, place
from .secrets import Secrets

#: What is wrong with a value: two of them can be compared.
Wrong = frozenset[tuple[Any, ...]]
#: Steps that the search for repairs may take in one report, and failures that two outcomes are compared by.
_MOST_STEPS, _MOST_FAILURES = 250_000, 500
#: Steps for each problem, each name that is missing or unknown among them, when outcomes are compared; for each text
#: that another is compared with.
_STEPS_A_PROBLEM, _STEPS_A_TEXT = 10, 4
#: Characters that are read for a step, as a power of 2; of a text that takes no time worth asking for.
_CHARS_A_STEP, _SHORT = 1, 1_000
#: Names that are missing or unknown of which outcomes are compared.
_MOST_NAMES = 2_000
_UNEVALUATED = ("unevaluatedProperties", "unevaluatedItems")
_BY_NAME = ("required", "additionalProperties", *_UNEVALUATED)

#: A hint ("" for none) and a fix (None for none).
Advice = tuple[str, "Operations | None"]
NO_ADVICE: Advice = ("", None)


class Judge:
    """What holds for all failures of one report; says whether a place would accept another value, and whether a repair
    would help the whole instance.

    `instance` is NOTHING where the outcome of every repair is checked anyway; `failures` are all that it has, or None
    where there may be more. No question is answered after the `deadline`, see `Evaluator.time_is_up`.
    """

    __slots__ = (
        *("_asked", "_failures", "_wrong", "asked_about", "deadline", "evaluator", "instance", "limits", "secrets"),
        "steps_left",
    )

    def __init__(
        self,
        evaluator: Any,
        limits: Limits,
        deadline: float,
        instance: Any = NOTHING,
        failures: list[Failure] | None = None,
    ) -> None:
        self.evaluator = evaluator
        self.limits = limits
        self.deadline = deadline
        self.secrets = Secrets(evaluator)
        self.instance = instance
        self.steps_left = min(limits.max_steps, _MOST_STEPS)
        self._failures = failures
        self._wrong: Wrong | None = None
        #: Renamings that were asked for before: where a name is missing, the one given instead may be unknown.
        self._asked: dict[tuple[Path, Path], bool] = {}
        #: Where names stand of which the reader was asked whether a missing one was meant.
        self.asked_about: set[Path] = set()

    @property
    def places(self) -> Places:
        """Which subschemas have a say where."""
        return self.secrets.places

    def can_compare(self, texts: int) -> bool:
        """May so many pairs of texts be compared? Pays for it."""
        self.steps_left -= _STEPS_A_TEXT * texts
        return self.steps_left > 0

    def can_read(self, text: str) -> bool:
        """May a text be read as JSON? Pays for it."""
        self.steps_left -= len(text) >> _CHARS_A_STEP
        return self.steps_left > 0 and (len(text) < _SHORT or perf_counter() < self.deadline)

    def read(self, text: str) -> Any:
        """The JSON value that a text spells, see `read_text`."""
        return read_text(text) if self.can_read(text) else NO_JSON

    def accepts(self, node: int, value: Any) -> bool:
        """Does a node of the plan accept a value? No, when the budget has been spent."""
        if self.steps_left <= 0:
            return False
        steps = steps_to_accept(self.evaluator, node, value, self.steps_left, self.deadline)
        self.steps_left -= abs(steps)
        return steps > 0

    def helps(self, edits: list[Edit], uncovering: bool = False) -> bool:
        """Would edits of the instance mend something, and make nothing wrong that is not? A node knows but its own
        keywords; siblings (`allOf`, `$ref`), conditions and the containers around have a say as well. `uncovering`:
        whether they may bring to light what a condition asks for."""
        if self.instance is NOTHING:
            return True
        first = edits[0]
        if len(edits) > 1 or first.source is None or uncovering:
            return self._helps(edits, uncovering)
        move = first.source, first.path
        if move not in self._asked:
            self._asked[move] = self._helps(edits, False)
        return self._asked[move]

    def _helps(self, edits: list[Edit], uncovering: bool) -> bool:
        outcome = applied(self.instance, edits)
        if outcome is NOTHING:
            return False
        if self.accepts(self.evaluator.plan.root_node, outcome):
            return True
        before = self._wrong_before()
        after = self._wrong_in(outcome)
        return before is not None and after is not None and mends(operations_of(edits), before, after, uncovering)

    def _wrong_before(self) -> Wrong | None:
        if self._wrong is None and self._failures is not None:
            if _have_many_names(self._failures):
                return None
            self._wrong = what_is_wrong(self._failures)
            self.steps_left -= _STEPS_A_PROBLEM * len(self._wrong)
        elif self._wrong is None:
            self._wrong = self._wrong_in(self.instance)
        return self._wrong

    def _wrong_in(self, instance: Any) -> Wrong | None:
        """What fails; None where that is more than can be told."""
        if self.steps_left <= 0:
            return None
        failures, steps = failures_within(self.evaluator, instance, _MOST_FAILURES, self.steps_left, self.deadline)
        wrong = None if failures is None or _have_many_names(failures) else what_is_wrong(failures)
        self.steps_left -= max(steps, 1) + _STEPS_A_PROBLEM * len(wrong or ())
        return wrong


def _have_many_names(failures: list[Failure]) -> bool:
    """Are too many names missing or unknown to compare each of them?"""
    return sum([count_of(failure) for failure in failures]) > _MOST_NAMES


def what_is_wrong(failures: list[Failure]) -> Wrong:
    """What a value fails, so that it can be compared with what another fails: a name that is missing or unknown
    counts on its own."""
    wrong: list[tuple[Any, ...]] = []
    for failure in failures:
        what = (failure.path, failure.keyword, failure.of_name, failure.instance if failure.of_name else None)
        names = failure.detail if count_of(failure) else [None]
        wrong += [(*what, id(failure.subschema), failure.condition is not None, name) for name in names]
    return frozenset(wrong)


def mends(operations: Operations, before: Wrong, after: Wrong, uncovering: bool = False) -> bool:
    """Does the outcome of operations have fewer problems, and none that is new?

    What is unevaluated is not looked for where something else is wrong: it comes to light, and is not new, unless it is
    what the operations have put there. `uncovering`: nor is what a condition asks for.
    """
    if before <= after:
        return False
    put = {operation["path"] for operation in operations}
    for path, keyword, *_, conditional, name in after - before:
        comes_to_light = keyword in _UNEVALUATED and json_pointer((*path, name)) not in put
        if not comes_to_light and not (uncovering and conditional):
            return False
    return True


def count_of(failure: Failure) -> int:
    """How many names are missing or unknown."""
    return len(failure.detail) if failure.keyword in _BY_NAME else 0


class Scene:
    """A failure with what several of its phrases need."""

    __slots__ = ("failure", "judge", "secret")

    def __init__(self, failure: Failure, judge: Judge) -> None:
        self.failure = failure
        self.judge = judge
        #: Whether the value must not be echoed.
        self.secret = self.judge.secrets.at(failure.path) or (
            type(failure.instance) not in (dict, list) and self.judge.secrets.would_hold(failure.path)
        )

    @property
    def schema(self) -> Any:
        return self.failure.subschema.value

    @property
    def value(self) -> Any:
        """The value of the failed keyword."""
        keyword = self.failure.keyword
        return self.schema.get(keyword) if keyword is not None and type(self.schema) is dict else None

    @property
    def max_value_chars(self) -> int:
        return self.judge.limits.max_value_chars

    def place(self) -> str:
        """Where it happened, without names that a secret value has."""
        path = self.failure.path
        return place(self.judge.secrets.shown(path) if self.secret else path)

    def got(self) -> str:
        """What was there, short: never the inside of a container, never a secret."""
        if self.failure.instance is None:
            return "got null"
        return f"got {what(self.failure.instance, self.judge.limits.max_value_chars, self.secret)}"
