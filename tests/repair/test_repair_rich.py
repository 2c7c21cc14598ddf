"""Repair with rules: few changes, and a valid solution or the rule that cannot be satisfied."""

import random
from dataclasses import replace
from typing import Any

import pytest

from rich_instances import rich_instance
from rich_oracle import optimum
from splitroute.errors import InfeasibleError
from splitroute.instance import Instance, VehicleType
from splitroute.repair import repair
from splitroute.solution import Route, Solution, Visit
from splitroute.validation import validate

POINTS = [(0, 0), (10, 0), (20, 0), (30, 0)]


def create(demands: list[int], **arguments: Any) -> Instance:
    """Customers at distances 10, 20 and 30 from the depot."""
    capacity = None if isinstance(arguments.get("vehicles"), list) else 10
    return Instance.create(capacity, demands, POINTS[: len(demands) + 1], **arguments)


def routes(*visits: list[tuple[int, int]], **fields: Any) -> Solution:
    return Solution(tuple(Route(tuple(Visit(*v) for v in route), **fields) for route in visits))


def check(instance: Instance, solution: Solution) -> list[str]:
    """Repair a solution, which must become valid; return the changes."""
    assert validate(instance, solution)
    repaired = repair(instance, solution)
    assert not validate(instance, repaired.solution)
    return repaired.changes


def test_valid_solutions_are_left_alone() -> None:
    instance = create([4, 4], windows=[((0, 50),), ((0, 50),)])
    solution = routes([(1, 4), (2, 4)])
    repaired = repair(instance, solution)
    assert repaired.solution is solution
    assert repaired.changes == []


def test_a_visit_after_its_window_is_moved() -> None:
    instance = create([4, 4, 2], windows=[((0, 12),), (), ()])
    changes = check(instance, routes([(2, 4), (1, 4), (3, 2)]))
    assert changes == ["4 units removed: windows violated", "4 units added: unserved demand"]


def test_quantities_become_admissible() -> None:
    instance = create([9, 4], min_drop=4, max_visits=2)
    changes = check(instance, routes([(1, 7), (2, 3)], [(1, 2), (2, 1)]))
    assert changes[0].endswith("removed: more than the demand or not admissible")


def test_other_vehicle_types_take_over() -> None:
    fleet = [VehicleType("van", 4, 2), VehicleType("truck", 10, 1)]
    instance = create([4, 6], vehicles=fleet, vehicle_types=[("van",), ("truck",)])
    changes = check(instance, routes([(1, 4), (2, 6)], vehicle_type=1))
    assert "4 units removed: vehicle_types violated" in changes


def test_surplus_vehicles_and_trips_are_dissolved() -> None:
    fleet = [VehicleType("van", 10, 1, max_trips=2)]
    instance = create([4, 4, 4], vehicles=fleet)
    changes = check(instance, routes([(1, 4)], [(2, 4)], [(3, 4)]))
    assert "2 routes dissolved: more vehicles than the count of 'van'" in changes
    trips = [Route((Visit(k, 4),), 0, 1, k) for k in (1, 2, 3)]
    assert "1 route dissolved: more than max_trips of 'van'" in check(
        instance, Solution(tuple(trips))
    )


def test_overload_is_reduced() -> None:
    instance = create([8, 6], windows=[((0, 90),), ()])
    changes = check(instance, routes([(1, 8), (2, 6)]))
    assert changes == ["4 units removed: over capacity", "4 units added: unserved demand"]


def test_departures_that_violate_a_window_are_chosen_anew() -> None:
    instance = create([4], windows=[((0, 12),)])
    assert check(instance, routes([(1, 4)], start=5.0)) == []


def test_unknown_customers_and_vehicle_types_are_removed() -> None:
    instance = create([4], windows=[((0, 12),)])
    changes = check(instance, routes([(1, 2), (9, 1), (1, 2)], vehicle_type=3))
    assert "1 visit removed: unknown customer" in changes
    assert "1 visit merged with another on the same route" in changes
    assert "1 route given the first vehicle type" in changes


def test_what_cannot_be_delivered_is_named() -> None:
    # After either of the two windows it is too late for the other.
    instance = create(
        [4, 4], vehicles=[VehicleType("van", 10, 1)], windows=[((50, 50),), ((45, 45),)]
    )
    with pytest.raises(InfeasibleError, match="lacks 4 of 4: no feasible place"):
        repair(instance, Solution(()))
    repaired = repair(replace(instance, partial=True), routes([(1, 5)]))
    assert sum(route.load for route in repaired.solution.routes) == 4


def test_mutated_optima_become_valid() -> None:
    repaired = 0
    for seed in range(60):
        instance = rich_instance(seed)
        best = optimum(instance)
        if not instance.rules or (best.undelivered and not instance.partial):
            continue
        mutated = _mutate(instance, best.solution, random.Random(seed))
        try:
            solution = repair(instance, mutated).solution
        except InfeasibleError:
            continue  # insertion alone cannot always find a place
        assert not validate(instance, solution), seed
        repaired += 1
    assert repaired > 25


def _mutate(instance: Instance, solution: Solution, draw: random.Random) -> Solution:
    """Move, enlarge and reassign visits and routes at random."""
    changed = []
    for route in solution.routes:
        visits = list(route.visits)
        draw.shuffle(visits)
        visits = [Visit(c, max(1, q + draw.randint(-2, 2))) for c, q in visits]
        if draw.random() < 0.3:
            visits.append(Visit(draw.randint(1, len(instance.customers)), draw.randint(1, 3)))
        kind = draw.randrange(len(instance.vehicle_types))
        changed.append(replace(route, visits=tuple(visits), vehicle_type=kind))
    return Solution(tuple(changed))
