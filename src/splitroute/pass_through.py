"""Driving through a customer without delivering, where that is shorter.

Distances that are rounded, or given as a matrix, need not obey the triangle inequality. Closing
them under shortest paths restores it: engines and rules work with these shortest ways, and the
customers passed on them are put back as visits of nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from splitroute import distances
from splitroute.errors import LimitError
from splitroute.instance import Instance
from splitroute.solution import Route, Solution, Visit

MAX_PLACES = 1500  # the closure takes time in the cube of these


def with_shortest_paths(instance: Instance) -> tuple[Instance, Callable[[Solution], Solution]]:
    """The instance with shortest ways for distances, and how its solutions become the instance's.

    An instance that allows no passing through is left as it is.
    """
    if not instance.pass_through:
        return instance, lambda solution: solution
    count = len(instance.places) or len(instance.table)
    if count > MAX_PLACES:  # said before a table of so many is made
        raise LimitError(
            f"passing through is for at most {MAX_PLACES} places, not {count}",
            field="pass_through",
            value=count,
        )
    # Where they are counted, a vehicle that comes by the depot would have to be two.
    table, via = distances.shortest_ways(_roads(instance), by_depot=instance.vehicles is None)
    closed = replace(instance, metric="matrix", matrix=table, pass_through=False)
    customer_at = {place: k for k, place in reversed(list(enumerate(instance.sites.tolist())))}

    def restore(solution: Solution) -> Solution:
        routes: list[Route] = []
        for route in solution.routes:
            stops = [(int(instance.sites[v.customer]), v) for v in route.visits]
            visits: list[Visit] = []
            for (a, _), (b, visit) in pairwise([(0, None), *stops, (0, None)]):
                for place in _between(via, a, b):
                    if place:
                        visits.append(Visit(customer_at[place], 0))
                    else:  # on its way a vehicle is back at the depot: another goes on
                        routes.append(Route(tuple(visits)))
                        visits = []
                if visit is not None:
                    visits.append(visit)
            routes.append(Route(tuple(visits)))
        return Solution(tuple(r for r in routes if any(v.quantity for v in r.visits)))

    return closed, restore


def _roads(instance: Instance) -> distances.Floats:
    """The distances, with places that are no customer's too far away to pass."""
    roads = instance.table.copy()
    unused = np.setdiff1d(np.arange(len(roads)), instance.sites)
    roads[unused] = roads[:, unused] = roads.max()
    np.fill_diagonal(roads, 0.0)
    return roads


def _between(via: distances.Places, a: int, b: int) -> list[int]:
    """The places passed on the shortest way, in order."""
    out, legs = [], [(a, b)]
    while legs:
        a, b = legs.pop()
        k = int(via[a, b])
        if k < 0:
            out.append(b)
        else:
            legs += [(k, b), (a, k)]
    return out[:-1]
