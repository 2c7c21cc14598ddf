"""Improves a few neighbouring routes at a time by an integer program that moves quantities.

C. Archetti, M. Speranza, M. Savelsbergh: An optimization-based heuristic for the split delivery
vehicle routing problem. Transportation Science 42 (2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from splitroute.engines._recombination import COST_TOLERANCE, delivered, replace_routes
from splitroute.instance import Instance
from splitroute.milp import Program
from splitroute.solution import Route, Solution, route_costs

MAX_INSERTIONS = 2  # other routes that each customer may be inserted into


@dataclass
class _VisitVariable:
    """A visit that a route makes, or could make, in an integer program."""

    customer: int
    cost: float  # detour of this visit alone
    used: int  # column
    quantity: int  # column


def redistribute(
    instance: Instance, solution: Solution, group: list[int], seconds: float | None
) -> Solution | None:
    """Remove visits from the routes of a group, insert others, and reallocate the quantities.

    Of two adjacent visits at most one is removed, and one is inserted only between visits that
    stay: so savings and detours add up.
    """
    routes = [solution.routes[k] for k in group]
    demands = delivered(routes)
    program = Program(seconds)
    current = [_current_visits(instance, route, program, demands) for route in routes]
    inserted = [
        _insertions(instance, r, routes, own, program, demands) for r, own in enumerate(current)
    ]
    for own, others in zip(current, inserted, strict=True):
        program.require_at_most(
            [v.quantity for v in [*own, *(v for _, v in others)]], instance.capacity
        )
        for a, b in pairwise(own):
            program.require_at_least([a.used, b.used], 1)
        for position in {k for k, _ in others}:
            program.require_at_most([v.used for k, v in others if k == position], 1)
        for k, visit in others:
            for adjacent in own[max(0, k - 1) : k + 1]:
                program.require_at_least([adjacent.used], 0, minus=visit.used)
    variables = [
        v
        for own, others in zip(current, inserted, strict=True)
        for v in [*own, *(v for _, v in others)]
    ]
    for c, demand in demands.items():
        visits = [v for v in variables if v.customer == c]
        program.require_equal([v.quantity for v in visits], demand)
        for v in visits:
            program.require_at_most([v.quantity], min(demand, instance.capacity), times=v.used)
    current_cost = sum(v.cost for own in current for v in own)
    tolerance = COST_TOLERANCE * sum(route_costs(instance, Solution(tuple(routes))))
    values = program.solve(current_cost - tolerance)
    if values is None:
        return None
    orders = []
    for own, others in zip(current, inserted, strict=True):
        order: list[int] = []
        for k in range(len(own) + 1):
            visits = [v for position, v in others if position == k] + own[k : k + 1]
            order += [v.customer for v in visits if values[v.used] > 0.5]
        orders.append(order)
    return replace_routes(instance, solution, group, orders)


def _current_visits(
    instance: Instance, route: Route, program: Program, demands: dict[int, int]
) -> list[_VisitVariable]:
    tour = [0, *(v.customer for v in route.visits), 0]
    return [
        _add_visit(program, c, _detour(instance, *tour[k : k + 3]), demands, instance.capacity)
        for k, c in enumerate(tour[1:-1])
    ]


def _insertions(
    instance: Instance,
    r: int,
    routes: list[Route],
    current: list[_VisitVariable],
    program: Program,
    demands: dict[int, int],
) -> list[tuple[int, _VisitVariable]]:
    """Positions and visits of the customers for which this is one of the cheapest other routes."""
    insertions = []
    tour = [0, *(v.customer for v in current), 0]
    for c in demands:
        if c in tour:
            continue
        cheapest = [_cheapest_insertion(instance, route, c) for route in routes]
        if sorted(cheapest).index(cheapest[r]) < MAX_INSERTIONS + 1:
            cost, position = cheapest[r]
            visit = _add_visit(program, c, cost, demands, instance.capacity)
            insertions.append((position, visit))
    return insertions


def _add_visit(
    program: Program, customer: int, cost: float, demands: dict[int, int], capacity: int
) -> _VisitVariable:
    used = program.add_integer(cost, 1)
    quantity = program.add_continuous(min(demands[customer], capacity))
    return _VisitVariable(customer, cost, used, quantity)


def _cheapest_insertion(instance: Instance, route: Route, customer: int) -> tuple[float, int]:
    tour = [0, *(v.customer for v in route.visits), 0]
    if customer in tour:
        return 0.0, -1
    return min((_detour(instance, a, customer, b), k) for k, (a, b) in enumerate(pairwise(tour)))


def _detour(instance: Instance, before: int, at: int, after: int) -> float:
    a, b, c = (int(instance.sites[k]) for k in (before, at, after))
    return instance.distance(a, b) + instance.distance(b, c) - instance.distance(a, c)
