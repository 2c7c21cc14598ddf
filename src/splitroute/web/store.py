"""Where jobs are kept, and whose turn it is.

A service holds a running job by a lease, which it renews again and again. A service that is killed
cannot renew it; then the job is taken by another, or by the same one when it is back, and goes on
from the best solution so far.
"""

from __future__ import annotations

import json
import math
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, RowMapping, and_, func, insert, or_, select, update

from splitroute.web.database import events, instances, jobs, open_database, probes
from splitroute.web.leases import LeaseWatch

ENDED = ("done", "failed", "cancelled")
LARGE = ("request", "shown_request", "solution", "result")  # columns
FORGOTTEN_AT_ONCE = 200  # jobs deleted in one transaction
MAX_ATTEMPTS = 30  # a job that takes the service down with it is not tried for ever


@dataclass(frozen=True)
class Lease:
    """A job to carry out."""

    id: str
    request: dict[str, Any]
    solution: dict[str, Any] | None  # to go on from
    seconds: float = 0.0  # of earlier attempts


class Store:
    """The table of jobs; every method is one transaction."""

    def __init__(self, address: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._engine = open_database(address)
        self._leases = LeaseWatch(clock)

    @property
    def engine(self) -> Engine:
        """Of the database, for tests."""
        return self._engine

    def close(self) -> None:
        """Lets go of the database."""
        self._engine.dispose()

    def add(
        self,
        client: str,
        name: str,
        customers: int,
        request: str,
        method: str = "",
        instance: str | None = None,
        shown_request: str | None = None,
    ) -> str:
        """A new job, queued, with its instance and the request as it is shown; returns its id."""
        job = uuid.uuid4().hex
        with self._write() as db:
            db.execute(
                insert(jobs).values(
                    id=job, client=client, status="queued", name=name, customers=customers,
                    request=request, shown_request=shown_request, method=method,
                    created=time.time(), attempts=0, stop_asked=0,
                )
            )  # fmt: skip
            if instance is not None:
                db.execute(insert(instances).values(job=job, data=instance))
            self._tell(db, job, "status", {"status": "queued"})
        return job

    def instance(self, job: str) -> str | None:
        """The instance of a job as JSON, if it was kept."""
        with self._engine.connect() as db:
            query = select(instances.c.data).where(instances.c.job == job)
            return db.execute(query).scalar()

    def state(self, job: str) -> RowMapping | None:
        """What is shown of a job: everything but the request as it came."""
        columns = [column for column in jobs.c if column.name != "request"]
        with self._engine.connect() as db:
            return db.execute(select(*columns).where(jobs.c.id == job)).mappings().first()

    def summary(self, job: str) -> RowMapping | None:
        """A job without what is large."""
        with self._engine.connect() as db:
            return db.execute(select(*_small()).where(jobs.c.id == job)).mappings().first()

    def get(self, job: str) -> RowMapping | None:
        """Everything about a job."""
        with self._engine.connect() as db:
            return db.execute(select(jobs).where(jobs.c.id == job)).mappings().first()

    def newest(self, limit: int, before: int | None = None) -> Sequence[RowMapping]:
        """The newest jobs first, without what is large."""
        query = select(*_small()).order_by(jobs.c.number.desc()).limit(limit)
        if before is not None:
            query = query.where(jobs.c.number < before)
        with self._engine.connect() as db:
            return db.execute(query).mappings().all()

    def counts(self) -> dict[str, int]:
        """How many jobs there are of each status."""
        query = select(jobs.c.status, func.count()).group_by(jobs.c.status)
        with self._engine.connect() as db:
            return {str(row.status): int(row[1]) for row in db.execute(query)}

    def open_jobs(self, client: str) -> int:
        """How many jobs of a client are queued or running."""
        query = select(func.count()).where(
            and_(jobs.c.client == client, jobs.c.status.in_(("queued", "running")))
        )
        with self._engine.connect() as db:
            return int(db.execute(query).scalar_one())

    def take(self, owner: str, running: Sequence[str] = ()) -> Lease | None:
        """Leases a job that waits, or one whose lease has lapsed, to a service.

        Never one of those that `running` says it has. Clients take turns: first comes whoever has
        the fewest jobs running.
        """
        with self._write() as db:
            lapsed = self._lapsed(db, running)
            is_lapsed = or_(False, *(_is_lease(job, renewals) for job, renewals in lapsed))
            busy = (
                select(jobs.c.client, func.count().label("busy"))
                .where(and_(jobs.c.status == "running", ~is_lapsed))
                .group_by(jobs.c.client)
                .subquery()
            )
            query = (
                select(jobs)
                .outerjoin(busy, busy.c.client == jobs.c.client)
                .where(or_(jobs.c.status == "queued", is_lapsed))
                .order_by(func.coalesce(busy.c.busy, 0), jobs.c.number)
                .limit(1)
                .with_for_update(of=jobs, skip_locked=True)
            )
            row = db.execute(query).mappings().first()
            if row is None:
                return None
            lost = row["attempts"] >= MAX_ATTEMPTS
            if lost or row["stop_asked"]:
                status = "failed" if lost else "cancelled"
                why = f"gave up after {MAX_ATTEMPTS} attempts" if lost else None
                self._end(db, row["id"], status, error=why)
                return None
            db.execute(
                update(jobs)
                .where(jobs.c.id == row["id"])
                .values(
                    status="running", owner=owner, renewals=row["renewals"] + 1,
                    attempts=row["attempts"] + 1, started=row["started"] or time.time(),
                )
            )  # fmt: skip
            self._tell(db, row["id"], "status", {"status": "running"})
            solution = row["solution"]
            return Lease(
                row["id"],
                json.loads(row["request"]),
                json.loads(solution) if solution else None,
                self._seconds(db, row["id"]),
            )

    def _lapsed(self, db: Connection, running: Sequence[str]) -> list[tuple[str, int]]:
        query = select(jobs.c.id, jobs.c.renewals, jobs.c.owner).where(jobs.c.status == "running")
        rows = db.execute(query).all()
        released = [(row.id, row.renewals) for row in rows if row.owner is None]
        held = [(row.id, row.renewals) for row in rows if row.owner is not None]
        lapsed = released + self._leases.lapsed(held)
        return [lease for lease in lapsed if lease[0] not in running]

    def _seconds(self, db: Connection, job: str) -> float:
        """Up to which second a job has reported."""
        query = (
            select(events.c.data)
            .where(and_(events.c.job == job, events.c.kind == "progress"))
            .order_by(events.c.number.desc())
            .limit(1)
        )
        last = db.execute(query).scalar()
        return float(json.loads(last).get("seconds", 0.0)) if last else 0.0

    def renew(self, owner: str, running: Sequence[str]) -> list[str]:
        """Renews the leases of a service; returns the jobs that it should stop.

        Those are the ones that somebody asked to cancel, and those that it does not hold any more.
        """
        if not running:
            return []
        mine = and_(jobs.c.id.in_(running), jobs.c.owner == owner, jobs.c.status == "running")
        with self._write() as db:
            db.execute(update(jobs).where(mine).values(renewals=jobs.c.renewals + 1))
            kept = select(jobs.c.id).where(and_(mine, jobs.c.stop_asked == 0))
            still = set(db.execute(kept).scalars())
        return [job for job in running if job not in still]

    def release(self, owner: str) -> None:
        """Ends the leases of a service that leaves, so that nobody has to wait for it."""
        mine = and_(jobs.c.owner == owner, jobs.c.status == "running")
        with self._write() as db:
            db.execute(update(jobs).where(mine).values(owner=None))

    def progress(
        self, owner: str, job: str, report: dict[str, Any], solution: dict[str, Any] | None
    ) -> None:
        """How a running job stands, and its best solution if there is a new one.

        Nothing becomes worse: after a restart the first reports know less than was known before.
        """
        mine = and_(jobs.c.id == job, jobs.c.owner == owner, jobs.c.status == "running")
        with self._write() as db:
            row = db.execute(select(jobs.c.cost, jobs.c.bound).where(mine)).first()
            if row is None:
                return
            known = math.inf if row.cost is None else row.cost
            new = report["cost"]
            values = {"cost": row.cost, "bound": max(report["bound"], row.bound or 0.0)}
            if new is not None and new <= known:
                values["cost"] = new
                if solution is not None:
                    values["solution"] = json.dumps(solution)
            db.execute(update(jobs).where(mine).values(**values))
            self._tell(db, job, "progress", {**report, **{k: values[k] for k in ("cost", "bound")}})

    def end(self, owner: str, job: str, status: str, **values: Any) -> bool:
        """The end of a job that this service holds; False if it does not any more."""
        with self._write() as db:
            mine = and_(jobs.c.id == job, jobs.c.owner == owner, jobs.c.status == "running")
            if db.execute(select(jobs.c.id).where(mine).with_for_update()).first() is None:
                return False
            self._end(db, job, status, **values)
            return True

    def ask_to_stop(self, job: str) -> bool:
        """Cancels a job that waits, and asks one that runs to stop; False if there is none."""
        with self._write() as db:
            query = select(jobs.c.status).where(jobs.c.id == job).with_for_update()
            row = db.execute(query).first()
            if row is None:
                return False
            if row.status == "queued":
                self._end(db, job, "cancelled")
            elif row.status == "running":
                db.execute(update(jobs).where(jobs.c.id == job).values(stop_asked=1))
            return True

    def rename(self, job: str, name: str) -> None:
        """Gives a job another name."""
        with self._write() as db:
            db.execute(update(jobs).where(jobs.c.id == job).values(name=name))

    def delete(self, job: str) -> None:
        """Forgets a job that has ended."""
        with self._write() as db:
            self._delete(db, [job])

    def delete_older(self, seconds: float) -> int:
        """Forgets the jobs that ended longer ago than that; returns how many."""
        deleted = 0
        old = and_(jobs.c.status.in_(ENDED), jobs.c.ended < time.time() - seconds)
        while True:
            with self._write() as db:  # a few at a time: others write too
                found = db.execute(select(jobs.c.id).where(old).limit(FORGOTTEN_AT_ONCE)).scalars()
                if not (ids := list(found)):
                    return deleted
                deleted += self._delete(db, ids)

    def _delete(self, db: Connection, ids: Sequence[str]) -> int:
        ended = and_(jobs.c.id.in_(ids), jobs.c.status.in_(ENDED))
        gone = list(db.execute(select(jobs.c.id).where(ended).with_for_update()).scalars())
        db.execute(jobs.delete().where(jobs.c.id.in_(gone)))
        for table in (events, instances):
            db.execute(table.delete().where(table.c.job.in_(gone)))
        return len(gone)

    def probe(self) -> None:
        """Raises if the database cannot be read or written."""
        with self._write() as db:
            db.execute(update(probes).values(count=(probes.c.count + 1) % 1000))

    def events_after(self, job: str, number: int, limit: int = 500) -> Sequence[RowMapping]:
        """What happened to a job since."""
        query = (
            select(events)
            .where(and_(events.c.job == job, events.c.number > number))
            .order_by(events.c.number)
            .limit(limit)
        )
        with self._engine.connect() as db:
            return db.execute(query).mappings().all()

    def latest_events(self, wanted: Sequence[str]) -> dict[str, int]:
        """The number of the last event of each of these jobs."""
        query = (
            select(events.c.job, func.max(events.c.number))
            .where(events.c.job.in_(wanted))
            .group_by(events.c.job)
        )
        with self._engine.connect() as db:
            return {str(row[0]): int(row[1]) for row in db.execute(query)} if wanted else {}

    def _end(self, db: Connection, job: str, status: str, **values: Any) -> None:
        if "result" in values:
            values["result"] = json.dumps(values["result"])
        if "solution" in values:
            values["solution"] = json.dumps(values["solution"])
        ended = {"status": status, "ended": time.time(), **values}
        db.execute(update(jobs).where(jobs.c.id == job).values(**ended))
        said = {"status": status}
        said |= {k: values[k] for k in ("cost", "bound", "error") if values.get(k) is not None}
        self._tell(db, job, "status", said)

    def _tell(self, db: Connection, job: str, kind: str, data: dict[str, Any]) -> None:
        db.execute(insert(events).values(job=job, kind=kind, data=json.dumps(data)))

    @contextmanager
    def _write(self) -> Iterator[Connection]:
        with self._engine.execution_options(writes=True).begin() as db:
            yield db


def _small() -> list[Any]:
    return [column for column in jobs.c if column.name not in LARGE]


def _is_lease(job: str, renewals: int) -> Any:
    """A row that is still held by that very lease."""
    return and_(jobs.c.id == job, jobs.c.renewals == renewals, jobs.c.status == "running")
