"""What is wrong with a schema that its metaschema refuses, and what to write instead.

In comes a refused private copy, out goes one `SchemaError` for the first malformed keyword. The metaschema's own
errors are used for nothing but the place: their texts say what is not the case, and name the metaschema's parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from .errors import SchemaError
from .presentable import presentable
from .refusals import refusal
from .render import quote, quote_text

if TYPE_CHECKING:
    from .metaschemas import MetaschemaCheck
    from .subschemas import Subschema

TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")
_ALIASES = {
    "int": "integer", "long": "integer", "int32": "integer", "int64": "integer", "float": "number",
    "double": "number", "decimal": "number", "numeric": "number", "str": "string", "text": "string",
    "varchar": "string", "char": "string", "date": "string", "datetime": "string", "date-time": "string",
    "uuid": "string", "uri": "string", "url": "string", "email": "string", "file": "string", "enum": "string",
    "bool": "boolean", "dict": "object", "map": "object", "json": "object", "struct": "object", "record": "object",
    "list": "array", "tuple": "array", "set": "array", "none": "null", "nil": "null", "undefined": "null",
    "nonetype": "null",
}  # fmt: skip
_ANYTHING = frozenset({"any", "mixed", "unknown", "*", "variant"})

_SIZES = "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains"
_NUMBERS = "minimum maximum multipleOf"
_STRINGS = (
    "id $ref $dynamicRef $recursiveRef $comment title description format pattern contentEncoding contentMediaType"
)
_BOOLEANS = "uniqueItems readOnly writeOnly deprecated"
_MAPS = frozenset(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"])
_ARRAYS = frozenset(["allOf", "anyOf", "oneOf", "prefixItems"])


def explain_malformed(check: MetaschemaCheck, subschema: Subschema, *, huge_integers: bool) -> SchemaError:
    """Say what the metaschema refuses, for the first subschema that it refuses for its own keywords.

    The metaschema's errors stop at an `anyOf` around a fault, and to go on from there level by level is quadratic. So
    each subschema is checked with empty schemas in the place of those that it holds.
    """
    for inner in _subschemas_of(subschema):
        value = _without_children(inner)
        if huge_integers:
            value = presentable(value)
        if not check.passes(value):
            path, is_custom = check.first_error(value) or ([], False)
            return _explain(inner, path, is_custom)
    # Only a custom metaschema can refuse a schema for how its subschemas go together.
    path, is_custom = check.first_error(subschema.value) or ([], True)
    return _explain(subschema, path, is_custom)


def _subschemas_of(subschema: Subschema) -> Iterator[Subschema]:
    """Iterate over a schema and the subschemas in it that are in its dialect, breadth first."""
    dialect = subschema.resource.dialect
    found = [subschema]
    for inner in found:
        yield inner
        for held in inner.children.values():
            below: Any = held.values() if type(held) is dict else held if type(held) is list else [held]
            found.extend(child for child in below if child.resource.dialect is dialect)


def _without_children(subschema: Subschema) -> Any:
    value: Any = subschema.value
    if type(value) is bool:
        return value
    value = dict(value)
    for keyword, held in subschema.children.items():
        if type(held) is dict:
            value[keyword] = {
                name: {} if name in held and type(item) is dict else item for name, item in value[keyword].items()
            }
        elif type(held) is list:
            value[keyword] = [{} if type(item) is dict else item for item in value[keyword]]
        elif type(value[keyword]) is dict:
            value[keyword] = {}
    return value


def _explain(subschema: Subschema, path: list[str | int], is_custom: bool) -> SchemaError:
    value: Any = subschema.value
    if is_custom:
        uri = quote_text(subschema.resource.dialect.uri, 80)
        text = f"the metaschema {uri} does not allow this value: change it to what that metaschema describes"
        return refusal("invalid_schema", subschema, tuple(path[:1]), text)
    if not path or type(value) is not dict or path[0] not in value:
        return refusal("invalid_schema", subschema, (), _whole(subschema))
    keyword = str(path[0])
    given = value[keyword]
    tokens: tuple[str | int, ...] = (keyword,)
    if keyword in _MAPS and type(given) is dict and len(path) > 1 and path[1] in given:
        tokens = (keyword, path[1])
        text = _member(keyword, str(path[1]), given[path[1]])
    elif keyword in _ARRAYS and type(given) is list and len(path) > 1 and type(path[1]) is int:
        tokens = (keyword, path[1])
        text = f"a schema is an object or a boolean, not {quote(given[path[1]], 60)}"
    else:
        text = _keyword(keyword, given, subschema)
    leaf = given[tokens[1]] if len(tokens) > 1 else given
    dialect = subschema.resource.dialect
    if type(leaf) is bool and dialect.name == "draft-04" and keyword in dialect.applicators.keys() - _BOOLEANS_IN_04:
        text = _NO_BOOLEANS
    return refusal("invalid_schema", subschema, tokens, text)


#: Even draft-04 takes a boolean there (Validation 5.3.1 and 5.4.4).
_BOOLEANS_IN_04 = {"additionalItems", "additionalProperties"}
_NO_BOOLEANS = 'draft-04 has no boolean schemas here: write {} for true, {"not": {}} for false'


def _whole(subschema: Subschema) -> str:
    value: Any = subschema.value
    if type(value) is bool:
        return _NO_BOOLEANS
    if subschema.resource.dialect.name == "draft-04":
        for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            if exclusive in value and bound not in value:
                return f"in draft-04 {exclusive} is a boolean that needs {bound} beside it: add {bound}"
    return "the keywords here do not go together in this dialect: compare them with its specification"


def _member(keyword: str, name: str, given: Any) -> str:
    shown = quote_text(name, 60)
    up = "move it one level up, beside properties"
    if keyword == "properties" and name == "required" and type(given) is list:
        return f'"required" stands inside properties, where it names a property: {up}'
    if keyword == "properties" and name == "type" and type(given) is str:
        return f'"type" stands inside properties, where it names a property: {up}'
    if keyword == "dependencies":
        return f"the value for {shown} must be a schema or an array of property names, not {quote(given, 60)}"
    if type(given) is str and (given in TYPES or given in _ALIASES):
        name = given if given in TYPES else _ALIASES[given]
        return f'a schema is an object or a boolean, not {quote(given, 60)}: write {{"type": "{name}"}}'
    if given is None:
        return f"the schema for {shown} is null: write {{}} for a schema that takes any value"
    return f"the schema for {shown} must be an object or a boolean, not {quote(given, 60)}"


def _keyword(keyword: str, given: Any, subschema: Subschema) -> str:
    """Say what a keyword's value must be."""
    explain = _EXPLAIN.get(keyword)
    if explain is not None:
        return explain(keyword, given, subschema)
    shown = quote(given, 60)
    if keyword in subschema.resource.dialect.applicators:
        hint = ": write {} for any value" if given is None else ""
        return f"{keyword} must be a schema (an object or a boolean), not {shown}{hint}"
    return f"{subschema.resource.dialect.name} does not allow {quote_text(keyword, 40)} to be {shown}"


def _exclusive(keyword: str, given: Any, subschema: Subschema) -> str:
    bound = keyword.replace("exclusiveM", "m")
    if subschema.resource.dialect.name == "draft-04":
        return f"{keyword} is a boolean beside {bound} in draft-04, not {quote(given, 60)}"
    if given is True:
        return f"{keyword} is a boolean only in draft-04: write the number of {bound} here and leave {bound} out"
    if given is False:
        return f"{keyword} is a boolean only in draft-04: leave it out"
    return _number(keyword, given, subschema)


def _items(keyword: str, given: Any, subschema: Subschema) -> str:
    if type(given) is list and subschema.resource.dialect.name == "2020-12":
        return "items takes one schema in 2020-12: rename this array to prefixItems (and additionalItems to items)"
    hint = ": write {} for any value" if given is None else ""
    return f"items must be a schema (an object or a boolean), not {quote(given, 60)}{hint}"


def _enum(keyword: str, given: Any, subschema: Subschema) -> str:
    if type(given) is not list:
        return f"enum must be an array of the allowed values, not {quote(given, 60)}: write [{quote(given, 40)}]"
    if not given:
        return "enum is empty, so that no value would do: list the allowed values, or leave enum out"
    return f"enum lists a value twice, which {subschema.resource.dialect.name} does not allow: leave one out"


def _map(keyword: str, given: Any, subschema: Subschema) -> str:
    return f"{keyword} must be an object that maps names to schemas, not {quote(given, 60)}"


def _array(keyword: str, given: Any, subschema: Subschema) -> str:
    return f"{keyword} must be an array of at least one schema, not {quote(given, 60)}"


def _anchor(keyword: str, given: Any, subschema: Subschema) -> str:
    dialect = subschema.resource.dialect.name
    if keyword == "$recursiveAnchor":
        if dialect != "2019-09":
            return f"$recursiveAnchor belongs to 2019-09 and has no meaning in {dialect}: leave it out"
        return f"$recursiveAnchor must be true or false, not {quote(given, 60)}"
    return f'{keyword} must be a plain name (a letter, then letters, digits, "-", "_", "."), not {quote(given, 60)}'


def _identifier(keyword: str, given: Any, subschema: Subschema) -> str:
    if type(given) is str and "#" in given:
        return f"$id must not have a fragment, but is {quote(given, 60)}: name the place with $anchor instead"
    return f"{keyword} must be a URI reference (a string), not {quote(given, 60)}"


def _string(keyword: str, given: Any, subschema: Subschema) -> str:
    return f"{keyword} must be a string, not {quote(given, 60)}"


def _boolean(keyword: str, given: Any, subschema: Subschema) -> str:
    return f"{keyword} must be true or false, not {quote(given, 60)}"


def _dependent(keyword: str, given: Any, subschema: Subschema) -> str:
    return f"{keyword} must map property names to arrays of property names, not be {quote(given, 60)}"


def _type(keyword: str, given: Any, subschema: Subschema) -> str:
    names = given if type(given) is list else [given]
    for name in names:
        if type(name) is not str:
            return f"type must be a name or an array of names, not {quote(given, 60)}: the names are {', '.join(TYPES)}"
        if name in TYPES:
            continue
        if name.lower()[:20] in _ANYTHING:
            return f"there is no type {quote_text(name, 40)}: leave type out to allow any value"
        lower = name.lower()[:20]
        close = _ALIASES.get(lower) or next(iter(get_close_matches(lower, TYPES, 1)), None)
        hint = f'did you mean "{close}"?' if close else f"the types are {', '.join(TYPES)}"
        return f"there is no type {quote_text(name, 40)}: {hint}"
    return "type must not be empty" if not names else "type names a type twice: leave one out"


def _required(keyword: str, given: Any, subschema: Subschema) -> str:
    if type(given) is bool:
        name = quote_text(str(subschema.member), 40) if subschema.keyword == "properties" else "the property's name"
        if given:
            return f"required must be an array of names: put {name} into the required array of the object around it"
        return "required must be an array of property names: leave it out here, a property is optional by default"
    if type(given) is str:
        return f"required must be an array of property names: write [{quote_text(given, 40)}]"
    if type(given) is list:
        odd = next((name for name in given if type(name) is not str), None)
        if odd is not None or None in given:
            return f"required must hold property names (strings), but it holds {quote(odd, 60)}"
        if not given:
            return f"required must name at least one property in {subschema.resource.dialect.name}: leave it out"
        return "required names a property twice: leave one out"
    return f"required must be an array of property names, not {quote(given, 60)}"


def _number(keyword: str, given: Any, subschema: Subschema) -> str:
    shown = quote(given, 40)
    what = "a non-negative integer" if keyword in _SIZES.split() else "a number"
    if keyword == "multipleOf" and type(given) in (int, float):
        return f"multipleOf must be greater than 0, not {shown}"
    if type(given) is str and given.lstrip("-").replace(".", "", 1).isdecimal() and len(given) < 20:
        return f"{keyword} must be {what}, not a string: write {given}"
    hint = ": leave it out" if given is None else ""
    return f"{keyword} must be {what}, not {shown}{hint}"


_EXPLAIN: dict[str, Callable[[str, Any, Subschema], str]] = {
    keyword: explain
    for keywords, explain in (
        ("type", _type),
        ("required", _required),
        ("exclusiveMinimum exclusiveMaximum", _exclusive),
        (_SIZES, _number),
        (_NUMBERS, _number),
        ("items", _items),
        ("enum", _enum),
        (" ".join(_MAPS), _map),
        (" ".join(_ARRAYS), _array),
        ("$anchor $dynamicAnchor $recursiveAnchor", _anchor),
        ("$id", _identifier),
        (_STRINGS, _string),
        (_BOOLEANS, _boolean),
        ("dependentRequired", _dependent),
    )
    for keyword in keywords.split()
}
