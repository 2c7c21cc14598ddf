"""`splitroute solve`."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import splitroute as sr
from splitroute.generate import random_instance

Run = Callable[..., Any]
PNG = b"\x89PNG"
PROGRAM = str(Path(sys.executable).with_name("splitroute"))


def test_solve_saves_plots_and_prints(run: Run, sd1: Path, tmp_path: Path) -> None:
    out, plot = tmp_path / "solution.json", tmp_path / "routes.png"
    command = (
        "--metric exact --rule pasa --levels 2 --base 2 --engine pyvrp --iterations 200 --seed 1"
    )
    result = run("solve", sd1, *command.split(), "--out", out, "--plot", plot, "--show-rings")
    assert result.exit_code == 0, result.stderr
    assert "22,828" in result.stdout  # the optimum, times 100
    assert "split customers" in result.stdout
    data = json.loads(out.read_text())
    assert data["cost"] == pytest.approx(22828.427)
    assert data["about"]["rule"] == "pasa:p=2:L=2"
    assert plot.read_bytes().startswith(PNG)
    assert run("check", sd1, out).exit_code == 0


def test_solve_prints_json(run: Run, sd1: Path) -> None:
    result = run("solve", sd1, "--iterations", 100, "--json", "--baseline", "--metric", "dimacs")
    data = json.loads(result.stdout)
    assert (data["instance"], data["metric"], data["cost"]) == ("SD1", "dimacs", 22828)
    about = data["about"]
    assert {"seconds", "seed", "visits", "split_customers"} <= about.keys()
    assert about["unsplit_cost"] > data["cost"]
    assert about["saving"] == pytest.approx(1 - data["cost"] / about["unsplit_cost"])
    assert result.stderr == ""


def test_solve_prints_nothing_if_quiet(run: Run, sd1: Path, tmp_path: Path) -> None:
    result = run("solve", sd1, "--iterations", 10, "--quiet", "--out", tmp_path / "it.txt")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert (tmp_path / "it.txt").read_text().startswith("Route 1: 0 - ")


def test_improve_splits_what_the_rule_left_whole(run: Run, sd1: Path) -> None:
    command = ("solve", sd1, "--rule", "none", "--iterations", 200, "--json")
    plain = json.loads(run(*command).stdout)
    better = json.loads(run(*command, "--improve", 0.5).stdout)
    assert plain["about"]["split_customers"] == 0
    assert better["about"]["split_customers"] > 0
    assert better["cost"] < plain["cost"]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_saves_the_best_solution_so_far(
    how: signal.Signals, run: Run, tmp_path: Path
) -> None:
    """In a real terminal, which shows the progress bar."""
    file, out = tmp_path / "it.csv", tmp_path / "best.json"
    sr.write(random_instance(100), file)  # too many to be proven optimal
    terminal, stderr = pty.openpty()
    child = subprocess.Popen(
        [PROGRAM, "solve", str(file), "--time", "300", "--out", str(out)],
        stderr=stderr,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )
    os.close(stderr)
    shown = b""
    deadline = time.monotonic() + 60
    while b"best " not in shown and time.monotonic() < deadline:
        shown += os.read(terminal, 4096)
    assert b"s left" in shown
    child.send_signal(how)
    stdout, _ = child.communicate(timeout=60)
    os.close(terminal)
    assert child.returncode == 130
    assert "Interrupted; this is the best solution so far." in stdout
    assert run("check", file, out).exit_code == 0


def test_an_interrupt_while_reading_exits_quietly(tmp_path: Path) -> None:
    os.mkfifo(file := tmp_path / "it.csv")
    command = [PROGRAM, "solve", str(file)]
    with (
        subprocess.Popen(command, stderr=subprocess.PIPE) as child,
        file.open("w"),  # returns when the program has opened it
    ):
        child.terminate()  # SIGINT is ignored by the children of some shells
        assert child.communicate(timeout=60)[1] == b""
    assert child.returncode == 130


@pytest.mark.parametrize("rule", ["free", "none", "coins"])
def test_rings_need_rule_pasa(rule: str, run: Run, sd1: Path, tmp_path: Path) -> None:
    result = run("solve", sd1, "--rule", rule, "--show-rings", "--plot", tmp_path / "a.png")
    assert result.exit_code == 2
    assert f"--show-rings needs rule pasa; rule {rule} has no rings (--rule)" in result.stderr


def test_options_of_a_rule_follow_colons(run: Run, sd1: Path) -> None:
    command = ("solve", sd1, "--rule", "pasa:levels=3:p=3", "--iterations", 10, "--json")
    assert json.loads(run(*command).stdout)["about"]["rule"] == "pasa:p=3:L=3"
    assert json.loads(run(*command, "--levels", 1).stdout)["about"]["rule"] == "pasa:p=3:L=1"


def test_levels_are_chosen_by_a_race(run: Run, sd1: Path, tmp_path: Path) -> None:
    plot = tmp_path / "rings.png"
    command = ("solve", sd1, "--rule", "pasa", "--levels", "auto", "--iterations", 500)
    result = run(*command, "--base", 2, "--show-rings", "--plot", plot)
    assert result.exit_code == 0, result.stderr
    assert "split plans, pasa:p=2:L=" in result.stdout
    assert plot.read_bytes().startswith(PNG)
    same = ("solve", sd1, "--rule", "pasa:L=auto:p=2", "--iterations", 500, "--json")
    about = json.loads(run(*same).stdout)["about"]
    assert about["rule"] in {entry["rule"] for entry in about["race"]}


def test_rings_of_the_default_rule_of_an_engine(run: Run, sd1: Path, tmp_path: Path) -> None:
    plot = tmp_path / "a.png"
    result = run(
        "solve", sd1, "--engine", "rtr", "--iterations", 10, "--show-rings", "--plot", plot
    )
    assert result.exit_code == 0, result.stderr
    assert plot.exists()


def test_an_unknown_output_extension_does_not_suggest_the_input_format(
    run: Run, sd1: Path, tmp_path: Path
) -> None:
    result = run("solve", sd1, "--out", tmp_path / "x")
    assert "known: .csv, .geojson, .gpx, .html, .json, .sol, .tsv, .txt" in result.stderr
    assert "format" not in result.stderr


def test_large_instances_say_why_the_bound_is_weak(run: Run, tmp_path: Path) -> None:
    sr.write(random_instance(1501), tmp_path / "large.csv")
    result = run("solve", tmp_path / "large.csv", "--time", 0.5, "--bound", 0.5)
    assert "tighter bounds need at most 1,500 customers" in result.stdout


def test_the_option_for_a_tighter_bound_is_named(run: Run, sd1: Path) -> None:
    hint = "use --bound 60 for a tighter one"
    assert hint in run("solve", sd1, "--iterations", 10).stdout
    assert hint not in run("solve", sd1, "--iterations", 10, "--bound", 1).stdout


def test_outputs_must_be_different_files(run: Run, sd1: Path, tmp_path: Path) -> None:
    plot = tmp_path / "routes.svg"
    for options in (["--out", sd1], ["--plot", plot, "--plot-convergence", plot]):
        result = run("solve", sd1, "--iterations", 10, *options)
        assert result.exit_code == 2
        assert "input and output files must all be different" in result.stderr


def test_the_routes_of_an_instance_with_rules_are_printed(
    run: Callable[..., Any], tmp_path: Path, two_depots: tuple[sr.Instance, sr.Solution]
) -> None:
    sr.write(two_depots[0], tmp_path / "bakery.json")
    done = run("solve", tmp_path / "bakery.json", "--iterations", 50, "--bound", 0)
    assert done.exit_code == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["vehicle", "departure", "return", "visits", "load", "cost"] in lines
    assert "50 km/h, straight lines" in done.stdout


@pytest.mark.parametrize("command", ["solve", "improve"])
def test_the_solution_is_saved_to_every_file(
    run: Run, sd1: Path, tmp_path: Path, command: str
) -> None:
    given = tmp_path / "given.json"
    run("solve", sd1, "--iterations", 10, "--out", given)
    arguments = [command, sd1, given] if command == "improve" else [command, sd1]
    outs = [tmp_path / "a.csv", tmp_path / "a.json"]
    options = [word for out in outs for word in ("--out", out)]
    result = run(*arguments, "--time", 0.2, *options)
    assert result.exit_code == 0, result.output
    assert all(f"saved {out}" in result.stdout for out in outs)
    assert all(run("check", sd1, out).exit_code == 0 for out in outs)
    twice = run(*arguments, "--time", 0.2, "--out", outs[0], "--out", outs[0])
    assert twice.exit_code == 2


def test_a_baseline_without_a_solution_is_reported(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,x,y,demand\ndepot,0,0,\na,3,4,6\nb,5,1,6\nc,0,9,8\n")
    (tmp_path / "vans.csv").write_text("type,count,capacity,fixed_cost\nvan,2,10,5\n")
    arguments = ("solve", tmp_path / "a.csv", "--fleet", tmp_path / "vans.csv", "--baseline")
    result = run(*arguments, "--iterations", 50)
    assert "without splitting no solution found with this fleet" in " ".join(result.stdout.split())
    data = json.loads(run(*arguments, "--iterations", 50, "--json").stdout)
    assert (data["about"]["unsplit_cost"], data["about"]["saving"]) == (None, None)


def test_solutions_of_instances_that_must_not_be_split_need_no_quantities(
    run: Run, tmp_path: Path
) -> None:
    (path := tmp_path / "it.json").write_text(
        '{"capacity": 9, "splittable": false, "depot": {"x": 0, "y": 0}, '
        '"customers": [{"x": 3, "y": 4, "demand": 6}, {"x": 6, "y": 8, "demand": 6}]}'
    )
    out = tmp_path / "it.sol"
    assert run("solve", path, "--iterations", 20, "--out", out).exit_code == 0
    assert run("improve", path, out, "--time", 0.1, "--out", out).exit_code == 0
    path.write_text(path.read_text().replace("false", "true"))
    refused = run("solve", path, "--iterations", 20, "--out", out)
    assert "the format cannot hold split visits" in refused.stderr
