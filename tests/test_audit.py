"""`schemafuse audit`: what it finds, how it says so, and its exit status."""

import io
import json
import sys

import pytest

from schemafuse.cli import main

GOOD = {"name": "good", "inputSchema": {"type": "object"}}
WARNED = {"name": "a.b", "inputSchema": {"type": "object"}}
BAD = {"name": "bad\x1b[31m", "inputSchema": {"type": "object", "properties": {"\u202e": {"type": "int"}}}}


@pytest.fixture
def audit(tmp_path, monkeypatch, capsys):
    """Run the command on a JSON value: returns the exit status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def audit(value, *options, name="tools.json"):
        content = value if isinstance(value, bytes) else json.dumps(value).encode()
        (tmp_path / "tools.json").write_bytes(content)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        status = main(["audit", name, *options])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return audit


def test_nothing_found(audit):
    status, out, err = audit([GOOD])
    assert (status, err) == (0, "")
    assert out == "1 tool(s): 1 accepted, 0 rejected, 0 finding(s)\n"


@pytest.mark.parametrize("name", ["tools.json", "-"])
@pytest.mark.parametrize(
    "shape", [lambda t: t, lambda t: {"tools": t}, lambda t: {"jsonrpc": "2.0", "id": 1, "result": {"tools": t}}]
)
def test_every_shape_that_a_list_comes_in(audit, shape, name):
    status, out, _ = audit(shape([GOOD, BAD]), name=name)
    assert status == 1
    assert out.endswith("2 tool(s): 1 accepted, 1 rejected, 2 finding(s)\n")


def test_a_single_tool(audit):
    assert audit(GOOD)[0] == 0
    assert audit({"inputSchema": {}})[0] == 1


def test_the_table(audit):
    status, out, _ = audit([GOOD, BAD, 5, WARNED])
    lines = out.splitlines()
    assert status == 1
    assert lines[0].split() == ["TOOL", "SEVERITY", "CODE", "LOCATION", "MESSAGE"]
    assert [line.split()[0] for line in lines[1:5]] == ["#1", "#1", "#2", "#3"]
    assert all(line.isprintable() for line in lines)
    assert "error" in lines[1]
    assert "warning" in lines[4]


def test_warnings_can_be_left_out(audit):
    assert audit([WARNED])[0] == 1
    assert audit([WARNED], "--errors-only")[0] == 0


def test_lenient(audit):
    definition = {**GOOD, "title": None}
    assert "rejected" in audit([definition])[1]
    assert audit([definition], "--lenient", "--errors-only")[0] == 0


def test_json(audit):
    status, out, _ = audit([GOOD, BAD], "--format", "json")
    report = json.loads(out)
    assert status == 1
    assert (report["accepted"], report["rejected"]) == (1, 1)
    assert [finding["code"] for finding in report["findings"]] == ["name_bad_character", "invalid_schema"]
    assert report["findings"][1]["location"] == "/inputSchema/properties/\u202e/type"
    assert {finding["tool"] for finding in report["findings"]} == {BAD["name"]}
    assert out.isascii()


@pytest.mark.parametrize("name", ["tools.json", "-"])
def test_sarif(audit, name):
    status, out, _ = audit([WARNED, BAD, None], "--format", "sarif", name=name)
    log = json.loads(out)
    [run] = log["runs"]
    assert (status, log["version"]) == (1, "2.1.0")
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(run["results"]) == 4
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning")
        assert result["message"]["text"].isprintable()
        [location] = result["locations"]
        assert ("physicalLocation" in location) is (name != "-")
    assert run["results"][0]["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "/0/name"}]


def test_limits(audit):
    large = {"name": "a", "inputSchema": {"type": "object", "description": "x" * 500}}
    assert audit([large])[0] == 0
    assert "too_large" in audit([large], "--max-schema-bytes", "100")[1]


@pytest.mark.parametrize("value", [5, "x", None, {}, {"tools": {}}, {"result": {}}, b"{", b"", b"[NaN]"])
def test_what_is_no_list_is_unreadable(audit, value):
    status, out, err = audit(value)
    assert (status, out) == (2, "")
    assert err.startswith("schemafuse: ")
    assert err.count("\n") == 1


def test_a_hostile_list_is_shown_within_bounds(audit):
    hostile = [
        {"name": "n" * 10_000, "inputSchema": {"type": "object", "properties": {"p" * 10_000: {"type": 5}}}}
    ] * 50
    status, out, _ = audit(hostile)
    assert status == 1
    assert len(out) < 200_000
