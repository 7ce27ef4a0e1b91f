"""A tool definition, checked in full: the one way from what a server says of a tool to something to call it by.

Comes in: any Python object that claims to be a tool definition (MCP 2026-07-28 tools § Tool). Goes out: a `Tool`, or a
`ToolDefinitionError` with everything that is wrong. Nothing else is ever raised, nothing is fetched, and a definition
costs no more than its limits say.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from ..limits import DEFAULT_LIMITS, Limits
from ..render import quote
from ..validator import Validator
from . import results
from .draft import Draft
from .header_parameters import HeaderParameter
from .headers import Headers, check_param_headers, param_headers
from .members import HINTS
from .options import check_compilation
from .problems import Findings, Problem, ToolDefinitionError


class Tool:
    """A tool whose definition has been checked. Immutable, and safe to share between threads; made by `from_dict`."""

    __slots__ = (
        "_annotations",
        "_icons",
        "header_parameters",
        "input",
        "name",
        "output",
        "packed",
        "title",
        "warnings",
    )

    name: str
    """As the definition has it."""
    title: str
    """What to call the tool before people: `title`, else `annotations.title`, else the name."""
    input: Validator
    """Of the arguments."""
    output: Validator | None
    """Of `structuredContent`; None without an outputSchema."""
    header_parameters: tuple[HeaderParameter, ...]
    """The parameters that `x-mcp-header` mirrors in HTTP headers."""
    packed: bytes
    """The whole definition in an internal form: equal for definitions written the same way."""
    warnings: tuple[Problem, ...]
    """What is allowed, or tolerated, and still worth a look."""
    _annotations: dict[str, Any]
    _icons: tuple[dict[str, Any], ...]

    def __init__(self) -> None:
        raise TypeError("make a Tool with Tool.from_dict(definition)")

    @classmethod
    def from_dict(
        cls,
        definition: object,
        *,
        limits: Limits = DEFAULT_LIMITS,
        assert_formats: bool = False,
        assert_result_formats: bool | None = None,
        lenient: bool = False,
        resources: Mapping[str, Any] | None = None,
    ) -> Tool:
        """Check all of a tool definition and return the tool.

        `definition`: an object as in tools/list. It is copied: changing it afterwards changes nothing.
        `limits`: for each of its schemas, and their `max_schema_bytes` once more for everything else in it.
        `assert_formats`: whether `format` is an assertion in arguments, and in results unless `assert_result_formats`
        says otherwise; by default it is an annotation (Validation 7.2.1).
        `lenient`: whether faults that clients tolerate are only warnings; see docs/tool-definitions.md.
        `resources`: URI -> schema, for references that leave a schema. Nothing is ever fetched.

        Raises `ToolDefinitionError` with all problems found, `TypeError` for limits or resources that are none;
        nothing else.
        """
        check_compilation(limits, resources)
        findings = Findings(lenient=lenient)
        draft = Draft(definition, limits, findings, resources)
        draft.check(assert_formats, assert_formats if assert_result_formats is None else assert_result_formats)
        if findings.failed:
            raise ToolDefinitionError(findings.done(), draft.name)
        members, annotations = draft.members, draft.annotations
        return _tool(
            name=members["name"],
            title=members.get("title") or annotations.get("title") or members["name"],
            input=draft.validators["inputSchema"],
            output=draft.validators.get("outputSchema"),
            header_parameters=draft.header_parameters,
            packed=draft.packed,
            warnings=findings.done(),
            _annotations=annotations,
            _icons=draft.icons,
        )

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Tool is immutable: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Tool is immutable: {name} cannot be deleted")

    def with_warning(self, problem: Problem) -> Tool:
        """Return the same tool with one more warning."""
        return _tool(**{**self._state(), "warnings": (*self.warnings, problem)})

    @property
    def definition(self) -> dict[str, Any]:
        """The definition, an equal copy of your own."""
        definition: dict[str, Any] = marshal.loads(self.packed)
        return definition

    @property
    def size(self) -> int:
        """Bytes that the definition takes, about as many as its JSON."""
        return len(self.packed)

    @property
    def icons(self) -> tuple[dict[str, Any], ...]:
        """Copies of the icons that a client may show: complete, and at an https: or data: URI (MCP basic § Icons)."""
        return deepcopy(self._icons)

    @property
    def annotations(self) -> dict[str, Any]:
        """A copy of the hints and the title in `annotations`, where they have the right type."""
        return dict(self._annotations)

    def effective_annotations(self) -> dict[str, bool]:
        """Return the four hints, with the specification's default for each that the definition does not give.

        By default a tool is not read-only, destructive, not idempotent, and reaches an open world. `destructiveHint`
        and `idempotentHint` say nothing about a tool with `readOnlyHint: true`. MUST be treated as untrusted unless
        the server is trusted (MCP tools § Tool).
        """
        return {hint: self._annotations.get(hint, default) for hint, default in HINTS.items()}

    def check_arguments(self, arguments: object) -> dict[str, Any] | None:
        """Return None for arguments that the tool can be called with, else a result with `isError` for the model.

        `arguments` absent from a call means `{}`. Never raises because of the arguments or the schema.
        """
        return results.check_arguments(self, arguments)

    def check_result(self, result: Any) -> dict[str, Any]:
        """Return `result` itself when it may be sent on, else a result with `isError` in its place.

        `result`: a CallToolResult. One with `isError`, or with `resultType: "input_required"`, is never checked against
        the outputSchema. The text in place of a bad one says that the fault is the server's; the detail goes to the log
        "schemafuse.mcp". Never raises because of the result or the schema.
        """
        return results.check_result(self, result)

    def result_fault(self, result: object) -> results.ResultFault | None:
        """Return what is wrong with a result, for those who log or count it themselves; None when nothing is."""
        return results.find_fault(self, result)

    def param_headers(self, arguments: object) -> dict[str, str]:
        """Return the Mcp-Param-* headers of a call over HTTP, each encoded as the transport asks.

        Parameters that are null or absent get none, nor do arrays and objects. Raises `ValueError` for an integer
        outside ±(2^53-1), however it is written, and for text with a lone surrogate: neither may be sent in a header.
        """
        return param_headers(self.header_parameters, arguments)

    def check_param_headers(self, headers: Headers, arguments: object) -> dict[str, Any] | None:
        """Return None when the Mcp-Param-* headers of a request agree with its arguments, else a JSON-RPC error.

        `headers`: a mapping, or pairs of name and value so that repeated ones are seen; as text or, like in ASGI,
        bytes. The error has the code -32020, a message and data; answer it with HTTP status 400.
        """
        return check_param_headers(self.header_parameters, headers, arguments)

    def _state(self) -> dict[str, Any]:
        return {slot: getattr(self, slot) for slot in self.__slots__}

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._state(),)

    def __repr__(self) -> str:
        return f"<Tool {quote(self.name)}>"


def _tool(**state: Any) -> Tool:
    tool = Tool.__new__(Tool)
    for slot, value in state.items():
        object.__setattr__(tool, slot, value)
    return tool


def _restore(state: dict[str, Any]) -> Tool:
    return _tool(**state)
