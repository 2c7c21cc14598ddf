"""When vehicles depart, arrive, serve and return.

The departure of a trip determines its times: every visit is served as early as possible. A route
without a departure gets one here. The trips of a vehicle follow each other: each returns as early
as it can after the one before, and departs as late as it can without delaying that return, which
also makes it as short as possible (Savelsbergh 1992). Only with several windows, a later return can
be shorter; where duration is priced or limited, the shortest is chosen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import NamedTuple

from splitroute.instance import Instance, VehicleType, Windows
from splitroute.instance.windows import (
    ALWAYS,
    EARLIEST,
    depot_windows,
    earliest,
    latest,
    tolerance,
)
from splitroute.solution.legs import leg_durations, legs_of
from splitroute.solution.routes import Route, Solution, Visit, trips_of_vehicles


class VisitTimes(NamedTuple):
    """Arrival at a customer, start of the service, and its end, which is the departure."""

    arrival: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class RouteTimes:
    """Departure from the depot, return to it, and the times of the visits."""

    start: float
    end: float
    visits: tuple[VisitTimes, ...]

    @property
    def duration(self) -> float:
        """Time from departure to return."""
        return self.end - self.start


def timetable(instance: Instance, solution: Solution) -> tuple[RouteTimes, ...]:
    """Return the times of each route; a visit that misses its windows is served on arrival."""
    trips = _trips(instance, solution)
    times: list[RouteTimes | None] = [None] * len(trips)
    for indices in trips_of_vehicles(solution):
        deadlines = _latest_returns([trips[k] for k in indices])
        ready = -math.inf
        for position, (k, deadline) in enumerate(zip(indices, deadlines, strict=True)):
            trip, start = trips[k], solution.routes[k].start
            if position:
                ready += trip.loading
            chosen = trip.choose(ready, deadline) if start is None else trip.run(start)[0]
            times[k], ready = chosen, chosen.end
    return tuple(t for t in times if t is not None)


def with_departures(instance: Instance, solution: Solution) -> Solution:
    """Return the solution with a departure for every route, if the instance has times."""
    if not instance.has_times:
        return solution
    times = timetable(instance, solution)
    return Solution(
        tuple(replace(r, start=t.start) for r, t in zip(solution.routes, times, strict=True))
    )


def service_time(instance: Instance, visit: Visit) -> float:
    """Time that a visit takes; none for a pass-through."""
    if not visit.quantity:
        return 0.0
    customer = instance.customers[visit.customer - 1]
    quantity = visit.quantity * float(instance.unit)
    return customer.service + customer.service_per_unit * quantity


def loading_time(instance: Instance, route: Route) -> float:
    """Time to load a vehicle for a trip that is not its first."""
    kind = instance.vehicle_types[route.vehicle_type]
    return kind.loading + kind.loading_per_unit * route.load * float(instance.unit)


class _Trip:
    """A route with what its times depend on. The depots are stops without service."""

    def __init__(
        self,
        visits: Sequence[tuple[Windows, float]],
        legs: list[float],
        kind: VehicleType,
        depots: tuple[Windows, Windows],
        loading: float,
    ) -> None:
        self.legs = legs
        self.depart = depots[0]
        self.shift_start = kind.shift[0] if kind.shift else EARLIEST
        self.windows = [*(windows for windows, _ in visits), depots[1]]  # of the return last
        self.services = [service for _, service in visits]
        self.loading = loading  # before it, unless it is the first
        self.has_choice = (kind.cost_per_time > 0 or kind.max_duration is not None) and any(
            len(windows) > 1 for windows in (self.depart, *self.windows)
        )

    def run(self, start: float) -> tuple[RouteTimes, bool]:
        """Return the times after a departure, and whether all windows are met."""
        visits, now, is_met = [], start, True
        for leg, windows, service in zip(
            self.legs, self.windows, [*self.services, 0.0], strict=True
        ):
            arrival = now + leg
            begin = earliest(windows, arrival)
            is_met = is_met and begin is not None
            begin = arrival if begin is None else begin
            now = begin + service
            visits.append(VisitTimes(arrival, begin, now))
        return RouteTimes(start, visits.pop().start, tuple(visits)), is_met

    def latest_departure(self, stop: int, time: float) -> float:
        """Return the latest departure with which the service at a stop can start by a time."""
        for k in range(stop, -1, -1):
            time = latest(self.windows[k], time) - self.legs[k]
            if k:
                time -= self.services[k - 1]
        return latest(self.depart, time)

    def choose(self, ready: float, deadline: float) -> RouteTimes:
        """Return the times after the best departure, not before the vehicle is ready."""
        soonest = earliest(self.depart, ready)
        if soonest is None:  # the windows are over, or none is within the shift
            return self.run(max(ready, self.shift_start))[0]
        first, is_met = self.run(soonest)
        last = len(self.windows) - 1
        best, _ = self.run(max(soonest, self.latest_departure(last, first.end)))
        if not (self.has_choice and is_met):
            return best
        # In a shortest trip, the last wait ends when some window opens; or nobody waits, and the
        # trip may be moved ahead until a window opens or the vehicle is not ready.
        openings = [
            self.latest_departure(stop, window[0])
            for stop, windows in enumerate(self.windows)
            for window in windows
        ]
        for start in sorted({*openings, *(window[0] for window in self.depart)}):
            if start > soonest:
                times, is_met = self.run(start)
                is_shorter = times.duration < best.duration - tolerance(times.end)
                if is_met and is_shorter and times.end <= deadline + tolerance(deadline):
                    best = times
        return best


def _trips(instance: Instance, solution: Solution) -> list[_Trip]:
    legs = legs_of(instance, solution)
    durations = leg_durations(instance, legs).tolist()
    types = instance.vehicle_types
    depots = [depot_windows(instance, kind) for kind in types]

    def trip(route: Route, first: int) -> _Trip:
        kind = types[route.vehicle_type]
        return _Trip(
            list(map(_stop, repeat(instance), (None, *route.visits), route.visits)),
            durations[first : first + len(route.visits) + 1],
            kind,
            depots[route.vehicle_type],
            loading_time(instance, route),
        )

    return list(map(trip, solution.routes, legs.firsts.tolist()))


def _stop(instance: Instance, before: Visit | None, visit: Visit) -> tuple[Windows, float]:
    """The windows of a visit and the time that it takes.

    Pieces of one customer in a row are one visit: only the first must start in a window.
    """
    customer, service = instance.customers[visit.customer - 1], service_time(instance, visit)
    if not visit.quantity:
        return ALWAYS, service  # a vehicle may pass through at any time
    if before and before.quantity and instance.customers[before.customer - 1].id == customer.id:
        return ALWAYS, service - customer.service
    return customer.windows or ALWAYS, service


def _latest_returns(trips: list[_Trip]) -> list[float]:
    """The latest return of each trip of a vehicle that leaves time for the trips after it."""
    returns = [math.inf]
    for trip in reversed(trips[1:]):
        departure = trip.latest_departure(len(trip.windows) - 1, returns[-1])
        returns.append(departure - trip.loading)
    return returns[::-1]
