import subprocess
from pathlib import Path

import pytest

import splitroute as sr
from splitroute.bench.methods import Method, MethodResult
from splitroute.bench.runs import Run, _commit, execute, make_runs
from splitroute.bench.sets import BenchmarkInstance, load_instances
from splitroute.bench.solutions import solution_of


def test_a_changed_instance_is_another_run(tmp_path: Path) -> None:
    keys = []
    for capacity in (10, 11):
        (tmp_path / "two.txt").write_text(f"2 {capacity}\n6 6\n0 0\n0 3\n4 0\n")
        (benchmark,) = load_instances([str(tmp_path / "two.txt")])
        keys.append(Run(benchmark, Method.parse("native"), sr.Stop(seconds=1), 1).key)
    assert keys[0] != keys[1]


def test_equal_runs_are_merged() -> None:
    methods = [Method.parse("native"), Method.parse("native")]
    runs = make_runs(load_instances(["SD1", "SD2"]), methods, sr.Stop(iterations=50), [1])
    assert [run.benchmark.name for run in runs] == ["SD1", "SD2"]


def test_limits_that_differ_in_the_last_digit_are_two_runs() -> None:
    (benchmark,) = load_instances(["SD1"])
    stops = (sr.Stop(iterations=1_000_000), sr.Stop(iterations=1_000_004))
    assert len({Run(benchmark, Method.parse("native"), stop, 1).key for stop in stops}) == 2


def test_a_record_restores_vehicles_and_departures(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = sr.Instance.create(10, [6], [(0, 0), (3, 4)], windows=[((7, 50),)])
    solution = sr.Solution((sr.Route((sr.Visit(1, 6),), 0, 2, 1, 2.5),))
    outcome = MethodResult(solution, 1.0)
    monkeypatch.setattr(Method, "run", lambda *_: outcome)
    run = Run(BenchmarkInstance("set", instance), Method.parse("native"), sr.Stop(seconds=1), 1)
    record = execute(run)
    assert solution_of(record) == solution
    assert record["cost"] == 10


def test_the_commit_is_that_of_splitroute(tmp_path: Path) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for folder in ("src/splitroute/bench", ".venv/lib/splitroute/bench"):
        (tmp_path / folder).mkdir(parents=True)
    for words in (("init",), (*identity, "commit", "--allow-empty", "--message", "first")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True, capture_output=True)
    assert len(_commit(tmp_path / "src/splitroute/bench") or "") == 12
    assert _commit(tmp_path / ".venv/lib/splitroute/bench") is None
    assert _commit(tmp_path) is None
