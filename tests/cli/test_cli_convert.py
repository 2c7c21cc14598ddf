"""`splitroute convert`."""

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
