"""Applies JSON Patch operations (RFC 6902) to plain data: those kinds of operation that a fix consists of.

Comes in: a document of dicts and lists, and operations. Goes out: the document changed, and whether that was possible.
Stricter than the RFC in one thing: no "move" or "add" may overwrite anything but what it comes out of. Never raises for
an operation that does not fit the document.
"""

from __future__ import annotations

from typing import Any

#: What stands where nothing does.
NOTHING = object()

Operations = list[dict[str, Any]]


def apply(document: Any, operation: dict[str, Any]) -> tuple[Any, bool]:
    """Apply an "add" or "remove" of a member, a "replace", or a "move" to a member's place or the root; in place."""
    kind, tokens = operation["op"], tokens_of(operation["path"])
    if kind == "move":
        return _move(document, tokens_of(operation["from"]), tokens)
    if not tokens:
        return (operation["value"], True) if kind == "replace" else (document, False)
    parent, last = _value_at(document, tokens[:-1]), tokens[-1]
    if kind == "replace" and isinstance(parent, list) and _index(last, parent) is not None:
        parent[int(last)] = operation["value"]
    elif not isinstance(parent, dict) or (kind == "add") == (last in parent):
        return document, False
    elif kind == "remove":
        del parent[last]
    else:
        parent[last] = operation["value"]
    return document, True


def applied(document: Any, operations: Operations) -> Any:
    """A copy with operations applied, NOTHING where they don't fit; shares with the document what they don't touch. The
    document itself is not changed, and none of its code runs: it may consist of subclasses."""
    for operation in operations:
        for name in ("from", "path"):
            tokens = tokens_of(operation[name]) if name in operation else []
            if tokens and document is not NOTHING:
                document = _loosened(document, tokens[:-1])
        document, done = (document, False) if document is NOTHING else apply(document, operation)
        if not done:
            return NOTHING
    return document


class Places:
    """The places that operations touch: who comes first, has them to itself."""

    def __init__(self) -> None:
        self._taken: set[tuple[str, ...]] = set()
        self._around: set[tuple[str, ...]] = set()

    def take(self, operations: Operations) -> bool:
        """Take the places of operations, if none is, or is inside of, or around one that has been taken."""
        names = [(operation, name) for operation in operations for name in ("path", "from") if name in operation]
        places = [tuple(tokens_of(operation[name])) for operation, name in names]
        outer = {place[:length] for place in places for length in range(len(place) + 1)}
        if not self._taken.isdisjoint(outer) or not self._around.isdisjoint(places):
            return False
        self._taken.update(places)
        self._around |= outer
        return True


def _move(document: Any, source: list[str], target: list[str]) -> tuple[Any, bool]:
    value, parent = _value_at(document, source), _value_at(document, source[:-1])
    if value is NOTHING or not source:
        return document, False
    if source[:-1] == target[:-1] and isinstance(parent, dict) and target[-1] not in parent:
        # A member that is renamed keeps its place among the others.
        members = [(target[-1] if name == source[-1] else name, member) for name, member in parent.items()]
        parent.clear()
        parent.update(members)
        return document, True
    if source[: len(target)] == target:  # out of what it replaces, which must not hold anything else
        around = [_value_at(document, source[:length]) for length in range(len(target), len(source))]
        if any([len(container) != 1 for container in around]):
            return document, False
        return apply(document, {"op": "replace", "path": pointer_of(target), "value": value})
    holder = _value_at(document, target[:-1])
    if not isinstance(parent, dict) or not isinstance(holder, dict) or target[-1] in holder:
        return document, False
    if target[: len(source)] == source:
        return document, False
    holder[target[-1]] = parent.pop(source[-1])
    return document, True


def _loosened(document: Any, tokens: list[str]) -> Any:
    """The document with copies of the containers on a path, which can be changed; NOTHING where there are none."""
    kind = type(document)
    if kind is dict and all([type(name) is str for name in list(document)]):
        copy: Any = dict(document)
    elif kind is list or kind is tuple:
        copy = list(document)
    else:
        return NOTHING
    if not tokens:
        return copy
    part = _part(copy, tokens[0])
    inner = NOTHING if part is None else _loosened(copy[part], tokens[1:])
    if inner is NOTHING:
        return NOTHING
    copy[part] = inner
    return copy


def tokens_of(pointer: str) -> list[str]:
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def pointer_of(tokens: list[str]) -> str:
    return "".join(["/" + token.replace("~", "~0").replace("/", "~1") for token in tokens])


def _index(token: str, array: list[Any]) -> int | None:
    return int(token) if token.isascii() and token.isdigit() and len(token) < 10 and int(token) < len(array) else None


def _part(container: Any, token: str) -> str | int | None:
    """The name or index that a token means in a container; None where there is no such member or item."""
    if isinstance(container, dict):
        return token if token in container else None
    return _index(token, container) if isinstance(container, list) else None


def _value_at(document: Any, tokens: list[str]) -> Any:
    value = document
    for token in tokens:
        part = _part(value, token)
        if part is None:
            return NOTHING
        value = value[part]
    return value
