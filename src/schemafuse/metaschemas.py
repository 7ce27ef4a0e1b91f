"""The metaschema check, by validators built once for each dialect.

In come admitted private copies, in exact builtin types and of bounded depth; nothing else ever reaches jsonschema-rs
here. Formats are not asserted and nothing is retrieved: unlike `jsonschema_rs.meta`, which does both.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import jsonschema_rs

from .dialects import DIALECTS, VOCABULARIES, Dialect
from .malformed import explain_malformed
from .presentable import presentable

if TYPE_CHECKING:
    from .admission import Admission
    from .subschemas import Resource, Subschema

_FILES = {
    **{dialect.uri.rstrip("#"): f"{dialect.name}.json" for dialect in DIALECTS},
    **{
        f"https://json-schema.org/draft/{name}/meta/{vocabulary}": f"{name}.{vocabulary}.json"
        for name, vocabularies in VOCABULARIES.items()
        for vocabulary in vocabularies
    },
}
#: Read once, at import: no compilation opens a file.
_texts = {name: (files("schemafuse") / "_metaschemas" / name).read_bytes() for name in _FILES.values()}
_documents: dict[str, dict[str, Any]] = {}
_validators: dict[str, MetaschemaCheck] = {}


def bundled_metaschema(uri: str) -> dict[str, Any] | None:
    """Return the standard metaschema or vocabulary metaschema with a URI (in either scheme), or None."""
    other = uri.replace("https://", "http://", 1) if uri.startswith("https:") else uri.replace("http:", "https:", 1)
    for spelling in (uri, other):
        name = _FILES.get(spelling)
        if name is not None:
            if name not in _documents:
                _documents[name] = json.loads(_texts[name])
            return _documents[name]
    return None


class MetaschemaCheck:
    """What a schema of one dialect has to satisfy."""

    __slots__ = ("_is_valid", "_validators")

    def __init__(self, *validators: Any) -> None:
        self._validators = validators
        self._is_valid = [validator.is_valid for validator in validators]

    def passes(self, value: Any) -> bool:
        try:
            for is_valid in self._is_valid:
                if not is_valid(value):
                    break
            else:
                return True
        except ValueError:  # a lone surrogate is no UTF-8
            pass
        value = presentable(value)
        return all(is_valid(value) for is_valid in self._is_valid)

    def first_error(self, value: Any) -> tuple[list[str | int], bool] | None:
        """Return the path to the first thing that is refused, and whether only a custom metaschema refuses it.

        None where nothing is refused.
        """
        for position, validator in enumerate(self._validators):
            try:
                _validate(validator, value)
            except jsonschema_rs.ValidationError as error:
                return list(error.instance_path), position > 0
        return None


def _validate(validator: Any, value: Any) -> None:
    try:
        # Not iter_errors: that builds every error before it returns the first.
        validator.validate(value)
    except UnicodeEncodeError:  # a lone surrogate
        validator.validate(presentable(value))


def standard_check(dialect: Dialect) -> MetaschemaCheck:
    """Return the metaschema validator of a standard dialect; it is built at the first call."""
    validator = _validators.get(dialect.uri)
    if validator is None:
        metaschema = bundled_metaschema(dialect.uri.rstrip("#"))
        validator = MetaschemaCheck(jsonschema_rs.validator_for(metaschema, validate_formats=False))  # type: ignore[arg-type]
        _validators[dialect.uri] = validator
    return validator


def check_schema(admission: Admission, subschema: Subschema) -> None:
    """Check a schema, and the resources embedded in it, each against the metaschema of its own dialect."""
    foreign = admission.table.foreign
    if not foreign:
        _check_alone(admission, subschema)
        return
    placeholders = []
    for resource in foreign:
        container, key = _slot(resource)
        # A schema in another dialect may be anything to this one; draft-04 knows no boolean schemas.
        container[key] = {}
        placeholders.append((container, key, resource.root.value))
    try:
        _check_alone(admission, subschema)
        for resource in foreign:
            _check_alone(admission, resource.root)
    finally:
        for container, key, value in placeholders:
            container[key] = value
        foreign.clear()


def _slot(resource: Resource) -> tuple[Any, Any]:
    """Return the container and the key that hold the root of an embedded resource."""
    root = resource.root
    assert root.parent is not None
    container: Any = root.parent.value
    key: Any = root.keyword
    tokens = root.member if type(root.member) is tuple else () if root.member is None else (root.member,)
    for token in tokens:
        container, key = container[key], token
    return container, key


def _check_alone(admission: Admission, subschema: Subschema) -> None:
    validator = admission.dialects.check_for(subschema.resource.dialect)
    value = presentable(subschema.value) if admission.huge_integers else subschema.value
    if not validator.passes(value):
        raise explain_malformed(validator, subschema, huge_integers=admission.huge_integers)
