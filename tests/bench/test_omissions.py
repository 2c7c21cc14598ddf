"""Whatever a table or figure leaves out is named there, with the reason."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from made_records import record, some_records
from splitroute.bench import figures
from splitroute.bench.compare import compare
from splitroute.bench.records import Journal
from splitroute.bench.results import Runs
from splitroute.bench.tables import overview, tables
from splitroute.registry import load, names


@pytest.fixture
def runs() -> Runs:
    """Of SD3 one method has a record, of SD4 one crashed; the paper has no S101D2."""
    others = [
        record("SD3", "bad", 900.0),
        record("SD4", "bad", 700.0),
        record("SD4", "good", None),
        record("SD1", "good", None, seed=3),
        record("SD1", "bad", 240.0, seed=3),
        record("S101D1", "good", 750.0, set="SET-2"),
        record("S101D2", "good", 1400.0, set="SET-2"),
    ]
    return Runs("exact", [*some_records(), *others])


def test_the_overview_names_what_its_means_do_not_count(runs: Runs) -> None:
    assert overview(runs).notes[-3:-1] == (
        "Left out of the means: SD3 (no record: good); SD4 (crashed: good); "
        "S101D1 (no record: bad); S101D2 (no best known value).",
        "Runs without an answer: good on SD1, SD4 (crashed).",
    )


def test_a_table_names_its_rows_without_averages_and_the_methods_it_lacks(runs: Runs) -> None:
    first, second = tables(runs)
    assert first.notes[-1] == "Not in the averages: SD3 (no record: good); SD4 (crashed: good)."
    assert "Not in this table: bad (no record)." in second.notes


def test_a_row_that_the_paper_does_not_have_says_so() -> None:
    rows = [record(name, "m", 1400.0, set="SET-2") for name in ("S101D1", "S101D2")]
    (table,) = tables(Runs("exact", rows, "own"))
    assert table.notes == ("Not in the averages: S101D2 (not in the paper).",)


def test_a_method_that_always_failed_does_not_spoil_the_means() -> None:
    failed = [record(name, "worst", None) for name in ("SD1", "SD2")]
    found = Runs("exact", [*some_records(), *failed])
    assert len(found.common) == 3
    assert overview(found).notes == ("Runs without an answer: worst on SD1, SD2 (crashed).",)


def test_methods_that_share_nothing_are_said_not_to_compare() -> None:
    found = Runs("exact", [record("SD1", "a", 230.0), record("SD2", "b", 710.0)])
    assert "do not compare" in overview(found).notes[0]


def test_methods_not_asked_for_are_named() -> None:
    found = Runs("exact", some_records(), wanted=["good"])
    assert overview(found).notes == ("Not asked for: bad.",)


def test_where_nothing_is_left_out_nothing_is_said() -> None:
    found = Runs("exact", some_records())
    assert not overview(found).notes
    assert not tables(found)[0].notes
    assert not compare(found, "good", "bad").left_out


def test_large_sets_are_called_by_name() -> None:
    rows = [record(f"x{k}", "a", 1.0, set="mine") for k in range(5)]
    found = Runs("exact", [*rows, record("y", "a", 1.0), record("y", "b", 1.0)], "runs")
    assert overview(found).notes == ("Left out of the means: all 5 of mine (no record: b).",)


def test_a_comparison_names_what_only_one_has(runs: Runs) -> None:
    text = compare(runs, "good", "bad").text()
    assert "left out: SD3 (no record: good); SD4 (crashed: good); S101D1, S101D2 (no" in text


def test_every_figure_says_what_it_leaves_out(runs: Runs) -> None:
    for name in names(figures):
        module = load(figures, name)
        if module.draw(runs) is not None:
            module.left_out(runs)
    said = load(figures, "profile").left_out(runs)
    assert "SD1 (not every method has seed 3)" in said
    assert "SD3 (no record: good)" in said


def test_a_method_without_costs_over_time_is_named_in_their_figure() -> None:
    told = record("SD1", "a", 230.0, trace=[[0.1, 230.0]])
    found = Runs("exact", [told, record("SD1", "b", 230.0)])
    assert load(figures, "progress").left_out(found) == ["b (no costs over time)"]


def test_the_page_and_the_figures_say_it_too(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with Journal(path) as journal:
        for each in [*some_records(), record("SD3", "bad", 900.0), record("SD4", "alone", 800.0)]:
            journal.append(each)
    assert run("bench", "report", "--records", path, "--out", tmp_path / "r.html").exit_code == 0
    page = (tmp_path / "r.html").read_text()
    for words in (
        "Not compared: ",
        "Not in the averages: ",
        "Not drawn: all 5 of SET-1 (no routes",
    ):
        assert words in page
    done = run("bench", "plot", "--records", path, "--out", tmp_path / "figures")
    assert "left out of exact-gaps.svg: SD1, SD2, SD10 (no record: alone)" in done.stderr
    done = run("bench", "table", "--records", path, "--format", "csv")
    assert "Not in the averages" in done.stderr
    assert "Not in the averages" not in done.stdout


def test_runs_of_fewer_seeds_than_others_are_named() -> None:
    rows = [record(name, "m", 240.0, seed=seed) for name in ("SD1", "SD2") for seed in (1, 2, 3)]
    assert "Fewer seeds: m on SD2 (2 of 3)." in overview(Runs("exact", rows[:-1])).notes
    assert not any("seeds" in note for note in overview(Runs("exact", rows)).notes)
