"""Driving through a customer without delivering, where that is shorter.

Distances that are rounded, or given as a matrix, need not obey the triangle inequality. Closing
them under shortest paths restores it; the customers passed on the way are put back as visits of
nothing.
"""

import numpy as np
from numpy.typing import NDArray

from splitroute.distances import Floats
from splitroute.errors import LimitError
from splitroute.instance import Instance
from splitroute.solution import Route, Solution, Visit

MOST_PLACES = 1500  # the closure takes time in the cube of these


def closed(table: Floats) -> tuple[Floats, NDArray[np.int32]]:
    """Shortest ways between all places, and for each a place to pass, or -1 if it is direct.

    R. Floyd: Algorithm 97, shortest path. Communications of the ACM 5 (1962).
    """
    if len(table) > MOST_PLACES:
        raise LimitError(f"passing through is for at most {MOST_PLACES} places, not {len(table)}")
    short = table.copy()
    via = np.full(table.shape, -1, dtype=np.int32)
    for k in range(len(table)):
        way = short[:, k, None] + short[None, k, :]
        better = way < short
        short[better] = way[better]
        via[better] = k
    return short, via


def passed(instance: Instance, via: NDArray[np.int32], solution: Solution) -> Solution:
    """The solution with a visit of nothing wherever a vehicle passes through a customer."""
    first_at = {place: k for k, place in reversed(list(enumerate(instance.sites.tolist())))}

    def between(a: int, b: int) -> list[int]:
        k = int(via[a, b])
        return [] if k < 0 else [*between(a, k), k, *between(k, b)]

    routes = []
    for route in solution.routes:
        visits: list[Visit] = []
        at = 0
        for visit in (*route.visits, None):
            place = 0 if visit is None else int(instance.sites[visit.customer])
            # The depot on the way is no visit: the vehicle is simply there.
            visits += [Visit(first_at[p], 0) for p in between(at, place) if p != 0]
            if visit is not None:
                visits.append(visit)
            at = place
        routes.append(Route(tuple(visits)))
    return Solution(tuple(routes))
