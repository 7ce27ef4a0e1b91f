"""No value that a name or the schema calls secret is echoed, wherever it stands."""

from __future__ import annotations

import json
from collections import Counter
from time import perf_counter
from typing import Any

import pytest

import schemafuse
from schemafuse import Limits, places, secret_names, secrets
from schemafuse.secret_names import gives_secret, is_secret_name, tells_secret

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
        *("stripe_key", "openaiKey", "storage_key", "priv_key", "conn_str", "two_factor_code", "rootpw", "dbPass"),
        *("motDePasse", "mot_de_passe", "sess_id", "subscription_key", "seedphrase", "hasło", "şifre", "access_tokens"),
        *(
            "oauth_tokens",
            "github_tokens",
            "csrf_tokens",
            "secret_tokens",
            "user_tokens",
            "secret_id",
            "next_auth_token",
        ),
        *("gh_pat", "pem", "dsn", "sas", "hmac", "passwort", "senha", "contraseña", "密码", "Пароль"),
        # The words are the same however they are joined.
        "pinCode",
        "PIN-Code",
        "PINCode",
        "otpCode",
        "ssnNumber",
        "dbPass",
        "DB_PASS",
        "userPass",
        "authHeader",
        "pw",
        "clientKey",
        "APIkey",
        "APIKEY",
        "sessionId",
        "JSESSIONID",
        "securityCode",
        "verification_code",
        "recoveryCodes",
        "2faCode",
        "oauth2Token",
        "cvv2",
        "creditCardNumber",
        "seedWords",
        "password_confirmation",
    ],
)
def test_names_that_say_secret(name: str) -> None:
    assert is_secret_name(name)
    for value, schema in ((HIDDEN, {"type": "integer"}), (HIDDEN, {"maxLength": 3}), ([HIDDEN], {"type": "string"})):
        assert HIDDEN not in everything_said({"properties": {name: schema}}, {name: value})


@pytest.mark.parametrize(
    "name",
    [
        *("max_tokens", "maxTokens", "min_tokens", "token_count", "maxTokenCount", "totalTokens", "max_output_tokens"),
        *("tokens", "cache_write_tokens", "next_token", "pageToken", "continuationToken", "tokenAddress", "token_id"),
        *("has_password", "isSecret", "secretName", "type_signature", "signature", "passwordChangeDate", "apiKeyName"),
        *("tokenizer", "token_type", "secretary", "password_length", "auth_type", "authMethod", "author", "authors"),
        *("passenger", "passport", "passage", "compass", "bypass", "pass_rate", "pass_through", "first_pass"),
        *("pinned", "pinMessage", "description", "code", "country_code", "statusCode", "zip_code", "postalCode"),
        *("error_code", "barcode", "encode", "decode", "key", "keys", "keyword", "primary_key", "publicKey"),
        *("foreign_key", "sort_key", "monkey", "hotkeys", "session", "session_name", "session_count", "client_id"),
    ],
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
        # What a message hides, no fix repeats.
        ({"properties": {"c": {"type": "array"}}}, {"c": f"Bearer {HIDDEN}"}),
        ({"properties": {"c": {"type": "array"}}}, {"c": f"dbPass={HIDDEN}"}),
        ({"properties": {"c": {"type": "array"}}}, {"c": f"https://me:{HIDDEN}@example.com"}),
        ({"properties": {"c": {"type": "array"}}}, {"c": "x" * 5_000 + f" password={HIDDEN}"}),
        ({"properties": {"c": {"type": "array"}}}, {"c": {"d": [f"Bearer {HIDDEN}"]}}),
        ({"properties": {"c": {"type": "object"}}}, {"c": json.dumps({"d": f"Authorization: Bearer {HIDDEN}"})}),
        ({"properties": {"c": {"type": "object"}}}, {"c": json.dumps({"d": json.dumps({"token": HIDDEN})})}),
        ({"properties": {"c": {"type": "object"}, "z": MARKED}}, {"c": json.dumps({"d": json.dumps({"e": HIDDEN})})}),
        *[
            ({"properties": {"c": {"type": "object"}}}, {"c": json.dumps({"d": value})})
            for value in (
                {"name": "password", "value": HIDDEN},
                ["api_key", HIDDEN],
                ["run", "--token", HIDDEN],
                f"curl --password {HIDDEN}",
                f"<secret>{HIDDEN}</secret>",
                f"Basic {HIDDEN}X",
                f"https://{HIDDEN}@example.com",
            )
        ],
        ({"properties": {"c": {"type": "integer"}}}, {"c": f"curl --password {HIDDEN}"}),
        ({"properties": {"c": {"type": "integer"}}}, {"c": f"Basic {HIDDEN}X"}),
        # Names inside a secret value, as unknown, near to a missing one, or on the way to what is wrong.
        ({"properties": {"secret": {"additionalProperties": False}}}, {"secret": {HIDDEN: 1}}),
        ({"properties": {"z": {**MARKED, "unevaluatedProperties": False}}}, {"z": {HIDDEN: 1}}),
        ({"properties": {"z": {**MARKED, "propertyNames": {"maxLength": 3}}}}, {"z": {HIDDEN: 1}}),
        # What is no JSON.
        ({"properties": {"z": MARKED}}, {"z": {(HIDDEN,): 1}}),
        ({"properties": {"z": {"format": "password"}}}, {"z": [{HIDDEN}]}),
    ],
)
def test_no_secret_is_echoed(schema: Any, instance: Any) -> None:
    assert HIDDEN[:10] not in everything_said(schema, instance)


@pytest.mark.parametrize("reference", ["$dynamicRef", "$recursiveRef"])
def test_marks_that_a_dynamic_scope_brings_in(reference: str) -> None:
    """The reference leads to `base` where nothing overrides it, which marks nothing."""
    anchor = {"$dynamicAnchor": "t"} if reference == "$dynamicRef" else {"$recursiveAnchor": True}
    target = {reference: "#t" if reference == "$dynamicRef" else "#"}
    base = {"$id": "https://e.test/base", **anchor, "properties": {"inner": target}}
    schema = {
        "$schema": "https://json-schema.org/draft/2019-09/schema" if "$recursiveAnchor" in anchor else None,
        "$id": "https://e.test/root",
        **anchor,
        "properties": {"z": {**SHORT, **MARKED}},
        "$ref": "https://e.test/base",
        "$defs": {"base": base},
    }
    assert HIDDEN not in everything_said({k: v for k, v in schema.items() if v is not None}, {"inner": {"z": HIDDEN}})


@pytest.mark.parametrize("value", [float("inf"), float("nan"), {4711: 1}, {1: 4711}, [{(4711,): 1}]])
def test_what_is_no_json_in_a_secret_place(value: Any) -> None:
    report = schemafuse.compile({"properties": {"z": MARKED}}).check({"z": value})
    assert "got a secret value" in report.text()
    assert "4711" not in report.text()
    assert "inf" not in report.text()


def test_names_in_a_secret_value_are_shown_where_the_schema_gives_them() -> None:
    part = {"properties": {"known": {"type": "integer"}}, "additionalProperties": {"items": {"type": "integer"}}}
    report = schemafuse.compile({"properties": {"secret": part}}).check({"secret": {"known": "x", HIDDEN: ["x"]}})
    assert "- /secret/known: " in report.text()
    assert "- /secret/…/0: " in report.text()
    assert [error.instance_location for error in report.errors] == ["/secret/known", f"/secret/{HIDDEN}/0"]
    closed = schemafuse.compile(
        {"properties": {"secret": {"properties": {"known": {}}, "additionalProperties": False}}}
    )
    assert '/secret: 2 unknown properties; allowed: "known"' in closed.check({"secret": {"a": 1, "knwon": 1}}).text()


@pytest.mark.parametrize("sent", ["ALPHA", "alpah", "1"])
def test_no_hint_tells_which_secret_value_is_near(sent: str) -> None:
    for schema in ({"enum": ["alpha", "beta", 1]}, {"anyOf": [{"const": "alpha"}, {"const": "beta"}]}):
        for properties in ({"token": schema}, {"token": {**schema, **MARKED}}):
            (error, *_) = schemafuse.compile({"properties": properties}).check({"token": sent}).errors
            assert "did you mean" not in error.message
            assert error.fix is None


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


TOKENS = (
    "ghp_abcdefghijkl123456",
    "run with sk-proj-abcdefghijklmn",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0",
    "https://example.com/a?sv=1&sig=abcdef",
    "https://example.com/a?X-Amz-Signature=abcdef",
    "-----BEGIN RSA PRIVATE KEY-----",
)


def test_text_that_tells_a_secret() -> None:
    assert tells_secret('{"a": 1}')
    for text in (
        "pinCode: 4",
        "--db-pass=x",
        "my api key: x",
        r"{\"apiKey\": 1}",
        "a?session_id=1",
        "<apiKey>x",
        *TOKENS,
    ):
        assert gives_secret(text)
    for text in (
        '{"a": 1}',
        "the token count is high",
        "token count: 3",
        "key: x",
        "see https://example.com:80/a@b",
        "ssh://git@host/x",
        "basic information",
        "Bearer of bad news",
        "x --token-count 3",
        "<key>x</key>",
        "the task-force of risk-management",
        "https://example.com/design=blue?sign=5",
    ):
        assert not gives_secret(text)


# --- the search for secrets has a budget for each report -----------------------------------------------------------

WIDE = {"items": {"type": "array", "items": {"anyOf": [{"properties": {f"x{i}": SHORT}} for i in range(290)]}}}
LEVELS = {
    f"d{i}": {"items": {"anyOf": [{"$ref": f"#/$defs/d{(i * 7 + j) % 300}"} for j in range(25)]}} for i in range(300)
}
DEEP = {"$defs": LEVELS, "items": {"allOf": [{"$ref": "#/$defs/d0"}, {"type": "array"}]}}


@pytest.mark.parametrize("schema", [WIDE, DEEP, {"items": {"type": "array"}}])
@pytest.mark.parametrize(
    "value",
    [
        [{f"x{i % 290}": "a"} for i in range(4_900)],
        [[[[["x"]]]]] * 3_000,
        [{f"name{i}": 1 for i in range(4_000)}],
        ["a:" * 1_000 + str(i) for i in range(25)],
    ],
    ids=["members", "levels", "names", "text"],
)
def test_the_search_is_bounded(schema: Any, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each error would look through all of it: that took minutes."""
    counts: Counter[str] = Counter()
    for module, name in ((places, "held_by"), (secrets, "is_secret_name"), (secret_names, "is_secret_name")):
        monkeypatch.setattr(module, name, counted(getattr(module, name), counts))
    validator = schemafuse.compile({**schema, "properties": {"z": MARKED}}, limits=Limits(max_compile_ms=10_000))
    begin = perf_counter()
    report = validator.check([json.dumps(value)] * 8)
    assert report.status == "invalid"
    assert report.text()
    assert perf_counter() - begin < 4
    assert counts["held_by"] <= 50_000
    assert counts["is_secret_name"] <= 10_000


def counted(function: Any, counts: Counter[str]) -> Any:
    def call(*arguments: Any) -> Any:
        counts[function.__name__] += 1
        return function(*arguments)

    return call


def test_what_is_too_much_to_look_through_counts_as_secret() -> None:
    validator = schemafuse.compile({"properties": {"z": MARKED}})
    found = secrets.Secrets(validator)
    calls = [found.inside([{"a": 1}] * 1_000, ("b",)) for _ in range(20)]
    assert calls == sorted(calls)
    assert (calls[0], calls[-1]) == (False, True)
    branches = [{"properties": {"b": {"title": str(i)}}} for i in range(400)]
    validator = schemafuse.compile({"anyOf": branches, "properties": {"z": MARKED}})
    assert secrets.Secrets(validator).at(("b",))


def test_what_was_given_in_place_of_a_marked_item_or_member_is_not_repeated() -> None:
    marked = {"type": "string", "writeOnly": True}
    for schema in (
        {"type": "array", "items": marked},
        {"type": "object", "properties": {"x": marked}},
        {"anyOf": [{"type": "object", "additionalProperties": marked}, {"type": "array"}]},
    ):
        for text in ("hunter2", "{'x': 'hunter2'}", "x=hunter2"):
            report = schemafuse.compile({"properties": {"v": schema}}).check({"v": text})
            assert "hunter2" not in json.dumps(report.to_dict())


def test_neither_tag_nor_condition_tells_a_secret() -> None:
    def branch(pin: str, required: str) -> dict[str, Any]:
        return {"properties": {"pin": {"const": pin}}, "required": ["pin", required]}

    union = {"oneOf": [branch("0000", "a"), branch("1234", "b")]}
    assert "1234" not in schemafuse.compile(union).check({"pin": "1234"}).text()
    condition = {"if": {"properties": {"k": {"const": "s3", "writeOnly": True}}, "required": ["k"]}, "then": False}
    assert "s3" not in schemafuse.compile(condition).check({"k": "s3"}).text()


def test_a_long_name_is_read_at_both_ends() -> None:
    for name in ("password_" + "x" * 1_000, "x" * 1_000 + "_password"):
        assert is_secret_name(name)
    assert not is_secret_name("x" * 1_000)
