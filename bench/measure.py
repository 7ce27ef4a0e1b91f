"""Two functions, measured in turns.

Comes in: pairs of calls that do the same work, ours and the peer's. Goes out: the time of one call of each, as the
minimum of several rounds that alternate between the two, so that a slow moment of the machine hits both or neither. A
bare loop's own cost is taken off.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable
from itertools import repeat
from typing import Any, NamedTuple

import jsonschema_rs

import schemafuse

from .tools import Tool

now = time.perf_counter_ns
Call = Callable[[Any], Any]
#: Enough for the clock's resolution at 30 ns a call, few enough for thousands of tools.
CALLS = 200
ROUNDS = 7


class Pair(NamedTuple):
    """Nanoseconds of one call."""

    name: str
    ours: float
    peer: float

    @property
    def ratio(self) -> float:
        return self.ours / self.peer


def loop(call: Call, argument: Any, calls: int) -> int:
    turns = repeat(None, calls)
    start = now()
    for _ in turns:
        call(argument)
    return now() - start


def empty_loop(calls: int) -> int:
    turns = repeat(None, calls)
    start = now()
    for _ in turns:
        pass
    return now() - start


def in_turns(name: str, text: str, ours: Call, peer: Call, *, calls: int = CALLS, rounds: int = ROUNDS) -> Pair:
    """Measure warm calls on the same instance, parsed once for each side."""
    own, other = json.loads(text), json.loads(text)
    base = min(empty_loop(calls) for _ in range(rounds))
    best_own = best_peer = 1 << 62
    for _ in range(rounds):
        best_own = min(best_own, loop(ours, own, calls))
        best_peer = min(best_peer, loop(peer, other, calls))
    return Pair(name, max(best_own - base, 1) / calls, max(best_peer - base, 1) / calls)


def once(call: Call, text: str) -> int:
    argument = json.loads(text)
    start = now()
    result = call(argument)
    spent = now() - start
    del result
    return spent


def fresh_in_turns(name: str, text: str, ours: Call, peer: Call, *, rounds: int = ROUNDS) -> Pair:
    """Measure calls that each get a newly parsed argument, as a schema that arrives over the wire."""
    best_own = best_peer = 1 << 62
    for _ in range(rounds):
        best_own = min(best_own, once(ours, text))
        best_peer = min(best_peer, once(peer, text))
    return Pair(name, best_own, best_peer)


def geometric_mean(ratios: Iterable[float]) -> float:
    logarithms = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(logarithms) / len(logarithms))


# What is compared -----------------------------------------------------------------------------------------------------


def peer_compile(schema: Any) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(schema, validate_formats=False)


def both(tool: Tool) -> tuple[schemafuse.Validator, jsonschema_rs.Validator]:
    return schemafuse.compile(json.loads(tool.schema)), peer_compile(json.loads(tool.schema))


def is_valid(tool: Tool) -> Pair | None:
    """A verdict on the first valid example, as bound methods in a bare loop."""
    ours, peer = both(tool)
    if tool.valid is None:
        return None
    if not ours.is_valid(json.loads(tool.valid)):
        raise AssertionError(f"{tool.name}: the valid example is not valid")
    return in_turns(tool.name, tool.valid, ours.is_valid, peer.is_valid)


def cold_compile(tool: Tool) -> Pair:
    """A compilation, admission and metaschema check included."""
    return fresh_in_turns(tool.name, tool.schema, schemafuse.compile, peer_compile)


def cache_hit(tool: Tool) -> Pair:
    """An equal schema in a new dict, out of the cache, against a compilation by the peer."""
    cache = schemafuse.ValidatorCache()
    cache.get(json.loads(tool.schema))
    return fresh_in_turns(tool.name, tool.schema, cache.get, peer_compile)


def invalid_check(tool: Tool) -> Pair | None:
    """`check` on the first invalid example, against the peer's errors; every message read."""
    ours, peer = both(tool)
    if tool.invalid is None:
        return None
    if ours.check(json.loads(tool.invalid)).status != "invalid":
        raise AssertionError(f"{tool.name}: the invalid example is not invalid")
    return in_turns(
        tool.name,
        tool.invalid,
        lambda instance: [error.message for error in ours.check(instance).errors],
        lambda instance: [error.message for error in peer.iter_errors(instance)],
        calls=20,
    )
