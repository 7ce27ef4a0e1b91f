"""Advice on properties that stand one level too deep, or not deep enough.

One part of name_advice.py: a failure in, a hint out. Nothing is moved: where a value belongs is for its author to say.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from .branches import names_of
from .candidates import is_plain
from .patch import Edit
from .render import quote_text
from .scene import Judge, Scene

#: What tools' arguments are put into by those who take the call for its arguments.
_WRAPPERS = frozenset(("arguments", "args", "input", "inputs", "kwargs", "parameters", "params"))
#: Properties that are looked into for one of the same name.
_MOST = 50


def wrapper(scene: Scene, judge: Judge) -> str:
    """All members stand in an object of their own, as {"arguments": {...}}."""
    failure = scene.failure
    if len(failure.instance) != 1 or scene.secret:
        return ""
    name = next(iter(failure.instance), "")
    if name not in _WRAPPERS:
        return ""
    inner = failure.instance[name]
    if type(inner) is not dict or not is_plain(inner):
        return ""
    known = judge.places.along(failure.path)[-1].names
    if name in known:
        return ""
    missing = failure.detail if failure.keyword == "required" else ()
    if not inner or not inner.keys() <= known.keys() or not inner.keys() >= set(missing):
        return ""
    return f"the members of {quote_text(name, 60)} belong one level up"


def other_level(scene: Scene, judge: Judge) -> str:
    """A property that nothing allows here is known inside of one beside it, or around it, and right there."""
    failure = scene.failure
    if scene.secret:
        return ""
    name = failure.detail[0]
    found = [member for member, edits in _inside(scene, name) if judge.helps(edits)]
    if len(found) == 1:
        return f"{quote_text(name, 60)} belongs inside {quote_text(found[0], 60)}"
    if not found and _is_known_around(scene, judge, name):
        move = Edit("move", (*failure.path[:-1], name), None, (*failure.path, name))
        if judge.helps([move]):
            return f"{quote_text(name, 60)} belongs outside {quote_text(str(failure.path[-1]), 60)}"
    return ""


def _inside(scene: Scene, name: str) -> list[tuple[str, list[Edit]]]:
    """The properties beside a name that know it, and how to move it there."""
    failure = scene.failure
    properties: Any = failure.subschema.children.get("properties", {})
    found: list[tuple[str, list[Edit]]] = []
    for member, subschema in islice(properties.items(), _MOST):
        if name in names_of(subschema):
            place = (*failure.path, member)
            move = Edit("move", (*place, name), None, (*failure.path, name))
            found.append((member, [move] if member in failure.instance else [Edit("add", place, {}), move]))
    return found


def _is_known_around(scene: Scene, judge: Judge, name: str) -> bool:
    failure = scene.failure
    if type(failure.holder) is not dict or not failure.path:
        return False
    return judge.places.along(failure.path[:-1])[-1].knows(name)
