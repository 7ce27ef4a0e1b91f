"""What a subschema asks for, in a few words of the schema's own terms.

Comes in: an admitted subschema. Goes out: a phrase such as `integer from 1 to 7` or `one of "C", "F"`, bounded whatever
the schema is, and whether it says all. Follows a few references and no more; never lists a whole schema.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .lowering.program import units_of
from .nearness import by_nearness
from .phrases import KINDS, count_range, format_example, listed, number_range
from .render import quote, quote_text, shortened
from .subschemas import Subschema

#: References followed from one subschema, branches, names and values shown, levels of subschemas.
_FOLLOWED, _BRANCHES, _NAMES, _VALUES, _LEVELS = 6, 4, 4, 6, 2
#: Characters of one value, and of a whole phrase.
_VALUE, _PHRASE = 40, 160
#: Branches of a union that are looked at for values, and properties of an object for what they ask.
_MOST_BRANCHES, _MOST_PROPERTIES = 200, 20
#: Values that are put in order.
_COMPARED = 1_000

ANYTHING = "any value"


class Asked(NamedTuple):
    """What a subschema asks for."""

    text: str
    #: Whether that is all.
    whole: bool
    #: The only kind of value that it has anything against, "object" say, where it asks for no type.
    only_of: str = ""

    @property
    def of_any(self) -> str:
        """The text as it holds for values of every kind."""
        return f"{self.text} or no {self.only_of}" if self.only_of else self.text


def describe(subschema: Subschema, depth: int = 0) -> str:
    """Say in a few words what the subschema asks for; "any value" where it asks for nothing that has a short name."""
    schema = subschema.value
    if type(schema) is dict:
        kind = schema.get("type")
        if type(kind) is str and kind in KINDS and _LISTS.isdisjoint(schema):
            return shortened(_of_kind(subschema, schema, kind, depth)[0], _PHRASE)
    return conditions(subschema, depth).text


def conditions(subschema: Subschema, depth: int = 0) -> Asked:
    """Say what the subschema asks for, and whether that is all."""
    whole = True
    for _ in range(_FOLLOWED):
        schema = subschema.value
        if isinstance(schema, bool):
            return Asked(ANYTHING if schema else "nothing", whole)
        target, dialect = subschema.targets.get("$ref"), subschema.resource.dialect
        if not isinstance(target, Subschema) or ("type" in schema and not dialect.ref_overrides):
            asked = _conditions(subschema, schema, depth)
            if whole and len(asked.text) <= _PHRASE:
                return asked
            return Asked(shortened(asked.text, _PHRASE), whole and asked.whole, asked.only_of)
        whole = whole and (dialect.ref_overrides or units_of(dialect).keys() & schema.keys() == {"$ref"})
        subschema = target
    return Asked(ANYTHING, False)


def _conditions(subschema: Subschema, schema: dict[str, Any], depth: int) -> Asked:
    asking = units_of(subschema.resource.dialect).keys() & schema.keys()
    values = values_of(subschema)
    if values is not None:
        return Asked(_one_of(values), asking <= {"const", "enum", "type"})
    kinds: Any = schema.get("type")
    kinds = [kinds] if isinstance(kinds, str) else kinds if isinstance(kinds, list) else []
    if "type" not in asking:
        for keyword in ("anyOf", "oneOf"):
            branches: Any = subschema.children.get(keyword)
            if branches:
                asked = alternatives(branches, depth)
                return Asked(asked.text, asked.whole and asking == {"anyOf"}, asked.only_of)
        kinds = [kind for kind, (keywords, _) in _FAMILIES.items() if not keywords.isdisjoint(asking)][:2]
        if len(kinds) != 1:
            return _all_of(subschema, asking, depth)
    parts = [_of_kind(subschema, schema, kind, depth) for kind in kinds if isinstance(kind, str) and kind in KINDS]
    text = " or ".join([said for said, _ in parts]) or "another type"
    whole = all([complete for _, complete in parts]) and asking <= _OF_KINDS
    return Asked(text, whole and len(parts) == len(kinds), "" if "type" in asking else kinds[0])


def _all_of(subschema: Subschema, asking: set[str], depth: int) -> Asked:
    """What stands in `allOf`, where nothing else says what kind of value it is about."""
    parts: Any = subschema.children.get("allOf", [])
    if depth >= _LEVELS or not parts:
        return Asked(ANYTHING, not asking)
    found = [conditions(part, depth + 1) for part in parts[:_BRANCHES]]
    saying = [asked for asked in found if asked.text != ANYTHING]
    only_of = {asked.only_of for asked in saying}
    about = only_of.pop() if len(only_of) == 1 else ""
    said = list(dict.fromkeys([asked.text if about else asked.of_any for asked in saying]))
    whole = all([asked.whole for asked in found]) and len(parts) <= _BRANCHES and asking == {"allOf"}
    return Asked(" and ".join(said) or ANYTHING, whole, about)


def alternatives(branches: list[Subschema], depth: int = 0, near: str | None = None) -> Asked:
    """Say what the branches of a union ask for: `one of "a", "b" or integer`. The values that they list stand together,
    first those that are nearest to a text that was sent."""
    if depth >= _LEVELS:
        return Asked(f"one of {len(branches)} alternatives", False)
    lists: dict[int, list[Any]] = {}
    others: dict[Asked, None] = {}
    shown = 0
    for branch in branches[:_MOST_BRANCHES]:
        found = values_of(branch)
        if found is not None:
            shown += 1
            lists.setdefault(id(found), found)
        elif len(others) < _BRANCHES:
            shown += 1
            others[conditions(branch, depth + 1)] = None
    only_of = {"" if lists or shown < len(branches) else asked.only_of for asked in others}
    about = only_of.pop() if len(only_of) == 1 else ""
    said = [_one_of([value for found in lists.values() for value in found], near)] if lists else []
    said += [asked.text if about else asked.of_any for asked in others]
    if shown < len(branches):
        said.append(f"one of {len(branches) - shown} more alternatives")
    return Asked(" or ".join(said), all([asked.whole for asked in others]) and shown == len(branches), about)


def _one_of(values: list[Any], near: str | None = None) -> str:
    if len(values) < 2:
        return quote(values[0], _VALUE) if values else "nothing"
    if near is not None and len(values) > _VALUES:
        values = [*by_nearness(near, values[:_COMPARED], _VALUES), *values[_COMPARED:]]
    return listed(values, "one of ", _VALUES)


def values_of(subschema: Subschema) -> list[Any] | None:
    """The values that a subschema lists, or that one lists which it refers to; None where there is no list."""
    for _ in range(_FOLLOWED):
        schema, dialect = subschema.value, subschema.resource.dialect
        if isinstance(schema, bool):
            return None
        target = subschema.targets.get("$ref")
        if not (dialect.ref_overrides and target is not None):
            if "const" in schema and "const" in dialect.keywords:
                return [schema["const"]]
            if "enum" in schema and "enum" in dialect.keywords:
                values: list[Any] = schema["enum"]
                return values
        if not isinstance(target, Subschema):
            return None
        subschema = target
    return None


def stated(subschema: Subschema) -> Asked:
    """The same, with what an object's members must be where the few words do not say it."""
    asked = conditions(subschema)
    if asked.whole:
        return asked
    clauses, whole, only_of = members(subschema)
    return Asked("object where " + " and ".join(clauses), True, only_of) if whole else asked


def members(subschema: Subschema) -> tuple[list[str], bool, str]:
    """What an object's members must be, `"k" is "a"` say, whether that is all, and `Asked.only_of`."""
    schema = subschema.value
    if isinstance(schema, bool) or schema.get("type", "object") != "object":
        return [], False, ""
    asking = units_of(subschema.resource.dialect).keys() & schema.keys()
    required: Any = schema.get("required", [])
    properties: Any = subschema.children.get("properties", {})
    clauses: list[str] = []
    whole = asking <= {"type", "required", "properties"} and len(properties) <= _MOST_PROPERTIES
    for name in dict.fromkeys([*required[:_MOST_PROPERTIES], *list(properties)[:_MOST_PROPERTIES]]):
        asked = conditions(properties[name], 1) if name in properties else Asked(ANYTHING, True)
        if asked.text == asked.only_of:  # "object or no object"
            asked = Asked(ANYTHING, False)
        whole = whole and asked.whole
        if asked.text != ANYTHING:
            clauses.append(f"{quote_text(name, 40)}{'' if name in required else ', if given,'} is {asked.of_any}")
        elif name in required:
            clauses.append(f"{quote_text(name, 40)} is given")
    whole = whole and 0 < len(clauses) <= _NAMES and len(required) <= _MOST_PROPERTIES
    return clauses[:_NAMES], whole, "" if "type" in asking else "object"


# What is said of each kind of value, after its name, and whether that is all. -----------------------------------------


def _of_kind(subschema: Subschema, schema: dict[str, Any], kind: str, depth: int) -> tuple[str, bool]:
    keywords, say = _FAMILIES.get("number" if kind == "integer" else kind, (frozenset(), _number))
    if keywords.isdisjoint(schema):
        return kind, True
    clause, whole = say(subschema, schema, depth)
    return f"{kind} {clause}" if clause else kind, whole


def _number(subschema: Subschema, schema: dict[str, Any], depth: int) -> tuple[str, bool]:
    said = [number_range(schema)]
    if "multipleOf" in schema:
        said.append(f"that is a multiple of {quote(schema['multipleOf'], _VALUE)}")
    return " ".join(filter(None, said)), True


def _string(subschema: Subschema, schema: dict[str, Any], depth: int) -> tuple[str, bool]:
    name, least, most = schema.get("format"), schema.get("minLength"), schema.get("maxLength")
    said = []
    if isinstance(name, str):
        said.append(f"in the format {quote_text(name, _VALUE)}{format_example(name)}")
    if least or most is not None:
        said.append(f"of {count_range(least, most, 'character')}")
    if isinstance(schema.get("pattern"), str) and not isinstance(name, str):
        said.append(f"that matches the pattern {quote_text(schema['pattern'], _VALUE)}")
    return " ".join(said), schema.keys().isdisjoint(("format", "contentEncoding", "contentMediaType"))


def _array(subschema: Subschema, schema: dict[str, Any], depth: int) -> tuple[str, bool]:
    items, least, most = subschema.children.get("items"), schema.get("minItems"), schema.get("maxItems")
    whole = schema.keys() & _OF_ARRAYS <= {"items", "minItems", "maxItems"}
    inner = Asked(ANYTHING, "items" not in schema)
    if isinstance(items, Subschema) and depth < _LEVELS:
        inner = conditions(items, depth + 1)
    said = f"of {inner.of_any}" if inner.text not in (ANYTHING, "nothing") else ""
    if least or most is not None:
        said = f"{said}, {count_range(least, most, 'item')}" if said else f"of {count_range(least, most, 'item')}"
    return said, whole and inner.whole and inner.text != "nothing"


def _object(subschema: Subschema, schema: dict[str, Any], depth: int) -> tuple[str, bool]:
    required: Any = schema.get("required")
    required = required if isinstance(required, list) and depth < _LEVELS else []
    properties: Any = subschema.children.get("properties", {})
    shown = []
    said = set()
    for name in required[:_NAMES]:
        values = values_of(properties[name]) if name in properties else None
        tells = values is not None and len(values) == 1 and not isinstance(values[0], (dict, list))
        shown.append(quote_text(name, _VALUE) + (f": {quote(values[0], _VALUE)}" if values and tells else ""))
        said |= {name} if tells else set()
    unsaid = [name for name in list(properties)[: _MOST_PROPERTIES + 1] if name not in said]
    whole = schema.keys() & _OF_OBJECTS <= {"required", "properties"} and len(unsaid) <= _MOST_PROPERTIES
    whole = whole and len(required) <= _NAMES and all([properties[name].value in (True, {}) for name in unsaid])
    more = f" and {len(required) - _NAMES} more" if len(required) > _NAMES else ""
    return f"with {', '.join(shown)}{more}" if shown else "", whole


_OF_ARRAYS = frozenset(
    ["items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems", "contains", "unevaluatedItems"]
)
_OF_OBJECTS = frozenset(["required", "properties", "patternProperties", "additionalProperties", "minProperties"]) | {
    *("maxProperties", "propertyNames", "dependentRequired", "dependentSchemas", "dependencies"),
    "unevaluatedProperties",
}
_OF_NUMBERS = frozenset(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"])
_OF_STRINGS = frozenset(["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"])
OF_SCALARS = _OF_NUMBERS | _OF_STRINGS
Say = Callable[[Subschema, dict[str, Any], int], tuple[str, bool]]
#: kind -> the keywords that concern values of that kind alone, and what to say of them.
_FAMILIES: dict[str, tuple[frozenset[str], Say]] = {
    "number": (_OF_NUMBERS, _number),
    "string": (_OF_STRINGS, _string),
    "array": (_OF_ARRAYS, _array),
    "object": (_OF_OBJECTS, _object),
}
_OF_KINDS = OF_SCALARS | _OF_ARRAYS | _OF_OBJECTS | {"type"}
#: Beside one of these the type says little.
_LISTS = frozenset(("enum", "const", "$ref"))
