"""What the words and the advice about one failure have in common: the failure with its surroundings, and whom to ask.

Comes in: a `Failure`. Goes out: a `Scene`, which knows what may be echoed, and a `Judge`, which asks the evaluator
within a budget of its own. Writes no words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ._core.explainer import Failure, accepts
from .limits import Limits
from .mentions import what
from .secrets import is_secret_place
from .subschemas import Subschema

Operations = list[dict[str, Any]]
#: Steps that the search for repairs may take in one report.
_MOST_STEPS = 250_000


class Advice(NamedTuple):
    """A hint ("" for none) and a fix (None for none)."""

    hint: str
    fix: Operations | None


NO_ADVICE = Advice("", None)


class Judge:
    """Says whether a place would accept another value."""

    __slots__ = ("evaluator", "secret_root", "steps_left")

    def __init__(self, evaluator: Any, limits: Limits) -> None:
        self.evaluator = evaluator
        self.secret_root: Subschema | None = evaluator.secret_root
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

    __slots__ = ("_secret", "failure", "limits", "schema", "secret_root", "value")

    def __init__(self, failure: Failure, limits: Limits, secret_root: Subschema | None = None) -> None:
        self.failure = failure
        self.limits = limits
        self.schema: Any = failure.subschema.value
        keyword = failure.keyword
        #: The value of the failed keyword.
        self.value: Any = self.schema.get(keyword) if keyword is not None and type(self.schema) is dict else None
        #: The root of the schema, where it marks values as secret.
        self.secret_root = secret_root
        self._secret: bool | None = None

    @property
    def secret(self) -> bool:
        """Whether the value must not be echoed."""
        if self._secret is None:
            self._secret = is_secret_place(self.failure.path, self.secret_root)
        return self._secret

    @property
    def got(self) -> str:
        """What was there, short: never the inside of a container, never a secret."""
        if self.failure.instance is None:
            return "got null"
        return f"got {what(self.failure.instance, self.limits.max_value_chars, self.secret)}"
