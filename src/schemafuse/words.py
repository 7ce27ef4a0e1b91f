"""What is said about one failure: what was expected in the schema's own terms, and what was there.

One function a keyword or family. Where the schema alone says what was expected, a subschema goes in and that phrase
comes out, to be made once; elsewhere a `Scene` goes in and the whole comes out. What to do about it comes from
advice.py; where it happened is put in front by explain.py. Bounded whatever the schema and the value are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .describe import ANYTHING, alternatives, describe, stated, values_of
from .knowledge import recall
from .lowering.tags import NO_TAG, properties_of
from .mentions import missing_property
from .nearness import by_distance, by_nearness
from .phrases import (
    FORMATS,
    count_range,
    counted,
    format_example,
    kind_names,
    listed,
    names_together,
    number_range,
    together,
)
from .render import quote, quote_text
from .scene import Scene
from .secret_names import tells_secret
from .subschemas import NOTHING, Subschema
from .union_words import tag_values, union_words

#: Names and values listed in one phrase, and missing properties that get a description each.
_LISTED, _DESCRIBED = 6, 4
#: Branches of a union of which each says what a missing property is to be.
_BRANCHES = 50


Expected = Callable[[Subschema], str]
Words = Callable[[Scene], str]
_EXPECTED: dict[str | None, Expected] = {}
_WORDS: dict[str | None, Words] = {"anyOf": union_words, "oneOf": union_words}


def words(scene: Scene) -> str:
    """Say what a failure is about."""
    keyword = scene.failure.keyword
    if scene.failure.rivals:
        asked = alternatives([scene.failure.subschema, *scene.failure.rivals], near=_near(scene))
        return f"expected {asked.text}, {scene.got()}"
    expected = _EXPECTED.get(keyword)
    if expected is not None:
        return _and_got(expected, scene)
    return _WORDS.get(keyword, _unknown)(scene)


def _near(scene: Scene) -> str | None:
    value = scene.failure.instance
    return value if type(value) is str and not scene.secret else None


def _and_got(expected: Expected, scene: Scene) -> str:
    return f"{recall(expected, scene.failure.subschema)}, {scene.got()}"


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
    return f"{quote_text(str(scene.failure.keyword), 40)} failed, {scene.got()}"


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
        return f"expected one of {listed(tags, most=_LISTED)}, {scene.got()}"
    return f"expected {quote(scene.value, scene.max_value_chars)}, {scene.got()}"


@_says("enum")
def _enum(scene: Scene) -> str:
    values = tag_values(scene) or scene.value
    if not values:
        return _and_got(_false_schema, scene)
    near = _near(scene) if len(values) > _LISTED else None
    if near is not None:
        values = by_nearness(near, values, _LISTED)
    elif len(values) > _LISTED and type(scene.failure.instance) in (int, float) and not scene.secret:
        values = by_distance(scene.failure.instance, values, _LISTED)
    elif values is scene.value:
        return _and_got(_listed_values, scene)
    return f"expected one of {listed(values, most=_LISTED)}, {scene.got()}"


def _listed_values(subschema: Subschema) -> str:
    return f"expected one of {listed(subschema.value['enum'], most=_LISTED)}"  # type: ignore[index]


@_expects("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
def _bounds(subschema: Subschema) -> str:
    schema: Any = subschema.value
    kinds = schema.get("type")
    kinds = [kinds] if isinstance(kinds, str) else kinds if isinstance(kinds, list) else []
    kind = "integer" if "integer" in kinds and "number" not in kinds else "number"
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
    bounds = _count_range(scene.failure.subschema, "minProperties", "maxProperties", "property")
    return f"expected {bounds}, got {count}"


def _count_range(subschema: Subschema, lower: str, upper: str, noun: str) -> str:
    schema: Any = subschema.value
    return count_range(schema.get(lower), schema.get(upper), noun)


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
    return f"expected a string with content of {quote(scene.value, 40)}, {scene.got()}"


@_says("required")
def _required(scene: Scene) -> str:
    missing = scene.failure.detail
    if len(missing) == 1:
        return f"missing required property {_missing(missing[0], scene)}"
    shown = [_missing(name, scene) for name in missing[:_DESCRIBED]]
    rest = [quote_text(name, 40) for name in missing[_DESCRIBED : _DESCRIBED + _LISTED]]
    left = len(missing) - len(shown) - len(rest)
    text = ", ".join(shown + rest) + (f" and {left} more" if left else "")
    return f"missing required properties {text}"


def _missing(name: str, scene: Scene) -> str:
    """A property that is missing; where it is the tag of a union, with all the values that it can have."""
    failure = scene.failure
    properties: Any = failure.subschema.children.get("properties", NOTHING)
    subschema = properties.get(name)
    if subschema is None:  # the names stand apart from what is said of them
        elsewhere = scene.judge.places.along(failure.path)[-1].asked_of(name)
        return recall(missing_property, elsewhere) if elsewhere is not None else quote_text(name, 60)
    if failure.union is not None and failure.union[2] == failure.path:
        union, keyword, _ = failure.union
        tag, by_tag = union.tags.get(keyword, NO_TAG)
        if name == tag:
            return missing_property(subschema, [value for value, _ in by_tag])
        if failure.alternative is None:  # each branch asks for it, for a value of its own
            return _missing_of_all(name, union.children[keyword])
    return recall(missing_property, subschema)


def _missing_of_all(name: str, branches: Any) -> str:
    found = [properties_of(branch).get(name) for branch in branches[:_BRANCHES]]
    asked = alternatives([child for child in found if child is not None])
    return f"{quote_text(name, 60)} ({asked.text})" if asked.text != ANYTHING else quote_text(name, 60)


@_says("dependentRequired", "dependencies")
def _dependent_required(scene: Scene) -> str:
    trigger, missing = scene.failure.detail
    shown = together([_missing(name, scene) for name in missing[:_DESCRIBED]], len(missing))
    return f"where {quote_text(trigger, 60)} is given, {shown} must be given too"


@_says("additionalProperties", "unevaluatedProperties")
def _unknown_properties(scene: Scene) -> str:
    names = scene.failure.detail
    if scene.secret:
        return f"{len(names)} unknown propert{'y' if len(names) == 1 else 'ies'}"
    return f"unknown propert{'y' if len(names) == 1 else 'ies'} {listed(names, most=_LISTED)}"


@_says("items", "additionalItems")
def _too_many_items(scene: Scene) -> str:
    return f"expected at most {counted(scene.failure.detail, 'item')}, {scene.got()}"


@_says("unevaluatedItems")
def _unevaluated_items(scene: Scene) -> str:
    positions = scene.failure.detail
    ending = "" if len(positions) == 1 else "s"
    return f"no item may stand at position{ending} {listed(positions, most=_LISTED)}, {scene.got()}"


@_says("contains", "minContains", "maxContains")
def _contains(scene: Scene) -> str:
    failure = scene.failure
    bound = f"at most {counted(scene.value, 'item')}"
    if failure.keyword != "maxContains":
        bound = f"at least {counted(scene.schema.get('minContains', 1), 'item')}"
    child: Any = failure.subschema.children["contains"]
    asked = recall(stated, child)
    # What else happens to count is no advice; it matters where too many do.
    said = asked.of_any if failure.keyword == "maxContains" else asked.text
    kind = f" {'of the kind' if values_of(child) is None else 'equal to'} {said}"
    kind += "" if asked.whole else " and further conditions"
    if asked.text == ANYTHING:
        kind = "" if asked.whole else ' that the schema under "contains" accepts'
    text = f"expected {bound}{kind}, found {failure.detail or 'none'}"
    if failure.context:
        near = Scene(failure.context[0], scene.judge)
        position = near.failure.path[len(failure.path)]
        text += f"; item {position} comes near: {near.place()}: {words(near)}"
    return text


@_says("uniqueItems")
def _unique_items(scene: Scene) -> str:
    first, second = scene.failure.detail
    return f"every item may occur once, but items {first} and {second} are equal"


@_says("not")
def _not(scene: Scene) -> str:
    inner: Any = scene.failure.subschema.children["not"]
    schema = inner.value
    required = schema.get("required") if isinstance(schema, dict) else None
    if isinstance(required, list) and required and schema.keys() <= {"required", "type"}:
        return f"{names_together(required)} must not be given{' together' if len(required) > 1 else ''}"
    asked = recall(stated, inner)
    if asked.whole and asked.text == ANYTHING:
        return f"nothing may stand here, {scene.got()}"
    if asked.whole:
        other = f"{asked.only_of} other than" if asked.only_of else "anything but"
        return f"expected {other} {asked.text}, {scene.got()}"
    known = "" if asked.text == ANYTHING or asked.only_of else f" ({asked.text} and further conditions)"
    return f'the value matches the schema under "not"{known} and must not, {scene.got()}'
