"""Duals of the master program over routes, and the lower bound that any such duals give."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd
from typing import Any

import numpy as np

from splitroute import _core
from splitroute.bounds.network import Network
from splitroute.bounds.sets import Sets, shared_duals
from splitroute.distances import Floats, Integers

Bools = np.ndarray[Any, np.dtype[np.bool_]]
Int32s = np.ndarray[Any, np.dtype[np.int32]]
Visits = Int32s  # route, node and quantity of each visit, in order

GRID = 2.0**-20  # prices are multiples of it, so that the core adds them without rounding
MAX_PRICE = 2.0**31  # sums of such prices are exact up to 2 ** 33
ROUNDING_TOLERANCE = 1e-9  # relative: more than rounding errors add up to
MAX_STATES = 4_000_000  # of the dynamic program: customers times loads, at 72 bytes
MAX_STEPS = 1e9  # of the dynamic program, a few seconds
MAX_MEMORY, MIN_MEMORY = 8, 3  # customers that each one remembers, in small and large networks
MAX_NODES_FULL_MEMORY = 300
PARTIAL_COVER = 0.5  # what a visit counts that does not deliver the whole demand


@dataclass(frozen=True, eq=False)
class RouteDuals:
    """Duals of the rows of the master program, all at least 0."""

    cover: Floats  # by node
    quantity: Floats  # by node
    cuts: Floats
    edges: Floats  # of the limit of each edge, as a symmetric table

    @property
    def are_usable(self) -> bool:
        """Whether all are finite and at least 0."""
        parts = self.cover, self.quantity, self.cuts, self.edges
        return all(bool(np.isfinite(part).all() and (part >= 0).all()) for part in parts)

    def blend(self, other: RouteDuals, weight: float) -> RouteDuals:
        """Return a convex combination; the other one has the weight."""

        def mix(a: Floats, b: Floats) -> Floats:
            return (1 - weight) * a + weight * b

        return RouteDuals(
            mix(self.cover, other.cover),
            mix(self.quantity, other.quantity),
            mix(self.cuts, other.cuts),
            mix(self.edges, other.edges),
        )

    def with_cuts(self, count: int) -> RouteDuals:
        """Return the duals with as many more cuts, whose duals are 0."""
        return replace(self, cuts=np.concatenate([self.cuts, np.zeros(count)]))

    def keep_cuts(self, is_kept: Bools) -> RouteDuals:
        """Return the duals without those of the other cuts."""
        return replace(self, cuts=self.cuts[is_kept])


@dataclass(frozen=True, eq=False)
class PricedRoutes:
    """What pricing returns for some duals."""

    bound: float  # of the network, valid whatever the duals
    min_cost: float  # lowest reduced cost of a route; no dual of the vehicles is in it
    visits: Visits
    min_edge_costs: Floats | None = None  # by edge, of the routes along it; if asked for


def in_largest_units(network: Network) -> Network:
    """Return the network with quantities in the largest unit that divides them and the capacity.

    Fixed routes leave a transportation problem, so some optimum delivers multiples of that unit.
    """
    unit = gcd(network.capacity, *network.demands.tolist())
    return replace(network, demands=network.demands // unit, capacity=network.capacity // unit)


class RoutePricer:
    """Finds the cheapest routes for duals, and with them a lower bound."""

    def __init__(self, network: Network) -> None:
        self.network = network
        n = network.size
        # A whole demand can be delivered by a single visit if it fits.
        self.fits = (network.demands <= network.capacity) & (np.arange(n) > 0)
        self._capacity = min(network.capacity, int(network.demands.sum()))
        self._max_quantities: Integers = np.minimum(network.demands, network.capacity)
        self.min_vehicles = int(network.min_vehicles(network.demands.sum()))
        self.is_excluded = np.eye(n, dtype=bool)  # edges that no better solution uses
        self._memory = _nearest(network, MAX_MEMORY if n <= MAX_NODES_FULL_MEMORY else MIN_MEMORY)

    @property
    def is_affordable(self) -> bool:
        """Whether the dynamic program takes little memory and time."""
        n, loads = self.network.size, self._capacity
        return n * loads <= MAX_STATES and float(n) * n * loads <= MAX_STEPS

    def covers(self, nodes: Integers, quantities: Integers) -> Floats:
        """Return how much visits count in the cover row of their customer."""
        is_full = quantities == self.network.demands[nodes]
        covers: Floats = np.where(is_full, 1.0, PARTIAL_COVER) * self.fits[nodes]
        return covers

    def price(
        self,
        sets: Sets,
        min_vehicles: Floats,
        duals: RouteDuals,
        max_routes: int,
        seconds: float,
        is_exact: bool = True,
        excess: float | None = None,
    ) -> PricedRoutes:
        """Return a valid lower bound, and routes with low reduced costs.

        Any duals of at least 0 give a bound, if pricing is exact: it counts the lowest reduced cost
        of all routes as often as there are vehicles. Lengths are rounded down and prizes up. With
        the excess of a cutoff over the bound, costs of edges up to that excess are found as well.
        """
        network = self.network
        nothing = PricedRoutes(-np.inf, -np.inf, np.empty((0, 3), dtype=np.int32))
        if not duals.are_usable:
            return nothing
        shared = shared_duals(sets, duals.cuts)
        lengths = _rounded_down(network.lengths + shared + duals.edges)
        lengths = np.minimum(lengths, lengths.T)  # shortest paths may differ by a rounding error
        prizes = self._prizes(duals, shared.diagonal())
        largest = max(float(np.abs(lengths).max()), float(prizes.max(initial=0.0)))
        if largest * 2 * (self._capacity + 1) > MAX_PRICE:
            return nothing
        lengths[self.is_excluded] = np.inf
        is_asked = excess is not None
        min_cost, visits, edge_costs = _core.price_routes(
            np.ascontiguousarray(lengths), self._max_quantities, prizes, self._memory,
            self._capacity, max_routes, is_exact, is_asked, max(0.0, excess or 0.0), seconds,
        )  # fmt: skip
        count = network.max_vehicles if min_cost < 0 else self.min_vehicles
        parts = [
            float(duals.cover.sum(where=self.fits)),
            float(duals.quantity @ network.demands),
            float(duals.cuts @ min_vehicles),
            -float(np.triu(duals.edges).sum()),
            count * min_cost,
        ]
        if not np.isfinite(min_cost):  # infinite if no route is left
            return PricedRoutes(min_cost, min_cost, visits)
        bound = sum(parts) - ROUNDING_TOLERANCE * sum(map(abs, parts))
        return PricedRoutes(bound, min_cost, visits, edge_costs if is_asked else None)

    def _prizes(self, duals: RouteDuals, per_visit: Floats) -> Floats:
        """Return what a visit earns, a line per node: base and slope if partial, or all if full."""
        most = self._max_quantities
        is_full = most == self.network.demands
        base = _rounded_up(per_visit + PARTIAL_COVER * duals.cover * self.fits)
        slope = _rounded_up(duals.quantity)
        full = _rounded_up(per_visit + duals.cover * self.fits * is_full + duals.quantity * most)
        return np.column_stack([base, slope, np.maximum(full, base + slope * most)])

    def exclude_edges(self, priced: PricedRoutes, cutoff: float) -> int:
        """Exclude edges that no solution cheaper than the cutoff uses; return how many are new.

        Any route along them costs so much more than the cheapest one that the bound would exceed
        the cutoff.
        """
        if priced.min_edge_costs is None or not np.isfinite(priced.bound):
            return 0
        limit = cutoff - priced.bound + ROUNDING_TOLERANCE * abs(cutoff)
        is_new = (priced.min_edge_costs - priced.min_cost > limit) & ~self.is_excluded
        self.is_excluded |= is_new
        return int(is_new.sum()) // 2


def _nearest(network: Network, count: int) -> Int32s:
    """Return the nearest customers of each one; none of the depot, whose line is its own number."""
    n = network.size
    lengths = network.lengths + np.diag(np.full(n, np.inf))
    lengths[:, 0] = np.inf
    nearest = np.argsort(lengths, axis=1, kind="stable")[:, : min(count, max(0, n - 2))]
    result: Int32s = np.ascontiguousarray(nearest, dtype=np.int32)
    return result


def _rounded_up(values: Floats) -> Floats:
    return -_rounded_down(-values)


def _rounded_down(values: Floats) -> Floats:
    rounded: Floats = np.floor(values / GRID) * GRID
    return rounded
