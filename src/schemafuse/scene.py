"""What the words and the advice about one failure have in common: the failure with its surroundings, and whom to ask.

Comes in: a `Failure`. Goes out: a `Scene`, which knows what may be echoed, and a `Judge`, which asks the evaluator
within a budget of its own. Writes no words.
"""

from __future__ import annotations

from typing import Any

from ._core.explainer import accepts
from ._core.failure import Failure
from .limits import Limits
from .mentions import what
from .render import place
from .secrets import Secrets

Operations = list[dict[str, Any]]
#: Steps that the search for repairs may take in one report.
_MOST_STEPS = 250_000

#: A hint ("" for none) and a fix (None for none).
Advice = tuple[str, "Operations | None"]
NO_ADVICE: Advice = ("", None)


class Judge:
    """What holds for all failures of one report; says whether a place would accept another value."""

    __slots__ = ("evaluator", "limits", "secrets", "steps_left")

    def __init__(self, evaluator: Any, limits: Limits) -> None:
        self.evaluator = evaluator
        self.limits = limits
        self.secrets = Secrets(evaluator.document, evaluator.has_secrets)
        self.steps_left = min(limits.max_steps, _MOST_STEPS)

    def accepts(self, node: int, value: Any) -> bool:
        """Does a node of the plan accept a value? No, when the budget has been spent."""
        if self.steps_left <= 0:
            return False
        accepted, steps = accepts(self.evaluator, node, value, self.steps_left)
        self.steps_left -= max(steps, 1)
        return accepted


class Scene:
    """A failure with what several of its phrases need."""

    __slots__ = ("_secret", "failure", "judge")

    def __init__(self, failure: Failure, judge: Judge) -> None:
        self.failure = failure
        self.judge = judge
        self._secret: bool | None = None

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

    @property
    def secret(self) -> bool:
        """Whether the value must not be echoed."""
        if self._secret is None:
            self._secret = self.judge.secrets.at(self.failure.path)
        return self._secret

    @property
    def place(self) -> str:
        """Where it happened, without names that a secret value has."""
        path = self.failure.path
        return place(self.judge.secrets.shown(path) if self.secret else path)

    @property
    def got(self) -> str:
        """What was there, short: never the inside of a container, never a secret."""
        if self.failure.instance is None:
            return "got null"
        return f"got {what(self.failure.instance, self.max_value_chars, self.secret)}"
