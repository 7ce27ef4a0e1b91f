"""The command: what it prints, its exit status, and one line for every kind of unreadable input."""

import io
import json
import os
import signal
import subprocess
import sys
import time

import pytest

import schemafuse.cli
from schemafuse.cli import main

SCHEMA = {"type": "object", "properties": {"days": {"type": "integer", "maximum": 7}}, "required": ["days"]}


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the command in an empty folder: returns the exit status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments, stdin=b"", **files):
        for name, content in files.items():
            (tmp_path / name).write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = main(arguments)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def refusal(outcome):
    """The one line on standard error that comes with exit status 2."""
    status, _, err = outcome
    assert status == 2
    assert err.startswith("schemafuse: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert err.rstrip("\n").isprintable()
    assert "Traceback" not in err
    return err.removeprefix("schemafuse: ").rstrip("\n")


# check --------------------------------------------------------------------------------------------


def test_valid(run):
    assert run("check", "schema", "value", schema=SCHEMA, value={"days": 3}) == (0, "The arguments are valid.\n", "")


def test_invalid(run):
    status, out, err = run("check", "schema", "value", schema=SCHEMA, value={"days": 9})
    assert (status, err) == (1, "")
    assert "/days" in out
    assert "7" in out


def test_exhausted(run):
    status, out, err = run(
        "check", "--max-steps", "3", "schema", "value", schema={"items": {"type": "integer"}}, value=[1] * 9
    )
    assert (status, err) == (3, "")
    assert "steps" in out


@pytest.mark.parametrize(("value", "status", "word"), [({"days": 3}, 0, "valid"), ({"days": "x"}, 1, "invalid")])
def test_json_format(run, value, status, word):
    actual, out, _ = run("check", "--format", "json", "schema", "value", schema=SCHEMA, value=value)
    assert actual == status
    report = json.loads(out)
    assert report["status"] == word
    assert set(report) == {"status", "errors", "moreErrors", "exhausted", "steps"}


def test_either_file_may_be_standard_input(run):
    assert run("check", "-", "value", stdin=json.dumps(SCHEMA).encode(), value={"days": 3})[0] == 0
    assert run("check", "schema", "-", stdin=b'{"days": 8}', schema=SCHEMA)[0] == 1


def test_options_reach_the_compiler(run):
    dated = {"properties": {"day": {"format": "date"}}}
    assert run("check", "schema", "value", schema=dated, value={"day": "tomorrow"})[0] == 0
    assert run("check", "--assert-formats", "schema", "value", schema=dated, value={"day": "tomorrow"})[0] == 1
    tuples = {"items": [{"type": "string"}]}
    draft_07 = "http://json-schema.org/draft-07/schema#"
    assert run("check", "--dialect", draft_07, "schema", "value", schema=tuples, value=[1])[0] == 1
    refusal(run("check", "schema", "value", schema=tuples, value=[1]))


def test_limits_can_be_changed(run):
    assert run("check", "--max-instance-depth", "5", "schema", "value", schema=True, value=[[[[[]]]]])[0] == 0
    assert run("check", "--max-instance-depth", "4", "schema", "value", schema=True, value=[[[[[]]]]])[0] == 3
    line = refusal(run("check", "--max-instance-depth", "100000", "schema", "value", schema=True, value=1))
    assert "max_instance_depth must be between" in line
    refusal(run("check", "--max-steps", "many", "schema", "value", schema=True, value=1))


def test_a_refused_schema(run):
    line = refusal(run("check", "schema", "value", schema={"properties": {"a": {"type": "int"}}}, value={}))
    assert line.startswith("the schema was refused, invalid_schema: ")
    assert "/properties/a/type" in line
    outcome = run("check", "--format", "json", "schema", "value", schema={"$ref": "http://localhost/x"}, value={})
    refusal(outcome)
    refused = json.loads(outcome[1])
    assert refused["status"] == "refused"
    assert set(refused["schemaError"]) == {"code", "location", "message"}
    assert refused["schemaError"]["code"] == "remote_ref"


# Unreadable input ---------------------------------------------------------------------------------

UNREADABLE = {
    "empty": (b"", "empty"),
    "blank": (b" \n ", "empty"),
    "not JSON": (b'{"a": 1,\n "b" 2}', "line 2, column 6"),
    "trailing text": (b"1 2", "line 1, column 3"),
    "single quotes": (b"{'a': 1}", "not JSON"),
    "latin-1": ('"é"'.encode("latin-1"), "not UTF-8 text (byte 1)"),
    "utf-16": ('{"a": 1}'.encode("utf-16"), "not UTF-8"),
    "binary": (bytes(range(256)) * 10, "not"),
    "NUL": (b'"a\0b"', "not JSON"),
    "NaN": (b'{"a": NaN}', "NaN"),
    "infinity": (b"-Infinity", "-Infinity"),
    "number out of range": (b"[1e400]", "1e400"),
    "the same name twice": (b'[{"a": 1, "b": 2, "a": 3}]', 'the name "a" twice'),
    "a hostile name twice": (b'{"\\u001b[31m": 1, "\\u001b[31m": 3}', "\\u001b[31m"),
    "deep": (b"[" * 200_000, "nested too deeply"),
    "deep objects": (b'{"a":' * 200_000, "nested too deeply"),
    "5,000 digits": (b"[" + b"7" * 5_000 + b"]", "an integer of more than 4300 digits"),
}


@pytest.mark.parametrize(("content", "reason"), UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable_content(run, content, reason):
    assert reason in refusal(run("check", "schema", "value", schema=True, value=content))
    assert reason in refusal(run("check", "value", "schema", schema=True, value=content))
    assert reason in refusal(run("explain", "-", stdin=content))


def test_a_byte_order_mark_is_no_fault(run):
    mark = b"\xef\xbb\xbf"
    schema = mark + json.dumps(SCHEMA).encode()
    assert run("check", "schema", "value", schema=schema, value=mark + b'{"days":1}')[0] == 0


def test_lone_surrogates_can_be_read(run):
    assert run("check", "schema", "value", schema={"maxLength": 1}, value=b'"\\ud800"')[0] == 0
    status, out, _ = run("check", "schema", "value", schema={"type": "integer"}, value=b'"\\ud800"')
    assert status == 1
    out.encode()


@pytest.mark.parametrize(
    "name", ["missing", "folder", "missing/inside", "", "a\0b", "x" * 5000, "\x1b[31mred", "\udcff"]
)
def test_what_is_no_file(run, tmp_path, name):
    (tmp_path / "folder").mkdir()
    line = refusal(run("check", "schema", name, schema=True))
    assert line.startswith("cannot read ")
    assert len(line) < 300


def test_no_permission(run, tmp_path):
    (tmp_path / "secret").write_text("1")
    (tmp_path / "secret").chmod(0)
    if os.access(tmp_path / "secret", os.R_OK):
        return  # whoever runs this may read everything
    assert "Permission denied" in refusal(run("check", "schema", "secret", schema=True))


def test_a_file_without_end(run, monkeypatch):
    monkeypatch.setattr(schemafuse.cli, "MAX_FILE_BYTES", 1000)
    assert "larger than 1000 bytes" in refusal(run("check", "schema", "/dev/zero", schema=True))
    assert run("check", "schema", "value", schema=True, value=b" " * 999 + b"1")[0] == 0
    refusal(run("check", "schema", "value", schema=True, value=b" " * 1000 + b"1"))


def test_closed_standard_input(run, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["explain", "-"]) == 2
    assert capsys.readouterr().err == "schemafuse: standard input: is closed\n"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["check"],
        ["check", "schema"],
        ["check", "-", "-"],
        ["check", "a", "b", "c"],
        ["chekc", "a", "b"],
        ["check", "--format", "xml", "a", "b"],
        ["check", "--no-such-option", "a", "b"],
        ["check", "--max-st", "5", "a", "b"],
        ["check", "--max-steps", "0", "a", "b"],
        ["explain", "a", "b"],
        ["\x1b[31m"],
        ["check", "--max-steps", "9" * 5000, "a", "b"],
    ],
)
def test_a_wrong_command_line(run, arguments):
    refusal(run(*arguments))


# explain, version, help ---------------------------------------------------------------------------


def test_explain(run):
    status, out, err = run("explain", "schema", schema=SCHEMA)
    assert (status, err) == (0, "")
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line.startswith("max_")}
    assert rows["max_subschemas"][:2] == ["2", "10000"]
    assert rows["max_schema_depth"][:2] == ["2", "64"]
    assert "linear" in out


def test_explain_as_json(run):
    status, out, _ = run("explain", "--format", "json", "--max-subschemas", "4", "schema", schema=SCHEMA)
    explained = json.loads(out)
    assert status == 0
    assert explained["usage"]["max_subschemas"] == {"used": 2, "allowed": 4}
    assert explained["dialect"] == "https://json-schema.org/draft/2020-12/schema"
    assert explained["cost"]["kind"] == "linear"


def test_version(run):
    status, out, _ = run("--version")
    assert status == 0
    assert out.startswith("schemafuse 0.")


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"], ["explain", "--help"]])
def test_help(arguments, capsys):
    with pytest.raises(SystemExit) as exit:
        main(arguments)
    assert exit.value.code == 0
    assert "SCHEMA" in capsys.readouterr().out


# As a process -------------------------------------------------------------------------------------


def start(*arguments, **options):
    command = [sys.executable, "-m", "schemafuse", *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, **options)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_output_in_any_encoding(tmp_path, encoding):
    (tmp_path / "schema").write_text(json.dumps({"properties": {"größe→": {"enum": ["日本", "\ud800", "\x1b[31m"]}}}))
    (tmp_path / "value").write_text(json.dumps({"größe→": "é\u202e\u0007"}))
    env = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    process = start("check", "schema", "value", cwd=tmp_path, env=env, stdout=subprocess.PIPE)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, b"")
    assert not set(out) & {0x1B, 0x07}
    assert "\u202e" not in out.decode(encoding)


def test_a_reader_that_has_gone_away(tmp_path):
    (tmp_path / "value").write_text("5")
    reader, writer = os.pipe()
    os.close(reader)
    process = start("check", "value", "-", cwd=tmp_path, stdout=writer)
    os.close(writer)
    _, err = process.communicate(b"1", timeout=60)
    assert (process.returncode, err.count(b"\n")) == (2, 1)  # 5 is no schema
    reader, writer = os.pipe()
    os.close(reader)
    (tmp_path / "schema").write_text("true")
    process = start("check", "schema", "-", cwd=tmp_path, stdout=writer)
    os.close(writer)
    assert process.communicate(b"1", timeout=60)[1] == b""
    assert process.returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk(tmp_path):
    (tmp_path / "schema").write_text("true")
    with open("/dev/full", "wb") as full:
        process = start("check", "schema", "-", cwd=tmp_path, stdout=full)
        err = process.communicate(b"1", timeout=60)[1]
    assert process.returncode == 2
    assert err.startswith(b"schemafuse: cannot write the output: ")
    assert err.count(b"\n") == 1


def test_interrupt():
    # What a shell starts in the background is born deaf to the signal.
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from schemafuse.cli import main; print('ready', flush=True); sys.exit(main(['explain', '-']))"
    )
    command = [sys.executable, "-c", program]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    time.sleep(0.5)  # by then it waits for input
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")
