"""The native engine: optimal on tiny instances, deterministic, never worse than its start."""

from functools import cache
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from splitroute import _core
from splitroute.core import Annealing, Model
from splitroute.engines import native
from splitroute.generate import random_instance, set1
from splitroute.solution import cost
from splitroute.stop import Stop


def optimum(instance: sr.Instance) -> float:
    """Cost of an optimal solution, by exhaustive search."""
    demands = tuple(c.demand for c in instance.customers)
    capacity = instance.capacity

    @cache
    def shortest_tour(customers: tuple[int, ...]) -> float:
        return min(
            sum(instance.distance(a, b) for a, b in zip((0, *order), (*order, 0), strict=True))
            for order in permutations(customers)
        )

    @cache
    def min_cost(left: tuple[int, ...]) -> float:
        if not any(left):
            return 0.0
        # Some vehicle serves the first customer with demand left.
        first = next(k for k, amount in enumerate(left) if amount)
        best = float("inf")
        for load in product(*(range(amount + 1) for amount in left)):
            if not load[first] or sum(load) > capacity:
                continue
            customers = tuple(k + 1 for k, amount in enumerate(load) if amount)
            after = tuple(a - b for a, b in zip(left, load, strict=True))
            best = min(best, shortest_tour(customers) + min_cost(after))
        return best

    return min_cost(demands)


@pytest.mark.parametrize("seed", range(1, 25))
def test_tiny_instances_are_solved_to_optimality(seed: int) -> None:
    n = 2 + seed % 3
    metric: Any = "dimacs" if seed % 2 else "exact"
    original = random_instance(n, capacity=4, low=0.3, high=1.0 if seed % 4 else 1.6, seed=seed)
    demands = [c.demand for c in original.customers]
    instance = sr.Instance.create(4, demands, original.places, metric=metric)
    result = sr.solve(instance, stop=Stop(iterations=3000))
    assert result.cost == pytest.approx(optimum(instance))


def test_sd10_with_full_vehicles() -> None:
    """Insertion alone is stuck at 2717; transfers of load between vehicles get below."""
    result = sr.solve(set1(10, rounded=False), stop=Stop(iterations=150_000))
    assert result.cost < 2712


@pytest.mark.parametrize("threads", [1, 2])
def test_the_solution_depends_on_seed_and_iterations_alone(threads: int) -> None:
    instance = set1(9)
    one, two = (
        sr.solve(instance, stop=Stop(iterations=2000), seed=5, threads=threads) for _ in range(2)
    )
    assert one.solution == two.solution
    assert sr.solve(instance, stop=Stop(iterations=2000), seed=6).solution != one.solution


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_several_threads_are_never_worse_than_one(seed: int) -> None:
    instance = random_instance(60, seed=seed)
    one = sr.solve(instance, stop=Stop(iterations=3000), seed=seed)
    three = sr.solve(instance, stop=Stop(iterations=3000), seed=seed, threads=3)
    assert three.cost <= one.cost


def test_a_start_is_kept_if_nothing_better_is_found() -> None:
    instance = set1(12)
    good = sr.solve(instance, stop=Stop(iterations=20_000)).solution
    again = sr.solve(instance, start=good, stop=Stop(iterations=1))
    assert again.cost <= cost(instance, good)


def test_improving_after_pasa_is_free_to_split() -> None:
    instance = random_instance(40, low=0.5, high=0.9, seed=2)
    plain = sr.solve(instance, rule="pasa", stop=Stop(iterations=500))
    better = sr.solve(instance, rule="pasa", stop=Stop(iterations=500), polish=1.0)
    assert better.cost < plain.cost


def test_the_default_rule_depends_on_the_engine() -> None:
    assert sr.solve(set1(1), stop=Stop(iterations=10)).rule == "free"
    pasa = sr.solve(set1(1), rule="pasa", levels=3, stop=Stop(iterations=10))
    assert pasa.rule == "pasa:p=2:L=3"
    assert sr.solve(set1(1), stop=Stop(iterations=10), engine="pyvrp").rule.startswith("pasa")


def test_target_and_stall_stop_it() -> None:
    assert sr.solve(set1(3), stop=Stop(seconds=100, target=1e9)).seconds < 20
    assert sr.solve(set1(1), stop=Stop(stall=2000)).seconds < 60


def test_more_customers_than_fit_into_a_distance_table() -> None:
    instance = random_instance(5000, seed=1)
    first = sr.solve(instance, stop=Stop(iterations=1))
    later = sr.solve(instance, stop=Stop(iterations=20_000))
    assert later.cost < first.cost
    assert sr.validate(instance, later.solution) == []


def test_several_customers_at_one_place() -> None:
    instance = sr.Instance.create(10, [6, 7, 9], [(0, 0), (3, 4), (3, 4), (3, 4)])
    result = sr.solve(instance, stop=Stop(iterations=500))
    assert result.cost == pytest.approx(30)


def test_an_asymmetric_matrix_is_solved_to_optimality() -> None:
    one_way = [[0, 1, 9, 9], [9, 0, 1, 9], [9, 9, 0, 1], [1, 9, 9, 0]]
    instance = sr.Instance.create(30, [5, 5, 5], matrix=one_way)
    assert sr.solve(instance, stop=Stop(iterations=500)).cost == 4


def test_the_search_begins_at_the_start() -> None:
    instance = random_instance(60, seed=4)
    good = sr.solve(instance, stop=Stop(iterations=20_000))
    reports: list[sr.Progress] = []
    sr.solve(instance, start=good.solution, stop=Stop(iterations=1), listener=reports.append)
    assert reports[0].cost <= good.cost + 1e-6


def test_a_start_with_redundant_visits() -> None:
    instance = sr.Instance.create(1000, [1000], [(0, 0), (3, 4)])
    many = sr.Solution((sr.Route((sr.Visit(1, 5),)),) * 200)
    assert sr.solve(instance, start=many, stop=Stop(iterations=50)).cost == 10
    repeated = sr.Solution((sr.Route((sr.Visit(1, 1),) * 1000),))
    assert sr.solve(instance, start=repeated, stop=Stop(iterations=50)).cost == 10


def test_huge_distances_for_missing_roads() -> None:
    none = 1e12
    matrix: list[list[float]] = [[0, 3, 4, 5], [3, 0, 2, none], [4, 2, 0, 2], [5, none, 2, 0]]
    instance = sr.Instance.create(30, [5, 5, 5], matrix=matrix)
    assert sr.solve(instance, stop=Stop(iterations=500)).cost == 3 + 2 + 2 + 5


def test_too_many_vehicles_are_refused() -> None:
    instance = sr.Instance.create(1, [10**9], [(0, 0), (1, 1)])
    with pytest.warns(sr.InputWarning), pytest.raises(sr.LimitError, match="vehicles"):
        sr.solve(instance, stop=Stop(iterations=1))


def test_several_threads_stop_by_stall() -> None:
    instance = random_instance(20, seed=1)
    result = sr.solve(instance, threads=2, stop=Stop(stall=3000))
    assert sr.validate(instance, result.solution) == []


@pytest.mark.parametrize("threads", [0, 5000])
def test_the_number_of_threads_has_a_range(threads: int) -> None:
    with pytest.raises(sr.InputError, match=r"threads is \d+; it must be from 1 to 1024"):
        sr.solve(set1(1), threads=threads)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_vehicles_are_exchanged_for_a_cheaper_fleet(seed: int) -> None:
    """Four small vehicles carry as much as three large ones; both fleets are nearly full."""
    draw = np.random.default_rng(3)
    places = [(50.0, 50.0), *draw.integers(0, 100, (24, 2)).astype(float).tolist()]
    demands = draw.integers(5, 35, 24).tolist()
    fleet = [
        sr.VehicleType("small", 120, fixed_cost=1000),
        sr.VehicleType("large", 160, fixed_cost=1500),
    ]
    instance = sr.Instance.create(None, demands, places, vehicles=fleet)
    assert 0.95 * 480 < sum(demands) < 480
    found = sr.solve(instance, rule="none", stop=sr.Stop(iterations=20_000), seed=seed)
    assert [route.vehicle_type for route in found.solution.routes] == [0] * 4


def test_quantities_beyond_32_bits_are_refused() -> None:
    instance = sr.Instance.create(2**32, [1], [(0, 0), (1, 1)])
    with pytest.raises(sr.InputError, match="32 bits") as caught:
        sr.solve(instance)
    assert caught.value.field == "capacity"


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Seeds of the searches that were created."""
    seeds: list[int] = []

    def create(model: Model, seed: int, settings: _core.Settings) -> Annealing:
        seeds.append(seed)
        return annealing(model, seed, settings)

    annealing = Model.annealing
    monkeypatch.setattr(Model, "annealing", create)
    return seeds


def test_under_a_time_limit_there_are_no_more_searches_than_cores(
    searches: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "available_cores", lambda: 3)
    with pytest.warns(sr.InputWarning, match="threads is 999, but there are 3 cores") as caught:
        sr.solve(set1(3), threads=999, stop=Stop(seconds=0.3), bound=0)
    assert len(searches) == 3
    warning = caught[0].message
    assert isinstance(warning, sr.InputWarning)
    assert (warning.field, warning.value) == ("threads", 999)


@pytest.mark.parametrize("limits", [{"iterations": 20}, {"iterations": 20, "seconds": 60}])
def test_under_an_iteration_limit_all_searches_run(
    limits: dict[str, Any], searches: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The solution must not depend on the number of cores."""
    monkeypatch.setattr(native, "available_cores", lambda: 1)
    sr.solve(set1(3), threads=5, stop=Stop(**limits), bound=0)
    assert len(searches) == 5
