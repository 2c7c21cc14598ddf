"""The runner: jobs in child processes, whatever happens to them or to the database."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

import fakes
from splitroute.web.runner import Runner
from splitroute.web.store import Store

pytest_plugins = ["stores"]


@contextmanager
def running(store: Store, workers: int = 1) -> Iterator[Runner]:
    runner = Runner(store, workers)
    runner.start()
    try:
        yield runner
    finally:
        runner.close()


def has_ended(row: Any) -> bool:
    return row["status"] not in ("queued", "running")


def wait(store: Store, job: str, until: Callable[[Any], bool] = has_ended) -> Any:
    """Return the state of a job as soon as it meets the condition."""
    for _ in range(3000):
        row = store.state(job)
        assert row is not None
        if until(row):
            return row
        time.sleep(0.01)
    raise AssertionError("the condition is not met in time")


def test_workers_survive_a_database_outage(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    request = {"instance": {"customers": 5}, "seconds": 0.2}
    job = sqlite_store.add("me", "", 5, json.dumps(request))
    lease, fails = sqlite_store.queue.lease, iter([True, True])

    def flaky(owner: str, running: list[str]) -> object:
        if next(fails, False):
            raise OperationalError("select", {}, Exception("away"))
        return lease(owner, running)

    monkeypatch.setattr(sqlite_store.queue, "lease", flaky)
    with running(sqlite_store):
        assert wait(sqlite_store, job)["status"] == "done"
    assert [record.getMessage() for record in caplog.records] == [
        "database unavailable: away", "database available again",
    ]  # fmt: skip


def test_a_job_beyond_its_time_limit_fails(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("splitroute.web.runner.run_job", fakes.hang)
    monkeypatch.setattr("splitroute.web.runner.GRACE_SECONDS", 0.1)
    job = sqlite_store.add("me", "SD1", 8, '{"seconds": 0.1}')
    with running(sqlite_store):
        assert wait(sqlite_store, job)["error"] == "time limit exceeded"


def test_a_job_is_cancelled_without_reading_its_request(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = sqlite_store.add("me", "", 60, '{"instance": {"customers": 60}, "seconds": 60.0}')
    monkeypatch.setattr(sqlite_store, "get", None)
    with running(sqlite_store):
        wait(sqlite_store, job, lambda row: row["cost"] is not None)
        sqlite_store.queue.cancel(job)
        assert wait(sqlite_store, job)["status"] == "cancelled"


def test_a_cancelled_job_that_has_to_be_killed_keeps_its_best_solution(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("splitroute.web.runner.run_job", fakes.report_and_hang)
    monkeypatch.setattr("splitroute.web.runner.GRACE_SECONDS", 0.1)
    job = sqlite_store.add("me", "", 60, '{"seconds": 60.0}')
    with running(sqlite_store):
        wait(sqlite_store, job, lambda row: row["cost"] is not None)
        sqlite_store.queue.cancel(job)
        row = wait(sqlite_store, job)
    assert (row["status"], row["error"], row["cost"]) == ("cancelled", None, 40.0)
    assert json.loads(row["solution"]) == {"routes": []}


def test_a_job_is_cancelled_right_after_it_has_started(sqlite_store: Store) -> None:
    job = sqlite_store.add("me", "", 60, '{"instance": {"customers": 60}, "seconds": 60.0}')
    with running(sqlite_store) as runner:
        wait(sqlite_store, job, lambda row: row["status"] == "running")
        time.sleep(0.1)  # its process is starting
        sqlite_store.queue.cancel(job)
        runner.wake()
        assert wait(sqlite_store, job)["status"] == "cancelled"


def test_a_job_whose_process_starts_slowly_runs_once(
    sqlite_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its request does not fit into the pipe, which nobody reads for longer than a lease lasts."""
    slow = tmp_path / "slow-python"
    slow.write_text(f'#!/bin/sh\nsleep 4\nexec "{sys.executable}" "$@"\n')
    slow.chmod(0o755)
    monkeypatch.setattr("splitroute.processes.child.sys.executable", str(slow))
    monkeypatch.setattr("splitroute.web.leases.LEASE_SECONDS", 1.0)
    monkeypatch.setattr("splitroute.web.runner.RENEWAL_SECONDS", 0.1)
    text = "3 10\n6 8 6\n0 0\n1 2\n3 1\n2 -2\n" + " " * 300_000
    request = {"instance": {"format": "coordlist", "text": text}, "seconds": 0.1}
    job = sqlite_store.add("me", "", 3, json.dumps(request))
    with running(sqlite_store, workers=2):
        row = wait(sqlite_store, job)
    assert (row["status"], row["attempts"]) == ("done", 1)
    assert row["renewals"] > 5, "while its process was starting"


def test_a_worker_survives_a_job_that_cannot_be_started(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = '{"instance": {"benchmark": "SD1"}, "seconds": 0.1}'
    with running(sqlite_store):
        with monkeypatch.context() as patched:
            patched.setattr("splitroute.web.runner.ChildProcess", fakes.no_more_processes)
            first = sqlite_store.add("me", "SD1", 8, request)
            assert "could not start" in wait(sqlite_store, first)["error"]
        second = sqlite_store.add("me", "SD1", 8, request)
        assert wait(sqlite_store, second)["status"] == "done"
