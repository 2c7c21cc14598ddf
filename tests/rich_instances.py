"""Random tiny instances with random combinations of rules, for the oracle and for properties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np

import splitroute as sr
from splitroute.instance import Depot, VehicleType

HORIZON = 40  # windows and shifts lie between 0 and this
MAX_ATTEMPTS = 100
PARTIAL_SHARE = 0.1


def rich_instance(seed: int) -> sr.Instance:
    """A valid instance with 2 to 5 customers; all its times are multiples of a quarter.

    It is `partial` if chance or the check for demands that cannot be delivered says so.
    """
    for attempt in range(MAX_ATTEMPTS):
        random = np.random.default_rng([seed, attempt])
        try:
            instance = draw_instance(
                lambda low, high, r=random: int(r.integers(low, high + 1)),  # type: ignore[misc]
                f"rich-{seed}",
            )
        except sr.InputError:
            continue  # contradictory by chance
        return instance if random.random() < PARTIAL_SHARE else mandatory(instance) or instance
    raise AssertionError(f"no valid instance for seed {seed}")


def mandatory(instance: sr.Instance) -> sr.Instance | None:
    """The instance in which everything must be delivered, unless that is rejected at once."""
    try:
        return replace(instance, partial=False)
    except sr.InputError:
        return None


def draw_instance(
    integer: Callable[[int, int], int],
    name: str,
    sizes: Sequence[int] = (2, 3, 4, 4, 5),
    *,
    on_grid: bool = True,
) -> sr.Instance:
    """Return a partial instance made of random integers from a range; some are contradictory.

    Only `on_grid` all times are multiples of a quarter.
    """
    return _Draw(integer, sizes, on_grid).instance(name)


class _Draw:
    """Draws the parts of one instance; each rule is in use with some probability."""

    def __init__(
        self, integer: Callable[[int, int], int], sizes: Sequence[int], on_grid: bool
    ) -> None:
        self.integer = integer
        self.on_grid = on_grid
        self.size = self.choice(sizes)
        self.has_times = self.chance(0.7)
        self.has_trips = self.size != 5 and self.chance(0.35)  # with 5 customers the oracle is slow
        self.capacity = self.integer(3, 5)

    def instance(self, name: str) -> sr.Instance:
        max_demand = max(2, 7 - self.size - self.has_trips)
        demands = [self.integer(1, max_demand) for _ in range(self.size)]
        names = ["depot", "south"] if self.chance(0.3) else ["depot"]
        depots = [Depot(id, windows=self.depot_windows()) for id in names]
        fleet = self.fleet(names)
        fields: dict[str, Any] = self.customer_fields(demands, [v.type for v in fleet])
        vehicles: Any = fleet
        if not fleet and len(depots) == 1 and self.chance(0.3):
            vehicles = self.integer(1, 4)
        places = len(depots) + self.size
        return sr.Instance.create(
            None if fleet else self.capacity,
            demands,
            name=name,
            unit=self.choice([Decimal(1), Decimal(1), Decimal("0.5")]),
            vehicles=vehicles or None,
            depots=depots,
            durations=self.matrix(places) if self.has_times and self.chance(0.2) else None,
            speed=self.choice([None, None, 2.0, 0.5]) if self.has_times else None,
            **self.metric(places),
            partial=True,
            **fields,
        )

    def chance(self, probability: float) -> bool:
        return self.integer(1, 100) > 100 * (1 - probability)

    def choice(self, values: Sequence[Any]) -> Any:
        return values[self.integer(0, len(values) - 1)]

    def matrix(self, places: int) -> Any:
        table = self.table(places, places, 9) + 1
        return table if self.chance(0.3) else np.maximum(table, table.T)

    def table(self, rows: int, columns: int, high: int) -> Any:
        return np.array(
            [[self.integer(0, high) for _ in range(columns)] for _ in range(rows)], dtype=float
        )

    def metric(self, places: int) -> dict[str, Any]:
        """Distances; integers if times are to be on a grid."""
        if self.chance(0.5):
            return {"matrix": self.matrix(places)}
        xy = self.table(places, 2, 7)
        if not self.on_grid and self.chance(0.5):
            lon, lat = (xy / 100 + [[10, 50]]).T.tolist()
            return {"lat": lat, "lon": lon}
        if self.chance(0.3):
            xy[:, 1] = 0
            return {"coordinates": xy.tolist()}
        return {"coordinates": xy.tolist(), "metric": "dimacs"}

    def windows(self, max_width: int) -> tuple[tuple[float, float], ...]:
        """One or two windows."""
        first = self.integer(0, HORIZON - 10)
        close = min(HORIZON, first + self.integer(0, max_width))
        if close < HORIZON - 4 and self.chance(0.4):
            second = self.integer(close + 1, HORIZON - 2)
            return ((first, close), (second, min(HORIZON, second + self.integer(0, max_width))))
        return ((first, close),)

    def depot_windows(self) -> tuple[tuple[float, float], ...]:
        if not self.has_times or self.chance(0.75):
            return ()
        if self.chance(0.3):
            middle = self.integer(10, 30)
            return ((0, middle), (middle + self.integer(1, 6), HORIZON))
        return ((self.integer(0, 8), self.integer(25, HORIZON)),)

    def customer_fields(self, demands: list[int], types: list[str]) -> dict[str, Any]:
        """Values of some fields for every customer; a field is often used by only a few."""
        draws: dict[str, Any] = {
            "splittable": lambda _: False,
            "min_drop": lambda d: self.integer(1, d),
            "max_visits": lambda _: self.integer(1, 3),
            "lot": lambda d: self.integer(1, min(3, d)),
            "extra_visit_cost": lambda _: float(self.integer(1, 6)),
            "penalty": lambda _: float(self.integer(0, 12)),
        }
        if types:
            draws["vehicle_types"] = lambda _: (self.choice(types),)
        if self.has_times:
            draws["windows"] = lambda _: self.windows(self.choice([2, 10, 20]))
            draws["service"] = lambda _: float(self.integer(1, 4))
            draws["service_per_unit"] = lambda _: self.choice([0.5, 1.0, 2.0])
        fields = {}
        for name, draw in draws.items():
            probability = 0.6 if name == "windows" else 0.25
            if self.chance(probability):
                default = getattr(sr.Customer("", 0, 0), name)
                share = self.choice([0.4, 1.0])
                fields[name] = [draw(d) if self.chance(share) else default for d in demands]
        return fields

    def fleet(self, depots: list[str]) -> tuple[VehicleType, ...]:
        if not self.has_trips and len(depots) == 1 and self.chance(0.4):
            return ()
        names = ["a", "b", "c"][: self.integer(1, 2 if self.has_trips else 3)]
        return tuple(self.vehicle_type(name, depots) for name in names)

    def vehicle_type(self, name: str, depots: list[str]) -> VehicleType:
        capacity = self.integer(2, 5)
        draws: dict[str, Any] = {
            "count": lambda: self.integer(1, 3),
            "fixed_cost": lambda: float(self.integer(1, 12)),
            "cost_per_distance": lambda: self.choice([0.5, 2.0, 0.0]),
            "max_distance": lambda: float(self.integer(8, 30)),
            "max_stops": lambda: self.integer(1, 3),
            "min_load": lambda: self.integer(1, capacity),
        }
        if self.has_times:
            draws["cost_per_time"] = lambda: self.choice([0.5, 1.0, 2.0])
            draws["shift"] = lambda: (float(self.integer(0, 10)), float(self.integer(20, HORIZON)))
            draws["max_duration"] = lambda: float(self.integer(8, 30))
        fields = {field: draw() for field, draw in draws.items() if self.chance(0.25)}
        if self.has_trips:
            fields["max_trips"] = self.integer(1, 3)
            fields["count"] = self.integer(1, 2)
            if self.has_times and self.chance(0.5):
                fields["loading"] = float(self.integer(1, 4))
            if self.has_times and self.chance(0.5):
                fields["loading_per_unit"] = self.choice([0.5, 1.0])
        depot = self.choice([None, *depots])
        end = self.choice(depots) if fields.get("max_trips", 1) == 1 and self.chance(0.3) else None
        return VehicleType(name, capacity, depot=depot, end_depot=end, **fields)
