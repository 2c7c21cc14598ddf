"""A solution: routes of visits, each with the quantity delivered."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from splitroute.distances import Floats
from splitroute.instance import Depot, Instance

MAX_VISITS_SHOWN = 20


class Visit(NamedTuple):
    """A visit to a customer (1..n) and the quantity delivered."""

    customer: int
    quantity: int


@dataclass(frozen=True, slots=True)
class Route:
    """One trip of a vehicle: its visits in order, from a depot to a depot.

    A vehicle without a number makes no other trip.
    """

    visits: tuple[Visit, ...]
    vehicle_type: int = 0  # index into the instance's vehicle types
    vehicle: int = 0  # number within its type, from 1
    trip: int = 1  # of the vehicle, from 1
    start: float | None = None  # departure; the best one by default, see `schedule`

    @property
    def load(self) -> int:
        """Total quantity delivered."""
        return sum(visit.quantity for visit in self.visits)


@dataclass(frozen=True, slots=True, repr=False)
class Solution:
    """The routes of all vehicles. For its cost see `cost` and `route_costs`."""

    routes: tuple[Route, ...]
    # Points along the roads, one line per route; empty for straight lines. It belongs to these very
    # routes: solutions made from others have none.
    geometry: tuple[Floats, ...] = field(default=(), compare=False)

    @classmethod
    def unsplit(cls, instance: Instance, routes: list[list[int]]) -> Solution:
        """Return a solution in which every visit delivers the whole demand of its customer."""
        demand = instance.demands.tolist()
        return cls(tuple(Route(tuple(Visit(c, demand[c]) for c in r)) for r in routes if r))

    def __repr__(self) -> str:
        if self.num_visits > MAX_VISITS_SHOWN:
            return f"<Solution: routes: {len(self.routes)}, visits: {self.num_visits}>"
        routes = (" ".join(f"{v.customer}:{v.quantity}" for v in r.visits) for r in self.routes)
        return f"<Solution: {' | '.join(routes)}>"

    @property
    def num_visits(self) -> int:
        """Number of visits of all routes."""
        return sum(len(route.visits) for route in self.routes)

    def without_empty_visits(self) -> Solution:
        """Return the solution without visits that deliver nothing."""
        routes = (
            replace(route, visits=tuple(v for v in route.visits if v.quantity))
            for route in self.routes
        )
        return Solution(tuple(route for route in routes if route.visits))

    def split_customers(self) -> list[int]:
        """Customers with more than one visit, sorted; pass-throughs do not count."""
        counts = Counter(v.customer for route in self.routes for v in route.visits if v.quantity)
        return sorted(customer for customer, count in counts.items() if count > 1)


def route_depots(instance: Instance, route: Route) -> tuple[Depot, Depot]:
    """Depots where a route starts and where it ends."""
    by_id = {depot.id: depot for depot in instance.depots}
    kind = instance.vehicle_types[route.vehicle_type]
    start = by_id[kind.depot or instance.depots[0].id]
    return start, by_id[kind.end_depot or start.id]


def route_places(instance: Instance, route: Route) -> list[int]:
    """Places of a route in order, from the depot where it starts to the one where it ends."""
    start, end = route_depots(instance, route)
    visited = (int(instance.sites[visit.customer]) for visit in route.visits)
    return [start.place, *visited, end.place]


def undelivered(instance: Instance, solution: Solution) -> dict[int, int]:
    """Quantity of each customer that the solution does not deliver, without zeros."""
    missing = instance.demands.copy()
    visits = np.fromiter(
        chain.from_iterable(chain.from_iterable(route.visits for route in solution.routes)),
        dtype=np.int64,
    )
    np.subtract.at(missing, visits[::2], visits[1::2])
    return {customer: int(missing[customer]) for customer in np.flatnonzero(missing > 0).tolist()}


def trips_of_vehicles(solution: Solution) -> list[list[int]]:
    """Indices of the routes of each vehicle, in order of their trips."""
    vehicles: dict[tuple[int, int, int], list[int]] = {}
    for index, route in enumerate(solution.routes):
        # A vehicle without a number has this trip only.
        own = index if route.vehicle == 0 else -1
        vehicles.setdefault((route.vehicle_type, route.vehicle, own), []).append(index)
    return [sorted(v, key=lambda k: solution.routes[k].trip) for v in vehicles.values()]
