"""JSON-RPC around a tool service: one message goes in, its response comes out.

Comes in: any Python object as a message. Goes out: a response with a result or an error, or None where nothing is owed:
for notifications, and for responses to requests that a server never makes. Every request is answered, whatever is wrong
with it, and a message that is refused has run nothing (MCP 2026-07-28 basic/index, JSON-RPC 2.0).
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..render import quote, quote_text
from .calls import Call, Progress
from .listening import Notify, listen
from .protocol import (
    CAPABILITIES_KEY,
    HTTP_STATUS,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PROTOCOL_VERSION,
    SERVER_INFO_KEY,
    UNSUPPORTED_VERSION,
    VERSION_KEY,
    ProtocolError,
    can_be_sent,
)
from .sendable import unicode_text
from .wire import Id, encode_json, sound_id

if TYPE_CHECKING:
    from .service import ToolService

logger = logging.getLogger("schemafuse.mcp")

_SHOWN_CHARS = 80


@dataclass(frozen=True, slots=True)
class Request:
    """A request whose envelope is in order."""

    id: Id
    method: str
    params: dict[str, Any]
    capabilities: dict[str, Any]
    authorization: Any
    notify: Notify | None


async def answer(
    service: ToolService, message: object, authorization: Any, notify: Notify | None
) -> dict[str, Any] | None:
    """Return the response to `message`, or None where none is owed."""
    request_id = id_of(message)
    try:
        if isinstance(message, dict) and type(message) is not dict:
            message = dict.copy(message)  # what it holds, whatever methods it has of its own
        method = _method_of(message, request_id)
        if method is None or request_id is None:
            return None
        request = _request(message, request_id, method, authorization, notify)
        serve = _METHODS.get(method)
        if serve is None or (method == "subscriptions/listen" and notify is None):
            raise ProtocolError(METHOD_NOT_FOUND, f"Method not found: {quote_text(method, _SHOWN_CHARS)}")
        result = await serve(service, request)
    except Exception as error:
        return error_response(for_client(error), request_id)
    return {"jsonrpc": "2.0", "id": request_id, "result": _stamped(service, result)}


def for_client(error: Exception) -> ProtocolError:
    """Return the error that a client is told: a `ProtocolError` itself, of any other no word, which goes to the log."""
    if isinstance(error, ProtocolError) and can_be_sent(error):
        return error
    reference = secrets.token_hex(6)
    logger.error("internal error %s in a request", reference, exc_info=error)
    return ProtocolError(INTERNAL_ERROR, f"Internal error, reference {reference}")


def error_response(error: ProtocolError, request_id: Id | None) -> dict[str, Any]:
    """Return an error response. Without an id that can be read it has none: MCP knows no null as an id."""
    response: dict[str, Any] = {"jsonrpc": "2.0"}
    if request_id is not None:
        response["id"] = request_id
    response["error"] = ProtocolError.to_dict(error)  # whatever a subclass makes of it
    return response


def http_status(response: dict[str, Any] | None) -> int:
    """Return the HTTP status for what `handle` returned (MCP 2026-07-28 streamable-http)."""
    if response is None:
        return 202
    error = response.get("error")
    return HTTP_STATUS.get(error["code"], 200) if isinstance(error, dict) else 200


def encode_response(response: dict[str, Any]) -> bytes:
    """Write a response as UTF-8 JSON, in one line."""
    try:
        return encode_json(response).encode("utf-8")
    except Exception:  # an object that is no plain dict may do anything when it is read
        logger.exception("a response can't be written as JSON")
        error = error_response(ProtocolError(INTERNAL_ERROR, "Internal error"), response.get("id"))
        return encode_json(error).encode("utf-8")


# Envelope -----------------------------------------------------------------------------------------


def id_of(message: object) -> Id | None:
    """Return the id of a message when it is one that a response can carry."""
    return sound_id(dict.get(message, "id")) if isinstance(message, dict) else None


def _method_of(message: object, request_id: Id | None) -> str | None:
    """Return the method of a request, None for a message that is owed nothing."""
    if not isinstance(message, dict):
        what = "a batch is not supported" if isinstance(message, list) else f"got {quote(message, _SHOWN_CHARS)}"
        raise ProtocolError(INVALID_REQUEST, f"Invalid request: send one JSON-RPC object a message; {what}")
    if message.get("jsonrpc") != "2.0":
        raise ProtocolError(INVALID_REQUEST, 'Invalid request: jsonrpc must be "2.0"')
    if "method" not in message and ("result" in message or "error" in message):
        return None  # a response, and nothing was asked
    method = message.get("method")
    if not isinstance(method, str):
        raise ProtocolError(INVALID_REQUEST, "Invalid request: method must be a string")
    if "id" not in message:
        return None  # a notification; JSON-RPC 2.0 § 4.1: the server MUST NOT reply
    if request_id is None:
        raise ProtocolError(INVALID_REQUEST, "Invalid request: id must be a string or an integer")
    return method


def _request(message: Any, request_id: Any, method: str, authorization: Any, notify: Notify | None) -> Request:
    """Check what every request carries with it (MCP 2026-07-28 basic/index § Per-request protocol fields)."""
    params = message.get("params", {})
    if not isinstance(params, dict):
        raise ProtocolError(INVALID_PARAMS, f"Invalid params: params must be an object, not {quote(params, 40)}")
    meta = params.get("_meta")
    if not isinstance(meta, dict):
        if method == "initialize" and isinstance(params.get("protocolVersion"), str):
            # A client of an earlier revision: tell it in the one way that names the version to use.
            raise _unsupported(params["protocolVersion"])
        raise ProtocolError(INVALID_PARAMS, "Invalid params: params._meta must be an object")
    version = meta.get(VERSION_KEY)
    if not isinstance(version, str):
        raise ProtocolError(INVALID_PARAMS, f"Invalid params: params._meta must have {VERSION_KEY}, a string")
    capabilities = meta.get(CAPABILITIES_KEY)
    if not isinstance(capabilities, dict):
        raise ProtocolError(INVALID_PARAMS, f"Invalid params: params._meta must have {CAPABILITIES_KEY}, an object")
    if version != PROTOCOL_VERSION:
        raise _unsupported(version)
    return Request(request_id, method, params, capabilities, authorization, notify)


def _unsupported(requested: str) -> ProtocolError:
    data = {"supported": [PROTOCOL_VERSION], "requested": unicode_text(requested[:_SHOWN_CHARS])}
    return ProtocolError(UNSUPPORTED_VERSION, f"Unsupported protocol version: use {PROTOCOL_VERSION}", data)


def _stamped(service: ToolService, result: dict[str, Any]) -> dict[str, Any]:
    """Say in a result who made it, unless it says so itself."""
    meta = result.get("_meta", {})
    if not isinstance(meta, dict) or SERVER_INFO_KEY in meta:
        return result
    return {**result, "_meta": {**meta, SERVER_INFO_KEY: dict(service.server_info)}}


# Methods ------------------------------------------------------------------------------------------


async def _discover(service: ToolService, request: Request) -> dict[str, Any]:
    return service.discover(list_changed=request.notify is not None)


async def _list_tools(service: ToolService, request: Request) -> dict[str, Any]:
    params = request.params
    if "cursor" in params and not isinstance(params["cursor"], str):
        raise ProtocolError(INVALID_PARAMS, "Invalid params: cursor must be a string, or absent")
    return await service.list_tools(params.get("cursor"), authorization=request.authorization)


async def _call_tool(service: ToolService, request: Request) -> dict[str, Any]:
    params = request.params
    progress = _progress(params["_meta"], request.notify)
    call = call_from(params, request.capabilities, request.authorization, progress)
    given = (params["arguments"],) if "arguments" in params else ()
    return await service.call_tool(params.get("name"), *given, call=call)


def call_from(params: Any, capabilities: Any, authorization: Any, progress: Progress | None) -> Call:
    """Return what the params of a tools/call tell of the call. Raises `ProtocolError` for what is malformed."""
    responses = params.get("inputResponses", {})
    if not isinstance(responses, dict) or not all(isinstance(response, dict) for response in responses.values()):
        raise ProtocolError(INVALID_PARAMS, "Invalid params: inputResponses must be an object of objects, or absent")
    state = params.get("requestState")
    if (state is None and "requestState" in params) or not isinstance(state, str | None):
        raise ProtocolError(INVALID_PARAMS, "Invalid params: requestState must be a string, or absent")
    return Call(
        authorization=authorization,
        client_capabilities=capabilities,
        input_responses=responses,
        request_state=state,
        meta=params.get("_meta") or {},
        progress=progress,
    )


def _progress(meta: dict[str, Any], notify: Notify | None) -> Progress | None:
    """Return the way to report progress to a client that asked for it by a token, None for others."""
    token = meta.get("progressToken")
    if notify is None or isinstance(token, bool) or not isinstance(token, (str, int)):
        return None

    async def report(progress: float, total: float | None, message: str | None) -> None:
        given = {"progress": progress, "total": total, "message": message}
        params = {"progressToken": token} | {name: value for name, value in given.items() if value is not None}
        await notify({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})

    return report


async def _listen(service: ToolService, request: Request) -> dict[str, Any]:
    assert request.notify is not None
    return await listen(service, request.id, request.params, request.notify)


_METHODS: dict[str, Callable[[ToolService, Request], Awaitable[dict[str, Any]]]] = {
    "server/discover": _discover,
    "tools/list": _list_tools,
    "tools/call": _call_tool,
    "subscriptions/listen": _listen,
}
