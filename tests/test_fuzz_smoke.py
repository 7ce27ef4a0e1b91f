"""A few hundred cases of everything that `fuzz/` does, the same ones each time, and whether its tools have teeth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from fuzz import (
    differences,
    grammar,
    instances,
    interpreters,
    javascript,
    malformed,
    oracles,
    patterns,
    properties,
    reproduction,
    schemas,
    shrinking,
    strategies,
    values,
)
from fuzz.schemas import Document
from hypothesis import given, settings

import schemafuse
from schemafuse import SchemaError, Validator

DOCUMENTS = 120
INSTANCES = 3


@cache
def trials() -> list[properties.Trial]:
    made = []
    for number in range(DOCUMENTS):
        random = Random(f"smoke:{number}")
        document = schemas.document(random)
        validator = properties.compiled(document)
        if isinstance(validator, SchemaError):
            assert properties.refusal_fault(validator) == ""
            continue
        subject = properties.Subject(document, validator)
        source = instances.Instances(document.schema, random)
        made += [properties.Trial(subject, source.make(), f"smoke:{number}") for _ in range(INSTANCES)]
    return made


# The properties -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prop", properties.BY_NAME.values(), ids=properties.BY_NAME)
def test_property(prop: properties.Property) -> None:
    found = [(prop(trial), trial) for trial in trials()]
    assert [(complaint, trial.document.schema, trial.instance) for complaint, trial in found if complaint] == []


def test_parts_of_what_is_shared_may_be_held_elsewhere() -> None:
    for schema in ({"items": {}}, {"properties": {"a": {}}}, {"prefixItems": [{}]}):
        for part in ([{"": 0, "a": True}, {}, None], {"a": True, "b": [0, "x"]}):
            for instance in ([part, part], {"a": part, "b": part}):
                subject = properties.Subject(Document(schema, "2020-12"), schemafuse.compile(schema))
                assert properties.references_do_not_count(properties.Trial(subject, instance)) == ""


@pytest.fixture(scope="module")
def rust() -> Iterator[oracles.Oracle]:
    oracle = oracles.Oracle("jsonschema-rs")
    yield oracle
    oracle.close()


@pytest.fixture(scope="module")
def python() -> Iterator[oracles.Oracle]:
    oracle = oracles.Oracle("jsonschema")
    yield oracle
    oracle.close()


@pytest.mark.parametrize("name", ["rust", "python"])
def test_other_validators_agree(name: str, request: pytest.FixtureRequest) -> None:
    oracle = request.getfixturevalue(name)
    compared = 0
    for trial in trials():
        if not differences.is_comparable(oracle.name, trial.document):
            continue
        (verdict,) = oracle.ask(trial.document, [trial.instance]).verdicts
        compared += verdict is not None
        if verdict is not None and verdict is not trial.report.ok:
            assert differences.explained(oracle, trial.document, trial.instance, trial.report.ok), (
                trial.document.schema,
                trial.instance,
                verdict,
            )
    assert compared > 200


@pytest.mark.parametrize("number", range(300))
def test_what_is_malformed_gets_a_refusal_or_a_report(number: int) -> None:
    random = Random(f"smoke:malformed:{number}")
    document = schemas.document(random)
    source = instances.Instances(document.schema, random)
    document = document._replace(schema=malformed.malformed(document.schema, random))
    validator = properties.compiled(document)
    if isinstance(validator, SchemaError):
        assert properties.refusal_fault(validator) == ""
        return
    for _ in range(3):
        trial = properties.Trial(properties.Subject(document, validator), malformed.malformed(source.make(), random))
        assert properties.limits_hold(trial) == ""
        assert properties.answers_agree(trial) == ""


@pytest.mark.parametrize("number", range(200))
def test_patterns_are_bounded(number: int) -> None:
    assert patterns.complaint_of(patterns.trial(Random(f"smoke:patterns:{number}"))) == ""


@pytest.mark.skipif(not javascript.JavaScript.is_installed(), reason="there is no JavaScript engine")
def test_patterns_mean_what_they_mean_in_javascript() -> None:
    engine = javascript.JavaScript()
    try:
        for number in range(200):
            trial = patterns.trial(Random(f"smoke:patterns:{number}"))
            if len(trial.source) > 200 or max(map(len, trial.texts)) > 5_000:
                continue
            answers = engine.ask(trial)
            assert answers is not None
            assert javascript.difference(trial, answers) == "" or javascript.known_reason(trial), trial
    finally:
        engine.close()


def test_hash_seeds_change_nothing() -> None:
    assert interpreters.differences("smoke", 30) == []


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(strategies.pairs)
def test_hypothesis_draws_from_the_same_grammar(pair: tuple[Document, Any]) -> None:
    document, instance = pair
    validator = properties.compiled(document)
    if isinstance(validator, Validator):
        trial = properties.Trial(properties.Subject(document, validator), instance, "hypothesis")
        assert list(properties.complaints(trial, thorough=True)) == []


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(strategies.malformed_pairs)
def test_hypothesis_spoils_them(pair: tuple[Document, Any]) -> None:
    document, instance = pair
    validator = properties.compiled(document)
    if isinstance(validator, Validator):
        assert properties.limits_hold(properties.Trial(properties.Subject(document, validator), instance)) == ""


# The tools ------------------------------------------------------------------------------------------------------------


def test_most_schemas_are_admitted_and_both_verdicts_are_frequent() -> None:
    assert len(trials()) > 0.8 * DOCUMENTS * INSTANCES
    statuses = Counter(trial.report.status for trial in trials())
    assert min(statuses["valid"], statuses["invalid"]) > 0.25 * len(trials())


@pytest.mark.parametrize("dialect", grammar.DIALECTS)
def test_every_keyword_is_made(dialect: str) -> None:
    from schemafuse.dialects import find_dialect

    random, seen = Random(1), set()
    for _ in range(2_500):
        document = schemas.document(random)
        seen |= {name for part in values.walk(document.schema) if isinstance(part, dict) for name in part}
    known = find_dialect(grammar.DIALECTS[dialect])
    assert known is not None
    silent = {"$comment", "$vocabulary", "examples", "deprecated", "readOnly", "writeOnly", "contentSchema"}
    assert known.keywords - seen <= silent


def test_the_same_seed_makes_the_same_document() -> None:
    one, other = (schemas.document(Random("seed")) for _ in range(2))
    assert repr(one) == repr(other)


EXPLAINED = [
    (
        "2019-09",
        {"contains": {}, "unevaluatedItems": False},
        [{}],
        False,
    ),
    (
        "2020-12",
        {
            "$ref": "#/$defs/old",
            "$defs": {
                "old": {
                    "$schema": grammar.DIALECTS["draft-06"],
                    "$id": "urn:fuzz:old",
                    "oneOf": [{"dependencies": {"a": {"allOf": [{"type": "array", "$ref": "#/definitions/s"}]}}}],
                    "definitions": {"s": {}},
                }
            },
        },
        {"a": {}},
        True,
    ),
    ("draft-07", {"multipleOf": 1e308}, int(1e308), False),
    # A reference leads into the keyword.
    (
        "2019-09",
        {
            "unevaluatedItems": {"maxProperties": 0},
            "contains": {"properties": {"c": {}}},
            "properties": {"a": {"$ref": "#/contains/properties/c"}},
        },
        [{"b": 1}],
        False,
    ),
]


def test_jsonschema_is_exact_below_a_schema_uri_as_well() -> None:
    schema = {"$schema": grammar.DIALECTS["draft-06"], "properties": {"a": {"multipleOf": 1e-07}, "b": {"$ref": "#"}}}
    judge = oracles.JUDGES["jsonschema"](schema, False)
    for instance in ({"a": -0.9999999}, {"b": {"a": -0.9999999}}):
        assert judge(instance)
        assert schemafuse.compile(schema).is_valid(instance)


@pytest.mark.parametrize(("dialect", "schema", "instance", "ours"), EXPLAINED, ids=lambda value: str(value)[:20])
def test_a_known_departure_is_explained_by_its_own_cause(
    rust: oracles.Oracle, dialect: str, schema: dict[str, Any], instance: Any, ours: bool
) -> None:
    document = Document({"$schema": grammar.DIALECTS[dialect], **schema}, dialect)
    assert schemafuse.compile(document.schema).is_valid(instance) is ours
    assert rust.ask(document, [instance]).verdicts == [not ours], "no longer a departure: take it off the list"
    assert differences.explained(rust, document, instance, ours)
    # A verdict that the departure does not account for stays unexplained.
    assert differences.explained(rust, document, 1, not schemafuse.compile(document.schema).is_valid(1)) is None


def test_an_oracle_that_hangs_is_killed_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = oracles.Oracle("jsonschema")
    deep: dict[str, Any] = {"$defs": {"d0": {"type": "integer"}}, "$ref": "#/$defs/d60"}
    for level in range(60):
        deep["$defs"][f"d{level + 1}"] = {"allOf": [{"$ref": f"#/$defs/d{level}"}] * 2}
    deep["$schema"] = grammar.DIALECTS["2020-12"]
    try:
        assert oracle.ask(Document(deep, "2020-12"), [1]) == oracles.Answer([None], "hang")
        assert oracle.ask(Document({"$schema": deep["$schema"], "type": "null"}, "2020-12"), [1, None]).verdicts == [
            False,
            True,
        ]
    finally:
        oracle.close()


def test_a_false_error_does_not_reproduce() -> None:
    schema = {"$schema": grammar.DIALECTS["2020-12"], "properties": {"a": {"minimum": 5}, "b": {"maximum": 1}}}
    document, instance = Document(schema, "2020-12"), {"a": 1, "b": 0}
    validator = schemafuse.compile(schema)
    (error,) = validator.check(instance).errors
    assert reproduction.fault(document, validator, instance, error) == ""
    told = ("message", "keyword", "keyword_value", "instance", "instance_path", "json_path", "context")
    told += ("schema_location", "evaluation_path")
    for change in (
        {"instance_path": ("b",)},
        {"schema_location": "#/properties/b/maximum"},
        {"keyword_value": 6},
        {"evaluation_path": "/properties/b/maximum"},
        {"instance": 7, "instance_path": ("a",)},
    ):
        doctored = SimpleNamespace(**{**{name: getattr(error, name) for name in told}, **change})
        assert reproduction.fault(document, validator, instance, doctored) != ""


def test_shrinking_leaves_only_what_matters() -> None:
    schema = {"title": "x", "allOf": [{"type": "object"}, {"properties": {"a": {"minimum": 5, "maximum": 9}}}]}
    instance = {"a": 100, "b": [1, 2, {"c": "text"}]}

    def fails(schema: Any, instance: Any) -> bool:
        found = isinstance(instance, dict) and instance.get("a") == 100
        return found and any(isinstance(part, dict) and part.get("minimum") == 5 for part in values.walk(schema))

    assert shrinking.shrink(schema, instance, fails) == ({"minimum": 5}, {"a": 100})
