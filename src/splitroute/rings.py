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
        """The nodes from one to the other; none if they are not in the same tree.

        From both ends at once: in a large tree most ways are short.
        """
        came = [{a: a}, {b: b}]
        outermost = [[a], [b]]
        while all(outermost):
            side = 0 if len(outermost[0]) <= len(outermost[1]) else 1
            inner, outermost[side] = outermost[side], []
            for node in inner:
                for other in self._near.get(node, {}):
                    if other in came[side]:
                        continue
                    came[side][other] = node
                    if other in came[1 - side]:
                        return [*reversed(_back(came[0], other)), *_back(came[1], other)[1:]]
                    outermost[side].append(other)
        return []


def _back(came: dict[Node, Node], node: Node) -> list[Node]:
    way = [node]
    while came[way[-1]] != way[-1]:
        way.append(came[way[-1]])
    return way


def _visits(nodes: list[Node]) -> Ring:
    pairs = pairwise(nodes)
    return [(a[1], b[1]) if a[0] == "route" else (b[1], a[1]) for a, b in pairs]
