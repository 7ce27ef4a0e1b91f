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
#: Properties that a condition may be about where each is told of.
_PROPERTIES = 4


def condition(scene: Scene) -> str:
    """Why the failed keyword applies at all; "" where that does not depend on the value."""
    failure = scene.failure
    if failure.condition is None:
        return ""
    source, holds, path, kind = failure.condition
    at = "" if len(failure.path) <= len(path) + 1 else f" at {place(scene.judge.secrets.shown(path), 60)}"
    if isinstance(source, str):
        return f" (asked because {quote_text(source, 40)} is given{at})"
    said = recall(_properties, source) if holds and kind == OBJECT_BIT else {}
    if said:
        absent = absent_from_condition(failure)
        clauses = [
            f"{quote_text(name, 40)} is {'not given' if name in absent else asked}" for name, asked in said.items()
        ]
        return f" (asked because {shortened(' and '.join(clauses), _CHARS)}{at})"
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


def absent_from_condition(failure: Failure) -> list[str]:
    """The properties that an `if` is about and that are not given, so that it holds: nothing can be wrong with them
    then. None where that is not all there is to it."""
    if failure.condition is None:
        return []
    source, holds, path, kind = failure.condition
    if not holds or kind != OBJECT_BIT or isinstance(source, str):
        return []
    value = failure.instance if failure.path == path else failure.holder if failure.path[:-1] == path else None
    return [name for name in recall(_properties, source) if name not in value] if type(value) is dict else []


def _properties(subschema: Subschema) -> dict[str, str]:
    """The few properties that a subschema asks for, and what it asks of each; none where one is secret, or that is not
    all."""
    properties: Any = subschema.children.get("properties", {})
    schema = subschema.value
    if isinstance(schema, bool) or not 0 < len(properties) <= _PROPERTIES or names_secret(subschema):
        return {}
    asked = {name: conditions(child, 1) for name, child in properties.items()}
    asking = units_of(subschema.resource.dialect).keys() & schema.keys()
    told = asking <= {"properties", "type", "required"} and set(schema.get("required", ())) <= properties.keys()
    told = told and all([found.whole and found.text != ANYTHING for found in asked.values()])
    return {name: found.of_any for name, found in asked.items()} if told else {}
