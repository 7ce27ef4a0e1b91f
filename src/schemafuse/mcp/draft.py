"""A definition on its way to a Tool: the private copy of its members, the rules applied to them, its schemas compiled.

Comes in: any Python object. Goes out: members in exact builtin types, validators, header parameters, and findings; what
was not found wrong is right. Copies each part once, and never reads the caller's object again after that.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from typing import Any

from .._core.sendable import MAX_RECURSION
from ..deadline import Deadline
from ..dialects import DEFAULT_DIALECT
from ..errors import SchemaError
from ..json_copy import MEMBER_BYTES, JsonCopier
from ..limits import LARGEST, Limits
from ..render import json_pointer, place, quote, quote_text
from ..subschemas import Resource, Subschema
from ..validator import Validator, compile
from .header_parameters import ANNOTATION, HeaderParameter, find_header_parameters
from .members import RULES, check_annotations, check_icons, check_name
from .problems import Findings
from .sendable import find_unsendable, may_hold_surrogates

SCHEMAS = ("inputSchema", "outputSchema")
#: The version of the marshal format that keeps no identities.
_MARSHAL_VERSION = 2
_ANNOTATION_BYTES = ANNOTATION.encode()
_NO_PARAMETERS = '{"type": "object", "additionalProperties": false}'


class Draft:
    """One definition being checked."""

    __slots__ = (
        "annotations",
        "findings",
        "header_parameters",
        "icons",
        "limits",
        "members",
        "packed",
        "resources",
        "validators",
    )

    def __init__(
        self, definition: object, limits: Limits, findings: Findings, resources: Mapping[str, Any] | None
    ) -> None:
        self.limits = limits
        self.resources = resources
        self.findings = findings
        #: In the order of the definition; a schema stands here as it was given until it is compiled.
        self.members: dict[str, Any] = {}
        self.validators: dict[str, Validator] = {}
        self.annotations: dict[str, Any] = {}
        self.icons: tuple[dict[str, Any], ...] = ()
        self.header_parameters: tuple[HeaderParameter, ...] = ()
        #: The whole definition, marshalled; b"" as long as something is wrong with it.
        self.packed = b""
        self._copy(definition)

    @property
    def name(self) -> str | None:
        name = self.members.get("name")
        return name if type(name) is str else None

    def check(self, assert_formats: bool, assert_result_formats: bool) -> None:
        """Apply every rule."""
        # The copy was not finished if something is wrong already; what has been copied can still be looked at.
        complete = not self.findings.failed
        if complete:
            self._check_presence()
        self._check_members()
        self._compile("inputSchema", assert_formats)
        self._compile("outputSchema", assert_result_formats)
        if not self.findings.failed:
            self.packed = marshal.dumps(self.members, _MARSHAL_VERSION)
            if may_hold_surrogates(self.packed):
                self._check_surrogates()
        if "inputSchema" in self.validators:
            self._check_input()

    # The copy ---------------------------------------------------------------------------------------

    def _copy(self, definition: object) -> None:
        if not issubclass(type(definition), dict):
            text = f"a tool definition must be an object, not {quote(definition, 60)}"
            self.findings.error("not_an_object", "", text)
            return
        try:
            self._copy_members(definition)  # type: ignore[arg-type]
        except SchemaError as error:
            message = f"the definition at {error.message}"
            # One integer with too many digits has the same code, and says so itself.
            if error.code == "too_large" and "max_integer_digits" not in error.message:
                limit = f"more than the {self.limits.max_schema_bytes} bytes of max_schema_bytes"
                message = f"what stands beside the schemas takes {limit}: shorten it"
            elif error.code == "compile_timeout":
                message = "what stands beside the schemas takes too long to copy: shorten it"
            self.findings.error(error.code, error.location, message)
        except RecursionError:
            raise
        except RuntimeError:  # "dictionary changed size during iteration"
            self.findings.error("not_json", "", "the definition was changed while it was checked: pass a copy")

    def _copy_members(self, definition: dict[Any, Any]) -> None:
        copier = JsonCopier(self.limits, Deadline(self.limits.max_compile_ms))
        root = Subschema({}, None, "", None, None)  # type: ignore[arg-type]
        root.resource = Resource("", DEFAULT_DIALECT, root, "", None)
        others: dict[str, Any] = {}
        copier.raw_documents[""] = others
        # A definition without members beside its schemas has two of them.
        copier.charge(max(0, dict.__len__(definition) - 2), MEMBER_BYTES)
        for key, value in dict.items(definition):
            name = key if type(key) is str else copier.exact_key(key, root, ())
            if name in self.members:
                raise SchemaError("not_json", "", f"the root: two members have the name {quote_text(name, 60)}")
            if name in SCHEMAS:
                self.members[name] = value
                continue
            others[name] = value
            copier.charge_text(len(name))
            self.members[name] = copier.copy(value, 1, root, name)

    # The rules --------------------------------------------------------------------------------------

    def _check_presence(self) -> None:
        findings = self.findings
        if "name" not in self.members:
            findings.error("missing", "", "the definition has no name: give the tool one of 1 to 128 characters")
        if "inputSchema" not in self.members:
            remedy = f"write {_NO_PARAMETERS} for a tool without parameters"
            findings.error("missing", "", f"the definition has no inputSchema: {remedy}")

    def _check_members(self) -> None:
        members, findings = self.members, self.findings
        if "name" in members:
            check_name(members["name"], findings)
        for member, rule in RULES.items():
            if member in members:
                rule(members[member], findings)
        if "annotations" in members:
            self.annotations = check_annotations(members["annotations"], findings)
        if "icons" in members:
            self.icons = check_icons(members["icons"], findings)

    def _compile(self, member: str, assert_formats: bool) -> None:
        """Compile one of the schemas, if it is there."""
        if member not in self.members or not self._is_schema(member, self.members[member]):
            return
        try:
            schema = self.members[member]
            self.validators[member] = validator = compile(
                schema, limits=self.limits, assert_formats=assert_formats, resources=self.resources
            )
        except SchemaError as error:
            self.findings.refused(member, error)
        else:
            self.members[member] = validator._document.value

    def _is_schema(self, member: str, schema: object) -> bool:
        """Whether there is something to compile: both schemas are objects (MCP schema § Tool)."""
        findings, location = self.findings, f"/{member}"
        if issubclass(type(schema), dict):
            return True
        optional = member == "outputSchema"
        if schema is None and optional:
            findings.tolerated("null_member", location, f"{member} is null: leave it out when there is none")
            return False
        remedy = (
            "a schema that takes any value is written {}" if optional else f"write {_NO_PARAMETERS} for no parameters"
        )
        text = f"{member} must be an object with a JSON Schema, not {quote(schema, 60)}: {remedy}"
        if type(schema) is bool and optional:  # a JSON Schema all the same
            findings.tolerated("wrong_type", location, text)
            return True
        findings.error("wrong_type", location, text)
        return False

    def _check_input(self) -> None:
        schema = self.members["inputSchema"]
        if schema.get("type") != "object":
            self._note_root_type(schema)
        if not self.packed or _ANNOTATION_BYTES in self.packed:
            self.header_parameters = find_header_parameters(schema, self.validators["inputSchema"], self.findings)

    def _note_root_type(self, schema: dict[str, Any]) -> None:
        """Arguments are always objects, so the root says `type: "object"` (MCP schema § Tool.inputSchema)."""
        if "type" in schema:
            found, location = f"has the type {quote(schema['type'], 60)}", "/inputSchema/type"
        else:
            found, location = "says no type", "/inputSchema"
        text = f'the root of inputSchema {found}: arguments are always an object, so write "type": "object" there'
        unknown = [name for name in schema if name not in DEFAULT_DIALECT.keywords and type(schema[name]) is dict]
        if unknown and "properties" not in schema:
            text += f', and put parameters such as {quote_text(unknown[0], 40)} under "properties"'
        harmless = "type" not in schema or schema["type"] == ["object"]
        (self.findings.tolerated if harmless else self.findings.error)("input_root_type", location, text)

    def _check_surrogates(self) -> None:
        """A lone surrogate is no Unicode text: JSON can spell it, UTF-8 cannot, and transports fall over it."""
        # The copy is as deep and as large as it may be: only what stands in it is of interest.
        found = find_unsendable(self.members, max_levels=MAX_RECURSION, max_values=LARGEST)
        if found is not None:
            text = f"the definition at {place(found.path)}: {found.reason}, which transports cannot send: remove it"
            self.findings.error("not_unicode", json_pointer(found.path), text)
