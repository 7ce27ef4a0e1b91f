"""Applies JSON Patch operations (RFC 6902) to plain data: those kinds of operation that a fix consists of.

Comes in: a document of dicts and lists that the caller owns, and one operation. Goes out: the document, changed in
place, and whether the operation was possible. Never raises for an operation that does not fit the document.
"""

from __future__ import annotations

from typing import Any

_NOTHING = object()


def apply(document: Any, operation: dict[str, Any]) -> tuple[Any, bool]:
    """Apply an "add" or "replace" of a member, a "replace" of an item or the root, a "remove" or "move" of a member, or
    a "move" of an item to the place of its array."""
    kind, tokens = operation["op"], _tokens(operation["path"])
    if kind == "move" and operation["from"] == f"{operation['path']}/0":
        return _unwrap(document, tokens)
    if not tokens:
        return (operation["value"], True) if kind == "replace" else (document, False)
    parent, last = _value_at(document, tokens[:-1]), tokens[-1]
    if isinstance(parent, dict):
        return document, _apply_to_object(parent, last, operation)
    if kind == "replace" and isinstance(parent, list) and _index(last, parent) is not None:
        parent[int(last)] = operation["value"]
        return document, True
    return document, False


def _unwrap(document: Any, tokens: list[str]) -> tuple[Any, bool]:
    array = _value_at(document, tokens)
    if not isinstance(array, list) or len(array) != 1:
        return document, False
    if not tokens:
        return array[0], True
    return apply(document, {"op": "replace", "path": _pointer(tokens), "value": array[0]})


def _apply_to_object(parent: dict[str, Any], last: str, operation: dict[str, Any]) -> bool:
    kind = operation["op"]
    if kind == "move":
        source_tokens = _tokens(operation["from"])
        source = source_tokens[-1]
        if source_tokens[:-1] != _tokens(operation["path"])[:-1] or source not in parent or last in parent:
            return False
        # The member keeps its place among the others.
        members = [(last if name == source else name, value) for name, value in parent.items()]
        parent.clear()
        parent.update(members)
        return True
    if kind == "remove":
        return parent.pop(last, _NOTHING) is not _NOTHING
    if (kind == "replace") != (last in parent):
        return False
    parent[last] = operation["value"]
    return True


def _tokens(pointer: str) -> list[str]:
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def _pointer(tokens: list[str]) -> str:
    return "".join(["/" + token.replace("~", "~0").replace("/", "~1") for token in tokens])


def _index(token: str, array: list[Any]) -> int | None:
    return int(token) if token.isascii() and token.isdigit() and len(token) < 10 and int(token) < len(array) else None


def _value_at(document: Any, tokens: list[str]) -> Any:
    value = document
    for token in tokens:
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and _index(token, value) is not None:
            value = value[int(token)]
        else:
            return None
    return value
