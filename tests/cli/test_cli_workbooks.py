"""Spreadsheets on the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from spreadsheets import Book, Rows, xlsx

Run = Callable[..., Any]
ROWS: Rows = [
    ["Kapazität", 80],
    ["Ref", "lat", "lon", "weight, kg", "Ort"],
    ["depot", 53.55, 10.0],
    ["a", 53.54, 9.97, 54, "Hafen"],
    ["b", 53.6, 10.14, 210, "Messe"],
]
MAPPED = "demand=weight, kg,id=Ref"


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    path = tmp_path / "orders.xlsx"
    path.write_bytes(xlsx(Book({"Start": [["x"]], "Mo": ROWS})))
    return path


def test_a_workbook_is_solved_and_checked(run: Run, orders: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.xlsx"
    options = ("--sheet", "Mo", "--columns", MAPPED)
    result = run("solve", orders, *options, "--iterations", 200, "--out", plan)
    assert result.exit_code == 0, result.output
    checked = run("check", orders, plan, *options)
    assert (checked.exit_code, checked.stdout.startswith("valid")) == (0, True)


def test_missing_columns_name_the_option(run: Run, orders: Path) -> None:
    result = run("solve", orders, "--sheet", "Mo")
    assert result.exit_code == 2
    assert "orders.xlsx:Mo!2: no column 'demand'; required: " in result.stderr
    assert "such as demand=weight, kg (--columns)" in result.stderr
    result = run("solve", orders, "--sheet", "Di")
    assert "no sheet 'Di'; the workbook has: Start, Mo (--sheet)" in result.stderr


@pytest.mark.parametrize("text", ["demand", "demand=", "=x", "demand=a,demand=b"])
def test_bad_mappings_are_rejected(run: Run, orders: Path, text: str) -> None:
    result = run("solve", orders, "--columns", text)
    assert result.exit_code == 2
    assert "it must be a list such as demand=Weight,id=Code (--columns)" in result.stderr


def test_a_workbook_is_converted(run: Run, orders: Path, tmp_path: Path) -> None:
    options = ("--sheet", "Mo", "--columns", MAPPED)
    for name in ("it.csv", "it.json", "copy.xlsx"):
        result = run("convert", orders, tmp_path / name, *options)
        assert result.exit_code == 0, result.output
    assert run("convert", tmp_path / "copy.xlsx", tmp_path / "again.csv").exit_code == 0
    lines = (tmp_path / "it.csv").read_text().splitlines()[1:]
    assert (tmp_path / "again.csv").read_text().splitlines()[1:] == lines
