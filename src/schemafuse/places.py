"""Which subschemas have a say at a place of an instance.

Comes in: an admitted document, then paths. Goes out: the subschemas that may apply to the value there, more rather than
fewer: every branch of a union, every pattern for names, all that a dynamic scope could lead to. Never looks at an
instance. What was found is kept for one report, and the work for a report is bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from .subschemas import Document, DynamicTarget, Subschema

#: Subschemas of one value that are looked through; and looks at a subschema in one report, where a look for one name
#: counts an eighth.
_MOST, _LOOKS = 300, 20_000
_IN_PLACE = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies")
#: Those of them that may not hold for a value.
_SOMETIMES = frozenset(_IN_PLACE) - {"allOf"}
_OF_MEMBERS = ("patternProperties", "additionalProperties", "unevaluatedProperties")
_OF_ITEMS = ("items", "prefixItems", "additionalItems", "contains", "unevaluatedItems")


def held_by(subschema: Subschema, keywords: tuple[str, ...]) -> Iterable[Subschema]:
    """The subschemas under some keywords, in whatever shape they are held. Most hold none."""
    children = subschema.children
    held = [children[keyword] for keyword in keywords if keyword in children] if children else ()
    return _each(held) if held else ()


def _each(held: Iterable[Any]) -> Iterator[Subschema]:
    for child in held:
        if isinstance(child, Subschema):
            yield child
        else:
            yield from child.values() if isinstance(child, dict) else child


class Place:
    """The subschemas that have a say at a place. Where the same ones have, it is the same place."""

    __slots__ = ("inside", "marked", "rest", "subschemas")

    def __init__(self, subschemas: list[Subschema]) -> None:
        self.subschemas = subschemas
        #: A name, 0 for any item, None for any name that is not known here -> the place below.
        self.inside: dict[str | int | None, Place] = {}
        #: Whether one of them says that the value is secret; None until somebody asks.
        self.marked: bool | None = None
        #: What is said of members whatever their names; None until somebody asks.
        self.rest: list[Subschema] | None = None

    @property
    def names(self) -> dict[str, None]:
        """The names of members that the schema gives, in its order."""
        held: list[Any] = [subschema.children.get("properties", ()) for subschema in self.subschemas]
        return {name: None for properties in held for name in properties}

    def knows(self, name: str) -> bool:
        """Does the schema itself name such a member?"""
        held: list[Any] = [subschema.children.get("properties", ()) for subschema in self.subschemas]
        return any([name in properties for properties in held])

    def asked_of(self, name: str) -> Subschema | None:
        """The first subschema that holds for a member of the name, whatever the value is."""
        for subschema in self.subschemas:
            properties: Any = subschema.children.get("properties", ())
            if name in properties and _always_applies(subschema):
                return properties[name]  # type: ignore[no-any-return]
        return None


def _always_applies(subschema: Subschema) -> bool:
    """Does a subschema assert something of every value at its place? An `if` does not, nor does a branch of a union."""
    while subschema.keyword == "allOf" and subschema.parent is not None:
        subschema = subschema.parent
    return subschema.keyword not in _SOMETIMES


#: Where there is too much to look through, and all below it.
UNKNOWN = Place([])


class Places:
    """The places of the instances of one schema, found as they are asked for in one report."""

    __slots__ = ("_document", "_looks", "_overrides", "_places", "_root")

    def __init__(self, document: Document) -> None:
        self._document = document
        self._looks = _LOOKS
        self._places: dict[tuple[int, ...], Place] = {}
        #: Name of a dynamic anchor -> where a dynamic scope can lead.
        self._overrides: dict[str, list[Subschema]] = {}
        self._root: Place | None = None

    def along(self, path: tuple[str | int, ...]) -> list[Place]:
        """The root, the next place on the path, and so on to its end."""
        if self._root is None:
            self._root = self._place([self._document.root])
        places = [self._root]
        for part in path:
            places.append(self.below(places[-1], part))
        return places

    def below(self, place: Place, part: str | int) -> Place:
        """What the subschemas of a value say of one of its members or items."""
        key = part if isinstance(part, str) else 0
        found = place.inside.get(key)
        if found is None:
            self._looks -= 1 + (len(place.subschemas) >> 3)
            if place is UNKNOWN or self._looks < 0:
                return UNKNOWN
            known = isinstance(key, int) or place.knows(key)
            found = None if known else place.inside.get(None)
            if found is None:
                found = self._place(_of_members(place, part) if isinstance(part, str) else _of_items(place))
                place.inside[key if known else None] = found
            place.inside[key] = found
        return found

    def _place(self, subschemas: Iterable[Subschema]) -> Place:
        """The place of subschemas with all that they apply to the same value."""
        found: dict[int, Subschema] = {}
        waiting = [subschemas]
        while waiting:
            for subschema in waiting.pop():
                self._looks -= 1
                if len(found) >= _MOST or self._looks < 0:
                    return UNKNOWN
                if id(subschema) not in found:
                    found[id(subschema)] = subschema
                    held = held_by(subschema, _IN_PLACE)
                    if held:
                        waiting.append(held)
                    if subschema.targets:
                        waiting.append(self._targets(subschema))
        key = tuple(found)
        if key not in self._places:
            self._places[key] = Place(list(found.values()))
        return self._places[key]

    def _targets(self, subschema: Subschema) -> Iterator[Subschema]:
        for target in subschema.targets.values():
            if isinstance(target, DynamicTarget):
                yield target.initial
                yield from self._overriding(target.anchor)
            else:
                yield target

    def _overriding(self, anchor: str) -> list[Subschema]:
        """All subschemas to which a dynamic scope can bend a reference (Core 8.2.3.2; 2019-09 Core 8.2.4.2)."""
        found = self._overrides.get(anchor)
        if found is None:
            resources = self._document.resources
            if anchor:
                found = [r.dynamic_anchors[anchor] for r in resources if anchor in r.dynamic_anchors]
            else:
                found = [resource.root for resource in resources if resource.recursive_anchor]
            self._overrides[anchor] = found
        return found


def _of_members(place: Place, name: str) -> list[Subschema]:
    if place.rest is None:
        place.rest = list(islice(_held_by_any(place.subschemas, _OF_MEMBERS), _MOST + 1))
    held: list[Any] = [subschema.children.get("properties", {}) for subschema in place.subschemas]
    return [properties[name] for properties in held if name in properties] + place.rest


def _of_items(place: Place) -> Iterator[Subschema]:
    return _held_by_any(place.subschemas, _OF_ITEMS)


def _held_by_any(subschemas: list[Subschema], keywords: tuple[str, ...]) -> Iterator[Subschema]:
    for subschema in subschemas:
        if subschema.children:
            yield from held_by(subschema, keywords)
