"""A validator after `compile`: independent of the schema given, shared by threads, copied, pickled."""

from __future__ import annotations

import copy
import json
import pickle
import threading
from pathlib import Path
from typing import Any

import pytest

import schemafuse
from schemafuse import SchemaError

TOOLS = Path(__file__).parent / "cases" / "tools.jsonl"


def test_changing_the_schema_after_compile_changes_nothing() -> None:
    schema: dict[str, Any] = {"properties": {"a": {"enum": [1, {"b": [2]}]}}, "required": ["a"]}
    validator = schemafuse.compile(schema)
    schema["required"].append("z")
    schema["properties"]["a"]["enum"][1]["b"].append(3)
    schema["properties"]["a"]["type"] = "null"
    assert validator.is_valid({"a": {"b": [2]}})
    assert validator.schema == {"properties": {"a": {"enum": [1, {"b": [2]}]}}, "required": ["a"]}
    schema.clear()
    assert not validator.is_valid({})


def test_changing_what_a_validator_hands_out_changes_nothing() -> None:
    validator = schemafuse.compile({"enum": [[1]]})
    validator.schema["enum"].append([2])
    filled_in = schemafuse.compile({"properties": {"a": {"const": {"k": [1]}}}, "required": ["a"]})
    fix: Any = filled_in.check({}).errors[0].fix
    fix[0]["value"]["k"].append(2)
    assert filled_in.is_valid({"a": {"k": [1]}})
    error = validator.check([2]).errors[0]
    error.keyword_value.append([2])
    assert not validator.is_valid([2])
    assert validator.is_valid([1])


def test_a_validator_is_pickled_by_recompiling_and_copied() -> None:
    limits = schemafuse.Limits(max_errors=2)
    schema = {"items": {"type": "string", "format": "date"}}
    original = schemafuse.compile(schema, limits=limits, assert_formats=True)
    copies = [copy.copy(original), copy.deepcopy(original)]
    copies += [pickle.loads(pickle.dumps(original, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    for other in copies:
        assert other.limits == limits
        assert other.dialect == original.dialect
        assert other.schema == schema
        for instance in (["2020-01-01"], ["x", 1, 2, 3], 5):
            assert other.check(instance).to_dict() == original.check(instance).to_dict()


def test_a_validator_with_resources_and_a_dialect_survives_pickling() -> None:
    resources = {"https://example.com/a": {"type": "integer"}}
    original = schemafuse.compile(
        {"items": {"$ref": "https://example.com/a"}},
        resources=resources,
        dialect="http://json-schema.org/draft-07/schema#",
    )
    other = pickle.loads(pickle.dumps(original))
    assert other.dialect == original.dialect
    assert other.is_valid([1])
    assert not other.is_valid(["x"])


def test_what_is_said_does_not_depend_on_what_was_said_before() -> None:
    for line in TOOLS.read_text(encoding="utf-8").splitlines():
        tool = json.loads(line)
        schema, instances = tool["tool"]["inputSchema"], tool["invalid"]
        first = [schemafuse.compile(schema).check(instance).to_dict() for instance in instances]
        validator = schemafuse.compile(schema)
        for order in (1, -1):
            later = [validator.check(instance).to_dict() for instance in instances[::order]]
            assert later[::order] == first


def test_reports_and_errors_are_pickled() -> None:
    report = schemafuse.compile({"type": "object", "required": ["a"]}).check({})
    error = pickle.loads(pickle.dumps(report.errors[0]))
    assert (error.message, error.instance_location, error.keyword) == (report.errors[0].message, "", "required")
    union = (
        schemafuse.compile({"anyOf": [{"type": "object", "required": ["a"]}, {"type": "null"}]}).check({}).errors[-1]
    )
    union.seen = True  # type: ignore[attr-defined]
    copy = pickle.loads(pickle.dumps(union))
    assert copy.to_dict() == union.to_dict()
    assert (copy.covered, copy.keyword_value, copy.json_path, copy.instance) == (True, union.keyword_value, "$", {})
    assert copy.context[0].to_dict() == union.context[0].to_dict()
    assert copy.seen
    with pytest.raises(SchemaError) as caught:
        schemafuse.compile({"type": "int"})
    assert pickle.loads(pickle.dumps(caught.value)).code == "invalid_schema"
    exhausted = schemafuse.compile({}, limits=schemafuse.Limits(max_steps=1)).check([[1]] * 50).exhausted
    assert exhausted is not None
    assert pickle.loads(pickle.dumps(exhausted)).budget == exhausted.budget


def test_threads_share_a_validator() -> None:
    validator = schemafuse.compile(
        {"items": {"properties": {"a": {"pattern": "^(?=a)a+$"}}, "unevaluatedProperties": False}}
    )
    instances: list[Any] = (
        [[{"a": "a" * n}] for n in range(1, 9)] + [[{"a": "b" * n}] for n in range(1, 9)] + [[{"z": 1}]]
    )
    expected = [validator.check(instance).to_dict() for instance in instances]
    wrong: list[Any] = []

    def work() -> None:
        for _ in range(200):
            wrong.extend(
                instance
                for instance, answer in zip(instances, expected, strict=True)
                if validator.check(instance).to_dict() != answer
            )

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_references_from_outside_do_not_change_the_steps_of_unique_items() -> None:
    validator = schemafuse.compile({"uniqueItems": True})
    for first, twice in (([{}, {}, {}], ["é", 0.1]), ({"b": {}}, {"b": "A"})):
        instance = [first, twice, twice]
        steps = validator.check(instance).steps
        held = [instance[0], *(first if isinstance(first, list) else first.values())]
        assert validator.check(instance).steps == steps, held
