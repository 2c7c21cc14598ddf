"""No record is lost or duplicated, whatever is killed."""

import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import splitroute as sr
from splitroute.bench.methods import Method
from splitroute.bench.records import LARGE_FIELDS, read_records
from splitroute.bench.runner import complete_runs, execute_runs, pending_runs
from splitroute.bench.runs import Run, make_runs
from splitroute.bench.sets import load_instances
from splitroute.processes.pool import Failure, open_pool


def some_runs(*methods: str) -> list[Run]:
    parsed = [Method.parse(name) for name in methods or ("native",)]
    return make_runs(load_instances(["SD1", "SD2"]), parsed, sr.Stop(iterations=50), [1])


class FailingPool:
    """A pool whose first task fails."""

    count = 1

    def __init__(self, *failure: str) -> None:
        self._failure = Failure(*failure)

    def run(self, tasks: object, begun: object = None) -> Any:
        yield 0, self._failure


def test_a_record_describes_the_run_completely(tmp_path: Path) -> None:
    (run, _) = some_runs()
    with open_pool() as pool:
        execute_runs([run], path := tmp_path / "runs.jsonl", pool)
    (record,) = read_records([path], full=True)
    assert record["instance"] == "SD1"
    assert record["set"] == "SET-1"
    assert record["method"] == "native"
    assert (record["metric"], record["seed"], record["status"]) == ("exact", 1, "ok")
    assert record["limit"] == {"iterations": 50}
    assert record["cost"] == pytest.approx(228.284, abs=1e-3)
    assert record["trace"][-1][1] == record["cost"]
    assert record["versions"]["splitroute"]
    solution = sr.Solution(
        tuple(sr.Route(tuple(sr.Visit(*v) for v in route)) for route in record["solution"])
    )
    assert not sr.validate(run.benchmark.instance, solution)
    assert (record["routes"], record["visits"]) == (len(solution.routes), solution.num_visits)


def test_large_fields_are_last_and_read_on_request(tmp_path: Path) -> None:
    (run, _) = some_runs()
    with open_pool() as pool:
        execute_runs([run], path := tmp_path / "runs.jsonl", pool)
    (small,), (full,) = read_records([path]), read_records([path], full=True)
    assert small == {k: v for k, v in full.items() if k not in LARGE_FIELDS}
    assert list(full)[-3:] == [name for name in LARGE_FIELDS if name in full]


def test_recorded_runs_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    runs = some_runs("native", "none+native")
    with open_pool(count=2) as pool:
        assert len(execute_runs(runs[:2], path, pool)) == 2
        assert len(execute_runs(runs, path, pool)) == 2
        assert execute_runs(runs, path, pool) == []
    assert sorted(r["key"] for r in read_records([path])) == sorted(run.key for run in runs)


def test_records_of_all_runs_are_returned_also_when_resumed(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    (run, other) = some_runs()
    first = complete_runs([run], path)
    both = complete_runs([run, other], path)
    assert both[0] == first[0]
    assert [record["instance"] for record in both] == ["SD1", "SD2"]


def test_refused_runs_are_repeated(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    (run, _) = some_runs()
    execute_runs([run], path, FailingPool("failed", "not installed"))
    assert pending_runs([run], path) == [run]


def test_failed_runs_are_recorded_and_repeated_on_request(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    (run, other) = some_runs()
    execute_runs([run], path, FailingPool("overran", "too slow"))
    (record,) = read_records([path])
    assert (record["status"], record["cost"], record["reason"]) == ("overran", None, "too slow")
    assert pending_runs([run, other], path) == [other]
    assert pending_runs([run, other], path, retry=True) == [run, other]


def test_start_and_end_of_each_run_are_reported(tmp_path: Path) -> None:
    runs = some_runs()
    started: list[str] = []
    ended: list[str] = []
    with open_pool(count=2) as pool:
        execute_runs(
            runs,
            tmp_path / "runs.jsonl",
            pool,
            on_start=lambda run: started.append(run.key),
            on_end=lambda run, record: ended.append(record["key"]),
        )
    assert sorted(started) == sorted(ended) == sorted(run.key for run in runs)


def test_a_benchmark_killed_at_random_and_resumed_has_the_same_records(tmp_path: Path) -> None:
    def command(path: Path) -> list[str]:
        options = ["--iterations", "2000", "--seeds", "1-4", "--jobs", "2", "--quiet"]
        return [
            sys.executable, "-m", "splitroute", "bench", "run", "--instances", "SD1,SD2,SD3",
            "--methods", "native,pasa:L=3+rtr", *options, "--records", str(path),
        ]  # fmt: skip

    def costs(path: Path) -> dict[str, float]:
        records = list(read_records([path]))
        assert len({r["key"] for r in records}) == len(records), "a run was recorded twice"
        return {r["key"]: r["cost"] for r in records}

    uninterrupted, resumed = tmp_path / "uninterrupted.jsonl", tmp_path / "resumed.jsonl"
    subprocess.run(command(uninterrupted), check=True)
    total = uninterrupted.stat().st_size
    rng = random.Random(1)
    resumed.touch()
    killed_midway = 0
    for _ in range(3):
        process = subprocess.Popen(command(resumed), start_new_session=True)
        size = resumed.stat().st_size
        # A share of what is left, so that all kills interrupt work.
        kill_at = size + rng.randrange(max(1, (total - size) // 3))
        while resumed.stat().st_size < kill_at and process.poll() is None:
            time.sleep(0.001)
        time.sleep(rng.uniform(0.0, 0.02))  # not always right after a record
        process.kill()
        process.wait()
        killed_midway += 0 < len(costs(resumed)) < 24
    assert killed_midway, "no kill interrupted the benchmark"
    subprocess.run(command(resumed), check=True)
    assert costs(resumed) == costs(uninterrupted)
    assert len(costs(uninterrupted)) == 24
