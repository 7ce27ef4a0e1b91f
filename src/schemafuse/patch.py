"""Applies JSON Patch operations (RFC 6902) to plain data: those kinds of operation that a fix consists of.

Comes in: a document of dicts and lists, and operations. Goes out: the document changed, and whether that was possible.
Stricter than the RFC in one thing: no "move" or "add" may overwrite anything but what it comes out of. Never raises for
an operation that does not fit the document.
"""

from __future__ import annotations

from typing import Any

from .render import json_pointer

#: What stands where nothing does.
NOTHING = object()

Operations = list[dict[str, Any]]
#: Names and positions from the root; read from a pointer, a position is a text.
Path = tuple[str | int, ...]


class Edit:
    """An operation with paths for pointers: most are only tried, and pointers are for those that are offered."""

    __slots__ = ("kind", "path", "source", "value")

    def __init__(self, kind: str, path: Path, value: Any = None, source: Path | None = None) -> None:
        #: "add", "remove", "replace" or "move".
        self.kind = kind
        self.path = path
        self.value = value
        #: Where a "move" comes from.
        self.source = source

    def operation(self) -> dict[str, Any]:
        operation: dict[str, Any] = {"op": self.kind}
        if self.source is not None:
            operation["from"] = json_pointer(self.source)
        operation["path"] = json_pointer(self.path)
        if self.kind in ("add", "replace"):
            operation["value"] = self.value
        return operation


def operations_of(edits: list[Edit]) -> Operations:
    return [edit.operation() for edit in edits]


def edit_of(operation: dict[str, Any]) -> Edit:
    source = path_of(operation["from"]) if "from" in operation else None
    return Edit(operation["op"], path_of(operation["path"]), operation.get("value"), source)


def apply(document: Any, operation: dict[str, Any]) -> tuple[Any, bool]:
    """Apply an "add" or "remove" of a member, a "replace", or a "move" to a member's place or the root; in place."""
    outcome = edited(document, edit_of(operation))
    return (document, False) if outcome is NOTHING else (outcome, True)


def applied(document: Any, edits: list[Edit]) -> Any:
    """A copy with edits applied, NOTHING where they don't fit; shares with the document what they don't touch. The
    document itself is not changed, and none of its code runs: it may consist of subclasses."""
    for edit in edits:
        if edit.source:
            document = loosened(document, edit.source)
        if edit.path:
            document = loosened(document, edit.path)
        document = edited(document, edit)
    return document


class Places:
    """The places that operations touch: who comes first, has them to itself."""

    def __init__(self) -> None:
        self._taken: set[Path] = set()
        self._around: set[Path] = set()

    def take(self, operations: Operations) -> bool:
        """Take the places of operations, if none is, or is inside of, or around one that has been taken."""
        names = [(operation, name) for operation in operations for name in ("path", "from") if name in operation]
        places = [path_of(operation[name]) for operation, name in names]
        outer = {place[:length] for place in places for length in range(len(place) + 1)}
        if not self._taken.isdisjoint(outer) or not self._around.isdisjoint(places):
            return False
        self._taken.update(places)
        self._around |= outer
        return True


def edited(document: Any, edit: Edit) -> Any:
    """The document, changed in place; NOTHING, and no change, where the edit does not fit."""
    path = edit.path
    if document is NOTHING:
        return NOTHING
    if edit.kind == "move":
        return _moved(document, edit.source or (), path)
    if not path:
        return edit.value if edit.kind == "replace" else NOTHING
    parent, last = _value_at(document, path, len(path) - 1), path[-1]
    if isinstance(parent, list):
        index = _part(parent, last)
        if edit.kind != "replace" or index is None:
            return NOTHING
        parent[index] = edit.value
    elif not isinstance(parent, dict) or (edit.kind == "add") == (last in parent):
        return NOTHING
    elif edit.kind == "remove":
        del parent[last]
    else:
        parent[last] = edit.value
    return document


def _moved(document: Any, source: Path, target: Path) -> Any:
    value, parent = _value_at(document, source, len(source)), _value_at(document, source, len(source) - 1)
    if value is NOTHING or not source:
        return NOTHING
    if source[:-1] == target[:-1] and isinstance(parent, dict) and target[-1] not in parent:
        # A member that is renamed keeps its place among the others.
        members = [(target[-1] if name == source[-1] else name, member) for name, member in parent.items()]
        parent.clear()
        parent.update(members)
        return document
    if source[: len(target)] == target:  # out of what it replaces, which must not hold anything else
        around = [_value_at(document, source, length) for length in range(len(target), len(source))]
        if any([len(container) != 1 for container in around]):
            return NOTHING
        return edited(document, Edit("replace", target, value))
    holder = _value_at(document, target, len(target) - 1)
    if not isinstance(parent, dict) or not isinstance(holder, dict) or target[-1] in holder:
        return NOTHING
    if target[: len(source)] == source:
        return NOTHING
    holder[target[-1]] = parent.pop(source[-1])
    return document


def loosened(document: Any, path: Path) -> Any:
    """The document with copies of the containers around a place, which can be changed; NOTHING where there are none."""
    root = inner = _copied(document)
    for level in range(len(path) - 1):
        part = _part(inner, path[level])
        if part is None:
            return NOTHING
        outer, inner = inner, _copied(inner[part])
        outer[part] = inner
    return NOTHING if inner is NOTHING else root


def _copied(value: Any) -> Any:
    """A container that can be changed, with the same members; NOTHING of what is no plain container."""
    kind = type(value)
    if kind is dict:
        return dict.copy(value) if has_exact_names(value) else NOTHING
    return list(value) if kind is list or kind is tuple else NOTHING


def has_exact_names(members: dict[Any, Any]) -> bool:
    """Are all names exact strings? No method of another object is called by a look for one then."""
    for name in members:  # noqa: SIM110 - nothing is made for the loop where it is compiled
        if type(name) is not str:
            return False
    return True


def path_of(pointer: str) -> Path:
    return tuple([token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]])


def _part(container: Any, token: str | int) -> Any:
    """The name or index that a token means in a container; None where there is no such member or item."""
    if isinstance(container, dict):
        return token if token in container else None
    if not isinstance(container, list):
        return None
    if isinstance(token, str):
        token = int(token) if token.isascii() and token.isdigit() and len(token) < 10 else -1
    return token if 0 <= token < len(container) else None


def _value_at(document: Any, path: Path, levels: int) -> Any:
    """What stands where the first tokens of a path lead."""
    value = document
    for level in range(levels):
        part = _part(value, path[level])
        if part is None:
            return NOTHING
        value = value[part]
    return value
