"""Cursors of a list: opaque to clients, a position to us.

A cursor names the last tool of the page before, so it keeps its meaning when tools come and go, and any replica can
read it. A short keyed digest tells cursors that were issued from text that was not: it is no secret, since all that
a forged cursor could do is start a page elsewhere (MCP 2026-07-28 utilities/pagination).
"""

from __future__ import annotations

import base64
import binascii
from hashlib import blake2b

from .protocol import INVALID_PARAMS, ProtocolError

_DIGEST_BYTES = 6
#: A name has 128 characters at most (MCP tools § Tool Names); longer text was never issued.
_MAX_CURSOR_CHARS = 1_024


class Cursors:
    """Writes and reads the cursors of one service. `key`: the same on every replica."""

    __slots__ = ("_key",)

    def __init__(self, key: str) -> None:
        self._key = blake2b(b"schemafuse cursor\0" + key.encode("utf-8", "backslashreplace")).digest()

    def after(self, name: str) -> str:
        """Return the cursor for what comes after `name`."""
        position = name.encode("utf-8")
        return base64.urlsafe_b64encode(self._digest(position) + position).decode("ascii").rstrip("=")

    def read(self, cursor: object) -> str:
        """Return the name that `cursor` stands after. Raises `ProtocolError` (-32602) for what was not issued."""
        if isinstance(cursor, str) and len(cursor) <= _MAX_CURSOR_CHARS:
            try:
                raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
                name = raw[_DIGEST_BYTES:].decode("utf-8")
            except (binascii.Error, ValueError):
                pass
            else:
                if self.after(name) == cursor:
                    return name
        raise ProtocolError(INVALID_PARAMS, "Invalid cursor: send a nextCursor as it was received, or leave it out")

    def _digest(self, position: bytes) -> bytes:
        return blake2b(position, digest_size=_DIGEST_BYTES, key=self._key).digest()
