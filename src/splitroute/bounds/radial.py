"""The radial bound: each unit's share of a full vehicle, or the trip to the farthest customer."""

from __future__ import annotations

import numpy as np

from splitroute.bounds.trips import type_costs
from splitroute.distances import MAX_PATH_PLACES, Floats, shortest_from
from splitroute.instance import Instance

ROUNDING_TOLERANCE = 1e-12  # relative
# Rules that the bound takes into account; it relaxes the others.
RULES = frozenset(
    {
        "fleet",
        "depots",
        "vehicle_types",
        "fixed_cost",
        "cost_per_distance",
        "cost_per_time",
        "durations",
        "service",
        "service_per_unit",
        "extra_visit_cost",
        "penalty",
        "partial",
    }
)


def radial_bound(instance: Instance, undelivered: int | None = None) -> float:
    """A vehicle with q of its Q units for a customer makes q / Q of the round trip for it.

    With `partial`, the bound holds for solutions that leave no more than this mandatory quantity
    `undelivered`, by default any.

    M. Haimovich, A. Rinnooy Kan: Bounds and heuristics for capacitated routing problems.
    Mathematics of Operations Research 10 (1985).
    """
    if instance.rules:
        return _Prices(instance).bound(undelivered) * (1 - ROUNDING_TOLERANCE)
    round_trips = _round_trips(instance)
    if round_trips is None:
        return 0.0
    demands = instance.demands[1:]
    radial = float((round_trips * demands).sum()) / instance.capacity
    farthest = float(round_trips.max(initial=0.0, where=demands > 0))
    return max(radial, farthest) * (1 - ROUNDING_TOLERANCE)


def _round_trips(instance: Instance) -> Floats | None:
    """Length of the shortest path to each customer and back, or None if there are too many."""
    if instance.matrix is None and instance.metric in ("exact", "haversine"):
        return 2 * instance.distances_from_depot()
    if len(instance.places) > MAX_PATH_PLACES and instance.matrix is None:
        return None
    table = instance.table
    return (shortest_from(table) + shortest_from(table.T))[instance.sites[1:]]


class _Prices:
    """What customers cost at least, with the cheapest vehicle type for each.

    A trip with q of its Q units for a customer pays q / Q of what driving to it and back costs, and
    of the vehicle's fixed cost q / (Q max_trips). Each visit also pays for its service, and each
    beyond the first its extra cost. What has a penalty may stay undelivered for it.
    """

    def __init__(self, instance: Instance) -> None:
        customers = instance.customers
        self._demands = demands = instance.demands[1:]
        self._extra: Floats = np.array([c.extra_visit_cost for c in customers])
        penalties = np.array([c.penalty or 0.0 for c in customers])
        self._penalty: Floats = penalties * float(instance.unit)
        self._per_unit = np.full(len(customers), np.inf)
        self._first = np.full(len(customers), np.inf)  # one visit, with its trip and vehicle
        self._largest = np.ones(len(customers), dtype=np.int64)  # quantity of a visit
        for costs in type_costs(instance):
            kind, allowed = costs.vehicle_type, costs.may_serve
            largest = np.maximum(1, np.minimum(kind.capacity, demands))
            per_unit = (costs.driving + costs.fixed_per_trip) / kind.capacity
            per_unit += costs.service / largest + costs.service_per_unit
            first = costs.driving + kind.fixed_cost + costs.service + costs.service_per_unit
            np.minimum(self._per_unit, per_unit, out=self._per_unit, where=allowed)
            np.minimum(self._first, first, out=self._first, where=allowed)
            np.maximum(self._largest, largest, out=self._largest, where=allowed)
        # Whom no vehicle may serve gets nothing, at no cost but a penalty.
        self._per_unit[np.isinf(self._per_unit)] = 0.0
        self._first[np.isinf(self._first)] = 0.0
        is_served = demands > 0
        is_mandatory = np.array([c.penalty is None for c in customers], dtype=bool)
        self._mandatory, self._optional = is_served & is_mandatory, is_served & ~is_mandatory
        self._max_undelivered = int(demands.sum()) if instance.partial else 0

    def bound(self, undelivered: int | None) -> float:
        """Return the larger one of the sum over all units and of the costliest single customer."""
        maximum = self._max_undelivered
        undelivered = maximum if undelivered is None else min(undelivered, maximum)
        extra = 0.0 if undelivered else float(self._extra_visits().sum(where=self._mandatory))
        radial = self._mandatory_cost(undelivered) + extra
        radial += float(self._optional_costs().sum(where=self._optional))
        is_visited = self._mandatory & (self._demands > undelivered)
        lowest = np.where(is_visited, self._first, 0.0)
        declined = np.minimum(self._first, self._penalty * self._demands)
        lowest = np.where(self._optional, declined, lowest)
        return max(radial, float(lowest.max(initial=0.0)) + extra)

    def _mandatory_cost(self, undelivered: int) -> float:
        """Cost of all mandatory units but the dearest, which may stay undelivered."""
        order = np.argsort(-self._per_unit, kind="stable")
        amounts = np.where(self._mandatory, self._demands, 0)[order]
        delivered = np.clip(np.cumsum(amounts) - undelivered, 0, amounts)
        return float((self._per_unit[order] * delivered).sum())

    def _extra_visits(self) -> Floats:
        """Cost of the extra visits without which no customer gets its demand."""
        extra: Floats = np.maximum(0, -(-self._demands // self._largest) - 1) * self._extra
        return extra

    def _optional_costs(self) -> Floats:
        """Lowest cost of delivering a part of a demand and paying the penalty for the rest.

        It is linear up to each full visit and linear over the full visits, so only the ends count.
        """
        demands, largest = self._demands, self._largest
        lowest = self._penalty * demands
        for quantity in (np.minimum(largest, demands), demands // largest * largest, demands):
            extra = np.maximum(0, -(-quantity // largest) - 1) * self._extra
            paid = self._penalty * (demands - quantity)
            lowest = np.minimum(lowest, quantity * self._per_unit + extra + paid)
        return lowest
