"""What is said about one failure: what was expected in the schema's own terms, and what was there.

One function a keyword or family. Where the schema alone says what was expected, a subschema goes in and that phrase
comes out, to be made once; elsewhere a `Scene` goes in and the whole comes out. What to do about it comes from
advice.py; where it happened is put in front by explain.py. Bounded whatever the schema and the value are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._core.failure import Failure
from .describe import FORMATS, alternatives, describe, format_example, kind_names, listed, number_range
from .knowledge import recall, recall_of
from .lowering.tags import NO_TAG, is_among
from .mentions import branch_name, missing_property
from .nearness import by_nearness
from .render import quote, quote_text
from .scene import Scene
from .secret_names import tells_secret
from .subschemas import NOTHING, Subschema

#: Names and values listed in one phrase, and missing properties that get a description each.
_LISTED, _DESCRIBED = 6, 4


Expected = Callable[[Subschema], str]
Words = Callable[[Scene], str]
_EXPECTED: dict[str | None, Expected] = {}
_WORDS: dict[str | None, Words] = {}


def words(scene: Scene) -> str:
    """Say what a failure is about."""
    keyword = scene.failure.keyword
    expected = _EXPECTED.get(keyword)
    if expected is not None:
        return _and_got(expected, scene)
    return _WORDS.get(keyword, _unknown)(scene)


def _and_got(expected: Expected, scene: Scene) -> str:
    return f"{recall(expected, scene.failure.subschema)}, {scene.got}"


def _expects(*keywords: str | None) -> Callable[[Expected], Expected]:
    def register(function: Expected) -> Expected:
        for keyword in keywords:
            _EXPECTED[keyword] = function
        return function

    return register


def _says(*keywords: str | None) -> Callable[[Words], Words]:
    def register(function: Words) -> Words:
        for keyword in keywords:
            _WORDS[keyword] = function
        return function

    return register


def _unknown(scene: Scene) -> str:
    return f"{quote_text(str(scene.failure.keyword), 40)} failed, {scene.got}"


@_expects(None)
def _false_schema(subschema: Subschema) -> str:
    return "nothing may stand here"


@_expects("type")
def _type(subschema: Subschema) -> str:
    schema: Any = subschema.value
    listed_apart = "enum" in schema or "const" in schema
    return f"expected {kind_names(schema['type']) if listed_apart else describe(subschema)}"


@_says("const")
def _const(scene: Scene) -> str:
    tags = tag_values(scene)
    if tags:
        return f"expected one of {listed(tags, most=_LISTED)}, {scene.got}"
    return f"expected {quote(scene.value, scene.max_value_chars)}, {scene.got}"


@_says("enum")
def _enum(scene: Scene) -> str:
    values = tag_values(scene) or scene.value
    if len(values) > _LISTED and type(scene.failure.instance) is str and not scene.secret:
        values = by_nearness(scene.failure.instance, values, _LISTED)
    elif values is scene.value:
        return _and_got(_listed_values, scene)
    return f"expected one of {listed(values, most=_LISTED)}, {scene.got}"


def _listed_values(subschema: Subschema) -> str:
    return f"expected one of {listed(subschema.value['enum'], most=_LISTED)}"  # type: ignore[index]


def tag_values(scene: Scene) -> list[Any]:
    """All values of the tag that tells the alternatives apart, where the failure is that the tag has none of them."""
    failure = scene.failure
    if failure.alternative is None or failure.container is None:
        return []
    union, keyword, _ = failure.alternative
    tag, by_tag = union.tags.get(keyword, NO_TAG)
    if tag is None or failure.path[-1:] != (tag,):
        return []
    return [] if is_among(failure.instance, by_tag) else [value for value, _ in by_tag]


@_expects("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
def _bounds(subschema: Subschema) -> str:
    schema: Any = subschema.value
    kind = "integer" if schema.get("type") == "integer" else "number"
    return f"expected {kind} {number_range(schema)}"


@_expects("multipleOf")
def _multiple_of(subschema: Subschema) -> str:
    return f"expected a multiple of {quote(subschema.value['multipleOf'], 40)}"  # type: ignore[index]


@_says("minLength", "maxLength")
def _lengths(scene: Scene) -> str:
    text = scene.failure.instance
    got = "" if scene.secret or tells_secret(text) else f": {quote_text(text, 40)}"
    return f"{recall(_length_range, scene.failure.subschema)}, got {str.__len__(text)}{got}"


def _length_range(subschema: Subschema) -> str:
    return f"expected {_count_range(subschema, 'minLength', 'maxLength', 'character')}"


@_expects("minItems", "maxItems")
def _item_counts(subschema: Subschema) -> str:
    return f"expected {_count_range(subschema, 'minItems', 'maxItems', 'item')}"


@_says("minProperties", "maxProperties")
def _property_counts(scene: Scene) -> str:
    count = dict.__len__(scene.failure.instance)
    bounds = _count_range(scene.failure.subschema, "minProperties", "maxProperties", "propert")
    return f"expected {bounds}, got {count}"


def _count_range(subschema: Subschema, lower: str, upper: str, noun: str) -> str:
    schema: Any = subschema.value
    least, most = schema.get(lower), schema.get(upper)

    def counted(number: Any) -> str:
        endings = ("y", "ies") if noun == "propert" else ("", "s")
        return f"{quote(number, 24)} {noun}{endings[number != 1]}"

    if least and most is not None:
        return f"exactly {counted(least)}" if least == most else f"{quote(least, 24)} to {counted(most)}"
    return f"at least {counted(least)}" if least else f"at most {counted(most)}"


@_expects("pattern")
def _pattern(subschema: Subschema) -> str:
    pattern: Any = subschema.value["pattern"]  # type: ignore[index]
    return f"expected a string that matches the pattern {quote_text(pattern, 100)}"


@_expects("format")
def _format(subschema: Subschema) -> str:
    name: Any = subschema.value["format"]  # type: ignore[index]
    noun = FORMATS.get(name, f"a string in the format {quote(name, 40)}")
    return f"expected {noun}{format_example(name)}"


@_says("contentEncoding", "contentMediaType")
def _content(scene: Scene) -> str:
    return f"expected a string with content of {quote(scene.value, 40)}, {scene.got}"


@_says("required")
def _required(scene: Scene) -> str:
    missing = scene.failure.detail
    if len(missing) == 1:
        return f"missing required property {_missing(missing[0], scene.failure)}"
    shown = [_missing(name, scene.failure) for name in missing[:_DESCRIBED]]
    rest = [quote_text(name, 40) for name in missing[_DESCRIBED : _DESCRIBED + _LISTED]]
    left = len(missing) - len(shown) - len(rest)
    text = ", ".join(shown + rest) + (f" and {left} more" if left else "")
    return f"missing required properties {text}"


def _missing(name: str, failure: Failure) -> str:
    """A property that is missing; where it is the tag of a union, with all the values that it can have."""
    properties: Any = failure.subschema.children.get("properties", NOTHING)
    subschema = properties.get(name)
    if subschema is None:
        return quote_text(name, 60)
    if failure.alternative is not None:
        union, keyword, _ = failure.alternative
        tag, by_tag = union.tags.get(keyword, NO_TAG)
        if name == tag:
            return missing_property(subschema, [value for value, _ in by_tag])
    return recall(missing_property, subschema)


@_says("dependentRequired", "dependencies")
def _dependent_required(scene: Scene) -> str:
    trigger, missing = scene.failure.detail
    return f"where {quote_text(trigger, 60)} is given, {listed(missing, most=_LISTED)} must be given too"


@_says("additionalProperties", "unevaluatedProperties")
def _unknown_properties(scene: Scene) -> str:
    names = scene.failure.detail
    if scene.secret:
        return f"{len(names)} unknown propert{'y' if len(names) == 1 else 'ies'}"
    return f"unknown propert{'y' if len(names) == 1 else 'ies'} {listed(names, most=_LISTED)}"


@_says("items", "additionalItems")
def _too_many_items(scene: Scene) -> str:
    count = scene.failure.detail
    return f"expected at most {count} item{'' if count == 1 else 's'}, {scene.got}"


@_says("unevaluatedItems")
def _unevaluated_items(scene: Scene) -> str:
    return f"no item may stand at position {listed(scene.failure.detail, most=_LISTED)}, {scene.got}"


@_says("contains", "minContains")
def _contains(scene: Scene) -> str:
    least = scene.schema.get("minContains", 1)
    inner = describe(scene.failure.subschema.children["contains"])  # type: ignore[arg-type]
    noun = f"{quote(least, 24)} item{'' if least == 1 else 's'}"
    return f"expected at least {noun} of the kind {inner}, found {scene.failure.detail}"


@_says("maxContains")
def _max_contains(scene: Scene) -> str:
    inner = describe(scene.failure.subschema.children["contains"])  # type: ignore[arg-type]
    noun = f"{quote(scene.value, 24)} item{'' if scene.value == 1 else 's'}"
    return f"expected at most {noun} of the kind {inner}, found {scene.failure.detail}"


@_says("uniqueItems")
def _unique_items(scene: Scene) -> str:
    first, second = scene.failure.detail
    return f"every item may occur once, but items {first} and {second} are equal"


@_says("not")
def _not(scene: Scene) -> str:
    inner: Any = scene.failure.subschema.children["not"]
    required = inner.value.get("required") if isinstance(inner.value, dict) else None
    if isinstance(required, list) and len(inner.value) == 1:
        return f"{listed(required, most=_LISTED)} must not be given{' together' if len(required) > 1 else ''}"
    described = describe(inner)
    if described == "any value":
        return f'the value matches the schema under "not" and must not, {scene.got}'
    return f"expected anything but {described}, {scene.got}"


@_says("anyOf", "oneOf")
def _union(scene: Scene) -> str:
    detail, keyword = scene.failure.detail, str(scene.failure.keyword)
    branches: Any = scene.failure.subschema.children[keyword]
    if isinstance(detail, list):
        positions = " and ".join([str(position + 1) for position in detail[:_LISTED]])
        return f"the value matches alternatives {positions} of {len(branches)}, and must match exactly one"
    if scene.failure.covered:
        name = recall(branch_name, branches[detail])
        return f"none of {len(branches)} alternatives matches; the nearest is {name}"
    return f"expected {recall_of(_alternatives, scene.failure.subschema, keyword)}, {scene.got}"


def _alternatives(union: Subschema, keyword: str) -> str:
    return alternatives(union.children[keyword])  # type: ignore[arg-type]
