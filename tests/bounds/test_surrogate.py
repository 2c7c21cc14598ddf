"""Bounds with rules never exceed the optimum, and relaxations tighten them."""

import numpy as np
import pytest

import splitroute as sr
from rich_instances import rich_instance
from rich_oracle import optimum
from splitroute.bounds import lower_bound
from splitroute.bounds.bound import compute_bound
from splitroute.bounds.radial import radial_bound
from splitroute.bounds.surrogate import surrogate
from splitroute.instance import Depot, VehicleType


@pytest.mark.parametrize("block", range(4))
def test_no_bound_exceeds_the_optimum(block: int) -> None:
    tight = 0
    for seed in range(30 * block, 30 * block + 30):
        instance = rich_instance(seed)
        best = optimum(instance)
        if best.undelivered and not instance.partial:
            continue  # there is no solution
        bound = compute_bound(instance, 10.0, lambda best=best: best.solution)  # type: ignore[misc]
        assert bound.value <= best.cost * (1 + 1e-9), seed
        assert radial_bound(instance, best.undelivered) <= best.cost * (1 + 1e-9), seed
        assert lower_bound(instance, 10.0).value <= best.cost * (1 + 1e-9), seed
        assert bound.rules | bound.relaxed == instance.rules
        assert not bound.rules & bound.relaxed
        tight += bound.reached(best.cost)
    assert tight > 3


def test_the_relaxation_is_tighter_than_the_radial_bound() -> None:
    random = np.random.default_rng(1)
    places = random.integers(0, 100, (14, 2)).astype(float).tolist()
    fleet = [
        VehicleType("van", 10, fixed_cost=20.0, depot="north"),
        VehicleType("truck", 16, fixed_cost=40.0, cost_per_distance=1.5),
    ]
    instance = sr.Instance.create(
        None,
        [4] * 12,
        places,
        vehicles=fleet,
        depots=[Depot("depot"), Depot("north")],
        windows=[((0.0, 500.0),)] * 12,
    )
    bound = lower_bound(instance, 10.0)
    assert bound.value > 1.05 * radial_bound(instance)
    assert bound.rules == {"fleet", "depots", "fixed_cost", "cost_per_distance"}
    assert bound.relaxed == {"windows"}
    assert bound.solution is None


def test_customers_with_a_penalty_are_left_out() -> None:
    places = [(0.0, 0.0), (10.0, 0.0), (0.0, 10.0)]
    instance = sr.Instance.create(10, [5, 5], places, penalty=[None, 100.0])
    found = surrogate(instance)
    assert found is not None
    network, constant = found
    assert network.customers.tolist() == [0, 1]
    assert constant == 0.0
    assert surrogate(sr.Instance.create(10, [5, 5], places, penalty=100.0)) is None
    assert surrogate(sr.Instance.create(10, [5, 5], places, partial=True)) is None


def test_service_and_necessary_visits_are_a_constant() -> None:
    timed = VehicleType("timed", 10, cost_per_time=2.0)
    instance = sr.Instance.create(
        None,
        [25],
        [(0.0, 0.0), (3.0, 4.0)],
        vehicles=[timed],
        service=3.0,
        service_per_unit=0.5,
        extra_visit_cost=7.0,
    )
    found = surrogate(instance)
    assert found is not None
    network, constant = found
    assert constant == pytest.approx(2 * (3 * 3 + 12.5) + 2 * 7)
    assert network.lengths[0, 1] * network.scale == pytest.approx(15.0)
    assert lower_bound(instance, 5.0).value == pytest.approx(3 * 30 + constant)
