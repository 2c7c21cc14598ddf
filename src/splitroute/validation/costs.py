"""Distances and costs, recomputed."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from splitroute.distances import Floats, Integers
from splitroute.instance import Instance
from splitroute.validation.columns import Columns
from splitroute.validation.times import Trip
from splitroute.validation.values import Claims, Violation, agrees

EARTH_RADIUS_KM = 6371.0088
DEFAULT_KM_PER_HOUR = 50.0


class Legs:
    """The legs of all routes; every customer and vehicle type must exist."""

    def __init__(self, instance: Instance, columns: Columns) -> None:
        self._instance = instance
        legs = columns.lengths + 1  # one to each visit, and one back
        lasts = np.cumsum(legs) - 1
        self._firsts = lasts - columns.lengths
        ends = {depot.id: depot.place for depot in instance.depots}
        types = [instance.vehicle_types[r.vehicle_type] for r in columns.solution.routes]
        self.to = np.zeros(int(legs.sum()), dtype=np.int64)
        position = np.arange(len(columns.route)) + columns.route  # a depot follows each route
        self.to[position] = instance.sites[columns.customer.astype(np.int64)]
        self.to[lasts] = [ends.get(t.end_depot or t.depot or "", 0) for t in types]
        self.origin = np.roll(self.to, 1)
        self.origin[self._firsts] = [ends.get(t.depot or "", 0) for t in types]
        self.lengths = _distances(instance, self.origin, self.to)

    @property
    def durations(self) -> Floats:
        """Travel time of each leg."""
        instance = self._instance
        if instance.durations is not None:
            table: Floats = instance.durations[self.origin, self.to]
            return table
        if instance.metric == "haversine":
            return self.lengths * 60 / (instance.speed or DEFAULT_KM_PER_HOUR)
        return self.lengths / (instance.speed or 1.0)

    def route_lengths(self) -> Floats:
        """Distance of each route."""
        sums: Floats = np.add.reduceat(self.lengths, self._firsts)
        return sums


def recomputed_parts(
    instance: Instance, columns: Columns, lengths: Floats, trips: list[Trip] | None
) -> tuple[list[float], dict[str, float]]:
    """Cost of each route, and the parts of the total cost."""
    types = [instance.vehicle_types[route.vehicle_type] for route in columns.solution.routes]
    fixed = [
        t.fixed_cost * (r.trip == 1) for t, r in zip(types, columns.solution.routes, strict=True)
    ]
    distance = [t.cost_per_distance * x for t, x in zip(types, lengths.tolist(), strict=True)]
    time = [0.0] * len(types)
    if trips is not None:
        time = [t.cost_per_time * (x.end - x.start) for t, x in zip(types, trips, strict=True)]
    extra, penalties = 0.0, 0.0
    if instance.rules:
        visits, unit = columns.by_customer(), instance.unit
        for number, customer in enumerate(instance.customers, 1):
            quantities = [quantity for _, quantity in visits.get(number, ())]
            extra += customer.extra_visit_cost * max(0, len(quantities) - 1)
            missing = max(0, customer.demand - sum(quantities))
            penalties += (customer.penalty or 0.0) * float(missing * unit)
    parts = {
        "fixed": math.fsum(fixed),
        "distance": math.fsum(distance),
        "time": math.fsum(time),
        "extra_visits": extra,
        "penalties": penalties,
    }
    routes = [f + d + t for f, d, t in zip(fixed, distance, time, strict=True)]
    return routes, parts


def cost_violations(
    routes: list[float], parts: dict[str, float], claims: Claims
) -> list[Violation]:
    """False claims about costs."""
    rows = [
        (f"route {number}", claim, value)
        for number, (claim, value) in enumerate(zip(claims.route_costs, routes, strict=False), 1)
    ]
    rows += [
        (name.replace("_", " "), claim, parts.get(name, 0.0))
        for name, claim in claims.cost_parts.items()
    ]
    rows.append(("the solution", claims.cost, math.fsum(parts.values())))
    return [
        Violation("cost", f"the stated cost of {label} is {claim}; it costs {value:.10g}")
        for label, claim, value in rows
        if claim is not None and not agrees(claim, value)
    ]


def _distances(instance: Instance, a: Integers, b: Integers) -> Floats:
    """Distances from places `a` to places `b`, pair by pair."""
    if instance.matrix is not None:
        table: Floats = instance.matrix[a, b]
        return table
    return DISTANCES[instance.metric](instance.xy[a], instance.xy[b])


def _plane(a: Floats, b: Floats) -> Floats:
    # Not hypot, whose last bit could flip the rounding of a half.
    x, y = (a - b).T
    lengths: Floats = np.sqrt(x * x + y * y)
    return lengths


def _globe(a: Floats, b: Floats) -> Floats:
    (lon1, lat1), (lon2, lat2) = np.radians(a).T, np.radians(b).T
    # The angle between two unit vectors.
    y = np.hypot(
        np.cos(lat2) * np.sin(lon2 - lon1),
        np.cos(lat1) * np.sin(lat2) - np.sin(lat1) * np.cos(lat2) * np.cos(lon2 - lon1),
    )
    x = np.sin(lat1) * np.sin(lat2) + np.cos(lat1) * np.cos(lat2) * np.cos(lon2 - lon1)
    lengths: Floats = EARTH_RADIUS_KM * np.arctan2(y, x)
    return lengths


DISTANCES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "exact": _plane,
    "dimacs": lambda a, b: np.floor(_plane(a, b) + 0.5),
    "haversine": _globe,
}
