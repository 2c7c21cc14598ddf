"""What precedes a search is cancelled by the listener, by the time limit and by Ctrl-C."""

import math
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import splitroute as sr
from splitroute import _core
from splitroute.core import Model
from splitroute.engines._parts import PartedSearch
from splitroute.engines._preparation import prepared
from splitroute.generate import random_instance
from splitroute.progress import Progress
from splitroute.stop import Stop, TimeBudget
from splitroute.validation import validate

NEVER = TimeBudget(Stop(iterations=1))


def wait_for(cancellation: _core.Cancellation) -> str:
    for _ in range(1000):
        if cancellation.is_requested:
            return "first solution"
        time.sleep(0.01)
    raise AssertionError("not cancelled")


def test_the_listener_hears_of_a_long_preparation_and_ends_it() -> None:
    cancellation = _core.Cancellation()
    reports: list[Progress] = []

    def listener(progress: Progress) -> bool:
        reports.append(progress)
        return len(reports) == 2

    first = prepared(lambda: wait_for(cancellation), NEVER, listener, cancellation)
    assert first == "first solution"
    assert reports[0].cost == math.inf
    assert reports[0].solution is None


def test_the_time_limit_ends_a_preparation() -> None:
    cancellation = _core.Cancellation()
    budget = TimeBudget(Stop(seconds=0.05))
    first = prepared(lambda: wait_for(cancellation), budget, lambda _: False, cancellation)
    assert first == "first solution"


def test_an_exception_of_the_listener_ends_a_preparation() -> None:
    cancellation = _core.Cancellation()

    def listener(progress: Progress) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prepared(lambda: wait_for(cancellation), NEVER, listener, cancellation)


@pytest.mark.parametrize("high", [0.2, 1.5])
@pytest.mark.parametrize("cancelled", ["model", "start"])
def test_a_cancelled_start_is_a_solution(cancelled: str, high: float) -> None:
    instance = random_instance(3000, low=0.1, high=high, seed=1)
    cancellation = _core.Cancellation()
    if cancelled == "model":
        cancellation.request()
    model = Model(instance, cancellation)
    cancellation.request()
    search = model.annealing(1, _core.Settings())
    search.start()
    solution = model.solution(model.best(search))
    assert not validate(instance, solution)
    complete = Model(instance).annealing(1, _core.Settings())
    complete.start()
    assert search.best_cost > complete.best_cost
    total = int(instance.demands.sum())
    assert len(solution.routes) <= 1.005 * total / instance.capacity + 2
    search.set_budget(0.0, 100)
    search.advance(100, 10.0)  # without neighbours, too
    assert not validate(instance, model.solution(model.best(search)))


def test_a_stop_in_the_first_report_returns_a_solution() -> None:
    instance = random_instance(3000, low=0.1, high=0.2, seed=1)
    result = sr.solve(instance, stop=Stop(seconds=60), listener=lambda _: True)
    assert result.seconds < 30


def test_a_cancelled_round_leaves_the_solution_as_it_was() -> None:
    instance = random_instance(200, low=0.1, high=0.9, seed=2)
    model = Model(instance)
    with ThreadPoolExecutor(2) as executor:
        search = PartedSearch(model, 1, {}, executor, 2)
        search.start()
        cost = search.best_cost
        search.set_budget(0.0, 1000)
        model.cancellation.request()
        for seconds in (0.0, 10.0):  # before and after the parts have noticed
            search.advance(1000, seconds)
        assert search.best_cost == cost
    assert not validate(instance, model.solution(search.best()))
