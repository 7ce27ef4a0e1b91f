"""What admission hands to lowering: the schema as a graph of subschemas with every reference resolved.

Plain records; they never touch the caller's objects, only the private copy that admission made.
"""

from __future__ import annotations

from typing import Any

from .dialects import Dialect
from .limits import Limits
from .render import json_pointer

#: The member that tells the branches of a union apart, and `(a value that it can have, index of the branch)` for each:
#: any JSON scalars, no two equal by JSON. None and an empty list where there is no such member.
Tag = tuple[str | None, list[tuple[Any, int]]]

#: Shared by every subschema without children or references; nothing ever writes to it.
NOTHING: dict[str, Any] = {}


class Resource:
    """A schema resource (Core 4.3.5): the root of a document, or a subschema with its own `$id`."""

    __slots__ = (
        "anchors",
        "dialect",
        "document",
        "dynamic_anchors",
        "fragments",
        "parent",
        "recursive_anchor",
        "root",
        "uri",
    )

    def __init__(self, uri: str, dialect: Dialect, root: Subschema, document: str, parent: Resource | None) -> None:
        #: The base URI, without a fragment; "" when the document has none.
        self.uri = uri
        self.dialect = dialect
        self.root = root
        #: "" for the schema given, else the URI by which its document was found.
        self.document = document
        #: The resource that this one is embedded in.
        self.parent = parent
        #: Names from `$anchor`, `$dynamicAnchor`, and up to draft-07 from "#name" identifiers.
        self.anchors: dict[str, Subschema] = {}
        self.dynamic_anchors: dict[str, Subschema] = {}
        #: `$recursiveAnchor: true` at its root (2019-09 Core 8.2.4.2.2).
        self.recursive_anchor = False
        #: Fragments that were resolved so far.
        self.fragments: dict[str, Subschema] = {}


class Subschema:
    """One schema position."""

    __slots__ = ("children", "keyword", "kinds", "known", "member", "parent", "resource", "tags", "targets", "value")

    def __init__(
        self,
        value: dict[str, Any] | bool,
        parent: Subschema | None,
        keyword: str,
        member: str | int | tuple[str | int, ...] | None,
        resource: Resource,
    ) -> None:
        #: A private copy, in exact builtin types.
        self.value = value
        self.parent = parent
        #: Where it stands in its parent: the keyword, and the name or index below it. A tuple of further tokens where
        #: a reference made a schema out of data.
        self.keyword = keyword
        self.member = member
        self.resource = resource
        #: keyword -> the subschemas it holds, in the shape it holds them.
        self.children: dict[str, Subschema | list[Subschema] | dict[str, Subschema]] = NOTHING
        #: "$ref", "$dynamicRef", "$recursiveRef" -> where it leads.
        self.targets: dict[str, Subschema | DynamicTarget] = NOTHING
        #: "anyOf", "oneOf" -> the tag of that union, where it has one. The lowering finds them.
        self.tags: dict[str, Tag] = NOTHING
        #: The kinds of value that `type`, `const` and `enum` leave, as a bit set; None until somebody asks.
        self.kinds: int | None = None
        #: What knowledge.py keeps, from the first value on that fails here.
        self.known: dict[Any, Any] = NOTHING

    @property
    def document(self) -> str:
        """ "" for the schema given, else the URI of the document it stands in."""
        return self.resource.document

    @property
    def path(self) -> list[str | int]:
        """The tokens from the root of its document."""
        tokens: list[str | int] = []
        subschema: Subschema | None = self
        while subschema is not None and subschema.parent is not None:
            member = subschema.member
            if isinstance(member, tuple):
                tokens.extend(reversed(member))
            elif member is not None:
                tokens.append(member)
            tokens.append(subschema.keyword)
            subschema = subschema.parent
        tokens.reverse()
        return tokens

    @property
    def pointer(self) -> str:
        """JSON Pointer from the root of its document, "" for the root.

        Made on demand: stored, the pointers of 10,000 subschemas below one long name would take gigabytes.
        """
        return json_pointer(tuple(self.path))

    @property
    def depth(self) -> int:
        """Levels of subschemas, the root of its document counted as 1."""
        depth = 0
        subschema: Subschema | None = self
        while subschema is not None:
            depth += 1
            subschema = subschema.parent
        return depth

    def __repr__(self) -> str:
        return f"<Subschema {self.document[:80]}#{self.pointer[:200]}>"


class DynamicTarget:
    """A reference that looks through the dynamic scope (Core 8.2.3.2; 2019-09 Core 8.2.4.2)."""

    __slots__ = ("anchor", "initial")

    def __init__(self, anchor: str, initial: Subschema) -> None:
        #: The `$dynamicAnchor` name; "" for `$recursiveRef`.
        self.anchor = anchor
        #: Where the reference leads when nothing in the dynamic scope overrides it.
        self.initial = initial


class Document:
    """An admitted schema, with everything that it reaches."""

    __slots__ = ("limits", "resources", "root", "subschemas", "values")

    def __init__(
        self,
        root: Subschema,
        subschemas: list[Subschema],
        resources: list[Resource],
        values: dict[str, dict[str, Any] | bool],
        limits: Limits,
    ) -> None:
        self.root = root
        #: Every subschema in the order of the walk, those of reached `resources` and metaschemas included.
        self.subschemas = subschemas
        self.resources = resources
        #: Document URI -> private copy; "" is the schema given.
        self.values = values
        self.limits = limits

    @property
    def value(self) -> dict[str, Any] | bool:
        """The private copy of the whole schema given."""
        return self.values[""]

    @property
    def usage(self) -> dict[str, int]:
        """How much of each compile limit the schema uses. Made on demand; a compilation does not need it."""
        from .weights import measure_usage

        return measure_usage(self)
