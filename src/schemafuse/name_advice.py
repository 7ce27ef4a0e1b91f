"""Advice on names: properties that are missing, and properties that nothing allows.

One part of advice.py, of the same shape: a failure in, a hint and a fix out.
"""

from __future__ import annotations

from typing import Any

from ._core.contents import copied
from ._core.explainer import member_node
from ._core.failure import Failure
from .branches import names_of
from .lowering.tags import NO_TAG
from .nearness import nearest_name
from .places import UNKNOWN
from .render import json_pointer, quote_text
from .scene import Advice, Judge, Operations, Scene
from .subschemas import NOTHING, Subschema

#: Names looked at for the nearest one, missing and unknown properties for which one is looked for, names listed.
_MOST_NAMES, _MOST_MISSING, _MOST_UNKNOWN, _LISTED = 200, 20, 4, 8
_MOST_GIVEN = 50
_NOTHING = object()


def about_unknown(scene: Scene, judge: Judge) -> Advice:
    """Properties that nothing allows: the nearest name that is not given yet."""
    failure = scene.failure
    subschema = failure.subschema
    beside = failure.keyword == "additionalProperties"
    known: Any = subschema.children.get("properties", ()) if beside else names_of(subschema)
    given = failure.instance
    free = [name for name in known if name not in given]
    operations: Operations = []
    hints: list[str] = []
    taken: set[str] = set()
    # A name inside a secret value is not repeated.
    for name in [] if scene.secret else failure.detail[:_MOST_UNKNOWN]:
        meant = nearest_name(name, free[:_MOST_NAMES])
        if meant is None or meant in taken:
            continue
        taken.add(meant)
        which = f" by {quote_text(name, 60)}" if len(failure.detail) > 1 else ""
        hints.append(f"did you mean {quote_text(meant, 60)}{which}?")
        if _fits(judge, failure, meant, given[name]):
            operations.append(_move(failure, name, meant))
    if not hints:
        return _allowed(free or list(known)), None
    return " ".join(hints), operations or None


def _allowed(names: list[str]) -> str:
    if not names:
        return "leave it out"
    shown = ", ".join([quote_text(name, 40) for name in names[:_LISTED]])
    return f"allowed: {shown}{' and ' + str(len(names) - _LISTED) + ' more' if len(names) > _LISTED else ''}"


def _move(failure: Failure, name: str, meant: str) -> dict[str, Any]:
    source, target = [json_pointer((*failure.path, member)) for member in (name, meant)]
    return {"op": "move", "from": source, "path": target}


def _fits(judge: Judge, failure: Failure, name: str, value: Any) -> bool:
    node = member_node(judge.evaluator.plan, failure.instruction, name)
    return node < 0 or judge.accepts(node, value)


def about_missing(scene: Scene, judge: Judge) -> Advice:
    """Properties that must be given: a name that was misspelt, or the one value that a property can have."""
    failure = scene.failure
    properties: Any = failure.subschema.children.get("properties", NOTHING)
    given = failure.instance
    unknown = [] if scene.secret else [name for name in list(given)[:_MOST_GIVEN] if name not in properties]
    strangers = _strangers(failure, judge, unknown)
    operations: Operations = []
    hints: list[str] = []
    for missing in failure.detail[:_MOST_MISSING]:
        meant = nearest_name(missing, strangers) if strangers else None
        if meant is not None:
            strangers.remove(meant)
            hints.append(f"{quote_text(meant, 60)} was given: did you mean {quote_text(missing, 60)}?")
            if _fits(judge, failure, missing, given[meant]):
                operations.append(_move(failure, meant, missing))
            continue
        value = _filled_in(missing, properties.get(missing), failure, judge)
        if value is not _NOTHING:
            where = json_pointer((*failure.path, missing))
            operations.append({"op": "add", "path": where, "value": copied(value)})
    return " ".join(hints[:3]), operations or None


def _strangers(failure: Failure, judge: Judge, names: list[str]) -> list[str]:
    """Those of the names given that no subschema with a say at the place knows."""
    if not names or not any([nearest_name(missing, names) for missing in failure.detail[:_MOST_MISSING]]):
        return []
    place = judge.secrets.places.along(failure.path)[-1]
    return [name for name in names if place is not UNKNOWN and not place.knows(name)]


def _filled_in(missing: str, subschema: Subschema | None, failure: Failure, judge: Judge) -> Any:
    """The value that a missing property must have; `_NOTHING` where there is a choice, of an alternative too."""
    value = only_value(subschema)
    if value is _NOTHING or failure.alternative is None:
        return value
    union, keyword, _ = failure.alternative
    tag, by_tag = union.tags.get(keyword, NO_TAG)
    choices = [text for text, _ in by_tag] if missing == tag else [value]
    accepted = [choice for choice in choices if judge.accepts(failure.entry, {**failure.instance, missing: choice})]
    return accepted[0] if len(accepted) == 1 else _NOTHING


def only_value(subschema: Subschema | None) -> Any:
    """The only value that a subschema allows, or `_NOTHING`."""
    schema = None if subschema is None else subschema.value
    if type(schema) is dict:
        if "const" in schema:
            return schema["const"]
        values = schema.get("enum")
        if isinstance(values, list) and len(values) == 1:
            return values[0]
    return _NOTHING
