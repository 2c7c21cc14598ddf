"""Quantities on fixed routes: how much each visit delivers, in whole units.

Fixed routes leave a transportation problem with integer data, so whole quantities exist wherever
fractional ones do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise


def allocate(
    capacity: int, demands: Mapping[int, int], routes: Sequence[Sequence[int]]
) -> list[dict[int, int]] | None:
    """Return what each route delivers to each of its customers, or None if demands cannot be met.

    By augmenting paths: a route without room for a customer passes a quantity of another customer
    on to a route that visits that one too.
    """
    loads = [0] * len(routes)
    quantities: list[dict[int, int]] = [dict.fromkeys(customers, 0) for customers in routes]
    routes_of: dict[int, list[int]] = {}
    for route, customers in enumerate(quantities):
        for customer in customers:
            routes_of.setdefault(customer, []).append(route)
    for customer, demand in demands.items():
        unserved = demand
        while unserved:
            path = _augmenting_path(customer, routes_of, quantities, loads, capacity)
            if path is None:
                return None
            amount = min(unserved, capacity - loads[path[-1][1]])
            for (_, route), (passed_on, _) in pairwise(path):
                amount = min(amount, quantities[route][passed_on])
            for step, (added, route) in enumerate(path):
                quantities[route][added] += amount
                if step + 1 < len(path):
                    quantities[route][path[step + 1][0]] -= amount
            loads[path[-1][1]] += amount
            unserved -= amount
    return quantities


def _augmenting_path(
    customer: int,
    routes_of: dict[int, list[int]],
    quantities: list[dict[int, int]],
    loads: list[int],
    capacity: int,
) -> list[tuple[int, int]] | None:
    """Return (customer added, route) pairs; the last route has room, the others pass on the next.

    Breadth first, so the path is a shortest one.
    """
    predecessors: dict[int, tuple[int, int | None]] = {}  # customer added, route before
    queue = []
    for route in routes_of.get(customer, []):
        predecessors[route] = (customer, None)
        queue.append(route)
    for route in queue:
        if loads[route] < capacity:
            path = []
            at: int | None = route
            while at is not None:
                added, before = predecessors[at]
                path.append((added, at))
                at = before
            return path[::-1]
        for passed_on, quantity in quantities[route].items():
            if quantity:
                for other in routes_of[passed_on]:
                    if other not in predecessors:
                        predecessors[other] = (passed_on, route)
                        queue.append(other)
    return None


# Quantities are rounded by transfers along paths and cycles of the graph whose edges are the
# fractional quantities: each transfer makes at least one of them whole.

Quantities = list[dict[int, int]]  # for each route: customer -> quantity in parts of a unit


def round_quantities(quantities: Quantities, parts: int) -> None:
    """Make every quantity a multiple of `parts`, in place.

    What each customer gets stays the same, and no load rises above the next multiple of `parts`.
    """
    graph = _fractional_edges(quantities, parts)
    while graph:
        _transfer(quantities, parts, _find_path(graph), graph)


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


def _find_path(graph: Graph) -> list[Node]:
    """Return a path between two routes of degree 1, or a cycle (first = last)."""
    # A customer's demand is whole, so it never has exactly one fractional quantity; a route with
    # exactly one has a fractional load, and with it the room to round either way.
    start = next((n for n, edges in graph.items() if n[0] == "r" and len(edges) == 1), None)
    path = [start or next(iter(graph))]
    index = {path[0]: 0}
    while True:
        previous = path[-2] if len(path) > 1 else None
        step = next((n for n in graph[path[-1]] if n != previous), None)
        if step is None:
            return path
        path.append(step)
        if step in index:
            return path[index[step] :]
        index[step] = len(path) - 1


def _transfer(quantities: Quantities, parts: int, path: list[Node], graph: Graph) -> None:
    """Decrease even edges of the path and increase odd ones until one is whole."""
    edges = list(pairwise(path))
    signs = [-1 if k % 2 == 0 else 1 for k in range(len(edges))]

    def locate(a: Node, b: Node) -> tuple[dict[int, int], int]:
        (_, route), (_, customer) = (a, b) if a[0] == "r" else (b, a)
        return quantities[route], customer

    remainders = [visits[customer] % parts for visits, customer in (locate(a, b) for a, b in edges)]
    amount = min(
        remainder if sign < 0 else parts - remainder
        for remainder, sign in zip(remainders, signs, strict=True)
    )
    for (a, b), sign in zip(edges, signs, strict=True):
        visits, customer = locate(a, b)
        visits[customer] += sign * amount
        if visits[customer] % parts == 0:
            for node, other in ((a, b), (b, a)):
                del graph[node][other]
                if not graph[node]:
                    del graph[node]
