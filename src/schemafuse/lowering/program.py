"""The instructions of one subschema while they are being collected.

A keyword concerns some kinds of value and leaves the others alone (Validation 6), so instructions are kept by kind;
what applies to every kind (`allOf`, `$ref`, ...) is kept once and goes to the end of each list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._core.plan import Flag, Marks, Op

if TYPE_CHECKING:
    from ..dialects import Dialect
    from ..subschemas import Subschema
    from .lowering import Lowering, Scope

#: An instruction: what to do, with what, and the keyword that asked for it.
Instruction = tuple[int, Any, str]

# The lists of a program, in the order in which `Plan.define` takes them.
NULL, BOOLEAN, NUMBERS, STRINGS, ARRAYS, OBJECTS = range(6)

#: Bit sets of kinds, as `Node.types` has them.
NULL_BIT, BOOLEAN_BIT, STRING_BIT, ARRAY_BIT, OBJECT_BIT = 1, 1 << 1, 1 << 5, 1 << 6, 1 << 7
INT_BIT, INTEGRAL_BIT, FRACTION_BIT = 1 << 2, 1 << 3, 1 << 4
NUMBER_BITS = INT_BIT | INTEGRAL_BIT | FRACTION_BIT
ALL_BITS = 0xFF

NO_LISTS: tuple[None, ...] = (None,) * 6

# Operations as plain integers: members of an enumeration are slow to look up and to compare.
OPS: dict[str, int] = {op.name: int(op) for op in Op}
JOIN, COLLECTS = int(Flag.JOIN), int(Flag.COLLECTS)
COVER, COVERS = OPS["COVER"], int(Marks.COVERS)

# What is cheap and fails often comes first; what ends a node must come last.
_ORDER = (
    "FAIL BOOLEAN_IN STRING_IN NUMBER_IN MIN_LENGTH MAX_LENGTH MINIMUM MAXIMUM EXCLUSIVE_MINIMUM EXCLUSIVE_MAXIMUM "
    "MULTIPLE_OF MIN_ITEMS MAX_ITEMS MIN_PROPERTIES MAX_PROPERTIES MEMBERS ITEMS PATTERN FORMAT CONTAINER_IN "
    "PROPERTY_NAMES CONTAINS UNIQUE_ITEMS NOT ANY_OF ONE_OF CONDITION APPLY UNEVALUATED_ITEMS UNEVALUATED_PROPERTIES"
)
_RANK = {OPS[name]: rank for rank, name in enumerate(_ORDER.split())}
#: Instructions that look at each member or item, and those that can leave that to a subschema.
_COVER = {OPS["MEMBERS"], OPS["ITEMS"]}
_LAST = {OPS["UNEVALUATED_ITEMS"], OPS["UNEVALUATED_PROPERTIES"]}
APPLY, _UNIONS = OPS["APPLY"], {OPS["ANY_OF"], OPS["ONE_OF"]}


def _rank(instruction: Instruction) -> int:
    return _RANK[instruction[0]]


def _cover(instructions: list[Instruction], kind: int) -> None:
    """See to it that exactly one instruction walks everything inside a value of the kind, whatever other ones do."""
    for position, (op, operand, keyword) in enumerate(instructions):
        if op in _COVER:
            return
        if op == APPLY or (op in _UNIONS and sum([bool(kinds & kind) for kinds in operand[1]]) == 1):
            instructions[position] = (op | COVERS, operand, keyword)
            return
    # Before what ends a node: a value that is not JSON is to be found before it counts as unevaluated.
    position = next((i for i, (op, _, _) in enumerate(instructions) if op in _LAST), len(instructions))
    instructions.insert(position, (COVER, None, ""))


class Program:
    """What one subschema asks of each kind of value."""

    __slots__ = (
        "everywhere",
        "flags",
        "index",
        "lists",
        "lowering",
        "overlapping",
        "schema",
        "scope",
        "subschema",
        "types",
    )

    def __init__(
        self, lowering: Lowering, index: int, subschema: Subschema, schema: dict[str, Any], scope: Scope
    ) -> None:
        self.lowering = lowering
        #: The node that the program is for.
        self.index = index
        self.subschema = subschema
        self.schema = schema
        self.scope = scope
        self.types = ALL_BITS
        self.flags = 0
        self.lists: list[list[Instruction] | None] = [None] * 6
        self.everywhere: list[Instruction] = []
        #: Whether two of the keywords can apply different subschemas to one member or item.
        self.overlapping = False

    def emit(self, group: int, op: int, operand: Any, keyword: str) -> None:
        """Add an instruction for one kind of value."""
        instructions = self.lists[group]
        if instructions is None:
            self.lists[group] = [(op, operand, keyword)]
        else:
            instructions.append((op, operand, keyword))

    def emit_everywhere(self, op: int, operand: Any, keyword: str) -> None:
        """Add an instruction for all kinds of value."""
        self.everywhere.append((op, operand, keyword))

    def in_place(self, child: Subschema) -> int:
        """The node of a subschema that applies to the same value (Core 10.2)."""
        return self.lowering.edge(self, child, self.lowering.in_place_edges)

    def below(self, child: Subschema) -> int:
        """The node of a subschema that applies to a member or an item (Core 10.3)."""
        return self.lowering.edge(self, child, self.lowering.child_edges)

    def finish(self) -> tuple[list[Instruction] | None, ...]:
        """Return the list for each kind, in the order in which the instructions are to run."""
        everywhere = self.everywhere
        if not everywhere and not any(self.lists):
            return NO_LISTS
        if len(everywhere) > 1:
            everywhere.sort(key=_rank)
        return tuple([self._finished(group, everywhere) for group in range(6)])

    def _finished(self, group: int, everywhere: list[Instruction]) -> list[Instruction] | None:
        # Kinds that `type` does not admit have their list as well: an error report names all that is wrong.
        own = self.lists[group]
        if not (own or everywhere):
            return None
        if group < ARRAYS and not own:
            return everywhere
        instructions = (own or []) + everywhere
        if len(instructions) > 1:
            instructions.sort(key=_rank)
        if group >= ARRAYS:
            _cover(instructions, ARRAY_BIT if group == ARRAYS else OBJECT_BIT)
        return instructions


#: A function that lowers a keyword: it gets the program and the keyword's value.
Unit = Callable[[Program, Any], None]
_UNITS: dict[str, Unit] = {}
_UNITS_OF_DIALECT: dict[Dialect, dict[str, Unit]] = {}


def lowers(*keywords: str) -> Callable[[Unit], Unit]:
    """Register a function as the one that lowers these keywords. A family is lowered once a subschema."""

    def register(unit: Unit) -> Unit:
        for keyword in keywords:
            _UNITS[keyword] = unit
        return unit

    return register


def units_of(dialect: Dialect) -> dict[str, Unit]:
    """The keywords of a dialect that assert or apply something, with what lowers them."""
    units = _UNITS_OF_DIALECT.get(dialect)
    if units is None:
        units = {keyword: unit for keyword, unit in _UNITS.items() if keyword in dialect.keywords}
        if dialect.base is dialect:  # the standard ones; a custom dialect lives no longer than its schema
            _UNITS_OF_DIALECT[dialect] = units
    return units
