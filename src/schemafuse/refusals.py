"""The texts of refusals by admission: where, what is wrong, and what would bring it right.

Everything that comes from the schema is quoted, escaped and cut; no text is longer than a few hundred characters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import SchemaError, SchemaErrorCode
from .render import json_pointer, quote, quote_text
from .weights import Weighing, is_container, members

if TYPE_CHECKING:
    from .json_copy import JsonCopier
    from .subschemas import Subschema

Token = str | int


def at(pointer: str, document: str = "") -> str:
    """Name a place in a schema for a reader."""
    place = _cut(pointer) if pointer else "the root"
    return f"{place} of the resource {quote_text(document, 80)}" if document else place


def _place(path: list[Token]) -> str:
    return _cut(json_pointer(tuple(path)), 40) if path else "the root"


def _cut(pointer: str, room: int = 90) -> str:
    if len(pointer) > room:
        pointer = f"{pointer[: room // 2]}…{pointer[-room // 2 :]}"
    return (
        pointer
        if pointer.isprintable() and '"' not in pointer and " " not in pointer
        else quote_text(pointer, room + 10)
    )


def refusal(code: SchemaErrorCode, subschema: Subschema, tokens: tuple[Token, ...], text: str) -> SchemaError:
    """Make the error for a place in a subschema; `text` goes on after the place."""
    pointer = subschema.pointer + json_pointer(tokens)
    return SchemaError(code, pointer, f"{at(pointer, subschema.document)}: {text}")


def refuse_root(schema: object) -> SchemaError:
    """Refuse what is neither a dict nor a bool."""
    if issubclass(type(schema), str):
        text = "a schema is a dict or a bool, not a string: parse the JSON text with json.loads first"
    elif schema is None:
        text = "a schema is a dict or a bool, not None: write {} for a schema that takes any value"
    else:
        text = f"a schema is a dict or a bool, not {quote(schema, 60)}"
    return SchemaError("invalid_schema", "", text)


def not_json(subschema: Subschema, tokens: tuple[Token, ...], value: object, *, is_key: bool = False) -> SchemaError:
    """Refuse a value or a key that JSON has no notation for."""
    if is_key:
        text = f"the name of a member must be a string, not {quote(value, 60)}"
    elif issubclass(type(value), float):
        text = f"{quote(value, 40)} is no JSON number: use a finite number, or leave the keyword out"
    else:
        text = f"not a JSON value but {quote(value, 60)}: use dict, list, str, int, float, bool or None"
    return refusal("not_json", subschema, tokens, text)


def changed(pointer: str) -> SchemaError:
    """Refuse a schema that another thread writes to."""
    text = f"{at(pointer)}: the schema was changed during the compilation: pass a copy, or stop changing it meanwhile"
    return SchemaError("not_json", pointer, text)


def same_keys(subschema: Subschema, tokens: tuple[Token, ...]) -> SchemaError:
    """Refuse an object with two keys that are the same text."""
    return refusal("not_json", subschema, tokens, "two members have the same name: leave one of them out")


def too_many_digits(subschema: Subschema, tokens: tuple[Token, ...], bits: int, limit: int) -> SchemaError:
    digits = int(bits * 0.30103) + 1
    text = f"an integer of about {digits} digits, {_times(digits, limit)} max_integer_digits: use a smaller number"
    return refusal("too_large", subschema, tokens, text)


def too_long(subschema: Subschema, tokens: tuple[Token, ...], name: str, count: int, limit: int) -> SchemaError:
    """Refuse a pattern or an enum that is over its own limit."""
    what, remedy = {
        "max_pattern_chars": ("the pattern has {} characters", "shorten it, or split it over allOf"),
        "max_enum_values": ("the enum has {} values", "leave values out, or describe them by a pattern or a range"),
    }[name]
    text = f"{what.format(count)}, {_times(count, limit)} {name}: {remedy}"
    return refusal("too_large", subschema, tokens, text)


def too_deep(
    copier: JsonCopier, subschema: Subschema, tokens: tuple[Token, ...], depth: int | None = None
) -> SchemaError:
    """Refuse nesting beyond a limit; a container that contains itself is no JSON instead.

    `depth` is the number of levels of subschemas where that limit is the one exceeded.
    """
    document = copier.raw_documents[subschema.document]
    path = [*subschema.path, *tokens]
    cycle = _cycle(document, path)
    if cycle is not None:
        return self_containing(cycle, subschema.document)
    levels = Weighing(document, min(copier.limits.max_schema_bytes, _LOOKED_AT)).depth
    if depth is None:
        name, limit = "max_json_depth", copier.limits.max_json_depth
        text = f"arrays and objects are nested {levels} levels deep"
    else:
        name, limit = "max_schema_depth", copier.limits.max_schema_depth
        levels = max(depth, levels * depth // (len(path) + 1))
        text = f"subschemas are nested about {levels} levels deep"
    levels = max(levels, limit + 1)
    remedy = "move inner schemas to $defs and refer to them" if depth is not None else "flatten the value"
    return refusal("too_deep", subschema, tokens, f"{text}, {_times(levels, limit)} {name}: {remedy}")


def self_containing(path: list[Token], document: str) -> SchemaError:
    """Refuse a value that contains itself."""
    pointer = json_pointer(tuple(path))
    text = f"{at(pointer, document)}: this value contains itself, so it is not JSON: use $ref for recursion"
    return SchemaError("not_json", pointer, text)


def _cycle(container: Any, path: list[Token]) -> list[Token] | None:
    """Return the part of a path that leads back to a container it has passed."""
    seen = {id(container)}
    for position, token in enumerate(path):
        for key, item in members(container) if is_container(container) else ():
            if (str.__str__(key) if issubclass(type(key), str) else key) == token and type(key) is not bool:
                container = item
                break
        else:
            return None
        if not is_container(container):
            return None
        if id(container) in seen:
            return path[: position + 1]
        seen.add(id(container))
    return None


def too_large(copier: JsonCopier, weighing: Weighing) -> SchemaError:
    """Refuse a schema over max_schema_bytes; `weighing` is that of the document being read."""
    raw = copier.raw_documents[copier.document]
    limit = copier.limits.max_schema_bytes
    if weighing.cycle is not None:
        return self_containing(weighing.cycle, copier.document)
    total = weighing.bytes + copier.counted
    total = max(total, limit + 1)
    more = "" if weighing.complete else "more than "
    places = weighing.heaviest(raw, 0)
    weight = ", ".join(f"{_place(path)} ({_size(size)})" for path, size in places)
    text = (
        f"the schema takes {more}{_size(total)} as compact JSON, {more}{_times(total, limit)} max_schema_bytes"
        f"; most is at {weight}: leave out or share what is there"
    )
    return SchemaError("too_large", json_pointer(tuple(places[0][0])), text)


def too_much_work() -> SchemaError:
    text = (
        "the references make schemas of data, or resolve long URIs, so often that the work is more than "
        "max_schema_bytes covers: move referenced schemas to $defs and shorten the $id values"
    )
    return SchemaError("too_large", "", text)


def too_many_subschemas(copier: JsonCopier, document: str) -> SchemaError:
    """Refuse a schema over max_subschemas."""
    raw = copier.raw_documents[document]
    limit = copier.limits.max_subschemas
    weighing = Weighing(raw, min(copier.limits.max_schema_bytes, _LOOKED_AT))
    if weighing.cycle is not None:
        return self_containing(weighing.cycle, document)
    places = weighing.heaviest(raw, 2)
    weight = ", ".join(f"{_place(path)} ({count} objects)" for path, count in places)
    objects = max(weighing.objects, limit + 1)
    more = "" if weighing.complete else "more than "
    text = (
        f"there are more than {limit} subschemas (max_subschemas): {more}{objects} objects, up to "
        f"{_times(objects, limit)[:-3]}; most of them at {weight}: share repeated parts through $defs"
    )
    return SchemaError("too_many_subschemas", json_pointer(tuple(places[0][0])), text)


#: Bytes of a schema that are looked at only to say how far over a limit it is; a tenth of a second at worst.
_LOOKED_AT = 1 << 17


def _times(count: int, limit: int) -> str:
    """ "3.2 times the 1024 of", for a count over its limit."""
    tenths = (count * 10 + limit - 1) // limit
    factor = (
        f"{tenths // 10}.{tenths % 10}" if tenths < 1000 else str(tenths // 10) if tenths < 10**13 else "over 10^12"
    )
    return f"{factor} times the {limit} of"


def _size(count: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("KB", 10**3)):
        if count >= size:
            return f"{count // size}.{count * 10 // size % 10} {unit}" if count < 10**15 else "over 10^6 GB"
    return f"{count} bytes"
