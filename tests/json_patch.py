"""JSON Patch as RFC 6902 has it: what a reader applies who has never heard of this project."""

from __future__ import annotations

from copy import deepcopy
from typing import Any


def patched(document: Any, operations: list[dict[str, Any]]) -> Any:
    """A copy with the operations applied in order. Raises LookupError for one that does not fit."""
    holder = [deepcopy(document)]
    for operation in operations:
        kind, target = operation["op"], _tokens(operation["path"])
        if kind == "move":
            source = _tokens(operation["from"])
            assert target[: len(source)] != source or target == source, "into itself (4.4)"
            _add(holder, target, _remove(holder, source))
        elif kind == "remove":
            _remove(holder, target)
        else:
            if kind == "replace":
                _remove(holder, target)
            _add(holder, target, deepcopy(operation["value"]))
    return holder[0]


def _tokens(pointer: str) -> list[str]:
    assert not pointer or pointer[0] == "/"
    return ["0", *(token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:])]


def _parent(holder: list[Any], tokens: list[str]) -> Any:
    value: Any = holder
    for token in tokens[:-1]:
        value = value[int(token)] if isinstance(value, list) else value[token]
    return value


def _remove(holder: list[Any], tokens: list[str]) -> Any:
    parent = _parent(holder, tokens)
    return parent.pop(int(tokens[-1]) if isinstance(parent, list) else tokens[-1])


def _add(holder: list[Any], tokens: list[str], value: Any) -> None:
    """Into an array this inserts (4.1); the whole document it replaces."""
    parent = _parent(holder, tokens)
    if not isinstance(parent, list):
        parent[tokens[-1]] = value
    elif parent is holder:
        holder[:] = [value]
    else:
        assert int(tokens[-1]) <= len(parent)
        parent.insert(int(tokens[-1]), value)
