"""The radial bound with rules, on instances whose optimum is plain to see."""

from typing import Any

import pytest

import splitroute as sr
from splitroute.bounds.radial import radial_bound
from splitroute.instance import Depot, VehicleType


def line(demands: list[int], capacity: int | None = 10, **options: Any) -> sr.Instance:
    """Customers at distances 10, 20, .. from the depot."""
    places = [(0.0, 0.0), *((10.0 * k, 0.0) for k in range(1, len(demands) + 1))]
    return sr.Instance.create(capacity, demands, places, **options)


def fleet(*types: VehicleType, demands: list[int], **options: Any) -> sr.Instance:
    return line(demands, None, vehicles=types, **options)


def test_each_vehicle_type_pays_its_own_costs() -> None:
    cheap = VehicleType("cheap", 5, cost_per_distance=0.5)
    large = VehicleType("large", 20)
    # 20 units over 10: four trips of 20 at half price, or one trip at full price.
    assert radial_bound(fleet(cheap, large, demands=[20])) == pytest.approx(20.0)
    assert radial_bound(fleet(cheap, large, demands=[5])) == pytest.approx(10.0)


def test_a_cost_per_distance_of_zero_leaves_no_bound() -> None:
    free = VehicleType("free", 5, cost_per_distance=0.0)
    assert radial_bound(fleet(free, VehicleType("van", 9), demands=[20])) == 0.0


def test_only_the_types_that_may_serve_a_customer_count() -> None:
    free, van = VehicleType("free", 5, cost_per_distance=0.0), VehicleType("van", 5)
    instance = fleet(free, van, demands=[20], vehicle_types=[("van",)])
    assert radial_bound(instance) == pytest.approx(80.0)


def test_the_fixed_cost_is_shared_by_the_trips_of_a_vehicle() -> None:
    once = VehicleType("once", 10, fixed_cost=100.0)
    assert radial_bound(fleet(once, demands=[20])) == pytest.approx(40.0 + 200.0)
    twice = VehicleType("twice", 10, fixed_cost=100.0, max_trips=2)
    assert radial_bound(fleet(twice, demands=[40])) == pytest.approx(80.0 + 200.0)
    # Even a small demand takes a vehicle.
    assert radial_bound(fleet(twice, demands=[1])) == pytest.approx(20.0 + 100.0)


def test_routes_start_and_end_at_the_depots_of_their_type() -> None:
    there = VehicleType("there", 10, depot="west", end_depot="east")
    instance = sr.Instance.create(
        None,
        [10, 10],
        [(0.0, 0.0), (30.0, 0.0), (10.0, 0.0), (50.0, 0.0)],
        vehicles=[there],
        depots=[Depot("west"), Depot("east")],
    )
    assert radial_bound(instance) == pytest.approx(30.0 + 70.0)


def test_time_is_priced_with_travel_and_service() -> None:
    timed = VehicleType("timed", 10, cost_per_distance=0.0, cost_per_time=2.0)
    instance = fleet(timed, demands=[20], speed=0.5, service=3.0, service_per_unit=0.25)
    # Two trips of 40 time units, two services, and 5 for the quantity.
    assert radial_bound(instance) == pytest.approx(2 * (2 * 40 + 2 * 3 + 5))


def test_large_demands_need_extra_visits() -> None:
    instance = line([25], extra_visit_cost=7.0)
    assert radial_bound(instance) == pytest.approx(2.5 * 20 + 2 * 7)


def test_demand_with_a_penalty_may_stay_undelivered() -> None:
    # Delivering costs 2 per unit of the first customer, 4 per unit of the second.
    instance = line([20, 20], penalty=[3.0, 1.0])
    assert radial_bound(instance) == pytest.approx(2 * 20 + 1 * 20)
    # Both visits of the first customer would cost 20 and 30 extra; one of them pays off.
    instance = line([20, 20], penalty=[3.0, 1.0], extra_visit_cost=[30.0, 0.0])
    assert radial_bound(instance) == pytest.approx(10 * 2 + 10 * 3 + 20)
    assert radial_bound(line([20, 20], penalty=0.0)) == 0.0


def test_penalties_are_per_unit_of_the_user() -> None:
    instance = line([20], unit="0.5", penalty=1.0)
    assert radial_bound(instance) == pytest.approx(10.0)


def test_partial_solutions_are_compared_with_those_that_deliver_as_much() -> None:
    instance = line([20, 20], partial=True)
    assert radial_bound(instance) == 0.0
    assert radial_bound(instance, 0) == pytest.approx(40 + 80)
    assert radial_bound(instance, 5) == pytest.approx(40 + 60)
    assert radial_bound(instance, 30) == pytest.approx(20)


def test_durations_may_be_shorter_by_a_detour() -> None:
    timed = VehicleType("timed", 10, cost_per_distance=0.0, cost_per_time=1.0)
    durations = [[0, 9, 1], [9, 0, 1], [1, 1, 0]]
    instance = sr.Instance.create(
        None,
        [10, 0],
        [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)],
        vehicles=[timed],
        durations=durations,
        windows=[((0.0, 99.0),), ()],
    )
    assert radial_bound(instance) == pytest.approx(4.0)


def test_rules_that_only_restrict_do_not_weaken_the_bound() -> None:
    plain, windows = line([25, 4]), line([25, 4], windows=[((0.0, 99.0),), ()])
    assert windows.rules
    assert radial_bound(windows) == pytest.approx(radial_bound(plain))
