"""An instance: customers, depots, vehicles, metric, and the rules that solutions must respect."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from splitroute import distances
from splitroute.distances import Floats, Integers, Metric
from splitroute.errors import InputError, LimitError
from splitroute.files import Dialect
from splitroute.instance import arguments, checks, feasibility, rule_checks, rules
from splitroute.instance.customers import Customer, Place
from splitroute.instance.vehicles import Depot, VehicleType, Windows

__all__ = ["Customer", "Depot", "Instance", "Origin", "Place", "VehicleType", "Windows"]

MAX_TABLE_PLACES = 12_000  # the table then takes 1.2 GB
DEFAULT_KM_PER_HOUR = 50.0  # where the speed is not given
MAX_SCALED_DISTANCE = 10**5  # longest distance after scaling to integers


class Origin(Protocol):
    """The request of another program that an instance was read from, as its format keeps it."""

    @property
    def format(self) -> str:
        """Name of the format, in which solutions are written by default."""
        ...

    @property
    def distances(self) -> str:
        """What distances are based on."""
        ...

    def on_roads(self, instance: Instance) -> Instance:
        """Return the instance in its own units, given one with distances in km and minutes."""
        ...


@dataclass(frozen=True, eq=False, repr=False)
class Instance:
    """A split delivery instance, or a CVRP if not `splittable`.

    Demands and capacity are whole multiples of `unit`. Customers are numbered 1..n in order.
    Without a `fleet`, every depot has vehicles. With it, `capacity` is that of the largest vehicle,
    and `vehicles` is the number of vehicles if there is only one type.
    """

    name: str
    capacity: int
    customers: tuple[Customer, ...]
    places: tuple[Place, ...] = ()  # may be empty if there is a matrix
    metric: Metric = "exact"
    matrix: Floats | None = None
    unit: Decimal = Decimal(1)
    splittable: bool = True
    pass_through: bool = False  # vehicles may drive through customers without delivering
    vehicles: int | None = None  # maximum number; None for unlimited
    depots: tuple[Depot, ...] = (Depot(),)  # the first is at place 0
    fleet: tuple[VehicleType, ...] = ()  # empty for vehicles that differ in nothing
    durations: Floats | None = None  # travel times between all places
    speed: float | None = None  # distance per time unit, or km/h on the globe; see `travel_speed`
    clock: bool = False  # times are minutes after midnight
    partial: bool = False  # demand may stay undelivered
    is_globe: bool = False  # places are longitude and latitude; always so with metric haversine
    roads: str = ""  # program of the road server that matrix (km) and durations (min) are from
    dialect: Dialect | None = None  # of the table it was read from; ignored in comparisons
    origin: Origin | None = None  # ignored in comparisons, too

    @classmethod
    def create(
        cls,
        capacity: int | None,
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
        vehicles: int | Sequence[VehicleType] | None = None,
        depots: Sequence[Depot] = (Depot(),),
        durations: Sequence[Sequence[float]] | Floats | None = None,
        speed: float | None = None,
        clock: bool | None = None,
        partial: bool = False,
        dialect: Dialect | None = None,
        **customer_rules: Any,
    ) -> Instance:
        """Return an instance with one place for each depot and one per customer.

        Places are `coordinates` (x, y) in the plane, or `lat` and `lon` in degrees; those of the
        depots come first. `customer_rules` are fields of `Customer`, such as `windows` or
        `min_drop`: a sequence with one value per customer, or one number for all. If `vehicles`
        are vehicle types, these have the capacities, and `capacity` is None.
        """
        arguments.check_list("depots", depots, Depot, '[Depot("north"), Depot("south")]')
        places = arguments.as_places(coordinates, lat, lon, metric)
        counts = len(demands), len(depots)
        arguments.check_count("coordinates", "places", len(places), *counts)
        for field, rows in (("matrix", matrix), ("durations", durations)):
            arguments.check_count(field, "rows", 0 if rows is None else len(rows), *counts)
        fleet = tuple(vehicles) if isinstance(vehicles, Sequence) else ()
        if fleet and capacity is not None:
            message = "vehicle types have capacities of their own; pass capacity=None"
            raise InputError(message, field="capacity", value=capacity)
        is_globe = lat is not None
        instance = cls(
            name=name,
            capacity=arguments.as_int(capacity),
            customers=arguments.as_customers(ids, demands, notes, customer_rules, len(depots)),
            places=places,
            metric=metric
            or ("matrix" if matrix is not None else "haversine" if is_globe else "exact"),
            matrix=None if matrix is None else arguments.as_matrix(matrix),
            unit=arguments.as_decimal(unit),
            vehicles=None if fleet or vehicles is None else arguments.as_int(vehicles),
            depots=tuple(replace(depot, place=k) for k, depot in enumerate(depots)),
            fleet=fleet,
            durations=None if durations is None else arguments.as_matrix(durations, "durations"),
            speed=speed,
            clock=is_globe if clock is None else clock,
            partial=partial,
            is_globe=is_globe,
            dialect=dialect,
        )
        rule_checks.warn_about_unused_depots(instance)
        return instance

    @classmethod
    def from_dataframe(
        cls, customers: Any, *, vehicles: Any = None, depots: Any = None, **options: Any
    ) -> Instance:
        """Return the instance of a data frame of customers; columns are found as in spreadsheets.

        `vehicles` is a number or a data frame of vehicle types, `depots` one of depots. `options`
        are those of `read`, such as `capacity`, `columns`, `matrix` and `roads`, and `name`.
        """
        from splitroute.formats._dataframes import from_dataframe

        return from_dataframe(customers, vehicles=vehicles, depots=depots, **options)

    def __post_init__(self) -> None:
        for field in ("matrix", "durations"):
            if getattr(self, field) is not None:
                object.__setattr__(self, field, arguments.as_matrix(getattr(self, field), field))
        if not self.fleet and len(self.depots) > 1:
            object.__setattr__(self, "fleet", rule_checks.fleet_of_depots(self))
        if self.metric == "haversine":
            object.__setattr__(self, "is_globe", True)
        if self.fleet:
            rule_checks.check_fleet(self.fleet, self.unit)
            only = self.fleet[0] if len(self.fleet) == 1 and self.fleet[0].max_trips == 1 else None
            object.__setattr__(self, "capacity", max(v.capacity for v in self.fleet))
            object.__setattr__(self, "vehicles", only.count if only else None)
        checks.check_instance(self)
        rule_checks.check_rules(self)
        feasibility.check_feasible(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Instance):
            return NotImplemented
        mine, theirs = self.__getstate__(), other.__getstate__()
        for state in (mine, theirs):
            del state["dialect"], state["origin"]
        are_equal = [_equal_matrices(mine.pop(f), theirs.pop(f)) for f in ("matrix", "durations")]
        return all(are_equal) and mine == theirs

    def __repr__(self) -> str:
        count = len(self.customers)
        return (
            f"<Instance {self.name!r}: {count} customer{'s' * (count != 1)}, "
            f"capacity {self.capacity * self.unit}, metric {self.metric!r}>"
        )

    def _repr_html_(self) -> str:
        from splitroute.plots.html import instance_html

        return instance_html(self)

    def __hash__(self) -> int:
        return hash((self.name, self.capacity, self.customers, self.metric))

    def __getstate__(self) -> dict[str, object]:
        # Fields only: cached values are cheaper to recompute than to pickle.
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @cached_property
    def rules(self) -> frozenset[str]:
        """The rules in use, by the names in `instance.rules`; none for the classic problem."""
        return rules.rules_in_use(self)

    @cached_property
    def customers_with_rules(self) -> list[int]:
        """Indices of the customers that have any rule."""
        return rules.customers_with_rules(self)

    @cached_property
    def vehicle_types(self) -> tuple[VehicleType, ...]:
        """The fleet, or the one type of which all vehicles are."""
        return self.fleet or (VehicleType("vehicle", self.capacity, self.vehicles),)

    @cached_property
    def depot_places(self) -> dict[str | None, int]:
        """Place of each depot by its id; None stands for the first."""
        return {None: self.depots[0].place, **{depot.id: depot.place for depot in self.depots}}

    @cached_property
    def place_names(self) -> list[str]:
        """What messages call each place: the depot, depot 'north', customer 'Baker'."""
        names = [f"place {k}" for k in range(len(self.places or self.table))]
        for customer in self.customers:
            names[customer.place] = f"customer {customer.id!r}"
        for depot in self.depots:
            is_only = len(self.depots) == 1
            names[depot.place] = "the depot" if is_only else f"depot {depot.id!r}"
        return names

    @property
    def is_in_km(self) -> bool:
        """Whether distances are kilometres; those of other metrics have a unit of the user's."""
        return self.metric == "haversine" or bool(self.roads)

    @cached_property
    def has_times(self) -> bool:
        """Whether solutions have a timetable."""
        ruled = (self.customers[k] for k in self.customers_with_rules)
        return (
            bool(self.rules & rules.TIME_RULES)
            or self.durations is not None
            or self.speed is not None
            or any(c.service or c.service_per_unit for c in ruled)
        )

    @property
    def travel_speed(self) -> float:
        """Distance per time unit; on the globe, where times are minutes, km per minute."""
        if self.metric == "haversine":
            return (self.speed or DEFAULT_KM_PER_HOUR) / 60
        return self.speed or 1.0

    def duration(self, a: int, b: int) -> float:
        """Travel time from one place to another."""
        if self.durations is not None:
            return float(self.durations[a, b])
        return self.distance(a, b) / self.travel_speed

    @cached_property
    def demands(self) -> Integers:
        """Demand of each customer; 0 for the depot at index 0."""
        return np.array([0, *(c.demand for c in self.customers)], dtype=np.int64)

    @cached_property
    def sites(self) -> Integers:
        """Place of the depot and of each customer."""
        return np.array([0, *(c.place for c in self.customers)], dtype=np.int64)

    @cached_property
    def xy(self) -> Floats:
        """Coordinates of the places, one row each."""
        return np.array(self.places, dtype=np.float64).reshape(-1, 2)

    @cached_property
    def table(self) -> Floats:
        """Distances between all places."""
        if self.matrix is not None:
            return self.matrix
        self.check_table_size()
        return distances.matrix(self.xy, self.metric)

    def check_table_size(self) -> None:
        """Raise a LimitError if a table of all distances would be too large."""
        if len(self.places) > MAX_TABLE_PLACES:
            raise LimitError(
                f"{len(self.places)} places are too many for a table of all distances; "
                f"the maximum is {MAX_TABLE_PLACES}",
                field="places",
                value=len(self.places),
            )

    def distance(self, a: int, b: int) -> float:
        """Distance from one place to another."""
        if self.matrix is not None:
            return float(self.matrix[a, b])
        return distances.between(self.places[a], self.places[b], self.metric)

    def distances_among(self, places: Sequence[int]) -> Floats:
        """Table of the distances between some places."""
        if self.matrix is not None:
            return self.matrix[np.ix_(places, places)]
        return distances.matrix(np.ascontiguousarray(self.xy[places]), self.metric)

    @property
    def symmetric(self) -> bool:
        """Whether distances are the same in both directions."""
        return self.matrix is None or bool(np.array_equal(self.matrix, self.matrix.T))

    def integer_distances(self) -> tuple[Integers, int]:
        """The table as integers, for engines that need them, and the factor it was scaled by."""
        longest = float(self.table.max(initial=0.0))
        if np.array_equal(self.table, np.rint(self.table)):
            scale = 1
        else:
            scale = 10 ** max(0, math.floor(math.log10(MAX_SCALED_DISTANCE / longest)))
        return np.rint(self.table * scale).astype(np.int64), scale

    def distances_from_depot(self) -> Floats:
        """Distance of each customer from its nearest depot, unrounded if there are coordinates."""
        if "depots" in self.rules:
            metric: Metric = "exact" if self.metric == "dimacs" else self.metric
            depots = {self.depot_places[kind.depot] for kind in self.fleet}
            from_each = [
                distances.pairs(
                    self.xy, metric, self.matrix, np.full(len(self.sites), place), self.sites
                )
                for place in sorted(depots)
            ]
            nearest: Floats = np.min(from_each, axis=0)[1:]
            return nearest
        if self.matrix is not None:
            by_place: Floats = self.matrix[0]
        elif self.metric == "haversine":
            places, lengths = np.arange(len(self.places)), [1] * len(self.places)
            round_trips = distances.route_costs(self.xy, self.metric, None, places, lengths)
            by_place = np.array(round_trips) / 2
        else:
            by_place = distances.from_depot(self.xy)
        return by_place[self.sites[1:]]

    def sufficient_vehicles(self) -> int:
        """A number of vehicles that suffices even without splitting."""
        # First fit leaves at most one vehicle less than half full.
        total = int(self.demands.sum())
        return max(1, min(2 * -(-total // self.capacity) + 1, len(self.customers)))


def _equal_matrices(a: object, b: object) -> bool:
    if a is None or b is None:
        return a is b
    return np.array_equal(a, b)  # type: ignore[arg-type]
