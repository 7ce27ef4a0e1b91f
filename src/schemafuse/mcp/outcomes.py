"""From what a handler returned or raised to a result of tools/call.

Comes in: any Python value, or an exception. Goes out: a CallToolResult or an InputRequiredResult that may be sent. What
a model is told never holds a word of an exception: those go to the log "schemafuse.mcp", under a reference id.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from typing import Any

from .._core.sendable import MAX_LEVELS, is_plainly_sendable
from ..errors import BudgetExceeded
from ..render import quote_text
from .definitions import Tool
from .driving import CallTimeoutError, StrayError
from .input_requests import check_input_requests
from .protocol import ToolError
from .registry import Entry
from .results import RESULT_LEVELS, error_result, find_unsendable_fault, withheld
from .running import ServerBusyError
from .sendable import plain, unicode_text
from .shapes import BLOCKS
from .threads import ServerClosedError
from .wire import encode_json

logger = logging.getLogger("schemafuse.mcp")

#: Members that a result may have, by its resultType. A dict with any other is a value, whatever else it holds.
_MEMBERS = {
    "complete": frozenset(("_meta", "content", "isError", "resultType", "structuredContent")),
    "input_required": frozenset(("_meta", "inputRequests", "requestState", "resultType")),
}
#: A dict with none of these is a value.
_MARKS = frozenset(("content", "isError", "resultType", "structuredContent"))


def finish(tool: Tool, value: Any, capabilities: Mapping[str, Any] | None) -> dict[str, Any]:
    """Make the result of a call out of what its handler returned.

    Raises `ProtocolError` (-32021) for input requests that the client did not declare it can answer.
    """
    if not is_plainly_sendable(value):
        carries = type(value) is dict and "structuredContent" in value
        fault = find_unsendable_fault(value, RESULT_LEVELS if carries else MAX_LEVELS)
        if fault is not None:
            return withheld(tool, fault)
        # Who sends the result must find in it what is looked at here: a subclass may tell him something else.
        value = plain(value)
    if type(value) is dict and not _MARKS.isdisjoint(value) and _is_result(value, tool):
        if value.get("resultType") == "input_required":
            result = tool.check_result(value)
            if result is value:
                check_input_requests(value.get("inputRequests", {}), capabilities)
            return result
        return tool.check_result(_completed(value))
    result = {"resultType": "complete", "content": _mirror(value), "structuredContent": value, "isError": False}
    # What the check of a whole result would find, for a result that is whole because it was made here.
    return result if _conforms(tool, value) else tool.check_result(result)


def _conforms(tool: Tool, value: Any) -> bool:
    try:
        return tool.output is None or tool.output.is_valid(value)
    except BudgetExceeded:
        return False


def _mirror(value: Any) -> list[dict[str, Any]]:
    """Return the value as text, for clients that look at nothing else (MCP tools § Structured Content)."""
    return [{"type": "text", "text": encode_json(value)}]


def _completed(result: dict[str, Any]) -> dict[str, Any]:
    """Return a CallToolResult with what its author may leave out: resultType, and some text for every reader."""
    result = {"resultType": "complete", **result}
    content = result.setdefault("content", [])
    if not isinstance(content, (list, tuple)) or any(map(_is_text, content)):
        return result
    if "structuredContent" in result:
        result["content"] = [*content, *_mirror(result["structuredContent"])]
    elif not content and result.get("isError") is True:
        result["content"] = failed_as_told("")["content"]
    return result


def _is_text(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "text"


def _is_result(value: dict[str, Any], tool: Tool) -> bool:
    """Tell a whole CallToolResult or InputRequiredResult from a JSON value that happens to look like one."""
    kind = value.get("resultType", "complete")
    members = _MEMBERS.get(kind) if isinstance(kind, str) else None
    if members is None or not value.keys() <= members:
        return False
    if kind == "input_required":
        return "inputRequests" in value or "requestState" in value
    if "structuredContent" in value or value.get("isError") is True:
        return True
    content = value.get("content")
    if not isinstance(content, list):
        return False
    if not content:  # under an outputSchema, such a result would lack what was promised: it is a value
        return "resultType" in value or tool.output is None
    return all([isinstance(block, dict) and _is_block_type(block.get("type")) for block in content])


def _is_block_type(kind: Any) -> bool:
    return isinstance(kind, str) and kind in BLOCKS


# Failures -----------------------------------------------------------------------------------------


def failed(entry: Entry, error: BaseException, limit: int) -> dict[str, Any]:
    """Return the result for what a call raised. `limit`: calls at a time."""
    told = _told(error) if isinstance(error, ToolError) else None
    if told is not None:
        return failed_as_told(told)
    if isinstance(error, ServerBusyError):
        return busy(limit)
    if isinstance(error, ServerClosedError):
        return closed()
    if isinstance(error, CallTimeoutError):
        return timed_out(entry.tool, entry.timeout_s, stopped=not entry.blocking)
    return failed_inside(entry.tool, error.__cause__ or error if isinstance(error, StrayError) else error)


def _told(error: ToolError) -> str | None:
    """Return the text of a `ToolError`, None where a subclass has not kept any."""
    try:
        text = error.text
    except Exception:
        return None
    return str.__str__(text) if isinstance(text, str) else None


def failed_as_told(text: str) -> dict[str, Any]:
    """Return the result for a `ToolError`."""
    return error_result(unicode_text(text) or "The tool failed.")


def failed_inside(tool: Tool, error: BaseException) -> dict[str, Any]:
    """Return the result for any other exception, and log that."""
    reference = secrets.token_hex(6)
    logger.error("internal error %s in the tool %s", reference, quote_text(tool.name, 140), exc_info=error)
    return error_result(
        f"The tool {quote_text(tool.name, 140)} failed: internal error, reference {reference}. The fault is not in the "
        "arguments. The operator of the server can find the cause under this reference."
    )


def timed_out(tool: Tool, seconds: float | None, stopped: bool) -> dict[str, Any]:
    """Return the result for a call that took too long."""
    logger.warning("the tool %s took longer than %s s", quote_text(tool.name, 140), seconds)
    state = "It was stopped." if stopped else "It may still be at work."
    return error_result(
        f"The tool {quote_text(tool.name, 140)} did not finish within {seconds:g} s. {state} What it changed until "
        "then may stay changed. Asking for less may help."
    )


def busy(limit: int) -> dict[str, Any]:
    """Return the result for a call that was not started."""
    logger.warning("a call was refused: %d calls are running", limit)
    return error_result(
        f"The tool was not called: the server runs {limit} calls at a time, and all of them are taken. The arguments "
        "are not at fault; try again later."
    )


def closed() -> dict[str, Any]:
    """Return the result for a call that came after `close`."""
    return error_result("The tool was not called: the server is about to stop. The arguments are not at fault.")
