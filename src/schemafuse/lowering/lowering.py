"""From the document to the plan: which subschemas become nodes, in which dynamic scope, and what ties them together.

1. walk from the root along the references; a subschema that only refers to another becomes that other's node
2. lower each one's keywords to a program
3. refuse cycles that lead back to the same value, find the joins
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from .._core.plan import Plan
from ..deadline import Deadline
from ..errors import SchemaError
from ..limits import Limits
from ..patterns import BadPattern, Pattern, compile_pattern
from ..render import quote_text
from ..subschemas import Document, DynamicTarget, Resource, Subschema
from . import graph
from .program import JOIN, NO_LISTS, Program, units_of

#: For each dynamic anchor that more than one resource declares: the outermost resource in scope that does.
Scope = tuple[Resource | None, ...]

TRUE_NODE, FALSE_NODE = 0, 1
#: Properties, branches and values that are lowered between two looks at the clock, and what a node counts for besides.
_WORK_BETWEEN_LOOKS, _WORK_OF_NODE = 2_048, 16


def lower(document: Document, *, assert_formats: bool, limits: Limits, deadline: Deadline) -> Plan:
    """Build the plan. `SchemaError` with "bad_pattern", "infinite_recursion", "too_expensive" or "compile_timeout"."""
    return Lowering(document, assert_formats, limits, deadline).run()


class Lowering:
    """One lowering under way."""

    def __init__(self, document: Document, assert_formats: bool, limits: Limits, deadline: Deadline) -> None:
        self.document = document
        self.assert_formats = assert_formats
        self.limits = limits
        self.deadline = deadline
        self.plan = Plan()
        self.nodes: dict[Any, int] = {}
        #: Programs yet to be filled.
        self.pending: list[Program] = []
        #: node -> nodes that it applies to the same value, and to members or items.
        self.in_place_edges: dict[int, list[int]] = {}
        self.child_edges: dict[int, list[int]] = {}
        #: Nodes whose keywords can apply two subschemas to one member or item.
        self.overlapping: set[int] = set()
        self.dynamic_anchors = _dynamic_anchors(document)
        #: Subschemas that have a node already, where the scope makes more than one possible.
        self.scoped: set[int] = set()
        #: Done since the last look at the clock.
        self.work = 0

    def run(self) -> Plan:
        plan = self.plan
        plan.add_node(None)
        plan.add_node(None)
        plan.define(FALSE_NODE, 0, 0, NO_LISTS)
        root = self.document.root
        scope = self.entered((None,) * len(self.dynamic_anchors), root.resource)
        root_node = self.node(root, scope)
        plan.set_root(root_node, root)
        done = 0
        while self.pending:
            self.fill(self.pending.pop())
            done += 1
            self.work += _WORK_OF_NODE
            if self.work > _WORK_BETWEEN_LOOKS:
                self.work = 0
                self.deadline.check()
        cycle = graph.in_place_cycle(self.in_place_edges)
        if cycle is not None:
            raise _endless(plan.origins[cycle])
        if self.in_place_edges or self.overlapping:
            for node in graph.joins(root_node, self.in_place_edges, self.child_edges, self.overlapping):
                plan.add_flag(node, JOIN)
        self.check_unreached_patterns(done)
        return plan

    def fill(self, program: Program) -> None:
        """Lower the keywords of one subschema."""
        subschema, schema = program.subschema, program.schema
        dialect = subschema.resource.dialect
        units = units_of(dialect)
        if dialect.ref_overrides and "$ref" in subschema.targets:
            units["$ref"](program, schema["$ref"])
        else:
            lowered = []
            for keyword in schema:
                unit = units.get(keyword)
                if unit is not None and unit not in lowered:
                    unit(program, schema[keyword])
                    lowered.append(unit)
        if program.overlapping:
            self.overlapping.add(program.index)
        self.plan.define(program.index, program.types, program.flags, program.finish())

    def node(self, subschema: Subschema, scope: Scope) -> int:
        """The node of a subschema in a scope; made, and its program put on the list, when it is new."""
        for _ in range(len(self.document.subschemas) + 1):
            schema = subschema.value
            if isinstance(schema, bool):
                return TRUE_NODE if schema else FALSE_NODE
            key: Any = (id(subschema), scope) if scope else id(subschema)
            known = self.nodes.get(key)
            if known is not None:
                return known
            following = next_in_chain(subschema)
            if following is None:
                return self.new_node(subschema, schema, scope, key)
            target = self.target(following, scope)
            scope = self.entered(scope, target.resource)
            subschema = target
        raise _endless(subschema)

    def new_node(self, subschema: Subschema, schema: dict[str, Any], scope: Scope, key: Any) -> int:
        if units_of(subschema.resource.dialect).keys().isdisjoint(schema):
            self.nodes[key] = TRUE_NODE
            return TRUE_NODE
        index: int = self.plan.add_node(subschema)
        if scope and id(subschema) in self.scoped:
            self.plan.mark_scoped()
        elif scope:
            self.scoped.add(id(subschema))
        if scope and index > self.limits.max_subschemas:
            raise self.too_many_scopes()
        self.nodes[key] = index
        self.pending.append(Program(self, index, subschema, schema, scope))
        return index

    def edge(self, program: Program, child: Subschema, edges: dict[int, list[int]]) -> int:
        """The node of a child or target as its parent sees it; notes the edge."""
        scope = program.scope
        if scope and child.resource is not program.subschema.resource:
            scope = self.entered(scope, child.resource)
        index = self.node(child, scope)
        if index > FALSE_NODE:
            edges.setdefault(program.index, []).append(index)
        return index

    def entered(self, scope: Scope, resource: Resource) -> Scope:
        """The dynamic scope inside a resource (Core 7.1): the outermost declaration of an anchor stays."""
        if not scope:
            return scope
        return tuple(
            [
                resource if outermost is None and _declares(resource, anchor) else outermost
                for anchor, outermost in zip(self.dynamic_anchors, scope)
            ]
        )

    def target(self, target: Subschema | DynamicTarget, scope: Scope) -> Subschema:
        """Where a reference leads in a dynamic scope (Core 8.2.3.2; 2019-09 Core 8.2.4.2)."""
        if isinstance(target, Subschema):
            return target
        if target.anchor in self.dynamic_anchors:
            outermost = scope[self.dynamic_anchors.index(target.anchor)]
            if outermost is not None:
                return outermost.dynamic_anchors[target.anchor] if target.anchor else outermost.root
        return target.initial

    def pattern(self, source: str, subschema: Subschema, keyword: str) -> Pattern:
        """Compile a regular expression of the schema."""
        try:
            return compile_pattern(source, seconds=self.deadline.seconds_left())
        except BadPattern as error:
            self.deadline.check()
            place = f"{subschema.pointer}/{keyword}"
            text = f"{quote_text(source)} is no regular expression of ECMA-262: {error}; correct it, or leave it out"
            raise SchemaError("bad_pattern", place, f"at {quote_text(place, 120)}: {text}") from None
        except TimeoutError:
            self.deadline.check(f"{subschema.pointer}/{keyword}")
            raise

    def too_many_scopes(self) -> SchemaError:
        """Say by what factor dynamic scopes multiply the subschemas, and which most."""
        counts = Counter(origin for origin in self.plan.origins if origin is not None)
        worst = [subschema.pointer for subschema, _ in counts.most_common(3)]
        places = ", ".join([quote_text(f"#{pointer}", 60) for pointer in worst])
        most = self.limits.max_subschemas
        return SchemaError(
            "too_expensive",
            worst[0],
            f"$dynamicRef multiplies {len(counts)} subschemas by scope, {most / len(counts):.1f} times or more, "
            f"beyond the {most} of max_subschemas; most at {places}: give each $dynamicAnchor a name of its own, "
            "or use $ref",
        )

    def check_unreached_patterns(self, reached: int) -> None:
        """A pattern that no engine takes is refused in unused definitions too."""
        if reached >= len(self.document.subschemas):
            return
        for subschema in self.document.subschemas:
            schema = subschema.value
            if isinstance(schema, bool) or id(subschema) in self.nodes:
                continue
            keywords = subschema.resource.dialect.keywords
            if "pattern" in schema and "pattern" in keywords:
                self.pattern(schema["pattern"], subschema, "pattern")
            held: Any = subschema.children.get("patternProperties", ())
            for source in held:
                self.pattern(source, subschema, "patternProperties")


def next_in_chain(subschema: Subschema) -> Subschema | DynamicTarget | None:
    """Where a subschema leads that does nothing but refer to another; None for any other."""
    targets = subschema.targets
    if len(targets) != 1 or isinstance(subschema.value, bool):
        return None
    dialect = subschema.resource.dialect
    if not dialect.ref_overrides:
        for keyword in units_of(dialect).keys() & subschema.value.keys():
            if keyword not in targets:
                return None
    return next(iter(targets.values()))


def unchained(subschema: Subschema, origin: Subschema | None) -> tuple[tuple[str, ...], Subschema]:
    """Follow the references that `Lowering.node` followed, down to the node's origin (None: a boolean or empty schema).

    Returns the reference keywords on the way, and the subschema reached.
    """
    hops: list[str] = []
    while subschema is not origin:
        following = next_in_chain(subschema)
        if following is None:
            break
        hops.extend(subschema.targets)
        # Where a dynamic reference led was decided by the scope; the origin is the answer.
        subschema = (origin or following.initial) if isinstance(following, DynamicTarget) else following
    return tuple(hops), subschema


def _declares(resource: Resource, anchor: str) -> bool:
    return anchor in resource.dynamic_anchors if anchor else resource.recursive_anchor


def _dynamic_anchors(document: Document) -> tuple[str, ...]:
    """The anchors whose meaning depends on the dynamic scope: referred to dynamically, and declared more than once."""
    declared: dict[str, int] = {}
    for resource in document.resources:
        for anchor in resource.dynamic_anchors:
            declared[anchor] = declared.get(anchor, 0) + 1
        if resource.recursive_anchor:
            declared[""] = declared.get("", 0) + 1
    repeated = {anchor for anchor, count in declared.items() if count > 1}
    if not repeated:
        return ()
    consulted = {
        target.anchor
        for subschema in document.subschemas
        for target in subschema.targets.values()
        if isinstance(target, DynamicTarget)
    }
    return tuple(sorted(repeated & consulted))


def _endless(subschema: Subschema) -> SchemaError:
    place = subschema.pointer
    return SchemaError(
        "infinite_recursion",
        place,
        f"the references at {quote_text(place, 120) if place else 'the root'} lead back to the same subschema for the "
        "same value, without end; let the reference stand below properties or items, or remove it",
    )
