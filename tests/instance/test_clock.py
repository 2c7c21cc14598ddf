"""Times as texts."""

import pytest

from splitroute.instance.clock import clock_text


@pytest.mark.parametrize(
    ("time", "text"),
    [(0, "00:00"), (510, "08:30"), (510.5, "08:30:30"), (-90, "-01:30"), (-0.001, "00:00")],
)
def test_times_by_the_clock(time: float, text: str) -> None:
    assert clock_text(time) == text
