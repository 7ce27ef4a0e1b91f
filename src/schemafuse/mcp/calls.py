"""What a handler may know about the call it serves, beside the arguments.

Comes in: what a transport knows of a request. Goes out: a `Call`, given to handlers that take a second argument.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

#: Tells the client how far a call is: `(progress, total, message)`.
Progress = Callable[[float, float | None, str | None], Awaitable[None]]

_NOTHING: Mapping[str, Any] = {}


class Call:
    """One call of a tool. A handler that takes two arguments is called with `(arguments, call)`."""

    __slots__ = (
        "_progress",
        "_reported",
        "authorization",
        "client_capabilities",
        "input_responses",
        "meta",
        "request_state",
    )

    authorization: Any
    """Who asks, in whatever form the transport established it; None where it established nothing."""
    client_capabilities: Mapping[str, Any] | None
    """What the client declared with this request; None where no client stands behind the call."""
    input_responses: Mapping[str, Any]
    """The client's answers to `inputRequests` of an earlier result. Every value is an object, and unchecked."""
    request_state: str | None
    """The `requestState` of that result, as the client sent it back. It may have been tampered with."""
    meta: Mapping[str, Any]
    """The `_meta` of the request."""

    def __init__(
        self,
        *,
        authorization: Any = None,
        client_capabilities: Mapping[str, Any] | None = None,
        input_responses: Mapping[str, Any] = _NOTHING,
        request_state: str | None = None,
        meta: Mapping[str, Any] = _NOTHING,
        progress: Progress | None = None,
    ) -> None:
        self.authorization = authorization
        self.client_capabilities = client_capabilities
        self.input_responses = input_responses
        self.request_state = request_state
        self.meta = meta
        self._progress = progress
        self._reported = float("-inf")

    def declares(self, capability: str) -> bool:
        """Say whether the client declared a capability, such as "sampling". Don't rely on any that it did not."""
        return self.client_capabilities is not None and capability in self.client_capabilities

    async def report_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        """Tell the client how far the call is, if it asked to be told (MCP 2026-07-28 utilities/progress).

        `progress` MUST grow with every report; one that does not is left out.
        """
        if self._progress is not None and progress > self._reported:
            self._reported = progress
            await self._progress(progress, total, message)
