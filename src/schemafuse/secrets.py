"""Which values must not be echoed: those that a name, or the schema, says are secret.

Paths and values go in, yes or no comes out; and the paths that may be shown. Errs on the side of silence: a text that
does not repeat a value is still useful, a password in a log or in a model's context is not.
"""

from __future__ import annotations

from typing import Any

from .places import UNKNOWN, Place, Places
from .secret_names import gives_secret, is_secret_name, names_a_secret, names_in, tells_secret
from .subschemas import Document, Subschema

#: Values that are looked through for secrets inside in one report; more count as if one was found. What a name counts,
#: and how many characters of a text count as one.
_VALUES, _OF_NAME, _CHARS = 20_000, 4, 64
#: Stands for a name that is not shown.
_HIDDEN = "…"

_Path = tuple[str | int, ...]


def marks_secret(schema: dict[str, Any] | bool) -> bool:
    """Does a subschema say that the values it describes are secret (Validation 9.4, or the format "password")?"""
    return type(schema) is dict and (schema.get("writeOnly") is True or schema.get("format") == "password")


def has_marks(document: Document) -> bool:
    """Does any subschema mark values as secret?"""
    return any([marks_secret(subschema.value) for subschema in document.subschemas])


def names_secret(subschema: Subschema) -> bool:
    """Does a subschema say what a secret member of an object is to be?"""
    properties: Any = subschema.children.get("properties", {})
    return any([is_secret_name(name) or marks_secret(child.value) for name, child in properties.items()])


class Secrets:
    """What is secret in an instance, for one report: what was found out serves all its errors, within one budget."""

    __slots__ = ("_evaluator", "_marks", "_places", "_values_left")

    def __init__(self, evaluator: Any) -> None:
        self._evaluator = evaluator
        self._places: Places | None = None
        #: Whether the schema marks anything.
        self._marks: bool = evaluator.has_secrets
        self._values_left = _VALUES

    @property
    def places(self) -> Places:
        """Which subschemas have a say where; few reports need to know."""
        if self._places is None:
            self._places = Places(self._evaluator.document)
        return self._places

    def at(self, path: _Path) -> bool:
        """Does a name on the path, or a subschema that has a say on it, tell that the value is secret?"""
        for part in path:
            if type(part) is str and is_secret_name(part):
                return True
        return self._marks and any([self._is_marked(place) for place in self.places.along(path)])

    def would_hold(self, path: _Path) -> bool:
        """Would an array or object at the place hold what the schema marks? Whatever was given instead may be that."""
        if not self._marks:
            return False
        place = self.places.along(path)[-1]
        parts: list[str | int] = [0, "", *place.names]
        return any([self._is_marked(self.places.below(place, part)) for part in parts])

    def inside(self, value: Any, path: _Path) -> bool:
        """Is there a secret anywhere inside a value that is, or could be, at the place: a member, or a text that tells
        one?"""
        todo: list[tuple[Any, Place]] = [(value, self.places.along(path)[-1] if self._marks else UNKNOWN)]
        while todo:
            value, place = todo.pop()
            if isinstance(value, str):
                if self._gives(str.__str__(value)):
                    return True
            elif isinstance(value, dict):
                if names_a_secret(value):
                    return True
                for name, member in dict.items(value):
                    self._values_left -= _OF_NAME
                    if self._values_left < 0 or type(name) is not str or is_secret_name(name):
                        return True
                    below = self.places.below(place, name) if self._marks else place
                    if self._marks and self._is_marked(below):
                        return True
                    todo.append((member, below))
            elif isinstance(value, (list, tuple)) and value:
                self._values_left -= len(value)
                below = self.places.below(place, 0) if self._marks else place
                if self._values_left < 0 or names_a_secret(value) or (self._marks and self._is_marked(below)):
                    return True
                todo += [(item, below) for item in value if isinstance(item, (str, dict, list, tuple))]
        return False

    def _gives(self, text: str) -> bool:
        # What stands in JSON text may be marked; there is no place to ask.
        self._values_left -= len(text) // _CHARS
        if self._values_left >= 0:
            self._values_left -= names_in(text) * _OF_NAME
        return self._values_left < 0 or (tells_secret(text) if self._marks else False) or gives_secret(text)

    def shown(self, path: _Path) -> _Path:
        """The path as it may be shown: without names that stand inside a secret value and that the schema does not
        give."""
        if not self.at(path):
            return path
        parts: list[str | int] = []
        hides = False
        for part, place in zip(path, self.places.along(path)):
            hides = hides or (self._marks and self._is_marked(place))
            if isinstance(part, str):
                parts.append(_HIDDEN if hides and not place.knows(part) else part)
                hides = hides or is_secret_name(part)
            else:
                parts.append(part)
        return tuple(parts)

    def _is_marked(self, place: Place) -> bool:
        if place.marked is None:
            place.marked = place is UNKNOWN or any([marks_secret(said.value) for said in place.subschemas])
        return place.marked
