import math
from typing import Any

import pytest

import splitroute as sr
from splitroute.stop import Watch


@pytest.mark.parametrize("limits", [{}, {"seconds": 0}, {"iterations": -1}, {"target": 5}])
def test_a_stop_without_a_sensible_limit_is_refused(limits: dict[str, float]) -> None:
    with pytest.raises(sr.InputError):
        sr.Stop(**limits)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"seconds": "5"}, "seconds is '5'; it is a number above 0"),
        ({"seconds": True}, "seconds is True; it is a number above 0"),
        ({"iterations": 1.5}, "iterations is 1.5; it is a whole number above 0"),
        ({"seconds": 1, "target": "low"}, "target is 'low'; it is a number"),
        ({"seconds": 1, "target": math.nan}, "target is nan; it is a number"),
        ({"iterations": 10**20}, "at most 1e"),
        ({"seconds": math.inf}, "seconds is inf; it is a number above 0"),
    ],
)
def test_a_limit_of_the_wrong_type_is_named(limits: dict[str, Any], message: str) -> None:
    with pytest.raises(sr.InputError, match=message) as caught:
        sr.Stop(**limits)
    assert caught.value.field == list(limits)[-1]
    assert caught.value.value is limits[list(limits)[-1]]


def test_iterations() -> None:
    watch = Watch(sr.Stop(iterations=3))
    assert not watch.reached(2)
    assert watch.reached(3)


def test_stall_counts_from_the_last_improvement() -> None:
    watch = Watch(sr.Stop(stall=10))
    assert not watch.reached(5, 100.0)
    assert not watch.reached(14, 90.0)
    assert not watch.reached(23, 90.0)
    assert watch.reached(24, 90.0)


def test_target() -> None:
    watch = Watch(sr.Stop(seconds=100, target=50))
    assert not watch.reached(1, 50.1)
    assert watch.reached(2, 50.0)


def test_reports_are_due_only_now_and_then() -> None:
    watch = Watch(sr.Stop(seconds=100))
    assert watch.due(60)
    assert not watch.due(60)
