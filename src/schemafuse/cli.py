"""The `schemafuse` command: check a value against a schema, say what a schema costs, vet the tools of a server.

Comes in: files of JSON, or standard input. Goes out: what a model would read, or JSON, and an exit status: 0 valid,
1 invalid, 2 unreadable input (a line on standard error says why), 3 a budget ran out. Never a traceback, and nothing
that a terminal could take for more than text.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NoReturn

from . import audit
from .errors import SchemaError
from .limits import Limits
from .render import escape, quote_text
from .validator import compile

if TYPE_CHECKING:
    from .validator import Validator

EXIT_STATUS = {"valid": 0, "invalid": 1, "exhausted": 3}
EXIT_UNREADABLE = 2
EXIT_INTERRUPTED = 130

#: A file is read into memory whole, so there has to be an end to it. Nothing within the default limits comes near.
MAX_FILE_BYTES = 32 << 20
_SHOWN_CHARS = 300


class UnreadableError(Exception):
    """The command cannot do what was asked; its text is the one line that says why."""


# Reading ------------------------------------------------------------------------------------------


def read_json(path: str) -> Any:
    """Return the JSON value in a file ("-": standard input); raise `UnreadableError` for anything else."""
    name = "standard input" if path == "-" else quote_text(path, 200)
    try:
        return parse_json(_read_bytes(path))
    except UnreadableError as error:
        raise UnreadableError(f"{name}: {error}") from None
    except OSError as error:
        raise UnreadableError(f"cannot read {name}: {error.strerror or type(error).__name__}") from None
    except ValueError:  # open() has no other error for a name with a NUL character
        raise UnreadableError(f"cannot read {name}: not the name of a file") from None


def _read_bytes(path: str) -> bytes:
    if path != "-":
        with open(path, "rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    elif sys.stdin is None:
        raise UnreadableError("is closed")
    else:
        content = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise UnreadableError(f"larger than {MAX_FILE_BYTES} bytes")
    return content


def parse_json(content: bytes) -> Any:
    """Parse JSON text (RFC 8259) strictly: UTF-8, no NaN, no number out of range, no name twice in one object."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"not UTF-8 text (byte {error.start})") from None
    if not text.strip():
        raise UnreadableError("empty, where JSON was expected")
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant, parse_float=_float)
    except json.JSONDecodeError as error:
        raise UnreadableError(f"not JSON: {escape(error.msg)} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise UnreadableError("arrays and objects nested too deeply to be read") from None
    except MemoryError:
        raise UnreadableError("too large to be read into memory") from None
    except ValueError:  # int() refuses to convert text that long, as its time is quadratic
        raise UnreadableError(f"an integer of more than {sys.get_int_max_str_digits()} digits") from None


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(members)
    if len(value) < len(members):
        # RFC 8259 leaves open which one counts. Whoever reads the file next may think otherwise than we would.
        seen: set[str] = set()
        name = next(name for name, _ in members if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise UnreadableError(f"an object has the name {quote_text(name)} twice")
    return value


def _no_constant(name: str) -> NoReturn:
    raise UnreadableError(f"not JSON: {name} is no JSON number")


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise UnreadableError(f"the number {text[:40]} is beyond what a double can hold")
    return value


# The commands -------------------------------------------------------------------------------------


def check(options: argparse.Namespace) -> int:
    """Check INSTANCE against SCHEMA and print what a model would read."""
    if options.schema == options.instance == "-":
        raise UnreadableError("only one of SCHEMA and INSTANCE can be standard input")
    validator = compile_file(options)
    report = validator.check(read_json(options.instance))
    write(json.dumps(report.to_dict(), indent=2) if options.format == "json" else report.text())
    return EXIT_STATUS[report.status]


def explain(options: argparse.Namespace) -> int:
    """Print what SCHEMA uses of each limit, and what a check against it costs."""
    validator = compile_file(options)
    limits, cost, used = validator.limits, validator.cost, validator.usage
    rows = {name: (count, getattr(limits, name)) for name, count in used.items()}
    affordable = int(limits.max_steps / cost.steps_per_value)
    if options.format == "json":
        explained = {
            "dialect": validator.dialect,
            "usage": {name: {"used": count, "allowed": allowed} for name, (count, allowed) in rows.items()},
            "cost": {
                "kind": cost.kind,
                "minSteps": cost.min_steps,
                "maxStepsPerValue": cost.steps_per_value,
                "maxStepsPerCharacter": cost.steps_per_char,
                "affordableValues": affordable,
                "heaviest": list(cost.heaviest),
            },
        }
        write(json.dumps(explained, indent=2))
        return 0
    lines = [f"dialect: {escape(validator.dialect)}", "", f"{'limit':<20}{'used':>12}{'allowed':>12}{'percent':>9}"]
    for name, (count, allowed) in rows.items():
        lines.append(f"{name:<20}{count:>12}{allowed:>12}{_percent(count, allowed):>9}")
    lines += [
        "",
        f"{'cost of a check':<32}{cost.kind:>12}",
        f"{'steps at least':<32}{cost.min_steps:>12}",
        f"{'steps at most, each value':<32}{cost.steps_per_value:>12.1f}",
        f"{'steps at most, each character':<32}{cost.steps_per_char:>12.3f}",
        f"{'values that are always affordable':<32}{affordable:>11}",
    ]
    if cost.heaviest:
        lines += ["heaviest:", *(f"  {quote_text(location, 120)}" for location in cost.heaviest)]
    write("\n".join(lines))
    return 0


def _percent(used: int, allowed: int) -> str:
    share = 100 * used / allowed
    return f"{share:.0f} %" if share >= 1 or not used else "< 1 %"


def compile_file(options: argparse.Namespace) -> Validator:
    """Compile the schema in the file that the options name, under the limits they give."""
    limits = chosen_limits(options)
    schema = read_json(options.schema)
    try:
        return compile(schema, limits=limits, dialect=options.dialect, assert_formats=options.assert_formats)
    except SchemaError as error:
        if options.format == "json":
            refusal = {"code": error.code, "location": error.location, "message": error.message}
            write(json.dumps({"status": "refused", "schemaError": refusal}, indent=2))
        raise UnreadableError(f"the schema was refused, {error.code}: {error.message}") from None


# The command line ---------------------------------------------------------------------------------


def chosen_limits(options: argparse.Namespace) -> Limits:
    """Return the limits that the options give."""
    given = {field.name: getattr(options, field.name) for field in fields(Limits)}
    try:
        return Limits(**{name: value for name, value in given.items() if value is not None})
    except ValueError as error:
        raise UnreadableError(str(error)) from None


def add_limits(command: argparse.ArgumentParser) -> None:
    """Give a command an option for each limit."""
    limits = command.add_argument_group("limits")
    for field in fields(Limits):
        option = "--" + field.name.replace("_", "-")
        limits.add_argument(option, type=int, metavar="N", help=f"default: {field.default}")


class OneLineParser(argparse.ArgumentParser):
    """Says what is wrong with the command line in one line, like everything else here."""

    def error(self, message: str) -> NoReturn:
        raise UnreadableError(f"{message} (see {self.prog} --help)")

    def print_help(self, file: Any = None) -> None:
        write(self.format_help().rstrip())


def parser() -> OneLineParser:
    about = "Compile JSON Schemas from strangers; check values within bounds."
    top = OneLineParser(prog="schemafuse", description=about, allow_abbrev=False)
    top.add_argument("--version", action="store_true", help="print the version")
    commands = top.add_subparsers(title="commands", dest="command", metavar="COMMAND", parser_class=OneLineParser)
    for run, arguments in ((check, ("SCHEMA", "INSTANCE")), (explain, ("SCHEMA",))):
        command = commands.add_parser(run.__name__, help=run.__doc__, description=run.__doc__, allow_abbrev=False)
        command.set_defaults(run=run)
        for name in arguments:
            command.add_argument(name.lower(), metavar=name, help="a file of JSON, or - for standard input")
        command.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
        command.add_argument("--dialect", metavar="URI", help="for a schema without $schema; default: Draft 2020-12")
        command.add_argument("--assert-formats", action="store_true", help="check `format` instead of noting it")
        add_limits(command)
    audit.add_command(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status; `arguments` are those of the process unless given."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # whatever the terminal's encoding cannot show
    try:
        options = parser().parse_args(arguments)
        if options.version:
            write(f"schemafuse {_version()}")
            return 0
        if options.command is None:
            raise UnreadableError("no command given (see schemafuse --help)")
        status: int = options.run(options)
        return status
    except UnreadableError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _version() -> str:
    from importlib.metadata import version

    return version("schemafuse")


def write(text: str) -> None:
    """Print text now. A reader who has gone away is no error: the exit status still tells."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        _discard(sys.stdout)
    except OSError as error:
        _discard(sys.stdout)
        raise UnreadableError(f"cannot write the output: {error.strerror}") from None


def _complain(message: str) -> int:
    line = " ".join(message.split())
    shown = line if len(line) <= _SHOWN_CHARS * 4 else line[: _SHOWN_CHARS * 4] + "…"
    try:
        if sys.stderr is not None:
            print(f"schemafuse: {shown if shown.isprintable() else escape(shown)}", file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)
    return EXIT_UNREADABLE


def _discard(stream: Any) -> None:
    """Send what is left in a stream's buffer nowhere, so that closing it at exit does not fail once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
