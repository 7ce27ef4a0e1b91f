"""What is wrong with a tool definition, as data.

Comes in: what the rules found out. Goes out: `Problem` values, bounded in number and in size, with every text from
outside quoted and escaped. Words for a reader who can change the definition; never a dump of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..errors import SchemaError
from ..render import pointer_token

Severity = Literal["error", "warning"]

#: Problems noted for one definition; after these, one more says that there were others.
MAX_PROBLEMS = 16
#: Characters of one location. A longer one is cut back to the nearest enclosing place that fits.
MAX_LOCATION_CHARS = 500
_MAX_MESSAGE_CHARS = 600
_MAX_ERROR_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a tool definition, or that will trouble someone who uses it."""

    code: str
    """What kind of problem it is; docs/tool-definitions.md lists the codes. That of a `SchemaError` for a schema."""
    severity: Severity
    """"error": the definition breaks a rule of MCP. "warning": it is allowed, or tolerated, and still worth a look."""
    location: str
    """JSON Pointer (RFC 6901) into the definition, "" for the whole. At most 500 characters: where the pointer would
    be longer, that of the nearest enclosing place that fits."""
    message: str
    """One line: what is wrong, and what to do about it. Bounded and escaped whatever the definition holds."""

    def to_dict(self) -> dict[str, str]:
        return {"code": self.code, "severity": self.severity, "location": self.location, "message": self.message}


class ToolDefinitionError(ValueError):
    """A tool definition was refused. `problems` has everything that was found, warnings included."""

    def __init__(self, problems: tuple[Problem, ...], name: str | None = None) -> None:
        super().__init__(problems, name)
        self.problems = problems
        #: The name in the definition, as given, or None when it has none. Not escaped: quote it before you show it.
        self.name = name

    def __str__(self) -> str:
        errors = [problem.message for problem in self.problems if problem.severity == "error"]
        text = "; ".join(errors)
        return text if len(text) <= _MAX_ERROR_CHARS else text[: _MAX_ERROR_CHARS - 1] + "…"


class Findings:
    """Collects the problems of one definition. `lenient` turns the faults that clients tolerate into warnings."""

    __slots__ = ("_found", "_more", "lenient")

    def __init__(self, *, lenient: bool = False) -> None:
        self.lenient = lenient
        self._found: list[Problem] = []
        self._more = False

    def enough(self, *, tolerated: bool) -> bool:
        """Whether whoever looks at many things may stop: there is no room, and nothing more can change the outcome.

        `tolerated`: whether what he looks for are faults that a lenient reader tolerates.
        """
        if len(self._found) < MAX_PROBLEMS or not (self.failed or (tolerated and self.lenient)):
            return False
        self._more = True
        return True

    @property
    def failed(self) -> bool:
        """Whether one of the problems is an error."""
        return any(problem.severity == "error" for problem in self._found)

    def error(self, code: str, location: str, message: str) -> None:
        self._add(Problem(code, "error", within(location), _one_line(message)))

    def warning(self, code: str, location: str, message: str) -> None:
        self._add(Problem(code, "warning", within(location), _one_line(message)))

    def tolerated(self, code: str, location: str, message: str) -> None:
        """Note a fault that clients live with: an error, or only a warning for a lenient reader."""
        (self.warning if self.lenient else self.error)(code, location, message)

    def refused(self, member: str, error: SchemaError) -> None:
        """Note why the schema in `member` was refused."""
        location = f"/{pointer_token(member)}{error.location}"
        self.error(error.code, location, f"{member}: {error.message}")

    def done(self) -> tuple[Problem, ...]:
        """Return what was found, errors first, otherwise in the order of discovery."""
        problems = sorted(self._found, key=lambda problem: problem.severity != "error")
        if self._more:
            text = f"no more than {MAX_PROBLEMS} problems are listed: correct these first"
            problems.append(Problem("more_problems", "warning", "", text))
        return tuple(problems)

    def _add(self, problem: Problem) -> None:
        if len(self._found) < MAX_PROBLEMS:
            self._found.append(problem)
            return
        self._more = True
        if problem.severity == "error":
            # An error decides whether the definition is refused, so it must not be lost behind warnings.
            for position in range(len(self._found) - 1, -1, -1):
                if self._found[position].severity == "warning":
                    self._found[position] = problem
                    return


def within(location: str) -> str:
    """Return the location, or that of the nearest enclosing place that is short enough."""
    if len(location) <= MAX_LOCATION_CHARS:
        return location
    return location[: location.rfind("/", 0, MAX_LOCATION_CHARS + 1)]


def _one_line(message: str) -> str:
    if len(message) > _MAX_MESSAGE_CHARS:
        message = message[: _MAX_MESSAGE_CHARS - 1] + "…"
    return message


def at(location: str, *tokens: Any) -> str:
    """Return the location of a member or an item below `location`."""
    return location + "".join([f"/{pointer_token(token) if isinstance(token, str) else token}" for token in tokens])
