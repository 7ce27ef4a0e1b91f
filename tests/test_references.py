"""References: what each resolves to, and what is refused; nothing is ever fetched."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from schemafuse.admission import Deadline, Document, DynamicTarget, Subschema, admit
from schemafuse.errors import SchemaError
from schemafuse.limits import DEFAULT_LIMITS, Limits
from schemafuse.uris import join

DRAFT_04 = "http://json-schema.org/draft-04/schema#"
DRAFT_07 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse_socket(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse_socket)


def run(schema: Any, resources: Any = None, limits: Limits = DEFAULT_LIMITS) -> Document:
    return admit(schema, limits, None, resources, Deadline(10_000))


def refuse(schema: Any, resources: Any = None, limits: Limits = DEFAULT_LIMITS) -> SchemaError:
    with pytest.raises(SchemaError) as caught:
        run(schema, resources, limits)
    assert len(caught.value.message) <= 320
    return caught.value


def target(schema: Any, resources: Any = None, keyword: str = "$ref") -> Subschema:
    found = run(schema, resources).root.targets[keyword]
    assert type(found) is Subschema
    return found


# Pointers and anchors -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "pointer"),
    [
        ("#", ""),
        ("", ""),
        ("#/", "/"),
        ("#/$defs/a~1b~0c", "/$defs/a~1b~0c"),
        ("#/%24defs/a%25b", "/$defs/a%b"),
        ("#/$defs/é", "/$defs/é"),
        ("#/$defs/%C3%A9", "/$defs/é"),
        ("#/$defs/$ref", "/$defs/$ref"),
        ("#/allOf/0/items", "/allOf/0/items"),
        ("#/allOf/1", "/allOf/1"),
        ("#there", "/$defs/é"),
        ("#/x-own/deep/0", "/x-own/deep/0"),
        ("#/x-own/deep/0/not", "/x-own/deep/0/not"),
        ("#/$defs/e/enum/0", "/$defs/e/enum/0"),
        ("#/$defs/0", "/$defs/0"),
    ],
)
def test_local_references(reference: str, pointer: str) -> None:
    schema = {
        "$ref": reference,
        "": {},
        "$defs": {
            "a/b~c": {}, "a%b": {}, "é": {"$anchor": "there"}, "$ref": {}, "e": {"enum": [{"type": "string"}]}, "0": {},
        },
        "allOf": [{"items": {}}, True],
        "x-own": {"deep": [{"not": {}}]},
    }  # fmt: skip
    assert target(schema).pointer == pointer


@pytest.mark.parametrize(
    "reference",
    [
        "#/nope", "#nope", "#/$defs/b", "#/$defs/", "#/allOf/00", "#/allOf/-1", "#/allOf/1", "#/allOf/+0", "#/allOf/٠",
        "#/$defs/../x", "#/minLength", "#/title", "#/allOf", "#/required", "#/$defs/a/type", "#/$defs/a/type/0",
        "#/allOf/0/" + "a/" * 100_000, "#/$defs/%zz", "#%zz", "#/\ud800", "#/allOf/9999999999999999999",
    ],
)  # fmt: skip
def test_nothing_there(reference: str) -> None:
    schema = {"$ref": reference, "$defs": {"a": {"type": "null"}}, "allOf": [{}], "minLength": 1, "title": "t"}
    error = refuse({"properties": {"p": schema}, **schema})
    assert error.code == "unresolvable_ref"
    assert error.location.endswith("/$ref")


def test_the_nearest_name_is_suggested() -> None:
    assert 'did you mean "#/$defs/Address"?' in refuse({"$ref": "#/$defs/Adress", "$defs": {"Address": {}}}).message
    assert 'did you mean "#qty"?' in refuse({"$ref": "#qtty", "items": {"$anchor": "qty"}}).message
    many = {f"name{index}": {} for index in range(5_000)}
    assert refuse({"$ref": "#/$defs/name", "$defs": many}).code == "unresolvable_ref"


def test_a_reference_anywhere_must_resolve() -> None:
    error = refuse({"$defs": {"unused": {"items": {"$ref": "#/$defs/gone"}}}})
    assert error.location == "/$defs/unused/items/$ref"


def test_many_references_take_linear_time() -> None:
    count = 4_900
    for schema in (
        {"oneOf": [{"$ref": f"#/oneOf/{(index + 1) % count}"} for index in range(count)]},
        {"oneOf": [{"$ref": f"#/oneOf/{index}/x", "x": {}} for index in range(count)]},
        {"$defs": {f"d{index}": {"$anchor": f"a{index}", "$ref": f"#a{index // 2}"} for index in range(count)}},
    ):
        admit(schema, DEFAULT_LIMITS, None, None, Deadline(10_000))


# Data that a reference makes a schema ---------------------------------------------------------------------------------


def test_target_in_data_is_a_schema() -> None:
    document = run({"$ref": "#/x/y", "x": {"y": {"properties": {"a": {"$ref": "#/x/z"}}}, "z": True}})
    found: Any = document.root.targets["$ref"]
    assert found.children["properties"]["a"].targets["$ref"].pointer == "/x/z"
    assert len(document.subschemas) == 4


def test_two_references_share_a_target() -> None:
    document = run({"allOf": [{"$ref": "#/x"}, {"$ref": "#/x"}], "x": {}})
    one, other = document.root.children["allOf"]
    assert one.targets["$ref"] is other.targets["$ref"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("schema", "location"),
    [
        ({"$ref": "#/default", "default": {"type": 5, "properties": 7}}, "/default/"),
        ({"$ref": "#/x/y", "x": {"y": {"allOf": 5}}}, "/x/y/allOf"),
        ({"$ref": "#/x", "x": {"properties": {"a": {"type": "int"}}}}, "/x/properties/a/type"),
    ],
)
def test_target_in_data_is_checked(schema: Any, location: str) -> None:
    error = refuse(schema)
    assert error.code == "invalid_schema"
    assert error.location.startswith(location)


def test_target_in_data_is_counted() -> None:
    schema = {"$ref": "#/x", "x": {"anyOf": [{}] * 9}}
    assert len(run(schema, limits=Limits(max_subschemas=11)).subschemas) == 11
    assert refuse(schema, limits=Limits(max_subschemas=10)).code == "too_many_subschemas"
    deep: Any = {}
    for _ in range(60):
        deep = {"not": deep}
    assert refuse({"not": {"not": {"not": {"$ref": "#/not/not/not/x", "x": deep}}}}).code == "too_deep"


def test_reading_data_again_and_again_is_bounded() -> None:
    data: Any = {"title": "x" * 9_000}
    for _ in range(50):
        data = {"x": data, "enum": ["x" * 500]}
    schema = {"allOf": [{"$ref": "#" + "/x" * depth} for depth in range(1, 51)], **data}
    assert refuse(schema, limits=Limits(max_schema_bytes=50_000)).code == "too_large"


def test_identifiers_in_data_mean_nothing_beside_real_ones() -> None:
    schema = {
        "$id": "http://x.test/root",
        "enum": [{"$id": "http://x.test/a", "type": "null"}],
        "allOf": [{"$ref": "#/enum/0"}, {"$ref": "a"}],
        "$defs": {"a": {"$id": "http://x.test/a", "type": "string"}},
    }
    one, other = run(schema).root.children["allOf"]
    assert one.targets["$ref"].pointer == "/enum/0"  # type: ignore[union-attr]
    assert other.targets["$ref"].pointer == "/$defs/a"  # type: ignore[union-attr]
    assert refuse({"enum": [{"$id": "http://x.test/a"}], "$ref": "http://x.test/a"}).code == "remote_ref"


# Base URIs and embedded resources -------------------------------------------------------------------------------------


def test_embedded_resources() -> None:
    schema = {
        "$id": "https://x.test/dir/root",
        "$ref": "other#/$defs/b",
        "$defs": {
            "other": {"$id": "other", "$defs": {"b": {"$ref": "#c"}, "c": {"$anchor": "c"}}},
            "c": {"$anchor": "c"},
        },
    }
    found = target(schema)
    assert found.pointer == "/$defs/other/$defs/b"
    assert found.resource.uri == "https://x.test/dir/other"
    assert found.targets["$ref"].pointer == "/$defs/other/$defs/c"  # type: ignore[union-attr]


def test_a_pointer_may_cross_into_an_embedded_resource() -> None:
    inner = {"$id": "in", "$defs": {"s": {"$ref": "#/$defs/t"}, "t": {}}}
    found = target({"$id": "https://x.test/root", "$ref": "#/$defs/in/$defs/s", "$defs": {"in": inner}})
    assert found.targets["$ref"].pointer == "/$defs/in/$defs/t"  # type: ignore[union-attr]


def test_a_document_may_name_itself() -> None:
    schema = {"$id": "http://127.0.0.1:1/self", "$ref": "http://127.0.0.1:1/self#/$defs/a", "$defs": {"a": {}}}
    assert target(schema).pointer == "/$defs/a"


def test_ref_hides_a_sibling_id_up_to_draft_07() -> None:
    moved = {"$id": "http://y.test/", "$ref": "a"}
    schema = {"$id": "http://x.test/", "allOf": [moved], "definitions": {"a": {"$id": "a"}}}
    (child,) = run({**schema, "$schema": DRAFT_07}).root.children["allOf"]
    assert child.targets["$ref"].pointer == "/definitions/a"  # type: ignore[union-attr]
    assert refuse(schema).code == "remote_ref"


def test_fragment_identifiers_are_anchors_up_to_draft_07() -> None:
    for dialect, keyword in ((DRAFT_07, "$id"), (DRAFT_04, "id")):
        schema = {"$schema": dialect, "$ref": "#foo", "definitions": {"a": {keyword: "#foo", "type": "string"}}}
        assert target(schema).pointer == "/definitions/a"
        assert refuse({**schema, "$ref": "#bar"}).code == "unresolvable_ref"


@pytest.mark.parametrize(
    ("schema", "ok"),
    [
        ({"$defs": {"x": {"$anchor": "a", "title": "1"}, "y": {"$anchor": "a"}}}, False),
        ({"$defs": {"x": {"$anchor": "a"}, "y": {"$anchor": "a"}}}, True),
        ({"$defs": {"x": {"$anchor": "a"}, "y": {"$id": "y", "$anchor": "a", "title": "1"}}}, True),
        ({"$defs": {"x": {"$dynamicAnchor": "a", "title": "1"}, "y": {"$anchor": "a"}}}, False),
        ({"$defs": {"x": {"$dynamicAnchor": "a", "$anchor": "a"}}}, True),
        ({"allOf": [{"$id": "b", "const": 1}, {"$id": "b", "const": True}]}, False),
        ({"allOf": [{"$id": "b", "const": [1]}, {"$id": "b", "const": [1]}]}, True),
        ({"allOf": [{"$id": "b", "$ref": "#x", "$defs": {"a": {"$anchor": "x"}}}, {"$id": "b"}]}, False),
        ({"$id": "http://x.test/a", "not": {"$id": "a"}}, False),
        ({"$id": "http://x.test/a", "not": {"$id": "../b/../a#", "$comment": "with dots"}}, False),
        ({"default": {"$id": "a"}, "not": {"$id": "a", "title": "t"}, "enum": [{"$id": "a"}]}, True),
    ],
)
def test_duplicate_identifiers(schema: Any, ok: bool) -> None:
    if ok:
        run(schema)
    else:
        assert refuse(schema).code == "duplicate_id"


ODD_URIS = [
    "http://[::1", "//[", "//[#a", "http://[::bad", "http://x:y:z/", "urn:", ":", "://", "?", "a b", "\t",
    "http://\ud800/", "%", "http:// x/", "data:,x", "mailto:a@b", "file:///etc/passwd", "jar:http://x!/y", "../..",
    "/../..", "x" * 50_000,
]  # fmt: skip


@pytest.mark.parametrize("uri", ODD_URIS, ids=range(len(ODD_URIS)))
def test_odd_uris(uri: str) -> None:
    codes = {
        refuse({"$id": "http://x.test/a/b/c", "$ref": uri}).code,
        refuse({"$id": "http://x.test/a/b", "$ref": uri + "#/x"}).code,
        refuse({"$ref": uri + "#/x", "properties": {"a": {"$id": "http://x.test/"}}}).code,
    }
    assert codes <= {"remote_ref", "unresolvable_ref"}
    run({"$id": uri.partition("#")[0], "items": {"$id": "a"}, "$defs": {"a": {"$id": "b", "$ref": "a"}}})


def test_long_base_uris_are_bounded() -> None:
    schema = {"$id": "http://x.test/" + "a/" * 10_000, "$defs": {str(i): {"$id": f"i{i}"} for i in range(2_000)}}
    error = refuse(schema)
    assert error.code == "too_large"


@pytest.mark.parametrize(
    ("base", "reference", "joined"),
    [
        ("http://a/b/c/d;p?q", "g:h", "g:h"), ("http://a/b/c/d;p?q", "g", "http://a/b/c/g"),
        ("http://a/b/c/d;p?q", "./g", "http://a/b/c/g"), ("http://a/b/c/d;p?q", "g/", "http://a/b/c/g/"),
        ("http://a/b/c/d;p?q", "/g", "http://a/g"), ("http://a/b/c/d;p?q", "//g", "http://g"),
        ("http://a/b/c/d;p?q", "?y", "http://a/b/c/d;p?y"), ("http://a/b/c/d;p?q", "g?y", "http://a/b/c/g?y"),
        ("http://a/b/c/d;p?q", ";x", "http://a/b/c/;x"), ("http://a/b/c/d;p?q", "", "http://a/b/c/d;p?q"),
        ("http://a/b/c/d;p?q", ".", "http://a/b/c/"), ("http://a/b/c/d;p?q", "..", "http://a/b/"),
        ("http://a/b/c/d;p?q", "../g", "http://a/b/g"), ("http://a/b/c/d;p?q", "../../g", "http://a/g"),
        ("http://a/b/c/d;p?q", "../../../g", "http://a/g"), ("http://a/b/c/d;p?q", "/../g", "http://a/g"),
        ("http://a/b/c/d;p?q", "g..", "http://a/b/c/g.."), ("http://a/b/c/d;p?q", "./g/.", "http://a/b/c/g/"),
        ("http://a/b/c/d;p?q", "g;x=1/../y", "http://a/b/c/y"), ("http://a/b/c/d;p?q", "http:g", "http:g"),
        ("http://a", "g", "http://a/g"), ("", "x/../y", "y"), ("", "a", "a"), ("urn:a:b", "urn:c:d", "urn:c:d"),
    ],
)  # fmt: skip
def test_joining(base: str, reference: str, joined: str) -> None:
    # RFC 3986 section 5.4, and bases without a hierarchy.
    assert join(base, reference) == joined


# Other documents ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "http://127.0.0.1:1/x.json"},
        {"$ref": "x.json"},
        {"$id": "http://127.0.0.1:1/", "$ref": "x.json"},
        {"$ref": "//127.0.0.1:1/x.json"},
        {"$ref": "file:///etc/hostname"},
        {"$ref": "urn:example:thing"},
        {"$dynamicRef": "https://x.test/y#m"},
        {"$schema": DRAFT_2019, "$recursiveRef": "https://x.test/y"},
        {"$schema": DRAFT_04, "id": "http://x.test/", "$ref": "x.json"},
        {"properties": {"a": {"$id": "http://x.test/", "properties": {"b": {"$ref": "x.json"}}}}},
        {"$ref": "https://json-schema.org/draft/2021-99/schema"},
    ],
)
def test_remote_references(schema: Any) -> None:
    error = refuse(schema)
    assert error.code == "remote_ref"
    assert "never fetched" in error.message


@pytest.mark.parametrize(
    "uri",
    [DRAFT_2020, DRAFT_2020 + "#", "http://json-schema.org/draft/2020-12/schema", DRAFT_2019, DRAFT_07, DRAFT_07[:-1],
     "https://json-schema.org/draft-07/schema", "http://json-schema.org/draft-06/schema#", DRAFT_04,
     "https://json-schema.org/draft/2020-12/meta/core", "https://json-schema.org/draft/2019-09/meta/applicator"],
)  # fmt: skip
def test_bundled_metaschemas(uri: str) -> None:
    document = run({"properties": {"schema": {"$ref": uri}}})
    found: Any = document.root.children["properties"]["schema"].targets["$ref"]  # type: ignore[index,call-overload]
    assert found.document == uri.rstrip("#")
    assert "$schema" in found.value


def test_resources() -> None:
    resources = {
        "http://x.test/a": {"$id": "http://y.test/a", "items": {"$ref": "b#/$defs/c"}, "$anchor": "top"},
        "http://y.test/b": {"$defs": {"c": {"type": "string"}}},
        "http://y.test/unused": {"type": 5},
        "rel": True,
    }
    references = ["http://y.test/a", "rel", "http://x.test/a#top"]
    document = run({"anyOf": [{"$ref": reference} for reference in references]}, resources)
    assert set(document.values) == {"", "http://x.test/a", "http://y.test/b", "rel"}
    assert {resource.document for resource in document.resources} == set(document.values)
    one, two, three = document.root.children["anyOf"]
    assert one.targets["$ref"] is three.targets["$ref"]  # type: ignore[union-attr]
    assert two.targets["$ref"].value is True  # type: ignore[union-attr]
    assert len(document.subschemas) == 4 + 2 + 2 + 1


def test_resources_are_held_to_the_same_rules() -> None:
    for resource, code in (
        ({"type": "int"}, "invalid_schema"), ({1: 2}, "not_json"), ("{}", "invalid_schema"), (None, "invalid_schema"),
        ({"$ref": "http://x.test/b"}, "remote_ref"), ({"$ref": "#/gone"}, "unresolvable_ref"),
        ({"title": "x" * (1 << 20)}, "too_large"), ({"anyOf": [{}] * 10_000}, "too_many_subschemas"),
        ({"$schema": "http://x.test/none"}, "unsupported_dialect"),
    ):  # fmt: skip
        assert refuse({"$ref": "http://x.test/a"}, {"http://x.test/a": resource}).code == code
    parts = {f"http://x.test/{i}": {"title": "x" * 30_000} for i in range(40)}
    assert refuse({"allOf": [{"$ref": uri} for uri in parts]}, parts).code == "too_large"


def test_a_resource_takes_the_dialect_of_what_refers_to_it() -> None:
    resources = {"http://x.test/a": {"items": [{"type": "string"}]}}
    run({"$schema": DRAFT_07, "$ref": "http://x.test/a"}, resources)
    assert refuse({"$ref": "http://x.test/a"}, resources).code == "invalid_schema"
    resources["http://x.test/a"]["$schema"] = DRAFT_07  # type: ignore[assignment]
    assert target({"$ref": "http://x.test/a"}, resources).resource.dialect.name == "draft-07"


def test_whatever_resources_raise_is_not_found() -> None:
    class Raising(dict[str, Any]):
        def __getitem__(self, key: str) -> Any:
            raise ValueError(key)

    assert refuse({"$ref": "http://x.test/a"}, Raising()).code == "remote_ref"


# Dynamic references ---------------------------------------------------------------------------------------------------


def test_dynamic_ref() -> None:
    tree = {"$id": "http://x.test/t", "$dynamicAnchor": "node", "items": {"$dynamicRef": "#node"}}
    found: Any = run(tree).root.children["items"].targets["$dynamicRef"]  # type: ignore[union-attr]
    assert type(found) is DynamicTarget
    assert (found.anchor, found.initial.pointer) == ("node", "")


@pytest.mark.parametrize("reference", ["#plain", "#/$defs/dynamic", "#"])
def test_dynamic_ref_to_what_is_not_a_dynamic_anchor_is_static(reference: str) -> None:
    schema = {"$dynamicRef": reference, "$defs": {"dynamic": {"$dynamicAnchor": "d"}, "plain": {"$anchor": "plain"}}}
    assert type(run(schema).root.targets["$dynamicRef"]) is Subschema


def test_ref_to_a_dynamic_anchor_is_static() -> None:
    assert target({"$ref": "#d", "$defs": {"x": {"$dynamicAnchor": "d"}}}).pointer == "/$defs/x"


@pytest.mark.parametrize("anchor", [True, False])
def test_recursive_ref(anchor: bool) -> None:
    schema = {"$schema": DRAFT_2019, "$recursiveAnchor": anchor, "items": {"$recursiveRef": "#"}}
    document = run(schema)
    found: Any = document.root.children["items"].targets["$recursiveRef"]  # type: ignore[union-attr]
    assert type(found) is (DynamicTarget if anchor else Subschema)
    assert document.root.resource.recursive_anchor is anchor


def test_references_of_another_dialect_mean_nothing() -> None:
    assert run({"$schema": DRAFT_07, "$dynamicRef": "http://x.test/", "$recursiveRef": "#"}).root.targets == {}
    assert run({"$recursiveRef": "#"}).root.targets == {}
