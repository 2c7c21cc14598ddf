from dataclasses import replace
from typing import Any

import pytest

from example_records import record, some_records
from splitroute.bench.best_known import read_best_known
from splitroute.bench.paper import paper
from splitroute.bench.render import FORMATS
from splitroute.bench.results import Results, results_by_metric
from splitroute.bench.tables import BelowBound, Table, overview, tables


def column(table: Table, group: str, name: str) -> list[Any]:
    (k,) = (k for k, c in enumerate(table.columns) if (c.group, c.name) == (group, name))
    return [*(row[k] for row in table.rows), table.average[k]]


def test_a_table_has_the_paper_s_columns_beside_ours() -> None:
    (table,) = tables(Results("exact", some_records()))
    assert table.title.startswith("Table 2 of the paper: SET-1")
    assert column(table, "", "instance")[:3] == ["SD1", "SD2", "SD10"]
    assert column(table, "paper: PASA", "gap")[:2] == [0.0, 0.0]
    assert column(table, "bad", "gap") == pytest.approx([1.0, 2.0, 3.0, 2.0])
    assert column(table, "good", "gap") == pytest.approx([0.0] * 4, abs=1e-9)


def test_the_paper_s_columns_are_in_its_metric_only() -> None:
    records = [{**r, "metric": "dimacs", "cost": 100 * r["cost"]} for r in some_records()]
    (table,) = tables(Results("dimacs", records))
    assert not [c for c in table.columns if c.group.startswith("paper")]


def test_averages_are_over_complete_rows() -> None:
    (table,) = tables(Results("exact", [*some_records(), record("SD3", "bad", 900.0)]))
    assert column(table, "bad", "gap")[-1] == pytest.approx(2.0)
    assert table.average[0] == "average of 3"


def test_the_overview_counts_failed_runs() -> None:
    results = Results("exact", [*some_records(), record("SD1", "good", None, seed=3)])
    assert {row[0]: row[-1] for row in overview(results).rows} == {"good": 1, "bad": 0}


def test_the_seven_required_fields_are_enough() -> None:
    names = ("instance", "method", "metric", "seed", "status", "cost", "seconds")
    bare = [{name: r[name] for name in names} for r in some_records()]
    (results,) = results_by_metric(bare)
    assert FORMATS["markdown"](tables(results)[0]).count("\n") > 5


def test_titles_name_the_reference() -> None:
    results = Results("exact", [*some_records(), record("x", "good", 10.0, set="mine")])
    (in_paper, own) = tables(results)
    assert "gap to the paper's best known values in percent" in in_paper.title
    assert "gap to the best of these runs in percent" in own.title


def test_the_overview_names_its_scope() -> None:
    results = Results("exact", [*some_records(), record("SD3", "good", 900.0)])
    assert "over 3 common instances; 1 s per run, seeds 1 and 2" in overview(results).title
    results = Results("exact", [record("SD3", "good", 900.0)])
    assert "over 1 common instance; " in overview(results).title


def test_the_paper_s_gaps_use_the_same_reference_as_ours() -> None:
    (table,) = tables(Results("exact", [record("SD16", "m", 4000.0)], "runs"))
    expected = 100 * (paper()["SET-1", "SD16"].pasa_cost / 4000.0 - 1)
    assert column(table, "paper: PASA", "gap")[0] == pytest.approx(expected, abs=0.02)


@pytest.fixture
def bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The paper's value of SD10 is below its bound; that of SD1 is its bound, rounded."""
    rows = read_best_known()
    for name, bound in (("SD1", "228.2843"), ("SD10", "2684.8824"), ("eil30", "505.0111")):
        rows[name, "exact"] = replace(rows[name, "exact"], bound=bound)
    monkeypatch.setattr("splitroute.bench.best_known._own_table", lambda: rows)


@pytest.mark.usefixtures("bounds")
@pytest.mark.parametrize(
    ("name", "dagger"), [("terminal", "†"), ("markdown", "†"), ("latex", r"\dag{}")]
)
def test_values_below_the_lower_bound_are_marked(name: str, dagger: str) -> None:
    (table,) = tables(Results("exact", some_records()))
    text = FORMATS[name](table)
    assert f"{dagger}2683.73" in text
    assert "Proven lower bounds: SD10 2684.88." in text
    assert text.count(dagger) == 2, "the value and the note, but not SD1's rounded bound"
    assert "unreachable: SD10" in FORMATS[name](overview(Results("exact", some_records())))


@pytest.mark.usefixtures("bounds")
def test_a_gap_is_marked_if_it_implies_a_cost_below_the_bound() -> None:
    (table,) = tables(Results("exact", [record("eil30", "m", 505.02, set="SET-4")], "own"))
    (row,) = table.rows
    marked = [c.group for c, v in zip(table.columns, row, strict=True) if isinstance(v, BelowBound)]
    assert marked == ["paper: no splitting"], "1.48 % above 497.53 is 504.89"


def test_without_a_bound_nothing_is_marked() -> None:
    (table,) = tables(Results("exact", [record("x", "m", 1.0, set="mine")]))
    assert not table.notes
