"""Conversion of instances and solutions to and from the compiled core."""

import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from splitroute import _core
from splitroute.core.curve import hilbert_order
from splitroute.core.rules import compile_rules, max_scale, round_down
from splitroute.errors import InputError, LimitError
from splitroute.instance import Instance
from splitroute.solution import Route, Solution, Visit, cost, with_departures

MAX_TABLE_SITES = 2000  # beyond, distances are computed on demand
MAX_DISTANCE = 10**9  # after scaling; twice that fits into 32 bits
MAX_DETOURS = 1000  # via the depot; a distance that is longer than these stands for "no road"
MAX_QUANTITY = 2**31 - 1  # the core counts in 32 bits
MAX_VEHICLES = 2_000_000  # the core allocates a route for each
ITERATIONS_PER_CUSTOMER = 1000  # usually enough, where neither time nor iterations are limited
UNLIMITED_ITERATIONS = 10**15
SEED_STEP = 7919  # between the searches of a run; runs with nearby seeds share none
MAX_KM_PER_DEGREE = 112  # rounded up
NO_PLACES = np.empty(0, dtype=np.int32)

Annealing = _core.Annealing | _core.RichAnnealing
# Per visit, in order: route, item, quantity; with rules also vehicle type, vehicle and trip.
Visits = NDArray[np.int32]


class Search(Protocol):
    """A search with a best solution so far."""

    @property
    def iterations(self) -> int: ...
    @property
    def best_cost(self) -> int: ...
    @property
    def best_missing(self) -> int: ...
    def best(self) -> Visits: ...


def seed_of(seed: int, search: int) -> int:
    """Seed of one of several searches; the first has that of the run."""
    return seed + SEED_STEP * search


def without_redundant_visits(instance: Instance, solution: Solution) -> Solution:
    """Return the solution without redundant visits; never costs more."""
    model = Model(instance)
    visits = _core.remove_redundant_visits(model.compiled, model.visits(solution))
    return min(model.solution(visits), solution, key=lambda s: cost(instance, s))


def completed(instance: Instance, solution: Solution) -> Solution:
    """Return the solution with unserved demand inserted at minimum cost."""
    model = Model(instance)
    search = model.annealing(0, _core.Settings())
    search.start_from(model.visits(solution))
    return model.solution(search.best())


class Model:
    """An instance of the core.

    With splitting, every customer has a site of its own; without, pieces at one place share one.
    Once the cancellation is requested, constructing a model or a first solution ends early.
    """

    def __init__(self, instance: Instance, cancellation: _core.Cancellation | None = None) -> None:
        self.instance = instance
        self.cancellation = cancellation or _core.Cancellation()
        if instance.capacity > MAX_QUANTITY or int(instance.demands.max()) > MAX_QUANTITY:
            largest = max(instance.capacity, int(instance.demands.max()))
            field = "capacity" if largest == instance.capacity else "demands"
            raise InputError(
                f"a quantity is {largest} units; the compiled core counts in 32 bits, "
                f"so it must be at most {MAX_QUANTITY}",
                field=field,
                value=largest,
            )
        smallest = min(vehicle.capacity for vehicle in instance.vehicle_types)
        vehicles = int(instance.demands.sum()) // smallest + len(instance.customers)
        if vehicles > MAX_VEHICLES:
            raise LimitError(
                f"the demands need up to {vehicles:,} vehicles; the maximum is {MAX_VEHICLES:,}",
                field="demands",
                value=vehicles,
            )
        # Numbered along a Hilbert curve, neighbours in the plane are neighbours in memory: a large
        # search is bound by cache misses otherwise.
        position = np.argsort(hilbert_order(instance))[instance.sites[1:]]
        order = np.argsort(position, kind="stable") + 1
        depots = list(dict.fromkeys(depot.place for depot in instance.depots))
        self._depots = len(depots)
        places = instance.sites[order].tolist()
        if instance.splittable:
            self._places = np.array([*depots, *places])
            site_of = dict(zip(order.tolist(), range(len(depots), len(self._places)), strict=True))
        else:
            self._places = np.array(list(dict.fromkeys([*depots, *places])))
            site_at = {place: site for site, place in enumerate(self._places.tolist())}
            site_of = {k: site_at[p] for k, p in zip(order.tolist(), places, strict=True)}
        self.items = [k for k in order.tolist() if instance.demands[k]]
        self._item_of = {customer: item for item, customer in enumerate(self.items)}
        self._item_sites = np.array([site_of[k] for k in self.items], dtype=np.int32)
        self._demands = instance.demands[self.items].astype(np.int32)
        self._table = np.empty((0, 0), dtype=np.int32)
        self._xy = np.empty((0, 2))
        self._scale = 1.0
        self._set_distances()
        self.max_vehicles = min(instance.vehicles or MAX_VEHICLES, MAX_VEHICLES)
        self.compiled = _core.Instance(
            **self._arguments(
                self._xy, self._table, self._item_sites, self._demands, self.max_vehicles
            ),
            rules=self._rules(depots),
            cancellation=self.cancellation,
            places=NO_PLACES,
        )

    def _arguments(
        self,
        xy: NDArray[np.float64],
        table: NDArray[np.int32],
        item_sites: NDArray[np.int32],
        demands: NDArray[np.int32],
        max_vehicles: int,
    ) -> dict[str, Any]:
        """Return what describes an instance of the core, apart from rules."""
        return {
            "xy": xy,
            "metric": self.instance.metric,
            "scale": self._scale,
            "table": table,
            "sites": max(len(xy), len(table)),
            "item_sites": item_sites,
            "demands": demands,
            "capacity": self.instance.capacity,
            "allows_splitting": self.instance.splittable,
            "is_symmetric": self.instance.symmetric,
            "max_vehicles": max_vehicles,
        }

    def restricted(
        self, items: NDArray[np.int32], demands: NDArray[np.int32], max_vehicles: int
    ) -> tuple[dict[str, Any], NDArray[np.int32]]:
        """Return arguments for the instance of some items with other demands, and its sites here.

        Without rules only.
        """
        sites, item_sites = np.unique(self._item_sites[items], return_inverse=True)
        kept = np.concatenate(([0], sites), dtype=np.int32)
        table = self._table
        arguments = self._arguments(
            self._xy[kept] if len(self._xy) else self._xy,
            table[np.ix_(kept, kept)] if len(table) else table,
            (item_sites + 1).astype(np.int32),
            demands,
            max_vehicles,
        )
        return arguments, kept

    def _rules(self, depots: list[int]) -> _core.Rules | None:
        if not self.instance.rules:
            return None
        site_of = {id: depots.index(place) for id, place in self.instance.depot_places.items()}
        return compile_rules(self.instance, self.items, self._places, site_of, self._scale)

    def _set_distances(self) -> None:
        instance, places = self.instance, self._places
        if instance.matrix is not None or len(places) <= MAX_TABLE_SITES:
            table = instance.table[np.ix_(places, places)]
            longest = float(table.max(initial=0.0))
            # No distance worth driving exceeds the detour via the depot; longer ones, such as
            # those that stand for "no road", need not be distinguished.
            depots = table[: self._depots], table[:, : self._depots]
            detour = 2 * float(max(legs.max(initial=0.0) for legs in depots))
            # With rules some may be worth driving, if vehicles are dear, and others be forbidden.
            reach = min(longest, MAX_DETOURS * detour if instance.rules else detour)
            is_whole = np.array_equal(table, np.rint(table)) and not instance.rules
            if not is_whole or longest > MAX_DISTANCE:
                self._scale = MAX_DISTANCE / max(reach, 1e-12)
            self._limit_scale()
            scaled = np.rint(table * self._scale)
            self._table = np.minimum(scaled, 2 * MAX_DISTANCE).astype(np.int32)
            return
        self._xy = np.ascontiguousarray(instance.xy[places])
        reach = float(np.ptp(self._xy, axis=0).sum()) or 1.0
        if instance.metric != "dimacs" or reach > MAX_DISTANCE or instance.rules:
            unit = MAX_KM_PER_DEGREE if instance.metric == "haversine" else 1
            self._scale = MAX_DISTANCE / (reach * unit)
        self._limit_scale()

    def _limit_scale(self) -> None:
        if self.instance.rules:
            self._scale = round_down(min(self._scale, max_scale(self.instance)))

    def annealing(self, seed: int, settings: _core.Settings) -> Annealing:
        """Return a search of the kind that the instance needs."""
        kind = _core.RichAnnealing if self.instance.rules else _core.Annealing
        return kind(self.compiled, seed, settings)

    def visits(self, solution: Solution) -> Visits:
        """Convert a solution to visits of the core: one per customer and route, none empty."""
        visits: list[tuple[int, ...]] = []
        vehicles: dict[tuple[int, int], int] = {}
        for number, route in enumerate(solution.routes):
            amounts: dict[int, int] = {}
            for customer, quantity in route.visits:
                amounts[customer] = amounts.get(customer, 0) + quantity
            trip: tuple[int, ...] = ()
            if self.instance.rules:
                # In the core, vehicles are numbered across types; -1 is one without a number.
                key = (route.vehicle_type, route.vehicle)
                vehicle = vehicles.setdefault(key, len(vehicles)) if route.vehicle else -1
                trip = (route.vehicle_type, vehicle, route.trip)
            visits += [(number, self._item_of[c], q, *trip) for c, q in amounts.items() if q]
        return np.array(visits, dtype=np.int32).reshape(-1, 6 if self.instance.rules else 3)

    def solution(self, visits: Visits) -> Solution:
        """Convert visits of the core to a Solution."""
        customers = np.array(self.items)[visits[:, 1]].tolist()
        ends = [0, *(np.flatnonzero(np.diff(visits[:, 0])) + 1).tolist(), len(visits)]
        with _gc_paused():
            converted = list(map(_as_visit, zip(customers, visits[:, 2].tolist(), strict=True)))
            if self.instance.rules:
                return self._solution_with_vehicles(visits, converted, ends)
            return Solution(tuple(Route(tuple(converted[a:b])) for a, b in pairwise(ends) if a < b))

    def _solution_with_vehicles(
        self, visits: Visits, converted: list[Visit], ends: list[int]
    ) -> Solution:
        # By type, vehicle and trip; the core's numbers of vehicles have gaps.
        slices = [(tuple(visits[a, 3:].tolist()), a, b) for a, b in pairwise(ends) if a < b]
        numbers: dict[tuple[int, int], int] = {}
        used, trips = Counter[int](), Counter[tuple[int, int]]()
        routes = []
        for (kind, vehicle, _), a, b in sorted(slices):
            key = (kind, vehicle)
            if key not in numbers:
                used[kind] += 1
                numbers[key] = used[kind]
            trips[key] += 1
            routes.append(Route(tuple(converted[a:b]), kind, numbers[key], trips[key]))
        return with_departures(self.instance, Solution(tuple(routes)))

    def best(self, search: Search) -> Visits:
        """Return the best solution of a search, without redundant visits."""
        best = search.best()
        if not self.instance.splittable or self.instance.rules:
            return best
        reduced = _core.remove_redundant_visits(self.compiled, best)
        if self.instance.matrix is None:
            return reduced
        # The core truncates very long distances, such as those that stand for "no road".
        return min(reduced, best, key=lambda visits: cost(self.instance, self.solution(visits)))

    def length(self, cost: int) -> float:
        """Convert a cost of the core to one of the instance, up to rounding."""
        return cost / self._scale


_as_visit = partial(tuple.__new__, Visit)  # twice as fast as Visit(..)


@contextmanager
def _gc_paused() -> Iterator[None]:
    """Pause garbage collection: it would take longer than creating many small tuples."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
