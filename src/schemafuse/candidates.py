"""Values that could stand in the place of one that failed, and the choice among them.

One part of advice.py: candidates go in, a hint and a fix come out. A fix needs a single candidate that the place
accepts, that helps the whole instance, and that does not repeat a secret; a hint needs one that helps.
"""

from __future__ import annotations

import json
from typing import Any

from ._core.contents import content_key
from .nearness import Nearness, Spelt, nearest_of
from .patch import Edit, Operations, Path, has_exact_names
from .render import quote_text
from .scene import NO_ADVICE, Advice, Judge, Scene

#: A value that a fix repeats: bytes, levels, and bits of an integer (4,300 digits).
_MOST_BYTES, _MOST_LEVELS, _MOST_BITS = 1 << 16, 64, 14_000
#: The node that must accept a candidate: that of the place itself; or none, where the place is to change its meaning.
OF_THE_PLACE, NO_NODE = -1, -2


class Candidate:
    """A value that could stand in a place, what to tell the reader, and whether that is to be a fix."""

    __slots__ = ("hint", "lifted", "node", "offered", "otherwise", "path", "value")

    def __init__(
        self, path: Path, value: Any, hint: str, offered: bool, otherwise: str = "", node: int = OF_THE_PLACE
    ) -> None:
        self.path = path
        self.value = value
        self.hint = hint
        #: Whether it may be offered as a fix; else the reader has to choose, or it would repeat a secret.
        self.offered = offered
        #: What is right of the hint even where the place does not accept the value.
        self.otherwise = otherwise
        self.node = node
        #: Whether it is the one item of the array in the place: it can be moved out of there, which repeats nothing.
        self.lifted = False

    def fix(self) -> Operations:
        if self.lifted:
            return [Edit("move", self.path, None, (*self.path, 0)).operation()]
        return [Edit("replace", self.path, self.value).operation()]


def choose(candidates: list[Candidate], scene: Scene, judge: Judge) -> Advice:
    """Advise what the candidates come to."""
    if type(scene.failure.holder) is list:
        candidates = candidates + _out_of_its_array(scene, candidates)
    if not candidates:
        return NO_ADVICE
    accepted = [candidate for candidate in candidates if _is_accepted(candidate, scene, judge)]
    for uncovering in (False, True) if accepted else ():
        for candidate in accepted:
            if judge.helps([Edit("replace", candidate.path, candidate.value)], uncovering):
                alone = len(accepted) == 1 and candidate.offered and not uncovering
                return candidate.hint, candidate.fix() if alone else None
    return NO_ADVICE if accepted else (candidates[0].otherwise, None)


def _is_accepted(candidate: Candidate, scene: Scene, judge: Judge) -> bool:
    node = scene.failure.entry if candidate.node == OF_THE_PLACE else candidate.node
    return node == NO_NODE or judge.accepts(node, candidate.value)


def _out_of_its_array(scene: Scene, others: list[Candidate]) -> list[Candidate]:
    """The value in the place of the array whose one item it is, where an alternative may be for it: for an array in an
    array there is none without a union. Not where that is what the others come to."""
    failure = scene.failure
    inner = isinstance(failure.instance, list)
    if len(failure.holder) != 1 or not (inner or (failure.union and failure.union[2] == failure.path[:-1])):
        return []
    if any([other.path == failure.path and [other.value] == failure.instance for other in others]):
        return []
    return lifted(scene, failure.path[:-1], failure.instance, failure.holder_entry)


def lifted(scene: Scene, path: Path, item: Any, node: int) -> list[Candidate]:
    """Put the one item of the array at a path in its place, which a node judges. A "move" out of a place repeats no
    value; into an array it would insert (RFC 6902, 4.4 and 4.1)."""
    noun = "inner array" if isinstance(item, list) and path != scene.failure.path else "item"
    hint = f"send the {noun} itself, not an array with it"
    moves = not path or isinstance(path[-1], str)
    candidate = Candidate(path, item, hint, moves or (is_short(item) and not repeats_secret(scene, item)), "", node)
    candidate.lifted = moves
    return [candidate]


def replacing(scene: Scene, value: Any, hint: str, offered: bool, otherwise: str = "") -> list[Candidate]:
    """Put a value in the place; nothing where it is too large to be repeated."""
    if not is_short(value):
        return []
    return [Candidate(scene.failure.path, value, hint, offered and not repeats_secret(scene, value), otherwise)]


def repeats_secret(scene: Scene, value: Any) -> bool:
    """Would a fix with the value repeat a secret?"""
    if value is None or isinstance(value, bool):
        return False
    return scene.secret or scene.judge.secrets.inside(value, scene.failure.path)


def is_plain(value: Any) -> bool:
    """Is the value of an exact builtin type, an object with names that are exact strings? Others are not repaired."""
    kind = type(value)
    if kind is dict:
        return has_exact_names(value)
    return value is None or kind in (str, int, float, bool, list, tuple)


def is_short(value: Any) -> bool:
    """Can the value be repeated in a report: not too long, each integer of a size that can be written?"""
    kind = type(value)
    if kind is int:
        return bool(value.bit_length() <= _MOST_BITS)
    if kind is str:
        return len(value) <= _MOST_BYTES
    if kind is not list and kind is not dict:
        return True
    key = content_key(value, _MOST_BYTES, _MOST_LEVELS)
    return key is not None and _is_exact(value) and (len(key) <= _MOST_BITS // 8 or _can_be_written(value))


def _can_be_written(value: Any) -> bool:
    """Has each integer inside a value so few digits that it can be written?"""
    try:
        json.dumps(value)
    except (ValueError, RecursionError):
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


def listed_text(scene: Scene, judge: Judge, among: Spelt, node: int = OF_THE_PLACE) -> list[Candidate]:
    """The one of the texts that the schema lists which a string was probably meant to be. Put in its place where it
    differs by case or by how its words are joined, else asked about."""
    if scene.secret or not judge.can_compare(len(among.texts)):
        return []
    near = nearest_of(scene.failure.instance, among)
    if near is None:
        return []
    offered = near.nearness is Nearness.SAME
    hint = f"did you mean {quote_text(near.text, 60)}?" if offered or len(among.texts) > 1 else ""
    return [Candidate(scene.failure.path, near.text, hint, offered, "", node)]


def left_out(scene: Scene, judge: Judge, offered: bool) -> Advice:
    """Advise to leave an optional property out, where nothing else asks for it."""
    failure = scene.failure
    container, path = failure.container, failure.path
    if not path or type(path[-1]) is not str or container is None or isinstance(container.value, bool):
        return NO_ADVICE
    schema = container.value
    if "required" in schema and isinstance(schema["required"], list) and path[-1] in schema["required"]:
        return NO_ADVICE
    edit = Edit("remove", path)
    if not judge.helps([edit]):
        return NO_ADVICE
    return "leave the property out", [edit.operation()] if offered else None
