"""One POST of Streamable HTTP, without a framework: its body and headers go in, a status and a response come out.

Comes in: the bytes of a body, and the headers as an ASGI server or a mapping has them. Goes out: an HTTP status with
the bytes to send, None where there is nothing to send. Headers are compared with the body before anything runs (MCP
2026-07-28 streamable-http § Standard Request Headers). Origin, Accept and the streaming of notifications are left to
the caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..render import quote, quote_text
from .headers import Headers, decode
from .jsonrpc import encode_response, error_response, http_status, id_of
from .listening import Notify
from .protocol import HEADER_MISMATCH, INVALID_REQUEST, PROTOCOL_VERSION, VERSION_KEY, ProtocolError
from .service import ToolService
from .wire import UnreadableMessageError, read_message

VERSION_HEADER = "mcp-protocol-version"
METHOD_HEADER = "mcp-method"
NAME_HEADER = "mcp-name"

#: Methods whose target Mcp-Name repeats -> the member of params that names it.
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_SHOWN_CHARS = 80


async def handle_post(
    service: ToolService, body: bytes, headers: Headers, *, authorization: Any = None, notify: Notify | None = None
) -> tuple[int, bytes | None]:
    """Answer one POST. Returns the HTTP status and the response as JSON; 202 and None for a notification.

    `headers`: a mapping, or pairs of name and value so that repeated ones are seen; as text or, like in ASGI, bytes.
    `authorization`, `notify`: see `ToolService.handle`. A response after a notification goes on the same stream.
    """
    try:
        message = read_message(body, max_bytes=service.max_message_bytes, max_depth=service.max_message_depth)
    except UnreadableMessageError as error:
        response: dict[str, Any] | None = error_response(error, error.request_id)
    else:
        fault = check_headers(service, message, headers, authorization=authorization)
        if fault is None:
            response = await service.handle(message, authorization=authorization, notify=notify)
        else:
            response = error_response(fault, id_of(message))
        if response is None and "method" not in message:  # over HTTP a client MUST NOT send responses
            fault = ProtocolError(INVALID_REQUEST, "Invalid request: a client sends requests and notifications only")
            response = error_response(fault, None)
    return http_status(response), None if response is None else encode_response(response)


def check_headers(
    service: ToolService, message: Any, headers: Headers, *, authorization: Any = None
) -> ProtocolError | None:
    """Return None when the headers agree with a message, else the error (-32020) to answer with.

    Messages that are malformed, or that are no requests, are for `ToolService.handle` to judge.
    """
    params = message.get("params") if isinstance(message, dict) and "id" in message else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
    if not isinstance(version, str) or not isinstance(params, dict) or not isinstance(message.get("method"), str):
        return None
    given = _by_name(headers)
    fault = (
        _disagreement(given, VERSION_HEADER, version)
        or _disagreement(given, METHOD_HEADER, message["method"])
        or _check_name(given, message["method"], params)
    )
    if fault is not None:
        return ProtocolError(HEADER_MISMATCH, f"Header mismatch: {fault}")
    if message["method"] != "tools/call" or version != PROTOCOL_VERSION:
        return None
    return _check_parameters(service, params, headers, authorization)


def _check_name(given: dict[str, list[str]], method: str, params: dict[str, Any]) -> str | None:
    target = params.get(_NAMED.get(method, ""))
    return _disagreement(given, NAME_HEADER, target, encoded=True) if isinstance(target, str) else None


def _check_parameters(
    service: ToolService, params: dict[str, Any], headers: Headers, authorization: Any
) -> ProtocolError | None:
    """Compare the Mcp-Param headers of a tool that the caller can see."""
    try:
        tool = service.find_tool(params.get("name"), authorization)
    except ProtocolError:
        return None
    error = tool.check_param_headers(headers, params.get("arguments", {}))
    return None if error is None else ProtocolError(error["code"], error["message"], error.get("data"))


def _disagreement(given: dict[str, list[str]], name: str, expected: str, *, encoded: bool = False) -> str | None:
    """Say how a header and the body disagree, None when they agree. Values are case-sensitive, names are not."""
    values = given.get(name, [])
    if not values:
        return f"the header {name} is missing; the body has {quote_text(expected, _SHOWN_CHARS)}"
    if len(values) > 1:
        return f"the header {name} is there more than once, so that readers may differ"
    value = decode(values[0]) if encoded else values[0]
    if value == expected:
        return None
    return f"the header {name} is {quote(values[0], _SHOWN_CHARS)}, the body has {quote_text(expected, _SHOWN_CHARS)}"


def _by_name(headers: Headers) -> dict[str, list[str]]:
    pairs: Iterable[tuple[Any, Any]] = headers.items() if isinstance(headers, Mapping) else headers
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        # HTTP knows no other encoding than this one for what is not ASCII (RFC 9110 5.5).
        key, text = (part.decode("latin-1") if isinstance(part, bytes) else str(part) for part in (name, value))
        given.setdefault(key.lower(), []).append(text.strip(" \t"))
    return given
