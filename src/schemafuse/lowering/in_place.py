"""Keywords that apply subschemas to the same value: references, `allOf` and its kin (Core 8.2.3 and 10.2)."""

from __future__ import annotations

from typing import Any

from .branches import kinds_of, sure_kinds
from .program import OPS, Program, lowers
from .tags import NO_TAG, choose_tag

APPLY = OPS["APPLY"]
NO_NODE = -1
#: What a branch counts for: the search for a tag looks at several members of each.
_WORK_OF_BRANCH = 8


@lowers("$ref")
def lower_ref(program: Program, _: Any) -> None:
    _apply_target(program, "$ref")


@lowers("$dynamicRef")
def lower_dynamic_ref(program: Program, _: Any) -> None:
    _apply_target(program, "$dynamicRef")


@lowers("$recursiveRef")
def lower_recursive_ref(program: Program, _: Any) -> None:
    _apply_target(program, "$recursiveRef")


def _apply_target(program: Program, keyword: str) -> None:
    target = program.lowering.target(program.subschema.targets[keyword], program.scope)
    program.emit_everywhere(APPLY, program.in_place(target), keyword)


@lowers("allOf")
def lower_all_of(program: Program, _: Any) -> None:
    branches: Any = program.subschema.children["allOf"]
    program.lowering.work += len(branches)
    for branch in branches:
        program.emit_everywhere(APPLY, program.in_place(branch), "allOf")


@lowers("anyOf")
def lower_any_of(program: Program, _: Any) -> None:
    _lower_branches(program, "anyOf", OPS["ANY_OF"])


@lowers("oneOf")
def lower_one_of(program: Program, _: Any) -> None:
    _lower_branches(program, "oneOf", OPS["ONE_OF"])


def _lower_branches(program: Program, keyword: str, op: int) -> None:
    branches: Any = program.subschema.children[keyword]
    nodes = [program.in_place(branch) for branch in branches]
    kinds = [kinds_of(branch) for branch in branches]
    program.lowering.work += _WORK_OF_BRANCH * len(branches)
    tag, by_tag = choose_tag(branches, kinds)
    if tag is not None:
        program.subschema.tags = {**program.subschema.tags, keyword: (tag, by_tag)}
        if any([type(value) is not str for value, _ in by_tag]):
            tag, by_tag = NO_TAG  # the evaluator looks strings up and no others
    sure = 0
    for branch in branches:
        sure |= sure_kinds(branch)
    program.emit_everywhere(op, (nodes, kinds, sure, tag, [(value, nodes[i]) for value, i in by_tag]), keyword)


@lowers("not")
def lower_not(program: Program, _: Any) -> None:
    child: Any = program.subschema.children["not"]
    program.emit_everywhere(OPS["NOT"], program.in_place(child), "not")


@lowers("if")
def lower_condition(program: Program, _: Any) -> None:
    children: dict[str, Any] = program.subschema.children
    then, otherwise = children.get("then"), children.get("else")
    if then is None and otherwise is None and "unevaluatedItems" not in program.subschema.resource.dialect.keywords:
        return  # nothing depends on the answer
    operand = (
        program.in_place(children["if"]),
        NO_NODE if then is None else program.in_place(then),
        NO_NODE if otherwise is None else program.in_place(otherwise),
    )
    program.emit_everywhere(OPS["CONDITION"], operand, "if")
