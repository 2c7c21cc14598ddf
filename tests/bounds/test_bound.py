"""Lower bounds never exceed the optimum, and meet it on small instances."""

import math
import time
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from oracle import optimum, tiny_instance
from splitroute.bounds import lower_bound
from splitroute.bounds.radial import radial_bound
from splitroute.errors import InputError
from splitroute.generate import set1
from splitroute.pass_through import with_shortest_paths


def test_oracle_bound_and_search_agree() -> None:
    for seed in range(100, 150):
        instance = tiny_instance(seed)
        best = optimum(with_shortest_paths(instance)[0])
        found = sr.solve(instance, stop=sr.Stop(iterations=3000))
        assert found.cost == pytest.approx(best, rel=1e-9), seed
        bound = lower_bound(instance, 60.0, best=found.solution)
        assert bound.value <= best * (1 + 1e-9), seed
        assert bound.reached(best), seed


def test_bound_without_a_solution() -> None:
    for seed in range(40):
        instance = tiny_instance(seed)
        best = optimum(with_shortest_paths(instance)[0])
        assert radial_bound(instance) <= lower_bound(instance, 60.0).value <= best * (1 + 1e-9)


def test_a_poor_solution_is_replaced_by_an_optimal_one() -> None:
    better = 0
    for seed in range(30):
        instance = tiny_instance(seed)
        poor = sr.Solution(
            tuple(
                sr.Route((sr.Visit(k, part),))
                for k, customer in enumerate(instance.customers, 1)
                for part in _full_loads(customer.demand, instance.capacity)
            )
        )
        bound = lower_bound(instance, 60.0, best=poor)
        if bound.solution is not None:
            assert not sr.validate(instance, bound.solution)
            assert bound.reached(optimum(with_shortest_paths(instance)[0]))
            better += 1
    assert better > 5


def _full_loads(demand: int, capacity: int) -> list[int]:
    return [capacity] * (demand // capacity) + ([demand % capacity] if demand % capacity else [])


def test_asymmetric_distances_and_zero_demands() -> None:
    matrix = [[0, 3, 9, 4], [8, 0, 2, 7], [1, 6, 0, 5], [4, 7, 5, 0]]
    instance = sr.Instance.create(5, [4, 3, 0], matrix=matrix)
    best = optimum(instance)
    assert 0 < lower_bound(instance, 10.0).value <= best


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan])
def test_the_time_limit_is_positive(seconds: float) -> None:
    with pytest.raises(InputError, match="number of seconds above 0"):
        lower_bound(set1(1), seconds)


def test_the_listener_can_stop_it() -> None:
    calls: list[float] = []

    def listen(seconds: float, value: float) -> bool:
        calls.append(value)
        return len(calls) == 3

    began = time.perf_counter()
    lower_bound(set1(9), 600.0, listener=listen)
    assert len(calls) == 3
    assert time.perf_counter() - began < 300


@pytest.mark.parametrize("scale", [1e-7, 1e-3, 1e6])
def test_scaled_distances(scale: float) -> None:
    for seed in range(0, 30, 4):
        original = tiny_instance(seed)
        places = [(x * scale, y * scale) for x, y in original.places]
        demands = [c.demand for c in original.customers]
        instance = sr.Instance.create(original.capacity, demands, places)
        found = sr.solve(instance, stop=sr.Stop(iterations=2000))
        bound = lower_bound(instance, 30.0, best=found.solution)
        assert bound.value <= optimum(original) * scale * (1 + 1e-9)
        assert bound.reached(found.cost)


def test_integer_distances_give_integer_bounds() -> None:
    matrix = (np.array([[0, 3, 4, 5], [3, 0, 2, 4], [4, 2, 0, 3], [5, 4, 3, 0]]) * 10**7).tolist()
    instance = sr.Instance.create(5, [4, 3, 2], matrix=matrix)
    bound = lower_bound(instance, 10.0).value
    assert bound == int(bound)
    assert bound <= optimum(instance)


def test_one_vehicle_for_two_clusters() -> None:
    """The edges between them are not among the nearest neighbours."""
    random = np.random.default_rng(1)
    clusters = [random.uniform(0, 1, (16, 2)) + corner for corner in ([100, 0], [0, 100])]
    places = [(0.0, 0.0), *np.concatenate(clusters).tolist()]
    instance = sr.Instance.create(32, [1] * 32, places, vehicles=1)
    assert lower_bound(instance, 60.0).value > 100 + 100 * 2**0.5 + 100


def test_an_invalid_best_solution_is_refused() -> None:
    with pytest.raises(InputError, match="best is not a valid solution"):
        lower_bound(set1(1), 1.0, best=sr.Solution((sr.Route((sr.Visit(99, 1),)),)))


@pytest.mark.parametrize(
    ("arguments", "options", "field", "message"),
    [
        (["a.csv"], {}, "instance", r"call lower_bound\(read\('a.csv'\)\)"),
        ([set1(1), "5"], {}, "seconds", "seconds is '5'; it must be a number of seconds above 0"),
        ([set1(1), True], {}, "seconds", "seconds is True; it must be"),
        ([set1(1)], {"best": 3}, "best", r"best is int 3, .*; call lower_bound\(.., best="),
    ],
)
def test_a_wrong_call_is_answered_with_the_right_one(
    arguments: list[Any], options: dict[str, Any], field: str, message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        lower_bound(*arguments, **options)
    assert caught.value.field == field
