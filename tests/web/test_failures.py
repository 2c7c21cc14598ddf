"""Killed processes, a full disk, too little memory: the service recovers and loses no job."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from serving import SMALL, Service, running, wait_until


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("failures")) as service:
        yield service


def test_a_killed_worker_fails_only_its_own_job(service: Service) -> None:
    job = service.post(seconds=30.0, instance={"customers": 40})
    service.wait(job, "running")
    time.sleep(1.0)
    for child in children(service.process.pid):
        os.kill(child, signal.SIGKILL)
    state = service.wait(job, seconds=30)
    assert state["status"] == "failed"
    assert "signal 9" in state["error"]
    assert service.wait(service.post())["status"] == "done"


def children(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(stat.parent.name))
    return found


def test_a_killed_service_loses_no_job(tmp_path: Path) -> None:
    service = Service(tmp_path, "--workers", "2")
    done = service.post()
    service.wait(done)
    # Two are running and one is queued when the service is killed.
    jobs = [service.post(seconds=s, instance={"customers": 30}) for s in (3.0, 3.0, 0.3)]
    wait_until(lambda: all("cost" in service.state(job) for job in jobs[:2]))
    assert service.state(jobs[2])["status"] == "queued"
    service.kill()
    service.start()
    try:
        assert service.state(done)["status"] == "done"
        for job in jobs:
            state = service.wait(job)
            assert state["status"] == "done", state
            assert state["solution"]["routes"]
        statuses = [data["status"] for _, kind, data in service.events(jobs[0]) if kind == "status"]
        assert statuses.count("done") == 1
    finally:
        service.close()


def test_a_job_out_of_memory_fails_alone(tmp_path: Path) -> None:
    # Enough for a small job with all its threads, which take address space too.
    limits = ["--workers", "1", "--memory", "450", "--max-customers", "100000"]
    service = Service(tmp_path, *limits)
    try:
        state = service.wait(service.post(instance={"customers": 100_000}, seconds=5))
        assert (state["status"], bool(state["error"])) == ("failed", True)
        assert service.wait(service.post())["status"] == "done"
    finally:
        service.close()


def test_a_full_disk_is_reported(tmp_path: Path) -> None:
    if not hasattr(resource, "prlimit"):
        pytest.skip("the limits of another process cannot be set here")
    with running(tmp_path, "--workers", "2") as service:
        job = service.post()
        service.wait(job)
        usual = resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE)
        room = 20_000  # for the log, but not for the database
        assert (tmp_path / "jobs.db-wal").stat().st_size > room
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (room, usual[1]))
        for _ in range(20):
            response = service.client.post("/api/jobs", json=SMALL)
            assert response.status_code == 503, response.text
            assert response.json()["detail"].startswith("the database is unavailable")
            assert response.headers["retry-after"]
        wait_until(lambda: service.client.get("/health").status_code == 503)
        health = service.client.get("/health").json()
        assert health["status"] == "unavailable"
        assert "disk" in health["reason"]
        time.sleep(2.0)
        log = service.log.read_text().splitlines()
        logged = [line for line in log if "database unavailable" in line]
        assert len(logged) == 1, "however many requests fail"
        assert "disk" in logged[0]
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, usual)
        wait_until(lambda: service.client.get("/health").status_code == 200)
        assert service.wait(service.post())["status"] == "done"
