"""A whole list of tools from a server: which can be used, and why the others cannot.

Comes in: the `tools` of a tools/list result, or any other object. Goes out: tools with names that are unique among
them, and a rejection for each definition that is refused. No definition costs another its place: each has a share of
the time that only it can use up, and those that would need more wait until all others are done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from ..limits import DEFAULT_LIMITS, Limits
from ..render import quote, quote_text
from .definitions import Tool
from .naming import model_name
from .problems import Problem, ToolDefinitionError

#: The longest list known has 401 tools and 2.1 MB.
MAX_TOOLS = 4_096
MAX_LIST_BYTES = 32 << 20
MAX_LIST_MS = 5_000
_MOST_WEIGHT = 2_000


@dataclass(frozen=True, slots=True)
class Rejection:
    """A definition that was refused."""

    name: str | None
    """The name it gives, or None when there is none. As given and not escaped: quote it before you show it."""
    index: int
    """Its position in the list; -1 for a problem with the list itself."""
    problems: tuple[Problem, ...]
    """All that is wrong with it, errors first, warnings included."""

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name, "index": self.index, "problems": [problem.to_dict() for problem in self.problems]}


def vet_tools(
    definitions: Sequence[Any],
    *,
    limits: Limits = DEFAULT_LIMITS,
    lenient: bool = False,
    assert_formats: bool = False,
    assert_result_formats: bool | None = None,
    resources: Mapping[str, Any] | None = None,
    max_tools: int = MAX_TOOLS,
    max_list_bytes: int = MAX_LIST_BYTES,
    max_list_ms: int = MAX_LIST_MS,
) -> tuple[list[Tool], list[Rejection]]:
    """Check every tool definition of a list. One bad tool never costs the others.

    `definitions`: the `tools` of a tools/list result, all its pages together; a list or a tuple.
    `limits`, `assert_formats`, `assert_result_formats`, `lenient`, `resources`: for each of them, as in
    `Tool.from_dict`. Faults of `x-mcp-header` are never tolerated.
    `max_tools`, `max_list_bytes` (of the tools accepted, as compact JSON, about) and `max_list_ms` (wall-clock
    milliseconds): for the list as a whole.

    Returns the accepted tools and the rejections, both in the order of the list. Of several acceptable definitions with
    the same name the first counts; names are case-sensitive. Never raises because of what is in the list.
    """
    options = {
        "lenient": lenient,
        "assert_formats": assert_formats,
        "assert_result_formats": assert_result_formats,
        "resources": resources,
    }
    vetting = _Vetting(limits, options, max_list_bytes)
    given = _as_list(definitions, max_tools + 1, vetting)
    if len(given) > max_tools:
        text = f"the list has more than {max_tools} tools: those from position {max_tools} on were not looked at"
        vetting.reject(None, -1, "too_many_tools", f"{text}; split the server, or raise max_tools")
        del given[max_tools:]
    vetting.run(given, max_list_ms)
    return vetting.finish()


def _as_list(definitions: Any, most: int, vetting: _Vetting) -> list[Any]:
    kind = type(definitions)
    if not issubclass(kind, (list, tuple)):
        text = f"a list of tools must be an array, not {quote(definitions, 60)}: pass a list or a tuple"
        vetting.reject(None, -1, "not_an_array", text)
        return []
    base: Any = list if issubclass(kind, list) else tuple
    return list(base.__getitem__(definitions, slice(0, most)))


class _Vetting:
    """The definitions of one list on their way to being accepted or rejected."""

    def __init__(self, limits: Limits, options: dict[str, Any], max_bytes: int) -> None:
        self.limits = limits
        #: For `Tool.from_dict`, beside the limits.
        self.options = options
        self.max_bytes = max_bytes
        self.tools: dict[int, Tool] = {}
        self.rejections: list[Rejection] = []
        #: What to say of a definition that took too long, should it never get the time it needs.
        self.late: dict[int, Rejection] = {}

    def run(self, given: list[Any], max_ms: int) -> None:
        """Check all within their share of the time, then those that need more with a larger share, and so on."""
        started = monotonic()
        most = self.limits.max_compile_ms
        # A definition may use its time limit three times: for each schema, and for what stands beside them.
        shares = [max(1, min(most, max_ms // (6 * max(1, len(given)))))]
        while shares[-1] < most:
            shares.append(min(most, 4 * shares[-1]))
        # Once more at the end: the machine may have paused, which is not the fault of a definition.
        late = list(range(len(given)))
        for share in (*shares, most):
            limits = self.limits.replace(max_compile_ms=share)
            waiting, late = late, []
            while waiting and monotonic() - started < max_ms / 4_000:
                self._check(waiting.pop(0), given, limits, late)
            # No ordinary list gets here. A share cannot be kept to the millisecond, so the light ones are served first:
            # whoever wants to take their time from them has to be lighter still.
            waiting.sort(key=lambda index: (_weight(given[index]), index))
            while waiting and monotonic() - started < max_ms / 1_000:
                self._check(waiting.pop(0), given, limits, late)
            if waiting:
                self._end_early(waiting + late, max_ms)
                late = []
        self.rejections += [self.late[index] for index in late]

    def _end_early(self, indices: list[int], max_ms: int) -> None:
        text = f"checking the list takes more than the {max_ms} ms allowed, and this tool is among the slowest"
        for index in indices:
            name = self.late[index].name if index in self.late else None
            self.reject(name, index, "list_timeout", f"{text}: make its schemas smaller, or raise max_list_ms")

    def _check(self, index: int, given: list[Any], limits: Limits, late: list[int]) -> None:
        """Check one definition; add it to `late` when it takes longer than it may."""
        try:
            tool = Tool.from_dict(given[index], limits=limits, **self.options)
        except ToolDefinitionError as error:
            rejection = Rejection(error.name, index, error.problems)
            if any(problem.code == "compile_timeout" for problem in error.problems):
                self.late[index] = rejection
                late.append(index)
            else:
                self.rejections.append(rejection)
            return
        for validator in (tool.input, tool.output):
            if validator is not None:  # the haste was ours: should it be compiled anew, it has the time it is due
                validator._arguments = (self.limits, *validator._arguments[1:])
        self.tools[index] = tool

    def reject(self, name: str | None, index: int, code: str, message: str, location: str = "") -> None:
        self.rejections.append(Rejection(name, index, (Problem(code, "error", location, message),)))

    def finish(self) -> tuple[list[Tool], list[Rejection]]:
        """Apply the rules that hold among tools."""
        accepted: dict[str, Tool] = {}
        room = self.max_bytes
        for index in sorted(self.tools):
            tool = self.tools[index]
            if tool.name in accepted:
                text = f"an earlier tool of the list is called {quote_text(tool.name)} too: rename one of them"
                self.reject(tool.name, index, "name_duplicate", text, "/name")
            elif tool.size > room:
                text = f"the tools of the list take more than {self.max_bytes} bytes: leave some out, or shorten them"
                self.reject(tool.name, index, "list_too_large", text)
            else:
                room -= tool.size
                accepted[tool.name] = tool
        _warn_of_collisions(accepted)
        self.rejections.sort(key=lambda rejection: rejection.index)
        return list(accepted.values()), self.rejections


def _weight(definition: Any) -> int:
    """Return how many values a definition has, long texts counted as several; about, and no more than _MOST_WEIGHT."""
    weight = 0
    stack = [definition]
    while stack and weight < _MOST_WEIGHT:
        value = stack.pop()
        weight += 1
        kind = type(value)
        if issubclass(kind, str):
            weight += str.__len__(value) >> 6
        elif issubclass(kind, dict):
            room = _MOST_WEIGHT - weight
            if dict.__len__(value) > room:
                return _MOST_WEIGHT
            for key, member in list(dict.items(value)):
                stack.append(member)
                weight += str.__len__(key) >> 6 if issubclass(type(key), str) else 0
        elif issubclass(kind, (list, tuple)):
            base: Any = list if issubclass(kind, list) else tuple
            stack.extend(base.__getitem__(value, slice(0, _MOST_WEIGHT)))
    return min(weight, _MOST_WEIGHT)


def _warn_of_collisions(tools: dict[str, Tool]) -> None:
    """Warn of names that are the same once a host has made them fit for a model API."""
    by_model_name: dict[str, list[str]] = {}
    for name in tools:
        by_model_name.setdefault(model_name(name), []).append(name)
    for shown, names in by_model_name.items():
        for name in names if len(names) > 1 else ():
            other = names[0] if names[0] != name else names[1]
            text = (
                f"the tool names {quote_text(name)} and {quote_text(other)} are both {quote_text(shown)} once they are "
            )
            problem = Problem(
                "name_collision", "warning", "/name", text + "made fit for model APIs: rename one of them"
            )
            tools[name] = tools[name].with_warning(problem)
