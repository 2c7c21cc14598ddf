"""Every value of ours has a solution, and every solution is valid."""

import re
import shutil
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from conftest import FOLDER, ROOT
from example_records import run_benchmark
from splitroute.bench.best_known import OWN_SOURCE, BestKnown, read_best_known
from splitroute.bench.best_solutions import check_solutions, improve_bounds, solution_path
from splitroute.processes.pool import open_pool

BEST = ROOT / "best"
TABLE = ROOT / "src" / "splitroute" / "bench" / "data" / "best_known.csv"


def test_each_of_our_values_has_a_solution() -> None:
    ours = [row for row in read_best_known().values() if row.source == OWN_SOURCE]
    assert len(ours) >= 88  # all in metric exact, three in dimacs
    for row in ours:
        assert solution_path(BEST, row.instance, row.metric).exists(), row


@pytest.mark.parametrize("name", ["SET-1", "SET-2", "SET-3", "SET-4"])
def test_the_solutions_are_valid_and_cost_what_the_table_says(name: str, tmp_path: Path) -> None:
    if name != "SET-1" and not (FOLDER / name).is_dir():
        pytest.skip(f"benchmark files of {name} are absent; set SPLITROUTE_INSTANCES")
    rows = {key: row for key, row in read_best_known().items() if row.set == name}
    for row in rows.values():
        source, copy = (solution_path(f, row.instance, row.metric) for f in (BEST, tmp_path))
        if source.exists():
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(source, copy)
    table = tmp_path / "best_known.csv"
    lines = TABLE.read_text().splitlines(keepends=True)
    table.write_text("".join([lines[0], *(line for line in lines if line.startswith(name))]))
    before = table.read_bytes()
    checked = check_solutions(tmp_path, table, FOLDER)
    assert [solution for solution in checked if solution.error] == []
    assert table.read_bytes() == before
    for solution in checked:
        row = rows[solution.instance, solution.metric]
        if row.source == OWN_SOURCE:
            assert solution.cost == pytest.approx(float(row.value), abs=1e-4)


def test_a_missing_solution_is_an_error(tmp_path: Path) -> None:
    lines = TABLE.read_text().splitlines(keepends=True)
    rows = [line for line in lines if line.startswith(("SET-1,SD1,exact", "SET-1,SD2,exact"))]
    (table := tmp_path / "best_known.csv").write_text("".join([lines[0], *rows]))
    copy = solution_path(tmp_path, "SD1", "exact")
    copy.parent.mkdir()
    shutil.copy(solution_path(BEST, "SD1", "exact"), copy)
    errors = {s.instance: s.error for s in check_solutions(tmp_path, table)}
    assert errors == {"SD1": "", "SD2": "missing, but the table says the value is ours"}


def test_the_command_computes_lower_bounds(run: Callable[..., Any], tmp_path: Path) -> None:
    lines = TABLE.read_text().splitlines(keepends=True)
    selected = [line for line in lines if line.startswith(("SET-1,SD1,", "SET-1,SD2,"))]
    rows = [re.sub(r",[^,]*,(yes|no),([^,]*,[^,]*)$", r",,no,\2", line) for line in selected]
    (table := tmp_path / "best_known.csv").write_text("".join([lines[0], *rows]))
    for metric in ("exact", "dimacs"):
        for name in ("SD1", "SD2"):
            copy = solution_path(tmp_path, name, metric)
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(solution_path(BEST, name, metric), copy)
    options = ("--bound", 20, "--jobs", 2, "--data", tmp_path)
    done = run("bench", "best-known", tmp_path, "--table", table, *options)
    assert done.exit_code == 0, done.stderr
    assert re.search(
        r"SD1, exact: 228.2843, lower bound 228.284\d*, optimal \(proven\)", done.stdout
    )
    assert {row.proven for row in read_best_known(table).values()} == {"yes"}


def test_a_table_that_does_not_exist_is_made_from_ours(tmp_path: Path) -> None:
    copy = solution_path(tmp_path, "SD1", "exact")
    copy.parent.mkdir()
    shutil.copy(solution_path(BEST, "SD1", "exact"), copy)
    with open_pool() as pool:
        [row] = improve_bounds(tmp_path, table := tmp_path / "best_known.csv", pool, 1.0)
    assert (row.instance, row.metric) == ("SD1", "exact")
    assert read_best_known(table).keys() == read_best_known().keys()


def test_the_command_saves_the_best_of_the_records(run: Callable[..., Any], tmp_path: Path) -> None:
    records = run_benchmark(run, tmp_path)
    folder, table = tmp_path / "best", tmp_path / "best_known.csv"
    header = ",".join(field.name for field in fields(BestKnown))
    table.write_text(f"{header}\nSET-1,SD1,exact,unlimited,no,230,other,2020,,no,228.28,\n")
    done = run("bench", "best-known", folder, "--table", table, "--records", records)
    assert done.exit_code == 0, done.stderr
    assert "SD1, exact: 228.2843 (was 230)" in done.stdout
    assert "3 solutions, 0 invalid" in done.stdout
    assert "SET-1,SD1,exact,unlimited,no,228.2843,splitroute," in table.read_text()
    again = run("bench", "best-known", folder, "--table", table, "--records", records)
    assert again.stdout == "3 solutions, 0 invalid\n"
    path = folder / "exact" / "SD1.txt"
    path.write_text(path.read_text().replace("( 60 )", "( 61 )", 1))
    wrong = run("bench", "best-known", folder, "--table", table)
    assert wrong.exit_code == 1
    assert "1 invalid" in wrong.stdout
