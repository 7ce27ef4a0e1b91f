"""Instances for a schema: near-valid ones, mutations of them, and some of any kind.

Comes in: a schema of any shape, malformed ones included, and a `random.Random`. Goes out: JSON values. They lie near
the line between valid and invalid, where a validator has something to decide: values that a subschema asks for, then a
number beside its bound, a name left out, an item twice. A container may occur in a value more than once.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any
from urllib.parse import unquote

from . import values

_MAX_LEVELS = 5
_MAX_SIZE = 8
_KINDS = ("null", "boolean", "integer", "number", "string", "array", "object")
#: A text for each pattern of grammar.py and patterns.py that a text of values.py seldom matches.
_MATCHING = ("a", "b", "ab", "aa", "a1", "1", "x", "abc", "é", "", "ba", "aXb")


class Instances:
    """Makes instances for one schema."""

    def __init__(self, schema: Any, random: Random) -> None:
        self.schema = schema
        self.random = random
        self.resources = {"": schema}
        self.anchors: dict[str, Any] = {}
        self.names = list(values.NAMES)
        self.constants: list[Any] = []
        self._look(schema)

    def _look(self, schema: Any) -> None:
        """Collect what references lead to, the names that the schema speaks of, and its constants."""
        for part in values.walk(schema):
            if not isinstance(part, dict):
                continue
            for keyword, item in part.items():
                if keyword in ("$id", "id") and isinstance(item, str):
                    (self.anchors if item[:1] == "#" else self.resources)[item.lstrip("#")] = part
                elif keyword in ("$anchor", "$dynamicAnchor") and isinstance(item, str):
                    self.anchors[item] = part
                elif (keyword == "required" and isinstance(item, list)) or (
                    keyword == "properties" and isinstance(item, dict)
                ):
                    self.names.extend(name for name in item if isinstance(name, str))
                elif keyword == "enum" and isinstance(item, list):
                    self.constants.extend(item)
                elif keyword in ("const", "default", "minimum", "maximum", "multipleOf", "minLength"):
                    self.constants.append(item)

    def make(self) -> Any:
        """Make one instance; a third each of valid ones as far as that is easy, mutations, and any values."""
        kind = self.random.random()
        if kind < 0.15:
            return values.value(self.random)
        made = self.valid(self.schema, 0)
        if kind < 0.45:
            return made
        for _ in range(self.random.choice((1, 1, 2, 3))):
            made = self.mutated(made)
        return made

    # --- near-valid

    def target(self, reference: Any) -> Any:
        if not isinstance(reference, str):
            return True
        uri, _, fragment = reference.partition("#")
        place = self.resources.get(uri, True)
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            return self.anchors.get(fragment, True)
        for name in fragment.split("/")[1:]:
            name = name.replace("~1", "/").replace("~0", "~")
            try:
                place = place[int(name)] if isinstance(place, list) else place[name]
            except (LookupError, TypeError, ValueError):
                return True
        return place

    def valid(self, schema: Any, level: int) -> Any:
        """Make a value that a schema accepts, if following one keyword at a time comes to that."""
        random = self.random
        if not isinstance(schema, dict) or level > _MAX_LEVELS:
            return values.scalar(random)
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            if keyword in schema and random.random() < 0.9:
                return self.valid(self.target(schema[keyword]), level + 1)
        if "const" in schema:
            return deepcopy(schema["const"])
        if schema.get("enum") and isinstance(schema["enum"], list):
            return deepcopy(random.choice(schema["enum"]))
        in_place = [schema[k] for k in ("allOf", "anyOf", "oneOf") if isinstance(schema.get(k), list) and schema[k]]
        in_place += [[schema[k]] for k in ("if", "then", "else") if k in schema]
        made = self.of_kind(self.kind(schema), schema, level)
        if in_place and random.random() < 0.8:
            other = self.valid(random.choice(random.choice(in_place)), level + 1)
            if isinstance(made, dict) and isinstance(other, dict):
                made.update(other)
            elif not self.speaks_of_kind(schema) or random.random() < 0.3:
                made = other
        return made

    def speaks_of_kind(self, schema: dict[str, Any]) -> bool:
        return any(
            keyword in schema for keyword in ("type", "properties", "items", "required", "prefixItems", "pattern")
        )

    def kind(self, schema: dict[str, Any]) -> str:
        named = schema.get("type")
        if isinstance(named, list) and named:
            named = self.random.choice(named)
        if isinstance(named, str) and named in _KINDS and self.random.random() < 0.95:
            return named
        for kind, keywords in _ABOUT.items():
            if any(keyword in schema for keyword in keywords) and self.random.random() < 0.8:
                return kind
        return self.random.choice(_KINDS)

    def of_kind(self, kind: str, schema: dict[str, Any], level: int) -> Any:
        if kind == "object":
            return self.object(schema, level)
        if kind == "array":
            return self.array(schema, level)
        if kind == "string":
            return self.text(schema)
        if kind in ("integer", "number"):
            return self.number(schema, kind)
        return None if kind == "null" else self.random.random() < 0.5

    def object(self, schema: dict[str, Any], level: int) -> dict[str, Any]:
        random = self.random
        properties = schema.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        names = [name for name in properties if random.random() < 0.8]
        required = schema.get("required")
        names += [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
        if ("additionalProperties" not in schema and "unevaluatedProperties" not in schema) or random.random() < 0.3:
            names += random.sample(self.names, random.randrange(3))
        least = schema.get("minProperties")
        while isinstance(least, (int, float)) and len(set(names)) < least <= _MAX_SIZE:
            names.append(f"{random.choice(self.names)}{len(names)}")
        patterns = schema.get("patternProperties")
        others = list(patterns.values()) if isinstance(patterns, dict) else []
        others += [schema[k] for k in ("additionalProperties", "unevaluatedProperties") if k in schema] or [True]
        random.shuffle(names)
        return {name: self.valid(properties.get(name, random.choice(others)), level + 1) for name in names}

    def array(self, schema: dict[str, Any], level: int) -> list[Any]:
        random = self.random
        items = schema.get("items", True)
        first = schema.get("prefixItems", items if isinstance(items, list) else [])
        first = first if isinstance(first, list) else []
        rest = schema.get("additionalItems", True) if isinstance(items, list) else items
        made = [self.valid(part, level + 1) for part in first[: random.randrange(len(first) + 1)]]
        if len(made) == len(first):
            made += [self.valid(rest, level + 1) for _ in range(random.choice((0, 0, 1, 2, 3)))]
        if "contains" in schema:
            wanted = schema.get("minContains", 1)
            for _ in range(int(wanted) if isinstance(wanted, (int, float)) and wanted < _MAX_SIZE else 1):
                made.append(self.valid(schema["contains"], level + 1))
        least = schema.get("minItems")
        while isinstance(least, (int, float)) and len(made) < least <= _MAX_SIZE:
            made.append(self.valid(rest, level + 1))
        return values.distinct(made) if schema.get("uniqueItems") is True else made

    def text(self, schema: dict[str, Any]) -> str:
        random = self.random
        text = random.choice(
            _MATCHING if "pattern" in schema else values.FORMATTED if "format" in schema else values.TEXTS
        )
        for keyword in ("minLength", "maxLength"):
            bound = schema.get(keyword)
            if isinstance(bound, (int, float)) and 0 < bound < 100 and random.random() < 0.7:
                text = (text or "a") * int(bound)
                text = text[: int(bound)]
        return text

    def number(self, schema: dict[str, Any], kind: str) -> int | float:
        random = self.random
        number: Any = random.choice(values.INTEGERS if kind == "integer" or random.random() < 0.5 else values.FLOATS)
        bounds = [
            schema[keyword]
            for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
            if isinstance(schema.get(keyword), (int, float)) and not isinstance(schema[keyword], bool)
        ]
        if bounds and random.random() < 0.85:
            number = random.choice(bounds) + random.choice((0, 0, 1, -1, 0.5))
        if "multipleOf" in schema and bounds and random.random() < 0.5:
            number = bounds[-1] * random.choice((0, 1, 2, 3, 10))
        if isinstance(number, float) and number - number != 0:
            return 1
        return int(number) if kind == "integer" and random.random() < 0.9 else number

    # --- mutations

    def mutated(self, item: Any) -> Any:
        """Change one place; containers on the way there are copied, so that shared ones change in one place."""
        random = self.random
        if isinstance(item, dict) and item and random.random() < 0.6:
            name = random.choice(list(item))
            return {**item, name: self.mutated(item[name])}
        if isinstance(item, list) and item and random.random() < 0.6:
            position = random.randrange(len(item))
            return [*item[:position], self.mutated(item[position]), *item[position + 1 :]]
        return random.choice(_MUTATIONS)(self, item)

    def other(self) -> Any:
        if self.constants and self.random.random() < 0.5:
            return deepcopy(self.random.choice(self.constants))
        return values.value(self.random, 1)


_ABOUT = {
    "object": (
        *("properties", "required", "patternProperties", "additionalProperties", "propertyNames", "minProperties"),
        *("dependencies", "dependentRequired", "dependentSchemas", "unevaluatedProperties", "maxProperties"),
    ),
    "array": ("items", "prefixItems", "contains", "uniqueItems", "minItems", "maxItems", "unevaluatedItems"),
    "string": ("pattern", "minLength", "maxLength", "format", "contentEncoding", "contentMediaType"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}


def _replace(source: Instances, item: Any) -> Any:
    return source.other()


def _retype(source: Instances, item: Any) -> Any:
    """What is nearly the same in another type: 5 for "5", 1.0 for 1, [x] for x."""
    random = source.random
    if isinstance(item, bool) or item is None:
        return random.choice((0, 1, "", str(item).lower(), [item]))
    if isinstance(item, int):
        return random.choice((str(item), [item], float(item) if abs(item) < 2**1000 else 0, bool(item)))
    if isinstance(item, float):
        return random.choice((repr(item), int(item), [item]))
    if isinstance(item, str):
        return int(item) if item.isdecimal() and item.isascii() else [item]
    return random.choice((list(item), dict.fromkeys(map(str, range(len(item)))), len(item), None))


def _nudge(source: Instances, item: Any) -> Any:
    random = source.random
    if isinstance(item, (int, float)) and not isinstance(item, bool):
        moved = item + random.choice((1, -1, 0.5)) if isinstance(item, float) or abs(item) < 2**60 else item + 1
        return -item if random.random() < 0.1 else moved
    if isinstance(item, str):
        return random.choice((item[1:], item[:-1], item + random.choice(values.TEXTS), item.upper(), item * 2))
    return _replace(source, item)


def _resize(source: Instances, item: Any) -> Any:
    random = source.random
    if isinstance(item, dict):
        if item and random.random() < 0.5:
            gone = random.choice(list(item))
            return {name: member for name, member in item.items() if name != gone}
        return {**item, random.choice(source.names): source.other()}
    if isinstance(item, list):
        if item and random.random() < 0.4:
            position = random.randrange(len(item))
            return item[:position] + item[position + 1 :]
        return [*item, random.choice(item) if item and random.random() < 0.5 else source.other()]
    return _nudge(source, item)


def _share(source: Instances, item: Any) -> Any:
    return source.random.choice(([item, item], {"a": item, "b": item}, [item] * 7))


_MUTATIONS: tuple[Callable[[Instances, Any], Any], ...] = (
    _replace,
    _retype,
    _nudge,
    _nudge,
    _resize,
    _resize,
    _resize,
    _share,
)
