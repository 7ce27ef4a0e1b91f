"""What is said about one failure: what was expected in the schema's own terms, and what was there.

One function a keyword or family, all of the same shape: a `Failure` and its `Scene` in, a phrase out. What to do
about it comes from advice.py; where it happened is put in front by explain.py. Bounded whatever the schema and the
value are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._core.explainer import Failure
from .describe import EXAMPLES, alternatives, describe, format_example, listed, number_range
from .limits import Limits
from .render import quote, quote_text
from .secrets import is_secret_place
from .subschemas import Subschema

#: Names and values listed in one phrase, and missing properties that get a description each.
_LISTED, _DESCRIBED = 6, 4
_DESCRIPTION_CHARS = 60
#: Values of an enum looked at for those that are near.
_MOST_VALUES = 1_000
#: What `Subschema.tags` would have for a union whose branches no member tells apart.
NO_TAG: tuple[None, list[tuple[str, int]]] = (None, [])


class Scene:
    """A failure with what several of its phrases need."""

    __slots__ = ("failure", "limits", "schema", "value")

    def __init__(self, failure: Failure, limits: Limits) -> None:
        self.failure = failure
        self.limits = limits
        self.schema: Any = failure.subschema.value
        keyword = failure.keyword
        #: The value of the failed keyword.
        self.value: Any = self.schema.get(keyword) if keyword is not None and type(self.schema) is dict else None

    @property
    def secret(self) -> bool:
        """Whether the value must not be echoed."""
        return is_secret_place(self.failure.path, self.schema)

    @property
    def got(self) -> str:
        """What was there, short: never the inside of a container, never a secret."""
        value = self.failure.instance
        if value is None:
            return "got null"
        return f"got {what(value, self.limits.max_value_chars, self.secret)}"


def what(value: Any, room: int, secret: bool = False) -> str:
    """Name a value: `the string "abc"`, `5`, `null`, `an array of 3 items`."""
    kind = type(value)
    if kind is str or issubclass(kind, str):
        if secret:
            return f"a string of {str.__len__(value)} characters"
        return f"the string {quote_text(value, room)}"
    if issubclass(kind, dict):
        names = [name for name in list(dict.keys(value))[:3] if issubclass(type(name), str)]
        shown = ", ".join([quote_text(name, 24) for name in names])
        more = ", …" if dict.__len__(value) > len(names) else ""
        return f"an object with {shown}{more}" if names else "an empty object"
    if issubclass(kind, (list, tuple)):
        count = (list if issubclass(kind, list) else tuple).__len__(value)
        return f"an array of {count} item{'' if count == 1 else 's'}" if count else "an empty array"
    if secret and value is not None and kind is not bool:
        return "a number"
    return quote(value, room)


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
        return f"expected {scene.value if type(scene.value) is str else ' or '.join(scene.value)}, {scene.got}"
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
        values = by_nearness(scene.failure.instance, values)
    return f"expected one of {listed(values, most=_LISTED)}, {scene.got}"


def by_nearness(text: str, values: list[Any]) -> list[Any]:
    """The values with those first that begin like the text."""
    start = text[:3].casefold()
    looked_at = values[:_MOST_VALUES]
    near = [value for value in looked_at if type(value) is str and value[:1].casefold() == start[:1]]
    nearer = [value for value in near if value[:3].casefold() == start]
    first = list(dict.fromkeys(nearer[:_LISTED] + near[:_LISTED]))[:_LISTED]
    return first + [value for value in values if value not in first]


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
    got = "" if scene.secret else f": {quote_text(scene.failure.instance, 40)}"
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
    noun = f"a {name}" if name in EXAMPLES and len(name) < 12 else f"a string in the format {quote(name, 40)}"
    return f"expected {noun}{example}, {scene.got}"


@_says("contentEncoding", "contentMediaType")
def _content(scene: Scene) -> str:
    return f"expected a string with content of {quote(scene.value, 40)}, {scene.got}"


@_says("required")
def _required(scene: Scene) -> str:
    missing = scene.failure.detail
    properties: Any = scene.failure.subschema.children.get("properties", {})
    shown = [missing_property(name, properties.get(name)) for name in missing[:_DESCRIBED]]
    rest = [quote_text(name, 40) for name in missing[_DESCRIBED : _DESCRIBED + _LISTED]]
    left = len(missing) - len(shown) - len(rest)
    text = ", ".join(shown + rest) + (f" and {left} more" if left else "")
    return f"missing required propert{'y' if len(missing) == 1 else 'ies'} {text}"


def missing_property(name: str, subschema: Subschema | None) -> str:
    """A property's name with its type and the beginning of its description."""
    if subschema is None or isinstance(subschema.value, bool):
        return quote_text(name, 60)
    asked = describe(subschema)
    said = subschema.value.get("description")
    about = f": {quote_text(said, _DESCRIPTION_CHARS)}" if isinstance(said, str) and said else ""
    return f"{quote_text(name, 60)} ({asked}{about})"


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
    return f"expected at most {quote(scene.value, 24)} items of the kind {inner}, found {scene.failure.detail}"


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


def branch_name(union: Subschema, keyword: str, index: int) -> str:
    """Name one branch of a union: by its tag, its title, or its number."""
    branches: Any = union.children[keyword]
    tag, by_tag = union.tags.get(keyword, NO_TAG)
    for value, branch in by_tag:
        if branch == index:
            return f"the alternative where {quote_text(str(tag), 40)} is {quote_text(value, 40)}"
    schema = branches[index].value
    title = schema.get("title") if isinstance(schema, dict) else None
    named = f" ({quote_text(title, 40)})" if isinstance(title, str) and title else ""
    return f"alternative {index + 1} of {len(branches)}{named}"
