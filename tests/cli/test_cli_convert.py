"""`splitroute convert`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import splitroute as sr
from splitroute.generate import set1

Run = Callable[..., Any]


def test_convert_instances_and_solutions(run: Run, sd1: Path, tmp_path: Path) -> None:
    for target in ("it.json", "it.vrp", "it.csv"):
        assert run("convert", sd1, tmp_path / target, "--metric", "exact").exit_code == 0
        again = sr.read(tmp_path / target)
        assert again.demands.tolist() == set1(1).demands.tolist()
        assert again.places == set1(1).places
    run("solve", sd1, "--iterations", 50, "--out", tmp_path / "s.json")
    converted = run("convert", tmp_path / "s.json", tmp_path / "s.txt", "--instance", sd1)
    assert converted.exit_code == 0, converted.stderr
    assert run("check", sd1, tmp_path / "s.txt").exit_code == 0
    rejected = run("convert", tmp_path / "s.json", tmp_path / "s.sol", "--instance", sd1)
    assert rejected.exit_code == 2
    assert "split" in rejected.stderr


def test_convert_rejects_an_invalid_solution(run: Run, sd1: Path, tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("Route 1: 0 - 1 ( 60 ) - 0\n20\n")
    result = run("convert", tmp_path / "s.txt", tmp_path / "s.json", "--instance", sd1)
    assert result.exit_code == 2
    assert "not a valid solution: customer 2 receives 0" in result.stderr
    assert not (tmp_path / "s.json").exists()


def test_convert_does_not_overwrite_its_input(run: Run, sd1: Path, tmp_path: Path) -> None:
    before = sd1.read_bytes()
    link = tmp_path / "link.txt"
    link.symlink_to(sd1)
    run("solve", sd1, "--iterations", 10, "--out", tmp_path / "s.txt")
    for command in ([sd1, sd1], [sd1, link], [tmp_path / "s.txt", sd1, "--instance", sd1]):
        assert run("convert", *command).exit_code == 2
    assert sd1.read_bytes() == before


def test_convert_writes_several_files_or_none(run: Run, sd1: Path, tmp_path: Path) -> None:
    a, b, c = (tmp_path / name for name in ("a.json", "b.csv", "c.sol"))
    result = run("convert", sd1, a, b)
    assert (result.exit_code, result.stdout) == (0, f"saved {a}\nsaved {b}\n")
    assert sr.read(a).demands.tolist() == sr.read(b).demands.tolist()
    run("solve", sd1, "--iterations", 50, "--out", tmp_path / "s.json")
    x = tmp_path / "x.csv"
    rejected = run("convert", tmp_path / "s.json", x, c, "--instance", sd1)
    assert rejected.exit_code == 2
    assert "c.sol: the format cannot hold split visits" in rejected.stderr
    assert not x.exists()


def test_convert_keeps_how_a_solution_was_found(run: Run, sd1: Path, tmp_path: Path) -> None:
    first, second, third = (tmp_path / f"{name}.json" for name in "abc")
    run("solve", sd1, "--iterations", 50, "--out", first, "--date", "2026-11-17")
    about = json.loads(first.read_text())["about"]
    assert run("convert", first, second, "--instance", sd1).exit_code == 0
    assert json.loads(second.read_text())["about"] == about
    assert about["date"] == "2026-11-17"
    run("convert", first, third, "--instance", sd1, "--date", "2026-11-18")
    assert json.loads(third.read_text())["about"] == {**about, "date": "2026-11-18"}


def test_a_date_needs_a_file_that_holds_it(run: Run, sd1: Path, tmp_path: Path) -> None:
    plan = tmp_path / "s.json"
    run("solve", sd1, "--iterations", 50, "--out", plan)
    for command in (
        ("convert", sd1, tmp_path / "it.json"),
        ("convert", plan, tmp_path / "s.csv", "--instance", sd1),
        ("solve", sd1, "--iterations", 50),
    ):
        result = run(*command, "--date", "2026-11-17")
        assert result.exit_code == 2
        assert "date is '2026-11-17', but no file holds it; save --sheets" in result.stderr
    assert [file.name for file in tmp_path.iterdir() if file != sd1] == ["s.json"]
