"""Depth on any stack: instances, schemas, and chains of references."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import schemafuse
from schemafuse import BudgetExceeded, Limits, SchemaError
from schemafuse.limits import CEILINGS

SMALLEST_STACK = 256 << 10
DEEP = 200_000
RECURSIVE = {"type": ["array", "integer"], "items": {"$ref": "#"}}
DEEPEST = Limits(**CEILINGS)
ROOMY = Limits(max_subschemas=100_000, max_schema_bytes=1 << 24, max_compile_ms=10_000)
TOO_MUCH = {"too_deep", "too_large", "too_many_subschemas", "duplicate_id"}
#: Ways to get from one definition to the next without leaving the value.
LINKS: tuple[Callable[[Any], Any], ...] = (
    lambda ref: ref,
    lambda ref: {"allOf": [ref]},
    lambda ref: {"not": {"not": ref}},
    lambda ref: {"anyOf": [ref, {"title": "t", **ref}]},
    lambda ref: {"if": True, "then": ref},
)


def nest(depth: int, wrap: Callable[[Any], Any], leaf: Any) -> Any:
    for _ in range(depth):
        leaf = wrap(leaf)
    return leaf


def unnest(value: Any) -> None:
    """Take a deep value apart from the outside, so that freeing it does not recurse."""
    while isinstance(value, (list, dict)) and value:
        value = value.popitem()[1] if isinstance(value, dict) else value.pop()


def on_a_small_stack(work: Callable[[], None]) -> None:
    """Run on a thread with the smallest stack that the library promises to fit; pass its exception on."""
    failures: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)

    threading.stack_size(SMALLEST_STACK)
    thread = threading.Thread(target=guarded)
    thread.start()
    thread.join()
    threading.stack_size(0)
    if failures:
        raise failures[0]


def refusal(make: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    """Return the code of the SchemaError that the call raises, or "" if it raises none."""
    try:
        make(*arguments, **options)
    except SchemaError as error:
        return error.code
    return ""


def check_deep_instances() -> None:
    validators = [schemafuse.compile(schema) for schema in (True, {}, RECURSIVE, {"type": "string"}, {"const": [[[]]]})]
    validators += [
        schemafuse.compile(schema) for schema in ({"uniqueItems": True}, {"enum": [1]}, {"not": {"type": "string"}})
    ]
    for wrap in (lambda x: [x], lambda x: {"a": x}, lambda x: [0, x], lambda x: {"a": [x]}):
        instance = nest(DEEP, wrap, 1)
        for validator in validators:
            report = validator.check(instance)
            assert report.status in {"exhausted", "invalid"}, report.status
            assert report.exhausted is None or report.exhausted.budget in {"instance_depth", "stack"}
            assert len(report.text()) <= 2_000
            try:
                validator.is_valid(instance)
                list(validator.iter_errors(instance))
            except BudgetExceeded:
                pass
            del report
        unnest(instance)


def compile_deep_schemas() -> None:
    cache = schemafuse.ValidatorCache()
    makers: list[Callable[[Any], Any]] = [
        lambda s: {"properties": {"a": s}},
        lambda s: {"allOf": [s]},
        lambda s: {"not": s},
        lambda s: {"$defs": {"a": s}},
        lambda s: {"items": s, "$id": "https://e.test/"},
        lambda s: {"default": s},
        lambda s: {"x-unknown": [s]},
    ]
    for wrap in makers:
        schema = nest(DEEP, wrap, {"type": "integer"})
        assert refusal(schemafuse.compile, schema) in TOO_MUCH
        assert refusal(cache.get, schema) in TOO_MUCH
        unnest(schema)
    for data in ({"const": nest(DEEP, lambda x: [x], [])}, {"enum": [nest(DEEP, lambda x: {"a": x}, [])]}):
        assert refusal(schemafuse.compile, data) in TOO_MUCH
        unnest(data)


def fit_on_a_small_stack() -> None:
    on_a_small_stack(check_deep_instances)
    on_a_small_stack(compile_deep_schemas)
    on_a_small_stack(reach_every_ceiling)


def reach_every_ceiling() -> None:
    """The deepest schemas and instances that the limits' ceilings admit."""
    for levels in (60, DEEPEST.max_schema_depth - 1):
        schema = nest(levels, lambda s: {"properties": {"a": s}}, {"type": "integer"})
        validator = schemafuse.compile(schema, limits=DEEPEST)
        assert validator.is_valid(nest(levels, lambda x: {"a": x}, 1))
        assert not validator.is_valid(nest(levels, lambda x: {"a": x}, "x"))
        assert validator.check(nest(levels, lambda x: {"a": x}, "x")).text()
        for wrap in (
            lambda s: {"not": s},
            lambda s: {"allOf": [s]},
            lambda s: {"anyOf": [s, False]},
            lambda s: {"if": True, "then": s},
        ):
            schemafuse.compile(nest(levels, wrap, {"type": "integer"}), limits=DEEPEST).check("x").text()
    recursive = schemafuse.compile(RECURSIVE, limits=DEEPEST)
    for leaf, verdict in ((1, "valid"), ("x", "invalid")):
        report = recursive.check(nest(DEEPEST.max_instance_depth - 2, lambda x: [x], leaf))
        assert report.status in {verdict, "exhausted"}
        assert report.exhausted is None or report.exhausted.budget == "stack"
        assert report.text()
    branching = schemafuse.compile(
        {"anyOf": [{"type": "integer"}, {"items": {"oneOf": [{"$ref": "#"}, False]}, "type": "array"}]}, limits=DEEPEST
    )
    for leaf in (1, "x"):
        report = branching.check(nest(DEEPEST.max_instance_depth - 2, lambda x: [x], leaf))
        assert report.status in {"valid" if leaf == 1 else "invalid", "exhausted"}
        assert report.text()
    deep_constant = nest(DEEPEST.max_json_depth - 6, lambda x: [x], [])
    equal = schemafuse.compile({"const": deep_constant}, limits=DEEPEST)
    assert equal.check(nest(DEEPEST.max_json_depth - 6, lambda x: [x], [])).status in {"valid", "exhausted"}
    assert (
        schemafuse.compile({"uniqueItems": True}, limits=DEEPEST).check([deep_constant, deep_constant]).status
        != "valid"
    )


def walk_long_reference_chains() -> None:
    """A chain of 9,000 references is shallow JSON, but nine thousand schemas deep in place."""
    on_a_small_stack(walk_chains)
    walk_chains()


def walk_chains() -> None:
    for length in (100, 1_000, 9_000):
        for make in LINKS:
            definitions = {f"d{i}": make({"$ref": f"#/$defs/d{i + 1}"}) for i in range(length)}
            schema = {"$ref": "#/$defs/d0", "$defs": {**definitions, f"d{length}": {"type": "integer"}}}
            code = refusal(schemafuse.compile, schema, limits=ROOMY)
            assert code in {"", "too_deep", "too_expensive"}, code
            if not code:
                judge_both_ways(schemafuse.compile(schema, limits=ROOMY))


def judge_both_ways(validator: schemafuse.Validator) -> None:
    for instance, verdict in ((1, "valid"), ("x", "invalid")):
        report = validator.check(instance)
        assert report.status in {verdict, "exhausted"}, report.status
        assert report.exhausted is None or report.exhausted.budget == "stack"
        assert report.text()
