"""An engine that crashes, hangs or returns nonsense raises one clear error in the caller."""

import os
import signal
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import fakes
import splitroute as sr
from splitroute import engines
from splitroute.engines._supervised import MIN_SECONDS, _search, supervise

FAKES = [name for name, value in vars(fakes).items() if getattr(value, "__module__", "") == "fakes"]


@pytest.fixture(autouse=True)
def _fake_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    from splitroute import registry

    original = registry.load

    def load(package: object, name: str) -> object:
        if package is engines and name in FAKES:
            return fakes.Module(name)
        return original(package, name)  # type: ignore[arg-type]

    monkeypatch.setattr("splitroute.pipeline.run.load", load)


def solve(instance: sr.Instance, engine: str, seconds: float = 1.0) -> sr.Result:
    return sr.solve(instance, rule="none", engine=engine, stop=sr.Stop(seconds=seconds))


def test_a_correct_engine(square: sr.Instance) -> None:
    result = solve(square, "correct")
    assert len(result.solution.routes) == 4
    assert result.trace[-1][1] == result.cost


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("crash", "the engine fakes crashed: signal 6; fatal error"),
        ("leave", "the engine fakes crashed: exit code 3"),
        ("fail", "the engine fakes failed: RuntimeError: no idea"),
        ("hang", "had no solution .* after .* s and was killed; give it more time"),
        ("overload", "invalid solution: route 1 carries 20; the capacity is 10"),
        ("forget", "invalid solution: customer 1 receives 0; its demand is 6"),
    ],
)
def test_a_failure_is_one_error(square: sr.Instance, engine: str, message: str) -> None:
    with pytest.raises(sr.EngineError, match=message):
        solve(square, engine, seconds=0.5)


def test_a_hanging_engine_keeps_its_best_solution(square: sr.Instance) -> None:
    assert len(solve(square, "hang_with_solution").solution.routes) == 4


def test_the_listener_can_stop_it(square: sr.Instance) -> None:
    reports: list[sr.Progress] = []

    def listener(progress: sr.Progress) -> bool:
        reports.append(progress)
        return progress.solution is not None

    stop = sr.Stop(seconds=600)
    result = sr.solve(square, rule="none", engine="patient", stop=stop, listener=listener)
    assert result.seconds < 60
    assert result.solution in [progress.solution for progress in reports]


@pytest.mark.parametrize("engine", ["patient", "hang", "pyvrp", "hgs", "ortools"])
def test_an_immediate_stop_gives_the_first_solution(square: sr.Instance, engine: str) -> None:
    stop = sr.Stop(seconds=600)
    result = sr.solve(
        square, engine=engine, stop=stop, polish=5, baseline=True, listener=lambda p: True
    )
    assert sr.validate(square, result.solution) == []
    assert result.unsplit_cost is None
    assert result.seconds < 30


def test_a_child_that_dies_before_it_reads_a_large_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    matrix = [[float(i != j) for j in range(700)] for i in range(700)]
    instance = sr.Instance.create(5, [1] * 699, matrix=matrix)
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(sr.EngineError, match="crashed: exit code 1"):
        solve(instance, "correct")


def test_modules_in_the_working_directory_are_not_imported(
    square: sr.Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "queue.py").write_text("raise SystemExit(7)")
    monkeypatch.chdir(tmp_path)
    assert solve(square, "correct").engine == "correct"


def test_the_listener_is_called_while_the_engine_is_silent(square: sr.Instance) -> None:
    times: list[float] = []
    cvrp = sr.split(square, "none").to_cvrp()
    with pytest.raises(sr.EngineError):
        supervise(
            fakes.hang, cvrp, sr.Stop(seconds=0.5), 1, None, lambda p: times.append(p.seconds)
        )
    assert len(times) >= 3
    assert times == sorted(times)


def test_no_child_outlives_its_parent(tmp_path: Path) -> None:
    """Not even if the parent is killed."""
    code = (
        "import sys, fakes, splitroute as sr\n"
        "from splitroute.engines._supervised import supervise\n"
        "one = sr.split(sr.Instance.create(1, [1], [(0, 0), (1, 1)]), 'none').to_cvrp()\n"
        "supervise(fakes.patient, one, sr.Stop(seconds=600), 1, None,\n"
        "    lambda p: print('running', flush=True) if p.solution else None)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(fakes.__file__).parent)}
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert parent.stdout is not None
    with parent, parent.stdout:
        assert parent.stdout.readline() == "running\n"
        children = _children(parent.pid)
        assert children
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 30
    while any(_alive(pid) for pid in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(_alive(pid) for pid in children)


def _children(pid: int) -> list[int]:
    listing = Path(f"/proc/{pid}/task/{pid}/children")
    if not listing.exists():
        pytest.skip("this system does not list child processes")
    return [int(word) for word in listing.read_text().split()]


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_missing_package_is_named_with_its_install_command(
    square: sr.Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(name: str) -> str:
        if name == "ortools":
            raise metadata.PackageNotFoundError(name)
        return "1"

    monkeypatch.setattr("splitroute.registry.find_spec", lambda name: None)
    monkeypatch.setattr(metadata, "version", version)
    with pytest.raises(sr.EngineError, match=r"pip install 'splitroute\[ortools\]'"):
        solve(square, "ortools")


def test_an_unknown_engine_is_refused(square: sr.Instance) -> None:
    with pytest.raises(
        sr.InputError, match="unknown engine 'cplex'; known: hgs, hybrid, native, ortools"
    ):
        solve(square, "cplex")
    for name in ("../rules/none", "os", "_private", ""):
        with pytest.raises(sr.InputError, match="unknown engine"):
            solve(square, name)


def test_setting_the_clock_does_not_shorten_the_search(
    square: sr.Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds: list[float | None] = []

    def search(instance: sr.Instance, stop: sr.Stop, *_: Any) -> sr.Solution:
        seconds.append(stop.seconds)
        return sr.Solution(())

    monkeypatch.setattr(time, "time", lambda: 1e12)
    call: Any = None  # only needed to report
    for started in (time.monotonic(), time.monotonic() - 7200):
        _search(call, search, square, sr.Stop(seconds=3600), 1, None, started)
    first, second = seconds
    assert first is not None
    assert first > MIN_SECONDS
    assert second == MIN_SECONDS
