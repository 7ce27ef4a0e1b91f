"""Identifiers: the table of resources and anchors that the walk fills.

In come subschemas as the walk reads them, out comes the table from which every reference is resolved. Two different
schemas under one identifier are refused; nothing is ever looked up anywhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .dialects import Dialect
from .refusals import at, refusal
from .render import quote_text
from .subschemas import Resource, Subschema
from .uris import join, split_fragment

if TYPE_CHECKING:
    from .admission import Admission


class Table:
    """Every resource and anchor that the walk has met."""

    __slots__ = ("_duplicates", "by_uri", "foreign", "promoting", "resources")

    def __init__(self) -> None:
        self.resources: list[Resource] = []
        self.by_uri: dict[str, Resource] = {}
        #: Embedded resources in another dialect than the resource around them, still to be checked.
        self.foreign: list[Resource] = []
        #: Whether data is being made a schema: an identifier in there counts only where no real one does.
        self.promoting = False
        #: Two subschemas that claim one identifier; whether they differ is known after the walk.
        self._duplicates: list[tuple[str, Subschema, Subschema]] = []

    def identify(self, admission: Admission, subschema: Subschema) -> bool:
        """Take in the identifiers of a subschema just read; return True when they put another dialect in force."""
        value: Any = subschema.value
        resource = subschema.resource
        dialect = resource.dialect
        is_root = resource.root is subschema
        # `$schema` counts in the root of a resource only (Core 8.1.1).
        has_identifier = type(value.get("$id")) is str or type(value.get("id")) is str
        if not is_root and has_identifier and type(value.get("$schema")) is str:
            named = admission.dialects.find(value["$schema"], subschema)
            if type(value.get(named.id_keyword)) is str:
                dialect = named
        identifier = value.get(dialect.id_keyword)
        if type(identifier) is str and not (dialect.ref_overrides and type(value.get("$ref")) is str):
            base, fragment = split_fragment(identifier)
            if base:
                self._enter_resource(admission, subschema, join(resource.uri, base), fragment, dialect)
            if dialect.ref_overrides and fragment and not fragment.startswith("/"):
                self._add_anchor(subschema.resource.anchors, fragment, subschema)
        changed = subschema.resource.dialect is not resource.dialect
        if not changed:
            self._add_anchors(subschema, value)
        return changed

    def _enter_resource(
        self, admission: Admission, subschema: Subschema, uri: str, fragment: str, dialect: Dialect
    ) -> None:
        outer = subschema.resource
        admission.spend(len(uri))
        if outer.root is subschema:
            if outer.parent is not None:
                return  # read for the second time, now in its own dialect
            outer.uri = uri
            resource = outer
        elif uri == outer.uri and fragment:
            return  # "this-document#name" is an anchor
        else:
            resource = Resource(uri, dialect, subschema, outer.document, outer)
            subschema.resource = resource
            self.resources.append(resource)
            if dialect is not outer.dialect:
                self.foreign.append(resource)
        known = self.by_uri.setdefault(uri, resource)
        if known is not resource and not self.promoting:
            self._duplicates.append((uri, subschema, known.root))

    def _add_anchors(self, subschema: Subschema, value: Any) -> None:
        resource = subschema.resource
        keywords = resource.dialect.keywords
        for keyword in ("$anchor", "$dynamicAnchor"):
            name = value.get(keyword)
            if type(name) is str and keyword in keywords:
                self._add_anchor(resource.anchors, name, subschema)
                if keyword == "$dynamicAnchor":
                    resource.dynamic_anchors.setdefault(name, subschema)
        if value.get("$recursiveAnchor") is True and "$recursiveAnchor" in keywords and resource.root is subschema:
            resource.recursive_anchor = True

    def _add_anchor(self, anchors: dict[str, Subschema], name: str, subschema: Subschema) -> None:
        known = anchors.setdefault(name, subschema)
        if known is not subschema and not self.promoting:
            self._duplicates.append(("#" + name, subschema, known))

    def check_duplicates(self) -> None:
        """Refuse two different schemas under one identifier."""
        for identifier, subschema, known in self._duplicates:
            if not same_json(subschema.value, known.value):
                raise refusal(
                    "duplicate_id",
                    subschema,
                    (),
                    f"the identifier {quote_text(identifier, 80)} already belongs to another schema, at "
                    f"{at(known.pointer, known.document)}: give one of them another name",
                )
        self._duplicates.clear()


def same_json(one: Any, other: Any) -> bool:
    """Return whether two private copies are the same value; unlike `==`, tells true from 1. Never recursive."""
    stack = [(one, other)]
    while stack:
        one, other = stack.pop()
        if type(one) is not type(other):
            return False
        if type(one) is dict:
            if one.keys() != other.keys():
                return False
            stack.extend((item, other[key]) for key, item in one.items())
        elif type(one) is list:
            if len(one) != len(other):
                return False
            stack.extend(zip(one, other, strict=True))
        elif one != other:
            return False
    return True
