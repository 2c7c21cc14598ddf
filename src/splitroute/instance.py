"""The problem: places, demands, capacity, metric, and whether demands may be split."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

import numpy as np

from splitroute import distances
from splitroute.distances import METRICS, Floats, Integers, Metric
from splitroute.errors import InputError, LimitError
from splitroute.files import Dialect
from splitroute.registry import one_of

MAX_QUANTITY = 10**12
MAX_VEHICLES = 10**9
MIN_UNIT, MAX_UNIT = Decimal("1e-9"), Decimal("1e9")
MAX_COORDINATE = 1e9
MAX_DISTANCE = 1e12
MAX_TABLE_PLACES = 12_000  # places; the table then takes 1.2 GB
MAX_SCALED_DISTANCE = 10**5  # longest distance after scaling to whole numbers


class Place(NamedTuple):
    """A point in the plane; for the haversine metric x is longitude and y latitude."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Customer:
    """Who wants how much, and where: an index into the places, of which 0 is the depot."""

    id: str
    demand: int
    place: int
    note: str = ""  # for people: a name, an address


@dataclass(frozen=True, eq=False, repr=False)
class Instance:
    """A split delivery problem, or a CVRP if `splittable` is off.

    Demands and capacity are whole multiples of `unit`. Customers are numbered 1..n in order.
    """

    name: str
    capacity: int
    customers: tuple[Customer, ...]
    places: tuple[Place, ...] = ()  # empty: distances are known from the matrix alone
    metric: Metric = "exact"
    matrix: Floats | None = None
    unit: Decimal = Decimal(1)
    splittable: bool = True
    pass_through: bool = False  # vehicles may stop at customers without delivering
    vehicles: int | None = None  # how many there are; None for as many as it takes
    dialect: Dialect | None = None  # of the table it was read from; no part of what it is

    @classmethod
    def create(
        cls,
        capacity: int,
        demands: Sequence[int],
        coordinates: Iterable[tuple[float, float]] = (),
        *,
        lat: Iterable[float] | None = None,
        lon: Iterable[float] | None = None,
        matrix: Sequence[Sequence[float]] | Floats | None = None,
        metric: Metric | None = None,
        ids: Sequence[str] | None = None,
        notes: Sequence[str] = (),
        name: str = "",
        unit: Decimal | float | str = 1,
        vehicles: int | None = None,
        dialect: Dialect | None = None,
    ) -> Instance:
        """An instance with one place per customer, after that of the depot.

        Places are `coordinates` (x, y) in the plane, or `lat` and `lon` in degrees on the globe.
        """
        ids = [str(i) for i in range(1, len(demands) + 1)] if ids is None else ids
        if len(ids) != len(demands):
            raise InputError(f"{len(ids)} ids for {len(demands)} demands", field="ids")
        if len(set(ids)) != len(ids):
            twice = next(id for id, times in Counter(ids).items() if times > 1)
            said = f"the id {twice!r} is used twice; ids are unique"
            raise InputError(said, field="ids", value=twice)
        coordinates = list(coordinates)
        if lat is not None or lon is not None:
            if coordinates:
                raise InputError("give coordinates, or lat and lon; not both", field="coordinates")
            places = _on_globe(lat, lon)
            metric = metric or ("haversine" if matrix is None else "matrix")
        elif metric == "haversine":
            raise InputError(
                "the metric 'haversine' takes lat=[..] and lon=[..], not coordinates",
                field="metric",
            )
        else:
            places = tuple(Place(float(x), float(y)) for x, y in coordinates)
        for known, what in ((places, "places"), (() if matrix is None else matrix, "rows")):
            if len(known) not in (0, len(demands) + 1):
                raise InputError(
                    f"{len(known)} {what} for {len(demands)} customers and the depot; "
                    f"there must be {len(demands) + 1}",
                    field=what,
                )
        return cls(
            name=name,
            capacity=_index(capacity),
            customers=tuple(
                Customer(id, _index(demand), place, note)
                for place, (id, demand, note) in enumerate(
                    zip(ids, demands, notes or [""] * len(demands), strict=True), 1
                )
            ),
            places=places,
            metric=metric or ("exact" if matrix is None else "matrix"),
            matrix=None if matrix is None else _as_matrix(matrix),
            unit=_as_decimal(unit),
            vehicles=None if vehicles is None else _index(vehicles),
            dialect=dialect,
        )

    def __post_init__(self) -> None:
        one_of(list(METRICS), "metric", self.metric)
        _check_quantities(self)
        _check_fleet(self)
        if (self.metric == "matrix") != (self.matrix is not None):
            said = "the metric 'matrix' and a matrix of distances go together"
            raise InputError(said, field="metric", value=self.metric)
        if self.matrix is not None:
            object.__setattr__(self, "matrix", _as_matrix(self.matrix))
        if self.metric != "matrix" or self.places:
            _check_places(self)
        if self.matrix is not None and len(self.places) not in (0, len(self.matrix)):
            said = f"{len(self.places)} places for {len(self.matrix)} rows of the matrix"
            raise InputError(said, field="matrix")
        known = len(self.places) if self.matrix is None else len(self.matrix)
        furthest = max((c.place for c in self.customers), default=0)
        if known <= furthest or min((c.place for c in self.customers), default=0) < 0:
            said = f"{known} places for {len(self.customers)} customers and the depot"
            raise InputError(said, field="customers")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Instance):
            return NotImplemented
        mine, theirs = self.__getstate__(), other.__getstate__()
        for state in (mine, theirs):
            del state["dialect"]
        same_matrix = np.array_equal(_or_empty(mine.pop("matrix")), _or_empty(theirs.pop("matrix")))
        return same_matrix and mine == theirs

    def __repr__(self) -> str:
        """In a line, however many customers there are."""
        count = len(self.customers)
        return (
            f"<Instance {self.name!r}: {count} customer{'s' * (count != 1)}, "
            f"capacity {self.capacity * self.unit}, metric {self.metric!r}>"
        )

    def __hash__(self) -> int:
        return hash((self.name, self.capacity, self.customers, self.metric))

    def __getstate__(self) -> dict[str, object]:
        # Fields only: what is cached is cheaper to compute again than to send along.
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @cached_property
    def demands(self) -> Integers:
        """Demand of each customer, index 0 being the depot's nothing."""
        return np.array([0, *(c.demand for c in self.customers)], dtype=np.int64)

    @cached_property
    def sites(self) -> Integers:
        """Place of the depot and of each customer."""
        return np.array([0, *(c.place for c in self.customers)], dtype=np.int64)

    @cached_property
    def xy(self) -> Floats:
        """Coordinates of the places, one row each; no rows if there are none."""
        return np.array(self.places, dtype=np.float64).reshape(-1, 2)

    @cached_property
    def table(self) -> Floats:
        """Distances between all places."""
        if self.matrix is not None:
            return self.matrix
        self.check_table_size()
        return distances.matrix(self.xy, self.metric)

    def check_table_size(self) -> None:
        """Raises if a table of all distances would be too large."""
        if len(self.places) > MAX_TABLE_PLACES:
            raise LimitError(
                f"{len(self.places)} places are too many for a table of all distances; "
                f"it is made for at most {MAX_TABLE_PLACES}",
                value=len(self.places),
            )

    def distance(self, a: int, b: int) -> float:
        """Distance from one place to another."""
        if self.matrix is not None:
            return float(self.matrix[a, b])
        return distances.between(self.places[a], self.places[b], self.metric)

    def distances_among(self, places: Sequence[int]) -> Floats:
        """The table of distances between a few places."""
        if self.matrix is not None:
            return self.matrix[np.ix_(places, places)]
        return distances.matrix(np.ascontiguousarray(self.xy[places]), self.metric)

    @property
    def symmetric(self) -> bool:
        """Whether every way is as long as the way back."""
        return self.matrix is None or bool(np.array_equal(self.matrix, self.matrix.T))

    def whole_distances(self) -> tuple[Integers, int]:
        """The table in whole numbers for engines that need them, and what it was scaled by."""
        longest = float(self.table.max(initial=0.0))
        if np.array_equal(self.table, np.rint(self.table)):
            scale = 1
        else:
            scale = 10 ** max(0, math.floor(math.log10(MAX_SCALED_DISTANCE / longest)))
        return np.rint(self.table * scale).astype(np.int64), scale

    def from_depot(self) -> Floats:
        """Distance of each customer from the depot, unrounded where there are coordinates."""
        if self.matrix is not None:
            away: Floats = self.matrix[0]
        elif self.metric == "haversine":
            everywhere, once = np.arange(len(self.places)), [1] * len(self.places)
            there_and_back = distances.route_costs(self.xy, self.metric, None, everywhere, once)
            away = np.array(there_and_back) / 2
        else:
            away = distances.from_depot(self.xy)
        return away[self.sites[1:]]

    def enough_vehicles(self) -> int:
        """A number of vehicles that suffices even when nothing may be split."""
        # First fit leaves at most one vehicle half empty.
        total = int(self.demands.sum())
        return max(1, min(2 * -(-total // self.capacity) + 1, len(self.customers)))


def _on_globe(lat: Iterable[float] | None, lon: Iterable[float] | None) -> tuple[Place, ...]:
    if lat is None or lon is None:
        said = "lat and lon go together: one of each for the depot and every customer"
        raise InputError(said, field="lat" if lat is None else "lon")
    latitudes, longitudes = list(lat), list(lon)
    if len(latitudes) != len(longitudes):
        said = f"{len(latitudes)} latitudes for {len(longitudes)} longitudes"
        raise InputError(said, field="lat")
    return tuple(Place(float(x), float(y)) for x, y in zip(longitudes, latitudes, strict=True))


def check_unit(unit: object) -> Decimal:
    """The unit itself, if it is one."""
    if (
        not isinstance(unit, Decimal)
        or not unit.is_finite()
        or not MIN_UNIT <= unit <= MAX_UNIT  # so that no amount times the unit overflows
    ):
        raise InputError(
            f"the unit is {unit}; it is a number above 0, from {MIN_UNIT:f} to {MAX_UNIT:f}",
            field="unit",
            value=unit,
        )
    return unit


def _check_quantities(instance: Instance) -> None:
    capacity = instance.capacity
    check_unit(instance.unit)
    if not _whole(capacity) or capacity <= 0 or (instance.splittable and capacity > MAX_QUANTITY):
        raise InputError(
            f"the capacity is {capacity}; it is a whole number from 1 to {MAX_QUANTITY}",
            field="capacity",
            value=capacity,
        )
    most = MAX_QUANTITY if instance.splittable else capacity
    for number, customer in enumerate(instance.customers, 1):
        if not _whole(customer.demand) or not 0 <= customer.demand <= most:
            raise InputError(
                f"the demand of customer {number} is {customer.demand}; "
                f"it is a whole number from 0 to {most}",
                field="demands",
                value=customer.demand,
            )


def _check_fleet(instance: Instance) -> None:
    vehicles = instance.vehicles
    if vehicles is None:
        return
    if not _whole(vehicles) or not 1 <= vehicles <= MAX_VEHICLES:
        raise InputError(
            f"the number of vehicles is {vehicles}; it is a whole number from 1 to {MAX_VEHICLES}",
            field="vehicles",
            value=vehicles,
        )
    total = int(instance.demands.sum())
    if total > vehicles * instance.capacity:
        enough = -(-total // instance.capacity)
        raise InputError(
            f"{vehicles} vehicles carry {vehicles * instance.capacity * instance.unit}; "
            f"the demands are {total * instance.unit}, which takes {enough}",
            field="vehicles",
            value=vehicles,
        )


def _as_decimal(number: Decimal | float | str) -> Decimal:
    try:
        return Decimal(str(number))
    except ArithmeticError:
        return number  # type: ignore[return-value]  # refused with the rest


def _index(number: object) -> int:
    """The number as Python's own, if it is whole: numpy has integers too."""
    try:
        return operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        return number  # type: ignore[return-value]  # refused with the rest


def _whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def _check_places(instance: Instance) -> None:
    xy = instance.xy
    fine = (np.abs(xy) <= MAX_COORDINATE).all(axis=1)
    if not fine.all():
        row = int(np.argmin(fine))
        raise InputError(
            f"place {row} is at {tuple(xy[row].tolist())}; "
            f"coordinates are numbers of at most {MAX_COORDINATE:g} in size",
            field="coordinates",
        )
    if instance.metric == "haversine" and xy.size:
        outside = (np.abs(xy[:, 1]) > 90) | (np.abs(xy[:, 0]) > 180)
        if outside.any():
            x, y = xy[int(np.argmax(outside))]
            raise InputError(
                f"latitude {y}, longitude {x} is not on the globe; "
                "latitudes are from -90 to 90, longitudes from -180 to 180",
                field="lat",
            )


def _as_matrix(rows: Sequence[Sequence[float]] | Floats) -> Floats:
    widths = {len(row) for row in rows}
    if widths != {len(rows)}:
        raise InputError(
            f"the matrix has {len(rows)} rows of {', '.join(map(str, sorted(widths)))} entries; "
            "it must be square, the depot first",
            field="matrix",
        )
    if isinstance(rows, np.ndarray) and _is_final(rows):
        table = rows  # it may be large, and every `replace` of an instance comes here
    else:
        table = np.array(rows, dtype=np.float64)
        np.fill_diagonal(table, 0)  # nobody drives from a place to itself
    wrong = ~((table >= 0) & (table <= MAX_DISTANCE))
    if wrong.any():
        i, j = (int(k) for k in np.argwhere(wrong)[0])
        raise InputError(
            f"the distance from {i} to {j} is {table[i, j]}; "
            f"distances are numbers from 0 to {MAX_DISTANCE:g}",
            field="matrix",
            value=float(table[i, j]),
        )
    table.flags.writeable = False
    return table


def _is_final(table: Floats) -> bool:
    """Whether nobody can change it and it is as it should be."""
    fixed = table.flags.owndata and not table.flags.writeable
    return fixed and table.dtype == np.float64 and not table.diagonal().any()


def _or_empty(table: object) -> Floats:
    return table if isinstance(table, np.ndarray) else np.empty((0, 0))
