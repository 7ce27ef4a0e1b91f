"""Applies what errors offer as their fix, to a copy, until nothing more is offered.

Comes in: a validator and an instance. Goes out: a copy and the report of its last check, which names every operation
applied. Only what is wrong is touched, and only where exactly one repair is right; what the schema accepts stays as
it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._core.contents import content_key, content_of

if TYPE_CHECKING:
    from .errors import Report
    from .validator import Validator

#: Each round applies the fixes of one report; what a fix uncovers is repaired in the next.
_ROUNDS = 16


def repair(validator: Validator, instance: Any) -> tuple[Any, Report]:
    """Return `(copy, report)`. The instance itself is returned where it is valid, or too large or odd to be copied."""
    report = validator.check(instance)
    operations = _offered(report, [])
    if not operations:
        return instance, report
    limits = validator.limits
    key = content_key(instance, 64 * limits.max_memory_bytes, limits.max_instance_depth)
    if key is None:
        return instance, report
    copy = content_of(key)
    applied: list[dict[str, Any]] = []
    for _ in range(_ROUNDS):
        done = []
        for operation in operations:
            copy, changed = apply(copy, operation)
            if changed:
                done.append(operation)
        if not done:
            break
        applied += done
        report = validator.check(copy)
        operations = _offered(report, applied)
        if not operations:
            break
    return copy, report.with_fixes(tuple(applied))


def _offered(report: Report, applied: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The operations of all fixes, each once, none that was tried before, one for each place."""
    offered: list[dict[str, Any]] = []
    places: set[str] = set()
    for error in report.errors:
        for operation in error.fix or ():
            touched = {operation["path"], operation.get("from", operation["path"])}
            if operation not in applied and not touched & places:
                offered.append(operation)
                places |= touched
    # What stands inside another place goes first: a path must mean what it meant when it was offered.
    return sorted(offered, key=lambda operation: (-operation["path"].count("/"), operation["path"]))


def apply(document: Any, operation: dict[str, Any]) -> tuple[Any, bool]:
    """Apply one operation in place; return the document and whether the operation was possible."""
    tokens = _tokens(operation["path"])
    if not tokens:
        return operation["value"], True
    parent, last = _parent(document, tokens)
    if parent is None:
        return document, False
    kind = operation["op"]
    if kind == "move":
        source = _tokens(operation["from"])[-1]
        if not isinstance(parent, dict) or source not in parent or last in parent:
            return document, False
        # The member keeps its place among the others.
        members = [(last if name == source else name, value) for name, value in parent.items()]
        parent.clear()
        parent.update(members)
        return document, True
    if kind == "remove":
        if not isinstance(parent, dict) or last not in parent:
            return document, False
        del parent[last]
        return document, True
    if isinstance(parent, dict):
        if (kind == "replace") != (last in parent):
            return document, False
        parent[last] = operation["value"]
    elif kind == "replace" and last.isdigit() and int(last) < len(parent):
        parent[int(last)] = operation["value"]
    else:
        return document, False
    return document, True


def _tokens(pointer: str) -> list[str]:
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def _parent(document: Any, tokens: list[str]) -> tuple[Any, str]:
    value = document
    for token in tokens[:-1]:
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and token.isdigit() and int(token) < len(value):
            value = value[int(token)]
        else:
            return None, ""
    return (value, tokens[-1]) if isinstance(value, (dict, list)) else (None, "")
