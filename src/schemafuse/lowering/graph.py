"""Questions about the graph of nodes: does it lead back to the same value, and where must verdicts be remembered?

Node indices in, node indices out. Nothing here recurses.
"""

from __future__ import annotations

from collections.abc import Mapping

Edges = Mapping[int, list[int]]


def in_place_cycle(edges: Edges) -> int | None:
    """A node from which in-place edges lead back to it, or None. Core 9.4.1 leaves such schemas undefined."""
    done: set[int] = set()
    for start in edges:
        if start in done:
            continue
        on_path = {start}
        stack = [(start, iter(edges[start]))]
        while stack:
            node, following = stack[-1]
            for child in following:
                if child in on_path:
                    return child
                if child not in done and child in edges:
                    on_path.add(child)
                    stack.append((child, iter(edges[child])))
                    break
                done.add(child)
            else:
                stack.pop()
                on_path.discard(node)
                done.add(node)
    return None


def joins(root: int, in_place: Edges, children: Edges, overlapping: set[int]) -> list[int]:
    """The nodes to which more than one way leads with the same value; remembering verdicts there bounds every check.

    Two ways to one node and value part at some node that applies two subschemas to one value: by two in-place edges, by
    one and an edge to a member, or by two keywords that look at the same member. They meet at a node with two incoming
    edges. Nodes without edges of their own cost less than remembering does.
    """
    splitters = []
    for node, applied in in_place.items():
        ways = _count_inner(applied, in_place, children)
        if ways > 1 or (ways and _count_inner(children.get(node, ()), in_place, children)):
            splitters.append(node)
    splitters += [node for node in overlapping if _count_inner(children.get(node, ()), in_place, children) > 1]
    if not splitters:
        return []
    incoming = {root: 1}
    for edges in (in_place, children):
        for targets in edges.values():
            for target in targets:
                incoming[target] = incoming.get(target, 0) + 1
    below = _reachable(splitters, in_place, children)
    return [node for node in below if incoming[node] > 1 and (node in in_place or node in children)]


def _count_inner(nodes: list[int] | tuple[int, ...], in_place: Edges, children: Edges) -> int:
    return sum([node in in_place or node in children for node in nodes])


def _reachable(starts: list[int], in_place: Edges, children: Edges) -> set[int]:
    seen: set[int] = set()
    stack = list(starts)
    while stack:
        node = stack.pop()
        for child in (*in_place.get(node, ()), *children.get(node, ())):
            if child not in seen:
                seen.add(child)
                stack.append(child)
    return seen
