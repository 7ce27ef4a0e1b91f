"""From what failed to what a reader is told: one `ValidationError` a failure.

Comes in: the failures that the native explainer found, in the order of the schema. Goes out: errors, most useful first,
each with a message of one line: the place, what was expected in the schema's own terms, what was there.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any
from urllib.parse import quote as percent_encode

from ._core.explainer import Failure, explain
from .errors import ValidationError
from .limits import Limits
from .render import place, pointer_token, quote, quote_text
from .subschemas import Subschema

#: Characters that a fragment may hold as they are (RFC 3986 section 3.5).
_FRAGMENT_SAFE = "/~!$&'()*+,;=:@?-._"
#: Names or values listed in one message.
_LISTED = 5


def explain_invalid(evaluator: Any, instance: Any, limits: Limits) -> tuple[tuple[ValidationError, ...], bool]:
    """Return the errors of an invalid instance, and whether there were more. There is at least one."""
    failures, more = explain(evaluator, instance, limits.max_errors)
    errors = tuple([to_error(failure, limits) for failure in failures])
    if not errors:
        # The budget of the explanation was too small for a single place.
        message = f"at {place(())}: the value does not match the schema"
        return (ValidationError(message, instance=instance),), True
    return errors, more


def not_json_error(instance: Any, path: tuple[str | int, ...], reason: str) -> ValidationError:
    """The error for a value that is not JSON, wherever it stands and whatever the schema says."""
    culprit = _value_at(instance, path)
    message = f"at {place(path)}: not a JSON value: {reason.format(quote(culprit))}"
    return ValidationError(message, instance=culprit, instance_path=path)


def _value_at(instance: Any, path: tuple[str | int, ...]) -> Any:
    value = instance
    try:
        for part in path:
            base: Any = dict if isinstance(value, dict) else list if isinstance(value, list) else tuple
            value = base.__getitem__(value, part)
    except Exception:  # it has changed since
        return None
    return value


def to_error(failure: Failure, limits: Limits) -> ValidationError:
    """Put one failure into words."""
    keyword = failure.keyword
    subschema: Subschema = failure.subschema
    value = None if keyword is None or isinstance(subschema.value, bool) else subschema.value.get(keyword)
    context = tuple([to_error(inner, limits) for inner in failure.context or ()])
    said = _WORDS.get(keyword or "", _other)(failure, value, limits.max_value_chars)
    subject = f"the property name {quote(failure.instance, limits.max_value_chars)}: " if failure.of_name else ""
    if context:
        said += f"; taken for alternative {failure.detail + 1}, {_without_place(context[0])}"
    return ValidationError(
        f"at {place(failure.path)}: {subject}{said}",
        instance=failure.instance,
        instance_path=failure.path,
        keyword=keyword,
        keyword_value=deepcopy(value) if isinstance(value, (dict, list)) else value,
        schema_location=_schema_location(subschema, keyword),
        evaluation_path="".join([f"/{pointer_token(str(token))}" for token in failure.evaluation]),
        context=context,
    )


def _without_place(error: ValidationError) -> str:
    return error.message[3:] if error.message.startswith("at ") else error.message


def _schema_location(subschema: Subschema, keyword: str | None) -> str:
    pointer = subschema.pointer + ("" if keyword is None else f"/{keyword}")
    return f"{subschema.document}#{percent_encode(pointer, safe=_FRAGMENT_SAFE)}"


# --- what each keyword says --------------------------------------------------------------------------------------------

Words = Callable[[Failure, Any, int], str]
_WORDS: dict[str, Words] = {}


def _says(*keywords: str) -> Callable[[Words], Words]:
    def register(words: Words) -> Words:
        for keyword in keywords:
            _WORDS[keyword] = words
        return words

    return register


def _listing(names: list[Any], room: int) -> str:
    shown = ", ".join([quote(name, room) for name in names[:_LISTED]])
    return shown if len(names) <= _LISTED else f"{shown} and {len(names) - _LISTED} more"


def _got(failure: Failure, room: int) -> str:
    return f", got {quote(failure.instance, room)}"


def _other(failure: Failure, value: Any, room: int) -> str:
    return f"{quote_text(failure.keyword, room)} failed{_got(failure, room)}"


@_says("")
def _false_schema(failure: Failure, value: Any, room: int) -> str:
    return f"nothing is allowed here{_got(failure, room)}"


@_says("type")
def _type(failure: Failure, value: Any, room: int) -> str:
    names = value if isinstance(value, list) else [value]
    return f"expected {' or '.join([str(name) for name in names])}{_got(failure, room)}"


@_says("enum")
def _enum(failure: Failure, value: Any, room: int) -> str:
    return f"expected one of {_listing(value, room)}{_got(failure, room)}"


@_says("const")
def _const(failure: Failure, value: Any, room: int) -> str:
    return f"expected {quote(value, room)}{_got(failure, room)}"


_BOUNDS = {
    "minimum": "a number of at least {}",
    "maximum": "a number of at most {}",
    "exclusiveMinimum": "a number above {}",
    "exclusiveMaximum": "a number below {}",
    "multipleOf": "a multiple of {}",
    "minLength": "a text of at least {} characters",
    "maxLength": "a text of at most {} characters",
    "pattern": "a text that matches the pattern {}",
    "format": "a text in the format {}",
    "contentEncoding": "a text in the encoding {}",
    "contentMediaType": "a text with content of type {}",
    "minItems": "an array of at least {} items",
    "maxItems": "an array of at most {} items",
    "minProperties": "an object with at least {} properties",
    "maxProperties": "an object with at most {} properties",
    "minContains": "at least {} items that match 'contains'",
    "maxContains": "at most {} items that match 'contains'",
}


@_says(*_BOUNDS)
def _bound(failure: Failure, value: Any, room: int) -> str:
    return f"expected {_BOUNDS[failure.keyword].format(quote(value, room))}{_got(failure, room)}"


@_says("required")
def _required(failure: Failure, value: Any, room: int) -> str:
    names = failure.detail
    return f"the required propert{'y' if len(names) == 1 else 'ies'} {_listing(names, room)} must be given"


@_says("dependentRequired", "dependencies")
def _dependent_required(failure: Failure, value: Any, room: int) -> str:
    trigger, names = failure.detail
    return f"where {quote(trigger, room)} is given, {_listing(names, room)} must be given too"


@_says("additionalProperties", "unevaluatedProperties")
def _additional(failure: Failure, value: Any, room: int) -> str:
    names = failure.detail
    return f"the propert{'y' if len(names) == 1 else 'ies'} {_listing(names, room)} must not be given"


@_says("items", "additionalItems")
def _items(failure: Failure, value: Any, room: int) -> str:
    return f"expected at most {failure.detail} items{_got(failure, room)}"


@_says("unevaluatedItems")
def _unevaluated_items(failure: Failure, value: Any, room: int) -> str:
    return f"the items at positions {_listing(failure.detail, room)} must not be given"


@_says("contains")
def _contains(failure: Failure, value: Any, room: int) -> str:
    return f"expected an item that matches 'contains'{_got(failure, room)}"


@_says("uniqueItems")
def _unique_items(failure: Failure, value: Any, room: int) -> str:
    first, second = failure.detail
    return f"expected no two equal items, but items {first} and {second} are equal"


@_says("not")
def _not(failure: Failure, value: Any, room: int) -> str:
    return f"expected a value that does not match 'not'{_got(failure, room)}"


@_says("anyOf", "oneOf")
def _branches(failure: Failure, value: Any, room: int) -> str:
    if isinstance(failure.detail, list):
        positions = " and ".join([str(position + 1) for position in failure.detail[:_LISTED]])
        return f"expected a value that matches exactly one of the alternatives, but it matches {positions}"
    return f"expected a value that matches one of {len(value)} alternatives{_got(failure, room)}"
