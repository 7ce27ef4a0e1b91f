"""Checks that give results a model can read: of the arguments of a call, and of what a tool returned.

Comes in: a checked tool, and any Python object as arguments or as a CallToolResult. Goes out: nothing wrong, or a
CallToolResult with `isError` that says whose fault it is (MCP 2026-07-28 tools § Error Handling, SEP-1303). Never
raises, never changes what it is given, and blames no model when a budget ran out or a server broke its word.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._core.sendable import MAX_LEVELS, is_plainly_sendable
from ..errors import BudgetExceeded, Report
from ..render import escape, place, quote, quote_text
from .header_parameters import MAX_INTEGER
from .headers import find_large_integer
from .sendable import Unsendable, find_unsendable, plain
from .shapes import wrong_in_request, wrong_in_result

if TYPE_CHECKING:
    from .definitions import Tool

logger = logging.getLogger("schemafuse.mcp")

_MAX_LOG_CHARS = 2_000


def error_result(text: str) -> dict[str, Any]:
    """Return a CallToolResult that tells the model what went wrong."""
    return {"resultType": "complete", "content": [{"type": "text", "text": text}], "isError": True}


# Arguments ----------------------------------------------------------------------------------------


def check_arguments(tool: Tool, arguments: object) -> dict[str, Any] | None:
    """See `Tool.check_arguments`."""
    validator = tool.input
    limit = validator.limits.max_text_chars
    try:
        # The root of an inputSchema says that it takes objects only, except where a lenient reader let that pass.
        if issubclass(type(arguments), dict):
            if not validator.is_valid(arguments):
                return error_result(validator.check(arguments).text("arguments"))
            unsendable = None if is_plainly_sendable(arguments) else find_unsendable(arguments)
            if unsendable is not None:
                return error_result(_cut(_unsendable_text(unsendable), limit))
            large = find_large_integer(tool.header_parameters, arguments)
            return None if large is None else error_result(_cut(_large_integer_text(*large), limit))
    except BudgetExceeded as exceeded:
        return error_result(_cut(_exhausted_text(exceeded), limit))
    found = quote(arguments, validator.limits.max_value_chars)
    text = f"The arguments are not valid: expected a JSON object with a member for each parameter, got {found}."
    return error_result(_cut(text, limit))


def _unsendable_text(found: Unsendable) -> str:
    """Say what no schema sees: JSON can spell half a surrogate pair, and Python objects hold what JSON cannot."""
    where = f"at {place(found.path)}: " if found.path else ""
    if "surrogate" in found.fault:
        return f"The arguments are not valid: {where}{found.reason} is no Unicode text. Send whole characters."
    return f"The arguments are not valid: {where}{found.reason}. Send JSON values, and not too many."


def _large_integer_text(path: tuple[str, ...], value: Any) -> str:
    """Integers that a client mirrors in headers MUST be within these bounds (MCP streamable-http § Custom Headers)."""
    return (
        f"The arguments are not valid: at {place(path)}: {quote(value, 40)} is beyond what can be sent here. "
        f"Send an integer from -{MAX_INTEGER} to {MAX_INTEGER}."
    )


def _exhausted_text(exceeded: BudgetExceeded) -> str:
    """Say why there is no verdict. The tool's schema may be made so that no arguments can be checked."""
    if exceeded.budget == "instance_depth":
        limit = f"more than the {exceeded.limit} levels that are looked at"
        return (
            f"The tool was not called: the arguments are nested {limit}, so they were not checked. "
            "Send less deeply nested arguments."
        )
    what = {"time": f"{exceeded.limit} ms", "memory": f"{exceeded.limit} bytes"}.get(
        exceeded.budget, "the work allowed"
    )
    return (
        f"The tool was not called: checking the arguments against the tool's schema took more than {what}, so it is "
        "not known whether they are right. This is no sign of a mistake in them. Arguments with fewer or smaller "
        "values may pass; if small ones do not, the tool's schema is the cause, which only its server can change: "
        "do without this tool."
    )


# Results ------------------------------------------------------------------------------------------


#: A result is one level more than what it carries.
RESULT_LEVELS = MAX_LEVELS + 1


@dataclass(frozen=True, slots=True)
class ResultFault:
    """Why a result may not be sent on. The fault is the server's, whatever the arguments were."""

    code: str
    """"not_an_object", "not_json", "too_large", "result_type", "malformed", "missing_structured_content",
    "invalid_structured_content" or "exhausted"."""
    message: str
    """One line for a log, bounded and escaped. It may quote short parts of the result."""
    report: Report | None = None
    """The report on `structuredContent`, when it was checked."""


def check_result(tool: Tool, result: Any) -> dict[str, Any]:
    """See `Tool.check_result`."""
    fault = find_fault(tool, result)
    if fault is None:
        checked: dict[str, Any] = result
        return checked
    return withheld(tool, fault)


def withheld(tool: Tool, fault: ResultFault) -> dict[str, Any]:
    """Log a fault, and return the result that takes the place of the faulty one."""
    message = f"the result of the tool {quote_text(tool.name)} was replaced, {fault.code}: {fault.message}"
    logger.warning("%s", message if len(message) <= _MAX_LOG_CHARS else message[: _MAX_LOG_CHARS - 1] + "…")
    return fault_result(tool, fault)


def fault_result(tool: Tool, fault: ResultFault) -> dict[str, Any]:
    """Return what the model reads in place of a faulty result: whose fault it is, and no detail of it."""
    name = quote_text(tool.name)
    text = f"The tool {name} has run, but {_FAULTS[fault.code]}, so its result is withheld. "
    if fault.code in ("exhausted", "too_large"):
        text += "Your arguments are not the cause as far as is known; asking for less may help."
    else:
        text += "This is a fault of the tool's server, not of your arguments: other arguments will not help."
    return error_result(_cut(text, tool.input.limits.max_text_chars))


_FAULTS = {
    "not_an_object": "its server did not return a tool result",
    "not_json": "its server returned something that cannot be sent as JSON",
    "too_large": "its server returned more than is sent on",
    "result_type": "its server returned a kind of result that is not known",
    "malformed": "its server returned a malformed result",
    "missing_structured_content": "its server left out the structured content that the tool's outputSchema promises",
    "invalid_structured_content": "its server returned structured content that the tool's outputSchema does not allow",
    "exhausted": "its structured content is too large or its outputSchema too costly to be checked",
}


def find_unsendable_fault(value: object, levels: int) -> ResultFault | None:
    """Return why a result, or what one is to carry, cannot be sent at all."""
    found = find_unsendable(value, max_levels=levels)
    if found is None:
        return None
    code = "too_large" if found.fault == "too_many" else "not_json"
    return ResultFault(code, f"at {place(found.path)} in the result: {found.reason}")


def find_fault(tool: Tool, result: object) -> ResultFault | None:
    """Return what is wrong with a result, or None. The outputSchema is for results without `isError`."""
    if not issubclass(type(result), dict):
        return ResultFault("not_an_object", f"a result must be an object, not {quote(result)}")
    members: Any = result
    if not is_plainly_sendable(result):
        fault = find_unsendable_fault(result, RESULT_LEVELS)
        if fault is not None:
            return fault
        members = plain(result)  # what a subclass holds, whatever it says of itself
    kind = members.get("resultType", "complete")  # absent from older servers (MCP basic/index § Result Types)
    if kind not in ("complete", "input_required"):
        return ResultFault("result_type", f"resultType is {quote(kind, 60)}, neither complete nor input_required")
    wrong = wrong_in_result(members) if kind == "complete" else wrong_in_request(members)
    if wrong is not None:
        return ResultFault("malformed", wrong)
    exempt = kind == "input_required" or members.get("isError") is True
    return None if exempt else _find_unstructured(tool, members)


def _find_unstructured(tool: Tool, members: dict[str, Any]) -> ResultFault | None:
    """Servers MUST return structured content that conforms to the outputSchema (MCP tools § Output Schema)."""
    validator = tool.output
    if validator is None:
        return None
    if "structuredContent" not in members:  # null, 0, false, "" and [] are values; only absence is absence
        return ResultFault("missing_structured_content", "the outputSchema promises structuredContent, there is none")
    content = members["structuredContent"]
    try:
        if validator.is_valid(content):
            return None
    except BudgetExceeded as exceeded:
        return ResultFault("exhausted", escape(str(exceeded)))
    report = validator.check(content)
    detail = "; ".join([error.message for error in report.errors])
    return ResultFault("invalid_structured_content", f"in structuredContent: {detail}", report)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
