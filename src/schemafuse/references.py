"""References: the resolution of every one from the table of identifiers that the walk filled.

In come the subschemas with `$ref`, `$dynamicRef` or `$recursiveRef`; each leaves with its targets. What is reached
outside the document (a caller's resource, a bundled metaschema, data that a reference makes a schema) is admitted on
the way. Never retrieves anything.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from .errors import SchemaError
from .metaschemas import bundled_metaschema
from .refusals import at, refusal
from .render import json_pointer, quote, quote_text
from .subschemas import DynamicTarget, Resource, Subschema
from .uris import NOT_FOUND, is_absolute, join, look_up, split_fragment

if TYPE_CHECKING:
    from .admission import Admission

#: A suggestion looks at no more names than this, and at no more characters of each.
SUGGESTIONS_FROM = 200
SUGGESTION_CHARS = 64


def resolve_all(admission: Admission) -> None:
    """Resolve every reference that the walk found, and those in what that admits in turn."""
    references = admission.references
    known = -1
    while references:
        if known == len(admission.table.by_uri):
            # Nothing new has come to light since all of these were found to lead nowhere.
            _resolve_one(admission, references[0])
        known = len(admission.table.by_uri)
        missing = []
        for position, subschema in enumerate(references):  # grows while it is read
            if position % 64 == 63:
                admission.deadline.check()
            try:
                _resolve_one(admission, subschema)
            except SchemaError as error:
                # A document that is reached later may have this URI for its `$id`.
                if error.code != "remote_ref" or admission.resources is None:
                    raise
                missing.append(subschema)
        references[:] = missing


def _resolve_one(admission: Admission, subschema: Subschema) -> None:
    value: Any = subschema.value
    targets: dict[str, Subschema | DynamicTarget] = {}
    for keyword in subschema.resource.dialect.reference_keywords:
        if keyword in value:
            targets[keyword] = _resolve(admission, subschema, keyword, value[keyword])
    subschema.targets = targets


def _resolve(admission: Admission, subschema: Subschema, keyword: str, reference: Any) -> Subschema | DynamicTarget:
    if type(reference) is not str:
        # The draft-04 metaschema does not know `$ref`, so it cannot refuse this.
        text = f"{keyword} must be a string that names a schema, not {quote(reference, 60)}"
        raise refusal("invalid_schema", subschema, (keyword,), text)
    resource = subschema.resource
    base, fragment = split_fragment(reference)
    if base:
        resource = _find_resource(admission, subschema, keyword, reference, base)
    target = resource.fragments.get(fragment)
    if target is None:
        found = _find_fragment(admission, resource, fragment)
        if found is None or type(found) is int:
            raise _nothing_there(subschema, keyword, reference, resource, fragment, found)
        assert type(found) is Subschema
        target = resource.fragments[fragment] = found
    if keyword == "$dynamicRef":
        # Dynamic only if the fragment itself came from a `$dynamicAnchor` (Core 8.2.3.2).
        if resource.dynamic_anchors.get(unquote(fragment)) is target:
            return DynamicTarget(fragment, target)
    elif keyword == "$recursiveRef" and target.resource.root is target and target.resource.recursive_anchor:
        return DynamicTarget("", target)
    return target


def _find_resource(admission: Admission, subschema: Subschema, keyword: str, reference: str, base: str) -> Resource:
    uri = join(subschema.resource.uri, base)
    admission.spend(len(uri))
    resource = admission.table.by_uri.get(uri)
    if resource is not None:
        return resource
    dialect = subschema.resource.dialect
    raw = look_up(admission.resources, uri)
    if raw is not NOT_FOUND:
        if type(raw) is not bool and not issubclass(type(raw), dict):
            text = f"the resource {quote_text(uri, 80)} is not a schema (a dict or a bool) but {quote(raw, 60)}"
            raise refusal("invalid_schema", subschema, (keyword,), text)
        return admission.admit_document(uri, raw, dialect).resource
    metaschema = bundled_metaschema(uri)
    if metaschema is not None:
        return admission.admit_document(uri, metaschema, dialect, trusted=True).resource
    where = "" if is_absolute(base) or uri == base else f" (with its base URI: {quote_text(uri, 60)})"
    text = (
        f"{keyword} {quote_text(reference, 70)}{where} leads to another document, which is not here and is never "
        f"fetched: put that schema into $defs, or pass it in resources"
    )
    raise refusal("remote_ref", subschema, (keyword,), text)


def _find_fragment(admission: Admission, resource: Resource, fragment: str) -> Subschema | int | None:
    """Return the schema that a fragment of a resource names.

    Else the number of tokens of a pointer that led somewhere, None for the name of an anchor.
    """
    if not fragment:
        return resource.root
    if not fragment.startswith("/"):
        return resource.anchors.get(fragment) or resource.anchors.get(unquote(fragment))
    tokens = _tokens(unquote(fragment) if "%" in fragment else fragment)
    subschema, used = _descend(resource.root, tokens)
    if used == len(tokens):
        return subschema
    value: Any = subschema.value
    path: list[str | int] = []
    for token in tokens[used:]:
        key = _key_in(value, token)
        if key is None:
            return used + len(path)
        path.append(key)
        value = value[key]
    if type(value) is not dict and type(value) is not bool:
        return len(tokens)
    return admission.admit_data(subschema, tuple(path), value)


def _tokens(pointer: str) -> list[str]:
    tokens = pointer.split("/")[1:]
    return [token.replace("~1", "/").replace("~0", "~") for token in tokens] if "~" in pointer else tokens


def _descend(subschema: Subschema, tokens: list[str]) -> tuple[Subschema, int]:
    """Follow a pointer through subschemas as far as it goes; return the last one and the number of tokens used."""
    used = 0
    while used < len(tokens):
        held = subschema.children.get(tokens[used])
        if type(held) is Subschema:
            subschema = held
            used += 1
            continue
        if held is None or used + 1 == len(tokens):
            break
        token = tokens[used + 1]
        below = _item(held, token) if type(held) is list else held.get(token)  # type: ignore[union-attr]
        if below is None:
            break
        subschema = below
        used += 2
    return subschema, used


def _item(held: list[Any], token: str) -> Subschema | None:
    # An array may hold what is no schema as well, so the place in this list is not the index.
    index = _is_index(token)
    if index is None:
        return None
    position = bisect_left(held, index, key=lambda child: child.member)
    found: Subschema | None = held[position] if position < len(held) else None
    return found if found is not None and found.member == index else None


def _is_index(token: str) -> int | None:
    """Return the array index that a reference token stands for (RFC 6901 section 4: no sign, no leading zero)."""
    if token.isascii() and token.isdigit() and len(token) < 10 and (token == "0" or token[0] != "0"):
        return int(token)
    return None


def _key_in(value: Any, token: str) -> str | int | None:
    if type(value) is dict:
        return token if token in value else None
    if type(value) is list:
        index = _is_index(token)
        return index if index is not None and index < len(value) else None
    return None


def _nothing_there(
    subschema: Subschema, keyword: str, reference: str, resource: Resource, fragment: str, reached: int | None
) -> SchemaError:
    """Refuse a reference; `reached` is how many tokens of its pointer led somewhere, None for the name of an anchor."""
    start = f"{keyword} {quote_text(reference, 80)} leads nowhere: "
    fragment = unquote(fragment)
    if reached is None:
        close = _closest(fragment, resource.anchors)
        hint = f"did you mean {quote_text('#' + close, 80)}?" if close else "name one that exists, or add it"
        text = f"{start}no schema here has that anchor: {hint}"
        return refusal("unresolvable_ref", subschema, (keyword,), text)
    tokens = _tokens(fragment)
    value: Any = resource.root.value
    for token in tokens[:reached]:
        value = value[_key_in(value, token)]
    here = at(json_pointer(tuple(tokens[:reached])))
    if reached == len(tokens):
        text = f"{start}what is at {here} is no schema but {quote(value, 40)}: refer to an object or a boolean"
        return refusal("unresolvable_ref", subschema, (keyword,), text)
    close = _closest(tokens[reached], value) if type(value) is dict else None
    pointer = "#" + json_pointer((*tokens[:reached], close)) if close else ""
    hint = f"did you mean {quote_text(pointer, 80)}?" if close else "refer to a name that exists"
    text = f"{start}there is no {quote_text(tokens[reached], 50)} at {here}: {hint}"
    return refusal("unresolvable_ref", subschema, (keyword,), text)


def _closest(name: str, names: Iterable[str]) -> str | None:
    shortened = {known[:SUGGESTION_CHARS]: known for known in islice(names, SUGGESTIONS_FROM) if len(known) <= 256}
    close = get_close_matches(name[:SUGGESTION_CHARS], shortened, 1)
    return shortened[close[0]] if close else None
