"""The metaschema check: what it takes, what it refuses, and what it says about it."""

from __future__ import annotations

from typing import Any

import pytest

from schemafuse.admission import Deadline, Document, admit
from schemafuse.dialects import DIALECTS, find_dialect
from schemafuse.errors import SchemaError
from schemafuse.limits import DEFAULT_LIMITS, Limits
from schemafuse.metaschemas import bundled_metaschema

DRAFT_04 = "http://json-schema.org/draft-04/schema#"
DRAFT_06 = "http://json-schema.org/draft-06/schema#"
DRAFT_07 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"


def run(schema: Any, resources: Any = None, limits: Limits = DEFAULT_LIMITS, dialect: str | None = None) -> Document:
    return admit(schema, limits, dialect, resources, Deadline(10_000))


def refuse(schema: Any, resources: Any = None, dialect: str | None = None) -> SchemaError:
    with pytest.raises(SchemaError) as caught:
        run(schema, resources, dialect=dialect)
    assert len(caught.value.message) <= 320
    return caught.value


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_every_dialect_admits_its_own_metaschema(dialect: Any) -> None:
    document = run(bundled_metaschema(dialect.uri.rstrip("#")))
    assert document.root.resource.dialect is dialect


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_spellings_of_a_dialect(dialect: Any) -> None:
    rest = dialect.uri.split("://")[1].rstrip("#")
    for uri in (f"http://{rest}", f"https://{rest}", f"http://{rest}#", f"https://{rest}#"):
        assert find_dialect(uri) is dialect
        assert run({"$schema": uri}).root.resource.dialect is dialect
        assert run(True, dialect=uri).root.resource.dialect is dialect if dialect.name != "draft-04" else True


@pytest.mark.parametrize(
    ("schema", "location", "says"),
    [
        ({"properties": {"n": {"type": "int"}}}, "/properties/n/type", 'did you mean "integer"?'),
        ({"type": "String"}, "/type", 'did you mean "string"?'),
        ({"type": ["str", "null"]}, "/type", 'did you mean "string"?'),
        ({"items": {"type": "any"}}, "/items/type", "leave type out"),
        ({"type": "zzz"}, "/type", "the types are"),
        ({"type": ["null", "null"]}, "/type", "twice"),
        ({"type": 5}, "/type", "array of names"),
        ({"properties": {"h": {"required": True}}}, "/properties/h/required", 'put "h" into the required array'),
        ({"properties": {"h": {"required": False}}}, "/properties/h/required", "leave it out"),
        ({"required": "a"}, "/required", 'write ["a"]'),
        ({"required": ["a", 5]}, "/required", "property names"),
        ({"required": ["a", "a"]}, "/required", "twice"),
        ({"properties": {"required": ["a"]}}, "/properties/required", "one level up"),
        ({"properties": {"type": "object"}}, "/properties/type", "one level up"),
        ({"properties": {"a": "string"}}, "/properties/a", '{"type": "string"}'),
        ({"properties": {"a": None}}, "/properties/a", "write {}"),
        ({"properties": []}, "/properties", "maps names to schemas"),
        ({"$defs": {"a": 5}}, "/$defs/a", "object or a boolean"),
        ({"definitions": [1]}, "/definitions", "maps names to schemas"),
        ({"minLength": -1}, "/minLength", "non-negative integer"),
        ({"maxItems": 1.5}, "/maxItems", "non-negative integer"),
        ({"maxItems": "5"}, "/maxItems", "write 5"),
        ({"minimum": "0"}, "/minimum", "write 0"),
        ({"minimum": None}, "/minimum", "leave it out"),
        ({"multipleOf": 0}, "/multipleOf", "greater than 0"),
        ({"minimum": 0, "exclusiveMinimum": True}, "/exclusiveMinimum", "only in draft-04"),
        ({"exclusiveMaximum": False}, "/exclusiveMaximum", "leave it out"),
        ({"enum": "a"}, "/enum", 'write ["a"]'),
        ({"items": [{}]}, "/items", "prefixItems"),
        ({"items": None}, "/items", "write {}"),
        ({"additionalProperties": "no"}, "/additionalProperties", "object or a boolean"),
        ({"allOf": []}, "/allOf", "at least one schema"),
        ({"anyOf": {}}, "/anyOf", "at least one schema"),
        ({"oneOf": [{}, 5]}, "/oneOf/1", "object or a boolean"),
        ({"$ref": 42}, "/$ref", "string"),
        ({"title": {"type": "string"}}, "/title", "string"),
        ({"uniqueItems": "yes"}, "/uniqueItems", "true or false"),
        ({"$anchor": "5"}, "/$anchor", "plain name"),
        ({"$id": "a#b"}, "/$id", "$anchor"),
        ({"$recursiveAnchor": True}, "/$recursiveAnchor", "2019-09"),
        ({"dependentRequired": {"a": "b"}}, "/dependentRequired", "property names"),
        ({"dependencies": {"a": 5}}, "/dependencies/a", "property names"),
        ({"$vocabulary": 5}, "/$vocabulary", "2020-12"),
        ({"$schema": DRAFT_04, "items": True}, "/items", "schema"),
        ({"$schema": DRAFT_04, "not": True}, "/not", "boolean"),
        ({"$schema": DRAFT_04, "properties": {"a": True}}, "/properties/a", "boolean schemas"),
        ({"$schema": DRAFT_04, "exclusiveMinimum": 5}, "/exclusiveMinimum", "beside minimum"),
        ({"$schema": DRAFT_04, "exclusiveMinimum": True}, "", "add minimum"),
        ({"$schema": DRAFT_04, "required": []}, "/required", "at least one"),
        ({"$schema": DRAFT_04, "enum": [1, 1]}, "/enum", "twice"),
        ({"$schema": DRAFT_04, "enum": []}, "/enum", "empty"),
        ({"$schema": DRAFT_04, "$ref": 5}, "/$ref", "string"),
        ({"$schema": DRAFT_04, "id": 5}, "/id", "string"),
        ({"$schema": DRAFT_04, "additionalProperties": {"type": "int"}}, "/additionalProperties/type", "integer"),
        ({"$schema": DRAFT_07, "items": [{}, {"type": "int"}]}, "/items/1/type", "integer"),
        ({"$schema": DRAFT_07, "dependencies": {"a": {"type": "int"}}}, "/dependencies/a/type", "integer"),
        ({"$schema": DRAFT_2019, "items": [{"items": [True, {"type": "int"}]}]}, "/items/0/items/1/type", "integer"),
        ({"$schema": DRAFT_2019, "$recursiveAnchor": "x"}, "/$recursiveAnchor", "true or false"),
        ({"$schema": 42}, "/$schema", "URI"),
    ],
)
def test_what_is_wrong_and_what_to_write(schema: Any, location: str, says: str) -> None:
    error = refuse(schema)
    assert error.code == "invalid_schema"
    assert (error.location, says in error.message) == (location, True), error.message


def test_a_deep_fault_is_found_in_linear_time() -> None:
    schema: Any = {"type": "int"}
    for _ in range(60):
        schema = {"items": schema, "enum": [f"x{index}" for index in range(1_500)]}
    with pytest.raises(SchemaError) as caught:
        admit({"$schema": DRAFT_04, **schema}, DEFAULT_LIMITS, None, None, Deadline(3_000))
    assert caught.value.location == "/items" * 60 + "/type"


@pytest.mark.parametrize(
    "schema",
    [
        {"pattern": "(?P<n>a)"}, {"patternProperties": {"^[\\w-.]+$": {}}}, {"format": "nonsense"},
        {"$ref": "#/definitions/List[str]", "definitions": {"List[str]": {}}}, {"default": {"type": 5}}, {"enum": []},
        {"title": "\ud800", "properties": {"\ud800": {"type": "string", "enum": ["\ud800", "\udfff"]}}},
        {"minimum": 10**4_299, "enum": [10**4_000, 10**4_000 + 1], "maxLength": 10**30}, {"x": None}, {"type": []},
        {"required": []}, {"dependencies": {"a": []}},
    ],
)  # fmt: skip
def test_what_is_taken(schema: Any) -> None:
    if schema == {"type": []}:
        assert refuse(schema).message.endswith("must not be empty")
        return
    run(schema)
    run({"$schema": DRAFT_07, **schema})


def test_lone_surrogates_are_no_way_around_the_check() -> None:
    assert refuse({"\ud800": 1, "properties": {"\ud800": {"type": "int"}}}).location == "/properties/\ud800/type"
    assert refuse({"$schema": DRAFT_04, "enum": ["\ud800", "\ud800"]}).code == "invalid_schema"
    assert refuse({"type": "\ud800"}).code == "invalid_schema"


def test_huge_integers_are_compared_exactly_enough() -> None:
    limits = Limits(max_integer_digits=6_000)
    run({"maximum": 10**5_000, "minLength": 10**5_000, "enum": [10**5_000, 10**5_000 + 1]}, limits=limits)
    run({"$schema": DRAFT_04, "enum": [10**5_000, 10**5_000 + 1, -(10**5_000)]}, limits=limits)
    with pytest.raises(SchemaError):
        run({"minLength": -(10**5_000)}, limits=limits)


# Embedded resources ---------------------------------------------------------------------------------------------------


def test_embedded_resources_are_checked_in_their_own_dialect() -> None:
    old = {"$id": "http://x.test/old", "$schema": DRAFT_07, "items": [{"type": "string"}]}
    document = run({"properties": {"a": old}, "$defs": {"b": {"allOf": [{**old, "$id": "http://x.test/older"}]}}})
    assert [resource.dialect.name for resource in document.resources] == ["2020-12", "draft-07", "draft-07"]
    assert document.value["properties"]["a"]["items"] == [{"type": "string"}]  # type: ignore[index]
    nested: Any = {**old, "additionalItems": {"$id": "http://x.test/new", "$schema": DRAFT_2020, "prefixItems": [{}]}}
    assert len(run({"not": nested}).subschemas) == 5
    nested["additionalItems"]["items"] = [{}]
    assert refuse({"not": nested}).location == "/not/additionalItems/items"
    assert refuse({"$schema": DRAFT_07, "not": {**old, "$schema": DRAFT_2020}}).location == "/not/items"
    assert refuse({"not": old, "type": "int"}).location == "/type"


def test_the_dialect_of_an_embedded_resource_decides_its_keywords() -> None:
    inner = {"$id": "http://x.test/i", "$schema": DRAFT_04, "if": {"$ref": "http://nowhere.test/"}}
    assert refuse({"not": inner}).code == "remote_ref"  # draft-04 has no `$id`, so this is no resource
    assert len(run({"not": {**inner, "id": "http://x.test/i"}}).subschemas) == 2


def test_schema_keyword_below_a_resource_root_is_ignored() -> None:
    assert run({"properties": {"a": {"$schema": "http://x.test/none", "type": "string"}}})


# Custom metaschemas ---------------------------------------------------------------------------------------------------

CORE = "https://json-schema.org/draft/2020-12/vocab/core"
APPLICATOR = "https://json-schema.org/draft/2020-12/vocab/applicator"
ASSERTION = "https://json-schema.org/draft/2020-12/vocab/format-assertion"
URI = "http://x.test/meta"


def meta(vocabulary: Any = None, **more: Any) -> dict[str, Any]:
    metaschema: dict[str, Any] = {"$schema": DRAFT_2020, "$id": URI, **more}
    if vocabulary is not None:
        metaschema["$vocabulary"] = vocabulary
    return {URI: metaschema}


def test_vocabularies_decide_the_keywords() -> None:
    both = meta({CORE: True, APPLICATOR: True})
    document = run({"$schema": URI, "minimum": "no number", "properties": {"a": {}}}, both)
    dialect = document.root.resource.dialect
    assert "minimum" not in dialect.keywords
    assert "properties" in dialect.keywords
    assert (dialect.name, dialect.uri, dialect.asserts_format) == ("2020-12", URI, False)
    assert refuse({"$schema": URI, "properties": 5}, both).location == "/properties"
    assert len(run({"$schema": URI, "properties": 5}, meta({CORE: True})).subschemas) == 1


@pytest.mark.parametrize("required", [True, False])
def test_format_assertion(required: bool) -> None:
    assert run({"$schema": URI}, meta({CORE: True, ASSERTION: required})).root.resource.dialect.asserts_format


def test_unknown_vocabularies() -> None:
    error = refuse({"$schema": URI}, meta({CORE: True, "http://x.test/vocab": True}))
    assert error.code == "unsupported_dialect"
    assert "http://x.test/vocab" in error.message
    run({"$schema": URI}, meta({CORE: True, "http://x.test/vocab": False}))


def test_a_custom_metaschema_is_asserted() -> None:
    strict = meta(
        None, **{"$dynamicAnchor": "meta", "allOf": [{"$ref": DRAFT_2020}], "properties": {"title": {"maxLength": 3}}}
    )
    run({"$schema": URI, "title": "abc"}, strict)
    error = refuse({"$schema": URI, "properties": {"a": {"title": "abcd"}}}, strict)
    assert (error.code, error.location) == ("invalid_schema", "/properties/a/title")
    assert URI in error.message
    assert refuse({"$schema": URI, "type": "int"}, strict).location == "/type"
    chained = {**strict, "http://x.test/two": {"$schema": URI, "title": "two"}}
    assert run({"$schema": "http://x.test/two"}, chained).root.resource.dialect.name == "2020-12"
    assert run({}, strict, dialect=URI).root.resource.dialect.uri == URI


def test_custom_metaschemas_that_cannot_be_used() -> None:
    for metaschema in (
        {"$schema": URI}, {"$schema": "http://x.test/none"}, {"$schema": DRAFT_2020, "type": "int"}, {1: 2}, 5, "x",
        {"$schema": DRAFT_2020, "$ref": "http://x.test/remote"},
    ):  # fmt: skip
        error = refuse({"$schema": URI}, {URI: metaschema})
        assert (error.code, error.location) == ("unsupported_dialect", "/$schema")
    loop = {f"http://x.test/{i}": {"$schema": f"http://x.test/{(i + 1) % 20}"} for i in range(20)}
    assert refuse({"$schema": "http://x.test/0"}, loop).code == "unsupported_dialect"


@pytest.mark.parametrize(
    "uri", ["http://x.test/v9", "", "#", "file:///etc/passwd", "\ud800", DRAFT_07 + "x", "x" * 9_000], ids=range(7)
)
def test_unsupported_dialects(uri: str) -> None:
    embedded = {"not": {"$id": "http://x.test/a", "$schema": uri}}
    for error in (refuse({"$schema": uri}), refuse({}, dialect=uri), refuse(embedded)):
        assert error.code == "unsupported_dialect"
        assert DRAFT_2020 in error.message
