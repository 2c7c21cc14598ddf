"""Queue of jobs that services lease.

A service renews the leases of its running jobs again and again. If it is killed, the leases
expire, and another service (or the same one, restarted) continues each job from its best solution.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, and_, func, or_, select, update

from splitroute.web.database import add_event, events, instances, jobs, write
from splitroute.web.leases import LeaseMonitor

MAX_ATTEMPTS = 30  # a job that crashes the service is not retried for ever


@dataclass(frozen=True)
class Lease:
    """A job to run."""

    id: str
    request: dict[str, Any]
    solution: dict[str, Any] | None  # to start from
    seconds: float = 0.0  # spent in earlier attempts


class JobQueue:
    """Jobs to run; every method is one transaction."""

    def __init__(self, engine: Engine, clock: Callable[[], float] = time.monotonic) -> None:
        self._engine = engine
        self._monitor = LeaseMonitor(clock)

    def lease(self, owner: str, running: Sequence[str] = ()) -> Lease | None:
        """Lease a queued job, or one whose lease has expired, to a service.

        The client with the fewest running jobs comes first. `running` are the service's own jobs,
        which it never gets twice.
        """
        with write(self._engine) as db:
            expired = self._expired(db, running)
            is_expired = or_(False, *(_has_lease(job, renewals) for job, renewals in expired))
            busy = (
                select(jobs.c.client, func.count().label("running"))
                .where(and_(jobs.c.status == "running", ~is_expired))
                .group_by(jobs.c.client)
                .subquery()
            )
            query = (
                select(jobs)
                .outerjoin(busy, busy.c.client == jobs.c.client)
                .where(or_(jobs.c.status == "queued", is_expired))
                .order_by(func.coalesce(busy.c.running, 0), jobs.c.number)
                .limit(1)
                .with_for_update(of=jobs, skip_locked=True)
            )
            row = db.execute(query).mappings().first()
            if row is None:
                return None
            if row["attempts"] >= MAX_ATTEMPTS:
                _finish(db, row["id"], "failed", error=f"gave up after {MAX_ATTEMPTS} attempts")
                return None
            if row["stop_requested"]:
                _finish(db, row["id"], "cancelled")
                return None
            db.execute(
                update(jobs)
                .where(jobs.c.id == row["id"])
                .values(
                    status="running", owner=owner, renewals=row["renewals"] + 1,
                    attempts=row["attempts"] + 1, started=row["started"] or time.time(),
                )
            )  # fmt: skip
            add_event(db, row["id"], "status", {"status": "running"})
            solution = json.loads(row["solution"]) if row["solution"] else None
            seconds = _seconds_spent(db, row["id"])
            return Lease(row["id"], json.loads(row["request"]), solution, seconds)

    def _expired(self, db: Connection, running: Sequence[str]) -> list[tuple[str, int]]:
        query = select(jobs.c.id, jobs.c.renewals, jobs.c.owner).where(jobs.c.status == "running")
        rows = db.execute(query).all()
        released = [(row.id, row.renewals) for row in rows if row.owner is None]
        held = [(row.id, row.renewals) for row in rows if row.owner is not None]
        expired = released + self._monitor.expired(held)
        return [lease for lease in expired if lease[0] not in running]

    def renew(self, owner: str, running: Sequence[str]) -> tuple[list[str], list[str]]:
        """Renew the leases of a service; return its jobs to cancel and those that it has lost."""
        if not running:
            return [], []
        is_held = and_(jobs.c.id.in_(running), jobs.c.owner == owner, jobs.c.status == "running")
        with write(self._engine) as db:
            db.execute(update(jobs).where(is_held).values(renewals=jobs.c.renewals + 1))
            rows = db.execute(select(jobs.c.id, jobs.c.stop_requested).where(is_held)).all()
        held = {row.id for row in rows}
        to_cancel = [row.id for row in rows if row.stop_requested]
        return to_cancel, [job for job in running if job not in held]

    def release(self, owner: str) -> None:
        """End the leases of a service that shuts down."""
        is_held = and_(jobs.c.owner == owner, jobs.c.status == "running")
        with write(self._engine) as db:
            db.execute(update(jobs).where(is_held).values(owner=None))

    def record_progress(
        self, owner: str, job: str, report: dict[str, Any], solution: dict[str, Any] | None
    ) -> None:
        """Record the progress of a running job, and its solution if that is the best so far.

        After a restart the first reports are worse than what is stored; cost and bound never get
        worse.
        """
        with write(self._engine) as db:
            is_held = _is_held(owner, job)
            best = (jobs.c.cost, jobs.c.bound, jobs.c.undelivered)
            row = db.execute(select(*best).where(is_held)).first()
            if row is None:
                return
            rank = (math.inf, math.inf)
            if row.cost is not None:
                rank = (row.undelivered or 0.0, row.cost)
            bound = max(report["bound"], row.bound or 0.0)
            values = {"cost": row.cost, "bound": bound, "undelivered": row.undelivered}
            event = {**report, **values}
            missing = report.get("undelivered")
            if report["cost"] is not None and (missing or 0.0, report["cost"]) <= rank:
                values |= {"cost": report["cost"], "undelivered": missing}
                event |= values
                if solution is not None:
                    values["solution"] = json.dumps(solution)
            db.execute(update(jobs).where(is_held).values(**values))
            add_event(db, job, "progress", event)

    def record_tables(self, owner: str, job: str, tables: bytes) -> None:
        """Record the distances and travel times of a running job."""
        is_held = select(jobs.c.id).where(_is_held(owner, job))
        with write(self._engine) as db:
            db.execute(
                update(instances).where(instances.c.job.in_(is_held)).values(road_tables=tables)
            )

    def finish(self, owner: str, job: str, status: str, **values: Any) -> bool:
        """End a job that this service holds; return False if it does not hold it any more."""
        with write(self._engine) as db:
            query = select(jobs.c.id).where(_is_held(owner, job)).with_for_update()
            if db.execute(query).first() is None:
                return False
            _finish(db, job, status, **values)
            return True

    def cancel(self, job: str) -> bool:
        """Cancel a queued job or ask a running one to stop; return False if it does not exist."""
        with write(self._engine) as db:
            query = select(jobs.c.status).where(jobs.c.id == job).with_for_update()
            row = db.execute(query).first()
            if row is None:
                return False
            if row.status == "queued":
                _finish(db, job, "cancelled")
            elif row.status == "running":
                db.execute(update(jobs).where(jobs.c.id == job).values(stop_requested=1))
            return True


def _finish(db: Connection, job: str, status: str, **values: Any) -> None:
    event = {k: values[k] for k in ("cost", "bound", "error") if values.get(k) is not None}
    for name in ("outcome", "solution"):
        if name in values:
            values[name] = json.dumps(values[name])
    ended = {"status": status, "ended": time.time(), **values}
    db.execute(update(jobs).where(jobs.c.id == job).values(**ended))
    add_event(db, job, "status", {"status": status, **event})


def _seconds_spent(db: Connection, job: str) -> float:
    """Return the time of a job's last report."""
    query = (
        select(events.c.data)
        .where(and_(events.c.job == job, events.c.kind == "progress"))
        .order_by(events.c.number.desc())
        .limit(1)
    )
    last = db.execute(query).scalar()
    return float(json.loads(last).get("seconds", 0.0)) if last else 0.0


def _is_held(owner: str, job: str) -> Any:
    return and_(jobs.c.id == job, jobs.c.owner == owner, jobs.c.status == "running")


def _has_lease(job: str, renewals: int) -> Any:
    """Match a running job that has not been renewed since."""
    return and_(jobs.c.id == job, jobs.c.renewals == renewals, jobs.c.status == "running")
