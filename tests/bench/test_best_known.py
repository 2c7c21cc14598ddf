"""Every value that is said to be ours has a solution, and every solution is checked."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import FOLDER, ROOT
from splitroute.bench.best_known import check, file_of
from splitroute.bench.references import OURS, PROVEN, best_known

BEST = ROOT / "best"
TABLE = ROOT / "src" / "splitroute" / "bench" / "data" / "best_known.csv"


def test_each_of_our_values_has_a_solution() -> None:
    ours = [row for row in best_known().values() if row.source == OURS]
    assert len(ours) >= 88  # all in the exact metric, three in the other
    for row in ours:
        assert file_of(BEST, row.instance, row.metric).exists(), row


@pytest.mark.parametrize("name", ["SET-1", "SET-2", "SET-3", "SET-4"])
def test_the_solutions_are_valid_and_cost_what_the_table_says(name: str, tmp_path: Path) -> None:
    if name != "SET-1" and not (FOLDER / name).is_dir():
        pytest.skip(f"benchmark files of {name} are absent; set SPLITROUTE_INSTANCES")
    rows = {key: row for key, row in best_known().items() if row.set == name}
    for row in rows.values():
        source, copy = (file_of(f, row.instance, row.metric) for f in (BEST, tmp_path))
        if source.exists():
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(source, copy)
    table = tmp_path / "best_known.csv"
    lines = TABLE.read_text().splitlines(keepends=True)
    table.write_text("".join([lines[0], *(line for line in lines if line.startswith(name))]))
    before = table.read_bytes()
    found = check(tmp_path, table, FOLDER)
    assert [each for each in found if each.problem] == []
    assert table.read_bytes() == before
    for each in found:
        row = rows[each.instance, each.metric]
        if row.source == OURS:
            assert each.cost == pytest.approx(float(row.value), abs=1e-4)


def test_values_are_not_above_those_of_the_challenge() -> None:
    for row in best_known().values():
        if row.dimacs:
            assert float(row.value) <= float(row.dimacs)


def test_bounds_prove_values(run: Callable[..., Any], tmp_path: Path) -> None:
    lines = TABLE.read_text().splitlines(keepends=True)
    wanted = [line for line in lines if line.startswith(("SET-1,SD1,", "SET-1,SD2,"))]
    rows = [re.sub(r",[^,]*,(yes|no),([^,]*,[^,]*)$", r",,no,\2", line) for line in wanted]
    (table := tmp_path / "best_known.csv").write_text("".join([lines[0], *rows]))
    for metric in ("exact", "dimacs"):
        for name in ("SD1", "SD2"):
            copy = file_of(tmp_path, name, metric)
            copy.parent.mkdir(exist_ok=True)
            shutil.copy(file_of(BEST, name, metric), copy)
    words = ("--bound", 20, "--jobs", 2, "--data", tmp_path)
    done = run("bench", "records", tmp_path, "--table", table, *words)
    assert done.exit_code == 0, done.stderr
    assert "SD1, exact: 228.2843, bound 228.284" in done.stdout
    assert {row.proven for row in best_known(table).values()} == {"yes"}


def test_no_bound_is_above_a_value() -> None:
    for row in best_known().values():
        if row.bound:
            assert float(row.bound) <= float(row.value) * (1 + 1e-6)
            assert (row.proven == "yes") == (row.gap(float(row.bound)) <= PROVEN)
