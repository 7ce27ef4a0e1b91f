"""Why a keyword applies at all, where that depends on the value: what `if` and `dependentSchemas` ask for.

One part of words.py: a failure in, a clause in parentheses out.
"""

from __future__ import annotations

from typing import Any

from ._core.failure import Failure
from .describe import ANYTHING, conditions, members, stated
from .knowledge import recall
from .lowering.program import OBJECT_BIT, units_of
from .render import place, quote_text, shortened
from .scene import Scene
from .secrets import names_secret
from .subschemas import Subschema

#: Characters of what a condition asks for.
_CHARS = 120


def condition(scene: Scene) -> str:
    """Why the failed keyword applies at all; "" where that does not depend on the value."""
    failure = scene.failure
    if failure.condition is None:
        return ""
    source, holds, path, kind = failure.condition
    at = "" if len(failure.path) <= len(path) + 1 else f" at {place(scene.judge.secrets.shown(path), 60)}"
    if isinstance(source, str):
        return f" (asked because {quote_text(source, 40)} is given{at})"
    name, asked_of_it = recall(_only_property, source) if holds and kind == OBJECT_BIT else ("", "")
    if name:
        said = "not given" if absent_from_condition(failure) else shortened(asked_of_it, _CHARS)
        return f" (asked because {quote_text(name, 40)} is {said}{at})"
    clauses, whole, _ = recall(members, source) if kind == OBJECT_BIT else ([], False, "")
    text = " and ".join(clauses)
    secret = names_secret(source)
    if not text or secret:
        asked = recall(stated, source)
        fits = not secret and not asked.only_of and asked.text != ANYTHING
        text = f"the value is {asked.text}" if fits else 'the schema under "if" accepts the value'
        whole = asked.whole or not fits
    if holds:
        return f" (asked because {shortened(text, _CHARS)}{at})"
    return f" (asked unless {shortened(text, _CHARS)}{'' if whole else ' and more'}{at})"


def absent_from_condition(failure: Failure) -> str:
    """The property that an `if` is about and that is not given, so that it holds: nothing can be wrong with it then.
    "" where that is not all there is to it."""
    if failure.condition is None:
        return ""
    source, holds, path, kind = failure.condition
    if not holds or kind != OBJECT_BIT or isinstance(source, str):
        return ""
    name, _ = recall(_only_property, source)
    value = failure.instance if failure.path == path else failure.holder if failure.path[:-1] == path else None
    return name if name and type(value) is dict and name not in value else ""


def _only_property(subschema: Subschema) -> tuple[str, str]:
    """The only property that a subschema asks for, and what it asks; none where that is secret, or not all."""
    properties: Any = subschema.children.get("properties", {})
    schema = subschema.value
    if isinstance(schema, bool) or len(properties) != 1 or names_secret(subschema):
        return "", ""
    ((name, child),) = properties.items()
    asked = conditions(child, 1)
    asking = units_of(subschema.resource.dialect).keys() & schema.keys()
    told = asking <= {"properties", "type", "required"} and schema.get("required", [name]) == [name] and asked.whole
    return (name, asked.of_any) if told and asked.text != ANYTHING else ("", "")
