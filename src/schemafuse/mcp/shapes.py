"""The shapes that every reader of a result relies on (MCP 2026-07-28 schema § CallToolResult, § InputRequiredResult).

Comes in: the members of a result, plain JSON values. Goes out: what is wrong with them in a few words, or None. A
client that reads results by a fixed model fails on any of these, and its model learns nothing. What is not known here,
such as a kind of content of a later revision, is left alone.
"""

from __future__ import annotations

from typing import Any

from ..render import json_pointer, quote

#: Kinds of content blocks -> their members that must be strings.
BLOCKS = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
    "resource": (),
}
#: Members that must be strings where they are there.
_OPTIONAL = {"resource_link": ("title", "description", "mimeType")}


def wrong_in_result(members: dict[str, Any]) -> str | None:
    """Say what is wrong with a CallToolResult, its structured content aside."""
    failed = members.get("isError")
    if failed is not None and type(failed) is not bool:
        return f"isError must be true or false, not {quote(failed, 60)}"
    content = members.get("content", ())
    if type(content) not in (list, tuple):
        return f"content must be an array, not {quote(content, 60)}"
    for index, block in enumerate(content):
        wrong = _wrong_in_block(block, ("content", index))
        if wrong is not None:
            return wrong
    return _wrong_in_meta(members)


def _wrong_in_block(block: Any, path: tuple[str | int, ...]) -> str | None:
    if type(block) is not dict:
        return f"{json_pointer(path)} must be an object with a type, not {quote(block, 60)}"
    kind = block.get("type")
    if type(kind) is not str:
        return f"{json_pointer((*path, 'type'))} must be a string, not {quote(kind, 60)}"
    given = [name for name in _OPTIONAL.get(kind, ()) if name in block]
    wrong = _wrong_in_texts(block, (*BLOCKS.get(kind, ()), *given), path) or _wrong_in_meta(block, path)
    if wrong is None and type(block.get("size", 0)) not in (int, float):
        return f"{json_pointer((*path, 'size'))} must be a number of bytes, not {quote(block['size'], 60)}"
    if wrong is None and kind == "resource":
        path = (*path, "resource")
        resource = block.get("resource")
        if type(resource) is not dict:
            return f"{json_pointer(path)} must be an object with a uri, not {quote(resource, 60)}"
        wrong = _wrong_in_texts(resource, ("uri", "blob" if "blob" in resource else "text"), path)
    return wrong or _wrong_in_annotations(block, path)


def _wrong_in_annotations(block: dict[str, Any], path: tuple[str | int, ...]) -> str | None:
    """MCP 2026-07-28 schema § Annotations, those of a content block."""
    annotations, path = block.get("annotations", {}), (*path, "annotations")
    if type(annotations) is not dict:
        return f"{json_pointer(path)} must be an object, not {quote(annotations, 60)}"
    audience, priority = annotations.get("audience", []), annotations.get("priority", 0)
    if type(audience) not in (list, tuple) or any([role not in ("user", "assistant") for role in audience]):
        return f'{json_pointer((*path, "audience"))} must be an array of "user" and "assistant"'
    if type(priority) not in (int, float) or not 0 <= priority <= 1:
        return f"{json_pointer((*path, 'priority'))} must be a number from 0 to 1, not {quote(priority, 60)}"
    return None


def wrong_in_request(members: dict[str, Any]) -> str | None:
    """Say what is wrong with an InputRequiredResult. What the requests ask for is between handler and client."""
    state, requests = members.get("requestState", ""), members.get("inputRequests", {})
    if type(state) is not str:
        return f"requestState must be a string, not {quote(state, 60)}"
    if type(requests) is not dict:
        return f"inputRequests must be an object, not {quote(requests, 60)}"
    for name, request in requests.items():
        path = ("inputRequests", name)
        if type(request) is not dict:
            return f"{json_pointer(path)} must be an object with a method, not {quote(request, 60)}"
        wrong = _wrong_in_texts(request, ("method",), path)
        if wrong is not None:
            return wrong
    return _wrong_in_meta(members)


def _wrong_in_texts(value: dict[str, Any], names: tuple[str, ...], path: tuple[str | int, ...]) -> str | None:
    for name in names:
        if type(value.get(name)) is not str:
            return f"{json_pointer((*path, name))} must be a string, not {quote(value.get(name), 60)}"
    return None


def _wrong_in_meta(members: dict[str, Any], path: tuple[str | int, ...] = ()) -> str | None:
    meta, path = members.get("_meta", {}), (*path, "_meta")
    return None if type(meta) is dict else f"{json_pointer(path)} must be an object, not {quote(meta, 60)}"
