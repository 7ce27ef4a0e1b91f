"""Which values must not be echoed: those that a name, or the schema, says are secret.

Names, paths and subschemas go in, yes or no comes out. Errs on the side of silence: a text that does not repeat a value
is still useful, a password in a log or in a model's context is not.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from ._core.texts import beginning
from .places import MOST, along, below
from .subschemas import Subschema

_NAMES = (
    r"pass[-_ ]?(?:w|phrase|code|key)|pwd|secret|token|credential|bearer|cookie|signature|mnemonic|jwt|otp\b|pin\b"
    r"|ssn\b|cvv|cvc|(?:api|access|private|signing|encryption|auth|ssh|license)[-_ ]?key|auth(?:$|[-_]|oriz)"
    r"|(?:^|[-_ ])(?:pass|pin|otp|ssn)(?:$|[-_ ])|seed[-_ ]?phrase|connection[-_ ]?string"
    r"|card[-_ ]?num|credit[-_ ]?card"
)
_SECRET = re.compile(_NAMES, re.IGNORECASE)
#: Text that tells a secret: `password=...`, `"token": ...`, `Bearer ...`, the user part of a URI with a password.
_TOLD = re.compile(rf"(?:{_NAMES})\w*[\"']?\s*[:=]|bearer\s|://[^/\s:@]*:[^/\s@]+@", re.IGNORECASE)
#: How many tokens a model may use is no secret.
_COUNT = re.compile(r"(?:max|min|num)[-_ ]?(?:[a-z]+[-_ ]?)?tokens", re.IGNORECASE)
_LONGEST_NAME = 128
#: Characters of a text that are looked at; less are ever shown.
_SHOWN = 4_000
#: Values looked through for secrets inside; more count as if one was found.
_VALUES = 10_000


def is_secret_name(name: str) -> bool:
    """Does the name of a property say that its value is secret?"""
    return _is_secret(name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME])


@lru_cache(maxsize=4096)
def _is_secret(name: str) -> bool:
    return _SECRET.search(name) is not None and _COUNT.fullmatch(name) is None


def tells_secret(text: str) -> bool:
    """Does a text, to be shown from its beginning, name a secret and give it? Text that looks like JSON counts too."""
    start = beginning(text, _SHOWN)
    if start[:1] in ("{", "[") and '"' in start:
        return True
    # What the expression looks for has one of these in it; most texts have none.
    suspicious = ":" in start or "=" in start or "bearer" in start.lower()
    return suspicious and _TOLD.search(start) is not None


def is_secret_path(path: tuple[str | int, ...]) -> bool:
    """Does a value stand under a secret name?"""
    return any([type(part) is str and is_secret_name(part) for part in path])


def marks_secret(schema: dict[str, Any] | bool) -> bool:
    """Does a subschema say that the values it describes are secret (Validation 9.4, or the format "password")?"""
    return type(schema) is dict and (schema.get("writeOnly") is True or schema.get("format") == "password")


def is_secret_place(path: tuple[str | int, ...], root: Subschema | None) -> bool:
    """Does a name on the path, or a subschema that has a say there, tell that the value is secret?

    `root`: the root of a schema with such marks; None for one without.
    """
    if is_secret_path(path):
        return True
    return root is not None and any([_marked(subschemas) for subschemas in along(root, path)])


def _marked(subschemas: list[Subschema]) -> bool:
    return len(subschemas) >= MOST or any([marks_secret(subschema.value) for subschema in subschemas])


def holds_secret(value: Any, path: tuple[str | int, ...], root: Subschema | None) -> bool:
    """Is there a secret at a place or anywhere inside the value there?"""
    if not isinstance(value, (dict, list, tuple)) or not value:
        return False
    found = [] if root is None else list(along(root, path))[-1]
    todo: list[tuple[Any, list[Subschema]]] = [(value, found)]
    looked_at = 0
    while todo:
        value, subschemas = todo.pop()
        members = value.items() if isinstance(value, dict) else enumerate(value)
        for part, member in members:
            looked_at += 1
            if looked_at > _VALUES or (type(part) is str and is_secret_name(part)):
                return True
            said = below(subschemas, part) if root is not None else subschemas
            if root is not None and _marked(said):
                return True
            if isinstance(member, (dict, list, tuple)):
                todo.append((member, said))
    return False


def secret_root(root: Subschema, subschemas: list[Subschema]) -> Subschema | None:
    """The root of a schema, if any of its subschemas marks values as secret."""
    return root if any([marks_secret(subschema.value) for subschema in subschemas]) else None
