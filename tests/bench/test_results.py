import pytest

from example_records import record, some_records
from splitroute.bench.results import Results, results_by_metric
from splitroute.errors import InputError


def test_metrics_are_kept_apart() -> None:
    other = [{**r, "metric": "dimacs", "cost": 100 * r["cost"]} for r in some_records()]
    by_metric = results_by_metric([*some_records(), *other])
    assert [results.metric for results in by_metric] == ["dimacs", "exact"]


def test_a_method_with_two_limits_counts_as_two_methods() -> None:
    records = [record("SD1", "m", 230.0), record("SD1", "m", 229.0, limit={"seconds": 9})]
    assert Results("exact", records).methods == ["m (1 s)", "m (9 s)"]


def test_limits_that_differ_in_the_last_digit_are_distinct() -> None:
    rows = [record("x", "m", 1.0, limit={"iterations": n}) for n in (1_000_000, 1_000_004)]
    assert len(Results("exact", rows).methods) == 2


def test_pass_through_is_part_of_the_label() -> None:
    records = [record("SD1", "m", 230.0), record("SD1", "m", 229.0, pass_through=True)]
    assert Results("exact", records).methods == ["m (1 s)", "m (pass-through, 1 s)"]


def test_a_repeated_record_counts_once() -> None:
    results = Results("exact", some_records() * 2)
    assert len(results.records) == len(some_records())


def test_failed_runs_are_counted_but_not_averaged() -> None:
    results = Results("exact", [*some_records(), record("SD1", "good", None, seed=3)])
    assert results.failure_count("good") == 1
    assert results.gap("SET-1", "SD1", "good") == pytest.approx(0.0, abs=1e-9)


def test_gaps_fall_back_to_the_best_of_the_runs() -> None:
    records = [record("x", "a", 10.0, set="mine"), record("x", "b", 11.0, set="mine")]
    assert Results("exact", records).gap("mine", "x", "b") == pytest.approx(10.0)


def test_a_reference_without_values_is_refused() -> None:
    with pytest.raises(InputError, match="'challenge' has no values for these instances in metric"):
        results_by_metric(some_records(), "challenge")


def test_an_instance_without_a_reference_value_has_no_gap() -> None:
    rows = [record("S101D1", "m", 750.0, set="SET-2"), record("S101D2", "m", 1400.0, set="SET-2")]
    results = Results("exact", rows)
    assert results.gap("SET-2", "S101D1", "m") is not None
    assert results.gap("SET-2", "S101D2", "m") is None


def test_means_are_over_common_instances() -> None:
    results = Results("exact", [*some_records(), record("SD3", "good", 900.0)])
    assert results.mean_gap("good") == pytest.approx(0.0, abs=1e-9)


def test_methods_can_be_selected_and_ordered() -> None:
    records = [*some_records(), record("SD1", "worst", 999.0)]
    (results,) = results_by_metric(records, methods=["worst", "bad"])
    assert results.methods == ["worst", "bad"]
    assert results.unselected_methods == ["good"]
    with pytest.raises(InputError, match="unknown method 'x'; known: good, bad, worst"):
        results_by_metric(records, methods=["x"])


def test_conditions_state_limit_and_seeds() -> None:
    assert Results("exact", some_records()).conditions == "1 s per run, seeds 1 and 2"
    many = [record("SD1", "m", 300.0, seed=seed, limit={"iterations": 50}) for seed in range(3, 8)]
    assert Results("exact", many).conditions == "50 iterations per run, seeds 3 to 7"
    far = [record("SD1", "m", 300.0, seed=seed) for seed in (1, 10**18)]
    assert Results("exact", far).conditions.endswith("seeds 1, 1000000000000000000")


@pytest.mark.parametrize(("names", "kind"), [(["p01"], "literature"), (["p01", "mine"], "runs")])
def test_published_values_are_used_where_all_instances_have_one(
    names: list[str], kind: str
) -> None:
    results = Results("exact", [record(name, "m", 600.0, set="mdvrp") for name in names])
    assert results.reference_of("mdvrp") == kind
    explicit = Results("exact", results.records, "literature")
    assert explicit.gap("mdvrp", "p01", "m") == pytest.approx(100 * (600 / 576.87 - 1))
