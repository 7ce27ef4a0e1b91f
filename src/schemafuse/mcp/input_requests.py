"""What a tool may ask of a client in the middle of a call: only what the client declared.

Comes in: the `inputRequests` of a result, and the capabilities that came with the request. Goes out: nothing, or the
error -32021 that names what is missing (MCP 2026-07-28 patterns/mrtr).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .protocol import missing_capability


def check_input_requests(requests: Mapping[str, Any], capabilities: Mapping[str, Any] | None) -> None:
    """Raise `ProtocolError` (-32021) for requests that the client can't answer. `capabilities` None: nobody knows."""
    if capabilities is None:
        return
    required: dict[str, Any] = {}
    for request in requests.values():
        params = request.get("params")
        need = _need(request["method"], params if isinstance(params, dict) else {})
        if need is not None and not _has(*need, capabilities):
            name, part = need
            # Elicitation without more means forms, so that is what a client without any is asked to declare.
            default = part is None or (part == "form" and name not in capabilities)
            required.setdefault(name, {}).update({} if default else {part: {}})
    if required:
        raise missing_capability(required)


def _need(method: str, params: dict[str, Any]) -> tuple[str, str | None] | None:
    """Return the capability that a request needs and the part of it, if any (MCP schema § ClientCapabilities)."""
    if method == "elicitation/create":
        return "elicitation", "url" if params.get("mode") == "url" else "form"
    if method == "sampling/createMessage":
        return "sampling", "tools" if "tools" in params or "toolChoice" in params else None
    return ("roots", None) if method == "roots/list" else None


def _has(name: str, part: str | None, capabilities: Mapping[str, Any]) -> bool:
    declared = capabilities.get(name)
    if not isinstance(declared, Mapping):
        return False
    return part is None or part in declared or (part == "form" and not declared)
