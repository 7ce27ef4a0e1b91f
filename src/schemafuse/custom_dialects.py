"""The dialects that one compilation may use: the standard ones, and those that the caller's metaschemas describe.

In comes a `$schema` value, out goes a `Dialect` with the check for its schemas, or `unsupported_dialect`. A custom
metaschema comes from the caller's resources only, and is admitted like any other schema before anything is built of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import jsonschema_rs

from .dialects import DIALECTS, Dialect, active_vocabularies, find_dialect, vocabulary_dialect
from .errors import SchemaError
from .metaschemas import MetaschemaCheck, bundled_metaschema, standard_check
from .presentable import presentable
from .refusals import at, refusal
from .render import quote, quote_text
from .uris import NOT_FOUND, look_up

if TYPE_CHECKING:
    from .deadline import Deadline
    from .limits import Limits
    from .subschemas import Document, Subschema

#: A custom metaschema may be written in the dialect of another one, but not without end.
LONGEST_CHAIN = 8
_OTHERS = ", ".join(dialect.name for dialect in DIALECTS[1:])
_SUPPORTED = f"use {DIALECTS[0].uri} (or {_OTHERS}), or pass the metaschema in resources"


def named_dialect(raw: Any, root: Subschema) -> str | None:
    """Return what the root of a raw document has in `$schema`, None where it has none."""
    for key, item in dict.items(raw):
        if type(key) is not str:
            if not issubclass(type(key), str):
                continue
            key = str.__str__(key)
        if key == "$schema":
            if not issubclass(type(item), str):
                text = f"$schema must be the URI of a dialect, not {quote(item, 60)}: {_SUPPORTED}"
                raise refusal("invalid_schema", root, ("$schema",), text)
            return str.__str__(item)
    return None


class DialectFinder:
    """Finds dialects by URI, and the check that belongs to each."""

    __slots__ = ("_chain", "_custom", "_deadline", "_limits", "_resources")

    def __init__(
        self, resources: Mapping[str, Any] | None, limits: Limits, deadline: Deadline, chain: tuple[str, ...] = ()
    ) -> None:
        self._resources = resources
        self._limits = limits
        self._deadline = deadline
        #: The metaschemas whose own dialects are being looked for.
        self._chain = chain
        self._custom: dict[str, tuple[Dialect, MetaschemaCheck]] = {}

    def check_for(self, dialect: Dialect) -> MetaschemaCheck:
        """Return what a schema in a dialect that `find` returned has to satisfy."""
        return standard_check(dialect) if dialect.base is dialect else self._custom[dialect.uri][1]

    def find(self, uri: str, subschema: Subschema | None) -> Dialect:
        """Return the dialect with a URI; `subschema` is where it is named, None for the caller's own choice."""
        dialect = find_dialect(uri)
        if dialect is not None:
            return dialect
        if uri not in self._custom:
            raw = look_up(self._resources, uri.rstrip("#"))
            if raw is NOT_FOUND or not issubclass(type(raw), dict):
                raise _unsupported(subschema, f"the dialect {quote_text(uri, 80)} is not supported: {_SUPPORTED}")
            if len(self._chain) >= LONGEST_CHAIN or uri in self._chain:
                text = f"the metaschema {quote_text(uri, 80)} does not lead to a known dialect: {_SUPPORTED}"
                raise _unsupported(subschema, text)
            self._custom[uri] = self._admit_metaschema(uri, raw, subschema)
        return self._custom[uri][0]

    def _admit_metaschema(self, uri: str, raw: Any, subschema: Subschema | None) -> tuple[Dialect, MetaschemaCheck]:
        from .admission import Admission  # a metaschema is a schema, admitted like any other

        try:
            document = Admission(self._limits, self._resources, self._deadline, (*self._chain, uri)).run(raw, None)
        except SchemaError as error:
            if self._chain or error.code == "compile_timeout":
                raise
            place = f" at {at(error.location)}" if error.location and error.code != "unsupported_dialect" else ""
            text = f"the metaschema {quote_text(uri, 60)} cannot be used{place} ({error.code}): {error.message}"[:280]
            raise _unsupported(subschema, text) from None
        own = document.root.resource.dialect
        value: Any = document.value
        vocabularies = value.get("$vocabulary")
        if type(vocabularies) is not dict or own.ref_overrides:
            dialect: Dialect | str = Dialect(uri, own.name, own.keywords, own.base, own.asserts_format)
        else:
            dialect = vocabulary_dialect(uri, own.base, vocabularies.items())
        if type(dialect) is not Dialect:
            text = f"the vocabulary {quote_text(str(dialect), 80)} that its metaschema requires is not supported"
            raise _unsupported(subschema, text + ": leave it out, or set it to false in $vocabulary")
        custom = _build_custom(uri, document)
        if custom is None:
            raise _unsupported(subschema, f"the metaschema {quote_text(uri, 80)} cannot be built: {_SUPPORTED}")
        return dialect, MetaschemaCheck(_build_structure(dialect), custom)


def _unsupported(subschema: Subschema | None, text: str) -> SchemaError:
    if subschema is None:
        return SchemaError("unsupported_dialect", "", text)
    return refusal("unsupported_dialect", subschema, ("$schema",), text)


def _build_structure(dialect: Dialect) -> Any:
    """Build a validator of the vocabularies in force, so that what reaches lowering has the shapes it expects."""
    metaschema: Any = bundled_metaschema(dialect.base.uri.rstrip("#"))
    if not dialect.ref_overrides:
        anchor = {"$recursiveAnchor": True} if dialect.name == "2019-09" else {"$dynamicAnchor": "meta"}
        metaschema = {
            "$schema": dialect.base.uri,
            "$id": "urn:schemafuse:vocabularies",
            **anchor,
            "allOf": [{"$ref": uri} for uri in active_vocabularies(dialect)],
        }
    return jsonschema_rs.validator_for(metaschema, validate_formats=False)


def _build_custom(uri: str, document: Document) -> Any:
    """Build a validator of the custom metaschema itself; None where jsonschema-rs cannot."""
    # The standard vocabularies it refers to are among the documents that its admission reached.
    documents = [(name or uri, presentable(value)) for name, value in document.values.items()]
    for _, value in documents:
        if type(value) is dict and type(value.get("$schema")) is str and find_dialect(value["$schema"]) is None:
            value["$schema"] = document.root.resource.dialect.base.uri
    try:
        registry = jsonschema_rs.Registry(documents, retriever=_refuse)
        return jsonschema_rs.validator_for(
            documents[0][1], validate_formats=False, registry=registry, retriever=_refuse, base_uri=uri
        )
    except BaseException as error:  # a panic in jsonschema-rs is a BaseException
        if isinstance(error, (KeyboardInterrupt, SystemExit, MemoryError, GeneratorExit)):
            raise
        return None


def _refuse(uri: str) -> Any:
    raise ValueError("nothing is retrieved")
