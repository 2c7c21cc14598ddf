"""Write the visits of a solution as CSV."""

from __future__ import annotations

from splitroute.files import Dialect
from splitroute.formats._csv_writing import axes, coordinates, localized, write_table
from splitroute.formats._numbers import format_quantity
from splitroute.formats._table import without_formula
from splitroute.instance import Instance
from splitroute.solution import (
    Route,
    RouteTimes,
    Solution,
    Undelivered,
    explain_undelivered,
    route_depots,
    timetable,
)

VEHICLE_COLUMNS = ["vehicle_type", "vehicle", "trip"]
TRIP_COLUMNS = ["departure", "return"]
TIME_COLUMNS = ["arrival", "start", "end"]
UNDELIVERED_COLUMNS = ["undelivered", "reason"]

Row = dict[str, str]  # cells by column


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """Table of the visits, with the load that remains after each.

    Every row states its trip, so that rows can be filtered and sorted. Undelivered quantities
    have rows of their own without a route.
    """
    writer = _Writer(instance)
    times = timetable(instance, solution) if instance.has_times else [None] * len(solution.routes)
    missing = explain_undelivered(instance, solution) if instance.rules else ()
    rows = []
    for number, (route, time) in enumerate(zip(solution.routes, times, strict=True), 1):
        rows += writer.route(number, route, time)
    rows += map(writer.undelivered, missing)
    columns = writer.columns(has_undelivered=bool(missing))
    table = [[row.get(column, "") for column in columns] for row in rows]
    return write_table([columns, *table], writer.dialect)


class _Writer:
    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self.dialect = instance.dialect or Dialect()
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
        trip = {"route": str(number), **self._trip(route, times)}
        rows, remaining = [], route.load
        for position, visit in enumerate(route.visits, 1):
            remaining -= visit.quantity
            row = {
                **trip,
                **self._customer(visit.customer),
                "visit": str(position),
                "quantity": self._quantity(visit.quantity),
                "remaining": self._quantity(remaining),
            }
            if times is not None:
                moments = times.visits[position - 1]._asdict()
                row |= {key: self._time(time) for key, time in moments.items()}
            rows.append(row)
        return rows

    def undelivered(self, item: Undelivered) -> Row:
        """A row without a route and a quantity."""
        return {
            **self._customer(item.customer),
            "undelivered": self._quantity(item.quantity),
            "reason": without_formula(item.reason),
        }

    def _trip(self, route: Route, times: RouteTimes | None) -> Row:
        """Vehicle type, number of the vehicle if it has one, trip, depots and times."""
        kind = self._instance.vehicle_types[route.vehicle_type]
        start, end = route_depots(self._instance, route)
        row = {
            "vehicle_type": without_formula(kind.type),
            "vehicle": str(route.vehicle or ""),
            "trip": str(route.trip),
            "depot": without_formula(start.id),
            "end_depot": without_formula(end.id),
        }
        if times is not None:
            row |= {"departure": self._time(times.start), "return": self._time(times.end)}
        return row

    def _customer(self, number: int) -> Row:
        customer = self._instance.customers[number - 1]
        place = coordinates(self._instance, customer.place, self.dialect) if self._axes else ()
        return {
            "number": str(number),
            "id": without_formula(customer.id),
            **dict(zip(self._axes, place, strict=True)),
            "note": without_formula(customer.note),
        }

    def _quantity(self, amount: int) -> str:
        return localized(format_quantity(self._instance, amount), self.dialect)

    def _time(self, time: float) -> str:
        """With seconds: a column in which only some times have them does not sort."""
        if not self._instance.clock:
            return localized(f"{time:.10g}", self.dialect)
        minutes, seconds = divmod(round(time * 60), 60)
        return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
