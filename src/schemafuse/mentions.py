"""How values, properties and branches are mentioned in a text.

Values and subschemas go in, short phrases come out, in which everything from outside is quoted, escaped and cut.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from ._core.texts import beginning
from .describe import ANYTHING, describe
from .knowledge import recall
from .lowering.branches import kinds_of
from .lowering.tags import NO_TAG
from .phrases import listed
from .render import quote, quote_text
from .secret_names import is_secret_name, tells_secret
from .secrets import names_secret
from .subschemas import Subschema

_DESCRIPTION_CHARS = 60


def what(value: Any, room: int, secret: bool = False) -> str:
    """Name a value: `the string "abc"`, `5`, `null`, `an array of 3 items`."""
    kind = type(value)
    if kind is str or issubclass(kind, str):
        return _string(value, room, secret)
    if issubclass(kind, dict):
        return _object(value, secret)
    if issubclass(kind, (list, tuple)):
        count = (list if issubclass(kind, list) else tuple).__len__(value)
        return f"an array of {count} item{'' if count == 1 else 's'}" if count else "an empty array"
    if secret and value is not None and kind is not bool and issubclass(kind, (int, float)):
        return "a number"
    return quote(value, room)


def _string(value: str, room: int, secret: bool) -> str:
    length = str.__len__(value)
    if secret:
        return f"a string of {length} character{'' if length == 1 else 's'}"
    start = beginning(value, 1000)
    if start[:1] in ("{", "[") and '"' in start:
        # What stands inside may be secret, and says nothing about the mistake.
        return f"a string of {length} characters that looks like JSON"
    if tells_secret(start):
        return f"a string of {length} characters"
    return f"the string {quote_text(value, room)}"


def _object(value: dict[Any, Any], secret: bool) -> str:
    count = dict.__len__(value)
    if not count:
        return "an empty object"
    if secret:
        return f"an object with {count} member{'' if count == 1 else 's'}"
    try:
        names = [name for name in islice(dict.keys(value), 3) if issubclass(type(name), str)]
    except RuntimeError:  # another thread has changed it
        names = []
    if not names:
        return "an object"
    return f"an object with {', '.join([quote_text(name, 24) for name in names])}{', …' if count > len(names) else ''}"


def missing_property(subschema: Subschema, values: list[Any] | None = None) -> str:
    """A property's name with its type, or the values that it can have, and the beginning of its description."""
    name = quote_text(str(subschema.member), 60)
    if isinstance(subschema.value, bool):
        return name
    asked = listed(values, "one of ", 6) if values else describe(subschema)
    said = subschema.value.get("description")
    about = [quote_text(said, _DESCRIPTION_CHARS)] if isinstance(said, str) and said else []
    more = ": ".join([asked, *about] if asked != ANYTHING else about)
    return f"{name} ({more})" if more else name


def branch_name(branch: Subschema) -> str:
    """Name one branch of a union: by its tag, or by its number with its title or what it asks for."""
    union: Any = branch.parent
    branches = union.children[branch.keyword]
    index = branches.index(branch)
    tag, by_tag = union.tags.get(branch.keyword, NO_TAG)
    for value, tagged in by_tag:
        if tagged == index and not is_secret_name(tag or ""):
            return f"the alternative where {quote_text(str(tag), 40)} is {quote(value, 40)}"
    if names_secret(branch):
        return f"alternative {index + 1} of {len(branches)}"
    return f"alternative {index + 1} of {len(branches)}{named_in(branch, ': {}')}"


def named_in(branch: Subschema, frame: str) -> str:
    """A branch's title, or what it asks for, in a frame; "" where there is nothing to say."""
    title = branch.value.get("title") if isinstance(branch.value, dict) else None
    named = quote_text(title, 40) if isinstance(title, str) and title else describe(branch, 1)
    return "" if named == ANYTHING else frame.replace("{}", named)


def only_other_is_null(branches: list[Subschema], index: int) -> bool:
    """Is the branch the only one that is for anything but null?"""
    if len(branches) >= 4:
        return False
    return all([i == index or recall(kinds_of, branch) <= 1 for i, branch in enumerate(branches)])
