"""Rings of splits: routes and customers, each route sharing a customer with the next.

Along such a ring quantities can be exchanged until one visit is gone, so that where distances obey
the triangle inequality some best solution has none (Dror and Trudeau).
"""

from collections.abc import Sequence
from typing import Literal

Node = tuple[Literal["route", "customer"], int]
Tree = dict[Node, Node | None]  # whence each node was reached first


def find_ring(routes: Sequence[Sequence[int]]) -> list[tuple[int, int]] | None:
    """The visits along a ring, as numbers of a route and a customer, in order; None without one.

    Of each route, given are the customers it stops at.
    """
    visiting: dict[int, list[int]] = {}
    for number, stops in enumerate(routes):
        for customer in stops:
            visiting.setdefault(customer, []).append(number)
    shared = {customer: numbers for customer, numbers in visiting.items() if len(numbers) > 1}
    came: Tree = {}
    for start in shared:
        if ("customer", start) in came:
            continue
        came["customer", start] = None
        stack: list[Node] = [("customer", start)]
        while stack:
            node = stack.pop()
            near: list[Node]
            if node[0] == "customer":
                near = [("route", route) for route in shared[node[1]]]
            else:
                near = [("customer", c) for c in routes[node[1]] if c in shared]
            for other in near:
                if other == came[node]:
                    continue
                if other in came:
                    return _visits(_closed(came, node, other))
                came[other] = node
                stack.append(other)
    return None


def _closed(came: Tree, a: Node, b: Node) -> list[Node]:
    """The ring that the edge between two nodes of a tree closes."""
    up, down = _way_up(came, a), _way_up(came, b)
    meeting = next(node for node in down if node in up)
    return [*up[: up.index(meeting) + 1], *reversed(down[: down.index(meeting)])]


def _way_up(came: Tree, node: Node) -> list[Node]:
    way = [node]
    while (before := came[way[-1]]) is not None:
        way.append(before)
    return way


def _visits(ring: list[Node]) -> list[tuple[int, int]]:
    pairs = zip(ring, [*ring[1:], ring[0]], strict=True)
    return [(a[1], b[1]) if a[0] == "route" else (b[1], a[1]) for a, b in pairs]
