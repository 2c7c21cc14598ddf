import pytest

from example_records import record
from splitroute.bench.differences import differences
from splitroute.bench.results import Results


def test_differences_are_means_over_the_instances_of_a_set() -> None:
    records = [
        record("x", "a", 100.0, set="s"),
        record("x", "b", 110.0, set="s"),
        record("y", "a", 200.0, set="s"),
        record("y", "b", 206.0, set="s"),
        record("z", "a", 100.0, set="t"),
        record("z", "b", 102.0, set="t"),
    ]
    table = differences(Results("exact", records), "a")
    assert [column.name for column in table.columns][:4] == ["method", "s", "t", "all, %"]
    assert table.rows[0] == ("a", 0.0, 0.0, 0.0, 3.0, 1.0, 0.0)
    assert table.rows[1][1:4] == pytest.approx((6.5, 2.0, 5.0))
    assert "Mean difference to a in percent" in table.title


def test_failed_runs_are_counted_and_left_out() -> None:
    records = [
        record("x", "a", 100.0, set="s"),
        record("x", "b", 110.0, set="s"),
        record("y", "a", 200.0, set="s"),
        record("y", "b", None, set="s"),
        record("x", "c", None, set="s"),
    ]
    table = differences(Results("exact", records), "a")
    assert table.rows[1][2:4] == pytest.approx((10.0, 1.0))
    assert table.rows[1][-1] == 1.0
    assert table.rows[2] == ("c", None, None, 0.0, None, 1.0)
