"""Times: windows, shifts, durations, and the time between trips."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from splitroute.distances import Floats
from splitroute.instance import Depot, Instance, VehicleType, Windows
from splitroute.instance.clock import duration_text, time_text
from splitroute.instance.customers import customer_name
from splitroute.solution import Route, Solution, timetable
from splitroute.validation.columns import Columns
from splitroute.validation.values import TIME_TOLERANCE, Claims, Violation, agrees, exceeds

WINDOW_TOLERANCE = 1e-9  # relative; if it is missed by more, a vehicle waits for the next window
VISIT_FIELDS = ("arrival", "start", "end")


@dataclass(frozen=True, slots=True)
class Trip:
    """The times of a route."""

    route: Route
    start: float
    visits: list[tuple[float, float, float]]  # arrival, start and end of each
    back: float  # arrival at the depot
    end: float  # which may be later, when the depot opens


def trips_of(instance: Instance, columns: Columns, durations: Floats) -> list[Trip]:
    """Follow each route from its departure; the best one where none is given."""
    solution = columns.solution
    chosen = None
    if any(route.start is None for route in solution.routes):
        chosen = [times.start for times in timetable(instance, solution)]
    trips, first = [], 0
    travel = durations.tolist()
    for k, route in enumerate(solution.routes):
        start = chosen[k] if chosen and route.start is None else float(route.start or 0.0)
        trips.append(_follow(instance, route, start, travel[first : first + len(route.visits) + 1]))
        first += len(route.visits) + 1
    return trips


def _follow(instance: Instance, route: Route, start: float, travel: list[float]) -> Trip:
    clock, visits, served = start, [], None
    for (number, quantity), duration in zip(route.visits, travel, strict=False):
        arrival = clock + duration
        begin = clock = arrival
        customer = instance.customers[number - 1]
        if quantity and customer.id != served:  # else it is another piece of the same visit
            begin = _opening(customer.windows, arrival)
            clock = begin + customer.service
        clock += float(quantity * instance.unit) * customer.service_per_unit
        visits.append((arrival, begin, clock))
        served = customer.id if quantity else None
    back = clock + travel[-1]
    kind = instance.vehicle_types[route.vehicle_type]
    windows = _depot(instance, kind.end_depot or kind.depot).windows
    return Trip(route, start, visits, back, _opening(windows, back))


def _opening(windows: Windows, time: float) -> float:
    """When a vehicle that arrives at a time is let in; at once if all windows are over."""
    for opens, closes in windows:
        if time <= closes + WINDOW_TOLERANCE * max(1.0, abs(closes)):
            return max(opens, time)
    return time


def _depot(instance: Instance, id: str | None) -> Depot:
    return next(depot for depot in instance.depots if id in (None, depot.id))


def time_violations(instance: Instance, trips: list[Trip], claims: Claims) -> list[Violation]:
    """Violated rules of time, and false claims about times."""
    violations = []
    for number, trip in enumerate(trips, 1):
        violations += _late_visits(instance, number, trip)
        violations += _depot_times(instance, number, trip)
        violations += _shift_and_duration(instance, number, trip)
    violations += _overlapping_trips(instance, trips)
    return [*violations, *_false_claims(instance, trips, claims)]


def start_violations(solution: Solution) -> list[Violation]:
    """Departures that are no numbers."""
    return [
        Violation("start", f"route {number} departs at {route.start!r}; it must be a number")
        for number, route in enumerate(solution.routes, 1)
        if route.start is not None
        and (not isinstance(route.start, float | int) or not math.isfinite(route.start))
    ]


def _late_visits(instance: Instance, number: int, trip: Trip) -> list[Violation]:
    violations, served = [], None
    for visit, (_, start, _) in zip(trip.route.visits, trip.visits, strict=True):
        customer = instance.customers[visit.customer - 1]
        windows = customer.windows if visit.quantity and customer.id != served else ()
        served = customer.id if visit.quantity else None
        if windows and exceeds(start, closes := windows[-1][1]):
            message = (
                f"route {number} reaches {customer_name(instance, visit.customer)} at "
                f"{time_text(instance, start)}; its window closes at "
                f"{time_text(instance, closes)}, {_apart(instance, start, closes)}"
            )
            violations.append(Violation("windows", message))
    return violations


def _depot_times(instance: Instance, number: int, trip: Trip) -> list[Violation]:
    kind = instance.vehicle_types[trip.route.vehicle_type]
    violations = []
    for verb, time, id in (
        ("departs", trip.start, kind.depot),
        ("returns", trip.end, kind.end_depot or kind.depot),
    ):
        depot = _depot(instance, id)
        if not depot.windows or any(_is_within(time, window) for window in depot.windows):
            continue
        edges = [edge for window in depot.windows for edge in window]
        edge = min(edges, key=lambda edge: abs(edge - time))
        event = "opens" if edge > time else "closes"
        message = (
            f"route {number} {verb} at {time_text(instance, time)}; depot {depot.id!r} {event} at "
            f"{time_text(instance, edge)}, {_apart(instance, time, edge)}"
        )
        violations.append(Violation("depot_windows", message))
    return violations


def _shift_and_duration(instance: Instance, number: int, trip: Trip) -> list[Violation]:
    kind = instance.vehicle_types[trip.route.vehicle_type]
    first, last = kind.shift or (0.0, math.inf)
    violations = []
    for verb, time, limit, event in (
        ("departs", trip.start, first, "starts" if kind.shift else ""),
        ("returns", trip.end, last, "ends"),
    ):
        is_outside = exceeds(limit, time) if verb == "departs" else exceeds(time, limit)
        if is_outside:
            rule = f"the shift of {kind.type!r} {event}" if event else "times start"
            message = (
                f"route {number} {verb} at {time_text(instance, time)}; {rule} at "
                f"{time_text(instance, limit)}, {_apart(instance, time, limit)}"
            )
            violations.append(Violation("shift", message))
    duration, longest = trip.end - trip.start, kind.max_duration
    if longest is not None and exceeds(duration, longest):
        message = (
            f"route {number} takes {duration_text(instance, duration)}, "
            f"{duration_text(instance, duration - longest)} more than max_duration "
            f"of {kind.type!r}, which is {duration_text(instance, longest)}"
        )
        violations.append(Violation("max_duration", message))
    return violations


def _overlapping_trips(instance: Instance, trips: list[Trip]) -> list[Violation]:
    vehicles: dict[tuple[int, int], list[tuple[int, Trip]]] = {}
    for number, trip in enumerate(trips, 1):
        if trip.route.vehicle:
            key = (trip.route.vehicle_type, trip.route.vehicle)
            vehicles.setdefault(key, []).append((number, trip))
    violations = []
    for (index, _), found in sorted(vehicles.items()):
        kind = instance.vehicle_types[index]
        ordered = sorted(found, key=lambda pair: pair[1].route.trip)
        for (before, first), (number, second) in pairwise(ordered):
            loading = _loading(instance, kind, second.route)
            if exceeds(ready := first.end + loading, second.start):
                message = (
                    f"route {number} departs at {time_text(instance, second.start)}; its vehicle "
                    f"returns from route {before} at {time_text(instance, first.end)} "
                    f"and is ready at {time_text(instance, ready)}, "
                    f"{_apart(instance, second.start, ready)}"
                )
                violations.append(Violation("loading", message))
    return violations


def _loading(instance: Instance, kind: VehicleType, route: Route) -> float:
    load = sum(int(visit.quantity) for visit in route.visits)
    return kind.loading + float(load * instance.unit) * kind.loading_per_unit


def _false_claims(instance: Instance, trips: list[Trip], claims: Claims) -> Iterator[Violation]:
    for number, (stated, trip) in enumerate(zip(claims.ends, trips, strict=False), 1):
        if stated is not None and not agrees(stated, trip.end, TIME_TOLERANCE):
            message = f"the stated end of route {number} is {time_text(instance, float(stated))}"
            yield Violation("time", f"{message}; it is {time_text(instance, trip.end)}")
    for number, (rows, trip) in enumerate(zip(claims.visit_times, trips, strict=False), 1):
        false = [
            f"the stated {name} of route {number} at {customer_name(instance, visit.customer)} is "
            f"{time_text(instance, float(stated))}; it is {time_text(instance, true)}"
            for visit, row, times in zip(trip.route.visits, rows, trip.visits, strict=False)
            for name, stated, true in zip(VISIT_FIELDS, row, times, strict=True)
            if stated is not None and not agrees(stated, true, TIME_TOLERANCE)
        ]
        if false:  # one of them is often the reason for all that follow
            others = f", and {len(false) - 1} later times are false" if len(false) > 1 else ""
            yield Violation("time", false[0] + others)


def _is_within(time: float, window: tuple[float, float]) -> bool:
    return not exceeds(window[0], time) and not exceeds(time, window[1])


def _apart(instance: Instance, time: float, other: float) -> str:
    word = "later" if other > time else "earlier"
    return f"{duration_text(instance, abs(other - time))} {word}"
