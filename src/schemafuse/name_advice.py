"""Advice on names: properties that are missing, and properties that nothing allows.

One part of advice.py, of the same shape: a failure in, a hint and a fix out.
"""

from __future__ import annotations

from typing import Any

from ._core.contents import copied
from ._core.failure import Failure
from .candidates import is_short
from .knowledge import recall
from .levels import other_level, wrapper
from .lowering.tags import properties_of, required_by
from .nearness import Near, Nearness, nearest_of_each
from .patch import Edit, Operations, operations_of
from .phrases import listed, together
from .places import UNKNOWN
from .render import quote_text
from .scene import NO_ADVICE, Advice, Judge, Scene
from .subschemas import Subschema

#: Names that are looked through, names given that are compared with them, missing ones that are, and names listed.
_MOST_NAMES, _MOST_GIVEN, _MOST_MISSING, _LISTED = 1_000, 10, 20, 8
#: Names given that a subschema does not know; others may.
_MOST_OTHERS = 50
#: Hints in one text.
_MOST_HINTS = 3
#: Patterns of names that are shown.
_PATTERNS = 2
_NOTHING = object()


def about_unknown(scene: Scene, judge: Judge) -> Advice:
    """Properties that nothing allows: the nearest name that is not given yet, or the level where they belong."""
    failure = scene.failure
    subschema = failure.subschema
    beside = failure.keyword == "additionalProperties"
    known = list(recall(_allowed_names, subschema) if beside else judge.places.along(failure.path)[-1].names)
    # A name inside a secret value is not repeated.
    strangers = [] if scene.secret else failure.detail
    advice = _about_names(failure, judge, strangers, [name for name in known if name not in failure.instance])
    if advice[0]:
        return advice
    hint = wrapper(scene, judge) or other_level(scene, judge) or _given_already(strangers, failure, known, judge)
    return (hint, None) if hint else _nulls(strangers, failure, judge) or (_allowed(failure, judge, known), None)


def about_strangers(scene: Scene, judge: Judge) -> Advice:
    """Properties that none of the alternatives for an object knows: the nearest name that is not given yet."""
    failure = scene.failure
    place = judge.places.along(failure.path)[-1]
    if place is UNKNOWN or scene.secret:
        return NO_ADVICE
    known = place.names
    if len(failure.instance) > len(known) + _MOST_GIVEN:
        return NO_ADVICE
    strangers = [name for name in failure.instance if name not in known]
    return _about_names(failure, judge, strangers, [name for name in known if name not in failure.instance])


def _about_names(failure: Failure, judge: Judge, strangers: list[str], free: list[str]) -> Advice:
    """Which of the names that are not given yet may have been meant by those that are."""
    edits: list[Edit] = []
    hints: list[str] = []
    for name, meant in _pairs(strangers, free, judge):
        which = f" by {quote_text(name, 60)}" if len(strangers) > 1 else ""
        if _rename(failure, judge, name, meant, Nearness.TYPO, edits) and len(hints) < _MOST_HINTS:
            hints.append(f"did you mean {quote_text(meant.text, 60)}{which}?")
    return " ".join(hints), _helping(edits, judge)


def _nulls(strangers: list[str], failure: Failure, judge: Judge) -> Advice | None:
    """Names that nothing allows, with null for "none": those of the other alternatives of a union, say."""
    if not 0 < len(strangers) <= _MOST_GIVEN or any([failure.instance[name] is not None for name in strangers]):
        return None
    edits = [Edit("remove", (*failure.path, name)) for name in strangers]
    return (
        ("leave it out" if len(edits) == 1 else "leave them out", operations_of(edits)) if judge.helps(edits) else None
    )


def _given_already(strangers: list[str], failure: Failure, known: list[str], judge: Judge) -> str:
    """Two spellings of one name: the one that is known is given as well."""
    pairs = _pairs(strangers[:1], [name for name in known if name in failure.instance], judge)
    if len(strangers) != 1 or not pairs or pairs[0][1].nearness < Nearness.TYPO:
        return ""
    return f"{quote_text(pairs[0][1].text, 60)} is given as well: leave {quote_text(strangers[0], 60)} out"


def about_missing(scene: Scene, judge: Judge) -> Advice:
    """Properties that must be given: a name that was misspelt, or the one value that a property can have."""
    failure = scene.failure
    properties: Any = failure.subschema.children.get("properties", {})
    few = not scene.secret and len(failure.instance) <= len(properties) + _MOST_OTHERS
    given = [name for name in failure.instance if name not in properties] if few else []
    renamed = _renamed(failure, judge, given) if given else {}
    filled = _filled_in(failure, judge)
    edits: list[Edit] = []
    hints: list[str] = []
    for missing in _missing_names(failure):
        if missing in renamed:
            name, meant, least = renamed[missing]
            if _rename(failure, judge, name, meant, least, edits) and len(hints) < _MOST_HINTS:
                hints.append(f"{quote_text(name, 60)} was given: did you mean {quote_text(missing, 60)}?")
                judge.asked_about.add((*failure.path, name))
        elif missing in filled:
            edits.append(Edit("add", (*failure.path, missing), copied(filled[missing])))
    hint = " ".join(hints) or wrapper(scene, judge)
    return hint, _helping(edits, judge)


def _missing_names(failure: Failure) -> list[str]:
    names: list[str] = failure.detail if failure.keyword == "required" else failure.detail[1]
    return names[:_MOST_MISSING]


def _pairs(given: list[str], names: list[str], judge: Judge) -> list[tuple[str, Near]]:
    """Each name given with the one that it was probably meant to be, where no other was meant to be that one. None at
    all where there are too many to look at each of them."""
    few = 0 < len(given) <= _MOST_GIVEN and len(names) <= _MOST_NAMES
    if not few or not judge.can_compare(len(given) * len(names)):
        return []
    found = list(zip(given, nearest_of_each(given, names)))
    meant = [near.text for _, near in found if near is not None]
    return [(name, near) for name, near in found if near is not None and meant.count(near.text) == 1]


def _rename(failure: Failure, judge: Judge, name: str, meant: Near, least: Nearness, edits: list[Edit]) -> bool:
    """May the reader be asked whether another name was meant? Where it is so near that it can only be a slip, renaming
    it joins the edits."""
    move = Edit("move", (*failure.path, meant.text), None, (*failure.path, name))
    if meant.nearness >= least:
        edits.append(move)
        return True
    return judge.helps([move])


def _helping(edits: list[Edit], judge: Judge) -> Operations | None:
    """All edits, if they help; else those that help by themselves, and together."""
    if not edits:
        return None
    if judge.helps(edits):
        return operations_of(edits)
    some = [edit for edit in edits if judge.helps([edit])] if len(edits) > 1 else []
    return operations_of(some) if some and judge.helps(some) else None


def _allowed_names(subschema: Subschema) -> list[str]:
    """The properties of a subschema, but for those that may not be given."""
    properties: Any = subschema.children.get("properties", {})
    return [name for name, child in properties.items() if child.value is not False and child.value != {"not": {}}]


def _allowed(failure: Failure, judge: Judge, known: list[str]) -> str:
    """The names that an object can have, those that are not given yet."""
    held: Any = failure.subschema.children.get("patternProperties", ())
    patterns = list(held)[:_PATTERNS]
    names = [name for name in known if name not in failure.instance] or ([] if patterns else known)
    if patterns:
        own = [quote_text(name, 40) for name in names[:_LISTED]]
        return f"allowed: {together([*own, f'names that match {listed(patterns, most=_PATTERNS)}'], len(own) + 1)}"
    if not names:
        few = failure.detail if len(failure.detail) <= _MOST_GIVEN else []
        helps = few and judge.helps([Edit("remove", (*failure.path, name)) for name in few])
        return ("leave it out" if len(few) == 1 else "leave them out") if helps else ""
    shown = ", ".join([quote_text(name, 40) for name in names[:_LISTED]])
    return f"allowed: {shown}{' and ' + str(len(names) - _LISTED) + ' more' if len(names) > _LISTED else ''}"


def _renamed(failure: Failure, judge: Judge, given: list[str]) -> dict[str, tuple[str, Near, Nearness]]:
    """Missing name -> the one that was given for it, how near that is, and how near it must be to be renamed."""
    missing = _missing_names(failure)
    if len(given) > _MOST_OTHERS or not any(nearest_of_each(given, missing)):
        return {}
    place = judge.places.along(failure.path)[-1]
    if place is UNKNOWN:
        return {}
    known = dict.fromkeys([*missing, *place.names])
    strangers = [name for name in given if name not in known]
    pairs = _pairs(strangers, [name for name in known if name not in failure.instance], judge)
    # What is allowed as it is, beside the missing name, is left alone unless it can be nothing but that name.
    least = Nearness.TYPO if any([_is_closed(subschema) for subschema in place.subschemas]) else Nearness.SLIP
    return {meant.text: (name, meant, least) for name, meant in pairs if meant.text in missing}


def _is_closed(subschema: Subschema) -> bool:
    """Does a subschema allow no properties but those that it knows?"""
    held = [subschema.children.get(keyword) for keyword in ("additionalProperties", "unevaluatedProperties")]
    return any([isinstance(child, Subschema) and child.value is False for child in held])


def _filled_in(failure: Failure, judge: Judge) -> dict[str, Any]:
    """The only values that missing properties can have, where no branch of a union had to be guessed for that."""
    properties: Any = failure.subschema.children.get("properties", {})
    own = _only_values(_missing_names(failure), properties)
    if not own or failure.doubt < 0:
        return own
    if failure.alternative is None or failure.union is None or failure.doubt < len(failure.path):
        return {}
    # The branch is a guess: could the object be meant for another one?
    union, keyword, index = failure.alternative
    branches: Any = union.children[keyword]
    for other, branch in enumerate(branches):
        table = properties_of(branch)
        if not judge.can_compare(len(table) + len(failure.instance)):
            return {}
        missing = [name for name in table if name not in failure.instance]
        filled = own if other == index else _only_values(missing, table)
        accepted = judge.accepts(failure.entry, {**failure.instance, **filled})
        if accepted != (other == index) or (other != index and _may_be_meant(branch, table, filled, failure.instance)):
            return {}
    return own


def _may_be_meant(
    branch: Subschema, properties: dict[str, Subschema], filled: dict[str, Any], value: dict[str, Any]
) -> bool:
    """Does a branch know the names of an object, whatever it has against their values, and ask for no others?"""
    if any([name not in properties and member is not None for name, member in value.items()]):
        return False
    return all([name in value or name in filled for name in recall(required_by, branch)])


def _only_values(names: list[str], properties: dict[str, Subschema]) -> dict[str, Any]:
    values = {}
    for name in names:
        value = only_value(properties[name]) if name in properties else _NOTHING
        if value is not _NOTHING and is_short(value):
            values[name] = value
    return values


def only_value(subschema: Subschema) -> Any:
    """The only value that a subschema allows, or `_NOTHING`."""
    if type(subschema.value) is not dict:
        return _NOTHING
    schema = subschema.value
    if "const" in schema:
        return schema["const"]
    values = schema.get("enum")
    return values[0] if isinstance(values, list) and len(values) == 1 else _NOTHING
