"""Runs and their records: nothing lost, nothing doubled, whatever is killed."""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import splitroute as sr
from splitroute.bench.methods import Method
from splitroute.bench.records import HEAVY, Journal, read_records
from splitroute.bench.runner import missing, run
from splitroute.bench.sets import cases
from splitroute.bench.tasks import Job, jobs
from splitroute.errors import InputError
from splitroute.processes.pool import Failure, open_pool

SMALL = ("bench", "run", "--instances", "SD1,SD2,SD3", "--methods", "native,pasa:L=3+rtr")


def some_jobs(*methods: str, seeds: tuple[int, ...] = (1,)) -> list[Job]:
    found = [Method.parse(text) for text in methods or ("native",)]
    return jobs(cases(["SD1", "SD2"]), found, sr.Stop(iterations=50), seeds)


def test_a_record_says_everything_about_a_job(tmp_path: Path) -> None:
    (job, _) = some_jobs()
    with open_pool() as where:
        run([job], path := tmp_path / "runs.jsonl", where)
    (record,) = read_records([path], whole=True)
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
    assert not sr.validate(job.case.instance, solution)
    assert (record["routes"], record["visits"]) == (len(solution.routes), solution.visits)


def test_what_is_recorded_is_not_run_again(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    todo = some_jobs("native", "none+native")
    with open_pool(count=2) as where:
        assert len(run(todo[:2], path, where)) == 2
        assert len(run(todo, path, where)) == 2
        assert run(todo, path, where) == []
    assert sorted(r["key"] for r in read_records([path])) == sorted(job.key for job in todo)


def test_an_instance_that_changed_is_another_job(tmp_path: Path, square: sr.Instance) -> None:
    keys = []
    for capacity in (10, 11):
        text = f"2 {capacity}\n6 6\n0 0\n0 3\n4 0\n"
        (tmp_path / "two.txt").write_text(text)
        (case,) = cases([str(tmp_path / "two.txt")])
        keys.append(Job(case, Method.parse("native"), sr.Stop(seconds=1), 1).key)
    assert keys[0] != keys[1]


def test_the_same_job_named_twice_runs_once() -> None:
    assert len(some_jobs("native", "native")) == 2  # of two instances


def test_limits_that_differ_in_the_last_digit_are_two_jobs() -> None:
    (case,) = cases(["SD1"])
    stops = (sr.Stop(iterations=1_000_000), sr.Stop(iterations=1_000_004))
    assert len({Job(case, Method.parse("native"), stop, 1).key for stop in stops}) == 2


def test_tables_read_records_without_what_is_large(tmp_path: Path) -> None:
    (job, _) = some_jobs()
    with open_pool() as where:
        run([job], path := tmp_path / "runs.jsonl", where)
    (light,), (whole,) = read_records([path]), read_records([path], whole=True)
    assert light == {k: v for k, v in whole.items() if k not in HEAVY}
    assert list(whole)[-3:] == list(HEAVY)


def test_refused_jobs_are_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    (job, _) = some_jobs()

    class Refusing:
        count = 1

        def run(self, tasks: object, begun: object = None) -> Any:
            yield 0, Failure("failed", "not installed")

    run([job], path, Refusing())
    assert missing([job], path) == [job]


def test_failed_jobs_are_recorded_and_only_run_again_if_asked(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    (job, other) = some_jobs()

    class Unlucky:
        count = 1

        def run(self, tasks: object, begun: object = None) -> Any:
            yield 0, Failure("overran", "too slow")

    run([job], path, Unlucky())
    (record,) = read_records([path])
    assert (record["status"], record["cost"], record["why"]) == ("overran", None, "too slow")
    assert missing([job, other], path) == [other]
    assert missing([job, other], path, retry=True) == [job, other]


def test_a_torn_line_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    names = dict.fromkeys(("instance", "method", "metric", "seed", "status", "cost", "seconds"))
    with Journal(path) as journal:
        journal.append(names)
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:20])
    assert len(list(read_records([path]))) == 1
    with Journal(path) as journal:
        journal.append(names)
    assert path.read_bytes() == whole + whole


def test_one_run_at_a_time_writes_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    with Journal(path), pytest.raises(InputError, match="another run is writing"):
        Journal(path)


@pytest.mark.parametrize(
    ("line", "message"),
    [("{", "runs.jsonl:1: not a record: no JSON"), ('{"instance": "SD1"}', "it lacks method")],
)
def test_what_is_no_record_is_refused(tmp_path: Path, line: str, message: str) -> None:
    (path := tmp_path / "runs.jsonl").write_text(line + "\n")
    with pytest.raises(InputError, match=message):
        list(read_records([path]))


def test_killed_at_random_and_resumed_it_has_the_same_records(tmp_path: Path) -> None:
    def command(path: Path) -> list[str]:
        words = [*SMALL, "--iterations", "2000", "--seeds", "1-12", "--jobs", "2", "--quiet"]
        return [sys.executable, "-m", "splitroute", *words, "--records", str(path)]

    def known(path: Path) -> dict[str, float]:
        found = list(read_records([path]))
        assert len({r["key"] for r in found}) == len(found), "a job was recorded twice"
        return {r["key"]: r["cost"] for r in found}

    calm, torn = tmp_path / "calm.jsonl", tmp_path / "torn.jsonl"
    subprocess.run(command(calm), check=True)
    draw = random.Random(1)
    torn.touch()
    in_the_middle = 0
    for _ in range(10):
        process = subprocess.Popen(command(torn), start_new_session=True)
        size = torn.stat().st_size  # the share of what is left, so that ten kills find work
        enough = size + draw.randrange(max(1, (calm.stat().st_size - size) // 5))
        while torn.stat().st_size < enough and process.poll() is None:
            time.sleep(0.001)
        time.sleep(draw.uniform(0.0, 0.02))  # not always right after a record
        process.kill()
        process.wait()
        in_the_middle += 0 < len(known(torn)) < 72
    assert in_the_middle, "no kill came in the middle"
    subprocess.run(command(torn), check=True)
    assert known(torn) == known(calm)
    assert len(known(calm)) == 72


def test_the_command_runs_and_prints_tables(run_: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    words = ("--iterations", 100, "--records", path)
    done = run_(*SMALL, *words)
    assert done.exit_code == 0
    assert "3 instances, 6 jobs, 0 recorded already" in done.stderr
    assert "6 recorded already" in run_(*SMALL, *words).stderr
    table = run_("bench", "table", "--records", path)
    assert "Table 2 of the paper: SET-1, metric exact" in table.stdout
    assert "average" in table.stdout


def test_jobs_are_told_of_when_they_begin_and_when_they_end(tmp_path: Path) -> None:
    todo = some_jobs()
    begun: list[str] = []
    ended: list[str] = []
    with open_pool(count=2) as where:
        run(
            todo,
            tmp_path / "runs.jsonl",
            where,
            begun=lambda job: begun.append(job.key),
            ended=lambda job, record: ended.append(record["key"]),
        )
    assert sorted(begun) == sorted(ended) == sorted(job.key for job in todo)


def test_instances_may_follow_one_another(run_: Callable[..., Any], tmp_path: Path) -> None:
    words = ("--methods", "native", "--iterations", 10, "--records", tmp_path / "r.jsonl")
    done = run_("bench", "run", "--instances", "SD1", "SD2", *words)
    assert "2 instances" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--seeds", "a"), "--seeds is 'a'; it is written like 1-3 or 1,5"),
        (("--time", "1", "--iterations", "5"), "give one of them"),
        (("--metric", "miles"), "unknown metric 'miles'"),
        (("--time", "-1"), "seconds is -1.0; it is a number above 0"),
        (("--jobs", "0"), "it is from 1 to 1024"),
        (("--cluster", "local:x"), "write local:4"),
        (
            ("--methods", "pasa+vrph:program=nowhere"),
            "the program 'nowhere' of VRPH is not installed",
        ),
    ],
)
def test_bad_options_get_one_message(
    run_: Callable[..., Any], tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    done = run_("bench", "run", "--instances", "SD1", "--methods", "native",
                "--records", tmp_path / "r.jsonl", *words)  # fmt: skip
    assert done.exit_code == (3 if "installed" in message else 2)
    assert message in done.stderr
    assert isinstance(done.exception, SystemExit)


@pytest.fixture
def run_(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    monkeypatch.setenv("SPLITROUTE_INSTANCES", "/nonexistent")
    return run
