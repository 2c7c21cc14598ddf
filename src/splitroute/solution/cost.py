"""What a solution costs, and how solutions are compared."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import NamedTuple

import numpy as np

from splitroute import distances
from splitroute.instance import Instance
from splitroute.solution.legs import leg_distances, legs_of, route_sums
from splitroute.solution.routes import Solution, undelivered
from splitroute.solution.schedule import timetable


class CostParts(NamedTuple):
    """The parts of a cost."""

    fixed: float = 0.0  # of the vehicles used
    distance: float = 0.0
    time: float = 0.0  # from departure to return
    extra_visits: float = 0.0  # beyond the first to a customer
    penalties: float = 0.0  # for quantities not delivered

    @property
    def total(self) -> float:
        """The cost."""
        return self.distance + self.fixed + self.time + self.extra_visits + self.penalties


def cost(instance: Instance, solution: Solution) -> float:
    """Total cost of a solution."""
    return cost_parts(instance, solution).total


def rank(instance: Instance, solution: Solution) -> tuple[int, float]:
    """Return the mandatory quantity that is not delivered, and the cost; the lower, the better."""
    if not instance.rules:  # then only complete solutions are compared
        return 0, cost(instance, solution)
    missing = undelivered(instance, solution)
    mandatory = sum(q for c, q in missing.items() if instance.customers[c - 1].penalty is None)
    return mandatory, cost(instance, solution)


def cost_parts(instance: Instance, solution: Solution) -> CostParts:
    """Return the parts of the cost of a solution."""
    if not instance.rules:
        return CostParts(distance=sum(_lengths(instance, solution)))
    fixed, distance, time = (sum(column) for column in _route_parts(instance, solution))
    extra, penalties = _extra_visits(instance, solution), _penalties(instance, solution)
    return CostParts(fixed, distance, time, extra, penalties)


def route_costs(instance: Instance, solution: Solution) -> list[float]:
    """Cost of each route: its distance and its time, and on a first trip that of the vehicle."""
    if not instance.rules:
        return _lengths(instance, solution)
    parts = zip(*_route_parts(instance, solution), strict=True)
    return [distance + fixed + time for fixed, distance, time in parts]


def route_distances(instance: Instance, solution: Solution) -> list[float]:
    """Distance of each route."""
    if not instance.rules:
        return _lengths(instance, solution)
    legs = legs_of(instance, solution)
    lengths: list[float] = route_sums(leg_distances(instance, legs), legs).tolist()
    return lengths


def _lengths(instance: Instance, solution: Solution) -> list[float]:
    """Distances of routes that all start and end at place 0."""
    visits = chain.from_iterable(route.visits for route in solution.routes)
    customers = np.fromiter((visit.customer for visit in visits), dtype=np.int64)
    lengths = [len(route.visits) for route in solution.routes]
    return distances.route_costs(
        instance.xy, instance.metric, instance.matrix, instance.sites[customers], lengths
    )


def _route_parts(
    instance: Instance, solution: Solution
) -> tuple[list[float], list[float], list[float]]:
    """Fixed cost, cost of the distance and cost of the time of each route."""
    types = [instance.vehicle_types[route.vehicle_type] for route in solution.routes]
    fixed = [
        kind.fixed_cost if route.trip == 1 else 0.0
        for kind, route in zip(types, solution.routes, strict=True)
    ]
    lengths = route_distances(instance, solution)
    distance = [k.cost_per_distance * length for k, length in zip(types, lengths, strict=True)]
    if "cost_per_time" not in instance.rules:
        return fixed, distance, [0.0] * len(types)
    times = timetable(instance, solution)
    time = [k.cost_per_time * t.duration for k, t in zip(types, times, strict=True)]
    return fixed, distance, time


def _extra_visits(instance: Instance, solution: Solution) -> float:
    if "extra_visit_cost" not in instance.rules:
        return 0.0
    counts = Counter(v.customer for r in solution.routes for v in r.visits if v.quantity)
    return sum(
        (count - 1) * instance.customers[customer - 1].extra_visit_cost
        for customer, count in sorted(counts.items())
    )


def _penalties(instance: Instance, solution: Solution) -> float:
    if "penalty" not in instance.rules:
        return 0.0
    unit = float(instance.unit)
    return sum(
        (instance.customers[customer - 1].penalty or 0.0) * quantity * unit
        for customer, quantity in undelivered(instance, solution).items()
    )
