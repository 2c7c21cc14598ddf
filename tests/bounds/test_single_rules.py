"""Bounds with one rule at a time stay below the optimum, by routes as well as by edges."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from rich_oracle import optimum
from splitroute.bounds import lower_bound
from splitroute.bounds.bound import compute_bound
from splitroute.instance import Depot, VehicleType
from splitroute.instance.rules import CUSTOMER_RULES, INSTANCE_RULES, VEHICLE_RULES

CAPACITY, CUSTOMERS = 8, 3
DAY = (0.0, 60.0)
Draw = Callable[[int, int], int]


def fleet(**rule: Any) -> dict[str, Any]:
    return {"vehicles": [VehicleType("van", CAPACITY, **rule)]}


def each(value: Any) -> list[Any]:
    return [value] * CUSTOMERS


# Arguments that bring in the rule, and others only where it needs them.
ARGUMENTS: dict[str, Callable[[Draw], dict[str, Any]]] = {
    "windows": lambda draw: {"windows": each(((0.0, float(draw(30, 60))),))},
    "service": lambda draw: {"service": each(draw(1, 5)), **fleet(cost_per_time=1.0)},
    "service_per_unit": lambda draw: {"service_per_unit": each(1), **fleet(cost_per_time=1.0)},
    "min_drop": lambda draw: {"min_drop": each(draw(2, 3))},
    "lot": lambda draw: {"lot": each(2)},
    "max_visits": lambda draw: {"max_visits": each(draw(1, 2))},
    "vehicle_types": lambda draw: {
        "vehicle_types": [["truck"], *[None] * (CUSTOMERS - 1)],
        "vehicles": [VehicleType("van", 5), VehicleType("truck", CAPACITY)],
    },
    "splittable": lambda draw: {"splittable": each(False)},
    "extra_visit_cost": lambda draw: {"extra_visit_cost": each(draw(1, 9))},
    "penalty": lambda draw: {"penalty": [None, float(draw(10, 60)), None]},
    "fixed_cost": lambda draw: fleet(fixed_cost=float(draw(1, 40))),
    "cost_per_distance": lambda draw: fleet(cost_per_distance=draw(5, 9) / 4),
    "cost_per_time": lambda draw: fleet(cost_per_time=draw(1, 4) / 4),
    "shift": lambda draw: fleet(shift=(0.0, float(draw(45, 90)))),
    "max_distance": lambda draw: fleet(max_distance=float(draw(40, 60))),
    "max_duration": lambda draw: fleet(max_duration=float(draw(40, 60)), shift=DAY),
    "max_stops": lambda draw: fleet(max_stops=draw(1, 2)),
    "max_trips": lambda draw: fleet(max_trips=2, shift=DAY),
    "loading": lambda draw: fleet(loading=5.0, max_trips=2, shift=DAY),
    "loading_per_unit": lambda draw: fleet(loading_per_unit=1.0, max_trips=2, shift=DAY),
    "min_load": lambda draw: fleet(min_load=draw(2, 4)),
    "fleet": lambda draw: {"vehicles": [VehicleType("van", 5), VehicleType("truck", CAPACITY)]},
    "depots": lambda draw: {
        "depots": [Depot("depot"), Depot("north", place=1)],
        "vehicles": [VehicleType("a", CAPACITY), VehicleType("b", CAPACITY, depot="north")],
    },
    "depot_windows": lambda draw: {"depots": [Depot("depot", windows=((0.0, 60.0),))]},
    "durations": lambda draw: {
        "durations": [
            [0.0 if i == j else float(5 + (3 * i + 7 * j) % 11) for j in range(CUSTOMERS + 1)]
            for i in range(CUSTOMERS + 1)
        ],
        **fleet(cost_per_time=1.0),
    },
    "partial": lambda draw: {"partial": True, **fleet(count=1)},
}


def test_all_rules_are_tried() -> None:
    assert set(ARGUMENTS) == {*CUSTOMER_RULES, *VEHICLE_RULES, *INSTANCE_RULES}


@pytest.mark.parametrize("rule", ARGUMENTS)
def test_no_bound_with_a_rule_exceeds_the_optimum(rule: str) -> None:
    tried = 0
    for seed in range(12):
        random = np.random.default_rng(seed)

        def draw(low: int, high: int, random: np.random.Generator = random) -> int:
            return int(random.integers(low, high + 1))

        arguments = ARGUMENTS[rule](draw)
        places = random.integers(0, 16, (CUSTOMERS + len(arguments.get("depots", "d")), 2))
        demands = (2 * random.integers(1, 5, CUSTOMERS)).tolist()
        # The oracle counts times in quarters, so distances are whole numbers.
        matrix = np.abs(places[:, None] - places[None]).sum(axis=2).astype(float)
        capacity = None if "vehicles" in arguments else CAPACITY
        try:
            instance = sr.Instance.create(capacity, demands, matrix=matrix, **arguments)
        except sr.InputError:
            continue  # a customer out of reach
        best = optimum(instance)
        if rule not in instance.rules or (best.undelivered and not instance.partial):
            continue
        tried += 1
        found = compute_bound(instance, 10.0, lambda best=best: best.solution)  # type: ignore[misc]
        assert found.value <= best.cost * (1 + 1e-9), seed
        if not instance.partial:  # else a bound on solutions that deliver as much
            assert lower_bound(instance, 10.0).value <= best.cost * (1 + 1e-9), seed
    assert tried >= 3
