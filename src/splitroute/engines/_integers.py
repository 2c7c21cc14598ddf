"""Distances, times and costs of an instance as integers, for solvers that need them.

Times are rounded so that a schedule in integers is one of the instance: durations up, and windows
inwards. So are distances, if they are limited.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from splitroute.distances import Floats, Integers
from splitroute.instance import Customer, Instance, VehicleType, Windows
from splitroute.instance.windows import EARLIEST

MAX_LONGEST = 3 * 10**5  # longest distance and travel time after scaling
MAX_COST_FACTOR = 10**6
MAX_COST = 10**15  # of a leg, a vehicle or a customer: sums of thousands fit into 64 bits
COST_TOLERANCE = 1e-6  # relative, of a cost that is rounded
ROUNDING_TOLERANCE = 1e-6  # a number this close above an integer is that integer


class IntegerModel:
    """An instance in integers: a cost is that of the instance times `cost_scale`."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        table = instance.table
        self._distance_scale = _scale(table, [])
        is_limited = any(v.max_distance is not None for v in instance.vehicle_types)
        self.distances = (_up if is_limited else _nearest)(table * self._distance_scale)
        durations = _durations(instance)
        times = [*_times(instance), *(self._service(c) for c in instance.customers)]
        self._time_scale = _scale(durations, times)
        self.durations = _up(durations * self._time_scale)
        self._origin = min([EARLIEST, *times])  # solvers need times of at least 0
        self.cost_scale = self._distance_scale * self._cost_factor()

    def services(self) -> list[int]:
        """Time that a visit with the whole demand takes, for each customer."""
        services = [self._service(customer) for customer in self._instance.customers]
        rounded: list[int] = self.time(np.array(services)).tolist()
        return rounded

    def time(self, durations: Floats) -> Integers:
        """Durations, rounded up."""
        return _up(durations * self._time_scale)

    def windows(self, windows: Windows) -> list[tuple[int, int]]:
        """Windows, rounded inwards; those that vanish are left out."""
        scaled = (
            (
                math.ceil((first - self._origin) * self._time_scale - ROUNDING_TOLERANCE),
                math.floor((last - self._origin) * self._time_scale + ROUNDING_TOLERANCE),
            )
            for first, last in windows
        )
        return [(first, last) for first, last in scaled if first <= last]

    def earliest(self) -> int:
        """The earliest departure, where neither a shift nor the depot says."""
        return math.ceil((EARLIEST - self._origin) * self._time_scale)

    def max_distance(self, limit: float) -> int:
        """A limited distance, rounded down."""
        return math.floor(limit * self._distance_scale + ROUNDING_TOLERANCE)

    def max_time(self, limit: float) -> int:
        """A limited duration, rounded down."""
        return math.floor(limit * self._time_scale + ROUNDING_TOLERANCE)

    def distance_rate(self, kind: VehicleType) -> int:
        """Cost per distance."""
        return round(kind.cost_per_distance * self.cost_scale / self._distance_scale)

    def time_rate(self, kind: VehicleType) -> int:
        """Cost per time."""
        return round(kind.cost_per_time * self.cost_scale / self._time_scale)

    def cost(self, cost: float) -> int:
        """A cost that is paid once."""
        return round(cost * self.cost_scale)

    def penalty(self, customer: Customer) -> int | None:
        """Cost of not serving a customer, None if it must be served."""
        return None if customer.penalty is None else self.cost(self._penalty(customer))

    def _penalty(self, customer: Customer) -> float:
        return (customer.penalty or 0) * customer.demand * float(self._instance.unit)

    def _service(self, customer: Customer) -> float:
        quantity = customer.demand * float(self._instance.unit)
        return customer.service + customer.service_per_unit * quantity

    def _cost_factor(self) -> int:
        """Smallest power of ten with which all costs are nearly integers."""
        types, customers = self._instance.vehicle_types, self._instance.customers
        ratio = self._distance_scale / self._time_scale
        rates = {v.cost_per_distance for v in types} | {v.cost_per_time * ratio for v in types}
        once = {v.fixed_cost for v in types} | {self._penalty(c) for c in customers}
        costs = rates | {cost * self._distance_scale for cost in once}
        longest = int(max(self.distances.max(initial=1), self.durations.max(initial=1)))
        largest = max(*costs, *(rate * longest for rate in rates))
        factor = 1
        while factor < MAX_COST_FACTOR and not all(_is_near(cost * factor) for cost in costs):
            if largest * factor * 10 > MAX_COST:
                break
            factor *= 10
        return factor


def _durations(instance: Instance) -> Floats:
    """Travel times; none if they have no effect."""
    if not instance.has_times:
        return np.zeros_like(instance.table)
    if instance.durations is not None:
        return instance.durations
    return instance.table / instance.travel_speed


def _times(instance: Instance) -> list[float]:
    """All times that are given, apart from those of travel and service."""
    times: list[float] = []
    for windows in [c.windows for c in instance.customers] + [d.windows for d in instance.depots]:
        times += [time for window in windows for time in window]
    for kind in instance.vehicle_types:
        times += [*(kind.shift or ()), kind.loading]
        times += [] if kind.max_duration is None else [kind.max_duration]
    return [time for time in times if math.isfinite(time)]


def _scale(table: Floats, more: Iterable[float]) -> int:
    """Scale of a table and of numbers that are added to its entries."""
    numbers = np.array(list(more), dtype=np.float64)
    if all(np.array_equal(a, np.rint(a)) for a in (table, numbers)):
        return 1
    longest = float(table.max(initial=0.0)) or float(numbers.max(initial=1.0))
    return int(10 ** max(0, math.floor(math.log10(MAX_LONGEST / longest))))


def _is_near(cost: float) -> bool:
    return math.isclose(cost, round(cost), rel_tol=COST_TOLERANCE)


def _up(numbers: Floats) -> Integers:
    rounded: Integers = np.ceil(numbers - ROUNDING_TOLERANCE).astype(np.int64)
    return rounded


def _nearest(numbers: Floats) -> Integers:
    rounded: Integers = np.rint(numbers).astype(np.int64)
    return rounded
