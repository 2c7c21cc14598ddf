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
    assert data["about"]["changes"]
    assert out.read_text().count("\n") == 3  # a header and two visits
    again = json.loads(run("improve", instance, out, "--time", 0.2, "--json").stdout)
    assert again["about"]["changes"] == []


def test_improve_reports_whether_the_solution_was_valid(
    run: Run, sd1: Path, tmp_path: Path
) -> None:
    given = tmp_path / "given.csv"
    given.write_text("route,visit,number,quantity\n1,1,1,5\n")
    result = run("improve", sd1, given, "--time", 0.5, "--json")
    assert json.loads(result.stdout)["about"]["valid_before"] is False


def test_improve_prints_each_step(run: Run, sd1: Path, tmp_path: Path) -> None:
    given = tmp_path / "given.csv"
    given.write_text("route,visit,number,quantity\n1,1,1,5\n")
    out = run("improve", sd1, given, "--time", 0.5).stdout
    assert "before: 8 violations, cost 2,000 (exact)" in out
    assert "  and 3 more; `splitroute check` lists all" in out
    assert "repaired: cost " in out
    assert "improved: " in out
    assert "not saved; use --out FILE" in out


def rich_instance(windows: list[list[list[int]]], **fields: Any) -> dict[str, Any]:
    """Customers at distances 10 and 20 from the depot."""
    places = [{"x": 10, "y": 0, "demand": 4}, {"x": 20, "y": 0, "demand": 6}]
    customers = [place | {"windows": w} for place, w in zip(places, windows, strict=True)]
    vans = [{"type": "van", "capacity": 10, "count": 1}]
    return {"depot": {"x": 0, "y": 0}, "customers": customers, "vehicles": vans, **fields}


def test_improve_repairs_violations_of_rules(run: Run, tmp_path: Path) -> None:
    instance, given = tmp_path / "a.json", tmp_path / "given.json"
    instance.write_text(json.dumps(rich_instance([[[0, 12]], [[0, 99]]])))
    visits = [{"customer": 2, "quantity": 6}, {"customer": 1, "quantity": 4}]
    given.write_text(json.dumps({"routes": [{"visits": visits}]}))
    out = run("improve", instance, given, "--time", 0.2).stdout
    assert "before: 1 violation" in out
    assert "4 units removed: windows violated" in out
    data = json.loads(run("improve", instance, given, "--time", 0.2, "--json").stdout)
    assert [v["customer"] for v in data["routes"][0]["visits"]] == [1, 2]


def test_improve_says_why_it_cannot_repair(run: Run, tmp_path: Path) -> None:
    instance, given = tmp_path / "a.json", tmp_path / "given.json"
    windows = [[[50, 50]], [[45, 45]]]
    instance.write_text(json.dumps(rich_instance(windows)))
    given.write_text(json.dumps({"routes": [{"visits": [{"customer": 1, "quantity": 5}]}]}))
    result = run("improve", instance, given, "--time", 0.2)
    assert result.exit_code == 4
    assert "no feasible place for it was found" in result.stderr
    assert "; --partial delivers as much as possible\n" in result.stderr
    assert "partial=True" not in result.stderr
