"""No value that a name or the schema calls secret is echoed, wherever it stands."""

from __future__ import annotations

import json
from typing import Any

import pytest

import schemafuse
from schemafuse.secrets import is_secret_name, tells_secret

HIDDEN = "hunter2-correct-horse"


def everything_said(schema: Any, instance: Any) -> str:
    validator = schemafuse.compile(schema, assert_formats=True)
    report = validator.check(instance)
    assert report.status == "invalid"
    _, repaired = validator.repair(instance)
    said = [report.text(), json.dumps(report.to_dict()), json.dumps(repaired.fixes), repaired.text()]
    todo = list(report.errors)
    while todo:
        error = todo.pop()
        said += [str(error), error.message, json.dumps(error.to_dict()), repr(error)]
        todo += error.context
    return "\n".join(said)


@pytest.mark.parametrize(
    "name",
    [
        "password",
        "passwd",
        "userPassword",
        "pwd",
        "secret",
        "client_secret",
        "token",
        "accessToken",
        "api_key",
        "apiKey",
        "x-api-key",
        "API-Key",
        "credentials",
        "private_key",
        "ssh_key",
        "authorization",
        "auth",
        "cookie",
        "jwt",
        "pin",
        "otp_code",
        "user_pin",
        "passphrase",
        "pass",
        "connection_string",
    ],
)
def test_names_that_say_secret(name: str) -> None:
    assert is_secret_name(name)
    for value, schema in ((HIDDEN, {"type": "integer"}), (HIDDEN, {"maxLength": 3}), ([HIDDEN], {"type": "string"})):
        assert HIDDEN not in everything_said({"properties": {name: schema}}, {name: value})


@pytest.mark.parametrize(
    "name", ["max_tokens", "maxTokens", "min_tokens", "passenger", "author", "description", "pinned", "compass"]
)
def test_names_that_do_not(name: str) -> None:
    assert not is_secret_name(name)


MARKED = {"writeOnly": True}
SHORT = {"type": "string", "maxLength": 3}


@pytest.mark.parametrize(
    ("schema", "instance"),
    [
        ({"properties": {"z": {**SHORT, **MARKED}}}, {"z": HIDDEN}),
        ({"properties": {"z": {**SHORT, "format": "password"}}}, {"z": HIDDEN}),
        ({"$defs": {"s": SHORT}, "properties": {"z": {**MARKED, "$ref": "#/$defs/s"}}}, {"z": HIDDEN}),
        ({"$defs": {"s": {**SHORT, **MARKED}}, "properties": {"z": {"$ref": "#/$defs/s"}}}, {"z": HIDDEN}),
        ({"properties": {"z": {**MARKED, "anyOf": [SHORT, {"type": "null"}]}}}, {"z": HIDDEN}),
        ({"properties": {"z": {"allOf": [MARKED, SHORT]}}}, {"z": HIDDEN}),
        ({"allOf": [{"properties": {"z": MARKED}}, {"properties": {"z": SHORT}}]}, {"z": HIDDEN}),
        ({"properties": {"z": {**MARKED, "properties": {"a": SHORT}}}}, {"z": {"a": HIDDEN}}),
        ({"properties": {"z": {**MARKED, "items": SHORT}}}, {"z": [HIDDEN]}),
        ({"items": {**SHORT, **MARKED}}, [HIDDEN]),
        ({"patternProperties": {"^z": {**SHORT, **MARKED}}}, {"zz": HIDDEN}),
        ({"additionalProperties": {**SHORT, **MARKED}}, {"zz": HIDDEN}),
        ({"properties": {"z": {**MARKED, "type": "array"}}}, {"z": HIDDEN}),
        ({"properties": {"z": {**MARKED, "enum": ["a"]}}}, {"z": HIDDEN}),
        ({"properties": {"z": {**MARKED, "const": 1}}}, {"z": HIDDEN}),
        ({"properties": {"z": {**MARKED, "pattern": "^$"}}}, {"z": HIDDEN}),
        ({"properties": {"z": {**MARKED, "not": {"type": "string"}}}}, {"z": HIDDEN}),
        # Inside a value that is itself not secret.
        ({"properties": {"c": {"type": "object"}}}, {"c": json.dumps({"password": HIDDEN})}),
        ({"properties": {"c": {"type": "object"}}}, {"c": json.dumps([{"a": {"token": [HIDDEN]}}])}),
        ({"properties": {"c": {"type": "object", "properties": {"z": MARKED}}}}, {"c": json.dumps({"z": HIDDEN})}),
        ({"properties": {"c": {"type": "array"}}}, {"c": {"password": HIDDEN}}),
        ({"properties": {"c": {"maxLength": 3}}}, {"c": json.dumps({"password": HIDDEN})}),
        ({"properties": {"c": {"type": "integer"}}}, {"c": f"password={HIDDEN}"}),
        ({"properties": {"c": {"type": "integer"}}}, {"c": f"Authorization: Bearer {HIDDEN}"}),
        ({"properties": {"c": {"type": "integer"}}}, {"c": f"https://me:{HIDDEN}@example.com"}),
        ({"properties": {"password": {"type": "object"}}}, {"password": {"a": {HIDDEN}}}),
        ({"properties": {"token": {"type": "array"}}}, {"token": {HIDDEN: 1}}),
        ({}, {"token": {HIDDEN, 1}}),
        ({}, {"token": {1: HIDDEN}}),
    ],
)
def test_no_secret_is_echoed(schema: Any, instance: Any) -> None:
    assert HIDDEN[:10] not in everything_said(schema, instance)


def test_numbers_are_secret_as_well() -> None:
    assert "4711" not in everything_said({"properties": {"pin": {"type": "string"}}}, {"pin": 4711})
    assert "4711" not in everything_said({"properties": {"pin": {"type": "integer"}}}, {"pin": "4711"})
    assert "4711" not in everything_said({"properties": {"pin": {"maximum": 9}}}, {"pin": 4711})


def test_what_repeats_no_secret_is_repaired_all_the_same() -> None:
    validator = schemafuse.compile({"properties": {"password": {"type": "string"}, "secure_auth": {"type": "boolean"}}})
    repaired, report = validator.repair({"password": [HIDDEN], "secure_auth": "true"})
    assert report.ok
    assert repaired == {"password": HIDDEN, "secure_auth": True}
    assert HIDDEN not in json.dumps(report.fixes)


def test_text_that_tells_a_secret() -> None:
    assert tells_secret('{"a": 1}')
    assert not tells_secret("the token count is high")
