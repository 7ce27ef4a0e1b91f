"""`Tool.from_dict`: every rule for a tool definition, and nothing but `ToolDefinitionError` whatever it is given."""

import copy
import pickle

import pytest
from findings import OBJECT, PIXEL, define, errors, found, problems
from hypothesis import given, settings
from hypothesis import strategies as st

from schemafuse import Limits
from schemafuse.mcp import Tool, ToolDefinitionError, ToolService, vet_tools


def test_a_complete_definition():
    definition = {
        "name": "get_weather",
        "title": "Weather",
        "description": "What the weather is.\n\tIn two lines, with émojis 🌦️.",
        "icons": [{"src": PIXEL, "mimeType": "image/png", "sizes": ["48x48", "any"], "theme": "dark"}],
        "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        "outputSchema": {"type": "array", "items": {"type": "number"}},
        "annotations": {"title": "W", "readOnlyHint": True},
        "_meta": {"com.example/key": 1, "plain": [1.5, None], "": 0},
        "execution": {"taskSupport": "optional"},
        "anything else": ["is allowed"],
    }
    tool = Tool.from_dict(definition)
    assert tool.warnings == ()
    assert (tool.name, tool.title) == ("get_weather", "Weather")
    assert tool.definition == definition
    assert list(tool.definition) == list(definition)
    assert tool.input.schema == definition["inputSchema"]
    assert tool.output.schema == definition["outputSchema"]
    assert tool.icons == tuple(definition["icons"])
    assert repr(tool) == '<Tool "get_weather">'


def test_the_definition_is_a_private_copy():
    definition = define(description="a", _meta={"k": {"deep": [1]}})
    before = copy.deepcopy(definition)
    tool = Tool.from_dict(definition)
    definition["inputSchema"]["x"] = 1
    definition["_meta"]["k"]["deep"].append(2)
    assert tool.definition == before
    del OBJECT["x"]
    tool.definition["name"] = "other"
    tool.definition["inputSchema"]["properties"] = 5
    tool.annotations["readOnlyHint"] = True
    tool.annotations["readOnlyHint"] = True
    assert tool.definition == before
    assert tool.name == "weather"


def test_values_of_every_kind_survive():
    values = [None, True, -0.0, 1e300, 10**400, "é\U0001f600", {"": []}]
    definition = define(extra=values, inputSchema={"type": "object", "default": values})
    kept = Tool.from_dict(definition).definition
    assert kept == definition
    assert str(kept["extra"][2]) == "-0.0"


def test_subclasses_become_plain_types():
    class Text(str):
        __slots__ = ()

    class Mapping(dict):
        pass

    tool = Tool.from_dict(Mapping({Text("name"): Text("a"), "inputSchema": Mapping(type=Text("object")), "x": (1, 2)}))
    assert tool.definition == {"name": "a", "inputSchema": {"type": "object"}, "x": [1, 2]}
    assert type(tool.definition) is dict
    assert type(tool.name) is str


def test_a_tool_is_made_by_from_dict_alone_and_can_be_pickled():
    with pytest.raises(TypeError, match="from_dict"):
        Tool()
    with pytest.raises(TypeError, match="limits"):
        Tool.from_dict(define(), limits={})
    tool = Tool.from_dict(define(outputSchema={"type": "integer"}))
    again = pickle.loads(pickle.dumps(tool))
    assert again.definition == tool.definition
    assert again.output.is_valid(5)
    assert not again.output.is_valid("5")


# What has to be there -----------------------------------------------------------------------------


@pytest.mark.parametrize("definition", [None, 5, "{}", [], (), b"x", object(), float("nan"), type])
def test_a_definition_is_an_object(definition):
    assert errors(definition) == [("not_an_object", "")]


def test_what_is_missing_is_named():
    assert errors({}) == [("missing", ""), ("missing", "")]
    assert errors({"name": "a"}) == [("missing", "")]
    assert errors({"inputSchema": OBJECT}) == [("missing", "")]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name_empty"),
        (5, "name_not_a_string"),
        (None, "name_not_a_string"),
        ("a b", "name_bad_character"),
        ("tool\n", "name_bad_character"),
        ("é", "name_bad_character"),
        ("a" * 129, "name_too_long"),
    ],
)
def test_names_that_are_refused(name, code):
    assert (code, "/name") in errors({"name": name, "inputSchema": OBJECT})


def test_names_that_model_apis_refuse_are_warned_of():
    assert found(define(name="a.b")) == [("warning", "name_dot_for_models", "/name")]
    assert found(define(name="a" * 64)) == []
    assert found(define(name="a" * 65)) == [("warning", "name_long_for_models", "/name")]
    assert found(define(name="9lives")) == [("warning", "name_start_for_models", "/name")]
    assert found(define(name="_9lives")) == []


@pytest.mark.parametrize("schema", [None, True, [], "object", 5])
def test_an_input_schema_is_an_object(schema):
    assert errors(define(inputSchema=schema)) == [("wrong_type", "/inputSchema")]


@pytest.mark.parametrize("kind", ["string", ["object", "null"], ["string"]])
def test_the_root_of_an_input_schema_takes_objects(kind):
    assert errors(define(inputSchema={"type": kind})) == [("input_root_type", "/inputSchema/type")]
    assert errors(define(inputSchema={"type": kind}), lenient=True)


def test_a_root_without_type_is_tolerated():
    for schema, location in (({}, "/inputSchema"), ({"type": ["object"]}, "/inputSchema/type")):
        assert errors(define(inputSchema=schema)) == [("input_root_type", location)]
        assert found(define(inputSchema=schema), lenient=True) == [("warning", "input_root_type", location)]
    tool = Tool.from_dict(define(inputSchema={}), lenient=True)
    assert tool.check_arguments({}) is None
    assert tool.check_arguments([])["isError"] is True


@pytest.mark.parametrize(
    "schema", [{}, {"type": "array"}, {"type": "boolean"}, {"$schema": "http://json-schema.org/draft-07/schema#"}]
)
def test_any_output_schema_will_do(schema):
    assert found(define(outputSchema=schema)) == []


def test_an_output_schema_that_is_no_object():
    assert errors(define(outputSchema=5), lenient=True) == [("wrong_type", "/outputSchema")]
    assert errors(define(outputSchema=True)) == [("wrong_type", "/outputSchema")]
    tool = Tool.from_dict(define(outputSchema=False), lenient=True)
    assert tool.definition["outputSchema"] is False
    assert not tool.output.is_valid(1)


@pytest.mark.parametrize("member", ["title", "description", "icons", "annotations", "_meta", "outputSchema"])
def test_null_is_tolerated_where_nothing_is_meant(member):
    assert errors(define(**{member: None})) == [("null_member", f"/{member}")]
    tool = Tool.from_dict(define(**{member: None}), lenient=True)
    assert [problem.code for problem in tool.warnings] == ["null_member"]
    assert tool.output is None
    assert tool.definition == define(**{member: None})


def test_parameters_without_properties_around_them_are_pointed_out():
    [problem] = problems(define(inputSchema={"query": {"type": "string"}, "limit": {"type": "integer"}}))
    assert problem.code == "input_root_type"
    assert 'put parameters such as "query" under "properties"' in problem.message


def test_an_error_can_be_pickled():
    with pytest.raises(ToolDefinitionError) as caught:
        Tool.from_dict({"name": "a b"})
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.problems, again.name) == (caught.value.problems, "a b")


# Schemas ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "code", "location"),
    [
        ({"type": "object", "properties": {"n": {"type": "int"}}}, "invalid_schema", "/properties/n/type"),
        ({"type": "object", "$ref": "#/$defs/gone"}, "unresolvable_ref", "/$ref"),
        ({"type": "object", "$ref": "https://x.example/s"}, "remote_ref", "/$ref"),
        ({"type": "object", "$schema": "https://x.example/d"}, "unsupported_dialect", "/$schema"),
        ({"type": "object", "allOf": [{"$ref": "#"}]}, "infinite_recursion", None),
        ({"type": "object", "properties": {"p": {"pattern": "("}}}, "bad_pattern", "/properties/p/pattern"),
        ({"type": "object", "default": {1}}, "not_json", "/default"),
        ({"type": "object", "description": "x" * (1 << 21)}, "too_large", None),
    ],
)
@pytest.mark.parametrize("member", ["inputSchema", "outputSchema"])
def test_a_schema_that_is_refused_keeps_its_code_and_place(member, schema, code, location):
    for lenient in (False, True):
        [(found_code, found_location)] = errors(define(**{member: schema}), lenient=lenient)
        assert found_code == code
        assert found_location.startswith(f"/{member}")
        if location is not None:
            assert found_location == f"/{member}{location}"


def test_limits_apply_to_each_schema_and_to_the_rest():
    limits = Limits(max_schema_bytes=200)
    fits = {"type": "object", "description": "x" * 150}
    assert found(define(inputSchema=fits, outputSchema=fits, description="x" * 120), limits=limits) == []
    assert errors(define(description="x" * 300), limits=limits) == [("too_large", "/description")]
    assert errors(define(extra=list(range(300))), limits=limits) == [("too_large", "/extra")]
    assert Tool.from_dict(define(), limits=limits).input.limits == limits


def test_an_object_shared_many_times_is_not_expanded():
    shared = [1]
    for _ in range(60):
        shared = [shared, shared]
    assert errors(define(extra=shared))[0][0] in ("too_large", "too_deep")
    assert errors(define(inputSchema={"type": "object", "default": shared}))[0][0] in ("too_large", "too_deep")


def test_what_contains_itself_is_not_json():
    endless = []
    endless.append(endless)
    assert errors(define(extra=endless))[0][0] in ("not_json", "too_deep", "too_large")


def test_formats_are_asserted_where_asked_for():
    definition = define(
        inputSchema={"type": "object", "properties": {"d": {"type": "string", "format": "date"}}},
        outputSchema={"type": "string", "format": "date"},
    )
    for options, arguments_too, results_too in (
        ({}, False, False),
        ({"assert_formats": True}, True, True),
        ({"assert_formats": True, "assert_result_formats": False}, True, False),
    ):
        tool = Tool.from_dict(definition, **options)
        assert (tool.check_arguments({"d": "tomorrow"}) is not None) is arguments_too
        assert (tool.output.is_valid("tomorrow")) is not results_too


# Any object ---------------------------------------------------------------------------------------


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(max_size=8), children, max_size=4),
    max_leaves=12,
)
odd_values = json_values | st.binary() | st.sets(st.integers()) | st.complex_numbers() | st.just(object())
members = st.sampled_from(
    ["name", "title", "description", "icons", "inputSchema", "outputSchema", "annotations", "_meta", "x", "src", "type"]
)
definitions = st.dictionaries(members | st.text(max_size=4) | st.integers() | st.none(), odd_values, max_size=8)


@given(definitions | odd_values, st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_object_gives_a_tool_or_problems(definition, lenient):
    problems(definition, lenient=lenient)


class Impostor(str):
    """A text that fails whatever is asked of it."""

    def fail(self, *_):
        raise RuntimeError("called")

    __eq__ = __repr__ = __str__ = __len__ = __iter__ = __format__ = encode = isprintable = fail

    def __hash__(self):
        return 5


def test_methods_of_subclasses_are_not_called():
    class Failing(dict):
        def fail(self, *_):
            raise RuntimeError("called")

        __iter__ = __len__ = __getitem__ = __contains__ = items = keys = get = __repr__ = __eq__ = fail

    definition = Failing({"inputSchema": Failing(OBJECT), "x": Impostor("y"), Impostor("z"): Impostor("z")})
    assert errors(definition) == [("missing", "")]
    dict.__setitem__(definition, "name", Impostor("a b"))
    assert ("name_bad_character", "/name") in errors(definition)


def test_members_with_the_same_text_as_name():
    class Text(str):
        __slots__ = ()

        def __hash__(self):
            return 1

        def __eq__(self, other):
            return self is other

    assert ("not_json", "") in errors({"name": "a", Text("name"): "b", "inputSchema": OBJECT})
    assert ("not_json", "") in errors({1: 2, "name": "a", "inputSchema": OBJECT})


# Resources, and what may not be changed -----------------------------------------------------------

REFERRING = {"name": "t", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "https://a.example/s"}}}}
RESOURCES = {"https://a.example/s": {"type": "integer"}}


def test_references_may_reach_what_the_caller_vouches_for():
    with pytest.raises(ToolDefinitionError, match="pass it in resources"):
        Tool.from_dict(REFERRING)
    assert Tool.from_dict(REFERRING, resources=RESOURCES).check_arguments({"a": "x"}) is not None
    accepted, rejected = vet_tools([REFERRING], resources=RESOURCES)
    assert ([tool.name for tool in accepted], rejected) == (["t"], [])
    service = ToolService(resources=RESOURCES)
    service.add(REFERRING, dict)
    for make in (lambda r: Tool.from_dict(REFERRING, resources=r), lambda r: ToolService(resources=r)):
        with pytest.raises(TypeError, match="mapping"):
            make([])


def test_an_integer_with_too_many_digits_is_called_that():
    with pytest.raises(ToolDefinitionError) as caught:
        Tool.from_dict({"name": "t", "inputSchema": {"type": "object"}, "x": 10**4_400})
    [problem] = caught.value.problems
    assert (problem.code, problem.location) == ("too_large", "/x")
    assert "4401 digits" in problem.message
    assert "bytes" not in problem.message


def test_a_tool_cannot_be_changed():
    tool = Tool.from_dict({"name": "t", "inputSchema": {"type": "object"}})
    for change in (lambda: setattr(tool, "name", "x"), lambda: setattr(tool, "new", 1), lambda: delattr(tool, "name")):
        with pytest.raises(AttributeError):
            change()
    assert pickle.loads(pickle.dumps(tool)).definition == copy.deepcopy(tool).definition == tool.definition
