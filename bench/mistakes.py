"""Known mistakes in arguments that are known to be right.

Comes in: tool definitions with valid arguments, those of the project or, with SCHEMAFUSE_CORPUS=FOLDER, that folder's
`tools.jsonl.gz`. Goes out: the arguments with one mistake or two, and where each was made. The same on every run. Not
every mistake is one: whether the schema minds is for the user of this module to ask.
"""

from __future__ import annotations

import gzip
import json
import os
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from .tools import COMMITTED

#: A place in the arguments, as names and positions from the root.
Place = tuple[str | int, ...]
#: Places tried for each kind of mistake in one example, and pairs of mistakes.
PLACES, PAIRS = 3, 3


class Mistake(NamedTuple):
    """One mistake: its kind, and the place at which it was made. Names: the member's place as it should be."""

    kind: str
    place: Place
    #: The member's place as it is, where its name was misspelt.
    found: Place | None = None

    @property
    def places(self) -> set[Place]:
        """Where an error about this mistake may point. A name that is missing or misspelt is the fault of its object
        as much as of the member; what was wrapped in an array stands inside it."""
        if self.kind == "wrapped":
            return {self.place, (*self.place, 0)}
        if self.kind in ("missing", "misspelt"):
            return {self.place, self.place[:-1]} | ({self.found} if self.found else set())
        return {self.place}


class Case(NamedTuple):
    """Arguments with mistakes."""

    tool: str
    schema: Any
    right: Any
    wrong: Any
    mistakes: tuple[Mistake, ...]


# One function a kind: what to put in the value's place, `_NOTHING` where the kind makes no sense. ---------------------

_NOTHING = object()
Change = Callable[[Any], Any]


def stringified(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, (bool, int, float)) else _NOTHING


def json_text(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, (list, dict)) else _NOTHING


def wrapped(value: Any) -> Any:
    return [value]


def unwrapped(value: Any) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 1 else _NOTHING


def null(value: Any) -> Any:
    return None if value is not None else _NOTHING


def wrong_type(value: Any) -> Any:
    """A value that no repair could turn into the right one."""
    if isinstance(value, bool) or value is None:
        return "maybe"
    if isinstance(value, (int, float)):
        return "several"
    return {str: 17, list: 3.5, dict: True}[type(value)]


def case(value: Any) -> Any:
    """Capitals for a value of an `enum` or `const`; the strings that occur in one are chosen by `changes`."""
    if not isinstance(value, str):
        return _NOTHING
    return value.upper() if value.upper() != value else value.lower() if value.lower() != value else _NOTHING


CHANGES: dict[str, Change] = {
    "stringified": stringified,
    "JSON text": json_text,
    "wrapped": wrapped,
    "unwrapped": unwrapped,
    "null": null,
    "wrong type": wrong_type,
    "case": case,
}
KINDS = (*CHANGES, "missing", "misspelt")


def misspell(name: str, taken: Any, choose: random.Random) -> str | None:
    """A slip of the pen in a name: two letters swapped, one left out, one doubled; or another way to join words."""
    if len(name) < 4:
        return None
    i = choose.randrange(1, len(name) - 1)
    slips = [name[:i] + name[i + 1] + name[i] + name[i + 2 :], name[:i] + name[i + 1 :], name[:i] + name[i] + name[i:]]
    slips += [name.replace("_", ""), name.capitalize()]
    possible = [slip for slip in slips if slip != name and slip not in taken]
    return choose.choice(possible) if possible else None


# Making them ----------------------------------------------------------------------------------------------------------


def places(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every place below the root with its value."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for part, member in members:
        yield (*place, part), member
        yield from places(member, (*place, part))


def make(arguments: Any, kind: str, place: Place, listed: set[str], choose: random.Random) -> Mistake | None:
    """Make one mistake in place; None where there is none of that kind to make."""
    parent = arguments
    for part in place[:-1]:
        parent = parent[part]
    last: Any = place[-1]
    value = parent[last]
    if kind in CHANGES:
        changed = CHANGES[kind](value) if kind != "case" or value in listed else _NOTHING
        if changed is _NOTHING:
            return None
        parent[last] = changed
        return Mistake(kind, place)
    if not isinstance(parent, dict):
        return None
    if kind == "missing":
        del parent[last]
        return Mistake(kind, place)
    slip = misspell(last, parent, choose)
    if slip is None:
        return None
    members = [(slip if name == last else name, member) for name, member in parent.items()]
    parent.clear()
    parent.update(members)
    return Mistake(kind, place, (*place[:-1], slip))


def listed_strings(schema: Any) -> set[str]:
    """Every string that occurs in an `enum` or `const` somewhere in a schema."""
    found: set[str] = set()
    todo = [schema]
    while todo:
        part = todo.pop()
        if isinstance(part, dict):
            values = part["enum"] if isinstance(part.get("enum"), list) else []
            found |= {value for value in [*values, part.get("const")] if isinstance(value, str)}
            todo += part.values()
        elif isinstance(part, list):
            todo += part
    return found


def single(tool: str, schema: Any, right: Any, choose: random.Random) -> Iterator[Case]:
    """Cases with one mistake, a few of each kind."""
    everywhere, listed = list(places(right)), listed_strings(schema)
    for kind in KINDS:
        made = 0
        for place, value in choose.sample(everywhere, len(everywhere)):
            if made == PLACES:
                break
            if isinstance(value, str) or kind != "case":
                wrong = deepcopy(right)
                mistake = make(wrong, kind, place, listed, choose)
                if mistake is not None:
                    made += 1
                    yield Case(tool, schema, right, wrong, (mistake,))


def double(cases: list[Case], choose: random.Random) -> Iterator[Case]:
    """Cases with two of the mistakes of single cases of one example, neither inside the other."""
    for _ in range(PAIRS if len(cases) > 1 else 0):
        one, other = choose.sample(cases, 2)
        first, second = one.mistakes[0], other.mistakes[0]
        shared = min(len(first.place), len(second.place))
        if first.place[:shared] == second.place[:shared]:
            continue
        wrong = deepcopy(one.wrong)
        made = make(wrong, second.kind, second.place, listed_strings(one.schema), choose)
        if made is not None:
            yield one._replace(wrong=wrong, mistakes=(first, made))


def examples() -> Iterator[tuple[str, Any, Any]]:
    """Name, input schema and valid arguments of each tool, for each of its examples."""
    folder = os.environ.get("SCHEMAFUSE_CORPUS")
    path = Path(folder) / "tools.jsonl.gz" if folder else COMMITTED
    with (gzip.open if folder else open)(path, "rt", encoding="utf-8") as file:
        for line in map(json.loads, file):
            for arguments in line["valid"]:
                yield f"{line['server']}/{line['tool']['name']}", line["tool"]["inputSchema"], arguments
