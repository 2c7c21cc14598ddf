"""The commands, as people and scripts use them."""

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

import fakes
import splitroute as sr
from splitroute.generate import random_instance, set1

Run = Callable[..., Any]
PNG = b"\x89PNG"


@pytest.fixture
def sd1(tmp_path: Path) -> Path:
    sr.write(set1(1), tmp_path / "SD1.txt")
    return tmp_path / "SD1.txt"


def test_solve_saves_draws_and_reports(run: Run, sd1: Path, tmp_path: Path) -> None:
    out, plot = tmp_path / "solution.json", tmp_path / "routes.png"
    command = "--metric exact --rule pasa --levels 2 --base 2 --engine pyvrp --time 1 --seed 1"
    result = run("solve", sd1, *command.split(), "--out", out, "--plot", plot, "--show-rings")
    assert result.exit_code == 0, result.stderr
    assert "22,828" in result.stdout  # the optimum, times 100
    assert "split customers" in result.stdout
    data = json.loads(out.read_text())
    assert data["cost"] == pytest.approx(22828.427)
    assert data["about"]["rule"] == "pasa:p=2:L=2"
    assert plot.read_bytes().startswith(PNG)
    assert run("check", sd1, out).exit_code == 0


def test_solve_for_scripts(run: Run, sd1: Path) -> None:
    result = run("solve", sd1, "--iterations", 100, "--json", "--baseline", "--metric", "dimacs")
    data = json.loads(result.stdout)
    assert (data["instance"], data["metric"], data["cost"]) == ("SD1", "dimacs", 22828)
    assert {"routes", "seconds", "seed", "visits", "split_customers"} <= data.keys()
    assert data["unsplit_cost"] > data["cost"]
    assert data["saving"] == pytest.approx(1 - data["cost"] / data["unsplit_cost"])
    assert result.stderr == ""


def test_solve_quietly(run: Run, sd1: Path, tmp_path: Path) -> None:
    result = run("solve", sd1, "--iterations", 10, "--quiet", "--out", tmp_path / "it.txt")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert (tmp_path / "it.txt").read_text().startswith("Route 1: 0 - ")


def test_improving_splits_what_the_rule_left_whole(run: Run, sd1: Path) -> None:
    command = ("solve", sd1, "--rule", "none", "--iterations", 200, "--json")
    plain = json.loads(run(*command).stdout)
    better = json.loads(run(*command, "--improve", 0.5).stdout)
    assert (plain["split_customers"], better["split_customers"] > 0) == (0, True)
    assert better["cost"] < plain["cost"]


def test_split_prints_the_plan(run: Run, tmp_path: Path) -> None:
    sr.write(set1(6), tmp_path / "SD6.txt")
    command = ("split", tmp_path / "SD6.txt", "--rule", "pasa", "--levels", 2, "--base", 2)
    facts = json.loads(run(*command, "--json").stdout)
    assert facts == {
        "gcd": 10,
        "mean": 7.5,
        "s_max": 3,
        "levels": [[10, 20, 40, 80], [10, 20, 40]],
        "customers": [16, 16],
        "pieces": 72,
    }
    text = run(*command).stdout
    assert "gcd 10, mean 7.50 of these per customer, s_max 3" in text
    assert "80/40/20/10" in text
    assert "72 pieces in all" in text


def test_split_by_coins(run: Run, tmp_path: Path) -> None:
    sr.write(random_instance(5, capacity=140), tmp_path / "it.txt")
    command = ("split", tmp_path / "it.txt", "--rule", "coins", "--coins", "25/10/5/1", "--json")
    facts = json.loads(run(*command).stdout)
    assert facts["levels"] == [[1.4, 7, 14, 35]]
    assert facts["s_max"] is None


def test_check_lists_every_violation(run: Run, sd1: Path, tmp_path: Path) -> None:
    visits = [{"customer": 1, "quantity": 200}, {"customer": 2, "quantity": 1}]
    bad = {"metric": "exact", "cost": 1, "routes": [{"visits": visits, "load": 5}]}
    (tmp_path / "bad.json").write_text(json.dumps(bad))
    result = run("check", sd1, tmp_path / "bad.json", "--metric", "exact")
    assert result.exit_code == 1
    for kind in ("capacity:", "demand:", "load:", "cost:"):
        assert kind in result.stdout
    assert "11 violations" in result.stdout
    answer = json.loads(run("check", sd1, tmp_path / "bad.json", "--json").stdout)
    assert not answer["valid"]
    assert len(answer["violations"]) == 11


def test_check_never_mixes_metrics(run: Run, sd1: Path, tmp_path: Path) -> None:
    out = tmp_path / "it.json"
    run("solve", sd1, "--metric", "dimacs", "--iterations", 50, "--out", out)
    assert run("check", sd1, out).exit_code == 0  # the metric that the file states
    other = run("check", sd1, out, "--metric", "exact")
    assert other.exit_code == 1
    assert "said to be in the metric dimacs, not exact" in other.stdout


def test_check_of_what_cannot_be_read(run: Run, sd1: Path, tmp_path: Path) -> None:
    (tmp_path / "it.json").write_text('{"routes": [{"visits": [{"customer": 99, "quantity": 1}]}]}')
    assert run("check", sd1, tmp_path / "it.json").exit_code == 2
    assert run("check", sd1, tmp_path / "none.json").exit_code == 2
    assert run("check", tmp_path / "none.txt", tmp_path / "it.json").exit_code == 2


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
    refused = run("convert", tmp_path / "s.json", tmp_path / "s.sol", "--instance", sd1)
    assert refused.exit_code == 2
    assert "split" in refused.stderr


def test_convert_refuses_an_invalid_solution(run: Run, sd1: Path, tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("Route 1: 0 - 1 ( 60 ) - 0\n20\n")
    result = run("convert", tmp_path / "s.txt", tmp_path / "s.json", "--instance", sd1)
    assert result.exit_code == 2
    assert "not a valid solution: customer 2 gets 0" in result.stderr
    assert not (tmp_path / "s.json").exists()


def test_generate(run: Run, tmp_path: Path) -> None:
    assert run("generate", "set1", 6, "--out", tmp_path / "SD6.txt").exit_code == 0
    assert sr.read(tmp_path / "SD6.txt") == set1(6)
    command = "generate random -n 20 --capacity 50 --demand 0.7-0.9 --layout clustered --seed 4"
    printed = run(*command.split())
    assert printed.stdout.startswith("20 50\n")
    run(*command.split(), "--out", tmp_path / "it.json")
    made = sr.read(tmp_path / "it.json")
    assert made == random_instance(20, capacity=50, low=0.7, high=0.9, layout="clustered", seed=4)


@pytest.mark.parametrize("name", ["it.png", "it.svg", "it.pdf"])
def test_plot(run: Run, sd1: Path, name: str, tmp_path: Path) -> None:
    run("solve", sd1, "--iterations", 50, "--out", tmp_path / "s.json")
    result = run("plot", sd1, tmp_path / "s.json", "--out", tmp_path / name, "--show-rings")
    assert result.exit_code == 0, result.stderr
    assert (tmp_path / name).stat().st_size > 5000


MISTAKES = [
    (["solve", "SD1.txt", "--engine", "hybrid", "--jobs", "2"], "hybrid has no option 'jobs'"),
    (["solve", "SD1.txt", "--engine", "hybrid:cover=2"], "cover is 2; it is 1 for on or 0 for off"),
    (["solve", "SD1.txt", "--engine", "hybrid:x=1"], "it has: cover, amounts, pieces"),
    (["solve", "none.txt"], "none.txt: no such file"),
    (
        ["solve", "SD1.txt", "--rule", "halves"],
        "unknown rule 'halves'; known: coins, free, none, pasa",
    ),
    (
        ["solve", "SD1.txt", "--engine", "cplex"],
        "unknown engine 'cplex'; known: hgs, hybrid, native, ortools",
    ),
    (["solve", "SD1.txt", "--metric", "taxi"], "unknown metric 'taxi'; known: exact, dimacs"),
    (["solve", "SD1.txt", "--format", "xml"], "unknown instance format 'xml'; known: coordlist"),
    (["solve", "SD1.txt", "--time", "0"], "seconds is 0"),
    (["solve", "SD1.txt", "--time", "nan"], "seconds is nan"),
    (["solve", "SD1.txt", "--time", "soon"], "--time"),
    (["solve", "SD1.txt", "--improve", "-1"], "--improve is -1"),
    (["solve", "SD1.txt", "--rule", "pasa", "--levels", "0"], "levels is 0"),
    (
        ["solve", "SD1.txt", "--coins", "5"],
        "the rule free has no option 'coins'; it is one of the rule coins: pass rule='coins'",
    ),
    (["solve", "SD1.txt", "--out", "none/it.json"], "cannot be written"),
    (["solve", "SD1.txt", "--out", "it.xyz"], "unknown ending '.xyz'"),
    (["solve", "SD1.txt", "--plot", "it.bmp"], "unknown plot format '.bmp'"),
    (["solve", "SD1.txt", "--plot", "none/it.png"], "cannot be written"),
    (["solve", "SD1.txt", "--depot", "here"], "its depot is stated; `depot` is for a CSV"),
    (["solve", "SD1.txt", "--engine", "vrph", "--program", "none"], "is not installed"),
    (["solve", "SD1.txt", "--engine", "crash"], "crashed: signal 6"),
    (["solve", "SD1.txt", "--engine", "hang", "--time", "0.5"], "had no solution"),
    (["solve", "SD1.txt", "--engine", "overload"], "not valid: route 1 carries 600"),
    (["split", "SD1.txt", "--rule", "coins", "--coins", "5/x"], "'x' in the coins '5/x'"),
    (["convert", "SD1.txt", "it.xyz"], "unknown ending '.xyz'"),
    (["plot", "SD1.txt", "--out", "it.bmp"], "unknown plot format '.bmp'"),
    (["generate", "set1", "22"], "SD1 to SD21"),
    (["generate", "random", "--demand", "much"], "--demand is 'much'"),
    (["generate", "random", "-n", "0"], "0 customers"),
]


@pytest.mark.parametrize(("command", "message"), MISTAKES, ids=lambda value: str(value)[:60])
def test_a_mistake_is_one_message_and_an_exit_code(
    command: list[str],
    message: str,
    run: Run,
    sd1: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from splitroute import pipeline, registry

    known = registry.load
    fake = ("crash", "hang", "overload")
    monkeypatch.setattr(
        pipeline, "load", lambda p, name: fakes.Module(name) if name in fake else known(p, name)
    )
    monkeypatch.chdir(tmp_path)
    result = run(*command)
    failed = any(name in command for name in fake)
    assert result.exit_code == (3 if "installed" in message else 4 if failed else 2)
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["SD1.txt"]


def _program() -> str:
    return str(Path(sys.executable).with_name("splitroute"))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_saves_the_best_solution_so_far(
    how: signal.Signals, run: Run, tmp_path: Path
) -> None:
    """In a real terminal: the live line is there, and one interrupt ends it with its best."""
    file, out = tmp_path / "it.csv", tmp_path / "best.json"
    sr.write(random_instance(100), file)  # too many to be proven optimal
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [_program(), "solve", str(file), "--time", "300", "--out", str(out)],
        stderr=theirs,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )
    os.close(theirs)
    shown = b""
    deadline = time.monotonic() + 60
    while b"best " not in shown and time.monotonic() < deadline:
        shown += os.read(ours, 4096)
    assert b"s left" in shown
    child.send_signal(how)
    stdout, _ = child.communicate(timeout=60)
    os.close(ours)
    assert child.returncode == 130
    assert "Interrupted: this is the best solution so far." in stdout
    assert run("check", file, out).exit_code == 0


def test_the_installed_program_answers() -> None:
    out = subprocess.run([_program(), "--help"], capture_output=True, text=True, check=True)
    for command in ("solve", "split", "check", "convert", "generate", "plot"):
        assert command in out.stdout


def test_improve_says_what_it_changed_and_only_that(run: Any, tmp_path: Path) -> None:
    instance, given, out = tmp_path / "a.csv", tmp_path / "given.csv", tmp_path / "out.csv"
    instance.write_text("# capacity: 10\nid,x,y,demand\ndepot,0,0,0\nA,5,0,4\nB,5,1,4\n")
    given.write_text("route,stop,number,quantity\n1,1,1,2\n1,2,2,2\n2,1,1,2\n2,2,2,2\n")
    words = ("improve", instance, given, "--time", 0.2, "--out", out, "--json")
    said = json.loads(run(*words).stdout)
    assert said["changes"]
    assert out.read_text().count("\n") == 3  # a header and two stops
    again = json.loads(run("improve", instance, out, "--time", 0.2, "--json").stdout)
    assert again["changes"] == []


def test_improve_reports_its_own_solution_as_valid(run: Run, sd1: Path, tmp_path: Path) -> None:
    given = tmp_path / "given.csv"
    given.write_text("route,stop,number,quantity\n1,1,1,5\n")
    result = run("improve", sd1, given, "--time", 0.5, "--json")
    answer = json.loads(result.stdout)
    assert answer["valid"] is True
    assert answer["valid_before"] is False


def test_exit_codes_tell_what_went_wrong(run: Run, sd1: Path, tmp_path: Path) -> None:
    assert run("solve", tmp_path / "nothing.csv").exit_code == 2
    assert run("solve", sd1, "--engine", "vrph").exit_code == 3
    nothing = tmp_path / "vrp_rtr"
    nothing.write_text("#!/bin/sh\nexit 1\n")
    nothing.chmod(0o755)
    assert run("solve", sd1, "--engine", "vrph", "--program", nothing).exit_code == 4


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_behind_standard_output_is_one_error(sd1: Path, tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        command = [
            _program(),
            "solve",
            str(sd1),
            "--time",
            "0.2",
            "--out",
            str(tmp_path / "a.json"),
        ]
        out = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert out.returncode == 2
    assert out.stderr == "error: standard output: No space left on device\n"
    assert (tmp_path / "a.json").exists()


def test_a_closed_pipe_is_no_error(sd1: Path) -> None:
    command = f"{_program()} solve {sd1} --time 0.2 --json | true"
    out = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert out.stderr == ""


@pytest.mark.parametrize("rule", ["free", "none", "coins"])
def test_rings_that_the_rule_does_not_have_are_not_drawn(
    rule: str, run: Run, sd1: Path, tmp_path: Path
) -> None:
    result = run("solve", sd1, "--rule", rule, "--show-rings", "--plot", tmp_path / "a.png")
    assert result.exit_code == 2
    assert f"--show-rings needs the rule pasa; the rule {rule} has no rings" in result.stderr


def test_an_unknown_ending_of_the_output_does_not_advise_the_format_of_the_input(
    run: Run, sd1: Path, tmp_path: Path
) -> None:
    result = run("solve", sd1, "--out", tmp_path / "x")
    assert "known: .csv, .json, .sol, .txt" in result.stderr
    assert "format" not in result.stderr


def test_why_there_is_no_better_bound(run: Run, tmp_path: Path) -> None:
    sr.write(random_instance(1501), tmp_path / "large.csv")
    result = run("solve", tmp_path / "large.csv", "--time", 0.5, "--bound", 0.5)
    assert "better ones are for up to 1,500 customers" in result.stdout
