"""Values that could stand in the place of one that failed, and the choice among them.

One part of advice.py: candidates go in, a hint and a fix come out. A fix needs a single candidate that the place
accepts, that helps the whole instance, and that does not repeat a secret; a hint needs one that helps.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from ._core.contents import content_key
from .nearness import Nearness, nearest_of
from .patch import Operations
from .render import json_pointer, quote_text
from .scene import NO_ADVICE, Advice, Judge, Scene

#: A value that a fix repeats: bytes, levels, and bits of an integer (4,300 digits).
_MOST_BYTES, _MOST_LEVELS, _MOST_BITS = 1 << 16, 64, 14_000
#: The node that must accept a candidate: that of the place itself; or none, where the place is to change its meaning.
OF_THE_PLACE, NO_NODE = -1, -2


class Candidate(NamedTuple):
    """A value that could stand in the place, what to tell the reader, and how to get there."""

    value: Any
    hint: str
    operations: Operations
    #: Whether the operations may be offered as a fix; else the reader has to choose, or they would repeat a secret.
    offered: bool = True
    #: What is right of the hint even where the place does not accept the value.
    otherwise: str = ""
    node: int = OF_THE_PLACE


def choose(candidates: list[Candidate], scene: Scene, judge: Judge) -> Advice:
    """Advise what the candidates come to."""
    accepted = [candidate for candidate in candidates if _is_accepted(candidate, scene, judge)]
    helping = [candidate for candidate in accepted if judge.helps(candidate.operations)]
    if helping:
        offered = len(accepted) == 1 and accepted[0].offered
        return helping[0].hint, helping[0].operations if offered else None
    if accepted or not candidates:
        return NO_ADVICE
    return candidates[0].otherwise, None


def _is_accepted(candidate: Candidate, scene: Scene, judge: Judge) -> bool:
    node = scene.failure.entry if candidate.node == OF_THE_PLACE else candidate.node
    return node == NO_NODE or judge.accepts(node, candidate.value)


def replacing(scene: Scene, value: Any, hint: str, *, offered: bool = True, otherwise: str = "") -> list[Candidate]:
    """Put a value in the place; nothing where it is too large to be repeated."""
    if not is_short(value):
        return []
    operations = [{"op": "replace", "path": json_pointer(scene.failure.path), "value": value}]
    return [Candidate(value, hint, operations, offered and not repeats_secret(scene, value), otherwise)]


def repeats_secret(scene: Scene, value: Any) -> bool:
    """Would a fix with the value repeat a secret?"""
    if value is None or isinstance(value, bool):
        return False
    return scene.secret or scene.judge.secrets.inside(value, scene.failure.path)


def is_plain(value: Any) -> bool:
    """Is the value of an exact builtin type, an object with names that are exact strings? Others are not repaired."""
    kind = type(value)
    if kind is dict:
        return all([type(name) is str for name in list(value)])
    return kind in (str, int, float, bool, list, tuple, type(None))


def is_short(value: Any) -> bool:
    """Can the value be repeated in a report: not too long, each integer of a size that can be written?"""
    kind = type(value)
    if kind is int:
        return bool(value.bit_length() <= _MOST_BITS)
    if kind is str:
        return len(value) <= _MOST_BYTES
    if kind is not list and kind is not dict:
        return True
    if content_key(value, _MOST_BYTES, _MOST_LEVELS) is None or not _is_exact(value):
        return False
    try:
        json.dumps(value)
    except (ValueError, RecursionError):  # an integer with too many digits
        return False
    return True


def _is_exact(value: Any) -> bool:
    """Is everything inside of an exact builtin type as well, so that writing it calls no method of its own?"""
    todo = [value]
    for part in todo:
        if not is_plain(part):
            return False
        if type(part) in (dict, list, tuple):
            todo += part.values() if type(part) is dict else part
    return True


def listed_text(scene: Scene, judge: Judge, texts: list[str], node: int = OF_THE_PLACE) -> list[Candidate]:
    """The one of the texts that the schema lists which a string was probably meant to be. Put in its place where it
    differs by case or by how its words are joined, else asked about."""
    if scene.secret or not judge.can_compare(len(texts)):
        return []
    near = nearest_of(scene.failure.instance, texts)
    if near is None:
        return []
    offered = near.nearness is Nearness.SAME
    hint = f"did you mean {quote_text(near.text, 60)}?" if offered or len(texts) > 1 else ""
    operations = [{"op": "replace", "path": json_pointer(scene.failure.path), "value": near.text}]
    return [Candidate(near.text, hint, operations, offered, node=node)]


def left_out(scene: Scene, judge: Judge, *, offered: bool) -> Advice:
    """Advise to leave an optional property out, where nothing else asks for it."""
    failure = scene.failure
    container, operations = failure.container, [{"op": "remove", "path": json_pointer(failure.path)}]
    if not failure.path or type(failure.path[-1]) is not str or container is None or isinstance(container.value, bool):
        return NO_ADVICE
    required = container.value.get("required")
    if (isinstance(required, list) and failure.path[-1] in required) or not judge.helps(operations):
        return NO_ADVICE
    return "leave the property out", operations if offered else None
