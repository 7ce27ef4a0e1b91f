"""Which values must not be echoed: those that a name, or the schema, says are secret.

Names and subschemas go in, yes or no comes out. Errs on the side of silence: a text that does not repeat a value is
still useful, a password in a log or in a model's context is not.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

_SECRET = re.compile(
    r"passw|passphrase|passcode|pwd|secret|token|credential|bearer|cookie|signature|otp\b|pin\b|cvv|cvc|ssn\b"
    r"|(?:api|access|private|signing|encryption|auth)[-_ ]?key|auth(?:$|[-_]|oriz)",
    re.IGNORECASE,
)
_LONGEST_NAME = 128


def is_secret_name(name: str) -> bool:
    """Does the name of a property say that its value is secret? "maxTokens" and the like are not spared."""
    return _is_secret(name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME])


@lru_cache(maxsize=4096)
def _is_secret(name: str) -> bool:
    return _SECRET.search(name) is not None


def is_secret_place(path: tuple[str | int, ...], schema: dict[str, Any] | bool) -> bool:
    """Does a value stand under a secret name, or does its subschema say that it is secret (Validation 9.4)?"""
    for part in path:
        if type(part) is str and is_secret_name(part):
            return True
    return type(schema) is dict and (schema.get("writeOnly") is True or schema.get("format") == "password")
