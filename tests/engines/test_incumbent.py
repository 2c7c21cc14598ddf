"""The best solution of a run and the pauses between its exports."""

import math

import pytest

import splitroute as sr
from splitroute import _core
from splitroute.core import Model
from splitroute.engines._incumbent import (
    MIN_PAUSE_FACTOR,
    CoreIncumbent,
    ExportPause,
    Incumbent,
)
from splitroute.progress import Progress
from splitroute.solution import cost
from splitroute.stop import TimeBudget


@pytest.fixture
def instance() -> sr.Instance:
    return sr.Instance.create(10, [4, 5], [(0, 0), (3, 0), (3, 4)])


def solutions(instance: sr.Instance) -> tuple[sr.Solution, sr.Solution]:
    """A good one and a bad one."""
    return (
        sr.Solution.unsplit(instance, [[1, 2]]),
        sr.Solution.unsplit(instance, [[1], [2]]),
    )


def test_only_better_solutions_are_taken_over_and_reported_once(instance: sr.Instance) -> None:
    good, bad = solutions(instance)
    reports: list[Progress] = []
    incumbent = Incumbent(instance, TimeBudget(sr.Stop(iterations=100)), reports.append)
    assert not incumbent.report(0)
    assert incumbent.offer(bad)
    assert not incumbent.offer(bad)
    assert not incumbent.report(1)
    assert incumbent.offer(good)
    assert not incumbent.offer(bad)
    assert not incumbent.report(2)
    assert not incumbent.report(3, cost=1.0)
    assert (incumbent.solution, incumbent.cost) == (good, 12)
    assert [report.solution for report in reports] == [None, bad, good, None]
    assert [report.cost for report in reports] == [math.inf, 16, 12, 1]


def test_a_run_ends_at_a_limit_or_at_the_listeners_request(instance: sr.Instance) -> None:
    incumbent = Incumbent(instance, TimeBudget(sr.Stop(iterations=5)), lambda progress: None)
    assert not incumbent.report(4)
    assert incumbent.report(5)
    assert Incumbent(instance, TimeBudget(sr.Stop(iterations=5)), lambda progress: True).report(0)
    reaching = Incumbent(
        instance, TimeBudget(sr.Stop(iterations=5, target=12)), lambda progress: None
    )
    reaching.offer(solutions(instance)[0])
    assert reaching.report(0)


def test_the_pause_is_a_multiple_of_the_export(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("splitroute.stop.time.perf_counter", lambda: now)
    pause = ExportPause(TimeBudget(sr.Stop(seconds=1000)))
    assert pause.is_over
    now = 2.0
    pause.begin(export_began=1.0)
    now = 2 + MIN_PAUSE_FACTOR - 0.5
    assert not pause.is_over
    now = 2.0 + MIN_PAUSE_FACTOR
    assert pause.is_over


def test_searches_are_exported_when_they_improve(instance: sr.Instance) -> None:
    reports: list[Progress] = []
    model = Model(instance)
    search = _core.Annealing(model.compiled, 1)
    search.start()
    search.set_budget(0.0, 100)
    budget = TimeBudget(sr.Stop(iterations=100))
    incumbent = CoreIncumbent(instance, model, budget, reports.append)
    assert not incumbent.report_searches([search])
    assert not incumbent.report_searches([search])  # no improvement, so no export
    search.advance(100, math.inf)
    assert incumbent.report_searches([search])
    best = incumbent.best(search)
    assert cost(instance, best) == 12
    assert reports[0].solution is not None
    assert reports[1].solution is None
    assert reports[-1].iterations == 100
    assert reports[-1].cost == pytest.approx(12)
