"""Definitions to try, and their problems in a short form."""

import json

from schemafuse.mcp import Tool, ToolDefinitionError
from schemafuse.mcp.problems import MAX_LOCATION_CHARS

OBJECT = {"type": "object"}
#: 1 x 1 pixel would do as well: only the scheme counts.
PIXEL = "data:image/png;base64,iVBORw0KGgo="


def define(**members):
    return {"name": "weather", "inputSchema": OBJECT, **members}


def problems(definition, **options):
    """All problems of a definition, by code, accepted or not."""
    try:
        found = Tool.from_dict(definition, **options).warnings
    except ToolDefinitionError as error:
        found, text = error.problems, str(error)
    else:
        text = ""
    assert bool(text) is any(problem.severity == "error" for problem in found)
    for problem in found:
        assert problem.message.isprintable()
        assert len(problem.message) <= 600
        assert len(problem.location) <= MAX_LOCATION_CHARS
        assert problem.location == "" or problem.location.startswith("/")
        json.dumps(problem.to_dict())
    return found


def found(definition, **options):
    return [(problem.severity, problem.code, problem.location) for problem in problems(definition, **options)]


def errors(definition, **options):
    return [entry[1:] for entry in found(definition, **options) if entry[0] == "error"]
