"""The shapes that every reader of a result relies on (MCP 2026-07-28 schema § CallToolResult, § InputRequiredResult).

Comes in: the members of a result, plain JSON values. Goes out: what is wrong with them in a few words, or None. A
client that reads results by a fixed model fails on any of these, and its model learns nothing. What is not known here,
such as a kind of content of a later revision, is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..render import json_pointer, quote

Path = tuple[str | int, ...]

#: Kinds of content blocks -> their members that must be strings.
BLOCKS = {
    "text": ("text",),
    "image": ("data", "mimeType"),
    "audio": ("data", "mimeType"),
    "resource_link": ("uri", "name"),
    "resource": (),
}
#: Members that must be strings where they are there.
_LINK_TEXTS = ("title", "description", "mimeType")
_ICON_TEXTS = ("mimeType",)
_THEMES = ("light", "dark")
_ROLES = ("user", "assistant")
#: What may be asked of a client (MCP 2026-07-28 schema § InputRequest) -> whether it needs params.
_REQUESTS = {"elicitation/create": True, "sampling/createMessage": True, "roots/list": False}


def wrong_in_result(members: dict[str, Any]) -> str | None:
    """Say what is wrong with a CallToolResult, its structured content aside."""
    if type(members.get("isError", False)) is not bool:
        return f"isError must be true or false, not {quote(members['isError'], 60)}"
    if "content" not in members:
        return "content is missing: it must be an array, an empty one where there is none"
    content = members["content"]
    if type(content) not in (list, tuple):
        return f"content must be an array, not {quote(content, 60)}"
    for index, block in enumerate(content):
        wrong = _wrong_in_block(block, ("content", index))
        if wrong is not None:
            return wrong
    return _wrong_in_meta(members, ())


def _wrong_in_block(block: Any, path: Path) -> str | None:
    if type(block) is not dict:
        return f"{json_pointer(path)} must be an object with a type, not {quote(block, 60)}"
    kind = block.get("type")
    if type(kind) is not str:
        return f"{json_pointer((*path, 'type'))} must be a string, not {quote(kind, 60)}"
    wrong = _wrong_in_texts(block, BLOCKS.get(kind, ()), path) or _wrong_in_meta(block, path)
    if wrong is None and kind == "resource_link":
        wrong = _wrong_in_link(block, path)
    if wrong is None and kind == "resource":
        wrong = _wrong_in_resource(block.get("resource"), (*path, "resource"))
    return wrong or _wrong_in_annotations(block.get("annotations", {}), (*path, "annotations"))


def _wrong_in_link(link: dict[str, Any], path: Path) -> str | None:
    """MCP 2026-07-28 schema § ResourceLink."""
    size, icons = link.get("size", 0), link.get("icons", [])
    if not _is_integer(size):
        return f"{json_pointer((*path, 'size'))} must be a number of bytes, not {quote(size, 60)}"
    if type(icons) not in (list, tuple):
        return f"{json_pointer((*path, 'icons'))} must be an array, not {quote(icons, 60)}"
    for index, icon in enumerate(icons):
        wrong = _wrong_in_icon(icon, (*path, "icons", index))
        if wrong is not None:
            return wrong
    return _wrong_in_texts(link, _given(link, _LINK_TEXTS), path)


def _wrong_in_icon(icon: Any, path: Path) -> str | None:
    """MCP 2026-07-28 schema § Icon."""
    if type(icon) is not dict:
        return f"{json_pointer(path)} must be an object with a src, not {quote(icon, 60)}"
    sizes, theme = icon.get("sizes", []), icon.get("theme", "light")
    if type(sizes) not in (list, tuple) or any([type(size) is not str for size in sizes]):
        return f"{json_pointer((*path, 'sizes'))} must be an array of strings, not {quote(sizes, 60)}"
    if theme not in _THEMES:
        return f'{json_pointer((*path, "theme"))} must be "light" or "dark", not {quote(theme, 60)}'
    return _wrong_in_texts(icon, ("src", *_given(icon, _ICON_TEXTS)), path)


def _wrong_in_resource(resource: Any, path: Path) -> str | None:
    """MCP 2026-07-28 schema § TextResourceContents, § BlobResourceContents: a text where that is one, else a blob."""
    if type(resource) is not dict:
        return f"{json_pointer(path)} must be an object with a uri, not {quote(resource, 60)}"
    content = "blob" if "blob" in resource and type(resource.get("text")) is not str else "text"
    names = ("uri", content, *_given(resource, ("mimeType",)))
    return _wrong_in_texts(resource, names, path) or _wrong_in_meta(resource, path)


def _wrong_in_annotations(annotations: Any, path: Path) -> str | None:
    """MCP 2026-07-28 schema § Annotations, those of a content block."""
    if type(annotations) is not dict:
        return f"{json_pointer(path)} must be an object, not {quote(annotations, 60)}"
    audience, priority = annotations.get("audience", []), annotations.get("priority", 0)
    if type(audience) not in (list, tuple) or any([role not in _ROLES for role in audience]):
        return f'{json_pointer((*path, "audience"))} must be an array of "user" and "assistant"'
    if type(priority) not in (int, float) or not 0 <= priority <= 1:
        return f"{json_pointer((*path, 'priority'))} must be a number from 0 to 1, not {quote(priority, 60)}"
    return _wrong_in_texts(annotations, _given(annotations, ("lastModified",)), path)


def wrong_in_request(members: dict[str, Any]) -> str | None:
    """Say what is wrong with an InputRequiredResult. What the requests ask for is between handler and client."""
    if "requestState" not in members and "inputRequests" not in members:
        return "there is neither inputRequests nor requestState"
    state, requests = members.get("requestState", ""), members.get("inputRequests", {})
    if type(state) is not str:
        return f"requestState must be a string, not {quote(state, 60)}"
    if type(requests) is not dict:
        return f"inputRequests must be an object, not {quote(requests, 60)}"
    for name, request in requests.items():
        wrong = _wrong_in_input_request(request, ("inputRequests", name))
        if wrong is not None:
            return wrong
    return _wrong_in_meta(members, ())


def _wrong_in_input_request(request: Any, path: Path) -> str | None:
    if type(request) is not dict:
        return f"{json_pointer(path)} must be an object with a method, not {quote(request, 60)}"
    method = request.get("method")
    if type(method) is not str or method not in _REQUESTS:
        allowed = ", ".join(_REQUESTS)
        return f"{json_pointer((*path, 'method'))} must be one of {allowed}, not {quote(method, 60)}"
    params = request.get("params", None if _REQUESTS[method] else {})
    return None if type(params) is dict else f"{json_pointer((*path, 'params'))} must be an object"


def _given(value: dict[str, Any], names: tuple[str, ...]) -> list[str]:
    return [name for name in names if name in value]


def _is_integer(value: Any) -> bool:
    return type(value) is int or (type(value) is float and value.is_integer())


def _wrong_in_texts(value: dict[str, Any], names: Iterable[str], path: Path) -> str | None:
    for name in names:
        if type(value.get(name)) is not str:
            return f"{json_pointer((*path, name))} must be a string, not {quote(value.get(name), 60)}"
    return None


def _wrong_in_meta(members: dict[str, Any], path: Path) -> str | None:
    meta, path = members.get("_meta", {}), (*path, "_meta")
    return None if type(meta) is dict else f"{json_pointer(path)} must be an object, not {quote(meta, 60)}"
