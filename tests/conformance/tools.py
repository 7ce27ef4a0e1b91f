"""The tools that the MCP conformance suite asks a server for, on a `ToolService`.

Comes in: a service. Goes out: the same with the tools that the scenarios name (@modelcontextprotocol/conformance).
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets
from typing import Any

from schemafuse.mcp import Call, ProtocolError, ToolError, ToolService

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
NOTHING = {"type": "object", "additionalProperties": False}
STATE_KEY = secrets.token_bytes(32)
PERSON = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def text(words: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}]}


def embedded(uri: str, kind: str, words: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": words}}


def ask(message: str, **properties: str) -> dict[str, Any]:
    """Return a request for input from the user."""
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def sample(question: str) -> dict[str, Any]:
    """Return a request for an answer from the client's model."""
    messages = [{"role": "user", "content": {"type": "text", "text": question}}]
    return {"method": "sampling/createMessage", "params": {"messages": messages, "maxTokens": 100}}


ROOTS = {"method": "roots/list", "params": {}}


def need(state: Any = None, **requests: Any) -> dict[str, Any]:
    """Return an InputRequiredResult, its state signed."""
    result: dict[str, Any] = {"resultType": "input_required", "inputRequests": requests}
    if state is not None:
        words = json.dumps(state)
        result["requestState"] = f"{sign(words)}:{words}"
    return result


def sign(words: str) -> str:
    return hmac.new(STATE_KEY, words.encode(), hashlib.sha256).hexdigest()


def read_state(call: Call) -> Any:
    """Return the state that came back; what was tampered with is a malformed request."""
    signature, _, words = (call.request_state or "").partition(":")
    if not hmac.compare_digest(signature.encode(), sign(words).encode()):
        raise ProtocolError(-32602, "Invalid params: requestState was not issued by this server")
    return json.loads(words)


def answers(call: Call, *keys: str) -> bool:
    return all(key in call.input_responses for key in keys)


def add_all_tools(service: ToolService) -> None:
    add_plain_tools(service)
    add_schema_tools(service)
    add_input_tools(service)
    add_state_tools(service)
    add_protocol_tools(service)


def add(service: ToolService, name: str, handler: Any, schema: dict[str, Any] = NOTHING) -> Any:
    description = "A tool that the conformance suite asks for."
    return service.add({"name": name, "description": description, "inputSchema": schema}, handler)


def add_plain_tools(service: ToolService) -> None:
    image = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
    audio = {"type": "audio", "data": SILENCE, "mimeType": "audio/wav"}
    resource = embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    mixed = [
        {"type": "text", "text": "Multiple content types test:"},
        image,
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ]
    add(service, "test_simple_text", lambda _: text("This is a simple text response for testing."))
    add(service, "test_image_content", lambda _: {"content": [image]})
    add(service, "test_audio_content", lambda _: {"content": [audio]})
    add(service, "test_embedded_resource", lambda _: {"content": [resource]})
    add(service, "test_multiple_content_types", lambda _: {"content": mixed})

    def fail(arguments: dict[str, Any]) -> None:
        raise ToolError("This tool intentionally returns an error for testing")

    async def report(arguments: dict[str, Any], call: Call) -> dict[str, Any]:
        for progress in (0, 50, 100):
            await call.report_progress(progress, 100)
            await asyncio.sleep(0.05)
        return text("done")

    add(service, "test_error_handling", fail)
    add(service, "test_tool_with_progress", report)


def add_schema_tools(service: ToolService) -> None:
    add(service, "json_schema_2020_12_tool", lambda arguments: arguments, PERSON)
    region = {"type": "string", "x-mcp-header": "Region"}
    query = {"type": "object", "properties": {"region": region, "query": {"type": "string"}}, "required": ["query"]}
    add(service, "test_custom_header", lambda arguments: arguments, query)


def add_input_tools(service: ToolService) -> None:
    def name(arguments: dict[str, Any], call: Call) -> dict[str, Any]:
        content = call.input_responses.get("user_name", {}).get("content")
        if not isinstance(content, dict) or not isinstance(content.get("name"), str):
            return need(user_name=ask("What is your name?", name="string"))
        return text(f"Hello, {content['name']}!")

    def capital(arguments: dict[str, Any], call: Call) -> dict[str, Any]:
        if not answers(call, "capital_question"):
            return need(capital_question=sample("What is the capital of France?"))
        return text(json.dumps(call.input_responses["capital_question"].get("content")))

    def roots(arguments: dict[str, Any], call: Call) -> dict[str, Any]:
        if not answers(call, "client_roots"):
            return need(client_roots=ROOTS)
        return text(json.dumps(call.input_responses["client_roots"].get("roots")))

    def what_the_client_can(arguments: dict[str, Any], call: Call) -> dict[str, Any]:
        possible = {"elicitation": ask("What is your name?", name="string"), "sampling": sample("Who are you?")}
        return need(**{name: request for name, request in possible.items() if call.declares(name)})

    add(service, "test_input_required_result_elicitation", name)
    add(service, "test_input_required_result_sampling", capital)
    add(service, "test_input_required_result_list_roots", roots)
    add(service, "test_input_required_result_capabilities", what_the_client_can)


def add_state_tools(service: ToolService) -> None:
    confirmation = ask("Please confirm", ok="boolean")

    def confirm(arguments: dict[str, Any], call: Call) -> dict[str, Any]:
        if not answers(call, "confirm"):
            return need(state={"asked": True}, confirm=confirmation)
        read_state(call)
        return text("state-ok")

    def several(arguments: dict[str, Any], call: Call) -> dict[str, Any]:
        requests = {
            "user_name": ask("What is your name?", name="string"),
            "greeting": sample("Generate a greeting"),
            "client_roots": ROOTS,
        }
        if not answers(call, *requests):
            return need(state={"asked": sorted(requests)}, **requests)
        read_state(call)
        return text("all inputs received")

    def rounds(arguments: dict[str, Any], call: Call) -> dict[str, Any]:
        step = read_state(call)["step"] if call.request_state is not None else 0
        if step == 0 or not answers(call, f"step{step}"):
            return need(state={"step": 1}, step1=ask("Step 1: What is your name?", name="string"))
        if step == 1:
            return need(state={"step": 2}, step2=ask("Step 2: What is your favorite color?", color="string"))
        return text("all rounds done")

    add(service, "test_input_required_result_request_state", confirm)
    add(service, "test_input_required_result_tampered_state", confirm)
    add(service, "test_input_required_result_multiple_inputs", several)
    add(service, "test_input_required_result_multi_round", rounds)


def add_protocol_tools(service: ToolService) -> None:
    switched = add(service, "test_switched", lambda _: text("here"))

    def switch(arguments: dict[str, Any]) -> dict[str, Any]:
        switched.disable() if switched.enabled else switched.enable()
        return text("switched")

    def need_sampling(arguments: dict[str, Any]) -> dict[str, Any]:
        return need(answer=sample("Who are you?"))  # the service refuses it for clients that can't

    add(service, "test_trigger_tool_change", switch)
    add(service, "test_missing_capability", need_sampling)
    add(service, "test_streaming_elicitation", lambda _: need(name=ask("What is your name?", name="string")))
    add(service, "test_logging_tool", lambda _: text("nothing is logged to clients"))
