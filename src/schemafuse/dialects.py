"""Which keyword means what, holds what, in which draft: the one table.

In comes a `$schema` value, out goes a `Dialect`: the keywords in force and what kind of thing each of them holds.
A keyword that is not in the table is an annotation whose value is data; nothing here looks at a schema.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from types import MappingProxyType


class Holds(IntEnum):
    """What a keyword's value is, where that matters for admission and resolution. The walk relies on the order."""

    SCHEMAS = 1
    SCHEMA_OR_SCHEMAS = 2
    SCHEMA = 3
    #: An object that maps names to schemas.
    SCHEMA_MAP = 4
    #: An object that maps property names to schemas or to arrays of property names.
    SCHEMA_OR_NAMES_MAP = 5
    #: A URI reference to a schema.
    REFERENCE = 6
    #: A regular expression.
    PATTERN = 7
    #: An array of any values.
    VALUES = 8
    #: An identifier or the name of an anchor, or the URI of a dialect.
    IDENTIFIER = 9


class Dialect:
    """One set of keywords and their meanings. Immutable by convention."""

    __slots__ = (
        "applicators",
        "asserts_format",
        "base",
        "id_keyword",
        "keywords",
        "name",
        "ref_overrides",
        "reference_keywords",
        "roles",
        "uri",
    )

    def __init__(
        self, uri: str, name: str, keywords: frozenset[str], base: Dialect | None = None, asserts_format: bool = False
    ) -> None:
        #: The canonical `$schema` value.
        self.uri = uri
        #: "2020-12", "2019-09", "draft-07", "draft-06" or "draft-04"; a custom dialect has the name of its base.
        self.name = name
        #: Every keyword with a meaning; lowering ignores all others.
        self.keywords = keywords
        #: The standard dialect that a custom one is made of; itself for a standard one.
        self.base: Dialect = base or self
        #: Whether a custom metaschema makes `format` an assertion (Validation 7.2.2; 2019-09 Validation 7.2).
        self.asserts_format = asserts_format
        self.id_keyword = "id" if name == "draft-04" else "$id"
        #: Whether `$ref` hides its siblings (draft-07 Core 8.3).
        self.ref_overrides = name in ("draft-07", "draft-06", "draft-04")
        holds = {keyword: _holds(keyword, name) for keyword in keywords}
        #: keyword -> what it holds, for the keywords whose values admission must look into.
        self.roles: Mapping[str, Holds] = {keyword: role for keyword, role in holds.items() if role is not None}
        #: keyword -> what it holds, for the keywords that hold subschemas.
        self.applicators: Mapping[str, Holds] = MappingProxyType(
            {keyword: role for keyword, role in self.roles.items() if role <= Holds.SCHEMA_OR_NAMES_MAP}
        )
        self.reference_keywords = tuple(k for k in ("$ref", "$dynamicRef", "$recursiveRef") if k in keywords)

    def __repr__(self) -> str:
        return f"<Dialect {self.uri}>"


_CORE_04 = "id $schema $ref definitions"
_CORE_06 = "$id $schema $ref definitions"
_VALIDATION_04 = """type enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern
    maxItems minItems uniqueItems maxProperties minProperties required format title description default"""
_APPLICATORS_04 = """additionalItems items additionalProperties properties patternProperties dependencies
    allOf anyOf oneOf not"""
_ADDED_06 = "const contains propertyNames examples"
_ADDED_07 = "if then else $comment readOnly writeOnly contentMediaType contentEncoding"

#: vocabulary -> keywords. `definitions` and `dependencies` stay in force in the later drafts: their metaschemas keep
#: them as schema positions, and many generators still write them.
_VALIDATION = """type const enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength
    minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required
    dependentRequired"""
_METADATA = "title description default deprecated readOnly writeOnly examples"
_CONTENT = "contentEncoding contentMediaType contentSchema"
_APPLICATORS = """items contains additionalProperties properties patternProperties dependentSchemas propertyNames
    if then else allOf anyOf oneOf not dependencies"""
_VOCABULARIES_2019 = {
    "core": "$id $schema $ref $anchor $recursiveRef $recursiveAnchor $vocabulary $comment $defs definitions",
    "applicator": _APPLICATORS + " additionalItems unevaluatedItems unevaluatedProperties",
    "validation": _VALIDATION,
    "meta-data": _METADATA,
    "format": "format",
    "content": _CONTENT,
}
_VOCABULARIES_2020 = {
    "core": "$id $schema $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs definitions",
    "applicator": _APPLICATORS + " prefixItems",
    "unevaluated": "unevaluatedItems unevaluatedProperties",
    "validation": _VALIDATION,
    "meta-data": _METADATA,
    "format-annotation": "format",
    "format-assertion": "format",
    "content": _CONTENT,
}
#: dialect name -> vocabulary -> its keywords.
VOCABULARIES: Mapping[str, Mapping[str, str]] = {"2019-09": _VOCABULARIES_2019, "2020-12": _VOCABULARIES_2020}

_HOLDS = {
    Holds.SCHEMA: """additionalItems additionalProperties contains contentSchema else if items not propertyNames then
        unevaluatedItems unevaluatedProperties""",
    Holds.SCHEMAS: "allOf anyOf oneOf prefixItems",
    Holds.SCHEMA_MAP: "$defs definitions dependentSchemas patternProperties properties",
    Holds.SCHEMA_OR_NAMES_MAP: "dependencies",
    Holds.REFERENCE: "$ref $dynamicRef $recursiveRef",
    Holds.IDENTIFIER: "id $id $anchor $dynamicAnchor $recursiveAnchor $schema",
    Holds.PATTERN: "pattern",
    Holds.VALUES: "enum",
}
_ROLES = {keyword: role for role, keywords in _HOLDS.items() for keyword in keywords.split()}


def _holds(keyword: str, dialect_name: str) -> Holds | None:
    if keyword == "items" and dialect_name != "2020-12":
        return Holds.SCHEMA_OR_SCHEMAS
    return _ROLES.get(keyword)


def _words(*texts: str) -> frozenset[str]:
    return frozenset(word for text in texts for word in text.split())


_DRAFT_04 = (_CORE_04, _VALIDATION_04, _APPLICATORS_04)
_DRAFT_06 = (_CORE_06, _VALIDATION_04, _APPLICATORS_04, _ADDED_06)
DRAFT_04 = Dialect("http://json-schema.org/draft-04/schema#", "draft-04", _words(*_DRAFT_04))
DRAFT_06 = Dialect("http://json-schema.org/draft-06/schema#", "draft-06", _words(*_DRAFT_06))
DRAFT_07 = Dialect("http://json-schema.org/draft-07/schema#", "draft-07", _words(*_DRAFT_06, _ADDED_07))
DRAFT_2019_09 = Dialect("https://json-schema.org/draft/2019-09/schema", "2019-09", _words(*_VOCABULARIES_2019.values()))
DRAFT_2020_12 = Dialect("https://json-schema.org/draft/2020-12/schema", "2020-12", _words(*_VOCABULARIES_2020.values()))

DIALECTS = (DRAFT_2020_12, DRAFT_2019_09, DRAFT_07, DRAFT_06, DRAFT_04)
DEFAULT_DIALECT = DRAFT_2020_12


def _spellings(uri: str) -> tuple[str, ...]:
    """Every accepted way to write a dialect's URI: either scheme, with or without the empty fragment."""
    rest = uri.split("://", 1)[1].rstrip("#")
    return tuple(f"{scheme}://{rest}{end}" for scheme in ("http", "https") for end in ("", "#"))


_BY_URI = {spelling: dialect for dialect in DIALECTS for spelling in _spellings(dialect.uri)}


def find_dialect(uri: str) -> Dialect | None:
    """Return the standard dialect that a `$schema` value names, or None."""
    return _BY_URI.get(uri)


def vocabulary_dialect(uri: str, base: Dialect, vocabularies: Iterable[tuple[str, bool]]) -> Dialect | str:
    """Return the dialect that a custom metaschema's `$vocabulary` describes.

    Takes the metaschema's URI, the standard dialect (2019-09 or later) it is written in, and pairs of a vocabulary's
    URI and whether it is required.
    Returns the vocabulary's URI instead where a required one is unknown (2020-12 Core 8.1.2).
    """
    known = VOCABULARIES[base.name]
    prefix = f"https://json-schema.org/draft/{base.name}/vocab/"
    active, asserts = ["core"], False
    for vocabulary, required in vocabularies:
        short = vocabulary[len(prefix) :] if vocabulary.startswith(prefix) else ""
        if short in known:
            active.append(short)
            asserts = asserts or short == "format-assertion" or (short == "format" and required)
        elif required:
            return vocabulary
    # A vocabulary that is present, required or not, is in force where it is understood (2020-12 Core 8.1.2).
    keywords = _words(*(known[short] for short in active))
    return Dialect(uri, base.name, keywords, base, asserts)


def active_vocabularies(dialect: Dialect) -> list[str]:
    """Return the URIs of the vocabulary metaschemas whose keywords a dialect has in force."""
    known = VOCABULARIES[dialect.name]
    prefix = f"https://json-schema.org/draft/{dialect.name}/meta/"
    return [prefix + short for short, words in known.items() if _words(words) <= dialect.keywords]
