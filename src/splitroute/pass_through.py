"""Pass-through: driving through a customer without delivering, where that is shorter.

Distances that are rounded or come from a matrix may violate the triangle inequality. Replacing them
by shortest paths restores it: rules and engines use the shortest paths, and the customers on them
are inserted afterwards as visits that deliver nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from splitroute import distances
from splitroute.errors import InputError, LimitError
from splitroute.instance import Instance
from splitroute.solution import Route, Solution, Visit

MAX_PLACES = 1500  # shortest paths take cubic time


def with_shortest_paths(instance: Instance) -> tuple[Instance, Callable[[Solution], Solution]]:
    """Return the instance with shortest paths for distances, and a function to restore solutions.

    It inserts the customers passed through. An instance without pass-through is left unchanged.
    """
    if not instance.pass_through:
        return instance, lambda solution: solution
    if instance.rules:  # which times or limits a detour would count for is not defined
        raise InputError(
            f"pass_through cannot be combined with {', '.join(sorted(instance.rules))}",
            field="pass_through",
            value=True,
        )
    count = len(instance.places) or len(instance.table)
    if count > MAX_PLACES:
        raise LimitError(
            f"pass_through is limited to {MAX_PLACES} places; there are {count}",
            field="pass_through",
            value=count,
        )
    # A path through the depot takes two vehicles, so a limited fleet cannot use one.
    table, via = distances.shortest_paths(
        _passable_distances(instance), via_depot=instance.vehicles is None
    )
    closure = replace(instance, metric="matrix", matrix=table, pass_through=False)
    customer_at = {place: k for k, place in reversed(list(enumerate(instance.sites.tolist())))}

    def restore(solution: Solution) -> Solution:
        routes: list[Route] = []
        for route in solution.routes:
            visited = [(int(instance.sites[v.customer]), v) for v in route.visits]
            visits: list[Visit] = []
            for (a, _), (b, visit) in pairwise([(0, None), *visited, (0, None)]):
                for place in _path(via, a, b):
                    if place:
                        visits.append(Visit(customer_at[place], 0))
                    else:  # back at the depot: another vehicle continues
                        routes.append(Route(tuple(visits)))
                        visits = []
                if visit is not None:
                    visits.append(visit)
            routes.append(Route(tuple(visits)))
        return Solution(tuple(r for r in routes if any(v.quantity for v in r.visits)))

    return closure, restore


def _passable_distances(instance: Instance) -> distances.Floats:
    """The distances, with places without a customer too far away for any path."""
    table = instance.table.copy()
    unused = np.setdiff1d(np.arange(len(table)), instance.sites)
    table[unused] = table[:, unused] = table.max()
    np.fill_diagonal(table, 0.0)
    return table


def _path(via: distances.Places, a: int, b: int) -> list[int]:
    """The intermediate places of a shortest path, in order."""
    path, legs = [], [(a, b)]
    while legs:
        a, b = legs.pop()
        k = int(via[a, b])
        if k < 0:
            path.append(b)
        else:
            legs += [(k, b), (a, k)]
    return path[:-1]
