"""The native search combined with integer programs."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

import splitroute as sr
from splitroute.engines import _recombination, hybrid
from splitroute.engines._recombination import recombine
from splitroute.engines._redistribution import redistribute
from splitroute.generate import random_instance

INSTANCE = random_instance(12, capacity=100, low=0.3, high=0.7, seed=2)
STOP = sr.Stop(iterations=6_000)
SWITCHES = ["pieces", "amounts", "cover"]


@pytest.fixture(autouse=True)
def small_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_recombination, "MAX_PROGRAM_ROUTES", 30)
    monkeypatch.setattr(hybrid, "ITERATIONS_PER_PROGRAM", 100)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Number of calls of each component."""
    counts: Counter[str] = Counter()

    def counting(name: str, function: Any) -> Any:
        def call(*arguments: Any) -> Any:
            counts[name] += 1
            return function(*arguments)

        return call

    for name, function in (("amounts", redistribute), ("cover", recombine)):
        monkeypatch.setattr(hybrid, function.__name__, counting(name, function))
    pieces, *others = hybrid.STEPS
    monkeypatch.setattr(hybrid, "STEPS", (counting("pieces", pieces), *others))
    return counts


@pytest.mark.parametrize("stop", [STOP, replace(STOP, seconds=600.0)])
def test_every_component_is_called(calls: Counter[str], stop: sr.Stop) -> None:
    sr.solve(INSTANCE, engine="hybrid", stop=stop)
    assert sorted(calls) == sorted(SWITCHES)


@pytest.mark.parametrize("off", SWITCHES)
def test_a_component_that_is_off_is_not_called(calls: Counter[str], off: str) -> None:
    options: dict[str, Any] = {off: 0}
    sr.solve(INSTANCE, engine="hybrid", stop=STOP, **options)
    assert sorted(calls) == sorted(set(SWITCHES) - {off})


@pytest.mark.parametrize("options", [{}, {"cover": 0}, {"amounts": 0}, {"pieces": 0}])
def test_the_same_seed_gives_the_same_solution(options: dict[str, Any]) -> None:
    one, other = (
        sr.solve(INSTANCE, engine="hybrid", stop=STOP, seed=3, **options) for _ in range(2)
    )
    assert one.solution == other.solution


def test_the_number_of_vehicles_is_limited() -> None:
    vehicles = -(-int(INSTANCE.demands.sum()) // INSTANCE.capacity)
    limited = replace(INSTANCE, vehicles=vehicles)
    assert len(sr.solve(limited, engine="hybrid", stop=STOP).solution.routes) <= vehicles


def test_time_and_iteration_limit_together() -> None:
    """A time limit that is never reached does not prevent cooling."""
    iterations = sr.solve(INSTANCE, engine="hybrid", stop=STOP).cost
    both = sr.solve(INSTANCE, engine="hybrid", stop=replace(STOP, seconds=600.0)).cost
    assert both == pytest.approx(iterations, rel=0.03)
