"""What to do about a failure: a hint in words, and a `fix` where exactly one repair is right.

Comes in: a failure. Goes out: a short hint and JSON Patch operations (RFC 6902), each or neither. A repair is offered
only where the value is not valid as it is, where one candidate alone leads to a value that the place accepts (the
evaluator is asked), where nothing has to be guessed, and where the operations do not repeat a secret. Changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ._core.contents import content_key
from ._core.distance import nearest, spelt_alike
from ._core.failure import Failure
from ._core.values import kind_bit
from .json_text import NOTHING, read_text
from .knowledge import recall, recall_of
from .lowering.branches import kinds_of, kinds_of_any
from .lowering.program import ARRAY_BIT, BOOLEAN_BIT, OBJECT_BIT, STRING_BIT
from .name_advice import about_missing, about_unknown
from .nearness import edits_for
from .render import json_pointer, quote, quote_text
from .scene import NO_ADVICE, Advice, Judge, Operations, Scene
from .subschemas import Subschema
from .words import tag_values

#: Values of an enum that are compared with a string.
_MOST_VALUES = 200
#: A value that a fix repeats: bytes, levels, and bits of an integer (4,300 digits).
_MOST_BYTES, _MOST_LEVELS, _MOST_BITS = 1 << 16, 64, 14_000
#: The builtin types of values, objects apart.
_PLAIN = frozenset((str, int, float, bool, list, tuple, type(None)))
#: Branches of a union that are asked for such values.
_MOST_BRANCHES = 50


class Candidate:
    """A value that could stand in the place, what to tell the reader, and how to get there; None where the reader
    has to choose."""

    __slots__ = ("hint", "node", "operations", "value")

    def __init__(self, value: Any, hint: str, operations: Operations | None, node: int = -1) -> None:
        self.value = value
        self.hint = hint
        self.operations = operations
        #: The node that must accept it, unless it is that of the place.
        self.node = node


def advise(scene: Scene, judge: Judge) -> Advice:
    """Advise on a failure. `judge` is asked whether the place would accept a candidate."""
    if scene.failure.of_name or not is_plain(scene.failure.instance):
        return NO_ADVICE
    adviser = _ADVISERS.get(scene.failure.keyword)
    return adviser(scene, judge) if adviser is not None else NO_ADVICE


def is_plain(value: Any) -> bool:
    """Is the value of an exact builtin type, an object with names that are exact strings? Others are not repaired."""
    kind = type(value)
    if kind is dict:
        return all([type(name) is str for name in list(value)])
    return kind in _PLAIN


def is_short(value: Any) -> bool:
    """Can the value be repeated in a report: not too long, each integer of a size that can be written?"""
    kind = type(value)
    if kind is int:
        return bool(value.bit_length() <= _MOST_BITS)
    if kind is str:
        return len(value) <= _MOST_BYTES
    if kind is not list and kind is not dict:
        return True
    if kind is list and len(value) == 1 and _is_small(value[0]):
        return True
    if content_key(value, _MOST_BYTES, _MOST_LEVELS) is None:
        return False
    try:
        json.dumps(value)
    except (ValueError, RecursionError):  # an integer with too many digits
        return False
    return True


def _is_small(value: Any) -> bool:
    kind = type(value)
    return len(value) <= 1_000 if kind is str else kind is int and -(1 << 64) < value < 1 << 64


def _replace(scene: Scene, value: Any, public: bool = False) -> Operations | None:
    """Put a value in the place; None where that would repeat a secret. `public`: the schema itself names the value."""
    path = scene.failure.path
    if not is_short(value):
        return None
    told = public or value is None or isinstance(value, bool)
    if not told and (scene.secret or scene.judge.secrets.inside(value, path)):
        return None
    return [{"op": "replace", "path": json_pointer(path), "value": value}]


# --- a value of another kind ------------------------------------------------------------------------------------------


def _about_kind(scene: Scene, judge: Judge) -> Advice:
    """A stringified scalar, JSON text, one value for an array or the reverse, null for a property to be left out."""
    failure = scene.failure
    value = failure.instance
    if isinstance(failure.detail, list):  # several branches accept it
        return NO_ADVICE
    if value is None and _is_optional(failure):
        operations = [{"op": "remove", "path": json_pointer(failure.path)}]
        return "leave the property out", operations
    candidates: list[Candidate] = []
    if failure.keyword in ("anyOf", "oneOf"):
        wanted = recall_of(_kinds_of_any, failure.subschema, failure.keyword)
        if isinstance(value, str) and not scene.secret:
            candidates += _same_but_for_case(scene, recall_of(_texts_of, failure.subschema, failure.keyword))
    else:
        wanted = recall(kinds_of, failure.subschema)
    if isinstance(value, str):
        candidates += _as_text(scene, wanted)
    elif wanted & STRING_BIT and isinstance(value, (int, float)) and not candidates:
        shown = "" if scene.secret else f': "{quote(value, 40)}"'
        return f"send it as a string{shown}", None
    if not candidates or not any([isinstance(candidate.value, (list, dict)) for candidate in candidates]):
        candidates += _wrapped(scene, judge, wanted)
    candidates += _unwrapped(scene, judge, wanted)
    if not candidates and wanted == BOOLEAN_BIT:
        return "send true or false", None
    return _only(candidates, failure, judge)


def _only(candidates: list[Candidate], failure: Failure, judge: Judge) -> Advice:
    """What the one candidate that the place accepts has to say; of several, or none, the first one's words."""
    if not candidates:
        return NO_ADVICE
    accepted = [
        candidate
        for candidate in candidates
        if judge.accepts(candidate.node if candidate.node >= 0 else failure.entry, candidate.value)
    ]
    if len(accepted) == 1:
        return accepted[0].hint, accepted[0].operations
    first = candidates[0]
    if not accepted and isinstance(first.value, (int, float)) and not isinstance(first.value, bool):
        return "send a number, not a string", None  # but not this one
    return first.hint, None


def _kinds_of_any(union: Subschema, keyword: str) -> int:
    branches: Any = union.children[keyword]
    return kinds_of_any(branches)


def _is_optional(failure: Failure) -> bool:
    """Is the place a property that its object may leave out?"""
    container = failure.container
    if not failure.path or type(failure.path[-1]) is not str or container is None or isinstance(container.value, bool):
        return False
    required = container.value.get("required")
    return not (isinstance(required, list) and failure.path[-1] in required)


def _as_text(scene: Scene, wanted: int) -> list[Candidate]:
    """The value that a string spells."""
    text = scene.failure.instance
    read = read_text(text)
    if read is NOTHING or not wanted & kind_bit(read):
        return []
    return [Candidate(read, _send_instead(text, read, scene), _replace(scene, read))]


def _send_instead(text: str, read: Any, scene: Scene) -> str:
    if isinstance(read, list):
        return "send a JSON array, not a string containing one"
    if isinstance(read, dict):
        return "send a JSON object, not a string containing one"
    noun = "null" if read is None else f"the boolean {quote(read)}" if isinstance(read, bool) else ""
    if scene.secret:
        return f"send {noun or 'the number'}, not a string"
    return f"send {noun or 'the number ' + quote(read, 40)}, not the string {quote_text(text, 40)}"


def _wrapped(scene: Scene, judge: Judge, wanted: int) -> list[Candidate]:
    """An array with the value as its one item."""
    failure = scene.failure
    value = failure.instance
    if not wanted & ARRAY_BIT or isinstance(value, (list, tuple)) or (isinstance(value, dict) and wanted & OBJECT_BIT):
        return []
    if isinstance(value, str) and (value.lstrip()[:1] in ("[", "{") or "," in value or "\n" in value):
        # It may be meant to be a list already, however it is written.
        return [Candidate([value], "send a JSON array, each item on its own", None)]
    holder = failure.holder
    if isinstance(holder, list) and len(holder) != 1 and judge.accepts(failure.holder_entry, [holder]):
        return [Candidate([value], "send an array of arrays", None)]
    return [Candidate([value], "send an array, with this value as its one item", _replace(scene, [value]))]


def _unwrapped(scene: Scene, judge: Judge, wanted: int) -> list[Candidate]:
    """The one item of an array; or the array itself, where it is the one item of an array too many."""
    failure = scene.failure
    value = failure.instance
    if not isinstance(value, list):
        return []
    place = json_pointer(failure.path)
    if len(value) == 1 and wanted & kind_bit(value[0]):
        operations: Operations = [{"op": "move", "from": f"{place}/0", "path": place}]
        return [Candidate(value[0], "send the item itself, not an array with it", operations)]
    holder = failure.holder
    if isinstance(holder, list) and len(holder) == 1:
        operations = [{"op": "move", "from": place, "path": json_pointer(failure.path[:-1])}]
        hint = "send the inner array itself, not an array with it"
        return [Candidate(value, hint, operations, failure.holder_entry)]
    return []


# --- a value that is not among those allowed --------------------------------------------------------------------------


def _about_values(scene: Scene, judge: Judge) -> Advice:
    failure = scene.failure
    value = failure.instance
    allowed = tag_values(scene) or (scene.value if failure.keyword == "enum" else [scene.value])
    if not isinstance(value, str):
        return _about_kind(scene, judge) if value is None or isinstance(value, (list, tuple)) else NO_ADVICE
    texts = [text for text in allowed if type(text) is str][:_MOST_VALUES]
    if scene.secret:
        return NO_ADVICE  # which value is alike would tell it
    same = _same_but_for_case(scene, texts)
    if same:
        return _only(same, failure, judge)
    read = read_text(value)
    if read is not NOTHING and any([type(read) is type(other) and read == other for other in allowed]):
        return _only([Candidate(read, _send_instead(value, read, scene), _replace(scene, read))], failure, judge)
    found, distance = nearest(value, texts, edits_for(value))
    if len(found) == 1 and distance < len(value) and len(texts) > 1:
        return f"did you mean {quote_text(texts[found[0]], 60)}?", None
    return NO_ADVICE


def _same_but_for_case(scene: Scene, texts: list[str]) -> list[Candidate]:
    """The one of several texts that differs from a string by case, or by how its words are joined."""
    same = spelt_alike(scene.failure.instance, texts)
    if len(same) != 1:
        return []
    return [Candidate(same[0], f"did you mean {quote_text(same[0], 60)}?", _replace(scene, same[0], public=True))]


def _texts_of(union: Subschema, keyword: str) -> list[str]:
    """The strings that the branches of a union list."""
    branches: Any = union.children[keyword]
    texts: list[str] = []
    for branch in branches[:_MOST_BRANCHES]:
        target = branch.targets.get("$ref", branch)
        schema = getattr(target, "value", None)
        if type(schema) is dict:
            values = schema["enum"] if isinstance(schema.get("enum"), list) else []
            texts += [text for text in [*values[:_MOST_VALUES], schema.get("const")] if type(text) is str]
    return list(dict.fromkeys(texts))[:_MOST_VALUES]


Adviser = Callable[[Scene, Judge], Advice]
_ADVISERS: dict[str | None, Adviser] = {
    "type": _about_kind,
    "anyOf": _about_kind,
    "oneOf": _about_kind,
    "enum": _about_values,
    "const": _about_values,
    "additionalProperties": about_unknown,
    "unevaluatedProperties": about_unknown,
    "required": about_missing,
}
