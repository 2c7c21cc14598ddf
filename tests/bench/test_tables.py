import csv
import io
import math
from dataclasses import replace
from typing import Any

import pytest

from made_records import record, some_records
from splitroute.bench.compare import compare
from splitroute.bench.references import best_known, paper
from splitroute.bench.render import FORMATS, comma_separated
from splitroute.bench.results import Runs, in_metrics
from splitroute.bench.tables import Impossible, Table, overview, tables
from splitroute.errors import InputError


def column(table: Table, group: str, name: str) -> list[Any]:
    (k,) = (k for k, c in enumerate(table.columns) if (c.group, c.name) == (group, name))
    return [*(row[k] for row in table.rows), table.average[k]]


def test_a_table_has_the_paper_s_columns_beside_ours() -> None:
    (table,) = tables(Runs("exact", some_records()))
    assert table.title.startswith("Table 2 of the paper: SET-1")
    assert column(table, "", "instance")[:3] == ["SD1", "SD2", "SD10"]
    assert column(table, "paper: PASA", "gap")[:2] == [0.0, 0.0]
    assert column(table, "bad", "gap") == pytest.approx([1.0, 2.0, 3.0, 2.0])
    assert column(table, "good", "gap") == pytest.approx([0.0] * 4, abs=1e-9)


def test_averages_are_over_the_rows_that_all_have() -> None:
    (table,) = tables(Runs("exact", [*some_records(), record("SD3", "bad", 900.0)]))
    assert column(table, "bad", "gap")[-1] == pytest.approx(2.0)
    assert table.average[0] == "average of 3"


def test_metrics_are_never_in_one_table() -> None:
    other = [{**r, "metric": "dimacs", "cost": 100 * r["cost"]} for r in some_records()]
    found = in_metrics([*some_records(), *other])
    assert [runs.metric for runs in found] == ["dimacs", "exact"]
    (table,) = tables(found[0])
    assert not [c for c in table.columns if c.group.startswith("paper")]


def test_two_limits_of_a_method_are_two_methods() -> None:
    runs = Runs(
        "exact", [record("SD1", "m", 230.0), record("SD1", "m", 229.0, limit={"seconds": 9})]
    )
    assert runs.methods == ["m (1 s)", "m (9 s)"]


def test_a_record_that_is_there_twice_counts_once() -> None:
    runs = Runs("exact", some_records() * 2)
    assert len(runs.records) == len(some_records())


def test_failed_runs_are_counted_and_not_averaged() -> None:
    runs = Runs("exact", [*some_records(), record("SD1", "good", None, seed=3)])
    assert runs.failures("good") == 1
    assert runs.gap("SET-1", "SD1", "good") == pytest.approx(0.0, abs=1e-9)
    table = overview(runs)
    assert {row[0]: row[-1] for row in table.rows} == {"good": 1, "bad": 0}


def test_without_a_reference_the_best_of_the_runs_is_it() -> None:
    runs = Runs("exact", [record("x", "a", 10.0, set="mine"), record("x", "b", 11.0, set="mine")])
    assert runs.gap("mine", "x", "b") == pytest.approx(10.0)


def test_records_need_no_more_than_their_seven_fields() -> None:
    names = ("instance", "method", "metric", "seed", "status", "cost", "seconds")
    bare = [{name: r[name] for name in names} for r in some_records()]
    (runs,) = in_metrics(bare)
    assert FORMATS["markdown"](tables(runs)[0]).count("\n") > 5


def test_a_user_s_own_set_is_measured_against_its_runs() -> None:
    runs = Runs("exact", [*some_records(), record("x", "good", 10.0, set="mine")])
    (of_paper, own) = tables(runs)
    assert "gaps to the paper's best known" in of_paper.title
    assert "gaps to the best of these runs" in own.title


def test_a_reference_that_there_is_not_is_refused() -> None:
    with pytest.raises(InputError, match="no values of 'challenge' for these in exact"):
        in_metrics(some_records(), "challenge")


def test_an_instance_without_a_reference_has_no_gap() -> None:
    rows = [record("S101D1", "m", 750.0, set="SET-2"), record("S101D2", "m", 1400.0, set="SET-2")]
    runs = Runs("exact", rows)
    assert runs.gap("SET-2", "S101D1", "m") is not None
    assert runs.gap("SET-2", "S101D2", "m") is None


def test_the_paper_s_gaps_are_to_the_same_values_as_ours() -> None:
    worse = [record("SD16", "m", 4000.0)]
    (table,) = tables(Runs("exact", worse, "runs"))
    printed = paper()["SET-1", "SD16"]
    expected = 100 * (printed.pasa_cost / 4000.0 - 1)
    assert column(table, "paper: PASA", "gap")[0] == pytest.approx(expected, abs=0.02)


def test_means_are_over_the_instances_that_all_methods_have() -> None:
    runs = Runs("exact", [*some_records(), record("SD3", "good", 900.0)])
    assert runs.mean_gap("good") == pytest.approx(0.0, abs=1e-9)
    assert "over the 3 instances that all have" in overview(runs).title


def test_some_methods_only_and_in_the_order_asked_for() -> None:
    (runs,) = in_metrics([*some_records(), record("SD1", "worst", 999.0)], methods=["worst", "bad"])
    assert runs.methods == ["worst", "bad"]
    with pytest.raises(InputError, match="unknown method 'x'; known: good, bad, worst"):
        in_metrics([*some_records(), record("SD1", "worst", 999.0)], methods=["x"])


def test_titles_say_how_long_and_how_often() -> None:
    assert Runs("exact", some_records()).conditions == "1 s per run, seeds 1 and 2"
    many = [record("SD1", "m", 300.0, seed=seed, limit={"iterations": 50}) for seed in range(3, 8)]
    assert "50 iterations per run, seeds 3 to 7" in overview(Runs("exact", many)).title


def test_limits_that_differ_in_the_last_digit_are_two() -> None:
    rows = [record("x", "m", 1.0, limit={"iterations": n}) for n in (1_000_000, 1_000_004)]
    assert len(Runs("exact", rows).methods) == 2


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_every_row(name: str) -> None:
    (table,) = tables(Runs("exact", some_records()))
    text = FORMATS[name](table)
    for word in ("SD1", "SD10", "708.28"):
        assert word in text


def test_markdown_and_csv_can_be_read_back() -> None:
    (table,) = tables(Runs("exact", some_records()))
    lines = FORMATS["markdown"](table).splitlines()[2:]
    assert len({line.count("|") for line in lines}) == 1
    rows = list(csv.DictReader(io.StringIO(comma_separated([table]))))
    (bad,) = (row for row in rows if (row["instance"], row["method"]) == ("SD1", "bad"))
    assert float(bad["gap_to_best_known"]) == pytest.approx(1.0)
    assert len(rows) == 3 * (4 + 2)


def test_latex_balances_and_escapes() -> None:
    rows = [record("p01_110", "pasa:L=3+rtr", 460.0, set="SET-3")]
    text = FORMATS["latex"](tables(Runs("exact", rows))[0])
    assert r"p01\_110" in text
    assert text.count("{") == text.count("}")
    columns = text[text.index("tabular}{") :].split("}")[1].count("r") + 1
    assert columns == 2 + 8 + 3 - 2
    body = [line for line in text.splitlines() if line.startswith("p01")]
    assert all(line.count("&") == columns - 1 for line in body)


def test_the_paper_has_81_rows() -> None:
    assert len(paper()) == 81
    assert paper()["SET-3", "p04_3070"].pasa_gap == 1.67


def test_the_table_of_best_known_values_has_both_metrics_of_85_instances() -> None:
    rows = best_known()
    assert len(rows) == 170
    assert {metric for _, metric in rows} == {"dimacs", "exact"}


def test_a_clear_difference_is_called_one() -> None:
    made = [
        record(f"x{k}", method, 100 + k + worse, seed=seed, set="mine")
        for k in range(12)
        for seed in (1, 2)
        for method, worse in (("a", 0), ("b", 1 + seed + k % 3))
    ]
    found = compare(Runs("exact", made), "a", "b")
    assert (found.wins, found.draws, found.losses) == (12, 0, 0)
    assert found.p_value < 0.001
    assert found.mean_difference < 0
    assert "a is better" in found.text()
    turned = compare(Runs("exact", made), "b", "a")
    assert (turned.losses, turned.p_value) == (12, found.p_value)
    assert "a is better" in turned.text()


def test_many_small_losses_are_not_made_up_for_by_one_large_win() -> None:
    changes = [0.0] * 30 + [0.01] * 12 + [-5.0]
    made = [
        record(f"x{k}", method, 100.0 + worse, set="mine")
        for k, change in enumerate(changes)
        for method, worse in (("a", change), ("b", 0.0))
    ]
    found = compare(Runs("exact", made), "a", "b")
    assert found.mean_difference < 0
    assert "a is better" not in found.text()


def test_equal_methods_differ_by_nothing() -> None:
    made = [record(f"x{k}", m, 100.0 + k) for k in range(5) for m in ("a", "b")]
    found = compare(Runs("exact", made), "a", "b")
    assert (found.draws, found.p_value, found.mean_difference) == (5, 1.0, 0.0)
    assert not math.isnan(found.p_value)


def test_a_test_of_few_instances_is_none() -> None:
    made = [record(f"x{k}", m, 100.0 + w) for k in range(5) for m, w in (("a", 0), ("b", k + 1))]
    assert "too few instances differ" in compare(Runs("exact", made), "a", "b").text()


def test_only_common_seeds_are_compared() -> None:
    made = [record("x", "a", 100.0), record("x", "b", 100.0), record("x", "b", 500.0, seed=2)]
    assert compare(Runs("exact", made), "a", "b").draws == 1


@pytest.mark.parametrize(
    ("a", "b", "message"), [("a", "c", "known: a, b"), ("a", "b", "in common")]
)
def test_what_cannot_be_compared_is_refused(a: str, b: str, message: str) -> None:
    made = [record("x", "a", 100.0), record("y", "b", 100.0)]
    with pytest.raises(InputError, match=message):
        compare(Runs("exact", made), a, b)


@pytest.fixture
def bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """SD10 is proven to cost 2684.8824 at least; of SD1 the bound is what the paper rounds."""
    rows = best_known()
    for name, bound in (("SD1", "228.2843"), ("SD10", "2684.8824"), ("eil30", "505.0111")):
        rows[name, "exact"] = replace(rows[name, "exact"], bound=bound)
    monkeypatch.setattr("splitroute.bench.references._own", lambda: rows)


@pytest.mark.usefixtures("bounds")
@pytest.mark.parametrize(
    ("name", "dagger"), [("terminal", "†"), ("markdown", "†"), ("latex", r"\dag{}")]
)
def test_printed_values_that_nothing_can_cost_are_marked(name: str, dagger: str) -> None:
    (table,) = tables(Runs("exact", some_records()))
    text = FORMATS[name](table)
    assert f"{dagger}2683.73" in text
    assert "Proven lower bounds: SD10 2684.88." in text
    assert text.count(dagger) == 2, "that value and the footnote: 228.28 is SD1's bound rounded"
    assert "nothing reaches: SD10" in FORMATS[name](overview(Runs("exact", some_records())))


@pytest.mark.usefixtures("bounds")
def test_csv_says_which_values_are_below_a_bound() -> None:
    (table,) = tables(Runs("exact", some_records()))
    rows = list(csv.DictReader(io.StringIO(comma_separated([table]))))
    marked = {row["instance"]: row["below_bound"] for row in rows}
    assert marked == {"SD1": "", "SD2": "", "SD10": "best_known"}
    assert {row["best_known"] for row in rows if row["instance"] == "SD10"} == {"2683.73"}


@pytest.mark.usefixtures("bounds")
def test_a_printed_gap_is_marked_if_the_cost_that_it_amounts_to_is_impossible() -> None:
    (table,) = tables(Runs("exact", [record("eil30", "m", 505.02, set="SET-4")], "own"))
    (row,) = table.rows
    marked = [c.group for c, v in zip(table.columns, row, strict=True) if isinstance(v, Impossible)]
    assert marked == ["paper: no splitting"], "1.48 % above 497.53 is 504.89"


def test_without_a_bound_nothing_is_marked() -> None:
    (table,) = tables(Runs("exact", [record("x", "m", 1.0, set="mine")]))
    assert not table.notes
