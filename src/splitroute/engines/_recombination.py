"""Improves a few neighbouring routes at a time by an integer program that selects from a pool.

C. Archetti, M. Speranza, M. Savelsbergh: An optimization-based heuristic for the split delivery
vehicle routing problem. Transportation Science 42 (2008).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from splitroute.allocation import allocate
from splitroute.distances import Floats
from splitroute.instance import Instance
from splitroute.milp import Program
from splitroute.solution import Route, Solution, Visit, route_costs

MAX_GROUP_VISITS = 26  # visits of the routes in one program
MAX_POOL_ROUTES = 20_000
MAX_PROGRAM_ROUTES = 400  # routes of the pool in one program
COST_TOLERANCE = 1e-7  # relative: a smaller saving is none


class RoutePool:
    """Routes found so far: the cheapest order of each set of customers, newest last."""

    def __init__(self, instance: Instance, max_routes: int = MAX_POOL_ROUTES) -> None:
        self._instance, self._max_routes = instance, max_routes
        self._routes: dict[frozenset[int], tuple[float, tuple[int, ...]]] = {}

    def add(self, solution: Solution) -> None:
        """Add the routes of a solution."""
        for route, cost in zip(solution.routes, route_costs(self._instance, solution), strict=True):
            order = tuple(visit.customer for visit in route.visits)
            key = frozenset(order)
            previous = self._routes.pop(key, (cost, order))
            self._routes[key] = min(previous, (cost, order))
        while len(self._routes) > self._max_routes:
            del self._routes[next(iter(self._routes))]

    def routes_within(self, customers: frozenset[int]) -> list[tuple[float, tuple[int, ...]]]:
        """Cost and order of routes that visit only these customers, newest first."""
        routes = [route for key, route in reversed(self._routes.items()) if key <= customers]
        return routes[:MAX_PROGRAM_ROUTES]


def groups(
    instance: Instance, solution: Solution, random: np.random.Generator
) -> Iterator[list[int]]:
    """Yield groups of neighbouring routes, around each route in random order."""
    centres = _route_centres(instance, solution)
    sizes = [len(route.visits) for route in solution.routes]
    for seed in random.permutation(len(solution.routes)).tolist():
        group: list[int] = []
        visits = 0
        distances = np.linalg.norm(centres - centres[seed], axis=1)
        for k in np.argsort(distances, kind="stable")[:MAX_GROUP_VISITS].tolist():
            if visits + sizes[k] > MAX_GROUP_VISITS and len(group) > 1:
                break
            group.append(k)
            visits += sizes[k]
        if len(group) > 1:
            yield group


def recombine(
    instance: Instance,
    solution: Solution,
    group: list[int],
    pool: RoutePool,
    seconds: float | None,
) -> Solution | None:
    """Replace the routes of a group by a cheaper selection from the pool, if there is one."""
    routes = [solution.routes[k] for k in group]
    demands = delivered(routes)
    current_cost = sum(route_costs(instance, Solution(tuple(routes))))
    candidates = pool.routes_within(frozenset(demands))
    program = Program(seconds)
    used = [
        program.add_integer(cost, -(-sum(demands[c] for c in order) // instance.capacity))
        for cost, order in candidates
    ]
    quantities = [{c: program.add_continuous(demands[c]) for c in order} for _, order in candidates]
    for times, load in zip(used, quantities, strict=True):
        program.require_at_most(load.values(), instance.capacity, times=times)
        for c, quantity in load.items():
            program.require_at_most([quantity], min(demands[c], instance.capacity), times=times)
    for c, demand in demands.items():
        visiting = [k for k, load in enumerate(quantities) if c in load]
        program.require_equal([quantities[k][c] for k in visiting], demand)
        program.require_at_least([used[k] for k in visiting], -(-demand // instance.capacity))
    program.require_at_least(used, -(-sum(demands.values()) // instance.capacity))
    if instance.vehicles is not None:
        program.require_at_most(used, instance.vehicles - len(solution.routes) + len(routes))
    values = program.solve(current_cost * (1 - COST_TOLERANCE))
    if values is None:
        return None
    orders = [
        order
        for (_, order), column in zip(candidates, used, strict=True)
        for _ in range(round(values[column]))
    ]
    return replace_routes(instance, solution, group, orders)


def delivered(routes: Iterable[Route]) -> dict[int, int]:
    """Quantity that the routes deliver to each of their customers."""
    amounts: dict[int, int] = {}
    for route in routes:
        for customer, quantity in route.visits:
            amounts[customer] = amounts.get(customer, 0) + quantity
    return amounts


def replace_routes(
    instance: Instance, solution: Solution, group: list[int], orders: Sequence[Sequence[int]]
) -> Solution | None:
    """Return the solution with other routes in place of a group, with whole quantities."""
    demands = delivered(solution.routes[k] for k in group)
    allocated = allocate(instance.capacity, demands, orders)
    if allocated is None:  # the program is feasible only within its tolerances
        return None
    others = [route for k, route in enumerate(solution.routes) if k not in set(group)]
    visits = (
        tuple(Visit(c, quantities[c]) for c in order if quantities[c])
        for order, quantities in zip(orders, allocated, strict=True)
    )
    return Solution((*others, *(Route(route) for route in visits if route)))


def _route_centres(instance: Instance, solution: Solution) -> Floats:
    """Centroid of each route; without coordinates, distances from the place of its middle visit."""
    places = [instance.sites[[v.customer for v in route.visits]] for route in solution.routes]
    if instance.places:
        return np.array([instance.xy[route].mean(axis=0) for route in places])
    return instance.table[[route[len(route) // 2] for route in places]]
