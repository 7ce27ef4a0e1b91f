"""The words of the protocol: version, codes, keys, and the two errors that a tool may raise.

Comes in: nothing. Goes out: constants of MCP 2026-07-28, `ToolError` for the model, `ProtocolError` for the client.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..render import place, quote
from .sendable import find_unsendable, unicode_text

PROTOCOL_VERSION: Final = "2026-07-28"

# Keys in `_meta` (MCP 2026-07-28 basic/index § _meta).
VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_KEY: Final = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION_KEY: Final = "io.modelcontextprotocol/subscriptionId"

# JSON-RPC 2.0 § 5.1, and MCP 2026-07-28 basic/index § Error Codes. No other code is ever sent.
PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
HEADER_MISMATCH: Final = -32020
MISSING_CAPABILITY: Final = -32021
UNSUPPORTED_VERSION: Final = -32022

#: Reserved for MCP without a meaning so far, and codes of earlier revisions that servers MUST NOT send any more.
_FORBIDDEN = frozenset((*range(-32099, HEADER_MISMATCH + 1), -32002, -32042)) - {
    HEADER_MISMATCH,
    MISSING_CAPABILITY,
    UNSUPPORTED_VERSION,
}

#: HTTP status of an error response (MCP 2026-07-28 streamable-http). -32603 has none of its own there: 200.
HTTP_STATUS: Final[Mapping[int, int]] = {
    PARSE_ERROR: 400,
    INVALID_REQUEST: 400,
    INVALID_PARAMS: 400,
    HEADER_MISMATCH: 400,
    MISSING_CAPABILITY: 400,
    UNSUPPORTED_VERSION: 400,
    METHOD_NOT_FOUND: 404,
}


class ToolError(Exception):
    """Raised by a handler: the call failed, and `text` tells the model what it can do about it.

    The text reaches the model as it is, in a result with `isError`. Every other exception is hidden from it.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = str(text)


class ProtocolError(Exception):
    """A request that cannot be served, as JSON-RPC has it: an integer `code`, a `message`, and `data`, any JSON value.

    Raises `TypeError` for a code that is no integer and a message that is no string, `ValueError` for a code that MCP
    forbids or no client could read, and for data that is not JSON: what can't be sent should be found where it is made.
    """

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        if isinstance(code, bool) or not isinstance(code, int):
            raise TypeError(f"code must be an integer, not {type(code).__name__}")
        if not isinstance(message, str):
            raise TypeError(f"message must be a string, not {type(message).__name__}")
        if code in _FORBIDDEN or not -(2**31) <= code < 2**31:
            raise ValueError(f"the code {quote(code, 40)} must not be sent (MCP basic/index § Error Codes)")
        unsendable = None if data is None else find_unsendable(data)
        if unsendable is not None:
            raise ValueError(f"data must be JSON, but at {place(unsendable.path)} there is {unsendable.reason}")
        super().__init__(code, message, data)
        self.code = code
        self.message = unicode_text(message)
        self.data = data

    def __str__(self) -> str:
        return self.message

    def to_dict(self) -> dict[str, Any]:
        """Return the `error` member of a JSON-RPC response."""
        error: dict[str, Any] = {"code": self.code, "message": unicode_text(self.message)}
        if self.data is not None:
            error["data"] = self.data
        return error


def can_be_sent(error: ProtocolError) -> bool:
    """Say whether an error holds what `ProtocolError` checks: a subclass may not, nor one that was changed since."""
    try:
        ProtocolError(error.code, error.message, error.data)
    except Exception:
        return False
    return True


def missing_capability(required: dict[str, Any]) -> ProtocolError:
    """Say which capabilities a client has to declare. `required`: an object shaped like ClientCapabilities."""
    names = ", ".join([".".join((name, *sorted(parts))) for name, parts in sorted(required.items())])
    return ProtocolError(
        MISSING_CAPABILITY, f"this needs a client with the capability {names}", {"requiredCapabilities": required}
    )
