"""Checks that only the clock can end, and sizes beyond what anybody sends; measured, or just lived through."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

from depth import nest, on_a_small_stack

import schemafuse
from schemafuse import Limits, SchemaError
from schemafuse.limits import LARGEST

MAX_TIME_MS = 200
#: A check promises to end within this many times its `max_time_ms`.
FACTOR = 2
CLOCK_ONLY = Limits(max_time_ms=MAX_TIME_MS, max_steps=LARGEST, max_memory_bytes=1 << 30, max_compile_ms=60_000)
#: A machine under load can only make a measurement longer.
ATTEMPTS = 3

LONG = 1_000_000
PATTERNS = {
    "empty loops": ("(a*)*b", "a"),
    "counted empty loops": ("(?:a*){3}c", "a"),
    "beyond ASCII": (r".+\d", "é"),
    "look-ahead": ("a(?=.*b)", "a"),
    "backreference": (r"(x)\1*(.*)*y", "x"),
    "bounded": ("^(a|aa){1,50}(?:b|c)$", "a"),
    "one start after the other": (r"(a|a)([^\W0])*b", "a"),
    "lazy loops": (r"^(\p{L}*?)*b", "a"),
    "lazy loops with a reference": (r"^(.*?\1)+b", "a"),
    "of Python": ("(?P<name>a|b)*[xy]", "a"),
}
OF_MEMORY = {f"pattern backreference, {length} characters" for length in (1_000, 40_000, LONG)}
MANY_BOUNDS = [{"minimum": -bound} for bound in range(3_000)]
#: name -> schema, a function that makes the instance
SLOW: dict[str, tuple[Any, Callable[[], Any]]] = {
    "subschemas times values": ({"items": {"allOf": MANY_BOUNDS}}, lambda: list(range(100_000))),
    "remembered verdicts": (
        {
            "allOf": [{"items": {"$ref": "#/$defs/a"}}] * 2,
            "$defs": {"a": {"items": {"anyOf": MANY_BOUNDS}, "not": {"maxItems": 0}}},
        },
        lambda: [["x"] * 1_000] * 2 + [[str(i)] * 500 for i in range(1_000)],
    ),
    "a million properties": (
        {
            "propertyNames": {"maxLength": 20},
            "patternProperties": {"^(a|b)*$": True},
            "unevaluatedProperties": {"type": "integer"},
        },
        lambda: {f"p{i}": i for i in range(LONG)},
    ),
    "patterns times properties": (
        {"patternProperties": {rf"({first}|[a-z]*)+\d$": True for first in "abcdefghijkl"}},
        lambda: {f"abcdefgabcdefg{i}": 1 for i in range(20_000)},
    ),
    "lone surrogates": ({"items": {"pattern": "(a*)*b"}}, lambda: ["\ud800" * (LONG // 2)] * 4),
    "formats": ({"items": {"format": "idn-hostname"}}, lambda: ["é." * (LONG // 10) + str(i) for i in range(100)]),
    "one long format": ({"format": "regex"}, lambda: "(" * LONG),
    "one long label": ({"format": "idn-hostname"}, lambda: "a" * LONG),
    "big integers": ({"items": {"minimum": 10**4_000}}, lambda: [10**4_200] * 200_000),
    "many divisions": ({"items": {"multipleOf": 10**2_150 + 1}}, lambda: [(10**2_150 + 1) * 10**2_149] * 20_000),
    "equal big integers": ({"uniqueItems": True}, lambda: [10**4_000 + i for i in range(100_000)]),
    "hash flooding": ({"uniqueItems": True}, lambda: [i * (2**61 - 1) for i in range(LONG)]),
}
SLOW |= {
    f"pattern {name}, {length} characters": ({"pattern": source}, lambda char=char, length=length: char * length + "!")  # type: ignore[misc]
    for name, (source, char) in PATTERNS.items()
    for length in (1_000, 40_000, LONG)
}
LONG_DIVISION: dict[str, tuple[Any, Callable[[], Any]]] = {
    "one division": ({"multipleOf": 10**4_299 + 1}, lambda: 1 << 20_000_000),
}
REPORTS: dict[str, tuple[Any, Callable[[], Any]]] = {
    "names alike": (
        {"items": {"enum": [f"value{i}" for i in range(10_000)]}},
        lambda: [f"valve{i}" for i in range(20)],
    ),
    "long names alike": (
        {"items": {"enum": ["value" * 200 + str(i) for i in range(800)]}},
        lambda: ["valve" * 200 + str(i) for i in range(20)],
    ),
    "properties alike": (
        {"additionalProperties": False, "properties": {f"prop{i}": True for i in range(9_000)}},
        lambda: {f"porp{i}": 1 for i in range(10_000)},
    ),
    "many missing": ({"required": [f"prop{i}" for i in range(9_000)]}, lambda: {f"porp{i}": 1 for i in range(10_000)}),
    "many branches": (
        {"items": {"anyOf": [{"minimum": 10**6 + i, "multipleOf": i + 1} for i in range(3_000)]}},
        lambda: list(range(2_000)),
    ),
    "everything wrong": ({"items": {"type": "string"}}, lambda: list(range(LONG))),
    "a million unknown names": ({"additionalProperties": False}, lambda: {f"k{i}": 0 for i in range(LONG)}),
    "long texts": ({"items": {"type": "array"}}, lambda: ["\u0101" * 10 * LONG] * 8),
    "slow patterns behind each question": (
        {
            "prefixItems": [{"not": {"pattern": r"^(a|a)*\1b"}}] * 3,
            "items": {
                "type": "object",
                "properties": {"city": {}},
                "required": ["city"],
                "additionalProperties": False,
            },
        },
        lambda: ["a" * 16 + "c" * i for i in range(3)] + [{"cidy": 1}] * 8,
    ),
}
#: A repair is three checks, of which two may have words.
REPAIRS = 5


def print_times(
    cases: dict[str, tuple[Any, Callable[[], Any]]], limits: Limits, factor: int = FACTOR, repair: bool = False
) -> None:
    """Print for each case the shortest of a few times in milliseconds, the time promised, and how the check ended."""
    promised = factor * limits.max_time_ms
    for name, (schema, make) in cases.items():
        validator, instance = schemafuse.compile(schema, limits=limits, assert_formats=True), make()
        times = []
        while len(times) < ATTEMPTS and (not times or min(times) > promised):
            begin = perf_counter()
            report = validator.repair(instance)[1] if repair else validator.check(instance)
            report.text()
            times.append(1_000 * (perf_counter() - begin))
        # An engine has a bound of its own for what it may keep to backtrack.
        assert report.exhausted is None or report.exhausted.budget in (
            "time",
            "memory" if name in OF_MEMORY else "time",
        )
        print(json.dumps([name, min(times), promised, report.status]))


def print_slow_checks() -> None:
    print_times(SLOW, CLOCK_ONLY)


def print_long_division() -> None:
    print_times(LONG_DIVISION, CLOCK_ONLY)


def print_reports() -> None:
    print_times(REPORTS, Limits())


def print_repairs() -> None:
    print_times(REPORTS, Limits(), REPAIRS, repair=True)


# --- sizes


def judge(schema: Any, valid: Any, invalid: Any, limits: Limits) -> None:
    validator = schemafuse.compile(schema, limits=limits)
    assert validator.check(valid).status == "valid"
    report = validator.check(invalid)
    assert report.status == "invalid"
    assert len(report.text()) <= limits.max_text_chars
    assert all(len(error.message) < 1_000 for error in report.errors)


def live_through_long_texts() -> None:
    text, wide = "a" * LONG, "\U0001f600" * LONG
    limits = Limits(max_schema_bytes=1 << 24, max_compile_ms=60_000, max_time_ms=60_000, max_steps=10**9)
    judge({"maxLength": LONG}, text, text + "a", limits)
    judge({"maxLength": LONG}, wide, wide + "a", limits)
    judge({"const": text}, text, text[:-1] + "b", limits)
    judge({"enum": [text, wide]}, wide, text[:-1] + "b", limits)
    judge({"pattern": "^a*$"}, text, text + "b", limits)
    judge({"uniqueItems": True}, [text, text + "b"], [text, "a" * LONG], limits)
    judge({"required": [text]}, {text: 1}, {text + "b": 1}, limits)
    judge({"additionalProperties": False, "properties": {text: True}}, {text: 1}, {text + "b": 1}, limits)
    for schema in (
        {"const": text + text},
        {"title": wide},
        {"properties": {text + text: True}},
        {"$ref": "#/" + text * 2},
    ):
        assert refusal(schema) == "too_large"
    assert refusal({"pattern": text}) == "too_large"


def refusal(schema: Any, limits: Limits | None = None) -> str:
    try:
        schemafuse.compile(schema, limits=limits or Limits())
    except SchemaError as error:
        return error.code
    return ""


def live_through_large_enums() -> None:
    size = 100_000
    raised = Limits(max_enum_values=size, max_schema_bytes=1 << 24, max_compile_ms=60_000)
    for values, other in (
        ([f"value {i}" for i in range(size)], "value"),
        (list(range(size)), -1),
        ([i + 0.5 for i in range(size)], 0.25),
        ([[i] for i in range(size)], [-1]),
        ([{"a": i} for i in range(size)], {"a": -1}),
        ([i * (2**61 - 1) for i in range(size)], 1),
    ):
        assert refusal({"enum": values}) in {"too_large", "compile_timeout"}
        assert refusal({"enum": values}, raised.replace(max_enum_values=size - 1)) == "too_large"
        validator = schemafuse.compile({"items": {"enum": values}}, limits=raised)
        assert validator.check([values[0], values[-1], values[size // 2]]).ok
        assert validator.check([other]).status == "invalid"


def live_through_large_objects() -> None:
    large = {f"property {i}": i for i in range(LONG)}
    patient = Limits(max_time_ms=60_000, max_steps=10**9, max_memory_bytes=1 << 28)
    for schema in (
        {"additionalProperties": {"type": "integer"}},
        {"unevaluatedProperties": {"type": "integer"}},
        {"propertyNames": {"pattern": "^property"}},
        {"patternProperties": {"^property": {"minimum": 0}}},
        {"minProperties": LONG, "maxProperties": LONG},
        {"not": {"additionalProperties": {"type": "string"}}},
        {},
    ):
        assert schemafuse.compile(schema, limits=patient).check(large).ok
        # By default a budget ends it, or it is done in time.
        report = schemafuse.compile(schema).check(large)
        assert report.status in {"valid", "exhausted"}
    report = schemafuse.compile({"additionalProperties": False}).check(large)
    assert report.status == "invalid"
    assert len(report.text()) <= 2_000
    report = schemafuse.compile({"propertyNames": {"maxLength": 3}}, limits=patient).check(large)
    assert report.status == "invalid"
    assert len(report.text()) <= 2_000


def live_through_deep_work_on_a_small_stack() -> None:
    """The budget for nested visits ends the check at the same place on every stack."""
    outcomes: list[tuple[Any, ...]] = []

    def work() -> None:
        levels = 60
        schema = nest(levels, lambda s: {"not": {"not": s}}, {"items": {"$ref": "#"}, "type": ["array", "null"]})
        instance = nest(20, lambda x: [x], None)
        validator = schemafuse.compile(schema, limits=Limits(max_schema_depth=128, max_json_depth=256))
        report = validator.check(instance)
        assert report.exhausted is not None
        outcomes.append((report.exhausted.to_dict(), report.steps, report.text()))

    work()
    on_a_small_stack(work)
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][0]["budget"] == "stack"


def print_outcomes() -> None:
    """Where each budget but the clock ends a check, for comparison between interpreters with other hash seeds."""
    names = {f"p{i}": [i, {"a": str(i)}] for i in range(300)}
    shared: Any = nest(30, lambda x: [x, x], [1])
    schemas: list[Any] = [
        {
            "patternProperties": {"1$": {"uniqueItems": True}},
            "unevaluatedProperties": {"items": {"enum": [1, {"a": "1"}]}},
        },
        {
            "allOf": [{"additionalProperties": {"$ref": "#/$defs/a"}}] * 3,
            "$defs": {"a": {"items": {"not": {"enum": [[1], [2]]}}}},
        },
        {"anyOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}, "uniqueItems": True}]},
        {},
    ]
    sys.setrecursionlimit(1_000)
    for schema in schemas:
        for budgets in (
            {"max_steps": 100},
            {"max_steps": 1_000},
            {"max_memory_bytes": 20_000},
            {"max_instance_depth": 2},
            {},
        ):
            validator = schemafuse.compile(schema, limits=Limits(**{"max_time_ms": 60_000, **budgets}))
            for instance in (names, shared, [names, names], list(names)):
                report = validator.check(instance)
                print(report.status, report.steps, report.exhausted, report.text())
