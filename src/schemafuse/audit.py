"""`schemafuse audit`: what is wrong with the tools of a server, as a table, as JSON or as SARIF.

Comes in: a file with a tools/list result, or standard input. Goes out: every finding, in the order of the list, and an
exit status: 0 nothing found, 1 findings, 2 unreadable input. Shows nothing of a definition unescaped, and runs nothing.
"""

from __future__ import annotations

import argparse
import json
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote as percent_encode

from .render import escape, quote, quote_text

if TYPE_CHECKING:
    from .mcp import Problem, Rejection, Tool

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_HELP = "Vet the tool definitions in a tools/list result; exit 1 on findings."
_SHOWN_NAME, _SHOWN_LOCATION = 40, 60


class Finding(NamedTuple):
    """One problem, with the tool that has it."""

    position: int
    name: str | None
    problem: Problem


# Running ------------------------------------------------------------------------------------------


def add_command(commands: Any) -> None:
    """Add the command to the parser of the command line."""
    from .cli import add_limits

    command = commands.add_parser("audit", help=_HELP, description=_HELP, allow_abbrev=False)
    command.set_defaults(run=audit)
    command.add_argument("file", metavar="FILE", help="a file of JSON, or - for standard input")
    command.add_argument("--format", choices=("table", "json", "sarif"), default="table", help="default: table")
    command.add_argument("--lenient", action="store_true", help="take faults that clients tolerate for warnings")
    command.add_argument("--errors-only", action="store_true", help="leave warnings out, and out of the exit status")
    command.add_argument("--assert-formats", action="store_true", help="check `format` instead of noting it")
    add_limits(command)


def audit(options: argparse.Namespace) -> int:
    """Vet the tools in a file and report what was found."""
    from .cli import chosen_limits, read_json, write
    from .mcp import vet_tools

    limits = chosen_limits(options)

    definitions = tools_in(read_json(options.file))
    accepted, rejected = vet_tools(
        definitions, limits=limits, lenient=options.lenient, assert_formats=options.assert_formats
    )
    findings = collect(definitions, accepted, rejected)
    if options.errors_only:
        findings = [finding for finding in findings if finding.problem.severity == "error"]
    if options.format == "json":
        text = json.dumps(as_json(findings, len(accepted), len(rejected)), indent=2)
    elif options.format == "sarif":
        text = json.dumps(as_sarif(findings, options.file), indent=2)
    else:
        text = as_table(findings, len(accepted), len(rejected))
    write(text)
    return 1 if findings else 0


def tools_in(value: Any) -> list[Any]:
    """Return the definitions in a JSON value: an array, a result of tools/list or the response with it, or one tool."""
    from .cli import UnreadableError

    if isinstance(value, dict) and isinstance(value.get("result"), dict):
        value = value["result"]
    if isinstance(value, dict) and "tools" in value:
        value = value["tools"]
    elif isinstance(value, dict) and ("name" in value or "inputSchema" in value):
        value = [value]
    if not isinstance(value, list):
        expected = 'an array of tool definitions, or an object with one as "tools"'
        raise UnreadableError(f"expected {expected}, got {quote(value, 60)}")
    return value


def collect(definitions: list[Any], accepted: list[Tool], rejected: list[Rejection]) -> list[Finding]:
    """Bring all problems into the order of the list."""
    refused = {rejection.index for rejection in rejected}
    positions = [index for index in range(len(definitions)) if index not in refused]
    findings = [
        Finding(index, tool.name, problem)
        for index, tool in zip(positions, accepted, strict=False)
        for problem in tool.warnings
    ]
    findings += [
        Finding(rejection.index, rejection.name, problem) for rejection in rejected for problem in rejection.problems
    ]
    return sorted(findings, key=lambda finding: finding.position)


# Reports ------------------------------------------------------------------------------------------


def as_table(findings: list[Finding], accepted: int, rejected: int) -> str:
    """Return a table with a row a finding, and a line that sums up."""
    total = f"{accepted + rejected} tool(s): {accepted} accepted, {rejected} rejected, {len(findings)} finding(s)"
    if not findings:
        return total
    rows = [("TOOL", "SEVERITY", "CODE", "LOCATION", "MESSAGE")]
    for finding in findings:
        problem = finding.problem
        location = escape(_cut(problem.location, _SHOWN_LOCATION)) or "/"
        rows.append((_shown_name(finding), problem.severity, problem.code, location, problem.message))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]) for row in rows
    ]
    return "\n".join([*lines, "", total])


def _shown_name(finding: Finding) -> str:
    if finding.position < 0:
        return "(the list)"
    name = f"#{finding.position}"
    return name if finding.name is None else f"{name} {quote_text(finding.name, _SHOWN_NAME)}"


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room // 2]}…{text[-room // 2 :]}"


def as_json(findings: list[Finding], accepted: int, rejected: int) -> dict[str, Any]:
    """Return the findings as plain data."""
    entries = [{"index": finding.position, "tool": finding.name, **finding.problem.to_dict()} for finding in findings]
    return {"accepted": accepted, "rejected": rejected, "findings": entries}


def as_sarif(findings: list[Finding], file: str) -> dict[str, Any]:
    """Return the findings as a SARIF 2.1.0 log, for the systems that show the findings of linters."""
    from . import __version__

    codes = sorted({finding.problem.code for finding in findings})
    driver = {"name": "schemafuse", "version": __version__, "rules": [{"id": code} for code in codes]}
    results = [_sarif_result(finding, codes, file) for finding in findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _sarif_result(finding: Finding, codes: list[str], file: str) -> dict[str, Any]:
    problem = finding.problem
    logical = {"fullyQualifiedName": f"/{finding.position}{problem.location}" if finding.position >= 0 else "/"}
    location: dict[str, Any] = {"logicalLocations": [logical]}
    if file != "-":
        uri = percent_encode(PurePath(file).as_posix(), errors="surrogateescape")
        # The tool's place among the lines is not known: the JSON was read as a whole.
        location["physicalLocation"] = {"artifactLocation": {"uri": uri}, "region": {"startLine": 1}}
    name = "the list" if finding.position < 0 else f"tool {_shown_name(finding)}"
    return {
        "ruleId": problem.code,
        "ruleIndex": codes.index(problem.code),
        "level": problem.severity,
        "message": {"text": f"{name}: {problem.message}"},
        "locations": [location],
    }
