"""Rings of splits: routes and customers, each route sharing a customer with the next.

Along such a ring quantities can be exchanged until one visit is gone, so that where distances obey
the triangle inequality some best solution has none (Dror and Trudeau).
"""

from itertools import pairwise

Node = tuple[str, int]  # "route" or "customer", and its number
Ring = list[tuple[int, int]]  # visits in order, each a route and a customer


class Forest:
    """Visits, routes and customers joined by them, without a ring."""

    def __init__(self) -> None:
        self._near: dict[Node, dict[Node, None]] = {}
        self._group: dict[Node, Node] = {}  # another node of the same tree, or of what was one

    def add(self, route: int, customer: int) -> Ring | None:
        """One more visit; if it would close a ring it is not added, and the ring returned."""
        a, b = ("route", route), ("customer", customer)
        first, second = self._leader(a), self._leader(b)
        if first == second and (way := self._way(a, b)):
            return _visits([*way, a])
        self._group[first] = second
        self._near.setdefault(a, {})[b] = None
        self._near.setdefault(b, {})[a] = None
        return None

    def remove(self, route: int, customer: int) -> None:
        """A visit that is gone, whether it was added or not."""
        a, b = ("route", route), ("customer", customer)
        self._near.get(a, {}).pop(b, None)
        self._near.get(b, {}).pop(a, None)

    def _leader(self, node: Node) -> Node:
        while (above := self._group.setdefault(node, node)) != node:
            self._group[node] = self._group[above]
            node = above
        return node

    def _way(self, a: Node, b: Node) -> list[Node]:
        """The nodes from one to the other; none if they are not in the same tree."""
        came = {a: a}
        stack = [a]
        while stack and b not in came:
            node = stack.pop()
            for other in self._near.get(node, {}):
                if other not in came:
                    came[other] = node
                    stack.append(other)
        if b not in came:
            return []
        way = [b]
        while way[-1] != a:
            way.append(came[way[-1]])
        return way[::-1]


def _visits(nodes: list[Node]) -> Ring:
    pairs = pairwise(nodes)
    return [(a[1], b[1]) if a[0] == "route" else (b[1], a[1]) for a, b in pairs]
