"""What a check can cost, told from the plan before any instance is seen.

Comes in: a plan. Goes out: a `Cost`, whose `min_steps` and `max_steps(...)` enclose the steps of every check that
comes to a verdict. Reads the table of step costs from which the meter pays.

The bound, for a tree of values: let A(n) be what node n costs for its own value, in-place applicators included, and
G(n) what it costs at most for each value below. Both follow from the nodes that n applies; max(A, G) of the root, for
each value, bounds the check. Where subschemas apply themselves below more than once that grows without end, and
remembered verdicts bound it instead: a node is evaluated at most twice for one value (a second time to learn what it
evaluates), so all nodes and edges together are what a value can cost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Any, Literal

from ._core.costs import StepCost
from ._core.plan import Flag, Op

if TYPE_CHECKING:
    from ._core.plan import Plan

Kind = Literal["linear", "polynomial", "scope_exponential"]

_ROUNDS = 8  # in which the costs of nodes that apply each other below must settle
_SHOWN = 3
_TYPICAL_CHARS = 16  # of a text, where the weights of nodes are compared

VISIT, MATCH, SET, CAREFUL = StepCost.VISIT, StepCost.MATCH, StepCost.SET, StepCost.CAREFUL_MEMBER
LOOKED_THROUGH = 1 / 2**StepCost.MEMBERS_SHIFT
A_CHAR_OF_WEIGHT_1 = 1 / 2**StepCost.WEIGHT_SHIFT
A_DIGIT = 4 / 2**StepCost.BITS_SHIFT  # a decimal digit takes less than 4 bits
_FLOAT_BITS = 1_100
A_LONG_CHAR = 1 / 2**StepCost.LONG_TEXT_SHIFT


@dataclass(frozen=True)
class Cost:
    """A static estimate of the steps of one check.

    `kind`: "linear" where the shape of the schema bounds how many subschemas look at one value, "polynomial" where that
    takes remembered verdicts (the bound is then subschemas × values), "scope_exponential" where `$dynamicRef`
    multiplies the subschemas by dynamic scopes.
    """

    kind: Kind
    #: Steps of the cheapest check.
    min_steps: int
    #: The subschemas that do most by themselves, heaviest first, as URI references ("#/properties/a").
    heaviest: tuple[str, ...]
    #: Steps at most for each value, and for each character.
    steps_per_value: float
    steps_per_char: float

    def max_steps(self, instance_values: int, instance_chars: int = 0) -> int:
        """Return the steps that no check of such an instance exceeds.

        `instance_values`: its values, the root and everything inside counted. `instance_chars`: the characters of its
        strings, property names and integers together; what patterns, formats and long texts cost depends on them.
        """
        return ceil(self.steps_per_value * instance_values + self.steps_per_char * instance_chars)


@dataclass(slots=True)
class Work:
    """What a node does for values of one kind."""

    visit: float = VISIT  # steps for the value itself
    member: float = 0.0  # for each member or item
    inside: float = 0.0  # for each value inside, at any depth
    char: float = 0.0  # for each character of the value
    member_char: float = 0.0  # for each character of the members' names
    inside_char: float = 0.0  # for each character inside
    in_place: list[int] = field(default_factory=list)
    alternatives: list[int] = field(default_factory=list)  # one of them for each member or item
    together: list[int] = field(default_factory=list)  # all of them for each member or item

    @property
    def weight(self) -> float:
        chars = self.char + self.member_char + self.inside_char
        return self.visit + self.member + self.inside + _TYPICAL_CHARS * chars


def estimate(plan: Plan, max_depth: int) -> Cost:
    """Estimate the checks of instances of at most `max_depth` levels."""
    count = plan.node_count
    collects = any([plan.flags(node) & Flag.COLLECTS for node in range(count)])
    joins = any([plan.flags(node) & Flag.JOIN for node in range(count)])
    works = [_works(plan, node, collects) for node in range(count)]
    order = _applied_first(works, plan.root_node)
    per_value, settled = _bound(_steps_of(works), order, max_depth)
    per_char, _ = _bound(_chars_of(works), order, max_depth)
    kind: Kind = "scope_exponential" if plan.scoped else "polynomial" if joins or not settled else "linear"
    weights = [max([work.weight for work in parts], default=0.0) for parts in works]
    by_weight = sorted(range(2, count), key=lambda node: (-weights[node], node))
    heaviest = dict.fromkeys(
        [f"{plan.origins[node].document}#{plan.origins[node].pointer}" for node in by_weight[:_SHOWN]]
    )
    # Every value is walked once to see that it is JSON, and once more where a remembered verdict spared the visit.
    return Cost(kind, int(VISIT), tuple(heaviest), per_value + 2 * VISIT, per_char)


# --- the work of a node
# ------------------------------------------------------------------------------------------------

Charge = Callable[..., None]
_CHARGES: dict[int, Charge] = {}
#: Operations that apply other nodes; those with a charge of their own apart.
_APPLYING = {
    *(int(op) for op in (Op.ITEMS, Op.CONTAINS, Op.PROPERTY_NAMES, Op.APPLY, Op.NOT, Op.CONDITION)),
}
#: What a node does that only looks at the type, or at a length.
_NO_WORK = Work()


def _works(plan: Plan, node: int, collects: bool) -> list[Work]:
    """The work of a node for each kind of value that it treats in a way of its own."""
    works = []
    for instructions in plan.instructions(node):
        if any([op in _CHARGES or op in _APPLYING for op, *_ in instructions]) or collects:
            works.append(_work(instructions, collects))
    return works or [_NO_WORK]


def _work(instructions: list[Any], collects: bool) -> Work:
    work = Work()
    if collects:
        # Any container may be asked what was evaluated of it: a set, and merging it with others.
        work.visit += 2 * SET
        work.member += CAREFUL + 4 / 2**StepCost.SET_SHIFT
    for op, numbers, in_place, alternatives, together in instructions:
        work.in_place += [node for node in in_place if node >= 0]
        work.alternatives += [node for node in alternatives if node >= 0]
        work.together += [node for node in together if node >= 0]
        charge = _CHARGES.get(op)
        if charge is not None:
            charge(work, *numbers)
    return work


def _charges(*ops: Op) -> Callable[[Charge], Charge]:
    def register(charge: Charge) -> Charge:
        _CHARGES.update(dict.fromkeys(map(int, ops), charge))
        return charge

    return register


@_charges(Op.PATTERN, Op.FORMAT)
def _match(work: Work, weight: int) -> None:
    work.visit += MATCH
    work.char += weight * A_CHAR_OF_WEIGHT_1


@_charges(Op.MINIMUM, Op.MAXIMUM, Op.EXCLUSIVE_MINIMUM, Op.EXCLUSIVE_MAXIMUM)
def _compare(work: Work) -> None:
    work.char += A_DIGIT


@_charges(Op.MULTIPLE_OF)
def _divide(work: Work, divisor_bits: int) -> None:
    work.visit += StepCost.DECIMAL + (divisor_bits >> StepCost.BITS_SHIFT)
    # A float among the values may multiply the divisor by a power of ten of up to 2**1100.
    work.char += A_DIGIT + 4 * (divisor_bits + _FLOAT_BITS) / 2**StepCost.DIVISION_SHIFT


@_charges(Op.NUMBER_IN)
def _number_in(work: Work, big_numbers: int) -> None:
    work.visit += big_numbers * StepCost.PAIR
    work.char += big_numbers * A_DIGIT


@_charges(Op.CONTAINER_IN)
def _container_in(work: Work) -> None:
    # Hashed, then compared with the one value of that hash; looking through an object adds a part.
    work.visit += StepCost.HASHING + StepCost.PAIR + 1
    work.inside += StepCost.HASHING + StepCost.PAIR + LOOKED_THROUGH
    work.inside_char += 2 * (A_LONG_CHAR + A_DIGIT)


@_charges(Op.UNIQUE_ITEMS)
def _unique_items(work: Work) -> None:
    # Of up to six items each is compared with five others; of more, each is hashed, and two of one hash are compared.
    work.inside += 5 * (StepCost.PAIR + LOOKED_THROUGH) + StepCost.UNIQUE_ITEM
    work.inside_char += 5 * (A_LONG_CHAR + A_DIGIT)


@_charges(Op.MEMBERS)
def _members(work: Work, words: int, dependencies: int, weights: list[int]) -> None:
    work.visit += 2 * SET + (words >> 3) + dependencies * (1 + (words >> StepCost.WORDS_SHIFT)) + 1
    work.member += LOOKED_THROUGH + CAREFUL + len(weights) * MATCH
    work.member_char += sum(weights) * A_CHAR_OF_WEIGHT_1


@_charges(Op.ANY_OF, Op.ONE_OF)
def _branches(work: Work, branches: int) -> None:
    work.visit += branches >> StepCost.BRANCHES_SHIFT
    work.member += LOOKED_THROUGH  # for the tag


@_charges(Op.UNEVALUATED_ITEMS, Op.UNEVALUATED_PROPERTIES)
def _unevaluated(work: Work) -> None:
    work.member += 1 / 2**StepCost.DEPENDENCY_SHIFT
    work.visit += 1


# --- the bound
# ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Part:
    """One list of a node in one currency: steps for values, or steps for characters."""

    own: float
    member: float
    inside: float
    in_place: list[int]
    alternatives: list[int]
    together: list[int]


Parts = list[list[_Part]]


def _steps_of(works: list[list[Work]]) -> Parts:
    return [
        [_Part(w.visit, w.member, w.inside, w.in_place, w.alternatives, w.together) for w in node] for node in works
    ]


def _chars_of(works: list[list[Work]]) -> Parts:
    return [
        [_Part(w.char, w.member_char, w.inside_char, w.in_place, w.alternatives, w.together) for w in node]
        for node in works
    ]


def _bound(parts: Parts, order: list[int], max_depth: int) -> tuple[float, bool]:
    """Return a bound for each value (or character), and whether the shape of the schema alone gives it."""
    ceiling = _remembered_bound(parts, max_depth)
    here = [0.0] * len(parts)
    below = [0.0] * len(parts)
    root = order[-1]
    for _ in range(_ROUNDS):
        changed = False
        for node in order:
            new_here = min(max([_here(part, here) for part in parts[node]], default=0.0), ceiling)
            new_below = min(max([_below(part, here, below) for part in parts[node]], default=0.0), ceiling)
            if new_here > here[node] or new_below > below[node]:
                here[node], below[node] = new_here, new_below
                changed = True
        if not changed:
            bound = max(here[root], below[root])
            return bound, bound < ceiling
    return ceiling, False


def _applied_first(works: list[list[Work]], root: int) -> list[int]:
    """The root and the nodes below it, each after those that it applies, as far as they do not apply each other."""
    order: list[int] = []
    seen = {root}
    stack = [(root, iter(_applied(works[root])))]
    while stack:
        node, following = stack[-1]
        for child in following:
            if child not in seen:
                seen.add(child)
                stack.append((child, iter(_applied(works[child]))))
                break
        else:
            order.append(node)
            stack.pop()
    return order


def _applied(works: list[Work]) -> list[int]:
    return [child for work in works for child in work.in_place + work.alternatives + work.together]


def _here(part: _Part, here: list[float]) -> float:
    return part.own + sum([here[node] for node in part.in_place])


def _below(part: _Part, here: list[float], below: list[float]) -> float:
    # A value inside is a member, and costs what its nodes cost for it, or it is deeper inside a member.
    member = part.member + sum([here[node] for node in part.together])
    member += max([here[node] for node in part.alternatives], default=0.0)
    deeper = sum([below[node] for node in part.together]) + max(
        [below[node] for node in part.alternatives], default=0.0
    )
    return part.inside + max(member, deeper) + sum([below[node] for node in part.in_place])


def _remembered_bound(parts: Parts, max_depth: int) -> float:
    """All nodes twice, with an edge's cost where it leads to a node too small to be remembered."""
    own = [max([part.own for part in node], default=0.0) for node in parts]
    total = own[0]
    for node in parts:
        total += max(
            [
                part.own
                + part.member
                + part.inside * max_depth
                + sum([own[child] for child in part.in_place + part.together])
                + max([own[child] for child in part.alternatives], default=0.0)
                for part in node
            ],
            default=0.0,
        )
    return 2 * total
