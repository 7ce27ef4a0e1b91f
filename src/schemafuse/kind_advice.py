"""Advice on a value of another kind than the schema asks for.

One part of advice.py, of the same shape: a failure in, a hint and a fix out. A stringified scalar, JSON text, one value
where an array belongs or the reverse, null for a property that may be left out.
"""

from __future__ import annotations

import re
from typing import Any

from ._core.values import kind_bit
from .candidates import (
    OF_THE_PLACE,
    Candidate,
    choose,
    is_plain,
    is_short,
    left_out,
    lifted,
    listed_text,
    replacing,
)
from .json_text import NOTHING, fault_of, read_text
from .knowledge import recall, recall_of
from .lowering.branches import kinds_of, kinds_of_any
from .lowering.program import ARRAY_BIT, BOOLEAN_BIT, OBJECT_BIT, STRING_BIT
from .nearness import Spelt
from .phrases import format_example
from .render import quote, quote_text
from .scene import NO_ADVICE, Advice, Judge, Scene
from .subschemas import Subschema
from .union_words import listed_values

#: Texts by which nothing is meant, and what they may stand in.
_NO_VALUE = frozenset(("", "null", "none", "nil", "undefined", "n/a", "empty"))
_AROUND = " \t\r\n()<>-\"'"
#: Between the items of a list that was written as one text.
_SEPARATOR = re.compile("[,;|\n\r\t\u3001\uff0c\uff1b]")
_MOST_ITEMS = 1_000
#: Spaces in front of a text that are looked over.
_SPACES = 1_000
#: An object of two such members stands for one member of another object.
_KEY_NAMES, _VALUE_NAMES = frozenset(("key", "name", "k", "field")), frozenset(("value", "val", "v"))


def is_no_value(text: str) -> bool:
    """Is nothing meant by a text?"""
    return len(text) < 20 and text.strip(_AROUND).lower() in _NO_VALUE


def _first_of(text: str) -> str:
    """The first character of a text that is no space, if it comes soon."""
    return text[:_SPACES].lstrip()[:1]


def about_kind(scene: Scene, judge: Judge) -> Advice:
    failure = scene.failure
    value = failure.instance
    keyword = failure.keyword
    if value is None:
        return left_out(scene, judge, True)
    candidates: list[Candidate] = []
    if keyword == "anyOf" or keyword == "oneOf":
        wanted = recall_of(_kinds_of_union, failure.subschema, keyword)
        if isinstance(value, str):
            candidates += listed_text(scene, judge, recall_of(_texts_of, failure.subschema, keyword))
    else:
        wanted = recall(kinds_of, failure.subschema)
    if isinstance(value, str):
        candidates += _as_text(scene, wanted)
    elif wanted & STRING_BIT:
        candidates += as_string(scene)
    if wanted & ARRAY_BIT and not any([isinstance(candidate.value, (list, dict)) for candidate in candidates]):
        candidates += _wrapped(scene, judge, wanted)
    if isinstance(value, list):
        candidates += _unwrapped(scene, wanted)
    advice = choose(candidates, scene, judge)
    return advice if advice[0] else _otherwise(scene, judge, wanted)


def _otherwise(scene: Scene, judge: Judge, wanted: int) -> Advice:
    """What can be said where no value that the reader may have meant would help."""
    value = scene.failure.instance
    if isinstance(value, str):
        if is_no_value(value):
            return left_out(scene, judge, False)
        start = _first_of(value)
        noun = {"{": "object", "[": "array"}.get(start)
        if noun and wanted & (OBJECT_BIT if start == "{" else ARRAY_BIT) and judge.read(value) is NOTHING:
            fault = fault_of(value) if judge.can_read(value) else ""
            return f"send a JSON {noun}, not a string{f'; {fault}' if fault else ''}", None
    if wanted == BOOLEAN_BIT and all([judge.accepts(scene.failure.entry, choice) for choice in (True, False)]):
        return "send true or false", None
    return NO_ADVICE


def _kinds_of_union(union: Subschema, keyword: str) -> int:
    return kinds_of_any(union.children[keyword])  # type: ignore[arg-type]


def _texts_of(union: Subschema, keyword: str) -> Spelt:
    """The strings that the branches of a union list."""
    return Spelt(list(dict.fromkeys([value for value in listed_values(union, keyword) if type(value) is str])))


# --- scalars and text -------------------------------------------------------------------------------------------------


def as_string(scene: Scene) -> list[Candidate]:
    """The string that spells a number or boolean: which of its notations is for the reader to say."""
    value = scene.failure.instance
    if not isinstance(value, (int, float)) or not is_short(value):
        return []
    if type(scene.schema) is dict and format_example(scene.schema.get("format")):
        return []  # no date is a number, asserted or not
    text = quote(value) if isinstance(value, bool) else repr(value)  # as JSON has it
    shown = "" if scene.secret else f': "{text if len(text) <= 40 else quote(value, 40)}"'
    return replacing(scene, text, f"send it as a string{shown}", False)


def _as_text(scene: Scene, wanted: int) -> list[Candidate]:
    """The value that a string spells."""
    read = scene.judge.read(scene.failure.instance)
    return spelt(scene, read) if read is not NOTHING and wanted & kind_bit(read) else []


def spelt(scene: Scene, read: Any) -> list[Candidate]:
    """The value that the string in the place was read as."""
    if isinstance(read, (list, dict)):
        hint = f"send a JSON {'array' if isinstance(read, list) else 'object'}, not a string containing one"
        return replacing(scene, read, hint, True, hint)
    if read is None or isinstance(read, bool):
        noun = "null" if read is None else f"the boolean {quote(read)}"
        return replacing(scene, read, f"send {noun}, not {_that_string(scene)}", True)
    noun = "the number" if scene.secret else f"the number {quote(read, 40)}"
    return replacing(scene, read, f"send {noun}, not {_that_string(scene)}", True, "send a number, not a string")


def _that_string(scene: Scene) -> str:
    return "a string" if scene.secret else f"the string {quote_text(scene.failure.instance, 40)}"


# --- arrays -----------------------------------------------------------------------------------------------------------


def _wrapped(scene: Scene, judge: Judge, wanted: int) -> list[Candidate]:
    """An array with the value as its one item, or of the items that it consists of."""
    failure = scene.failure
    value = failure.instance
    if isinstance(value, (bool, list, tuple)) or (isinstance(value, dict) and wanted & OBJECT_BIT):
        return []
    if isinstance(value, str):
        if is_no_value(value) or _first_of(value) in ("[", "{", '"'):
            return []
        if _SEPARATOR.search(value, 0, _MOST_ITEMS):
            return _listed(scene, value)
    if isinstance(value, dict) and not _is_item(scene, value):
        return _members(scene, value)
    holder = failure.holder
    if type(holder) is list and len(holder) != 1 and judge.accepts(failure.holder_entry, [holder]):
        return replacing(scene, [value], "send an array of arrays", False)
    if isinstance(value, str) and not judge.accepts(failure.entry, [value]):
        read = judge.read(value)
        if read is not NOTHING:  # two mistakes in one: that both are is for the reader to say
            shown = "the value" if scene.secret else quote(read, 40)
            return replacing(scene, [read], f"send an array, with {shown} as its one item", False)
    return replacing(scene, [value], "send an array, with this value as its one item", True)


def _listed(scene: Scene, text: str) -> list[Candidate]:
    """The items of a list that may have been written as one text; or it is one item with such a character in it."""
    parts = [part.strip() for part in _SEPARATOR.split(text[:_MOST_ITEMS])]
    values = [part if read is NOTHING else read for part, read in zip(parts, map(read_text, parts))]
    hint = "send a JSON array, each item on its own"
    return [candidate for items in (parts, values) for candidate in replacing(scene, items, hint, False)]


def _is_item(scene: Scene, value: dict[str, Any]) -> bool:
    """Is an object meant to be an item, not a list of them in other clothes?"""
    if all([name.isdigit() for name in value]):
        return False
    if len(value) == 1 and any([isinstance(member, list) for member in value.values()]):
        return False
    known = scene.judge.places.along((*scene.failure.path, 0))[-1].names
    return not known or not known.keys().isdisjoint(value)


def _members(scene: Scene, value: dict[str, Any]) -> list[Candidate]:
    hint = "send a JSON array, not an object that holds its items"
    return replacing(scene, list(value.values()), hint, False) if value else []


def _unwrapped(scene: Scene, wanted: int) -> list[Candidate]:
    """The one item of an array."""
    value = scene.failure.instance
    if len(value) != 1 or not wanted & kind_bit(value[0]) or _is_pair(scene, value[0]):
        return []
    return lifted(scene, scene.failure.path, value[0], OF_THE_PLACE)


def _is_pair(scene: Scene, item: Any) -> bool:
    """Is an object one entry of what may be a list of pairs, where an object with any names belongs?"""
    if type(item) is not dict or len(item) != 2 or not is_plain(item):
        return False
    if not item.keys() & _KEY_NAMES or not item.keys() & _VALUE_NAMES:
        return False
    return scene.judge.places.along(scene.failure.path)[-1].names.keys().isdisjoint(item)
