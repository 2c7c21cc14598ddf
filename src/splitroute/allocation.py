"""Quantities on fixed routes: which visit delivers how much, and in whole units.

Which routes visit which customers fixes a transportation problem with whole-number data, so whole
quantities exist wherever fractional ones do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise


def quantities(
    capacity: int, demands: Mapping[int, int], routes: Sequence[Sequence[int]]
) -> list[dict[int, int]] | None:
    """What each route delivers at each of its stops, if the demands can be met.

    Augmenting paths: what does not fit on a route goes onto another that also passes, or makes room
    there by moving something else on, and so forth.
    """
    loads = [0] * len(routes)
    carried: list[dict[int, int]] = [dict.fromkeys(stops, 0) for stops in routes]
    passing: dict[int, list[int]] = {}
    for k, nodes in enumerate(carried):
        for node in nodes:
            passing.setdefault(node, []).append(k)
    for node, demand in demands.items():
        missing = demand
        while missing:
            path = _way_to_room(node, passing, carried, loads, capacity)
            if path is None:
                return None
            amount = min(missing, capacity - loads[path[-1][1]])
            for (_, route), (moved, _) in pairwise(path):
                amount = min(amount, carried[route][moved])
            for step, (at, route) in enumerate(path):
                carried[route][at] += amount
                if step + 1 < len(path):
                    carried[route][path[step + 1][0]] -= amount
            loads[path[-1][1]] += amount
            missing -= amount
    return carried


def _way_to_room(
    node: int,
    passing: dict[int, list[int]],
    carried: list[dict[int, int]],
    loads: list[int],
    capacity: int,
) -> list[tuple[int, int]] | None:
    """(node, route) pairs: put it there, move the next node's goods on, until one has room."""
    came: dict[int, tuple[int, int | None]] = {}
    queue = []
    for route in passing.get(node, []):
        came[route] = (node, None)
        queue.append(route)
    for route in queue:
        if loads[route] < capacity:
            path = []
            at: int | None = route
            while at is not None:
                moved, before = came[at]
                path.append((moved, at))
                at = before
            return path[::-1]
        for moved, amount in carried[route].items():
            if amount:
                for other in passing[moved]:
                    if other not in came:
                        came[other] = (moved, route)
                        queue.append(other)
    return None


# Whole quantities are found by transfers along paths and cycles of the graph whose edges are the
# fractional quantities: each transfer makes at least one of them whole.

Quantities = list[dict[int, int]]  # for each route: customer -> quantity in parts of a unit


def to_whole(quantities: Quantities, parts: int) -> None:
    """Makes every quantity a multiple of `parts`, in place.

    What each customer gets stays as it is, and no load rises above the next multiple of `parts`.
    """
    graph = _fractional_edges(quantities, parts)
    while graph:
        _shift(quantities, parts, _walk(graph), graph)


# Nodes are routes ("r", i) and customers ("c", i); every edge joins one of each.
Node = tuple[str, int]
Graph = dict[Node, dict[Node, None]]  # dicts for their order: the result must not depend on hashes


def _fractional_edges(quantities: Quantities, parts: int) -> Graph:
    graph: Graph = {}
    for route, visits in enumerate(quantities):
        for customer, quantity in visits.items():
            if quantity % parts:
                graph.setdefault(("r", route), {})[("c", customer)] = None
                graph.setdefault(("c", customer), {})[("r", route)] = None
    return graph


def _walk(graph: Graph) -> list[Node]:
    """A path between two routes with one fractional quantity each, or a cycle (first = last)."""
    # A customer's demand is whole, so it never has exactly one fractional quantity; a route with
    # exactly one has a fractional load, and with it the room to round either way.
    start = next((n for n, edges in graph.items() if n[0] == "r" and len(edges) == 1), None)
    path = [start or next(iter(graph))]
    seen = {path[0]: 0}
    while True:
        came_from = path[-2] if len(path) > 1 else None
        step = next((n for n in graph[path[-1]] if n != came_from), None)
        if step is None:
            return path
        path.append(step)
        if step in seen:
            return path[seen[step] :]
        seen[step] = len(path) - 1


def _shift(quantities: Quantities, parts: int, path: list[Node], graph: Graph) -> None:
    """Moves along the path, down on even edges and up on odd ones, until one is whole."""
    edges = list(pairwise(path))
    signs = [-1 if k % 2 == 0 else 1 for k in range(len(edges))]

    def locate(a: Node, b: Node) -> tuple[dict[int, int], int]:
        (_, route), (_, customer) = (a, b) if a[0] == "r" else (b, a)
        return quantities[route], customer

    rests = [visits[customer] % parts for visits, customer in (locate(a, b) for a, b in edges)]
    amount = min(
        rest if sign < 0 else parts - rest for rest, sign in zip(rests, signs, strict=True)
    )
    for (a, b), sign in zip(edges, signs, strict=True):
        visits, customer = locate(a, b)
        visits[customer] += sign * amount
        if visits[customer] % parts == 0:
            for node, other in ((a, b), (b, a)):
                del graph[node][other]
                if not graph[node]:
                    del graph[node]
