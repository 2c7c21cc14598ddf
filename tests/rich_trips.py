"""Everything that one vehicle may do in a tiny instance, by enumeration.

Trips have customers, quantities, an order, and all departures on a grid of quarters. Given which
window every visit uses, times are subject to constraints on differences only, so the best
departures are on the grid if all data are.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np

import splitroute as sr
from splitroute.instance import VehicleType, Windows

Times = np.ndarray[Any, np.dtype[np.int64]]
TICKS = 4  # per time unit
NEVER = 10**6  # a time after every other
TOLERANCE = 1e-9


class Label(NamedTuple):
    """Trips of one vehicle: when the last one ends, what they cost, and the trips."""

    end: int
    cost: float
    trips: tuple[Trip, ...]


class Trip(NamedTuple):
    """A trip with its departure and return, in ticks."""

    start: int
    end: int
    cost: float
    visits: tuple[tuple[int, int], ...]  # customer from 0, quantity


# What a vehicle does for one customer, or what all have done: quantity, visits, remainders.
Share = tuple[int, int, int]
Effect = tuple[Share, ...]
NOTHING: Share = (0, 0, 0)


def has_timetable(instance: sr.Instance) -> bool:
    """Whether anything limits or prices times; otherwise they are of no consequence."""
    limits = [v.shift or v.cost_per_time or v.max_duration for v in instance.vehicle_types]
    return any(limit is not None and limit != 0 for limit in limits) or bool(all_windows(instance))


def all_windows(instance: sr.Instance) -> list[Windows]:
    """Windows of the customers and depots that have any."""
    found = [*(c.windows for c in instance.customers), *(d.windows for d in instance.depots)]
    return [windows for windows in found if windows]


def _ticks(time: float) -> int:
    ticks = round(time * TICKS)
    assert abs(ticks - time * TICKS) < TOLERANCE, f"{time} is no multiple of 1/{TICKS}"
    return ticks


@dataclass
class Visits:
    """What single visits may deliver, and what visits may add up to."""

    instance: sr.Instance

    def max_visits(self, c: int) -> float:
        """How often a customer may be visited."""
        customer = self.instance.customers[c]
        if not (customer.splittable and self.instance.splittable):
            return 1
        return math.inf if customer.max_visits is None else customer.max_visits

    def quantities(self, c: int) -> list[int]:
        """Quantities that one visit may deliver."""
        customer = self.instance.customers[c]
        return [
            q
            for q in range(1, customer.demand + 1)
            if q == customer.demand
            or (q >= customer.min_drop and q % customer.lot in (0, customer.demand % customer.lot))
        ]

    def share(self, c: int, quantity: int) -> Share:
        """What one visit contributes."""
        customer = self.instance.customers[c]
        is_counted = self.max_visits(c) < math.inf or customer.extra_visit_cost > 0
        is_remainder = quantity % customer.lot != 0
        return quantity, int(is_counted), int(is_remainder)

    def is_possible(self, c: int, share: Share) -> bool:
        """Whether visits may add up to this."""
        customer = self.instance.customers[c]
        quantity, visits, remainders = share
        return quantity <= customer.demand and visits <= self.max_visits(c) and remainders <= 1

    def states(self, c: int) -> list[Share]:
        """Everything that visits may add up to; visits are counted only if limited."""
        reached = {NOTHING}
        while True:
            steps = {
                self._plus(c, s, self.share(c, q)) for s in reached for q in self.quantities(c)
            }
            steps = {s for s in steps if self.is_possible(c, s)} - reached
            if not steps:
                return sorted(reached)
            reached |= steps

    def _plus(self, c: int, state: Share, share: Share) -> Share:
        limited = self.max_visits(c) < math.inf
        return state[0] + share[0], state[1] + share[1] * limited, state[2] + share[2]

    def steps(self, c: int, states: list[Share], share: Share) -> tuple[list[int], list[float]]:
        """For each state the one before this share was added (-1: none), and the extra cost."""
        sources, costs = [], []
        for state in states:
            found = [k for k, s in enumerate(states) if self._plus(c, s, share) == state]
            before = found[0] if found else -1
            extra = share[1] - (states[before][0] == 0) if share[0] and found else 0
            sources.append(before)
            costs.append(extra * self.instance.customers[c].extra_visit_cost)
        return sources, costs


class Trips:
    """All trips that a vehicle of one type may make."""

    def __init__(self, instance: sr.Instance, vehicle: VehicleType, rules: Visits) -> None:
        self.instance, self.vehicle, self.rules = instance, vehicle, rules
        places = {depot.id: depot for depot in instance.depots}
        self.depot = places[vehicle.depot or instance.depots[0].id]
        self.end_depot = places[vehicle.end_depot or self.depot.id]
        self.has_times = has_timetable(instance)
        self.horizon = self._horizon() if self.has_times else 1
        self.openings = [self._opening(customer.windows) for customer in instance.customers]
        self.trips: dict[tuple[int, ...], list[Trip]] = defaultdict(list)
        shift = vehicle.shift or (0, math.inf)
        starts = np.arange(self.horizon)
        is_open = (self._opening(self.depot.windows) == starts) & (starts >= shift[0] * TICKS)
        self._extend((), self.depot.place, np.where(is_open, starts, NEVER), 0.0)

    def _horizon(self) -> int:
        """A number of ticks after which nothing is worth starting."""
        i, v = self.instance, self.vehicle
        ends = [time for windows in all_windows(i) for window in windows for time in window]
        ends += v.shift or ()
        count = len(i.customers) + len(i.depots)
        travel = max(self._travel(a, b) for a in range(count) for b in range(count))
        visits = sum(max(self._service(c, c_.demand), 0) for c, c_ in enumerate(i.customers))
        trip = (len(i.customers) + 1) * travel + visits
        loading = _ticks(v.loading + v.loading_per_unit * v.capacity * float(i.unit))
        return _ticks(max(ends, default=0)) + v.max_trips * (trip + loading) + 1

    def _distance(self, a: int, b: int) -> float:
        if self.instance.matrix is not None:
            return float(self.instance.matrix[a, b])
        (x1, y1), (x2, y2) = self.instance.places[a], self.instance.places[b]
        length = math.hypot(x1 - x2, y1 - y2)
        return math.floor(length + 0.5) if self.instance.metric == "dimacs" else length

    def _travel(self, a: int, b: int) -> int:
        if self.instance.durations is not None:
            return _ticks(float(self.instance.durations[a, b]))
        return _ticks(self._distance(a, b) / (self.instance.speed or 1.0))

    def _service(self, c: int, quantity: int) -> int:
        customer = self.instance.customers[c]
        amount = quantity * float(self.instance.unit)
        return _ticks(customer.service + customer.service_per_unit * amount)

    def _opening(self, windows: Windows) -> Times:
        """The first tick inside a window for each tick."""
        ticks = np.arange(self.horizon + 1)
        if not windows:
            return ticks[:-1]
        first = np.full(self.horizon + 1, NEVER)
        for opens, closes in reversed(windows):
            inside = np.maximum(ticks, _ticks(opens))
            first = np.where(inside <= _ticks(closes), inside, first)
        return first[:-1]

    def _at(self, table: Times, times: Times) -> Times:
        return np.where(times < len(table), table[np.minimum(times, len(table) - 1)], NEVER)

    def _extend(
        self, visits: tuple[tuple[int, int], ...], place: int, times: Times, distance: float
    ) -> None:
        """Add trips that begin with these visits; `times` is when they end, by departure.

        A visit is a customer with the time of its service, which several quantities may share.
        """
        v = self.vehicle
        if visits:
            self._finish(visits, place, times, distance)
        if v.max_stops is not None and len(visits) == v.max_stops:
            return
        for c, customer in enumerate(self.instance.customers):
            if c in dict(visits):
                continue
            if customer.vehicle_types is not None and v.type not in customer.vehicle_types:
                continue
            further = distance + self._distance(place, customer.place)
            served = times
            if self.has_times:
                arrival = times + self._travel(place, customer.place)
                served = self._at(self.openings[c], arrival)
            if served.min() >= NEVER:
                continue
            services = {self._service(c, q) * self.has_times for q in self.rules.quantities(c)}
            for service in services:
                after = np.where(served < NEVER, served + service, NEVER)
                self._extend((*visits, (c, service)), customer.place, after, further)

    def _finish(
        self, visits: tuple[tuple[int, int], ...], place: int, times: Times, distance: float
    ) -> None:
        """Add the trips that make exactly these visits."""
        v = self.vehicle
        distance += self._distance(place, self.end_depot.place)
        if v.max_distance is not None and distance > v.max_distance + TOLERANCE:
            return
        ends, starts = times, np.arange(self.horizon)
        if self.has_times:
            arrival = times + self._travel(place, self.end_depot.place)
            ends = self._at(self._opening(self.end_depot.windows), arrival)
            if v.shift:
                ends = np.where(ends <= _ticks(v.shift[1]), ends, NEVER)
        # The latest departure of those with the same return is best.
        is_last = (ends < NEVER) & (ends != np.append(ends[1:], NEVER))
        if v.max_duration is not None:
            is_last &= ends - starts <= _ticks(v.max_duration)
        departures = np.flatnonzero(is_last).tolist()
        if not departures:
            return
        for quantities in product(*self._alternatives(visits)):
            if not v.min_load <= sum(quantities) <= v.capacity:
                continue
            load = [0] * len(self.instance.customers)
            for (c, _), q in zip(visits, quantities, strict=True):
                load[c] = q
            order = tuple((c, load[c]) for c, _ in visits)
            trips = [
                Trip(s, int(ends[s]), distance * v.cost_per_distance
                     + (int(ends[s]) - s) / TICKS * v.cost_per_time, order)
                for s in departures
            ]  # fmt: skip
            self.trips[tuple(load)] += trips if v.max_trips > 1 else [min(trips, key=_by_cost)]

    def _alternatives(self, visits: tuple[tuple[int, int], ...]) -> list[list[int]]:
        """The quantities with these times of service."""
        return [
            [q for q in self.rules.quantities(c)
             if self._service(c, q) * self.has_times == service]
            for c, service in visits
        ]  # fmt: skip

    def vehicles(self) -> dict[Effect, Label]:
        """The cheapest sequence of trips for everything that one vehicle may deliver."""
        best: dict[Effect, Label] = {}
        start = (NOTHING,) * len(self.instance.customers)
        labels: dict[Effect, list[Label]] = {start: [Label(0, self.vehicle.fixed_cost, ())]}
        trips = {load: _undominated(found) for load, found in self.trips.items()}
        for _ in range(self.vehicle.max_trips):
            longer: dict[Effect, list[Label]] = defaultdict(list)
            for effect, before in labels.items():
                for load, options in trips.items():
                    after = self._after(effect, load)
                    if after is not None:
                        longer[after] += self._appended(before, load, options)
            labels = {effect: _efficient(found) for effect, found in longer.items() if found}
            for effect, found in labels.items():
                best[effect] = min([*found, best.get(effect, found[0])], key=_by_cost)
        return best

    def _after(self, effect: Effect, load: tuple[int, ...]) -> Effect | None:
        shares = []
        for c, (share, q) in enumerate(zip(effect, load, strict=True)):
            added = self.rules.share(c, q) if q else NOTHING
            total = share[0] + added[0], share[1] + added[1], share[2] + added[2]
            if not self.rules.is_possible(c, total):
                return None
            shares.append(total)
        return tuple(shares)

    def _appended(
        self, labels: list[Label], load: tuple[int, ...], options: list[Trip]
    ) -> list[Label]:
        v = self.vehicle
        amount = sum(load) * float(self.instance.unit)
        loading = _ticks(v.loading + v.loading_per_unit * amount) if self.has_times else 0
        return [
            Label(trip.end, label.cost + trip.cost, (*label.trips, trip))
            for label in labels
            for trip in options
            if not label.trips or trip.start >= label.end + loading
        ]


def _by_cost(record: Label | Trip) -> float:
    return record.cost


def _undominated(trips: list[Trip]) -> list[Trip]:
    kept: list[Trip] = []
    for trip in sorted(trips, key=lambda t: (t.cost, t.end, -t.start)):
        # Sorted by cost: another trip is at least as good if it starts no earlier, ends no later.
        if not any(k.start >= trip.start and k.end <= trip.end for k in kept):
            kept.append(trip)
    return kept


def _efficient(labels: list[Label]) -> list[Label]:
    kept: list[Label] = []
    for label in sorted(labels, key=lambda x: (x.cost, x.end)):
        if not kept or label.end < kept[-1].end:
            kept.append(label)
    return kept
