"""Compiled validators by the content of their schema: a schema that comes again, as a new dict, is not compiled again.

Comes in: schemas from strangers. Goes out: the Validator, or the SchemaError that refused the schema before. Content is
compared in full: never by `$id`, identity or digest, so no schema is ever judged by another one's validator. Keeps
nothing that was ended by the clock, and nothing that is not JSON or larger than the limits admit.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Event, RLock, get_ident
from typing import TYPE_CHECKING, Any

from ._core.contents import content_key, content_of
from .errors import SchemaError
from .limits import DEFAULT_LIMITS, Limits
from .validator import compile

if TYPE_CHECKING:
    from .validator import Validator

#: A key may be this much longer than the schema's compact JSON: a string takes up to four bytes a character.
_KEY_BYTES_PER_JSON_BYTE = 4

#: What an entry is taken to weigh, in bytes: a little more than the heaviest schemas of each kind were measured to take
#: (a `default` of empty arrays 51 for each byte of the key, `allOf` of empty schemas 290 for each of them).
_ENTRY_BYTES = 2_048
_ENTRY_BYTES_PER_KEY_BYTE = 52
_ENTRY_BYTES_PER_SUBSCHEMA = 256


class _Compilation:
    """One schema being compiled: who does it, and what came of it for those who wait."""

    __slots__ = ("done", "outcome", "thread")

    def __init__(self) -> None:
        self.thread = get_ident()
        self.done = Event()
        self.outcome: Validator | tuple[Any, ...] | None = None


class ValidatorCache:
    """Remembers validators, and refusals, by the content of the schema. May be used from several threads at once.

    `max_entries` and `max_bytes` (an estimate of the memory that keys and validators take) bound what is remembered;
    what was not asked for the longest goes first. `limits` and `assert_formats` hold for every schema compiled here.
    """

    def __init__(
        self,
        max_entries: int = 1024,
        limits: Limits = DEFAULT_LIMITS,
        assert_formats: bool = False,
        *,
        max_bytes: int = 256 << 20,
    ) -> None:
        if not isinstance(limits, Limits):
            raise TypeError(f"limits must be a Limits, not {type(limits).__name__}")
        for name, value in (("max_entries", max_entries), ("max_bytes", max_bytes)):
            if isinstance(value, bool) or not isinstance(value, int):
                raise TypeError(f"{name} must be an integer, not {type(value).__name__}")
            if value < 1:
                raise ValueError(f"{name} must be at least 1")
        self._max_entries = max_entries
        self._max_bytes = max_bytes
        self._limits = limits
        self._assert_formats = assert_formats
        self._key_bytes = min(_KEY_BYTES_PER_JSON_BYTE * limits.max_schema_bytes + 64, 2**62)
        # Seconds to wait for another thread's compilation; its own limit ends it long before.
        self._patience = min(10 + limits.max_compile_ms / 250, 3_600)
        # Reentrant: a signal handler or a finalizer may ask for a validator while its thread is in here.
        self._lock = RLock()
        #: A refusal is kept as the arguments of its SchemaError: an exception would keep its traceback's frames alive.
        self._entries: OrderedDict[bytes, Validator | tuple[Any, ...]] = OrderedDict()
        self._running: dict[bytes, _Compilation] = {}
        self._bytes = self._hits = self._misses = self._refusals = self._evictions = 0

    def get(self, schema: Any) -> Validator:
        """Return the validator of `schema`, compiled now or before; raise `SchemaError` as `compile` does."""
        key = content_key(schema, self._key_bytes, self._limits.max_json_depth)
        if key is None:  # not JSON, or too much of it: the compiler says what is wrong
            return self._answer(self._compile(schema))
        with self._lock:
            outcome = self._entries.get(key)
            if outcome is not None:
                self._entries.move_to_end(key)
                self._hits += 1
        return self._answer(outcome if outcome is not None else self._compile_once(key))

    def stats(self) -> dict[str, int]:
        """Return counts: hits, misses (compilations), refusals (SchemaErrors raised), evictions, entries, bytes."""
        with self._lock:
            return {
                "hits": self._hits,
                "misses": self._misses,
                "refusals": self._refusals,
                "evictions": self._evictions,
                "entries": len(self._entries),
                "bytes": self._bytes,
            }

    def _answer(self, outcome: Validator | tuple[Any, ...]) -> Validator:
        if isinstance(outcome, tuple):
            with self._lock:
                self._refusals += 1
            raise SchemaError(*outcome)
        return outcome

    def _compile(self, schema: Any) -> Validator | tuple[Any, ...]:
        with self._lock:
            self._misses += 1
        try:
            return compile(schema, limits=self._limits, assert_formats=self._assert_formats)
        except SchemaError as error:
            return error.args

    def _compile_once(self, key: bytes) -> Validator | tuple[Any, ...]:
        """Compile what `key` says, unless another thread is doing so: then wait for its outcome."""
        while True:
            with self._lock:
                outcome = self._entries.get(key)
                if outcome is not None:  # remembered since we looked
                    self._hits += 1
                    return outcome
                running = self._running.get(key)
                if running is None:
                    mine = self._running[key] = _Compilation()
                    break
            if running.thread == get_ident():  # asked for from within its own compilation: waiting would be forever
                return self._compile(content_of(key))
            if not running.done.wait(self._patience):  # a fork, or a signal, has left it behind
                return self._compile(content_of(key))
            if running.outcome is not None:
                with self._lock:
                    self._hits += 1
                return running.outcome
            # The other compilation was interrupted (KeyboardInterrupt, MemoryError): that says nothing of the schema.
        try:
            # From the key's content, not from the caller's object, which another thread may have changed since.
            outcome = mine.outcome = self._compile(content_of(key))
            self._remember(key, outcome)
            return outcome
        finally:
            with self._lock:
                del self._running[key]
            mine.done.set()

    def _remember(self, key: bytes, outcome: Validator | tuple[Any, ...]) -> None:
        if isinstance(outcome, tuple) and outcome[0] == "compile_timeout":
            return  # another time it might do
        size = _weight(key, outcome)
        if size > self._max_bytes:
            return
        with self._lock:
            self._entries[key] = outcome
            self._bytes += size
            while len(self._entries) > self._max_entries or self._bytes > self._max_bytes:
                self._bytes -= _weight(*self._entries.popitem(last=False))
                self._evictions += 1


def _weight(key: bytes, outcome: Validator | tuple[Any, ...]) -> int:
    subschemas = 0 if isinstance(outcome, tuple) else outcome.subschema_count
    return _ENTRY_BYTES + _ENTRY_BYTES_PER_KEY_BYTE * len(key) + _ENTRY_BYTES_PER_SUBSCHEMA * subschemas
