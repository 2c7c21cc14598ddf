"""The adapters of PyVRP and OR-Tools: which rules they pass on, and how."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Any

import pytest

from splitroute import Instance, Solution, Stop
from splitroute.engines import ortools, pyvrp
from splitroute.engines._ortools_model import MAX_VEHICLES
from splitroute.errors import InputError
from splitroute.instance import Depot, VehicleType
from splitroute.solution import Route, Visit, cost, cost_parts, timetable, undelivered
from splitroute.validation import validate

# Not imported here, where HiGHS may be loaded.
if not (find_spec("pyvrp") and find_spec("ortools")):
    pytest.skip("pyvrp or ortools is not installed", allow_module_level=True)

engines = pytest.mark.parametrize("engine", [pyvrp, ortools], ids=["pyvrp", "ortools"])

PROCESS: list[ProcessPoolExecutor] = []
LINE = [(0.0, 0.0), (10.0, 0.0), (20.0, 0.0), (30.0, 0.0)]


def unsplit(*args: Any, **options: Any) -> Instance:
    return replace(Instance.create(*args, **options), splittable=False)


@pytest.fixture(scope="module", autouse=True)
def process() -> Iterator[None]:
    """A process without HiGHS, in which all searches run: OR-Tools cannot be loaded beside it."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        PROCESS.append(pool)
        yield
        PROCESS.clear()


def search(engine: str, *arguments: Any) -> Solution:
    solution: Solution = {"pyvrp": pyvrp, "ortools": ortools}[engine]._search(
        *arguments, lambda progress: None
    )
    return solution


def solve(
    engine: Any, instance: Instance, start: Solution | None = None, iterations: int = 200
) -> Solution:
    # OR-Tools needs a time limit: it does not end where it finds no further solution.
    stop = Stop(iterations=iterations, seconds=None if engine is pyvrp else 2.0)
    name = engine.__name__.rpartition(".")[2]
    solution = PROCESS[0].submit(search, name, instance, stop, 1, start).result(timeout=60)
    assert validate(instance, solution) == []
    return solution


def customers(solution: Solution) -> list[list[int]]:
    return sorted(sorted(v.customer for v in route.visits) for route in solution.routes)


@engines
def test_windows_decide_who_shares_a_route(engine: Any) -> None:
    instance = unsplit(10, [1, 1, 1], LINE, windows=[((50, 60),), ((20, 25),), ((30, 35),)])
    assert customers(solve(engine, instance)) == [[1, 2, 3]]
    late = unsplit(10, [1, 1, 1], LINE, windows=[((50, 50.5),), ((41, 45),), ((30, 35),)])
    assert customers(solve(engine, late)) == [[1], [2, 3]]


@engines
def test_one_of_several_windows_is_met(engine: Any) -> None:
    windows = [((10, 12),), ((0, 5), (30, 40)), ((40, 45),)]
    instance = unsplit(10, [1, 1, 1], LINE, windows=windows)
    solution = solve(engine, instance)
    assert customers(solution) == [[1, 2, 3]]
    (times,) = timetable(instance, solution)
    assert times.visits[1].start == 30


@engines
def test_times_are_rounded_to_the_safe_side(engine: Any) -> None:
    # By way of customer 1 it is too late by less than distances are rounded.
    arrival = 1 + 1.04**0.5
    windows = [((0, 100),), ((0, arrival - 1e-7),)]
    instance = unsplit(10, [1, 1], [(0, 0), (1, 0), (2, 0.2)], windows=windows)
    assert [v.customer for v in solve(engine, instance).routes[0].visits] == [2, 1]


@engines
def test_mixed_fleet_uses_the_cheaper_type_within_its_number(engine: Any) -> None:
    fleet = [VehicleType("van", 2, 1), VehicleType("truck", 6, fixed_cost=100)]
    instance = unsplit(None, [2, 2, 2], LINE, vehicles=fleet)
    solution = solve(engine, instance)
    assert customers(solution) == [[1], [2, 3]] or customers(solution) == [[1, 2, 3]]
    assert cost_parts(instance, solution).fixed == 100


@engines
def test_costs_per_distance_and_time_are_paid(engine: Any) -> None:
    fleet = [
        VehicleType("dear", 6, cost_per_distance=1.3, cost_per_time=0.7),
        VehicleType("cheap", 6, cost_per_distance=1.1, cost_per_time=0.2),
    ]
    instance = unsplit(None, [2, 2, 2], LINE, vehicles=fleet)
    solution = solve(engine, instance)
    assert {route.vehicle_type for route in solution.routes} == {1}
    assert cost(instance, solution) == pytest.approx(60 * 1.3)


@engines
def test_each_type_starts_at_its_depot(engine: Any) -> None:
    fleet = [VehicleType("west", 9), VehicleType("east", 9, depot="east")]
    depots = [Depot("west"), Depot("east")]
    places = [(0.0, 0.0), (100.0, 0.0), (10.0, 0.0), (90.0, 0.0)]
    instance = unsplit(None, [2, 2], places, vehicles=fleet, depots=depots)
    solution = solve(engine, instance)
    assert cost(instance, solution) == 40
    assert sorted((r.vehicle_type, r.visits[0].customer) for r in solution.routes) == [
        (0, 1),
        (1, 2),
    ]


@engines
def test_access_is_limited_to_vehicle_types(engine: Any) -> None:
    fleet = [VehicleType("van", 9), VehicleType("truck", 9, fixed_cost=500)]
    instance = unsplit(
        None, [2, 2, 2], LINE, vehicles=fleet, vehicle_types=[None, ("truck",), ("van", "truck")]
    )
    solution = solve(engine, instance)
    (truck,) = (route for route in solution.routes if route.vehicle_type == 1)
    assert 2 in {visit.customer for visit in truck.visits}


def test_a_vehicle_makes_several_trips_and_loads_between_them() -> None:
    fleet = [VehicleType("van", 2, 1, max_trips=3, loading=5, shift=(0, 130))]
    instance = unsplit(None, [2, 2, 2], LINE, vehicles=fleet)
    solution = solve(pyvrp, instance)
    assert [(r.vehicle, r.trip) for r in solution.routes] == [(1, 1), (1, 2), (1, 3)]
    times = timetable(instance, solution)
    assert times[2].end - times[0].start == pytest.approx(130)


@engines
def test_customers_with_a_small_penalty_are_left_out(engine: Any) -> None:
    instance = unsplit(10, [1, 1, 2], LINE, penalty=[None, None, 9.0])
    solution = solve(engine, instance)
    assert undelivered(instance, solution) == {3: 2}
    assert cost(instance, solution) == 40 + 18


@pytest.mark.parametrize(
    "limit", [{"max_stops": 2}, {"max_distance": 60.5}, {"max_duration": 60.5}]
)
@engines
def test_limits_of_a_route(engine: Any, limit: dict[str, Any]) -> None:
    places = [(0, 0), (10, 0), (20, 5), (30, 0)]
    instance = unsplit(None, [1, 1, 1], places, vehicles=[VehicleType("van", 9, **limit)])
    assert len(solve(engine, instance).routes) == 2
    looser = replace(instance, fleet=(VehicleType("van", 9),))
    assert len(solve(engine, looser).routes) == 1


@engines
def test_service_depends_on_the_quantity(engine: Any) -> None:
    fleet = [VehicleType("van", 9, shift=(0, 65))]
    instance = unsplit(
        None, [1, 1, 2], LINE, vehicles=fleet, service=1.0, service_per_unit=[0.0, 0.0, 1.5]
    )
    assert len(solve(engine, instance).routes) == 2
    assert (
        len(solve(engine, replace(instance, fleet=(replace(fleet[0], shift=(0, 66)),))).routes) == 1
    )


def test_the_result_is_never_worse_than_the_start() -> None:
    fleet = [VehicleType("van", 2, max_trips=3, shift=(0, 130)), VehicleType("truck", 6)]
    instance = unsplit(None, [2, 2, 2], LINE, vehicles=fleet)
    poor = Solution(
        (
            Route((Visit(3, 2),), 0, 1, 1),
            Route((Visit(1, 2),), 0, 1, 2),
            Route((Visit(2, 2),), 1, 1),
        )
    )
    assert validate(instance, poor) == []
    assert cost(instance, solve(pyvrp, instance, poor, iterations=1)) <= cost(instance, poor)


def test_a_start_may_have_more_vehicles_than_ortools_gets_without_a_limit() -> None:
    count = MAX_VEHICLES + 1
    van = VehicleType("van", 9, max_stops=5)
    instance = unsplit(None, [1] * count, [(0, 0)] * (count + 1), vehicles=[van])
    solve(ortools, instance, Solution.unsplit(instance, [[k] for k in range(1, count + 1)]))


def test_a_named_end_depot_may_be_the_depot_of_the_start() -> None:
    van = VehicleType("van", 9, max_trips=2, end_depot="depot")
    solution = solve(pyvrp, unsplit(None, [9, 9], LINE[:3], vehicles=[van]))
    assert sum(route.load for route in solution.routes) == 18


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depots": [Depot(windows=((0, 10), (20, 99)))]}, "several windows of a depot"),
        ({"vehicles": [VehicleType("van", 9, max_trips=2, max_distance=99)]}, "max_distance of"),
        ({"vehicles": [VehicleType("van", 9, max_trips=2, max_duration=99)]}, "max_duration of"),
        ({"vehicles": [VehicleType("van", 9, max_trips=2, cost_per_time=1)]}, "cost_per_time of"),
    ],
)
def test_combinations_that_pyvrp_does_not_know_are_named(
    options: dict[str, Any], message: str
) -> None:
    instance = unsplit(None if "vehicles" in options else 9, [1, 1, 1], LINE, **options)
    with pytest.raises(InputError, match=message):
        solve(pyvrp, instance)
