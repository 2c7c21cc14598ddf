import pytest

from example_records import record
from splitroute.bench.compare import compare
from splitroute.bench.results import Results
from splitroute.errors import InputError


def test_a_clear_difference_is_significant() -> None:
    records = [
        record(f"x{k}", method, 100 + k + worse, seed=seed, set="mine")
        for k in range(12)
        for seed in (1, 2)
        for method, worse in (("a", 0), ("b", 1 + seed + k % 3))
    ]
    comparison = compare(Results("exact", records), "a", "b")
    assert (comparison.wins, comparison.draws, comparison.losses) == (12, 0, 0)
    assert comparison.p_value < 0.001
    assert comparison.mean_difference < 0
    assert "a is better at the 5 % level" in comparison.summary()
    reverse = compare(Results("exact", records), "b", "a")
    assert (reverse.losses, reverse.p_value) == (12, comparison.p_value)
    assert "a is better" in reverse.summary()


def test_one_large_win_does_not_outweigh_many_small_losses() -> None:
    changes = [0.0] * 30 + [0.01] * 12 + [-5.0]
    records = [
        record(f"x{k}", method, 100.0 + worse, set="mine")
        for k, change in enumerate(changes)
        for method, worse in (("a", change), ("b", 0.0))
    ]
    comparison = compare(Results("exact", records), "a", "b")
    assert comparison.mean_difference < 0
    assert "a is better" not in comparison.summary()


def test_draws_do_not_change_the_p_value() -> None:
    changes = [0.1 * k * (1 if k % 5 else -1) for k in range(1, 16)]
    p_values = []
    for draws in (0, 20):
        records = [
            record(f"x{k}", method, 100.0 + worse, set="mine")
            for k, change in enumerate([*changes, *[0.0] * draws])
            for method, worse in (("a", change), ("b", 0.0))
        ]
        p_values.append(compare(Results("exact", records), "a", "b").p_value)
    assert p_values[0] == p_values[1]


def test_equal_methods_draw() -> None:
    records = [record(f"x{k}", m, 100.0 + k) for k in range(5) for m in ("a", "b")]
    comparison = compare(Results("exact", records), "a", "b")
    assert (comparison.draws, comparison.p_value, comparison.mean_difference) == (5, 1.0, 0.0)


def test_five_instances_are_too_few_for_a_test() -> None:
    costs = (("a", 0), ("b", 1))
    records = [record(f"x{k}", m, 100.0 + w * (k + 1)) for k in range(5) for m, w in costs]
    summary = compare(Results("exact", records), "a", "b").summary()
    assert "too few instances differ (at least 6 needed)" in summary


def test_only_common_seeds_are_compared() -> None:
    records = [record("x", "a", 100.0), record("x", "b", 100.0), record("x", "b", 500.0, seed=2)]
    assert compare(Results("exact", records), "a", "b").draws == 1


@pytest.mark.parametrize(
    ("a", "b", "message"), [("a", "c", "known: a, b"), ("a", "b", "in common")]
)
def test_unknown_or_disjoint_methods_are_refused(a: str, b: str, message: str) -> None:
    records = [record("x", "a", 100.0), record("y", "b", 100.0)]
    with pytest.raises(InputError, match=message):
        compare(Results("exact", records), a, b)
