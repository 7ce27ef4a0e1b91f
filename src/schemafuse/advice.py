"""What to do about a failure: a hint in words, and a `fix` where exactly one repair is right.

Comes in: a failure. Goes out: a short hint and JSON Patch operations (RFC 6902), each or neither. A repair is offered
only where the value is not valid as it is, where one candidate alone leads to a value that the place accepts (the
evaluator is asked), where nothing has to be guessed, and where the operations do not repeat a secret. Changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .candidates import NO_NODE, OF_THE_PLACE, choose, is_plain, left_out, listed_text
from .json_text import NOTHING
from .kind_advice import about_kind, as_string, is_no_value, spelt
from .knowledge import recall_of
from .name_advice import about_missing, about_strangers, about_unknown
from .nearness import Nearness, Spelt, nearest_of
from .patch import Edit
from .render import quote_text
from .scene import NO_ADVICE, Advice, Judge, Scene
from .subschemas import Subschema
from .union_words import tag_values


def advise(scene: Scene, judge: Judge) -> Advice:
    """Advise on a failure. `judge` is asked whether the place would accept a candidate."""
    failure = scene.failure
    if failure.rivals or not is_plain(failure.instance):
        return NO_ADVICE
    if failure.of_name:
        return _about_a_name(scene, judge)
    adviser = _ADVISERS.get(failure.keyword)
    return adviser(scene, judge) if adviser is not None else NO_ADVICE


def _about_a_name(scene: Scene, judge: Judge) -> Advice:
    """The name of a property that is not among those allowed."""
    failure = scene.failure
    if failure.keyword != "enum" or scene.secret or not judge.can_compare(len(scene.value)):
        return NO_ADVICE
    near = nearest_of(failure.instance, recall_of(_texts_of, failure.subschema, "enum"))
    if near is None:
        return NO_ADVICE
    move = Edit("move", (*failure.path, near.text), None, (*failure.path, failure.instance))
    if not judge.helps([move]):
        return NO_ADVICE
    fix = [move.operation()] if near.nearness is Nearness.SAME else None
    return f"did you mean {quote_text(near.text, 60)}?", fix


def _about_alternatives(scene: Scene, judge: Judge) -> Advice:
    """A value that none of several alternatives takes, or more than may."""
    failure = scene.failure
    if isinstance(failure.detail, list):
        return NO_ADVICE
    names = about_strangers(scene, judge) if type(failure.instance) is dict else NO_ADVICE
    return names if names[0] else about_kind(scene, judge)


def _about_values(scene: Scene, judge: Judge) -> Advice:
    """A value that is not among those allowed."""
    failure = scene.failure
    value = failure.instance
    tags = tag_values(scene)
    allowed = tags or (scene.value if failure.keyword == "enum" else [scene.value])
    if value is None or isinstance(value, (list, tuple)):
        return about_kind(scene, judge)
    among = _texts_in(allowed) if tags else recall_of(_texts_of, failure.subschema, str(failure.keyword))
    if not isinstance(value, str):
        return choose([other for other in as_string(scene) if other.value in among.texts], scene, judge)
    # Another tag is for another branch: the node of this one has no say.
    candidates = listed_text(scene, judge, among, NO_NODE if tags else OF_THE_PLACE)
    read = judge.read(value)
    if read is not NOTHING and any([type(read) is type(other) and read == other for other in allowed]):
        candidates += spelt(scene, read)
    return choose(candidates, scene, judge) if candidates else _about_text(scene, judge)


def _texts_of(subschema: Subschema, keyword: str) -> Spelt:
    value = subschema.value[keyword]  # type: ignore[index]
    return _texts_in(value if keyword == "enum" else [value])


def _texts_in(values: list[Any]) -> Spelt:
    return Spelt([value for value in values if type(value) is str])


def _about_text(scene: Scene, judge: Judge) -> Advice:
    """A text by which nothing is meant."""
    value = scene.failure.instance
    if isinstance(value, str) and is_no_value(value):
        return left_out(scene, judge, False)
    return NO_ADVICE


Adviser = Callable[[Scene, Judge], Advice]
_ADVISERS: dict[str | None, Adviser] = {
    "type": about_kind,
    "anyOf": _about_alternatives,
    "oneOf": _about_alternatives,
    "enum": _about_values,
    "const": _about_values,
    "format": _about_text,
    "pattern": _about_text,
    "minLength": _about_text,
    "additionalProperties": about_unknown,
    "unevaluatedProperties": about_unknown,
    "required": about_missing,
    "dependentRequired": about_missing,
}
