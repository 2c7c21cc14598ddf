"""Better solutions by integer programs over a few neighbouring routes at a time.

`recombine` chooses among routes that were met before, with free quantities; `redistribute` keeps
the routes but moves quantities between them, leaving stops out and putting others in.

C. Archetti, M. Speranza, M. Savelsbergh: An optimization-based heuristic for the split delivery
vehicle routing problem. Transportation Science 42 (2008).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from splitroute.allocation import quantities
from splitroute.distances import Floats
from splitroute.instance import Instance
from splitroute.milp import Program
from splitroute.solution import Route, Solution, Visit, route_costs

LARGEST_GROUP = 26  # stops of the routes that are looked at together
MOST_CHOICES = 400  # routes of the pool among which one program chooses
INSERTIONS = 2  # other routes that each customer may come onto
LESS = 1e-7  # relative: what counts as better


class Pool:
    """Routes met so far, the cheapest order of each set of customers, newest last."""

    def __init__(self, instance: Instance, most: int = 20_000) -> None:
        self._instance, self._most = instance, most
        self._known: dict[frozenset[int], tuple[float, tuple[int, ...]]] = {}

    def add(self, solution: Solution) -> None:
        """Takes in the routes of a solution."""
        for route, cost in zip(solution.routes, route_costs(self._instance, solution), strict=True):
            order = tuple(visit.customer for visit in route.visits)
            key = frozenset(order)
            before = self._known.pop(key, (cost, order))
            self._known[key] = min(before, (cost, order))
        while len(self._known) > self._most:
            del self._known[next(iter(self._known))]

    def within(self, customers: frozenset[int]) -> list[tuple[float, tuple[int, ...]]]:
        """Routes that visit none but these, newest first."""
        found = [value for key, value in reversed(self._known.items()) if key <= customers]
        return found[:MOST_CHOICES]


def groups(
    instance: Instance, solution: Solution, random: np.random.Generator
) -> Iterator[list[int]]:
    """Groups of neighbouring routes, around each route in random order."""
    middles = _middles(instance, solution)
    sizes = [len(route.visits) for route in solution.routes]
    for seed in random.permutation(len(solution.routes)).tolist():
        group: list[int] = []
        stops = 0
        apart = np.linalg.norm(middles - middles[seed], axis=1)
        for k in np.argsort(apart, kind="stable")[:LARGEST_GROUP].tolist():
            if stops + sizes[k] > LARGEST_GROUP and len(group) > 1:
                break
            group.append(k)
            stops += sizes[k]
        if len(group) > 1:
            yield group


def recombine(
    instance: Instance, solution: Solution, group: list[int], pool: Pool, seconds: float | None
) -> Solution | None:
    """A cheaper choice of routes for the customers of a group, if there is one."""
    routes = [solution.routes[k] for k in group]
    wanted = _delivered(routes)
    before = sum(route_costs(instance, Solution(tuple(routes))))
    choices = pool.within(frozenset(wanted))
    program = Program(seconds)
    used = [
        program.count(cost, -(-sum(wanted[c] for c in order) // instance.capacity))
        for cost, order in choices
    ]
    loads = [{c: program.amount(wanted[c]) for c in order} for _, order in choices]
    for chosen, load in zip(used, loads, strict=True):
        program.at_most(load.values(), instance.capacity, if_used=chosen)
        for c, amount in load.items():
            program.at_most([amount], min(wanted[c], instance.capacity), if_used=chosen)
    for c, demand in wanted.items():
        visiting = [k for k, load in enumerate(loads) if c in load]
        program.equal([loads[k][c] for k in visiting], demand)
        program.at_least([used[k] for k in visiting], -(-demand // instance.capacity))
    program.at_least(used, -(-sum(wanted.values()) // instance.capacity))
    if instance.vehicles is not None:
        program.at_most(used, instance.vehicles - len(solution.routes) + len(routes))
    found = program.solve(before * (1 - LESS))
    if found is None:
        return None
    fresh = [
        order for (_, order), k in zip(choices, used, strict=True) for _ in range(round(found[k]))
    ]
    return _replaced(instance, solution, group, fresh)


@dataclass
class _Stop:
    """A stop that a route has, or could have behind its k-th one."""

    customer: int
    cost: float  # what it costs, or would cost, alone
    used: int
    amount: int


def redistribute(
    instance: Instance, solution: Solution, group: list[int], seconds: float | None
) -> Solution | None:
    """The routes of a group with other quantities, and fewer or other stops, if that is cheaper.

    Of two stops in a row one stays, and between two one may come in if both stay: so what is saved
    and what is added can be summed.
    """
    routes = [solution.routes[k] for k in group]
    wanted = _delivered(routes)
    program = Program(seconds)
    has = [_own_stops(instance, route, program, wanted) for route in routes]
    gets = [_other_stops(instance, r, routes, own, program, wanted) for r, own in enumerate(has)]
    for own, more in zip(has, gets, strict=True):
        program.at_most([s.amount for s in [*own, *(s for _, s in more)]], instance.capacity)
        for a, b in pairwise(own):
            program.at_least([a.used, b.used], 1)
        for at in {k for k, _ in more}:
            program.at_most([s.used for k, s in more if k == at], 1)
        for k, stop in more:
            for beside in own[max(0, k - 1) : k + 1]:
                program.at_least([beside.used], 0, minus=stop.used)
    everywhere = [[*own, *(s for _, s in more)] for own, more in zip(has, gets, strict=True)]
    for c, demand in wanted.items():
        visits = [s for stops in everywhere for s in stops if s.customer == c]
        program.equal([s.amount for s in visits], demand)
        for s in visits:
            program.at_most([s.amount], min(demand, instance.capacity), if_used=s.used)
    before = sum(s.cost for own in has for s in own)
    found = program.solve(before - LESS * sum(route_costs(instance, Solution(tuple(routes)))))
    if found is None:
        return None
    fresh = []
    for own, more in zip(has, gets, strict=True):
        order: list[int] = []
        for k in range(len(own) + 1):
            stops = [s for at, s in more if at == k] + own[k : k + 1]
            order += [s.customer for s in stops if found[s.used] > 0.5]
        fresh.append(order)
    return _replaced(instance, solution, group, fresh)


def _own_stops(
    instance: Instance, route: Route, program: Program, wanted: dict[int, int]
) -> list[_Stop]:
    ring = [0, *(v.customer for v in route.visits), 0]
    return [
        _stop(program, c, _detour(instance, *ring[k : k + 3]), wanted, instance.capacity)
        for k, c in enumerate(ring[1:-1])
    ]


def _other_stops(
    instance: Instance,
    r: int,
    routes: list[Route],
    own: list[_Stop],
    program: Program,
    wanted: dict[int, int],
) -> list[tuple[int, _Stop]]:
    """Stops that could come in, with their places: this is one of the nearest routes for them."""
    found = []
    ring = [0, *(s.customer for s in own), 0]
    for c in wanted:
        if c in ring:
            continue
        cheapest = [_cheapest(instance, route, c) for route in routes]
        if sorted(cheapest).index(cheapest[r]) < INSERTIONS + 1:
            cost, at = cheapest[r]
            found.append((at, _stop(program, c, cost, wanted, instance.capacity)))
    return found


def _stop(
    program: Program, customer: int, cost: float, wanted: dict[int, int], capacity: int
) -> _Stop:
    used, amount = program.count(cost, 1), program.amount(min(wanted[customer], capacity))
    return _Stop(customer, cost, used, amount)


def _cheapest(instance: Instance, route: Route, customer: int) -> tuple[float, int]:
    ring = [0, *(v.customer for v in route.visits), 0]
    if customer in ring:
        return 0.0, -1
    return min((_detour(instance, a, customer, b), k) for k, (a, b) in enumerate(pairwise(ring)))


def _detour(instance: Instance, before: int, at: int, after: int) -> float:
    a, b, c = (int(instance.sites[k]) for k in (before, at, after))
    return instance.distance(a, b) + instance.distance(b, c) - instance.distance(a, c)


def _delivered(routes: Iterable[Route]) -> dict[int, int]:
    amounts: dict[int, int] = {}
    for route in routes:
        for customer, quantity in route.visits:
            amounts[customer] = amounts.get(customer, 0) + quantity
    return amounts


def _replaced(
    instance: Instance, solution: Solution, group: list[int], fresh: Sequence[Sequence[int]]
) -> Solution | None:
    """The solution with these routes for those of the group; in whole quantities, of course."""
    wanted = _delivered(solution.routes[k] for k in group)
    carried = quantities(instance.capacity, wanted, fresh)
    if carried is None:  # what the program calls feasible is so within tolerances only
        return None
    kept = [route for k, route in enumerate(solution.routes) if k not in set(group)]
    made = (
        tuple(Visit(c, amounts[c]) for c in stops if amounts[c])
        for stops, amounts in zip(fresh, carried, strict=True)
    )
    return Solution((*kept, *(Route(visits) for visits in made if visits)))


def _middles(instance: Instance, solution: Solution) -> Floats:
    """Where each route is: the centre of its stops, or how far all places are from its middle."""
    stops = [instance.sites[[v.customer for v in route.visits]] for route in solution.routes]
    if instance.places:
        return np.array([instance.xy[places].mean(axis=0) for places in stops])
    return instance.table[[places[len(places) // 2] for places in stops]]
