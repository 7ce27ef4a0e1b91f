"""Which subschemas have a say at a place of an instance.

Comes in: a root subschema and a path. Goes out: the subschemas that may apply to the value there, more rather than
fewer: every branch of a union, every pattern for names. Never looks at an instance.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .subschemas import DynamicTarget, Subschema

#: Subschemas of one value that are looked through.
MOST = 300
_IN_PLACE = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies")
_OF_MEMBERS = ("patternProperties", "additionalProperties", "unevaluatedProperties")
_OF_ITEMS = ("items", "prefixItems", "additionalItems", "contains", "unevaluatedItems")


def held_by(subschema: Subschema, keywords: tuple[str, ...]) -> Iterator[Subschema]:
    """The subschemas under some keywords, in whatever shape they are held."""
    for keyword in keywords:
        held: Any = subschema.children.get(keyword)
        if isinstance(held, Subschema):
            yield held
        elif held is not None:
            yield from held.values() if isinstance(held, dict) else held


def in_place(subschemas: list[Subschema]) -> list[Subschema]:
    """Subschemas with all that they apply to the same value, `MOST` at most."""
    found = {id(subschema): subschema for subschema in subschemas[:MOST]}
    todo = list(found.values())
    for subschema in todo:
        targets = [
            target.initial if isinstance(target, DynamicTarget) else target for target in subschema.targets.values()
        ]
        for following in (*targets, *held_by(subschema, _IN_PLACE)):
            if len(found) >= MOST:
                return todo
            if id(following) not in found:
                found[id(following)] = following
                todo.append(following)
    return todo


def below(subschemas: list[Subschema], part: str | int) -> list[Subschema]:
    """What subschemas of a value, with all that they apply in place, say of one of its members or items."""
    found: list[Subschema] = []
    for subschema in subschemas:
        if not subschema.children:
            continue
        if isinstance(part, str):
            properties: Any = subschema.children.get("properties", {})
            if part in properties:
                found.append(properties[part])
        found += held_by(subschema, _OF_MEMBERS if isinstance(part, str) else _OF_ITEMS)
    return in_place(found)


def along(root: Subschema, path: tuple[str | int, ...]) -> Iterator[list[Subschema]]:
    """The subschemas that have a say at the root, at the next place on the path, and so on to its end."""
    subschemas = in_place([root])
    yield subschemas
    for part in path:
        subschemas = below(subschemas, part)
        yield subschemas


def known_names(subschemas: list[Subschema]) -> set[str]:
    """The names of properties that some of the subschemas know."""
    names: set[str] = set()
    for subschema in subschemas:
        names.update(subschema.children.get("properties", ()))  # type: ignore[arg-type]
    return names
