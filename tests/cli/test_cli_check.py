"""`splitroute check`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]


def test_check_lists_every_violation(run: Run, sd1: Path, tmp_path: Path) -> None:
    visits = [{"customer": 1, "quantity": 200}, {"customer": 2, "quantity": 1}]
    bad = {"metric": "exact", "cost": 1, "routes": [{"visits": visits, "load": 5}]}
    (tmp_path / "bad.json").write_text(json.dumps(bad))
    result = run("check", sd1, tmp_path / "bad.json", "--metric", "exact")
    assert result.exit_code == 1
    for kind in ("capacity:", "demand:", "load:", "cost:"):
        assert kind in result.stdout
    assert "11 violations" in result.stdout
    data = json.loads(run("check", sd1, tmp_path / "bad.json", "--json").stdout)
    assert not data["valid"]
    assert len(data["violations"]) == 11


def test_check_compares_metrics(run: Run, sd1: Path, tmp_path: Path) -> None:
    out = tmp_path / "it.json"
    run("solve", sd1, "--metric", "dimacs", "--iterations", 50, "--out", out)
    assert run("check", sd1, out).exit_code == 0  # in the metric of the solution
    other = run("check", sd1, out, "--metric", "exact")
    assert other.exit_code == 1
    assert "the solution states the metric dimacs; the instance has exact" in other.stdout


def test_check_of_unreadable_files(run: Run, sd1: Path, tmp_path: Path) -> None:
    (tmp_path / "it.json").write_text('{"routes": [{"visits": [{"customer": 99, "quantity": 1}]}]}')
    assert run("check", sd1, tmp_path / "it.json").exit_code == 2
    assert run("check", sd1, tmp_path / "none.json").exit_code == 2
    assert run("check", tmp_path / "none.txt", tmp_path / "it.json").exit_code == 2


def test_options_for_solution_files_are_those_that_work(
    run: Run, sd1: Path, tmp_path: Path
) -> None:
    (tmp_path / "visits.dat").write_text("route,number,quantity\n")
    result = run("check", sd1, tmp_path / "visits.dat")
    assert result.stderr.rstrip().endswith("(--solution-format)")
    assert run("check", sd1, tmp_path / "visits.dat", "--solution-format", "csv").exit_code == 1
    (tmp_path / "tours.csv").write_text("Tour,number,quantity\n1,1,1\n")
    result = run("check", sd1, tmp_path / "tours.csv")
    assert "no column 'route'" in result.stderr
    assert "columns" not in result.stderr


def test_check_names_the_instance_of_the_solution(run: Run, sd1: Path, tmp_path: Path) -> None:
    (tmp_path / "it.json").write_text('{"instance": "SD2", "routes": []}')
    result = run("check", sd1, tmp_path / "it.json")
    assert "The solution is for the instance 'SD2'." in result.stdout


def test_check_lists_violations_of_rules(run: Run, tmp_path: Path) -> None:
    van = {"type": "van", "capacity": 10, "count": 1, "max_stops": 1}
    customers = [
        {"x": 10, "y": 0, "demand": 4, "windows": [[0, 12]]},
        {"x": 20, "y": 0, "demand": 6},
    ]
    instance = {
        "depot": {"x": 0, "y": 0},
        "customers": customers,
        "vehicles": [van],
        "partial": True,
    }
    visits = [{"customer": 2, "quantity": 6}, {"customer": 1, "quantity": 4}]
    (tmp_path / "a.json").write_text(json.dumps(instance))
    (tmp_path / "it.json").write_text(json.dumps({"routes": [{"visits": visits}]}))
    result = run("check", tmp_path / "a.json", tmp_path / "it.json")
    assert result.exit_code == 1
    for kind in ("windows:", "max_stops:"):
        assert kind in result.stdout


def test_check_states_what_is_not_delivered(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,x,y,demand\ndepot,0,0,\nnorth,3,4,7\nsouth,0,9,6\n")
    (tmp_path / "it.csv").write_text("route,id,quantity\n1,north,5\n")
    files = (tmp_path / "a.csv", tmp_path / "it.csv", "--capacity", 5)
    result = run("check", *files, "--partial")
    assert result.exit_code == 0
    assert result.stdout == (
        "valid: cost 10 (exact), 1 route, 1 visit, 8 undelivered at 2 customers\n"
    )
    assert json.loads(run("check", *files, "--partial", "--json").stdout)["undelivered"] == [
        {"customer": 1, "id": "north", "quantity": 2},
        {"customer": 2, "id": "south", "quantity": 6},
    ]
