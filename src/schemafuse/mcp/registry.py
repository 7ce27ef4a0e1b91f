"""The tools of a service: who is registered, who is listed, and the handles to change that.

Comes in: checked tools with their handlers. Goes out: an immutable entry for a name, and the listed ones in the order
of their names. Every change makes new tables in one assignment, so a call or a page never sees half of one.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from .._core.sendable import is_plainly_sendable
from ..errors import BudgetExceeded
from ..render import quote_text
from .definitions import Tool
from .headers import find_large_integer
from .options import seconds

Handler = Callable[..., Any]
Mode = Literal["strict", "repair"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One registered tool as it is now. A call in flight keeps the entry that it started with."""

    identity: object
    """The same through every change, and not that of a later tool with the same name."""
    tool: Tool
    handler: Handler
    is_async: bool
    takes_call: bool
    blocking: bool
    repairs: bool
    timeout_s: float | None
    enabled: bool = True

    def accepts(self, arguments: dict[str, Any]) -> bool:
        """Say whether arguments are known to be valid."""
        tool = self.tool
        if tool.header_parameters and find_large_integer(tool.header_parameters, arguments):
            return False
        try:
            return is_plainly_sendable(arguments) and tool.input.is_valid(arguments)
        except BudgetExceeded:
            return False


def make_entry(tool: Tool, handler: Handler, *, blocking: bool, mode: Mode, timeout_s: float | None) -> Entry:
    """Return an entry. Raises `TypeError` or `ValueError` for what can't be served."""
    if mode not in ("strict", "repair"):
        raise ValueError(f'mode must be "strict" or "repair", not {mode!r}')
    is_async, takes_call = _signature(handler, blocking)
    repairs = mode == "repair"
    return Entry(object(), tool, handler, is_async, takes_call, blocking, repairs, seconds("call_timeout_s", timeout_s))


def _signature(handler: Handler, blocking: bool) -> tuple[bool, bool]:
    """Return whether a handler is async, and whether it takes the call as a second argument."""
    if not callable(handler):
        raise TypeError(f"the handler must be callable, not {type(handler).__name__}")
    candidates = (handler, type(handler).__call__)
    is_async = any(inspect.iscoroutinefunction(candidate) for candidate in candidates)
    if any(inspect.isgeneratorfunction(each) or inspect.isasyncgenfunction(each) for each in candidates):
        raise TypeError("the handler must return its result, not yield")
    if is_async and blocking:
        raise TypeError("blocking=True is for a plain function; an async handler must not block")
    try:
        parameters = inspect.signature(handler).parameters.values()
    except (TypeError, ValueError):  # some built-in functions tell nothing
        return is_async, False
    if any(each.kind is each.KEYWORD_ONLY and each.default is each.empty for each in parameters):
        raise TypeError("the handler must not require keyword arguments")
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    required = sum(each.kind in kinds and each.default is each.empty for each in parameters)
    if required > 2 or not any(each.kind in (*kinds, inspect.Parameter.VAR_POSITIONAL) for each in parameters):
        raise TypeError("the handler must take one argument, the arguments, or two, the arguments and the Call")
    return is_async, required == 2


class Registry:
    """The tables. `on_change` is called, outside of any lock, when what is listed has changed."""

    def __init__(self, on_change: Callable[[], None]) -> None:
        self.entries: dict[str, Entry] = {}
        #: Names and entries of the enabled tools, in the order of their names.
        self.listing: tuple[tuple[str, ...], tuple[Entry, ...]] = ((), ())
        self._on_change = on_change
        self._lock = threading.Lock()

    def add(self, entry: Entry) -> None:
        name = entry.tool.name
        with self._lock:
            if name in self.entries:
                raise ValueError(f"there is a tool named {quote_text(name)} already; update it by its handle")
            changed = self._publish({**self.entries, name: entry})
        self._tell(changed)

    def find(self, name: str, identity: object) -> Entry | None:
        entry = self.entries.get(name)
        return entry if entry is not None and entry.identity is identity else None

    def change(self, name: str, identity: object, **changes: Any) -> None:
        """Replace parts of an entry. Raises `LookupError` when it was removed."""
        with self._lock:
            entry = self.find(name, identity)
            if entry is None:
                raise LookupError(f"the tool {quote_text(name)} was removed")
            changed = self._publish({**self.entries, name: replace(entry, **changes)})
        self._tell(changed)

    def remove(self, name: str, identity: object) -> None:
        with self._lock:
            if self.find(name, identity) is None:
                return
            changed = self._publish({key: entry for key, entry in self.entries.items() if key != name})
        self._tell(changed)

    def _publish(self, entries: dict[str, Entry]) -> bool:
        """Put new tables in place; say whether clients would see another list."""
        before = self.listing[1]
        names = tuple(sorted(name for name, entry in entries.items() if entry.enabled))
        self.entries = entries
        self.listing = names, tuple(entries[name] for name in names)
        return [entry.tool.packed for entry in before] != [entry.tool.packed for entry in self.listing[1]]

    def _tell(self, changed: bool) -> None:
        if changed:
            self._on_change()


class ToolHandle:
    """The way to change a registered tool. Every change is atomic; calls in flight finish as they began.

    Once the tool was removed, every other change raises `LookupError`.
    """

    __slots__ = ("_identity", "_make_tool", "_registry", "name")

    def __init__(self, entry: Entry, registry: Registry, make_tool: Callable[[Any], Tool]) -> None:
        self.name = entry.tool.name
        self._identity = entry.identity
        self._registry = registry
        self._make_tool = make_tool

    @property
    def tool(self) -> Tool | None:
        """The tool as it is registered now, None once it was removed."""
        entry = self._registry.find(self.name, self._identity)
        return entry.tool if entry else None

    @property
    def enabled(self) -> bool:
        """Whether the tool is listed and can be called."""
        entry = self._registry.find(self.name, self._identity)
        return entry is not None and entry.enabled

    def enable(self) -> None:
        """List the tool again and let it be called."""
        self._registry.change(self.name, self._identity, enabled=True)

    def disable(self) -> None:
        """Take the tool out of lists and refuse calls, as if it did not exist."""
        self._registry.change(self.name, self._identity, enabled=False)

    def update(self, *, definition: Any = None, handler: Handler | None = None) -> None:
        """Replace the definition, the handler, or both at once.

        The name stays: a definition with another one is a `ValueError`. Raises `ToolDefinitionError` for a definition
        that is refused, `TypeError` for what is no handler; nothing changes then.
        """
        changes: dict[str, Any] = {}
        if definition is not None:
            tool = self._make_tool(definition)
            if tool.name != self.name:
                raise ValueError(f"the tool is named {quote_text(self.name)}; add {quote_text(tool.name)} as another")
            changes["tool"] = tool
        if handler is not None:
            entry = self._registry.find(self.name, self._identity)
            is_async, takes_call = _signature(handler, entry is not None and entry.blocking)
            changes |= {"handler": handler, "is_async": is_async, "takes_call": takes_call}
        self._registry.change(self.name, self._identity, **changes)

    def remove(self) -> None:
        """Take the tool out for good. Removing it twice is no error."""
        self._registry.remove(self.name, self._identity)

    def __repr__(self) -> str:
        return f"<ToolHandle {quote_text(self.name)}>"
