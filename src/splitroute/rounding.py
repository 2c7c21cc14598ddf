"""Whole quantities from fractional ones, on the same routes.

Which routes visit which customers fixes a transportation problem with whole-number data, so whole
quantities exist wherever fractional ones do. They are found by shifting along paths and cycles of
the graph whose edges are the fractional quantities: each shift makes at least one of them whole.
"""

from itertools import pairwise

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
