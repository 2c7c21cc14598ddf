"""`splitroute improve`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]


def test_improve_lists_its_repairs(run: Run, tmp_path: Path) -> None:
    instance, given, out = tmp_path / "a.csv", tmp_path / "given.csv", tmp_path / "out.csv"
    instance.write_text("# capacity: 10\nid,x,y,demand\ndepot,0,0,0\nA,5,0,4\nB,5,1,4\n")
    given.write_text("route,visit,number,quantity\n1,1,1,2\n1,2,2,2\n2,1,1,2\n2,2,2,2\n")
    command = ("improve", instance, given, "--time", 0.2, "--out", out, "--json")
    data = json.loads(run(*command).stdout)
    assert data["changes"]
    assert out.read_text().count("\n") == 3  # a header and two visits
    again = json.loads(run("improve", instance, out, "--time", 0.2, "--json").stdout)
    assert again["changes"] == []


def test_improve_reports_its_own_solution_as_valid(run: Run, sd1: Path, tmp_path: Path) -> None:
    given = tmp_path / "given.csv"
    given.write_text("route,visit,number,quantity\n1,1,1,5\n")
    result = run("improve", sd1, given, "--time", 0.5, "--json")
    data = json.loads(result.stdout)
    assert data["valid"] is True
    assert data["valid_before"] is False


def test_improve_prints_each_step(run: Run, sd1: Path, tmp_path: Path) -> None:
    given = tmp_path / "given.csv"
    given.write_text("route,visit,number,quantity\n1,1,1,5\n")
    out = run("improve", sd1, given, "--time", 0.5).stdout
    assert "before: 8 violations, cost 2,000 (exact)" in out
    assert "  and 3 more; `splitroute check` lists all" in out
    assert "repaired: cost " in out
    assert "improved: " in out
    assert "not saved; use --out FILE" in out
