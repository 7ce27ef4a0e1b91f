"""What is said about one failure: what was expected in the schema's own terms, and what was there.

One function a keyword or family, all of the same shape: a `Failure` and its `Scene` in, a phrase out. What to do
about it comes from advice.py; where it happened is put in front by explain.py. Bounded whatever the schema and the
value are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .describe import FORMATS, alternatives, describe, format_example, kind_names, listed, number_range
from .mentions import NO_TAG, branch_name, missing_property
from .nearness import by_nearness
from .render import quote, quote_text
from .scene import Scene
from .secrets import tells_secret

#: Names and values listed in one phrase, and missing properties that get a description each.
_LISTED, _DESCRIBED = 6, 4


Words = Callable[[Scene], str]
_WORDS: dict[str | None, Words] = {}


def words(scene: Scene) -> str:
    """Say what a failure is about."""
    return _WORDS.get(scene.failure.keyword, _unknown)(scene)


def _says(*keywords: str | None) -> Callable[[Words], Words]:
    def register(function: Words) -> Words:
        for keyword in keywords:
            _WORDS[keyword] = function
        return function

    return register


def _unknown(scene: Scene) -> str:
    return f"{quote_text(str(scene.failure.keyword), 40)} failed, {scene.got}"


@_says(None)
def _false_schema(scene: Scene) -> str:
    return f"nothing may stand here, {scene.got}"


@_says("type")
def _type(scene: Scene) -> str:
    if "enum" in scene.schema or "const" in scene.schema:
        return f"expected {kind_names(scene.value)}, {scene.got}"
    return f"expected {describe(scene.failure.subschema)}, {scene.got}"


@_says("const")
def _const(scene: Scene) -> str:
    tags = tag_values(scene)
    if tags:
        return f"expected one of {listed(tags, most=_LISTED)}, {scene.got}"
    return f"expected {quote(scene.value, scene.limits.max_value_chars)}, {scene.got}"


@_says("enum")
def _enum(scene: Scene) -> str:
    values = tag_values(scene) or scene.value
    if len(values) > _LISTED and type(scene.failure.instance) is str and not scene.secret:
        values = by_nearness(scene.failure.instance, values, _LISTED)
    return f"expected one of {listed(values, most=_LISTED)}, {scene.got}"


def tag_values(scene: Scene) -> list[str]:
    """All values of the tag that tells the alternatives apart, where the failure is that the tag has none of them."""
    failure = scene.failure
    if failure.alternative is None or failure.container is None:
        return []
    union, keyword, _ = failure.alternative
    tag, by_tag = union.tags.get(keyword, NO_TAG)
    if tag is None or failure.path[-1:] != (tag,):
        return []
    values = [value for value, _ in by_tag]
    return [] if type(failure.instance) is str and failure.instance in values else values


@_says("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
def _bounds(scene: Scene) -> str:
    kind = "integer" if scene.schema.get("type") == "integer" else "number"
    return f"expected {kind} {number_range(scene.schema)}, {scene.got}"


@_says("multipleOf")
def _multiple_of(scene: Scene) -> str:
    return f"expected a multiple of {quote(scene.value, 40)}, {scene.got}"


@_says("minLength", "maxLength")
def _lengths(scene: Scene) -> str:
    length = str.__len__(scene.failure.instance)
    bounds = _count_range(scene.schema.get("minLength"), scene.schema.get("maxLength"), "character")
    text = scene.failure.instance
    got = "" if scene.secret or tells_secret(text) else f": {quote_text(text, 40)}"
    return f"expected {bounds}, got {length}{got}"


@_says("minItems", "maxItems")
def _item_counts(scene: Scene) -> str:
    bounds = _count_range(scene.schema.get("minItems"), scene.schema.get("maxItems"), "item")
    return f"expected {bounds}, {scene.got}"


@_says("minProperties", "maxProperties")
def _property_counts(scene: Scene) -> str:
    count = dict.__len__(scene.failure.instance)
    bounds = _count_range(scene.schema.get("minProperties"), scene.schema.get("maxProperties"), "propert")
    return f"expected {bounds}, got {count}"


def _count_range(least: Any, most: Any, noun: str) -> str:
    def counted(number: Any) -> str:
        endings = ("y", "ies") if noun == "propert" else ("", "s")
        return f"{quote(number, 24)} {noun}{endings[number != 1]}"

    if least and most is not None:
        return f"exactly {counted(least)}" if least == most else f"{quote(least, 24)} to {counted(most)}"
    return f"at least {counted(least)}" if least else f"at most {counted(most)}"


@_says("pattern")
def _pattern(scene: Scene) -> str:
    return f"expected a string that matches the pattern {quote_text(scene.value, 100)}, {scene.got}"


@_says("format")
def _format(scene: Scene) -> str:
    name = scene.value
    example = format_example(name)
    noun = FORMATS.get(name, f"a string in the format {quote(name, 40)}")
    return f"expected {noun}{example}, {scene.got}"


@_says("contentEncoding", "contentMediaType")
def _content(scene: Scene) -> str:
    return f"expected a string with content of {quote(scene.value, 40)}, {scene.got}"


@_says("required")
def _required(scene: Scene) -> str:
    missing = scene.failure.detail
    properties: Any = scene.failure.subschema.children.get("properties", {})
    tag, values = None, []
    if scene.failure.alternative is not None:
        union, keyword, _ = scene.failure.alternative
        tag, by_tag = union.tags.get(keyword, NO_TAG)
        values = [value for value, _ in by_tag]
    shown = [
        missing_property(name, properties.get(name), values if name == tag else []) for name in missing[:_DESCRIBED]
    ]
    rest = [quote_text(name, 40) for name in missing[_DESCRIBED : _DESCRIBED + _LISTED]]
    left = len(missing) - len(shown) - len(rest)
    text = ", ".join(shown + rest) + (f" and {left} more" if left else "")
    return f"missing required propert{'y' if len(missing) == 1 else 'ies'} {text}"


@_says("dependentRequired", "dependencies")
def _dependent_required(scene: Scene) -> str:
    trigger, missing = scene.failure.detail
    return f"where {quote_text(trigger, 60)} is given, {listed(missing, most=_LISTED)} must be given too"


@_says("additionalProperties", "unevaluatedProperties")
def _unknown_properties(scene: Scene) -> str:
    names = scene.failure.detail
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
        name = branch_name(scene.failure.subschema, keyword, detail)
        return f"none of {len(branches)} alternatives matches; the nearest is {name}"
    return f"expected {alternatives(branches)}, {scene.got}"
