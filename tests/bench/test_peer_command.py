"""Any command line is a peer; the solvers here are small scripts."""

import os
import shlex
import sys
import time
from pathlib import Path

import pytest

import splitroute as sr
from splitroute.bench import peer_command
from splitroute.bench.peer_command import PeerCommand
from splitroute.bench.records import read_records
from splitroute.bench.runner import execute_runs, pending_runs
from splitroute.bench.runs import Run, execute, make_runs
from splitroute.bench.sets import BenchmarkInstance
from splitroute.errors import InputError, MissingPackageError
from splitroute.processes.pool import Worker, open_pool

UNSPLIT = "Route #1: 1 3\nRoute #2: 2 4\nCost 999\n"
SPLIT = """
Route 1: 0 - 1 ( 6 ) - 2 ( 2 ) - 0
Route 2: 0 - 2 ( 4 ) - 3 ( 4 ) - 0
Route 3: 0 - 4 ( 4 ) - 0
"""


def peer(folder: Path, code: str, arguments: str = "{instance} {solution}") -> PeerCommand:
    """Return a peer that runs Python code with the arguments in `a`."""
    script = folder / "solver.py"
    script.write_text(f"import os, sys, time\na = sys.argv[1:]\n{code}\n")
    return PeerCommand.parse(f"fake={shlex.quote(sys.executable)} {script} {arguments}")


def run_of(command: PeerCommand, instance: sr.Instance) -> Run:
    return Run(BenchmarkInstance("set", instance), command, sr.Stop(seconds=0.5), 7)


def writing(text: str) -> str:
    return f"open(a[1], 'w').write({text!r})"


@pytest.fixture
def integral(square: sr.Instance) -> sr.Instance:
    """The square with rounded distances."""
    corners = [(place.x, place.y) for place in square.places]
    return sr.Instance.create(10, [6, 6, 4, 4], corners, name="square", metric="dimacs")


@pytest.mark.parametrize(("text", "routes", "cost"), [(UNSPLIT, 2, 28), (SPLIT, 3, 32)])
def test_the_cost_of_a_solution_is_recomputed(
    tmp_path: Path, integral: sr.Instance, text: str, routes: int, cost: float
) -> None:
    record = execute(run_of(peer(tmp_path, writing(text)), integral))
    assert (record["status"], record["routes"], record["cost"]) == ("ok", routes, cost)
    assert (record["method"], record["limit"]) == ("fake", {"seconds": 0.5})
    assert record["seconds"] > 0


def test_placeholders_are_replaced(tmp_path: Path, integral: sr.Instance) -> None:
    code = f"assert a[2:] == ['--time=0.5', '7'], a\n{writing(UNSPLIT)}"
    command = peer(tmp_path, code, "{instance} {solution} --time={seconds} {seed}")
    assert execute(run_of(command, integral))["status"] == "ok"


def test_a_solution_may_be_printed(tmp_path: Path, integral: sr.Instance) -> None:
    command = peer(tmp_path, f"print('seconds: 3'); print({UNSPLIT!r})", "{instance}")
    assert execute(run_of(command, integral))["cost"] == 28


@pytest.mark.parametrize("format", ["vrplib", "json", "coordlist"])
def test_our_own_formats_are_read_and_written(
    tmp_path: Path, integral: sr.Instance, format: str
) -> None:
    code = (
        "import splitroute as sr\n"
        "instance = sr.read(a[0], metric='dimacs')\n"
        "result = sr.solve(instance, stop=sr.Stop(iterations=20))\n"
        "sr.write(result.solution, a[1], instance=instance)"
    )
    command = peer(tmp_path, code, "{instance} {solution}.json")
    command = PeerCommand(command.name, command.words, format)
    assert execute(run_of(command, integral))["status"] == "ok"


@pytest.mark.parametrize(
    ("code", "status", "reason"),
    [
        ("sys.exit('out of luck')", "crashed", "exit code 1; out of luck"),
        ("os.kill(os.getpid(), 9)", "crashed", "signal 9"),
        ("", "invalid", "no solution"),
        (writing(""), "invalid", "no solution"),
        (writing("\x00 garbage \xff"), "invalid", "solution"),
        (writing("Route #1: 1 2 x\n"), "invalid", "solution:1: customer is x"),
        (writing("Route #1: 1 1\n"), "invalid", "visited twice"),
        (writing("Route #1: 1 2 3 4\n"), "invalid", "20"),
        (writing("Route #1: 1\n"), "invalid", "customer"),
    ],
)
def test_a_failure_is_a_record_with_a_reason(
    tmp_path: Path, integral: sr.Instance, code: str, status: str, reason: str
) -> None:
    record = execute(run_of(peer(tmp_path, code), integral))
    assert (record["status"], record["cost"]) == (status, None)
    assert reason in record["reason"]
    assert str(tmp_path) not in record["reason"]


def test_an_overrunning_peer_is_killed_with_what_it_started(
    tmp_path: Path, integral: sr.Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peer_command, "GRACE_SECONDS", 0.5)
    pid = tmp_path / "pid"
    code = (
        "import subprocess\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(pid)!r}, 'w').write(str(child.pid))\nchild.wait()"
    )
    record = execute(run_of(peer(tmp_path, code), integral))
    assert (record["status"], record["reason"]) == (
        "overran",
        "no result after 1 s; it was killed",
    )
    wait_for_end(int(pid.read_text()))


def test_a_peer_ends_with_the_worker_that_runs_it(tmp_path: Path, integral: sr.Instance) -> None:
    pid = tmp_path / "pid"
    code = f"open({str(pid)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)"
    worker = Worker()
    worker._child.call(execute, run_of(peer(tmp_path, code), integral))
    while not (pid.exists() and pid.read_text()):
        time.sleep(0.01)
    worker.close()
    wait_for_end(int(pid.read_text()))


def wait_for_end(pid: int) -> None:
    """Return when a process has ended or is a zombie."""
    for _ in range(3000):
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
                return
        except (ProcessLookupError, FileNotFoundError):
            return
        time.sleep(0.01)
    pytest.fail("the process still runs")


def test_a_failed_peer_is_not_repeated(tmp_path: Path, integral: sr.Instance) -> None:
    run = run_of(peer(tmp_path, "sys.exit(3)"), integral)
    with open_pool() as pool:
        execute_runs([run], path := tmp_path / "runs.jsonl", pool)
    (record,) = read_records([path])
    assert (record["status"], record["reason"]) == ("crashed", "exit code 3")
    assert pending_runs([run], path) == []
    assert pending_runs([run], path, retry=True) == [run]


def test_another_command_of_the_same_name_is_another_run(integral: sr.Instance) -> None:
    commands = [PeerCommand.parse(f"fake=solver -v {k} {{instance}}") for k in (1, 2)]
    assert len({run_of(command, integral).key for command in commands}) == 2
    benchmarks = [BenchmarkInstance("set", integral)]
    with pytest.raises(InputError, match="two methods are called 'fake'"):
        make_runs(benchmarks, commands, sr.Stop(seconds=1), [1])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "x=solver {instance} {time}",
            r"unknown placeholder \{time\} .*; allowed: \{instance\}, \{solution\}, \{seconds\}, ",
        ),
        ("x=solver {instance} {}", r"unknown placeholder \{\}"),
        ("x=solver {seed}", r"no \{instance\} in 'solver \{seed\}'"),
        ("solver {instance}", "write for example 'mysolver="),
        ("x=", "write for example 'mysolver="),
        ("x=solver '{instance}", "No closing quotation"),
    ],
)
def test_an_invalid_command_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        PeerCommand.parse(text)


def test_an_unknown_instance_format_is_refused() -> None:
    with pytest.raises(InputError, match="unknown instance format 'x'; known: "):
        PeerCommand.parse("fake=solver {instance}", "x")
    assert PeerCommand.parse("fake=solver {instance}", "vrp").format == "vrplib"


def test_a_missing_executable_is_refused_before_the_first_run() -> None:
    command = PeerCommand.parse("fake=./missing-solver {instance}")
    with pytest.raises(MissingPackageError, match=r"fake: no executable file './missing-solver'"):
        command.check(sr.Stop(seconds=1))
    with pytest.raises(InputError, match="needs a time limit"):
        command.check(sr.Stop(iterations=1))
