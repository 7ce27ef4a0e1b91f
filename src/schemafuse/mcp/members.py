"""The rules for the members of a tool definition that are no schema: names, texts, icons, annotations, `_meta`.

Comes in: private copies in exact builtin types. Goes out: findings, and the values that the rest of the package uses.
One small function a member, all of the same shape; none raises.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from ..names import check_tool_name
from ..render import quote, quote_text
from .naming import note_model_api_warnings
from .problems import Findings, at

#: The defaults of the hints (MCP 2026-07-28 schema § ToolAnnotations).
HINTS = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}

#: Control characters, overrides of direction, and tags, in which whole sentences have been smuggled to models.
_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_SIZE = re.compile(r"[1-9][0-9]{0,5}x[1-9][0-9]{0,5}|any")
_URI_CHARACTERS = re.compile(r"[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]*")  # RFC 3986 section 2
_THEMES = ("light", "dark")

# MCP 2026-07-28 basic/index § _meta: labels separated by dots and a slash, then a name that may be empty.
_LABEL = r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_META_KEY = re.compile(rf"(?:(?P<prefix>{_LABEL}(?:\.{_LABEL})*)/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?")
_RESERVED_LABELS = ("modelcontextprotocol", "mcp")
#: Keys with a reserved prefix that MCP has given a meaning on any object.
_DEFINED_BY_MCP = ("io.modelcontextprotocol/related-task",)


def check_name(name: Any, findings: Findings) -> None:
    """`name`: 1 to 128 of A-Z, a-z, 0-9, "_", "-" and "." (MCP tools § Tool Names)."""
    problems = check_tool_name(name)
    for problem in problems:
        hint = f"; {quote_text(problem.suggestion)} would do" if problem.suggestion else ""
        hopeless = problem.code in ("not_a_string", "empty")
        (findings.error if hopeless else findings.tolerated)(f"name_{problem.code}", "/name", problem.message + hint)
    if type(name) is str and name:
        note_model_api_warnings(name, findings)


def check_text(location: str, text: Any, findings: Findings) -> None:
    """`title`, `description`, `annotations.title`: a string, and nothing in it that a reader cannot see."""
    member = location[1:].replace("/", ".")
    if text is None:
        _null(location, findings)
    elif type(text) is not str:
        findings.error("wrong_type", location, f"{member} must be a string, not {quote(text, 60)}")
    else:
        hidden = _HIDDEN.search(text)
        if hidden is not None:
            shown = f"{quote_text(hidden[0], 16)} ({unicodedata.name(hidden[0], 'a control character').lower()})"
            remedy = "a model reads what a person does not see there: remove it"
            findings.warning("hidden_text", location, f"{member} contains {shown}: {remedy}")


def _null(location: str, findings: Findings) -> None:
    text = f"{location[1:]} is null: leave it out when there is none"
    findings.tolerated("null_member", location, text)


# Icons --------------------------------------------------------------------------------------------


def check_icons(icons: Any, findings: Findings) -> tuple[dict[str, Any], ...]:
    """`icons`: an array of icons. Returns those that a client may show."""
    if icons is None:
        _null("/icons", findings)
        return ()
    if type(icons) is not list:
        findings.error("wrong_type", "/icons", f"icons must be an array, not {quote(icons, 60)}")
        return ()
    usable = []
    for index, icon in enumerate(icons):
        if findings.enough(tolerated=True):
            break
        if _check_icon(icon, at("/icons", index), findings):
            usable.append(icon)
    return tuple(usable)


def _check_icon(icon: Any, location: str, findings: Findings) -> bool:
    if type(icon) is not dict:
        findings.tolerated("icon", location, f"an icon must be an object with a src, not {quote(icon, 60)}")
        return False
    usable = _check_icon_source(icon.get("src"), at(location, "src"), findings)
    if type(icon.get("mimeType", "")) is not str:
        text = f"the mimeType of an icon must be a string, not {quote(icon['mimeType'], 60)}"
        findings.tolerated("icon", at(location, "mimeType"), text)
        usable = False
    if "theme" in icon and icon["theme"] not in _THEMES:
        text = f'the theme of an icon must be "light" or "dark", not {quote(icon["theme"], 60)}'
        findings.tolerated("icon", at(location, "theme"), text)
        usable = False
    if "sizes" in icon:
        usable = _check_icon_sizes(icon["sizes"], at(location, "sizes"), findings) and usable
    return usable


def _check_icon_source(source: Any, location: str, findings: Findings) -> bool:
    """Clients MUST reject an icon that is not at an https: or data: URI (MCP basic § Icons)."""
    if type(source) is not str:
        findings.tolerated("icon", location, f"an icon must have a src that is a string, not {quote(source, 60)}")
        return False
    start = source[:8].lower()
    if not start.startswith(("https://", "data:")):
        text = f"the src of an icon must be an https: or data: URI, not {quote_text(source, 60)}"
        findings.tolerated("icon_scheme", location, text)
        return False
    if not _URI_CHARACTERS.fullmatch(source):
        text = f"the src {quote_text(source, 60)} has characters that no URI has: percent-encode them"
        findings.tolerated("icon", location, text)
        return False
    if start == "https://" and not _has_host(source):
        text = f"the src {quote_text(source, 60)} has no host that it could be fetched from: write the whole URL"
        findings.tolerated("icon", location, text)
        return False
    if start.startswith("data:") and source[5:11].lower() != "image/":
        text = f"the src {quote_text(source, 60)} does not say that it is an image: start it with data:image/"
        findings.warning("icon_not_image", location, text)
    return True


def _has_host(url: str) -> bool:
    try:
        return bool(urlsplit(url).hostname)
    except ValueError:  # brackets that are never closed
        return False


def _check_icon_sizes(sizes: Any, location: str, findings: Findings) -> bool:
    if type(sizes) is not list or not all(type(size) is str for size in sizes):
        text = f"the sizes of an icon must be an array of strings, not {quote(sizes, 60)}"
        findings.tolerated("icon", location, text)
        return False
    for index, size in enumerate(sizes):
        if not _SIZE.fullmatch(size):
            text = f'a size must read like "48x48", or "any", not {quote_text(size, 40)}'
            findings.warning("icon_size", at(location, index), text)
            break
    return True


# Annotations and metadata -------------------------------------------------------------------------


def check_annotations(annotations: Any, findings: Findings) -> dict[str, Any]:
    """`annotations`: hints. Returns those of the right type, everything else left out."""
    if annotations is None:
        _null("/annotations", findings)
        return {}
    if type(annotations) is not dict:
        findings.error("wrong_type", "/annotations", f"annotations must be an object, not {quote(annotations, 60)}")
        return {}
    kept = {}
    for name, kind, called in (*((hint, bool, "true or false") for hint in HINTS), ("title", str, "a string")):
        if name not in annotations:
            continue
        value = annotations[name]
        if type(value) is kind:
            kept[name] = value
        else:
            text = f"annotations.{name} must be {called}, not {quote(value, 60)}: correct it, or leave it out"
            findings.tolerated("annotation", at("/annotations", name), text)
    if "title" in kept:
        check_text("/annotations/title", kept["title"], findings)
    return kept


def check_meta(meta: Any, findings: Findings) -> None:
    """`_meta`: an object with keys of a certain form (MCP basic/index § _meta)."""
    if meta is None:
        _null("/_meta", findings)
        return
    if type(meta) is not dict:
        findings.error("wrong_type", "/_meta", f"_meta must be an object, not {quote(meta, 60)}")
        return
    for key in meta:
        if findings.enough(tolerated=True):
            return
        match = _META_KEY.fullmatch(key)
        if match is None:
            text = (
                f"the key {quote_text(key, 60)} in _meta must be a name that starts and ends with a letter or digit, "
                'or such a name after a prefix like "com.example/"'
            )
            findings.tolerated("meta_key", at("/_meta", key), text)
        elif match["prefix"] is not None and key not in _DEFINED_BY_MCP:
            labels = match["prefix"].split(".", 2)
            if len(labels) > 1 and labels[1].lower() in _RESERVED_LABELS:
                text = f"the prefix of the key {quote_text(key, 60)} in _meta is reserved for MCP: use one of your own"
                findings.warning("meta_key_reserved", at("/_meta", key), text)


#: member -> its rule, for the members with a rule that gives nothing back.
RULES: dict[str, Callable[[Any, Findings], None]] = {
    "title": lambda value, findings: check_text("/title", value, findings),
    "description": lambda value, findings: check_text("/description", value, findings),
    "_meta": check_meta,
}
