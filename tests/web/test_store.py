"""The store of jobs, in SQLite and PostgreSQL."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from splitroute.web import store as store_module
from splitroute.web.quotas import QuotaExceededError
from splitroute.web.store import Store

pytest_plugins = ["stores"]


def test_jobs_are_listed_newest_first(store: Store) -> None:
    jobs = [store.add("me", name, 1, "{}") for name in "abc"]
    newest = store.newest(2)
    assert [row["id"] for row in newest] == [jobs[2], jobs[1]]
    assert "request" not in newest[0]
    assert [row["id"] for row in store.newest(2, before=newest[-1]["number"])] == [jobs[0]]
    assert store.counts() == {"queued": 3}


def test_open_jobs_are_limited_per_client(store: Store) -> None:
    ended = store.add("me", "", 1, "{}")
    store.queue.cancel(ended)
    store.add("me", "", 1, "{}")
    store.add("other", "", 1, "{}")
    store.check_open("nobody", 1)
    store.check_open("me", 2)
    with pytest.raises(QuotaExceededError):
        store.check_open("me", 1)


def test_jobs_that_are_added_at_once_keep_the_limit(store: Store) -> None:
    barrier = threading.Barrier(8)

    def add(_: int) -> bool:
        barrier.wait()
        try:
            store.add("me", "", 1, "{}", max_open=3)
        except QuotaExceededError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(add, range(8))) == 3


def test_a_job_is_renamed(store: Store) -> None:
    job = store.add("me", "old", 1, "{}")
    store.rename(job, "new")
    row = store.summary(job)
    assert row is not None
    assert row["name"] == "new"


def test_only_ended_jobs_are_deleted(store: Store) -> None:
    job, other = (store.add("me", "", 1, "{}") for _ in range(2))
    store.delete(job)
    assert store.get(job) is not None
    store.queue.cancel(job)
    store.delete(job)
    assert store.get(job) is None
    assert store.events_after(job, 0) == []
    assert [row["id"] for row in store.newest(10)] == [other]


def test_jobs_that_ended_long_ago_are_deleted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "DELETE_BATCH", 2)
    now = time.time
    old = [store.add("me", "", 1, "{}") for _ in range(5)]
    queued = store.add("me", "", 1, "{}")
    for job in old:
        store.queue.cancel(job)
    monkeypatch.setattr(time, "time", lambda: now() + 3600)
    new = store.add("me", "", 1, "{}", instance='{"new": 1}')
    store.queue.cancel(new)
    assert store.delete_older(7200) == 0
    assert store.delete_older(1800) == 5
    assert {row["id"] for row in store.newest(10)} == {queued, new}
    assert [store.events_after(job, 0) for job in old] == [[]] * 5
    assert [store.instance(job) for job in (old[0], queued, new)] == [None, "{}", '{"new": 1}']


def test_a_writable_store_passes_the_probe(store: Store) -> None:
    for _ in range(3):
        store.probe()
