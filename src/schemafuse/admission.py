"""Admission: the one walk over a raw schema, and the way from there to a resolved document.

In comes any Python object with the limits, out goes a `Document`: a private copy in exact builtin types, every schema
position known, checked against its metaschema, every reference resolved inside it. Everything else is a `SchemaError`.

Never recursive, never calls a method that a subclass could override, never fetches, never expands beyond the limits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .custom_dialects import DialectFinder, named_dialect
from .deadline import Deadline
from .dialects import DEFAULT_DIALECT, Dialect, Holds
from .identifiers import Table
from .json_copy import FEW, MEMBER_BYTES, SLACK, JsonCopier, snapshot
from .limits import Limits
from .metaschemas import check_schema
from .references import resolve_all
from .refusals import changed, refuse_root, too_deep, too_large, too_long, too_many_subschemas
from .subschemas import Document, DynamicTarget, Resource, Subschema
from .weights import Weighing, json_bytes

__all__ = ["Deadline", "Document", "DynamicTarget", "Resource", "Subschema", "admit"]

_SCHEMA_OR_SCHEMAS, _SCHEMA, _SCHEMA_MAP = Holds.SCHEMA_OR_SCHEMAS, Holds.SCHEMA, Holds.SCHEMA_MAP
_LAST_APPLICATOR = Holds.SCHEMA_OR_NAMES_MAP
_REFERENCE, _PATTERN, _VALUES = Holds.REFERENCE, Holds.PATTERN, Holds.VALUES
_dict_items, _dict_len = dict.items, dict.__len__


def admit(
    schema: Any,
    limits: Limits,
    dialect_uri: str | None,
    resources: Mapping[str, Any] | None,
    deadline: Deadline,
) -> Document:
    """Admit a schema: copy it, check it against the limits and its metaschema, and resolve its references.

    `dialect_uri` is for a schema without `$schema`; `resources` maps URIs to the schemas that references may reach.
    Raises `SchemaError` and nothing else, whatever the schema is.
    """
    if type(schema) is not bool and not issubclass(type(schema), dict):
        raise refuse_root(schema)
    try:
        return Admission(limits, resources, deadline).run(schema, dialect_uri)
    except RecursionError:
        raise
    except RuntimeError:
        # "dictionary changed size during iteration": another thread writes to the schema while it is read.
        raise changed("") from None


class Admission(JsonCopier):
    """One admission: the walk, and what it collects."""

    __slots__ = ("_queue", "_uncounted", "dialects", "references", "resources", "subschemas", "table", "values")

    def __init__(
        self,
        limits: Limits,
        resources: Mapping[str, Any] | None,
        deadline: Deadline,
        chain: tuple[str, ...] = (),
    ) -> None:
        JsonCopier.__init__(self, limits, deadline)
        self.resources = resources
        self.dialects = DialectFinder(resources, limits, deadline, chain)
        self.table = Table()
        self.subschemas: list[Subschema] = []
        #: Subschemas with a reference keyword, in the order in which they are to be resolved.
        self.references: list[Subschema] = []
        #: Document URI -> private copy.
        self.values: dict[str, dict[str, Any] | bool] = {}
        self._uncounted: list[str] = []
        self._queue: list[tuple[Subschema, Any, int, int]] = []

    def run(self, schema: Any, dialect_uri: str | None) -> Document:
        default = DEFAULT_DIALECT if dialect_uri is None else self.dialects.find(dialect_uri, None)
        root = self.admit_document("", schema, default)
        if self.references:
            resolve_all(self)
        return Document(root, self.subschemas, self.table.resources, self.values, self.limits)

    def admit_document(self, uri: str, raw: Any, default: Dialect, *, trusted: bool = False) -> Subschema:
        """Admit a whole document found by `uri` ("" for the schema given); a trusted one needs no metaschema check."""
        self.raw_documents[uri] = raw
        self.document = uri
        value: Any = raw if type(raw) is bool else {}
        root = Subschema(value, None, "", None, None)  # type: ignore[arg-type]
        root.resource = Resource(uri, default, root, uri, None)
        if value is not raw:
            uri_named = named_dialect(raw, root)
            if uri_named is not None:
                root.resource.dialect = self.dialects.find(uri_named, root)
        self.values[uri] = value
        self.subschemas.append(root)
        self.table.resources.append(root.resource)
        self.table.by_uri.setdefault(uri, root.resource)
        if value is not raw:
            self._queue.append((root, raw, 1, 1))
            self._walk()
        self._uncounted.append(uri)
        if self.floor * SLACK > self.most_bytes:
            self._count_bytes()
        self.table.check_duplicates()
        if not trusted:
            check_schema(self, root)
        return root

    def admit_data(self, parent: Subschema, tokens: tuple[str | int, ...], raw: Any) -> Subschema:
        """Make a schema of data that a reference leads to: counted, walked and checked like any other."""
        value: Any = raw if type(raw) is bool else {}
        target = Subschema(value, parent, str(tokens[0]), tokens[1:] or None, parent.resource)
        self.subschemas.append(target)
        if value is not raw:
            self._queue.append((target, raw, parent.depth + 1, len(target.path) + 1))
            self.table.promoting = True
            floor, self.floor = self.floor, 0
            self._walk()
            self.spend(self.floor)
            self.floor = floor
            self.table.promoting = False
        self.table.check_duplicates()
        check_schema(self, target)
        return target

    def _count_bytes(self) -> None:
        """Check the bytes exactly, where the cheap count cannot tell that they are few enough."""
        counted = [json_bytes(self.values[uri]) for uri in self._uncounted]
        if self.counted + sum(counted) > self.most_bytes:
            self.counted += sum(counted[:-1])
            raise too_large(self, Weighing(self.raw_documents[self.document], self.most_bytes))
        self.counted += sum(counted)
        self._uncounted.clear()

    def _walk(self) -> None:
        queue, subschemas = self._queue, self.subschemas
        deepest, levels = self.limits.max_schema_depth, self.limits.max_json_depth
        most = self.limits.max_subschemas
        # Breadth first, in the order of the members: the list grows while it is read.
        for subschema, raw, depth, level in queue:
            if depth > deepest:
                raise too_deep(self, subschema, (), depth)
            if level > levels:
                raise too_deep(self, subschema, ())
            self._admit_object(subschema, raw, depth, level)
            if len(subschemas) > most:
                raise too_many_subschemas(self, subschema.document)
        queue.clear()

    def _admit_object(self, subschema: Subschema, raw: Any, depth: int, level: int) -> None:
        """Copy one schema object; its subschemas go into the queue."""
        copy: Any = subschema.value
        role_of = subschema.resource.dialect.roles.get
        size = _dict_len(raw)
        floor = self.floor
        chars = 0
        if size > FEW:
            self.charge(size, MEMBER_BYTES)
        else:
            chars = size * MEMBER_BYTES + 1
        refers = identifies = False
        holders: list[tuple[str, int, Any]] = []
        for key, item in _dict_items(raw):
            if type(key) is not str:
                key = self.exact_key(key, subschema, ())
            chars += len(key)
            role = role_of(key)
            if role is None:
                if type(item) is str:
                    chars += len(item)
                    copy[key] = item
                else:
                    copy[key] = self.copy(item, level, subschema, key)
            elif role <= _LAST_APPLICATOR:
                copy[key] = None  # keeps its place in the order
                holders.append((key, role, item))
            else:
                item = copy[key] = self.copy(item, level, subschema, key)
                if role == _REFERENCE:
                    refers = True
                elif role <= _VALUES:
                    self._check_length(item, role, subschema, key)
                else:
                    identifies = True
        if len(copy) != size:
            raise self.mismatch(raw, subschema, ())
        self.floor += chars
        self.countdown -= size + 1
        if self.floor > self.alarm or self.countdown < 0:
            self.charge(0, 0)
        if identifies and self.table.identify(self, subschema):
            # Another dialect is in force from here on, so what was read so far may mean something else.
            copy.clear()
            self.floor = floor
            self._admit_object(subschema, raw, depth, level)
            return
        if refers:
            self.references.append(subschema)
        if holders:
            subschema.children = self._admit_children(subschema, copy, holders, depth + 1, level + 1)

    def _check_length(self, item: Any, role: int, subschema: Subschema, *tokens: str) -> None:
        if role == _PATTERN:
            if type(item) is str and len(item) > self.limits.max_pattern_chars:
                raise too_long(subschema, tokens, "max_pattern_chars", len(item), self.limits.max_pattern_chars)
        elif type(item) is list and len(item) > self.limits.max_enum_values:
            raise too_long(subschema, tokens, "max_enum_values", len(item), self.limits.max_enum_values)

    def _admit_children(
        self, subschema: Subschema, copy: Any, holders: list[tuple[str, int, Any]], depth: int, level: int
    ) -> dict[str, Any]:
        """Make a subschema of each value that the applicators hold; those values stand at `level`."""
        children: dict[str, Any] = {}
        for keyword, role, raw in holders:
            kind = type(raw)
            if role >= _SCHEMA_MAP and (kind is dict or issubclass(kind, dict)):
                if level > self.limits.max_json_depth:
                    raise too_deep(self, subschema, (keyword,))
                copy[keyword], children[keyword] = self._admit_map(subschema, keyword, raw, depth, level)
            elif role <= _SCHEMA_OR_SCHEMAS and issubclass(kind, (list, tuple)):
                if level > self.limits.max_json_depth:
                    raise too_deep(self, subschema, (keyword,))
                copy[keyword], children[keyword] = self._admit_array(subschema, keyword, raw, depth, level)
            elif _SCHEMA_OR_SCHEMAS <= role <= _SCHEMA and (kind is bool or issubclass(kind, dict)):
                child = self._admit_child(subschema, keyword, None, raw, depth, level)
                copy[keyword] = child.value
                children[keyword] = child
            else:
                # Not what the keyword holds. It is copied all the same: the metaschema check says what is wrong.
                copy[keyword] = self.copy(raw, level - 1, subschema, keyword)
        return children

    def _admit_child(
        self, parent: Subschema, keyword: str, member: str | int | None, raw: Any, depth: int, level: int
    ) -> Subschema:
        if type(raw) is bool:
            child = Subschema(raw, parent, keyword, member, parent.resource)
        else:
            child = Subschema({}, parent, keyword, member, parent.resource)
            self._queue.append((child, raw, depth, level))
        self.subschemas.append(child)
        return child

    def _admit_map(
        self, subschema: Subschema, keyword: str, raw: Any, depth: int, level: int
    ) -> tuple[dict[str, Any], dict[str, Subschema]]:
        values: dict[str, Any] = {}
        children: dict[str, Subschema] = {}
        size = _dict_len(raw)
        chars = 0
        if size > FEW:
            self.charge(size, MEMBER_BYTES)
        else:
            chars = size * MEMBER_BYTES + 1
        resource, queue, subschemas = subschema.resource, self._queue, self.subschemas
        for name, item in _dict_items(raw):
            if type(name) is not str:
                name = self.exact_key(name, subschema, (keyword,))
            chars += len(name)
            kind = type(item)
            if kind is dict or kind is bool or issubclass(kind, dict):
                value: Any = item if kind is bool else {}
                children[name] = child = Subschema(value, subschema, keyword, name, resource)
                values[name] = value
                subschemas.append(child)
                if kind is not bool:
                    queue.append((child, item, depth, level + 1))
            else:
                values[name] = self.copy(item, level, subschema, keyword, name)
        if len(values) != size:
            raise self.mismatch(raw, subschema, (keyword,))
        self.charge_text(chars)
        if keyword == "patternProperties":
            for name in values:
                self._check_length(name, _PATTERN, subschema, keyword, name)
        return values, children

    def _admit_array(
        self, subschema: Subschema, keyword: str, raw: Any, depth: int, level: int
    ) -> tuple[list[Any], list[Subschema]]:
        values: list[Any] = []
        children: list[Subschema] = []
        for index, item in enumerate(snapshot(raw, self)):
            kind = type(item)
            if kind is dict or kind is bool or issubclass(kind, dict):
                child = self._admit_child(subschema, keyword, index, item, depth, level + 1)
                values.append(child.value)
                children.append(child)
            else:
                values.append(self.copy(item, level, subschema, keyword, index))
        return values, children
