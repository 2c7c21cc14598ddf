"""Store of jobs, their instances and their events."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, and_, func, insert, select, update

from splitroute.web.database import (
    add_event,
    events,
    instances,
    jobs,
    open_database,
    probes,
    write,
)
from splitroute.web.job_queue import JobQueue
from splitroute.web.quotas import QuotaExceededError

ENDED = ("done", "failed", "cancelled")
LARGE_COLUMNS = ("request", "request_summary", "warnings", "solution", "outcome")
DELETE_BATCH = 200  # jobs deleted in one transaction


class Store:
    """Jobs in a database; every method is one transaction."""

    def __init__(self, url: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.engine = open_database(url)
        self.queue = JobQueue(self.engine, clock)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def add(
        self,
        client: str,
        name: str,
        customers: int,
        request: str,
        *,
        method: str = "",
        unit: str | None = None,
        instance: str = "{}",
        request_summary: str = "{}",
        warnings: str = "[]",
        max_open: int | None = None,
    ) -> str:
        """Queue a new job and return its id; raise if the client has too many."""
        job = uuid.uuid4().hex
        with write(self.engine) as db:
            if max_open is not None:
                if db.dialect.name == "postgresql":  # SQLite has one writer at a time anyway
                    lock = func.hashtextextended(client, 0)
                    db.execute(select(func.pg_advisory_xact_lock(lock)))
                _check_open(db, client, max_open)
            db.execute(
                insert(jobs).values(
                    id=job, client=client, status="queued", name=name, customers=customers,
                    request=request, request_summary=request_summary, method=method, unit=unit,
                    warnings=warnings, created=time.time(), renewals=0, attempts=0,
                    stop_requested=0,
                )
            )  # fmt: skip
            db.execute(insert(instances).values(job=job, data=instance))
            add_event(db, job, "status", {"status": "queued"})
        return job

    def instance(self, job: str) -> str | None:
        """Return the instance of a job as JSON without a matrix."""
        with self.engine.connect() as db:
            query = select(instances.c.data).where(instances.c.job == job)
            return db.execute(query).scalar()

    def road_tables(self, job: str) -> bytes | None:
        """Return the distances and travel times that a job was solved with, if on roads."""
        with self.engine.connect() as db:
            query = select(instances.c.road_tables).where(instances.c.job == job)
            return db.execute(query).scalar()

    def get(self, job: str) -> RowMapping | None:
        """Return all columns of a job."""
        return self._get(job, list(jobs.c))

    def state(self, job: str) -> RowMapping | None:
        """Return a job without its full request."""
        return self._get(job, [column for column in jobs.c if column.name != "request"])

    def summary(self, job: str) -> RowMapping | None:
        """Return a job without its large columns."""
        return self._get(job, _small_columns())

    def _get(self, job: str, columns: list[Any]) -> RowMapping | None:
        with self.engine.connect() as db:
            return db.execute(select(*columns).where(jobs.c.id == job)).mappings().first()

    def newest(self, limit: int, before: int | None = None) -> Sequence[RowMapping]:
        """Return summaries of jobs, newest first."""
        query = select(*_small_columns()).order_by(jobs.c.number.desc()).limit(limit)
        if before is not None:
            query = query.where(jobs.c.number < before)
        with self.engine.connect() as db:
            return db.execute(query).mappings().all()

    def counts(self) -> dict[str, int]:
        """Return the number of jobs by status."""
        query = select(jobs.c.status, func.count()).group_by(jobs.c.status)
        with self.engine.connect() as db:
            return {str(row.status): int(row[1]) for row in db.execute(query)}

    def check_open(self, client: str, max_open: int) -> None:
        """Raise if a client has that many jobs that are queued or running."""
        with self.engine.connect() as db:
            _check_open(db, client, max_open)

    def rename(self, job: str, name: str) -> None:
        """Change the name of a job."""
        with write(self.engine) as db:
            db.execute(update(jobs).where(jobs.c.id == job).values(name=name))

    def delete(self, job: str) -> None:
        """Delete a job if it has ended."""
        with write(self.engine) as db:
            _delete(db, [job])

    def delete_older(self, seconds: float) -> int:
        """Delete jobs that ended longer ago than that; return how many."""
        deleted = 0
        is_old = and_(jobs.c.status.in_(ENDED), jobs.c.ended < time.time() - seconds)
        while True:
            with write(self.engine) as db:  # in batches, so that other writers get a turn
                batch = db.execute(select(jobs.c.id).where(is_old).limit(DELETE_BATCH)).scalars()
                if not (ids := list(batch)):
                    return deleted
                deleted += _delete(db, ids)

    def events_after(self, job: str, number: int, limit: int = 500) -> Sequence[RowMapping]:
        """Return the events of a job with a higher number."""
        query = (
            select(events)
            .where(and_(events.c.job == job, events.c.number > number))
            .order_by(events.c.number)
            .limit(limit)
        )
        with self.engine.connect() as db:
            return db.execute(query).mappings().all()

    def last_events(self, ids: Sequence[str]) -> dict[str, int]:
        """Return the number of the last event of each job."""
        query = (
            select(events.c.job, func.max(events.c.number))
            .where(events.c.job.in_(ids))
            .group_by(events.c.job)
        )
        with self.engine.connect() as db:
            return {str(row[0]): int(row[1]) for row in db.execute(query)} if ids else {}

    def probe(self) -> None:
        """Raise if the database cannot be read or written."""
        with write(self.engine) as db:
            db.execute(update(probes).values(count=(probes.c.count + 1) % 1000))


def _check_open(db: Connection, client: str, max_open: int) -> None:
    is_open = and_(jobs.c.client == client, jobs.c.status.in_(("queued", "running")))
    if int(db.execute(select(func.count()).where(is_open)).scalar_one()) >= max_open:
        raise QuotaExceededError(by_client=True)


def _delete(db: Connection, ids: Sequence[str]) -> int:
    has_ended = and_(jobs.c.id.in_(ids), jobs.c.status.in_(ENDED))
    ended = list(db.execute(select(jobs.c.id).where(has_ended).with_for_update()).scalars())
    db.execute(jobs.delete().where(jobs.c.id.in_(ended)))
    for table in (events, instances):
        db.execute(table.delete().where(table.c.job.in_(ended)))
    return len(ended)


def _small_columns() -> list[Any]:
    return [column for column in jobs.c if column.name not in LARGE_COLUMNS]
