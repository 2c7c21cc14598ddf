"""The visits and the routes of a solution as rows of tables."""

from __future__ import annotations

from splitroute.formats._csv_writing import axes
from splitroute.formats._values import Clock, Name, Value
from splitroute.instance import Instance
from splitroute.report import vehicle_names
from splitroute.solution import (
    Route,
    RouteTimes,
    Solution,
    Undelivered,
    explain_undelivered,
    route_costs,
    route_depots,
    route_distances,
    timetable,
)

VEHICLE_COLUMNS = ["vehicle_type", "vehicle", "trip"]
TRIP_COLUMNS = ["departure", "return"]
TIME_COLUMNS = ["arrival", "start", "end"]
UNDELIVERED_COLUMNS = ["undelivered", "reason"]

Row = dict[str, Value]  # cells by column


def visit_rows(
    instance: Instance, solution: Solution, *, with_undelivered: bool = True
) -> list[list[Value]]:
    """Return the titles, and a row per visit with the load that remains after it.

    Every row states its trip, so that rows can be filtered and sorted. Undelivered quantities
    have rows of their own without a route, unless they are to be left out.
    """
    writer = _Writer(instance)
    times = timetable(instance, solution) if instance.has_times else [None] * len(solution.routes)
    has_missing = instance.rules and with_undelivered
    missing = explain_undelivered(instance, solution) if has_missing else ()
    rows = []
    for number, (route, time) in enumerate(zip(solution.routes, times, strict=True), 1):
        rows += writer.route(number, route, time)
    rows += map(writer.undelivered, missing)
    columns = writer.columns(has_undelivered=bool(missing))
    return [[*columns], *([row.get(column, "") for column in columns] for row in rows)]


def route_rows(instance: Instance, solution: Solution) -> list[list[Value]]:
    """Return the titles, and a row per route with its vehicle, times, load, distance and cost."""
    times = timetable(instance, solution) if instance.has_times else None
    ends = TRIP_COLUMNS if times else []
    names, costs = vehicle_names(instance, solution), route_costs(instance, solution)
    distances = route_distances(instance, solution)
    rows: list[list[Value]] = [
        ["route", "vehicle", *ends, "visits", "load", "capacity", "distance", "cost"]
    ]
    for k, route in enumerate(solution.routes):
        capacity = instance.vehicle_types[route.vehicle_type].capacity
        moments = (times[k].start, times[k].end) if times else ()
        rows.append(
            [
                *(k + 1, Name(names[k])),
                *(time_value(instance, time) for time in moments),
                *(len(route.visits), route.load * instance.unit, capacity * instance.unit),
                *(distances[k], costs[k]),
            ]
        )
    return rows


def place_values(instance: Instance, place: int) -> list[Value]:
    """Coordinates of a place in the order of the axes."""
    x, y = map(float, instance.places[place])
    return [y, x] if instance.is_globe else [x, y]


def time_value(instance: Instance, time: float) -> Value:
    """A time of day, or a number."""
    if not instance.clock:
        return float(f"{time:.10g}")
    # With seconds: a column in which only some times have them does not sort.
    minutes, seconds = divmod(round(time * 60), 60)
    return Clock(float(time), f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}")


class _Writer:
    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._axes = axes(instance) if instance.places else []

    def columns(self, *, has_undelivered: bool) -> list[str]:
        """Titles of the columns; those without any values are left out."""
        instance = self._instance
        has_ends = any(kind.end_depot not in (None, kind.depot) for kind in instance.fleet)
        return [
            *("route", *(VEHICLE_COLUMNS if instance.fleet else ())),
            *["depot"] * (len(instance.depots) > 1),
            *["end_depot"] * has_ends,
            *(TRIP_COLUMNS if instance.has_times else ()),
            *("visit", "number", "id", *self._axes, "quantity", "remaining"),
            *(TIME_COLUMNS if instance.has_times else ()),
            *(UNDELIVERED_COLUMNS if has_undelivered else ()),
            *["note"] * any(customer.note for customer in instance.customers),
        ]

    def route(self, number: int, route: Route, times: RouteTimes | None) -> list[Row]:
        """A row per visit."""
        trip = {"route": number, **self._trip(route, times)}
        rows, remaining = [], route.load
        for position, visit in enumerate(route.visits, 1):
            remaining -= visit.quantity
            row: Row = {
                **trip,
                **self._customer(visit.customer),
                "visit": position,
                "quantity": self._quantity(visit.quantity),
                "remaining": self._quantity(remaining),
            }
            if times is not None:
                moments = times.visits[position - 1]._asdict()
                row |= {key: time_value(self._instance, time) for key, time in moments.items()}
            rows.append(row)
        return rows

    def undelivered(self, item: Undelivered) -> Row:
        """A row without a route and a quantity."""
        return {
            **self._customer(item.customer),
            "undelivered": self._quantity(item.quantity),
            "reason": Name(item.reason),
        }

    def _trip(self, route: Route, times: RouteTimes | None) -> Row:
        """Vehicle type, number of the vehicle if it has one, trip, depots and times."""
        kind = self._instance.vehicle_types[route.vehicle_type]
        start, end = route_depots(self._instance, route)
        row: Row = {
            "vehicle_type": Name(kind.type),
            "vehicle": route.vehicle or "",
            "trip": route.trip,
            "depot": Name(start.id),
            "end_depot": Name(end.id),
        }
        if times is not None:
            row |= {
                "departure": time_value(self._instance, times.start),
                "return": time_value(self._instance, times.end),
            }
        return row

    def _customer(self, number: int) -> Row:
        customer = self._instance.customers[number - 1]
        place = place_values(self._instance, customer.place) if self._axes else ()
        return {
            "number": number,
            "id": Name(customer.id),
            **dict(zip(self._axes, place, strict=True)),
            "note": Name(customer.note),
        }

    def _quantity(self, amount: int) -> Value:
        return amount * self._instance.unit
