"""The cases made from bug reports that a rule of MCP decides."""

import json
from pathlib import Path

import pytest

from schemafuse.mcp import Tool, ToolDefinitionError, prefix_names, vet_tools

LINES = Path(__file__).resolve().parents[1].joinpath("cases", "reports.jsonl").read_text(encoding="utf-8").splitlines()
CASES = {case["id"]: case for case in map(json.loads, LINES)}
SCHEMAS = [case for case in CASES.values() if case.get("role") in ("inputSchema", "outputSchema")]
#: Cases with a role that a test below decides, and those of the tool service, which has tests of its own.
DECIDED = {"h19", "m08a", "m08c", "m09a", "m09c", "n20", "n22", "t04"}
OF_THE_SERVICE = {"m09f", "p01", "p02", "t02", "t03"}


def define(case):
    definition = {"name": "t", "inputSchema": {"type": "object"}}
    definition[case["role"]] = case["schema"]
    return Tool.from_dict(definition)


def judge(case):
    """Judge the instance of a case where its role puts it."""
    schema, instance = case["schema"], case.get("instance")
    if "build" in case:
        schema, instance = eval(case["build"])  # an expression of our own case file
    try:
        tool = define({**case, "schema": schema})
    except ToolDefinitionError:
        return "schema_rejected"
    if case["role"] == "inputSchema":
        return "valid" if tool.check_arguments(instance) is None else "invalid"
    result = {"content": [], "structuredContent": instance}
    return "valid" if tool.check_result(result) is result else "invalid"


@pytest.mark.parametrize("case", [case for case in SCHEMAS if case["expect"] != "other"], ids=lambda case: case["id"])
def test_reported(case):
    assert judge(case) in {case["expect"], *case.get("also_ok", ())}, case["note"]


def test_h19_a_nullable_parameter_is_not_mirrored():
    assert judge(CASES["h19"]) == "schema_rejected"


def test_m08_a_failed_call_needs_no_structured_content():
    case = CASES["m08a"]
    result = case["instance"]["tools_call_result"]
    assert define({**case, "role": "outputSchema"}).check_result(result) is result
    case = CASES["m08c"]
    result = case["instance"]["tools_call_result"]
    replaced = define({**case, "role": "outputSchema"}).check_result(result)
    assert replaced["isError"]
    assert "server" in replaced["content"][0]["text"]


def test_m09_what_arguments_may_be():
    case = CASES["m09a"]
    arguments = case["instance"]["tools_call_params"].get("arguments", {})
    assert define({**case, "role": "inputSchema"}).check_arguments(arguments) is None
    case = CASES["m09c"]
    assert define({**case, "role": "inputSchema"}).check_arguments(case["instance"]["tools_call_params"]["arguments"])


def test_n20_the_same_name_on_two_servers():
    tools = CASES["n20"]["instance"]["tools"]
    prefixed = {name for tool in tools for name in prefix_names(tool["server"], [tool["name"]]).values()}
    assert len(prefixed) == len(tools)
    accepted, rejected = vet_tools([{"name": tool["name"], "inputSchema": {"type": "object"}} for tool in tools])
    assert (len(accepted), rejected[0].problems[0].code) == (1, "name_duplicate")


def test_n22_names_are_case_sensitive():
    tools = [{**tool, "inputSchema": {"type": "object"}} for tool in CASES["n22"]["instance"]["tools"]]
    accepted, rejected = vet_tools(tools)
    assert [tool.name for tool in accepted] == ["getUser", "getuser"]
    assert not rejected


def test_t04_a_definition_without_output_schema_has_no_validator_left():
    case = CASES["t04"]["instance"]
    before, after = (Tool.from_dict({**case[when], "inputSchema": {"type": "object"}}) for when in ("before", "after"))
    assert before.check_result(case["result"])["isError"]
    assert after.check_result(case["result"]) is case["result"]


def test_no_case_is_left_out():
    with_role = {case["id"] for case in CASES.values() if case.get("role", "tool_name") != "tool_name"}
    decided = {case["id"] for case in SCHEMAS if case["expect"] != "other"}
    assert decided | DECIDED | OF_THE_SERVICE == with_role
