"""What to do about a failure: a hint in words, and a `fix` where exactly one repair is right.

Comes in: a failure. Goes out: a short hint and JSON Patch operations (RFC 6902), each or neither. A repair is offered
only where the value is not valid as it is, where one candidate alone leads to a value that the place accepts (the
evaluator is asked), and where nothing has to be guessed. Changes nothing itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from ._core.distance import nearest
from ._core.explainer import Failure, accepts, member_node
from ._core.values import kind_bit
from .lowering.branches import kinds_of
from .lowering.program import ARRAY_BIT, OBJECT_BIT, STRING_BIT
from .render import json_pointer, quote, quote_text
from .subschemas import Subschema
from .words import NO_TAG, Scene, tag_values

Operations = list[dict[str, Any]]

#: Longer strings are not taken for JSON text, deeper ones neither.
_LONGEST_JSON_TEXT, _DEEPEST_JSON_TEXT = 100_000, 64
#: Names looked at for the nearest one.
_MOST_NAMES = 200
#: Missing properties for which something is suggested.
_MOST_MISSING = 20
_NOTHING = object()


class Advice(NamedTuple):
    """A hint ("" for none) and a fix (None for none)."""

    hint: str
    fix: Operations | None


NO_ADVICE = Advice("", None)


def advise(scene: Scene, evaluator: Any) -> Advice:
    """Advise on a failure. `evaluator` is asked whether the place would accept a candidate."""
    if scene.failure.of_name or not is_plain(scene.failure.instance):
        return NO_ADVICE
    adviser = _ADVISERS.get(scene.failure.keyword)
    return adviser(scene, evaluator) if adviser is not None else NO_ADVICE


def is_plain(value: Any) -> bool:
    """Is the value of an exact builtin type, an object with names that are exact strings? Others are not repaired."""
    kind = type(value)
    if kind is dict:
        return all([type(name) is str for name in list(value)])
    return kind in (str, int, float, bool, list, tuple, type(None))


Adviser = Callable[[Scene, Any], Advice]


def _replace(failure: Failure, value: Any) -> Operations:
    return [{"op": "replace", "path": json_pointer(failure.path), "value": value}]


# --- a value of another kind
# ---------------------------------------------------------------------------------------------


def _about_kind(scene: Scene, evaluator: Any) -> Advice:
    """A stringified scalar, JSON text, one value for an array or the reverse, null for a property to be left out."""
    failure = scene.failure
    value = failure.instance
    if value is None and _is_optional(failure):
        operations = [{"op": "remove", "path": json_pointer(failure.path)}]
        return Advice("leave the property out", operations)
    wanted = _kinds_of_union(failure) if failure.keyword in ("anyOf", "oneOf") else kinds_of(failure.subschema)
    candidates: list[tuple[Any, str]] = []
    if isinstance(value, str):
        read = read_text(value)
        if read is not _NOTHING and wanted & kind_bit(read):
            candidates.append((read, _send_instead(value, read, scene)))
            if isinstance(read, (list, dict)):  # nobody means an array with JSON text as its one item
                return _one_of(candidates, failure, evaluator, scene.secret)
    elif wanted & STRING_BIT and isinstance(value, (int, float)):
        return Advice(f'send it as a string: "{quote(value, 40)}"' if not scene.secret else "send it as a string", None)
    if (wanted & ARRAY_BIT and not isinstance(value, (list, tuple, dict))) or _wraps_object(value, wanted):
        candidates.append(([value], "send an array, with this value as its one item"))
    if isinstance(value, (list, tuple)) and len(value) == 1 and wanted & kind_bit(value[0]):
        candidates.append((value[0], "send the item itself, not an array with it"))
    return _one_of(candidates, failure, evaluator, scene.secret)


def _kinds_of_union(failure: Failure) -> int:
    branches: Any = failure.subschema.children[str(failure.keyword)]
    kinds = 0
    for branch in branches:
        kinds |= kinds_of(branch)
    return kinds


def _wraps_object(value: Any, wanted: int) -> bool:
    return isinstance(value, dict) and bool(wanted & ARRAY_BIT) and not wanted & OBJECT_BIT


def _is_optional(failure: Failure) -> bool:
    """Is the place a property that its object may leave out?"""
    container = failure.container
    if not failure.path or type(failure.path[-1]) is not str or container is None or isinstance(container.value, bool):
        return False
    required = container.value.get("required")
    return not (isinstance(required, list) and failure.path[-1] in required)


def _one_of(candidates: list[tuple[Any, str]], failure: Failure, evaluator: Any, secret: bool) -> Advice:
    accepted = [(value, hint) for value, hint in candidates if accepts(evaluator, failure.entry, value)]
    if len(accepted) == 1:
        value, hint = accepted[0]
        return Advice(hint, None if secret else _replace(failure, value))
    return Advice(candidates[0][1], None) if candidates else NO_ADVICE


def read_text(text: str) -> Any:
    """The JSON value other than a string that a text spells; `_NOTHING` when it spells none."""
    if len(text) > _LONGEST_JSON_TEXT:
        return _NOTHING
    stripped = text.strip()
    if not stripped or stripped[0] not in "-0123456789tfnTFN[{":
        return _NOTHING
    if stripped[0] in "TFN":  # as Python writes them
        return {"True": True, "False": False, "None": None}.get(stripped, _NOTHING)
    if stripped[0] in "[{" and max(stripped.count("["), stripped.count("{")) > _DEEPEST_JSON_TEXT:
        depth = deepest = 0
        for char in stripped:
            depth += (char in "[{") - (char in "]}")
            deepest = max(deepest, depth)
        if deepest > _DEEPEST_JSON_TEXT:
            return _NOTHING
    try:
        return json.loads(stripped, parse_constant=_refuse, object_pairs_hook=_distinct)
    except (ValueError, RecursionError):
        return _NOTHING


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a name occurs twice")
    return members


def _send_instead(text: str, read: Any, scene: Scene) -> str:
    if isinstance(read, list):
        return "send a JSON array, not a string containing one"
    if isinstance(read, dict):
        return "send a JSON object, not a string containing one"
    noun = (
        "null"
        if read is None
        else f"the boolean {quote(read, 40)}"
        if read in (True, False) and isinstance(read, bool)
        else ""
    )
    if scene.secret:
        return f"send {noun or 'the number'}, not a string"
    return f"send {noun or 'the number ' + quote(read, 40)}, not the string {quote_text(text, 40)}"


# --- a value that is not among those allowed
# -----------------------------------------------------------------------------


def _about_values(scene: Scene, evaluator: Any) -> Advice:
    failure = scene.failure
    value = failure.instance
    allowed = tag_values(scene) or (scene.value if failure.keyword == "enum" else [scene.value])
    if not isinstance(value, str):
        return _about_kind(scene, evaluator) if value is None or isinstance(value, (list, tuple)) else NO_ADVICE
    texts = [text for text in allowed if type(text) is str][:_MOST_NAMES]
    plain = _plain(value)
    same = [text for text in texts if _plain(text) == plain]
    if len(same) == 1:
        fixed = not scene.secret and accepts(evaluator, failure.entry, same[0])
        hint = f"did you mean {quote_text(same[0], 60)}?"
        return Advice(hint, _replace(failure, same[0]) if fixed else None)
    read = read_text(value)
    if read is not _NOTHING and any([type(read) is type(other) and read == other for other in allowed]):
        return _one_of([(read, _send_instead(value, read, scene))], failure, evaluator, scene.secret)
    found, distance = nearest(value, texts, _most_edits(value))
    if len(found) == 1 and distance < len(value):
        return Advice(f"did you mean {quote_text(texts[found[0]], 60)}?", None)
    return NO_ADVICE


def _plain(text: str) -> str:
    """A name without what people vary in it: case, and how its words are joined."""
    return "".join([char for char in text[:200].casefold() if char not in " _-."])


def _most_edits(text: str) -> int:
    return 1 if len(text) < 5 else 2 if len(text) < 12 else 3


# --- names
# ---------------------------------------------------------------------------------------------------------------


def _about_unknown(scene: Scene, evaluator: Any) -> Advice:
    """Properties that nothing allows: the nearest name that is not given yet."""
    failure = scene.failure
    known = known_names(failure.subschema)
    given = failure.instance
    free = [name for name in known if name not in given][:_MOST_NAMES]
    operations: Operations = []
    hints = []
    taken: set[str] = set()
    for name in failure.detail[:4]:
        meant = nearest_name(name, free)
        if meant is None or meant in taken:
            continue
        taken.add(meant)
        which = f" by {quote_text(name, 60)}" if len(failure.detail) > 1 else ""
        hints.append(f"did you mean {quote_text(meant, 60)}{which}?")
        node = member_node(evaluator.plan, failure.instruction, meant)
        if node < 0 or accepts(evaluator, node, given[name]):
            operations.append(_move(failure, name, meant))
    if not hints:
        return Advice(_allowed(free or known), None)
    return Advice(" ".join(hints), operations or None)


def _allowed(names: list[str]) -> str:
    if not names:
        return "leave it out"
    shown = ", ".join([quote_text(name, 40) for name in names[:8]])
    return f"allowed: {shown}{' and ' + str(len(names) - 8) + ' more' if len(names) > 8 else ''}"


def _move(failure: Failure, name: str, meant: str) -> dict[str, Any]:
    return {
        "op": "move",
        "from": json_pointer((*failure.path, name)),
        "path": json_pointer((*failure.path, meant)),
    }


def nearest_name(name: str, names: list[str]) -> str | None:
    """The one name that another was probably meant to be."""
    plain = _plain(name)
    same = [other for other in names if _plain(other) == plain]
    if len(same) == 1:
        return same[0]
    found, distance = nearest(name, names, _most_edits(name))
    return names[found[0]] if len(found) == 1 and distance * 2 <= max(len(name), 2) else None


def known_names(subschema: Subschema, depth: int = 0) -> list[str]:
    """The property names that a subschema and those it applies in place know."""
    names: dict[str, None] = dict.fromkeys(subschema.children.get("properties", ()))  # type: ignore[arg-type]
    if depth < 4:
        for keyword in ("allOf", "anyOf", "oneOf"):
            branches: Any = subschema.children.get(keyword, ())
            for branch in branches[:20]:
                names.update(dict.fromkeys(known_names(branch, depth + 1)))
        target = subschema.targets.get("$ref")
        if isinstance(target, Subschema):
            names.update(dict.fromkeys(known_names(target, depth + 1)))
    return list(names)


def _about_missing(scene: Scene, evaluator: Any) -> Advice:
    """Properties that must be given: the one value that a property can have, or a name that was misspelt."""
    failure = scene.failure
    properties: Any = failure.subschema.children.get("properties", {})
    given = failure.instance
    strangers = [name for name in list(dict.keys(given))[:50] if type(name) is str and name not in properties]
    operations: Operations = []
    hints = []
    for missing in failure.detail[:_MOST_MISSING]:
        value = _filled_in(missing, properties.get(missing), failure, evaluator)
        if value is not _NOTHING:
            operations.append({"op": "add", "path": json_pointer((*failure.path, missing)), "value": value})
            continue
        meant = nearest_name(missing, strangers)
        node = member_node(evaluator.plan, failure.instruction, missing) if meant is not None else -1
        if meant is not None:
            hints.append(f"{quote_text(meant, 60)} was given: did you mean {quote_text(missing, 60)}?")
            if node < 0 or accepts(evaluator, node, given[meant]):
                operations.append(_move(failure, meant, missing))
    return Advice(" ".join(hints[:3]), operations or None)


def _filled_in(missing: str, subschema: Subschema | None, failure: Failure, evaluator: Any) -> Any:
    """The value that a missing property must have; `_NOTHING` where there is a choice, of an alternative too."""
    value = only_value(subschema)
    if value is _NOTHING or failure.alternative is None:
        return value
    union, keyword, _ = failure.alternative
    tag, by_tag = union.tags.get(keyword, NO_TAG)
    choices = [value for value, _ in by_tag] if missing == tag else [value]
    accepted = [
        choice for choice in choices if accepts(evaluator, failure.entry, {**failure.instance, missing: choice})
    ]
    return accepted[0] if len(accepted) == 1 else _NOTHING


def only_value(subschema: Subschema | None) -> Any:
    """The only value that a subschema allows, or `_NOTHING`."""
    schema = None if subschema is None else subschema.value
    if type(schema) is dict:
        if "const" in schema:
            return schema["const"]
        values = schema.get("enum")
        if isinstance(values, list) and len(values) == 1:
            return values[0]
    return _NOTHING


_ADVISERS: dict[str | None, Adviser] = {
    "type": _about_kind,
    "anyOf": _about_kind,
    "oneOf": _about_kind,
    "enum": _about_values,
    "const": _about_values,
    "additionalProperties": _about_unknown,
    "unevaluatedProperties": _about_unknown,
    "required": _about_missing,
}
