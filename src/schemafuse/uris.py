"""URI references: splitting, joining (RFC 3986 section 5.2), and looking one up among the caller's resources.

Any string goes in and none raises: what is no URI is simply not found later. Nothing here ever fetches.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# RFC 3986 appendix B, with the scheme as its section 3.1 has it.
_split = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL
).fullmatch

NOT_FOUND = object()


def split_fragment(reference: str) -> tuple[str, str]:
    """Return a reference without its fragment, and the fragment ("" when there is none)."""
    base, _, fragment = reference.partition("#")
    return base, fragment


def is_absolute(uri: str) -> bool:
    match = _split(uri)
    return match is not None and match[1] is not None


def join(base: str, reference: str) -> str:
    """Resolve a reference without a fragment against a base URI."""
    if not reference:
        return base
    scheme, authority, path, query, _ = _parts(reference)
    if scheme is None:
        base_scheme, base_authority, base_path, base_query, _ = _parts(base)
        scheme = base_scheme
        if authority is None:
            authority = base_authority
            if not path:
                path = base_path
                query = base_query if query is None else query
            elif not path.startswith("/"):
                path = _merge(base_authority, base_path, path)
    if "/." in path or path.startswith("."):
        path = _remove_dots(path)
    return (
        (f"{scheme}:" if scheme is not None else "")
        + (f"//{authority}" if authority is not None else "")
        + path
        + (f"?{query}" if query is not None else "")
    )


def _parts(uri: str) -> tuple[str | None, str | None, str, str | None, str | None]:
    match = _split(uri)
    return match.group(1, 2, 3, 4, 5) if match else (None, None, uri, None, None)  # type: ignore[return-value]


def _merge(authority: str | None, base_path: str, path: str) -> str:
    if authority is not None and not base_path:
        return "/" + path
    return base_path[: base_path.rfind("/") + 1] + path


def _remove_dots(path: str) -> str:
    segments: list[str] = []
    parts = path.split("/")
    for part in parts:
        if part == "..":
            if segments and segments != [""]:
                segments.pop()
        elif part != ".":
            segments.append(part)
    if parts[-1] in (".", ".."):
        segments.append("")
    return "/".join(segments)


def look_up(resources: Mapping[str, Any] | None, uri: str) -> Any:
    """Return what the caller's resources have for a URI, or NOT_FOUND; what they raise counts as not found."""
    if resources is None:
        return NOT_FOUND
    for spelling in (uri, uri + "#"):
        try:
            return resources[spelling]
        except Exception:  # a Mapping of the caller's: whatever it raises, the schema is not there
            continue
    return NOT_FOUND
