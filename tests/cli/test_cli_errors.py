"""Errors: one message that names the option, and an exit code."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fakes

Run = Callable[..., Any]
PROGRAM = str(Path(sys.executable).with_name("splitroute"))

MISTAKES = [
    (["solve", "SD1.txt", "--engine", "hybrid", "--jobs", "2"], "hybrid has no option"),
    (["solve", "SD1.txt", "--engine", "hybrid:cover=2"], "cover is 2; it must be 1 (on)"),
    (["solve", "SD1.txt", "--engine", "hybrid:x=1"], "it has: cover, amounts, pieces"),
    (["solve", "none.txt"], "none.txt: no such file"),
    (["solve", "none"], "none: no such file or folder"),
    (["solve", "."], ".: it is a folder"),
    (
        ["solve", "SD1.txt", "--rule", "halves"],
        "unknown rule 'halves'; known: coins, free, none, pasa",
    ),
    (["solve", "SD1.txt", "--rule", "pasa:rungs=3"], "the rule pasa has no option 'rungs'"),
    (
        ["solve", "SD1.txt", "--engine", "cplex"],
        "unknown engine 'cplex'; known: hgs, hybrid, native, ortools",
    ),
    (["solve", "SD1.txt", "--metric", "taxi"], "unknown metric 'taxi'; known: exact, dimacs"),
    (["solve", "SD1.txt", "--format", "xml"], "unknown instance format 'xml'; known: coordlist"),
    (["solve", "SD1.txt", "--time", "0"], "seconds is 0"),
    (["solve", "SD1.txt", "--time", "nan"], "seconds is nan"),
    (["solve", "SD1.txt", "--time", "soon"], "--time"),
    (
        ["solve", "SD1.txt", "--improve", "-1"],
        "polish is -1.0; it must be a number of seconds of at least 0 (--improve)",
    ),
    (["solve", "SD1.txt", "--rule", "pasa", "--levels", "0"], "levels is 0"),
    (
        ["solve", "SD1.txt", "--coins", "5"],
        "the rule free has no option 'coins'; it is an option of rule=\"coins\"",
    ),
    (["solve", "SD1.txt", "--out", "none/it.json"], "cannot be written"),
    (["solve", "SD1.txt", "--out", "it.xyz"], "unknown solution file extension '.xyz'"),
    (["solve", "SD1.txt", "--plot", "it.bmp"], "unknown plot format '.bmp'"),
    (["solve", "SD1.txt", "--plot", "none/it.png"], "cannot be written"),
    (
        ["solve", "SD1.txt", "--depot", "here"],
        "`depot` is only for CSV, workbooks and GeoJSON; the",
    ),
    (["solve", "SD1.txt", "--engine", "vrph", "--program", "none"], "is not installed"),
    (["solve", "SD1.txt", "--engine", "crash"], "crashed: signal 6"),
    (["solve", "SD1.txt", "--engine", "hang", "--time", "0.5"], "had no solution"),
    (["solve", "SD1.txt", "--engine", "overload"], "invalid solution: route 1 carries 600"),
    (["split", "SD1.txt", "--rule", "coins", "--coins", "5/x"], "'x' in coins '5/x'"),
    (["convert", "SD1.txt", "it.xyz"], "unknown instance file extension '.xyz'"),
    (["plot", "SD1.txt", "--out", "it.bmp"], "unknown plot format '.bmp'"),
    (["generate", "set1", "22"], "SD1 to SD21"),
    (
        ["generate", "random", "--demand", "much"],
        "demand is 'much'; it must be two numbers such as 0.1-0.9 (--demand)",
    ),
    (["generate", "random", "-n", "0"], "customers is 0"),
]


def test_a_missing_program_names_its_option(
    run: Run, sd1: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    result = run("solve", sd1, "--engine", "vrph")
    assert result.exit_code == 3
    assert result.stderr.endswith("(--program)\n")


def test_numbers_of_lines_are_no_emoji(run: Run, tmp_path: Path) -> None:
    rows = [f"{number},{number},1,{'x' if number == 100 else 3}" for number in range(4, 110)]
    path = tmp_path / "orders.csv"
    path.write_text("\n".join(["# capacity: 10", "id,x,y,demand", "depot,0,0,0", *rows]))
    assert "orders.csv:100: demand of '100' is x" in run("solve", path).stderr


@pytest.mark.parametrize(("command", "message"), MISTAKES, ids=lambda value: str(value)[:60])
def test_a_mistake_is_one_message_and_an_exit_code(
    command: list[str],
    message: str,
    run: Run,
    sd1: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from splitroute import registry

    load = registry.load
    fake = ("crash", "hang", "overload")
    monkeypatch.setattr(
        "splitroute.pipeline.run.load",
        lambda p, name: fakes.Module(name) if name in fake else load(p, name),
    )
    monkeypatch.chdir(tmp_path)
    result = run(*command)
    failed = any(name in command for name in fake)
    assert result.exit_code == (3 if "installed" in message else 4 if failed else 2)
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["SD1.txt"]


def test_a_depot_that_is_not_on_the_globe_names_the_option(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "shops.csv"
    path.write_text("# capacity: 9\nid,lat,lon,demand\na,53,10,3\n")
    message = "depot is 95,10; a latitude must be from -90 to 90, a longitude from -180 to 180"
    assert f"{message} (--depot)" in run("solve", path, "--depot", "95,10").stderr


@pytest.mark.parametrize(
    "command",
    [
        "solve SD1.txt --time 0",
        "solve SD1.txt --iterations 0",
        "solve SD1.txt --stall 0",
        "solve SD1.txt --target nan",
        "solve SD1.txt --seed -1",
        "solve SD1.txt --improve -1",
        "solve SD1.txt --bound -1",
        "solve SD1.txt --time 1 --bound -1",
        "solve SD1.txt --jobs 0",
        "solve SD1.txt --engine cplex",
        "solve SD1.txt --rule halves",
        "solve SD1.txt --levels 2",
        "solve SD1.txt --metric taxi",
        "solve SD1.txt --format xml",
        "solve SD1.txt --unit 0",
        "solve SD1.txt --unit 7",
        "solve SD1.txt --scale 0",
        "solve SD1.txt --capacity -1",
        "solve SD1.txt --vehicles 0",
        "solve SD1.txt --vehicles 1",
        "solve SD1.txt --depot here",
        "solve SD1.txt --depot 1,nan",
        "split SD1.txt --levels 0",
        "split SD1.txt --base 1",
        "split SD1.txt --rings square",
        "split SD1.txt --rule coins --coins 5/x",
        "check SD1.txt SD1.txt --solution-format xml",
        "convert SD1.txt out.json --to xml",
        "bound SD1.txt --time 0",
        "improve SD1.txt SD1.txt --time 0",
        "improve SD1.txt SD1.txt --bound -1",
        "generate random --customers 0",
        "generate random --capacity 0",
        "generate random --demand 2-1",
        "generate random --demand much",
        "generate random --layout square",
        "generate random --seed -1",
        "bench run --instances SD1 --methods native --time 0",
        "bench run --instances SD1 --methods native --iterations 0",
        "bench run --instances SD1 --methods native --metric taxi",
        "bench run --instances SD1 --methods native --jobs 0",
        "bench table --records none.jsonl --format html",
        "bench table --records none.jsonl --reference theirs",
        "bench best-known . --bound nan",
        "bench run --instances SD1 --methods ,",
        "bench run --instances SD1 --methods native --seeds a",
    ],
)
def test_errors_name_the_option(
    command: str, run: Run, sd1: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(sd1.parent)
    words = command.split()
    result = run(*words)
    assert result.exit_code == 2
    assert result.stderr.endswith(f" ({words[-2]})\n")


def test_warnings_name_the_option(run: Run, sd1: Path) -> None:
    result = run("solve", sd1, "--time", 0.2, "--jobs", 1000)
    assert result.exit_code == 0
    assert result.stderr.startswith("warning: threads is 1000, but there are ")
    assert result.stderr.endswith(" (--jobs)\n")


def test_errors_of_a_file_do_not_name_an_option(run: Run, tmp_path: Path) -> None:
    (tmp_path / "it.csv").write_text("# capacity: 0\n# vehicles: x\nid,x,y,demand\ndepot,0,0,0\n")
    assert "(--" not in run("solve", tmp_path / "it.csv", "--time", 1).stderr


def test_errors_name_the_options_that_could_be_added(run: Run, tmp_path: Path) -> None:
    (tmp_path / "it.csv").write_text("id,x,y,lat,lon,demand\na,1,1,2,2,5\n")
    lines = run("solve", tmp_path / "it.csv").stderr.splitlines()
    assert lines[0].endswith("it.csv: 3 errors:")
    assert [line.rpartition(" ")[2] for line in lines[1:]] == [
        "(--depot)",
        "(--capacity)",
        "(--metric)",
    ]
    (tmp_path / "it.dat").write_text("1 1\n1\n0 0\n1 1\n")
    assert run("solve", tmp_path / "it.dat").stderr.endswith(" (--format)\n")


def test_exit_codes(run: Run, sd1: Path, tmp_path: Path) -> None:
    assert run("solve", tmp_path / "none.csv").exit_code == 2
    assert run("solve", sd1, "--engine", "vrph").exit_code == 3
    failing = tmp_path / "vrp_rtr"
    failing.write_text("#!/bin/sh\nexit 1\n")
    failing.chmod(0o755)
    assert run("solve", sd1, "--engine", "vrph", "--program", failing).exit_code == 4


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_behind_standard_output_is_one_error(sd1: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.json"
    command = [PROGRAM, "solve", str(sd1), "--time", "0.2", "--out", str(out)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "error: standard output: No space left on device\n"
    assert out.exists()


def test_an_error_of_the_system_is_not_one_of_standard_output() -> None:
    script = """
from splitroute import cli
def app():
    raise BlockingIOError(11, "no more processes")
cli.app = app
cli.main()
"""
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "error: no more processes\n")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("--help", 0),
        ("solve --help", 0),
        ("generate random -n 20000", 0),
        ("solve SD1.txt --time 0.2", 0),
        ("solve SD1.txt --time 0.2 --json", 0),
        ("check SD1.txt bad.json", 1),
        ("solve none.txt", 2),
        ("solve none.txt 2>&1", 2),
    ],
)
def test_a_closed_pipe_is_no_error(command: str, code: int, sd1: Path) -> None:
    (sd1.parent / "bad.json").write_text('{"routes": []}')
    # The reader has gone before the program writes.
    script = f"{{ sleep 0.1; {PROGRAM} {command}; echo $? >code; }} | true"
    done = subprocess.run(script, shell=True, cwd=sd1.parent, capture_output=True, check=True)
    assert int((sd1.parent / "code").read_text()) == code
    assert b"Traceback" not in done.stderr
    assert (done.stderr == b"") == (code < 2 or "2>&1" in command)
