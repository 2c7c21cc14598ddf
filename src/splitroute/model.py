"""Builds instances step by step, in the style of PyVRP's `Model`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from splitroute.distances import Metric
from splitroute.errors import InputError, wrong_type
from splitroute.formats._arguments import check_speed
from splitroute.formats._distances import DistanceTables
from splitroute.formats._errors import ErrorCollector
from splitroute.formats._numbers import Field, Quantities, parse_unit
from splitroute.formats._records import (
    Record,
    add_quantities,
    complete,
    customer_columns,
)
from splitroute.instance import Depot, Instance, VehicleType
from splitroute.pipeline import solve
from splitroute.result import Result
from splitroute.roads import RoadListener, RoadServer

Number = Decimal | float
Span = Sequence[float]  # from, until
VEHICLE = "vehicle"  # type of those that have no other
COORDINATES = "x and y, or lat and lon"


class _Edge(NamedTuple):
    distance: float
    duration: float | None


class Model:
    """Depots, customers, vehicle types and edges that become an instance.

    Quantities are as users count, whatever their unit. Methods return the id or the type that
    others refer to. Rules are fields of `Depot`, `Customer` and `VehicleType`.
    """

    def __init__(
        self,
        name: str = "",
        *,
        metric: Metric | None = None,
        unit: Number | str | None = None,
        speed: float | None = None,
        clock: bool | None = None,
        partial: bool = False,
        matrix: Any = None,
        durations: Any = None,
        roads: RoadServer | str | None = None,
        roads_cache: str | os.PathLike[str] | None = None,
        roads_listener: RoadListener | None = None,
    ) -> None:
        """`matrix`, `durations` and `roads` are as in `read`; depots come first in matrices."""
        self._unit = None if unit is None else parse_unit(str(unit), Field("unit"))
        self._options = {
            "name": name, "metric": metric, "speed": speed, "clock": clock, "partial": partial
        }  # fmt: skip
        self._tables = DistanceTables(matrix, durations, roads, roads_cache, roads_listener)
        self._tables.check(speed, metric)
        check_speed(speed)
        self._depots: dict[str, tuple[tuple[float, float], ...]] = {}  # windows by id
        self._customers: dict[str, Record] = {}
        self._fleet: dict[str, Record] = {}
        self._places: dict[str, tuple[str, float, float] | None] = {}  # by id
        self._edges: dict[tuple[str, str], _Edge] = {}  # by start and end

    def add_depot(
        self,
        x: float | None = None,
        y: float | None = None,
        *,
        lat: float | None = None,
        lon: float | None = None,
        id: str | None = None,
        windows: Sequence[Span] = (),
    ) -> str:
        """Add a depot and return its id, by default "depot", "depot2" and so on."""
        spans = _windows(windows, "add_depot(x, y, windows=[(480, 1020)])")
        id = _default_id("depot", id, len(self._depots))
        self._add_place(f"depot {id!r}", id, x, y, lat, lon)
        self._depots[id] = spans
        return id

    def add_customer(
        self,
        x: float | None = None,
        y: float | None = None,
        *,
        demand: Number,
        lat: float | None = None,
        lon: float | None = None,
        id: str | None = None,
        note: str = "",
        windows: Sequence[Span] = (),
        service: float = 0.0,
        service_per_unit: float = 0.0,
        splittable: bool = True,
        min_drop: Number = 0,
        max_visits: int | None = None,
        lot: Number | None = None,
        extra_visit_cost: float = 0.0,
        vehicle_types: Sequence[str] | None = None,
        penalty: float | None = None,
    ) -> str:
        """Add a customer and return its id, by default "1", "2" and so on."""
        spans = _windows(windows, "add_customer(x, y, demand=5, windows=[(480, 600)])")
        id = str(len(self._customers) + 1) if id is None else id
        self._add_place(f"customer {id!r}", id, x, y, lat, lon)
        values = {
            "note": note, "windows": spans, "service": service,
            "service_per_unit": service_per_unit, "splittable": splittable,
            "max_visits": max_visits, "extra_visit_cost": extra_visit_cost,
            "vehicle_types": vehicle_types, "penalty": penalty,
        }  # fmt: skip
        quantities = {"demand": demand, "min_drop": min_drop, "lot": lot}
        self._customers[id] = _record(repr(id), values, quantities)
        return id

    def add_vehicle_type(
        self,
        capacity: Number,
        count: int | None = None,
        *,
        type: str | None = None,
        depot: str | None = None,
        end_depot: str | None = None,
        fixed_cost: float = 0.0,
        cost_per_distance: float = 1.0,
        cost_per_time: float = 0.0,
        shift: Span | None = None,
        max_distance: float | None = None,
        max_duration: float | None = None,
        max_stops: int | None = None,
        max_trips: int = 1,
        loading: float = 0.0,
        loading_per_unit: float = 0.0,
        min_load: Number = 0,
    ) -> str:
        """Add vehicles that are alike and return their type, by default "vehicle".

        Without a `count` there is no limit.
        """
        if shift is not None:
            shift = _span("shift", shift, "add_vehicle_type(100, shift=(480, 1020))")
        type = _default_id(VEHICLE, type, len(self._fleet))
        if type in self._fleet:
            raise InputError(f"duplicate vehicle type {type!r}", field="type", value=type)
        values = {
            "type": type, "count": count, "depot": depot, "end_depot": end_depot,
            "fixed_cost": fixed_cost, "cost_per_distance": cost_per_distance,
            "cost_per_time": cost_per_time, "shift": shift, "max_distance": max_distance,
            "max_duration": max_duration, "max_stops": max_stops, "max_trips": max_trips,
            "loading": loading, "loading_per_unit": loading_per_unit,
        }  # fmt: skip
        quantities = {"capacity": capacity, "min_load": min_load}
        self._fleet[type] = _record(f"vehicle type {type!r}", values, quantities)
        return type

    def add_edge(self, frm: str, to: str, distance: float, duration: float | None = None) -> None:
        """Add the way from one depot or customer to another; missing ones lead over others."""
        for field, id in (("frm", frm), ("to", to)):
            if id not in self._places:
                message = f"{field} is {id!r}; there is no depot or customer of this id"
                raise InputError(message, field=field, value=id)
        for field, value in (("distance", distance), ("duration", duration)):
            is_omitted = field == "duration" and value is None
            if not is_omitted and not isinstance(value, Real | Decimal):
                raise wrong_type(field, value, "a number", "add_edge('depot', '1', 12.5)")
        if (frm, to) in self._edges:
            message = f"the edge from {frm!r} to {to!r} is there already"
            raise InputError(message, field="to", value=to)
        self._edges[frm, to] = _Edge(distance, duration)

    def instance(self) -> Instance:
        """Return the instance; raise an InputError for what is missing or invalid."""
        if not self._depots:
            raise InputError("no depot; call add_depot(x, y)", field="depots")
        if not self._fleet:
            message = "no vehicles; call add_vehicle_type(capacity=100)"
            raise InputError(message, field="vehicles")
        quantities = Quantities(self._unit, ErrorCollector(""))
        fleet, customers = list(self._fleet.values()), list(self._customers.values())
        add_quantities(fleet, quantities)
        add_quantities(customers, quantities)
        unit, amounts = quantities.to_units()
        counts = iter(amounts)
        types = [VehicleType(**values) for values in complete(fleet, counts)]
        values = complete(customers, counts)
        tables = self._distance_tables()
        first = types[0]
        # Vehicles that differ in nothing from the classic problem's are not a fleet.
        is_classic = types == [VehicleType(VEHICLE, first.capacity, first.count)]
        is_classic = is_classic and len(self._depots) == 1
        instance = Instance.create(
            first.capacity if is_classic else None,
            demands=[customer.pop("demand") for customer in values],
            notes=[customer.pop("note") for customer in values],
            ids=list(self._customers),
            vehicles=first.count if is_classic else types,
            depots=[Depot(id, k, windows) for k, (id, windows) in enumerate(self._depots.items())],
            unit=unit,
            **self._place_arguments(has_matrix=tables.matrix is not None),
            **customer_columns(values),
        )
        return tables.add_to(instance)

    def solve(self, **arguments: Any) -> Result:
        """Return the result of `solve` with these arguments."""
        return solve(self.instance(), **arguments)

    def _add_place(
        self,
        name: str,
        id: str,
        x: float | None,
        y: float | None,
        lat: float | None,
        lon: float | None,
    ) -> None:
        if id in self._places:
            raise InputError(f"{name}: another place has this id", field="id", value=id)
        given = [(k, *p) for k, p in (("x and y", (x, y)), ("lat and lon", (lat, lon)))
                 if p != (None, None)]  # fmt: skip
        if len(given) > 1 or any(None in place for place in given):
            raise InputError(f"{name}: give {COORDINATES}", field="coordinates", value=id)
        self._places[id] = given[0] if given else None  # type: ignore[assignment]

    def _place_arguments(self, *, has_matrix: bool) -> dict[str, Any]:
        """Arguments of `Instance.create` for places, or for a matrix that will be replaced."""
        ids = [*self._depots, *self._customers]
        places = [self._places[id] for id in ids]
        if has_matrix and not any(places):
            zeros = np.zeros((len(ids), len(ids)))
            return {**self._options, "metric": "matrix", "matrix": zeros}
        kind = next((place[0] for place in places if place), COORDINATES)
        for id, place in zip(ids, places, strict=True):
            if place is None or place[0] != kind:
                raise InputError(f"{id!r} has no {kind}", field="coordinates", value=id)
        first, second = [p[1] for p in places if p], [p[2] for p in places if p]
        if kind == "lat and lon":
            return {**self._options, "lat": first, "lon": second}
        return {**self._options, "coordinates": list(zip(first, second, strict=True))}

    def _distance_tables(self) -> DistanceTables:
        """The tables given, or those of the edges."""
        if not self._edges:
            return self._tables
        if self._tables != DistanceTables():
            message = "edges have distances of their own; omit them or matrix, durations and roads"
            raise InputError(message, field="edges")
        index = {id: k for k, id in enumerate([*self._depots, *self._customers])}
        matrix, durations = np.full((2, len(index), len(index)), np.nan)
        has_durations = next(iter(self._edges.values())).duration is not None
        for (start, end), edge in self._edges.items():
            if (edge.duration is not None) != has_durations:
                message = f"the edge from {start!r} to {end!r}: give a duration to all "
                raise InputError(f"{message}edges or to none", field="duration")
            matrix[index[start], index[end]] = edge.distance
            durations[index[start], index[end]] = edge.duration
        return DistanceTables(matrix, durations if has_durations else None)


def _default_id(name: str, id: str | None, count: int) -> str:
    return id if id is not None else f"{name}{count + 1}" if count else name


def _windows(windows: Any, call: str) -> tuple[tuple[float, float], ...]:
    if not isinstance(windows, Iterable):
        raise wrong_type("windows", windows, "a list of pairs of times", call)
    return tuple(_span("windows", window, call) for window in windows)


def _span(field: str, value: Any, call: str) -> tuple[float, float]:
    times = tuple(value) if isinstance(value, Iterable) else ()
    if len(times) != 2 or not all(isinstance(time, Real) for time in times):
        raise wrong_type(field, value, "a pair of times", call)
    first, last = times
    return first, last


def _record(owner: str, values: dict[str, Any], quantities: dict[str, Any]) -> Record:
    """A record with quantities as texts, from which their unit is inferred."""
    source = Field("", owner=owner)
    texts = {k: (str(v), source.named(k)) for k, v in quantities.items() if (k, v) != ("lot", None)}
    return Record(values, texts, source)
