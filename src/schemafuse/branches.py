"""What speaks for one branch of an `anyOf` or `oneOf`, when a value fits none of them.

Comes in: the branches of a union, once, and then an object. Goes out: how its names and tags agree with each branch.
Says nothing about what a branch has against the value; the explainer knows that. What is done for one branch is
bounded, whatever it refers to and however large the object is.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

from .knowledge import recall
from .lowering.tags import is_among, key_of, properties_of, scalars_of
from .places import held_by
from .subschemas import Subschema

#: Members of a value that are looked at, and branches: a union of more is judged by what fails in each alone.
_MEMBERS, _BRANCHES = 50, 200
#: Subschemas that are looked through for the names that one of them knows, and names in all.
_FOLLOWED, _NAMES = 40, 500
#: Values that the members which are looked at may have in all branches; lists beyond tell nothing.
_VALUES = 5_000
#: Characters of a text that is compared in folded letters.
_FOLDED = 200
_OF_MEMBERS = frozenset(("properties", "additionalProperties", "patternProperties"))
_IN_PLACE = ("allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas")


class Portrait(NamedTuple):
    """One branch: its properties, the names that it knows, and what all branches of the union share."""

    properties: dict[str, Subschema]
    names: frozenset[str]
    gallery: Gallery


class Tags(NamedTuple):
    """The only values that a member may have, as `key_of` writes them, and the strings of them in folded letters."""

    keys: frozenset[Any]
    folded: frozenset[str]


NO_TAGS = Tags(frozenset(), frozenset())


class Gallery:
    """The branches of one union. What is found out for one of them serves all."""

    __slots__ = ("_members", "_room", "_strayed", "_tags", "_value", "branches")

    def __init__(self, branches: list[dict[str, Subschema]]) -> None:
        #: The properties of each.
        self.branches = branches
        self._room = _VALUES
        #: id of a property's subschema -> its tags; thousands of branches may refer to one.
        self._tags: dict[int, Tags] = {}
        self._value: Any = None
        self._members: list[tuple[str, Any]] = []
        #: Members of the value: does any branch have theirs for a tag?
        self._strayed: dict[str, bool] = {}

    def members_of(self, value: dict[str, Any]) -> list[tuple[str, Any]]:
        """The first members of an object; read once, as the branches are compared one after the other."""
        if value is not self._value:
            try:
                members = list(islice(value.items(), _MEMBERS))
            except RuntimeError:  # another thread has changed it
                members = []
            self._value, self._strayed = value, {}
            self._members = [(name, member) for name, member in members if type(name) is str]
        return self._members

    def tags_of(self, subschema: Subschema) -> Tags:
        """What a property's subschema lists, where it allows nothing else."""
        tags = self._tags.get(id(subschema))
        if tags is None:
            values = scalars_of(subschema, self._room)
            self._room -= len(values)
            folded = [value.casefold() for value in values if type(value) is str]
            tags = Tags(frozenset([key_of(value) for value in values]), frozenset(folded)) if values else NO_TAGS
            self._tags[id(subschema)] = tags
        return tags

    def has(self, name: str, key: Any) -> bool:
        """Does any branch list this for the member?"""
        if name not in self._strayed:
            found = [properties[name] for properties in self.branches if name in properties]
            self._strayed[name] = any([key in self.tags_of(subschema).keys for subschema in found])
        return self._strayed[name]


def portraits(branches: list[Subschema]) -> list[Portrait]:
    """Draw every branch; an empty list when there are too many."""
    if len(branches) > _BRANCHES:
        return []
    gallery = Gallery([properties_of(branch) for branch in branches])
    return [
        Portrait(properties, recall(_own_names, branch) or frozenset(names_of(branch)), gallery)
        for properties, branch in zip(gallery.branches, branches)
    ]


def _own_names(branch: Subschema) -> frozenset[str]:
    """The names that a branch knows where it refers to nothing: those are kept with it. None else."""
    properties: Any = branch.children.get("properties", ())
    if branch.targets or not branch.children.keys() <= _OF_MEMBERS or len(properties) > _NAMES:
        return frozenset()
    return frozenset(properties)


def names_of(subschema: Subschema) -> dict[str, None]:
    """The property names that a subschema and those it applies in place know, the nearest first."""
    names: dict[str, None] = {}
    todo, seen = [subschema], {id(subschema)}
    for part in todo:
        if not part.children and not part.targets:
            continue
        properties: Any = part.children.get("properties", ())
        names.update(dict.fromkeys(islice(properties, _NAMES - len(names))))
        for following in (*_targets(part), *islice(held_by(part, _IN_PLACE), _FOLLOWED)):
            if id(following) not in seen and len(todo) < _FOLLOWED:
                seen.add(id(following))
                todo.append(following)
    return names


def _targets(subschema: Subschema) -> list[Subschema]:
    return [target for target in subschema.targets.values() if isinstance(target, Subschema)]


def evidence(drawn: list[Portrait], index: int, value: Any) -> tuple[int, int, int]:
    """How an object agrees with a branch: tags that are another branch's (negative), tags that are its own, names that
    it does not know (negative), but for those with null, which may stand for what is not there. Greater is nearer."""
    if not drawn or type(value) is not dict:
        return 0, 0, 0
    own = drawn[index]
    gallery = own.gallery
    strayed = kept = strangers = 0
    for name, member in gallery.members_of(value):
        if own.names and name not in own.names and member is not None:
            strangers += 1
        subschema = own.properties.get(name)
        if subschema is None or type(member) not in (str, int, float, bool, type(None)):
            continue
        tags = gallery.tags_of(subschema)
        if not tags.keys:
            continue
        key = key_of(member)
        if key in tags.keys or _is_kept(member, tags):
            kept += 1
        elif gallery.has(name, key):
            strayed += 1
    return -strayed, kept, -strangers


def has_wrong_tag(drawn: list[Portrait], value: Any, tag: str, by_tag: list[tuple[Any, int]]) -> bool:
    """Is the tag there, with a value that is no branch's?"""
    if not drawn or type(value) is not dict:
        return False
    return any([name == tag and not is_among(member, by_tag) for name, member in drawn[0].gallery.members_of(value)])


def _is_kept(member: Any, tags: Tags) -> bool:
    return type(member) is str and len(member) <= _FOLDED and member.casefold() in tags.folded
