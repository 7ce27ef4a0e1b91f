"""`x-mcp-header`: which declarations are allowed. What is not allowed is never tolerated."""

import pytest

from schemafuse.mcp import HeaderParameter, Tool, ToolDefinitionError, vet_tools

SITE = {"type": "string", "x-mcp-header": "Site"}


def tool_with(properties, **schema):
    return Tool.from_dict({"name": "t", "inputSchema": {"type": "object", "properties": properties, **schema}})


def refusal(schema, *, lenient=False):
    """The code and place of the one fault in an input schema."""
    with pytest.raises(ToolDefinitionError) as caught:
        Tool.from_dict({"name": "t", "inputSchema": {"type": "object", **schema}}, lenient=lenient)
    [problem] = [problem for problem in caught.value.problems if problem.severity == "error"]
    assert "x-mcp-header" in problem.message
    return problem.code, problem.location


# Declarations -------------------------------------------------------------------------------------


def test_parameters_at_any_depth_of_properties():
    tool = tool_with(
        {
            "site": SITE,
            "count": {"type": "integer", "x-mcp-header": "Count"},
            "inner": {
                "type": "object",
                "properties": {"a/b": {"type": "boolean", "x-mcp-header": "x!#$%&'*+-.^_`|~9"}},
            },
            "properties": {"type": "object", "properties": {"properties": {"type": "string", "x-mcp-header": "P"}}},
        }
    )
    assert set(tool.header_parameters) == {
        HeaderParameter("Mcp-Param-Site", ("site",), "string"),
        HeaderParameter("Mcp-Param-Count", ("count",), "integer"),
        HeaderParameter("Mcp-Param-x!#$%&'*+-.^_`|~9", ("inner", "a/b"), "boolean"),
        HeaderParameter("Mcp-Param-P", ("properties", "properties"), "string"),
    }
    assert tool.warnings == ()
    assert tool_with({"a": {"type": "string"}}).header_parameters == ()


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "Site:", "a b", "X\r\nEvil: 1", "a\n", "\n", "é", "a\x00", "a\x7f", "(a)", "a,b", 'a"b', "a/b"),
        *("a" * 257, None, 5, True, ["Site"], {"a": 1}),
    ],
)
def test_names_that_no_header_has(name):
    schema = {"properties": {"p": {"type": "string", "x-mcp-header": name}}}
    for lenient in (False, True):
        assert refusal(schema, lenient=lenient) == ("header_name", "/inputSchema/properties/p/x-mcp-header")


@pytest.mark.parametrize(
    "typed",
    [{"type": kind} for kind in ("number", "array", "object", "null", ["string", "null"], ["string"], ["integer"])]
    + [{}, {"enum": ["a"]}, {"const": 1}, {"anyOf": [{"type": "string"}]}, {"$ref": "#/$defs/s"}],
)
def test_only_strings_integers_and_booleans_are_mirrored(typed):
    schema = {"properties": {"p": {**typed, "x-mcp-header": "P"}}, "$defs": {"s": {"type": "string"}}}
    for lenient in (False, True):
        assert refusal(schema, lenient=lenient) == ("header_type", "/inputSchema/properties/p/x-mcp-header")


def test_names_are_unique_whatever_their_case():
    properties = {"a": SITE, "b": {"type": "object", "properties": {"c": {"type": "integer", "x-mcp-header": "sITE"}}}}
    assert refusal({"properties": properties}, lenient=True) == (
        "header_duplicate",
        "/inputSchema/properties/b/properties/c/x-mcp-header",
    )


@pytest.mark.parametrize(
    ("schema", "location"),
    [
        ({"x-mcp-header": "Site"}, ""),
        ({"oneOf": [{"properties": {"a": SITE}}]}, "/oneOf/0/properties/a"),
        ({"anyOf": [SITE, True]}, "/anyOf/0"),
        ({"allOf": [{"properties": {"a": SITE}}]}, "/allOf/0/properties/a"),
        ({"if": {"properties": {"a": SITE}}}, "/if/properties/a"),
        ({"not": SITE}, "/not"),
        ({"$defs": {"a": SITE}}, "/$defs/a"),
        ({"definitions": {"a": SITE}}, "/definitions/a"),
        ({"patternProperties": {"a": SITE}}, "/patternProperties/a"),
        ({"additionalProperties": SITE}, "/additionalProperties"),
        ({"unevaluatedProperties": SITE}, "/unevaluatedProperties"),
        ({"propertyNames": SITE}, "/propertyNames"),
        ({"dependentSchemas": {"a": {"properties": {"b": SITE}}}}, "/dependentSchemas/a/properties/b"),
        ({"properties": {"a": {"type": "array", "items": SITE}}}, "/properties/a/items"),
        ({"properties": {"a": {"type": "array", "prefixItems": [SITE]}}}, "/properties/a/prefixItems/0"),
        ({"properties": {"a": {"allOf": [SITE]}}}, "/properties/a/allOf/0"),
        ({"properties": {"a": {"items": {"properties": {"b": SITE}}}}}, "/properties/a/items/properties/b"),
        ({"properties": {"a": {"$ref": "#/x/y"}}, "x": {"y": SITE}}, "/x/y"),
        *[
            ({keyword: {"properties": {"a": SITE}}}, f"/{keyword}/properties/a")
            for keyword in ("then", "else", "contains", "unevaluatedItems", "additionalItems", "contentSchema", "items")
        ],
        *[({keyword: [SITE]}, f"/{keyword}/0") for keyword in ("oneOf", "allOf", "anyOf", "prefixItems")],
        ({"dependencies": {"a": {"properties": {"b": SITE}}}}, "/dependencies/a/properties/b"),
    ],
)
def test_no_place_is_reachable_but_through_properties(schema, location):
    for lenient in (False, True):
        assert refusal(schema, lenient=lenient) == ("header_unreachable", f"/inputSchema{location}/x-mcp-header")


@pytest.mark.parametrize("draft", ["draft-04", "draft-06", "draft-07"])
@pytest.mark.parametrize(
    "keyword",
    ["then", "else", "contains", "unevaluatedItems", "unevaluatedProperties", "contentSchema", "dependentSchemas"],
)
def test_a_client_need_not_know_which_keywords_a_draft_has(draft, keyword):
    inner = {"properties": {"a": SITE}}
    named = keyword == "dependentSchemas"
    location = f"/{keyword}/x/properties/a" if named else f"/{keyword}/properties/a"
    schema = {"$schema": f"http://json-schema.org/{draft}/schema#", keyword: {"x": inner} if named else inner}
    assert refusal(schema) == ("header_unreachable", f"/inputSchema{location}/x-mcp-header")


def test_other_dialects():
    draft_07 = {"$schema": "http://json-schema.org/draft-07/schema#"}
    assert tool_with({"site": SITE}, **draft_07).param_headers({"site": "a"}) == {"Mcp-Param-Site": "a"}
    # Up to draft-07 nothing beside $ref counts, so neither does this type.
    beside = {"properties": {"a": {**SITE, "$ref": "#/definitions/n"}}, "definitions": {"n": {"type": "number"}}}
    assert refusal({**draft_07, **beside})[0] == "header_unreachable"
    below = {"properties": {"a": {"$ref": "#/definitions/n", "properties": {"b": SITE}}}, "definitions": {"n": {}}}
    assert refusal({**draft_07, **below})[0] == "header_unreachable"
    assert tool_with({"a": {**SITE, "$ref": "#/$defs/n"}}, **{"$defs": {"n": {"minLength": 1}}}).header_parameters
    # Clients that look for the annotation need not know that there is no $defs in draft-07.
    assert refusal({**draft_07, "$defs": {"a": SITE}})[0] == "header_unreachable"
    assert refusal({**draft_07, "items": [SITE]})[0] == "header_unreachable"


def test_what_is_data_declares_nothing():
    data = {
        "enum": [{"x-mcp-header": ""}],
        "default": {"properties": {"a": {"x-mcp-header": 5}}},
        "x": {"x-mcp-header": 1},
    }
    tool = tool_with(
        {"x-mcp-header": {"type": "string"}, "a": {"const": {"x-mcp-header": ""}}, "b": data}, examples=[SITE]
    )
    assert tool.header_parameters == ()


def test_secrets_in_headers_are_warned_of():
    [warning] = tool_with({"api_key": {"type": "string", "x-mcp-header": "Key"}}).warnings
    assert (warning.code, warning.location) == ("header_sensitive", "/inputSchema/properties/api_key/x-mcp-header")


@pytest.mark.parametrize(
    ("bounds", "warned"),
    [
        ({"const": 2**53}, True),
        ({"const": 2**53 - 1}, False),
        ({"enum": [2**53, -(2**60)]}, True),
        ({"enum": [2**53, 5]}, False),
        ({"minimum": 2**53}, True),
        ({"minimum": 2**53 - 1}, False),
        ({"exclusiveMinimum": 1e300}, True),
        ({"maximum": -(2**53)}, True),
        ({"exclusiveMaximum": -(2**60), "minimum": -(2**61)}, True),
        ({"maximum": 2**60}, False),
    ],
)
def test_integers_that_may_never_be_sent_are_warned_of(bounds, warned):
    [*warnings] = tool_with({"n": {"type": "integer", "x-mcp-header": "N", **bounds}}).warnings
    found = [(warning.code, warning.location) for warning in warnings]
    assert found == ([("header_range", "/inputSchema/properties/n/x-mcp-header")] if warned else [])
    assert tool_with({"n": {"type": "integer", **bounds}}).warnings == ()


def test_one_tool_with_a_bad_header_does_not_hide_the_others():
    good = {"name": "good", "inputSchema": {"type": "object", "properties": {"a": SITE}}}
    bad = {
        "name": "bad",
        "inputSchema": {"type": "object", "properties": {"a": {"type": "number", "x-mcp-header": "A"}}},
    }
    accepted, [rejection] = vet_tools([bad, good], lenient=True)
    assert [tool.name for tool in accepted] == ["good"]
    assert (rejection.name, rejection.index, rejection.problems[0].code) == ("bad", 0, "header_type")
