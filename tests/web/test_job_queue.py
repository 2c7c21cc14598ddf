"""The queue of jobs: fair, no job run twice, none lost; in SQLite and PostgreSQL."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from fakes import Clock
from splitroute.web import job_queue
from splitroute.web.leases import LEASE_SECONDS
from splitroute.web.store import Store

pytest_plugins = ["stores"]

REQUEST = '{"seconds": 1.0}'


def test_a_job_goes_from_queued_to_done(store: Store) -> None:
    job = store.add("me", "tour", 3, REQUEST)
    lease = store.queue.lease("one")
    assert lease is not None
    assert (lease.id, lease.request, lease.solution) == (job, json.loads(REQUEST), None)
    assert store.queue.lease("two") is None
    store.queue.record_progress("one", job, {"cost": 7.0, "bound": 1.0}, {"routes": []})
    result = {"cost": 6.0, "bound": 5.0, "solution": {"routes": [1]}, "outcome": {}}
    assert store.queue.finish("one", job, "done", **result)
    row = store.get(job)
    assert row is not None
    assert (row["status"], row["cost"], row["bound"]) == ("done", 6.0, 5.0)
    kinds = [event["kind"] for event in store.events_after(job, 0)]
    assert kinds == ["status", "status", "progress", "status"]
    assert store.counts() == {"done": 1}


def test_clients_take_turns(store: Store) -> None:
    many = [store.add("many", "", 1, REQUEST) for _ in range(4)]
    few = store.add("few", "", 1, REQUEST)
    leased = [lease.id for _ in range(5) if (lease := store.queue.lease("one"))]
    assert leased[:2] == [many[0], few]
    assert leased[2:] == many[1:]


def test_no_job_is_leased_twice(store: Store) -> None:
    jobs = {store.add("me", "", 1, REQUEST) for _ in range(40)}

    def lease_all(owner: int) -> list[str]:
        return [lease.id for _ in range(20) if (lease := store.queue.lease(f"owner {owner}"))]

    with ThreadPoolExecutor(4) as threads:
        leased = [job for found in threads.map(lease_all, range(4)) for job in found]
    assert sorted(leased) == sorted(jobs)


def test_an_expired_lease_goes_to_another_service_with_the_best_solution(
    store: Store, clock: Clock
) -> None:
    queue = store.queue
    job = store.add("me", "", 1, REQUEST)
    assert queue.lease("killed")
    queue.record_progress("killed", job, {"cost": 7.0, "bound": 0.0}, {"routes": ["best"]})
    assert queue.lease("other") is None
    clock.now += LEASE_SECONDS
    lease = queue.lease("other")
    assert lease is not None
    assert lease.solution == {"routes": ["best"]}
    assert queue.renew("killed", [job]) == ([], [job])
    assert not queue.finish("killed", job, "done", cost=1.0)
    queue.record_progress("killed", job, {"cost": 1.0, "bound": 0.0}, None)
    row = store.get(job)
    assert row is not None
    assert (row["status"], row["cost"]) == ("running", 7.0)


def test_a_renewed_lease_does_not_expire(store: Store, clock: Clock) -> None:
    job = store.add("me", "", 1, REQUEST)
    assert store.queue.lease("one")
    for _ in range(5):
        clock.now += 0.9 * LEASE_SECONDS
        assert store.queue.renew("one", [job]) == ([], [])
        assert store.queue.lease("two") is None


@pytest.mark.parametrize("hours", [1, -1])
def test_leases_do_not_depend_on_wall_clock_time(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    job = store.add("me", "", 1, REQUEST)
    assert store.queue.lease("killed")
    assert store.queue.lease("other") is None
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() + 3600 * hours)
    assert store.queue.lease("other") is None, "it is running"
    clock.now += LEASE_SECONDS
    assert store.queue.lease("killed", [job]) is None, "a service knows its own jobs"
    assert store.queue.lease("other") is not None, "nobody renews it any more"


def test_a_service_that_shuts_down_releases_its_jobs(store: Store) -> None:
    job = store.add("me", "", 1, REQUEST)
    assert store.queue.lease("one")
    store.queue.release("one")
    lease = store.queue.lease("other")
    assert lease is not None
    assert lease.id == job


def test_cancel(store: Store) -> None:
    running, queued = (store.add("me", "", 1, REQUEST) for _ in range(2))
    lease = store.queue.lease("one")
    assert lease is not None
    assert lease.id == running
    assert store.queue.cancel(queued)
    row = store.get(queued)
    assert row is not None
    assert row["status"] == "cancelled"
    assert store.queue.cancel(running)
    assert store.queue.renew("one", [running]) == ([running], [])
    assert not store.queue.cancel("nobody")


def test_a_job_fails_after_too_many_attempts(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_queue, "MAX_ATTEMPTS", 3)
    job = store.add("me", "", 1, REQUEST)
    for _ in range(3):
        assert store.queue.lease("one")
        store.queue.release("one")
    assert store.queue.lease("one") is None
    row = store.get(job)
    assert row is not None
    assert (row["status"], row["error"]) == ("failed", "gave up after 3 attempts")


def test_cost_and_bound_never_get_worse(store: Store) -> None:
    job = store.add("me", "SD1", 8, "{}")
    assert store.queue.lease("a") is not None
    reports: list[tuple[dict[str, Any], dict[str, Any] | None]] = [
        ({"seconds": 1.0, "cost": 10.0, "bound": 8.0}, {"routes": [1]}),
        ({"seconds": 1.2, "cost": None, "bound": 0.0}, None),
        ({"seconds": 1.4, "cost": 12.0, "bound": 7.0}, {"routes": [2]}),
    ]
    for report, solution in reports:
        store.queue.record_progress("a", job, report, solution)
    row = store.get(job)
    assert row is not None
    assert (row["cost"], row["bound"], row["solution"]) == (10.0, 8.0, '{"routes": [1]}')
    events = [json.loads(event["data"]) for event in store.events_after(job, 0)[2:]]
    assert [(event["cost"], event["bound"]) for event in events] == [(10.0, 8.0)] * 3


def test_a_solution_that_delivers_more_is_better_at_any_cost(store: Store) -> None:
    job = store.add("me", "", 1, REQUEST)
    store.queue.lease("one")

    def best_after(cost: float, undelivered: float, name: str) -> tuple[float, float, str]:
        report = {"cost": cost, "bound": 0.0, "undelivered": undelivered}
        store.queue.record_progress("one", job, report, {"routes": [name]})
        row = store.get(job)
        assert row is not None
        return row["cost"], row["undelivered"], json.loads(row["solution"])["routes"][0]

    assert best_after(5.0, 8.0, "first") == (5.0, 8.0, "first")
    assert best_after(9.0, 2.0, "more") == (9.0, 2.0, "more")
    assert best_after(1.0, 3.0, "cheap") == (9.0, 2.0, "more")
    assert best_after(7.0, 2.0, "cheaper") == (7.0, 2.0, "cheaper")
