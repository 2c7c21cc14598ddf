"""Carries out the jobs of a store, each in a process of its own, some at once."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from splitroute.errors import SplitRouteError
from splitroute.processes.calls import Raised, Report, Returned
from splitroute.processes.child import ChildProcess
from splitroute.web.leases import RENEWAL_SECONDS
from splitroute.web.outage import Outage
from splitroute.web.store import Lease, Store
from splitroute.web.work import run_job

log = logging.getLogger(__name__)

LOOK = 0.2  # seconds between two looks for jobs
GRACE_SECONDS = 30.0  # after its time at which a job is ended
NICENESS = 10  # below the service, which responds at once however busy the cores are


class Runner:
    """Threads that look after one process each."""

    def __init__(
        self,
        store: Store,
        workers: int,
        memory: int = 4096,
        told: Callable[[str], None] | None = None,
        outage: Outage | None = None,
    ) -> None:
        self._store, self._memory = store, memory
        self._outage = outage or Outage()
        self._told = told or (lambda job: None)
        self._owner = uuid.uuid4().hex
        self._over = threading.Event()
        self._news = threading.Event()
        # From taking a job until it is over. There is no process yet while one is being started.
        self._leased: dict[str, _JobProcess | None] = {}
        self._lock = threading.Lock()
        self._taking = threading.Lock()
        self._threads = [
            threading.Thread(target=self._work, daemon=True) for _ in range(workers)
        ] + [threading.Thread(target=self._renew, daemon=True)]

    def start(self) -> None:
        """Begins to look for jobs."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Ends the processes; their jobs are taken up again by whoever comes next."""
        self._over.set()
        with self._lock:
            for process in self._leased.values():
                if process is not None:
                    process.kill()
        for thread in self._threads:
            thread.join(timeout=10)
        with contextlib.suppress(SQLAlchemyError):
            self._store.release(self._owner)

    def look(self) -> None:
        """There is a new job, or one to be stopped."""
        self._news.set()

    def _work(self) -> None:
        while not self._over.is_set():
            lease = None
            try:
                if was_away := self._outage.is_on:
                    self._store.probe()
                lease = self._take()
                if was_away:
                    self._outage.over()
                if lease is not None:
                    self._told(lease.id)
                    self._carry_out(lease)
                    self._told(lease.id)
                    continue
            except SQLAlchemyError as error:
                # The database is away for a while: the lease lapses, the job is taken up again.
                self._outage.noticed(error)
            except Exception:  # no memory, no more processes: this thread is needed later
                log.exception("a job could not be carried out")
                if lease is not None:
                    self._give_up(lease.id)
            finally:
                if lease is not None:
                    with self._lock:
                        del self._leased[lease.id]
            self._over.wait(LOOK)

    def _take(self) -> Lease | None:
        """The next job; one thread at a time, so that each knows what the others have taken."""
        with self._taking:
            with self._lock:
                leased = list(self._leased)
            lease = self._store.take(self._owner, leased)
            if lease is not None:
                with self._lock:
                    self._leased[lease.id] = None
            return lease

    def _give_up(self, job: str) -> None:
        with contextlib.suppress(SQLAlchemyError):
            self._store.end(self._owner, job, "failed", error="the service could not start it")
            self._told(job)

    def _carry_out(self, lease: Lease) -> None:
        process = _JobProcess(lease, self._memory)
        try:
            with self._lock:
                self._leased[lease.id] = process
                if self._over.is_set():
                    process.kill()
            for message in process.reports():
                report = message["report"]
                report["seconds"] = round(lease.seconds + report["seconds"], 2)
                self._store.progress(self._owner, lease.id, report, message["solution"])
                self._told(lease.id)
            if not self._over.is_set() and not process.is_taken_away:
                self._end(lease, process)
        finally:
            with self._lock:
                self._leased[lease.id] = None
            process.close()

    def _end(self, lease: Lease, process: _JobProcess) -> None:
        if not isinstance(process.outcome, Returned):
            self._store.end(self._owner, lease.id, "failed", error=process.error())
            return
        outcome = process.outcome.value
        # Asked to stop while it solved it once more without splitting, it is done all the same.
        status = "cancelled" if process.is_stopped and outcome["cut"] else "done"
        values = {name: outcome[name] for name in ("cost", "bound", "solution", "result")}
        self._store.end(self._owner, lease.id, status, **values)

    def _renew(self) -> None:
        while not self._over.is_set():
            with self._lock:
                leased = dict(self._leased)
            for process in leased.values():
                if process is not None:
                    process.kill_if_late()
            with contextlib.suppress(SQLAlchemyError):
                for job in self._store.renew(self._owner, list(leased)):
                    if (process := leased[job]) is None:  # the next renewal stops it
                        continue
                    row = self._store.summary(job)
                    process.is_taken_away = row is None or row["owner"] != self._owner
                    process.stop()
            self._news.wait(RENEWAL_SECONDS)
            self._news.clear()


class _JobProcess:
    """The child process of one job."""

    def __init__(self, lease: Lease, max_memory: int) -> None:
        request = lease.request
        runs = 2 if request.get("baseline") else 1
        # On one core the bound comes after the search.
        longest = runs * request["seconds"] + (request.get("bound") or 0.0)
        self._deadline = time.monotonic() + longest + GRACE_SECONDS
        self.is_stopped = self.is_late = self.is_taken_away = False
        self._child = ChildProcess(max_memory=max_memory, niceness=NICENESS)
        self._child.call(run_job, request, lease.solution, reports=True)

    def reports(self) -> Iterator[dict[str, Any]]:
        """What it reports, until it returns or is gone; `outcome` is what came last."""
        while isinstance(message := self._child.get(), Report):
            yield message.content
        self.outcome = message

    def error(self) -> str:
        """Why it has no outcome."""
        if isinstance(self.outcome, Raised):
            if isinstance(self.outcome.error, SplitRouteError):
                return str(self.outcome.error)
            if isinstance(self.outcome.error, MemoryError):
                return "it took more memory than a job may have"
            log.error("a job failed\n%s", self.outcome.traceback)
            return "it failed unexpectedly; the service has logged why"
        if self.is_late:
            return "it took too long and was ended"
        return f"its process ended unexpectedly ({self._child.exit_message()})"

    def kill_if_late(self) -> None:
        """Ends it if it is far beyond its time."""
        if time.monotonic() > self._deadline:
            self.is_late = True
            self.kill()

    def stop(self) -> None:
        """Asks it to return with the best solution so far."""
        if not self.is_stopped:
            self.is_stopped = True
            self._deadline = min(self._deadline, time.monotonic() + GRACE_SECONDS)
            self._child.request_stop()

    def kill(self) -> None:
        """Ends it at once."""
        self._child.kill()

    def close(self) -> None:
        """Ends it if it is still there, and lets go of its pipes."""
        self._child.close()
