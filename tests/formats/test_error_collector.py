"""All errors of a file are reported at once, with their lines."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import splitroute as sr
from splitroute.formats import parse, read_solution

CSV = """# capacity: none
# vehicles: many
# metric: taxi
id,x,y,demand
depot,0,0,0
a,1,2,three
a,1,north,-4
,1,2,3
b,1,2
c,1,2,4,,,5
"""


def test_all_errors_of_a_table_are_reported_by_line() -> None:
    with pytest.raises(sr.InputError) as caught:
        parse(CSV, "it.csv")
    errors = caught.value.errors
    assert [error.line for error in errors] == [1, 2, 3, 6, 7, 7, 7, 8, 9, 10]
    assert {error.field for error in errors} >= {"capacity", "vehicles", "metric", "demand", "id"}
    lines = str(caught.value).splitlines()
    assert lines[0] == "it.csv: 10 errors:"
    assert lines[1:] == [str(error) for error in errors]


def test_at_most_twenty_errors_are_listed() -> None:
    rows = "".join(f"c{k},1,2,x\n" for k in range(50))
    with pytest.raises(sr.InputError, match="more than 20 errors; the first 20:") as caught:
        parse(f"# capacity: 9\nid,x,y,demand\ndepot,0,0,\n{rows}", "it.csv")
    assert [error.line for error in caught.value.errors] == list(range(4, 24))
    rows = "".join(f"c{k},1,2,x\n" for k in range(20))
    with pytest.raises(sr.InputError, match=r"it.csv: 20 errors:"):
        parse(f"# capacity: 9\nid,x,y,demand\ndepot,0,0,\n{rows}", "it.csv")


def test_a_misspelt_setting_is_one_error() -> None:
    with pytest.raises(sr.InputError, match="did you mean 'capacity'") as caught:
        parse("# capcity: 9\nid,x,y,demand\ndepot,0,0,\na,1,2,3\n", "it.csv")
    assert caught.value.errors == ()


def test_a_single_error_is_not_wrapped() -> None:
    with pytest.raises(sr.InputError) as caught:
        parse("# capacity: 9\nid,x,y,demand\ndepot,0,0,\na,1,2,x\n", "it.csv")
    assert caught.value.errors == ()
    assert (caught.value.line, caught.value.field, caught.value.value) == (4, "demand", "x")


@pytest.mark.parametrize(
    ("name", "text", "fields"),
    [
        (
            "it.vrp",
            "DIMENSION: 2\nCAPACITY: big\nNODE_COORD_SECTION\n1 0 0\n2 1 north\n"
            "DEMAND_SECTION\n1 0\n2 five\nDEPOT_SECTION\n1\n-1\nEOF\n",
            [(2, "capacity"), (8, "demand")],
        ),
        ("it.txt", "2 9\n1 two\n0 0\n1 1\nthree 4\n", [(2, "demand"), (5, "x")]),
        (
            "it.json",
            '{"capacity": "9", "customers": [{"x": 1}, {"demand": 1, "y": "2"}], "depot": 5}',
            [
                (None, "capacity"),
                (None, "depot"),
                (None, "customers[0].demand"),
                (None, "customers[1].y"),
            ],
        ),
    ],
)
def test_other_formats_report_all_errors(name: str, text: str, fields: list[Any]) -> None:
    with pytest.raises(sr.InputError) as caught:
        parse(text, name)
    assert [(error.line, error.field) for error in caught.value.errors] == fields
    assert {error.file for error in caught.value.errors} == {caught.value.file} == {name}
    assert not any(name in error.message for error in caught.value.errors)


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("it.txt", "Route 1: 0 - 1 ( x ) - 0\nRoute 2\n12\n", [1, 2]),
        ("it.csv", "route,number,quantity\n1,1,x\n1,one,2\n", [2, 3]),
        ("it.sol", "Route #1: 99\nRoute #2: 1 1\nCost x\n", [1, 2, 3]),
    ],
)
def test_solutions_report_all_errors(
    name: str, text: str, lines: list[int], tmp_path: Path, square: sr.Instance
) -> None:
    (path := tmp_path / name).write_text(text)
    with pytest.raises(sr.InputError) as caught:
        read_solution(path, square)
    assert [error.line for error in caught.value.errors] == lines


def test_the_command_line_prints_all_errors(tmp_path: Path, run: Callable[..., Any]) -> None:
    (path := tmp_path / "it.csv").write_text(CSV)
    done = run("solve", path)
    assert done.exit_code == 2
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.splitlines()) == 11
