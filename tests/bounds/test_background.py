"""Lower bounds computed beside a search by `solve`."""

import math
import threading
import time
from dataclasses import replace

import pytest

import splitroute as sr
from splitroute.bounds import background
from splitroute.bounds.background import THREAD_NAME
from splitroute.errors import InputError
from splitroute.generate import random_instance, set1


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_optima_of_set_1_are_proven(number: int) -> None:
    instance = set1(number)
    found = sr.solve(instance, stop=sr.Stop(iterations=20_000), bound=120.0)
    assert found.optimal
    assert found.gap <= 1e-6
    assert found.bound_trace == tuple(sorted(found.bound_trace))


@pytest.mark.parametrize("demands", [[], [0, 0]])
def test_no_demand_costs_nothing(demands: list[int]) -> None:
    places = [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)][: len(demands) + 1]
    instance = sr.Instance.create(5, demands, places)
    result = sr.solve(instance, stop=sr.Stop(iterations=10), bound=1.0)
    assert (result.bound, result.gap, result.optimal) == (0.0, 0.0, True)


def test_every_result_has_a_bound(square: sr.Instance) -> None:
    result = sr.solve(square, stop=sr.Stop(iterations=100))
    assert 0 < result.bound <= result.cost
    assert result.metadata()["gap"] == result.gap


def test_progress_has_cost_and_bound(square: sr.Instance, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "available_cores", lambda: 2)
    calls: list[sr.Progress] = []
    result = sr.solve(square, stop=sr.Stop(seconds=30), bound=30.0, listener=calls.append)
    assert result.optimal
    assert result.seconds < 20, "the search stops when bound and cost meet"
    assert max(p.bound for p in calls) <= result.cost


def test_an_unsplittable_instance() -> None:
    instance = replace(set1(1), splittable=False)
    result = sr.solve(instance, stop=sr.Stop(iterations=500), bound=5.0)
    assert not result.solution.split_customers()
    assert 0.9 * result.cost < result.bound <= result.cost


def test_an_optimal_split_solution_does_not_replace_that_of_another_rule() -> None:
    calls: list[sr.Progress] = []
    stop = sr.Stop(iterations=30_000)
    result = sr.solve(set1(2), rule="none", stop=stop, bound=10.0, listener=calls.append)
    assert not result.solution.split_customers()
    assert max(p.iterations for p in calls) >= 30_000, "nor does it end the search"


def test_demands_of_many_loads() -> None:
    instance = sr.Instance.create(10, [1500, 700, 33], [(0, 0), (3, 4), (5, 1), (2, 2)])
    result = sr.solve(instance, stop=sr.Stop(iterations=50), bound=3.0)
    assert 0.99 * result.cost < result.bound <= result.cost


def test_a_bound_no_better_than_the_radial_one_is_recorded() -> None:
    result = sr.solve(random_instance(1600, seed=1), stop=sr.Stop(iterations=10), bound=1.0)
    assert result.bound_seconds > 0
    assert result.bound_trace


def test_on_one_core_the_bound_follows_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "available_cores", lambda: 1)
    result = sr.solve(set1(3), stop=sr.Stop(iterations=20_000), bound=20.0)
    assert result.bound_trace[0][0] >= result.trace[-1][0]


def test_the_thread_ends_with_the_search() -> None:
    def fail(progress: sr.Progress) -> bool:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        sr.solve(set1(9), stop=sr.Stop(seconds=60), bound=600.0, listener=fail)
    assert THREAD_NAME not in {thread.name for thread in threading.enumerate()}


def test_the_listener_stops_waiting_for_the_bound() -> None:
    def listen(progress: sr.Progress) -> bool:
        return progress.seconds > 1.0

    began = time.perf_counter()
    sr.solve(set1(9), stop=sr.Stop(iterations=50), bound=600.0, listener=listen)
    assert time.perf_counter() - began < 120


@pytest.mark.parametrize("seconds", [-1.0, math.nan, math.inf])
def test_a_bad_time_limit_is_refused_before_the_search(seconds: float) -> None:
    calls: list[sr.Progress] = []
    with pytest.raises(InputError, match="number of seconds of at least 0"):
        sr.solve(set1(1), bound=seconds, listener=calls.append)
    assert calls == []
