"""Hostile schemas that are well-formed: any dialect or several in one document, references of every kind, shared parts.

Comes in: a `random.Random`. Goes out: a `Document`. The same state of the generator gives the same document. Most are
admitted; some are refused with reason (endless references, references to nowhere), and some cost a validator without
memory an exponential number of steps: those are marked.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote

from . import grammar, values

SCHEMA = frozenset(
    ["additionalItems", "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"]
)
SCHEMA |= {"unevaluatedItems", "unevaluatedProperties", "contentSchema"}
SCHEMAS = frozenset(["allOf", "anyOf", "oneOf", "prefixItems", "items"])
SCHEMA_MAPS = frozenset(["$defs", "definitions", "dependentSchemas", "patternProperties", "properties", "dependencies"])
_MAX_LEVELS = 3
_DEFINITIONS = ("p", "q", "r")
HOST = "http://fuzz.example/"


class Document(NamedTuple):
    """A schema and how it is to be compiled."""

    schema: Any
    dialect: str  # of the root, a key of grammar.DIALECTS
    assert_formats: bool = False
    exponential: bool = False  # for a validator that remembers nothing: keep it away from the oracles


def container_of(dialect: str) -> str:
    return "$defs" if dialect in ("2019-09", "2020-12") else "definitions"


def id_keyword_of(dialect: str) -> str:
    return "id" if dialect == "draft-04" else "$id"


def token(name: str) -> str:
    return quote(name.replace("~", "~0").replace("/", "~1"), safe="~")


def subschemas(schema: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Iterate over the subschemas of a well-formed schema with their JSON Pointers, the schema itself first."""
    yield pointer, schema
    if not isinstance(schema, dict):
        return
    for keyword, item in schema.items():
        where = f"{pointer}/{token(keyword)}"
        if keyword in SCHEMA and isinstance(item, (dict, bool)):
            yield from subschemas(item, where)
        elif keyword in SCHEMAS and isinstance(item, list):
            for position, part in enumerate(item):
                yield from subschemas(part, f"{where}/{position}")
        elif keyword in SCHEMA_MAPS and isinstance(item, dict):
            for name, part in item.items():
                if isinstance(part, (dict, bool)):
                    yield from subschemas(part, f"{where}/{token(name)}")


class _Resource:
    """A schema resource under construction (Core 4.3.5)."""

    def __init__(self, builder: _Builder, uri: str, dialect: str) -> None:
        self.builder = builder
        self.random = builder.random
        self.uri = uri
        self.dialect = dialect
        self.level = 0
        self.makers = grammar.makers_of(dialect)
        self.finished: list[dict[str, Any]] = []  # may be used again: nothing in them depends on where they stand
        self.referring: list[dict[str, Any]] = []
        self.anchors: list[str] = []
        self.root: dict[str, Any] = {}
        self.named = True

    # --- what grammar.Maker asks for

    def subschema(self) -> Any:
        random = self.random
        chance = random.random()
        if chance < 0.08 and self.dialect != "draft-04":
            return random.random() < 0.6
        if chance < 0.15 and self.finished:
            part = random.choice(self.finished)
            return part if "$ref" in part or random.random() < 0.7 else deepcopy(part)
        if self.level >= _MAX_LEVELS:
            return {} if chance < 0.5 else {"type": random.choice(grammar.TYPES)}
        self.level += 1
        schema = self.keywords(random.choice((0, 1, 1, 1, 1, 2, 2, 3)))
        self.level -= 1
        # A copy of a reference would not be patched, so only whole objects without one inside are copied.
        if not any(isinstance(part, dict) and id(part) in self.builder.unpatched for part in values.walk(schema)):
            self.finished.append(schema)
        return schema

    def reference(self, schema: dict[str, Any]) -> None:
        if id(schema) in self.builder.unpatched:
            return
        schema["$ref"] = "#"
        self.referring.append(schema)
        self.builder.unpatched.add(id(schema))

    # --- making it

    def keywords(self, count: int) -> dict[str, Any]:
        schema: dict[str, Any] = {}
        for _ in range(count):
            self.random.choice(self.makers)(self, schema)
        return schema

    def make(self, definitions: tuple[str, ...]) -> dict[str, Any]:
        self.root = self.keywords(self.random.choice((1, 2, 2, 3, 4)))
        parts: dict[str, Any] = {}
        for name in definitions:
            self.level = 2 if self.random.random() < 0.6 else 1
            parts[name] = self.subschema()
            self.level = 0
        self.root[container_of(self.dialect)] = parts
        return self.root

    def unhide(self) -> None:
        """Move a reference away from the root: up to draft-07 it would hide the identifiers beside it and below."""
        if "$ref" in self.root:
            self.builder.unpatched.discard(id(self.root))
            self.referring = [schema for schema in self.referring if schema is not self.root]
            del self.root["$ref"]
            branch: dict[str, Any] = {}
            self.reference(branch)
            self.root.setdefault("allOf", []).append(branch)

    def put_anchors(self) -> None:
        """Name some definitions, and give the dialects with dynamic scope their dynamic anchors."""
        random, modern = self.random, self.dialect in ("2019-09", "2020-12")
        for name, part in self.root[container_of(self.dialect)].items():
            if random.random() < 0.3 and isinstance(part, dict) and "$ref" not in part and self.builder.is_single(part):
                keyword = "$anchor" if modern else id_keyword_of(self.dialect)
                if keyword in part or id_keyword_of(self.dialect) in part:
                    continue
                part[keyword] = f"to-{name}" if modern else f"#to-{name}"
                self.anchors.append(f"to-{name}")
        if self.builder.dynamic and self.dialect == "2019-09" and random.random() < 0.8:
            self.root["$recursiveAnchor"] = random.random() < 0.9
        if self.builder.dynamic and self.dialect == "2020-12":
            for place in random.sample([self.root, *self.root["$defs"].values()], 2):
                if (
                    isinstance(place, dict)
                    and random.random() < 0.7
                    and "$id" not in place
                    and self.builder.is_single(place)
                ):
                    place["$dynamicAnchor"] = "node"
                    break
            else:
                self.root["$dynamicAnchor"] = "node"

    def patch(self) -> None:
        """Point the references somewhere, now that everything stands."""
        random = self.random
        for schema in self.referring:
            if self.builder.dynamic and self.dialect in ("2019-09", "2020-12") and random.random() < 0.4:
                del schema["$ref"]
                schema.update(
                    {"$recursiveRef": "#"} if self.dialect == "2019-09" else {"$dynamicRef": self.dynamic_target()}
                )
            else:
                schema["$ref"] = self.target()

    def dynamic_target(self) -> str:
        resource = self.random.choice([r for r in self.builder.resources if r.dialect == "2020-12"])
        return "#node" if self.random.random() < 0.8 or not resource.named else f"{resource.uri}#node"

    def target(self) -> str:
        random = self.random
        kind = random.random()
        container = f"#/{quote(container_of(self.dialect))}/"
        if kind < 0.6:
            return container + random.choice(list(self.root[container_of(self.dialect)]))
        if kind < 0.7:
            return "#" + random.choice([pointer for pointer, _ in subschemas(self.root)])
        if kind < 0.85:
            other = random.choice(self.builder.resources)
            own = "" if (other is self and random.random() < 0.5) or not other.named else other.uri
            if other.anchors and random.random() < 0.6:
                return f"{own}#{random.choice(other.anchors)}"
            return own or "#"
        if kind < 0.9:
            return "#"
        if kind < 0.93 and isinstance(self.root.get("x-unknown"), dict):
            return "#/x-unknown/y"
        if kind < 0.935:
            return grammar.DIALECTS[self.dialect]
        return container + (_DEFINITIONS[0] if kind < 0.998 else "nowhere")


class _Builder:
    """One document under construction."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.resources: list[_Resource] = []
        self.unpatched: set[int] = set()
        self.dynamic = random.random() < 0.25
        self.occurrences: dict[int, int] = {}

    def is_single(self, part: dict[str, Any]) -> bool:
        """Say whether a subschema stands in one place only: one with a name must."""
        return self.occurrences.get(id(part), 0) == 1

    def document(self) -> Document:
        random = self.random
        dialect = random.choice(list(grammar.DIALECTS))
        root = self.resource(HOST + "root", dialect, _DEFINITIONS)
        for name in random.sample(("one", "two", "three"), random.choice((0, 0, 0, 1, 1, 2))):
            embedded = self.resource(
                random.choice((f"urn:fuzz:{name}", name)), self.embedded_dialect(dialect), ("p", "s")
            )
            embedded.unhide()
            embedded.root = {id_keyword_of(embedded.dialect): embedded.uri, **embedded.root}
            if embedded.dialect != dialect:
                embedded.root = {"$schema": grammar.DIALECTS[embedded.dialect], **embedded.root}
            root.root[container_of(dialect)][name] = embedded.root
        for part in values.walk(root.root):
            if isinstance(part, dict):
                self.occurrences[id(part)] = self.occurrences.get(id(part), 0) + 1
        for resource in self.resources:
            resource.put_anchors()
        exponential = random.random() < 0.03 and self.double(root)
        head: dict[str, Any] = {"$schema": grammar.DIALECTS[dialect]}
        root.named = len(self.resources) > 1 or random.random() < 0.1
        if root.named:
            root.unhide()
            head[id_keyword_of(dialect)] = root.uri
        for resource in self.resources:
            resource.patch()
        return Document({**head, **root.root}, dialect, random.random() < 0.1, exponential)

    def resource(self, uri: str, dialect: str, definitions: tuple[str, ...]) -> _Resource:
        made = _Resource(self, uri, dialect)
        self.resources.append(made)
        made.make(definitions)
        return made

    def embedded_dialect(self, dialect: str) -> str:
        # `$schema` in a subschema has a meaning from 2019-09 on only (Core 8.1.1.1); draft-04 has another word for $id.
        if dialect in ("2019-09", "2020-12") and self.random.random() < 0.5:
            return self.random.choice(("2020-12", "2019-09", "draft-07", "draft-06"))
        return dialect

    def double(self, root: _Resource) -> bool:
        """Add definitions each of which applies the next one twice."""
        random, container = self.random, container_of(root.dialect)
        levels = random.choice((2, 2, 3, 3, 4, 4, 24, 40))
        keyword = random.choice(("allOf", "anyOf", "oneOf"))
        for level in range(levels):
            following = {"$ref": f"#/{container}/" + (f"d{level + 1}" if level + 1 < levels else "p")}
            root.root[container][f"d{level}"] = {keyword: [following, following]}
        root.root[keyword] = [{"$ref": f"#/{container}/d0"}]
        return levels > 10


def document(random: Random) -> Document:
    """Make one document."""
    return _Builder(random).document()
