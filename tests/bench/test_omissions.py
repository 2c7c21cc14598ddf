"""Tables and figures state what they omit, and why."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from example_records import record, some_records
from splitroute.bench import figures
from splitroute.bench.compare import compare
from splitroute.bench.records import Journal
from splitroute.bench.results import Results
from splitroute.bench.tables import overview, tables
from splitroute.registry import load, names


@pytest.fixture
def results() -> Results:
    """Only one method has a record of SD3, one crashed on SD4, and the paper lacks S101D2."""
    more = [
        record("SD3", "bad", 900.0),
        record("SD4", "bad", 700.0),
        record("SD4", "good", None),
        record("SD1", "good", None, seed=3),
        record("SD1", "bad", 240.0, seed=3),
        record("S101D1", "good", 750.0, set="SET-2"),
        record("S101D2", "good", 1400.0, set="SET-2"),
    ]
    return Results("exact", [*some_records(), *more])


def test_the_overview_lists_what_its_means_exclude(results: Results) -> None:
    assert overview(results).notes[-3:-1] == (
        "Excluded from the means: SD3 (no record: good); SD4 (crashed: good); "
        "S101D1 (no record: bad); S101D2 (no best known value).",
        "Failed runs: good on SD1, SD4 (crashed).",
    )


def test_a_table_lists_excluded_rows_and_methods(results: Results) -> None:
    first, second = tables(results)
    assert (
        first.notes[-1] == "Excluded from the averages: SD3 (no record: good); SD4 (crashed: good)."
    )
    assert "Not in this table: bad (no record)." in second.notes


def test_a_row_missing_in_the_paper_is_reported() -> None:
    rows = [record(name, "m", 1400.0, set="SET-2") for name in ("S101D1", "S101D2")]
    (table,) = tables(Results("exact", rows, "own"))
    assert table.notes == ("Excluded from the averages: S101D2 (not in the paper).",)


def test_a_method_that_always_fails_does_not_affect_the_means() -> None:
    failed = [record(name, "worst", None) for name in ("SD1", "SD2")]
    results = Results("exact", [*some_records(), *failed])
    assert len(results.common_instances) == 3
    assert overview(results).notes == ("Failed runs: worst on SD1, SD2 (crashed).",)


def test_methods_without_common_instances_are_not_comparable() -> None:
    results = Results("exact", [record("SD1", "a", 230.0), record("SD2", "b", 710.0)])
    assert "not comparable" in overview(results).notes[0]


def test_unselected_methods_are_listed() -> None:
    results = Results("exact", some_records(), methods=["good"])
    assert overview(results).notes == ("Not selected: bad.",)


def test_complete_results_need_no_notes() -> None:
    results = Results("exact", some_records())
    assert not overview(results).notes
    assert not tables(results)[0].notes
    assert not compare(results, "good", "bad").excluded


def test_whole_sets_are_abbreviated() -> None:
    rows = [record(f"x{k}", "a", 1.0, set="mine") for k in range(5)]
    results = Results("exact", [*rows, record("y", "a", 1.0), record("y", "b", 1.0)], "runs")
    assert overview(results).notes == ("Excluded from the means: all 5 of mine (no record: b).",)


def test_a_comparison_lists_excluded_instances(results: Results) -> None:
    text = compare(results, "good", "bad").summary()
    assert "excluded: SD3 (no record: good); SD4 (crashed: good); S101D1, S101D2 (no" in text


def test_every_figure_lists_what_it_omits(results: Results) -> None:
    for name in names(figures):
        module = load(figures, name)
        if module.draw(results) is not None:
            module.omitted(results)
    omitted = load(figures, "profile").omitted(results)
    assert "SD1 (not every method has seed 3)" in omitted
    assert "SD3 (no record: good)" in omitted


def test_the_convergence_figure_lists_methods_without_a_trace() -> None:
    traced = record("SD1", "a", 230.0, trace=[[0.1, 230.0]])
    results = Results("exact", [traced, record("SD1", "b", 230.0)])
    assert load(figures, "convergence").omitted(results) == ["b (no trace)"]


def test_report_and_figures_state_omissions(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with Journal(path) as journal:
        journal.append(record("SD4", "alone", 800.0))
        for example in [*some_records(), record("SD3", "bad", 900.0)]:
            journal.append(example)
    assert run("bench", "report", "--records", path, "--out", tmp_path / "r.html").exit_code == 0
    page = (tmp_path / "r.html").read_text()
    for text in (
        "Not compared: ",
        "Excluded from the averages: ",
        "Not drawn: all 5 of SET-1 (no routes",
    ):
        assert text in page
    done = run("bench", "plot", "--records", path, "--out", tmp_path / "figures")
    assert "exact-gaps.svg omits: SD1, SD2, SD10 (no record: alone)" in done.stderr
    done = run("bench", "table", "--records", path, "--format", "csv")
    assert "Excluded from the averages" in done.stderr
    assert "Excluded from the averages" not in done.stdout


def test_incomplete_seeds_are_listed() -> None:
    rows = [record(name, "m", 240.0, seed=seed) for name in ("SD1", "SD2") for seed in (1, 2, 3)]
    assert "Incomplete seeds: m on SD2 (2 of 3)." in overview(Results("exact", rows[:-1])).notes
    assert not any("seeds" in note for note in overview(Results("exact", rows)).notes)
