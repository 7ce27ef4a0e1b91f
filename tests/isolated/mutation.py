"""Values that change while they are compiled or checked."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import schemafuse
from schemafuse import Limits, SchemaError


def refusal(make: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    """Return the code of the SchemaError that the call raises, or "" if it raises none."""
    try:
        make(*arguments, **options)
    except SchemaError as error:
        return error.code
    return ""


def mutate_during_checks() -> None:
    """Another thread changes the instance, again and again, while patterns let go of the interpreter lock."""
    sys.setswitchinterval(1e-6)
    schema = {
        "additionalProperties": {
            "anyOf": [
                {"pattern": "^(?=(a+)+b)c"},
                {"type": "array", "items": {"pattern": "(x+)+y$"}},
                {"type": "object"},
            ]
        },
        "patternProperties": {"^(?=k)k(\\d)+$": {"uniqueItems": True, "minLength": 0}},
        "unevaluatedProperties": False,
        "propertyNames": {"pattern": "^(?!z)."},
        "minProperties": 0,
    }
    validator = schemafuse.compile(schema, limits=Limits(max_time_ms=20))
    instance: dict[str, Any] = {f"k{i}": ["x" * 20, {"n": [i]}] for i in range(50)}
    stop = threading.Event()

    def mutate() -> None:
        turn = 0
        while not stop.is_set():
            turn += 1
            instance[f"m{turn % 97}"] = ["x" * (turn % 30), {"n": [turn]}]
            for key in list(instance)[: turn % 7]:
                value = instance.pop(key, None)
                if isinstance(value, list):
                    value.clear()
            if turn % 50 == 0:
                instance.clear()
            instance[f"k{turn % 50}"] = "a" * (turn % 25)
            instance[f"k{turn % 13}"] = [turn] * (turn % 40)

    threads = [threading.Thread(target=mutate, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    end = time.monotonic() + 6
    while time.monotonic() < end:
        report = validator.check(instance)
        assert report.status in {"valid", "invalid", "exhausted"}
        assert len(report.text()) <= 2_000
        report.to_dict()
    stop.set()
    for thread in threads:
        thread.join()


def mutate_schemas_during_compile() -> None:
    """Another thread changes the schema while it is compiled."""
    sys.setswitchinterval(1e-6)
    schema: dict[str, Any] = {"properties": {}}
    stop = threading.Event()

    def mutate() -> None:
        turn = 0
        while not stop.is_set():
            turn += 1
            schema["properties"][f"p{turn % 61}"] = {"enum": [turn], "pattern": "^(?=a)b"}
            schema["properties"].pop(f"p{turn % 37}", None)
            if turn % 100 == 0:
                schema["properties"] = {}

    thread = threading.Thread(target=mutate, daemon=True)
    thread.start()
    cache = schemafuse.ValidatorCache(max_entries=4)
    end = time.monotonic() + 4
    while time.monotonic() < end:
        for make in (schemafuse.compile, cache.get):
            code = refusal(make, schema)
            assert code in {"", "not_json", "compile_timeout"}, code
    stop.set()
    thread.join()


def mutate_from_within() -> None:
    """Overridden methods that change the container they stand in; nothing should even call them."""
    target: dict[Any, Any] = {}

    class Key(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            target.clear()
            return True

        def __hash__(self) -> int:
            target.update({f"n{i}": {} for i in range(50)})
            return str.__hash__(str(self))

    schema = {"properties": {"a": {"type": "integer"}, "b": {}}, "required": ["a", "b"], "additionalProperties": False}
    for extra in (
        {},
        {"unevaluatedProperties": False},
        {"patternProperties": {"^a": True}},
        {"dependentRequired": {"a": ["b"]}},
    ):
        validator = schemafuse.compile({**schema, **extra})
        for _ in range(200):
            target.clear()
            target[Key("a")] = 1
            target["b"] = {"c": [1] * 10}
            validator.check(target).text()
