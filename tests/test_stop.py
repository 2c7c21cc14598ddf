import json
import math
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from splitroute.stop import MERGE_SECONDS, VALIDATION_SECONDS, TimeBudget


@pytest.mark.parametrize("limits", [{}, {"seconds": 0}, {"iterations": -1}, {"target": 5}])
def test_a_stop_without_a_sensible_limit_is_refused(limits: dict[str, float]) -> None:
    with pytest.raises(sr.InputError):
        sr.Stop(**limits)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"seconds": "5"}, "seconds is '5'; it must be a number above 0"),
        ({"seconds": True}, "seconds is True; it must be a number above 0"),
        ({"iterations": 1.5}, "iterations is 1.5; it must be a whole number above 0"),
        ({"seconds": 1, "target": "low"}, "target is 'low'; it must be a number"),
        ({"seconds": 1, "target": math.nan}, "target is nan; it must be a number"),
        ({"seconds": 1, "target": math.inf}, "target is inf; it must be a number"),
        ({"iterations": 10**20}, "at most 1e"),
        ({"seconds": math.inf}, "seconds is inf; it must be a number above 0"),
    ],
)
def test_a_limit_of_the_wrong_type_is_named(limits: dict[str, Any], message: str) -> None:
    with pytest.raises(sr.InputError, match=message) as caught:
        sr.Stop(**limits)
    assert caught.value.field == list(limits)[-1]
    assert caught.value.value is limits[list(limits)[-1]]


def test_limits_of_numpy_are_written_as_numbers() -> None:
    stop = sr.Stop(np.float32(0.5), np.int64(3), target=10**400)  # type: ignore[arg-type]
    assert json.loads(json.dumps(asdict(stop)))["iterations"] == 3
    assert type(stop.seconds) is float


def test_iterations() -> None:
    budget = TimeBudget(sr.Stop(iterations=3))
    assert not budget.should_stop(2)
    assert budget.should_stop(3)


def test_stall_counts_from_the_last_improvement() -> None:
    budget = TimeBudget(sr.Stop(stall=10))
    assert not budget.should_stop(5, 100.0)
    assert not budget.should_stop(14, 90.0)
    assert not budget.should_stop(23, 90.0)
    assert budget.should_stop(24, 90.0)


def test_target() -> None:
    budget = TimeBudget(sr.Stop(seconds=100, target=50))
    assert not budget.should_stop(1, 50.1)
    assert budget.should_stop(2, 50.0)


def test_reports_are_due_once_per_interval() -> None:
    budget = TimeBudget(sr.Stop(seconds=100))
    assert budget.is_report_due(60)
    assert not budget.is_report_due(60)


class Clock:
    """A clock that moves only when it is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr("splitroute.stop.time.perf_counter", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_time_elapses_and_remains(clock: Clock) -> None:
    budget = TimeBudget(sr.Stop(seconds=10))
    clock.now += 4
    assert (budget.elapsed, budget.remaining, budget.elapsed_share) == (4, 6, 0.4)
    assert not budget.should_stop(0)
    clock.now += 6
    assert budget.should_stop(0)


def test_without_a_time_limit_there_is_always_time_left(clock: Clock) -> None:
    stop = sr.Stop(iterations=5)
    budget = TimeBudget(stop)
    clock.now += 1000
    budget.reserve(1000)
    assert (budget.remaining, budget.elapsed_share) == (math.inf, 0)
    assert budget.remaining_stop() == stop


def test_reserved_time_is_not_left_for_the_search(clock: Clock) -> None:
    budget = TimeBudget(sr.Stop(seconds=10))
    budget.reserve(3)
    budget.reserve(2)  # replaces the earlier reservation
    assert budget.remaining == 8
    clock.now += 8
    assert budget.should_stop(0)


def test_a_share_is_one_of_the_time_that_is_not_reserved(clock: Clock) -> None:
    budget = TimeBudget(sr.Stop(seconds=10))
    budget.reserve(2)
    clock.now += 1
    assert budget.remaining_until(0.5) == 3
    assert TimeBudget(sr.Stop(iterations=5)).remaining_until(0.5) == math.inf


def test_merging_and_validating_are_reserved_per_visit(clock: Clock) -> None:
    budget = TimeBudget(sr.Stop(seconds=10))
    budget.reserve_for(merged=10_000, validated=20_000)
    after = 10_000 * MERGE_SECONDS + 20_000 * VALIDATION_SECONDS
    assert budget.remaining == pytest.approx(10 - after)


def test_a_search_gets_the_time_that_is_left(clock: Clock) -> None:
    stop = sr.Stop(seconds=10, iterations=7, target=3.0)
    budget = TimeBudget(stop)
    clock.now += 1
    budget.reserve(2)
    assert budget.remaining_stop() == sr.Stop(seconds=7, iterations=7, target=3.0)


@pytest.mark.parametrize(
    ("elapsed", "reserved", "seconds"), [(9, 0, 5), (0, 9, 5), (9, 9, 2.5), (2, 5, 4)]
)
def test_a_search_always_gets_half_of_the_time_at_each_step(
    clock: Clock, elapsed: float, reserved: float, seconds: float
) -> None:
    budget = TimeBudget(sr.Stop(seconds=10))
    clock.now += elapsed
    budget.reserve(reserved)
    assert budget.remaining_stop().seconds == seconds
