"""The store of jobs: in turn, never twice, never lost; in SQLite, and PostgreSQL if it is there."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

import fakes
from splitroute.errors import InputError
from splitroute.web import store as store_module
from splitroute.web.database import metadata
from splitroute.web.leases import LEASE_SECONDS, LeaseWatch
from splitroute.web.outage import REMINDER_SECONDS, Outage
from splitroute.web.runner import Runner
from splitroute.web.store import Store

REQUEST = '{"seconds": 1.0}'


def _postgres_tools() -> Path | None:
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    known = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return known[-1].parent if known else None


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real server, started for these tests."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    tools = _postgres_tools()
    if tools is None:
        pytest.skip("PostgreSQL's initdb is not installed")
    user: list[str] = []
    folder = tmp_path_factory.mktemp("postgres")
    if os.getuid() == 0:  # it does not run as root
        known = subprocess.run(["id", "postgres"], check=False, capture_output=True)
        if shutil.which("runuser") is None or known.returncode:
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        user = ["runuser", "-u", "postgres", "--"]
        for parent in [folder, *folder.parents]:
            if parent == Path(folder.anchor) or parent == Path("/tmp"):
                break
            parent.chmod(0o755)
        shutil.chown(folder, "postgres")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data = folder / "data"
    subprocess.run(
        [*user, tools / "initdb", "-D", data, "-A", "trust", "-U", "postgres"],
        check=True, capture_output=True,
    )  # fmt: skip
    options = ["-h", "127.0.0.1", "-p", str(port), "-k", str(folder), "-c", "fsync=off"]
    server = subprocess.Popen(
        [*user, tools / "postgres", "-D", data, *options],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    address = f"postgresql+psycopg://postgres@127.0.0.1:{port}/postgres"
    try:
        for _ in range(100):
            try:
                Store(address).close()
                break
            except InputError:
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait(30)


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "sqlite":
        found = Store(f"sqlite:///{tmp_path / 'jobs.db'}")
        yield found
        found.close()
        return
    found = Store(request.getfixturevalue("postgres"))
    metadata.drop_all(found.engine)
    metadata.create_all(found.engine)
    yield found
    found.close()


def test_a_job_goes_from_queued_to_done(store: Store) -> None:
    job = store.add("me", "a plan", 3, REQUEST)
    lent = store.take("one")
    assert lent is not None
    assert (lent.id, lent.request, lent.solution) == (job, json.loads(REQUEST), None)
    assert store.take("two") is None
    store.progress("one", job, {"cost": 7.0, "bound": 1.0}, {"routes": []})
    assert store.end("one", job, "done", cost=6.0, bound=5.0, solution={"routes": [1]}, result={})
    row = store.get(job)
    assert row is not None
    assert (row["status"], row["cost"], row["bound"]) == ("done", 6.0, 5.0)
    kinds = [event["kind"] for event in store.events_after(job, 0)]
    assert kinds == ["status", "status", "progress", "status"]
    assert store.counts() == {"done": 1}


def test_clients_take_turns(store: Store) -> None:
    many = [store.add("many", "", 1, REQUEST) for _ in range(4)]
    few = store.add("few", "", 1, REQUEST)
    taken = [lent.id for _ in range(5) if (lent := store.take("one"))]
    assert taken[:2] == [many[0], few]
    assert taken[2:] == many[1:]


def test_no_job_is_taken_twice(store: Store) -> None:
    jobs = {store.add("me", "", 1, REQUEST) for _ in range(40)}

    def take(owner: int) -> list[str]:
        return [lent.id for _ in range(20) if (lent := store.take(f"owner {owner}"))]

    with ThreadPoolExecutor(4) as threads:
        taken = [job for found in threads.map(take, range(4)) for job in found]
    assert sorted(taken) == sorted(jobs)


class Clock:
    """A monotonic clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(store: Store) -> Clock:
    """Of the store."""
    found = Clock()
    store._leases = LeaseWatch(found)
    return found


def test_a_lapsed_lease_goes_to_another_with_the_best_so_far(store: Store, clock: Clock) -> None:
    job = store.add("me", "", 1, REQUEST)
    assert store.take("killed")
    store.progress("killed", job, {"cost": 7.0, "bound": 0.0}, {"routes": ["best"]})
    assert store.take("other") is None
    clock.now += LEASE_SECONDS
    lease = store.take("other")
    assert lease is not None
    assert lease.solution == {"routes": ["best"]}
    assert store.renew("killed", [job]) == [job]
    assert not store.end("killed", job, "done", cost=1.0)
    store.progress("killed", job, {"cost": 1.0, "bound": 0.0}, None)
    row = store.get(job)
    assert row is not None
    assert (row["status"], row["cost"]) == ("running", 7.0)


def test_renewed_leases_are_kept(store: Store, clock: Clock) -> None:
    job = store.add("me", "", 1, REQUEST)
    assert store.take("one")
    for _ in range(5):
        clock.now += 0.9 * LEASE_SECONDS
        assert store.renew("one", [job]) == []
        assert store.take("two") is None


@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_that_jumps_neither_starts_a_job_twice_nor_keeps_it_from_starting(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    job = store.add("me", "", 1, REQUEST)
    assert store.take("killed")
    assert store.take("other") is None
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 3600 * hours)
    assert store.take("other") is None, "it runs"
    clock.now += LEASE_SECONDS
    assert store.take("killed", [job]) is None, "a service knows what it runs itself"
    assert store.take("other") is not None, "nobody renews it any more"


def test_a_service_that_leaves_gives_back_its_jobs(store: Store) -> None:
    job = store.add("me", "", 1, REQUEST)
    assert store.take("one")
    store.release("one")
    lease = store.take("other")
    assert lease is not None
    assert lease.id == job


def test_cancelling(store: Store) -> None:
    waiting, running = (store.add("me", "", 1, REQUEST) for _ in range(2))
    assert store.take("one").id == waiting  # type: ignore[union-attr]
    waiting, running = running, waiting
    assert store.ask_to_stop(waiting)
    assert store.get(waiting)["status"] == "cancelled"  # type: ignore[index]
    assert store.ask_to_stop(running)
    assert store.renew("one", [running]) == [running]
    assert not store.ask_to_stop("nobody")


def test_a_job_that_is_lost_again_and_again_fails(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "MAX_ATTEMPTS", 3)
    job = store.add("me", "", 1, REQUEST)
    for _ in range(3):
        assert store.take("one")
        store.release("one")
    assert store.take("one") is None
    row = store.get(job)
    assert row is not None
    assert (row["status"], row["error"]) == ("failed", "gave up after 3 attempts")


def test_services_that_start_at_once_create_the_tables_once(store: Store, tmp_path: Path) -> None:
    address = store.engine.url.render_as_string(hide_password=False)
    together = threading.Barrier(8)

    def start(_: int) -> str:
        together.wait()
        opened = Store(address)
        job = opened.add("me", "", 1, REQUEST)
        opened.close()
        return job

    for number in range(5):
        if store.engine.dialect.name == "sqlite":
            address = f"sqlite:///{tmp_path / f'new-{number}.db'}"
        else:
            metadata.drop_all(store.engine)
        with ThreadPoolExecutor(8) as threads:
            assert len(set(threads.map(start, range(8)))) == 8


def test_a_store_of_an_earlier_version_is_brought_up_to_date(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'jobs.db'}"
    first = Store(address)
    job = first.add("me", "", 1, REQUEST)
    with first.engine.begin() as db:
        db.execute(text("ALTER TABLE jobs DROP COLUMN renewals"))
        db.execute(text("ALTER TABLE jobs ADD COLUMN lent_until FLOAT"))
        db.execute(text("DROP TABLE instances"))
    first.close()
    second = Store(address)
    lease = second.take("one")
    assert lease is not None
    assert (lease.id, second.instance(job), second.renew("one", [job])) == (job, None, [])
    second.close()


def test_jobs_that_ended_long_ago_are_deleted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "FORGOTTEN_AT_ONCE", 2)
    now = time.time
    old = [store.add("me", "", 1, REQUEST, "", "{}") for _ in range(5)]
    waiting = store.add("me", "", 1, REQUEST)
    for job in old:
        store.ask_to_stop(job)
    monkeypatch.setattr(time, "time", lambda: now() + 3600)
    new = store.add("me", "", 1, REQUEST, "", '{"new": 1}')
    store.ask_to_stop(new)
    assert store.delete_older(7200) == 0
    assert store.delete_older(1800) == 5
    assert {row["id"] for row in store.newest(10)} == {waiting, new}
    assert [store.events_after(job, 0) for job in old] == [[]] * 5
    assert [store.instance(job) for job in (old[0], waiting, new)] == [None, None, '{"new": 1}']


def test_a_store_that_can_be_written_says_nothing(store: Store) -> None:
    for _ in range(3):
        store.probe()


def test_an_outage_is_logged_once_with_its_reason(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    outage = Outage(clock)
    error = OperationalError("select", {}, Exception("disk full\nHINT: buy one"))
    for _ in range(100):
        outage.noticed(error)
        clock.now += REMINDER_SECONDS / 200
    assert [r.getMessage() for r in caplog.records] == ["the database cannot be used: disk full"]
    clock.now += REMINDER_SECONDS
    outage.noticed(error)
    assert len(caplog.records) == 2, "a reminder"
    outage.over()
    outage.over()
    assert [r.getMessage() for r in caplog.records[2:]] == ["the database can be used again"]
    for _ in range(100):  # it comes and goes
        outage.noticed(error)
        outage.over()
    assert len(caplog.records) == 3


def test_ended_jobs_can_be_forgotten(store: Store) -> None:
    job, other = (store.add("me", "", 1, REQUEST) for _ in range(2))
    store.delete(job)
    assert store.get(job) is not None, "it has not ended yet"
    store.ask_to_stop(job)
    store.delete(job)
    assert store.get(job) is None
    assert store.events_after(job, 0) == []
    assert [row["id"] for row in store.newest(10)] == [other]


@pytest.mark.parametrize(
    "address", ["nonsense", "sqlite:////nowhere/at/all.db", "postgresql+psycopg://x@127.0.0.1:1/y"]
)
def test_a_store_that_cannot_be_opened_is_refused(address: str) -> None:
    with pytest.raises(InputError, match="cannot be opened"):
        Store(address)


def test_passwords_are_not_shown() -> None:
    with pytest.raises(InputError) as caught:
        Store("postgresql+psycopg://me:secret@127.0.0.1:1/y")
    assert "secret" not in str(caught.value)


def test_a_database_that_is_away_for_a_while_ends_no_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    found = Store(f"sqlite:///{tmp_path / 'jobs.db'}")
    request = json.dumps({"instance": {"customers": 5}, "seconds": 0.2})
    job = found.add("me", "", 5, request)
    take, away = found.take, iter([True, True])

    def flaky(owner: str, running: list[str]) -> object:
        if next(away, False):
            raise OperationalError("select", {}, Exception("away"))
        return take(owner, running)

    monkeypatch.setattr(found, "take", flaky)
    runner = Runner(found, 1)
    runner.start()
    for _ in range(300):
        row = found.get(job)
        if row is not None and row["status"] == "done":
            break
        time.sleep(0.1)
    runner.close()
    found.close()
    assert row is not None
    assert row["status"] == "done"
    assert [record.getMessage() for record in caplog.records] == [
        "the database cannot be used: away", "the database can be used again",
    ]  # fmt: skip


def test_a_job_beyond_its_time_fails_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("splitroute.web.runner.run_job", fakes.hang)
    monkeypatch.setattr("splitroute.web.runner.GRACE_SECONDS", 0.1)
    found = Store(f"sqlite:///{tmp_path / 'jobs.db'}")
    job = found.add("me", "SD1", 8, '{"seconds": 0.1}')
    runner = Runner(found, 1)
    runner.start()
    try:
        assert _ended(found, job)["error"] == "it took too long and was ended"
    finally:
        runner.close()
        found.close()


def test_a_job_is_stopped_without_reading_its_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Store(f"sqlite:///{tmp_path / 'jobs.db'}")
    job = found.add("me", "", 60, '{"instance": {"customers": 60}, "seconds": 60.0}')
    monkeypatch.setattr(found, "get", None)
    runner = Runner(found, 1)
    runner.start()
    try:
        for _ in range(300):
            row = found.summary(job)
            assert row is not None
            if row["cost"] is not None:
                found.ask_to_stop(job)
            if row["status"] == "cancelled":
                break
            time.sleep(0.1)
    finally:
        runner.close()
        found.close()
    assert row is not None
    assert row["status"] == "cancelled"


def test_a_job_whose_process_is_slow_to_start_is_carried_out_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its request does not fit into the pipe, which nobody reads for longer than a lease."""
    slow = tmp_path / "slow-python"
    slow.write_text(f'#!/bin/sh\nsleep 4\nexec "{sys.executable}" "$@"\n')
    slow.chmod(0o755)
    monkeypatch.setattr("splitroute.processes.child.sys.executable", str(slow))
    monkeypatch.setattr("splitroute.web.leases.LEASE_SECONDS", 1.0)
    monkeypatch.setattr("splitroute.web.runner.RENEWAL_SECONDS", 0.1)
    found = Store(f"sqlite:///{tmp_path / 'jobs.db'}")
    text = "3 10\n6 8 6\n0 0\n1 2\n3 1\n2 -2\n" + " " * 300_000
    request = {"instance": {"format": "coordlist", "text": text}, "seconds": 0.1}
    job = found.add("me", "", 3, json.dumps(request))
    runner = Runner(found, 2)
    runner.start()
    try:
        row = _ended(found, job)
    finally:
        runner.close()
        found.close()
    assert (row["status"], row["attempts"]) == ("done", 1)
    assert row["renewals"] > 5, "while its process was starting"


def test_a_worker_survives_a_job_that_cannot_be_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Store(f"sqlite:///{tmp_path / 'jobs.db'}")
    with monkeypatch.context() as patched:
        patched.setattr("splitroute.web.runner.ChildProcess", fakes.no_more_processes)
        runner = Runner(found, 1)
        runner.start()
        first = found.add("me", "SD1", 8, '{"seconds": 0.1}')
        assert "could not start" in _ended(found, first)["error"]
    try:
        second = found.add("me", "SD1", 8, '{"instance": {"benchmark": "SD1"}, "seconds": 0.1}')
        assert _ended(found, second)["status"] == "done"
    finally:
        runner.close()
        found.close()


def test_what_is_known_does_not_become_worse(store: Store) -> None:
    job = store.add("me", "SD1", 8, "{}")
    assert store.take("a") is not None
    store.progress("a", job, {"seconds": 1.0, "cost": 10.0, "bound": 8.0}, {"routes": [1]})
    store.progress("a", job, {"seconds": 1.2, "cost": None, "bound": 0.0}, None)
    store.progress("a", job, {"seconds": 1.4, "cost": 12.0, "bound": 7.0}, {"routes": [2]})
    row = store.get(job)
    assert row is not None
    assert (row["cost"], row["bound"], row["solution"]) == (10.0, 8.0, '{"routes": [1]}')
    assert [json.loads(e["data"])["cost"] for e in store.events_after(job, 0)[2:]] == [10.0] * 3


def _ended(store: Store, job: str) -> Any:
    for _ in range(300):
        row = store.get(job)
        assert row is not None
        if row["status"] not in ("queued", "running"):
            return row
        time.sleep(0.1)
    raise AssertionError("it does not end")
