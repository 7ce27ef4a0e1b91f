"""The validators under trial, each as a function from a schema and an instance to an outcome.

An outcome is a set of labels, so that cases written in several vocabularies can name what they admit:
    valid, invalid, non-json       verdicts; "non-json": an error that says so
    schema-rejected, and with it   bad-schema, unresolvable, infinite, non-json or budget
    budget                         no verdict, and said so
    undocumented                   an exception that the library does not announce, or a promise that does not hold
The engines are warmed up before the first case, since a case may open no file, not even for an import.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any, NamedTuple


class Verdict(NamedTuple):
    """What an engine made of one case."""

    labels: tuple[str, ...]
    detail: str = ""


Engine = Callable[[Any, Any], Verdict]

#: How keys compare that run nobody's code.
PLAIN_COMPARISONS = {str.__eq__, int.__eq__, bytes.__eq__, object.__eq__, type(None).__eq__}
#: A schema and an instance that reach most of the code that an engine imports late.
WARM_SCHEMA = {
    "type": "object",
    "properties": {"a": {"pattern": "^(?=b)"}, "c": {"enum": ["x", 1.5]}},
    "required": ["e"],
}
WARM_INSTANCE = {"a": "zz", "c": "y", "d": [10**30]}
REFUSALS = {
    "not_json": ("bad-schema", "non-json"),
    "too_deep": ("budget",),
    "too_large": ("budget",),
    "too_many_subschemas": ("budget",),
    "too_expensive": ("budget",),
    "compile_timeout": ("budget",),
    "remote_ref": ("unresolvable",),
    "unresolvable_ref": ("unresolvable",),
    "infinite_recursion": ("infinite",),
    "unsupported_dialect": ("bad-schema", "unresolvable"),
}


def schemafuse_engine() -> Engine:
    import schemafuse

    def broken(report: Any, validator: Any, instance: Any) -> str:
        """Return which promise of the report does not hold, or ""."""
        limits = validator.limits
        text = report.text()
        try:
            agrees = validator.is_valid(instance) is report.ok
        except schemafuse.BudgetExceeded:
            agrees = report.exhausted is not None
        if report.exhausted is not None and report.exhausted.budget == "time":
            agrees = True  # the clock need not strike twice at the same place
        checks = {
            "text too long": len(text) <= limits.max_text_chars,
            "text not printable": text.isprintable() or all(c == "\n" or c.isprintable() for c in text),
            "dict is not JSON": bool(json.dumps(report.to_dict())),
            "too many errors": len(report.errors) <= limits.max_errors,
            "errors and status disagree": bool(report.errors) is (report.status == "invalid"),
            "message too long": all(len(str(error)) <= 4 * limits.max_text_chars for error in report.errors),
            "is_valid disagrees": agrees,
        }
        return ", ".join(name for name, right in checks.items() if not right)

    def run(schema: Any, instance: Any) -> Verdict:
        try:
            validator = schemafuse.compile(schema)
        except schemafuse.SchemaError as error:
            if len(str(error)) > 2_000:
                return Verdict(("undocumented",), f"a refusal of {len(str(error))} characters")
            return Verdict(("schema-rejected", *REFUSALS.get(error.code, ("bad-schema",))), f"{error.code}: {error}")
        report = validator.check(instance)
        fault = "" if is_changing(instance) else broken(report, validator, instance)
        if fault:
            return Verdict(("undocumented",), fault)
        if report.exhausted is not None:
            return Verdict(("budget",), str(report.exhausted))
        if any(error.keyword is None and "JSON" in error.message for error in report.errors):
            return Verdict(("invalid", "non-json"), report.errors[0].message)
        return Verdict((report.status,), report.errors[0].message if report.errors else "")

    return run


def is_changing(instance: Any) -> bool:
    """Say whether another thread, or the value's own code, changes the instance: then two checks may differ."""
    if threading.active_count() > 1:
        return True
    return isinstance(instance, dict) and any(
        type(key).__eq__ not in PLAIN_COMPARISONS for key in dict.__iter__(instance)
    )


def jsonschema_rs_engine() -> Engine:
    """jsonschema-rs with every bound that it offers: no retrieval, linear patterns with size limits, no echo."""
    import jsonschema_rs

    patterns = jsonschema_rs.RegexOptions(size_limit=1 << 20, dfa_size_limit=1 << 20)

    def run(schema: Any, instance: Any) -> Verdict:
        try:
            validator = jsonschema_rs.validator_for(
                schema, offline=True, validate_formats=False, pattern_options=patterns, mask="***"
            )
        except jsonschema_rs.ReferencingError as error:
            return Verdict(("schema-rejected", "unresolvable"), str(error))
        except (jsonschema_rs.ValidationError, ValueError) as error:
            kind = "unresolvable" if "etriev" in str(error) or "Pointer" in str(error) else "bad-schema"
            return Verdict(("schema-rejected", kind), str(error))
        try:
            validator.validate(instance)
        except jsonschema_rs.ValidationError as error:
            return Verdict(("invalid",), str(error))
        except ValueError as error:  # documented for values that it cannot read
            return Verdict(("invalid", "non-json"), str(error))
        return Verdict(("valid",))

    return run


def jsonschema_engine() -> Engine:
    """jsonschema as the MCP SDK calls it: `validate`, with ValidationError and SchemaError turned into messages."""
    import jsonschema

    def run(schema: Any, instance: Any) -> Verdict:
        try:
            jsonschema.validate(instance=instance, schema=schema)
        except jsonschema.ValidationError as error:
            return Verdict(("invalid",), error.message)
        except jsonschema.SchemaError as error:
            return Verdict(("schema-rejected", "bad-schema"), error.message)
        return Verdict(("valid",))

    return run


ENGINES: dict[str, Callable[[], Engine]] = {
    "schemafuse": schemafuse_engine,
    "jsonschema-rs": jsonschema_rs_engine,
    "jsonschema": jsonschema_engine,
}


def warmed_up(name: str) -> Engine:
    """Return an engine that has loaded what it loads late: valid, invalid, refused, and every dialect that it knows."""
    engine = ENGINES[name]()
    for instance in (WARM_INSTANCE, 1, float("nan"), {"e": {}, "a": "b"}):
        try:
            engine(WARM_SCHEMA, instance)
        except Exception:
            if name == "schemafuse":
                raise
    for uri in ("http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2019-09/schema"):
        for schema in ({"$schema": uri}, {"$schema": uri, "type": 5}, {"$ref": "#/nowhere"}):
            try:
                engine(schema, 1)
            except Exception:
                if name == "schemafuse":
                    raise
    return engine
