"""Runs the jobs of a store, each in its own child process."""

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
from splitroute.web.job_queue import Lease
from splitroute.web.leases import RENEWAL_SECONDS
from splitroute.web.outage import Outage
from splitroute.web.roads import MAX_ROAD_SECONDS, NO_ROADS, RoadServers
from splitroute.web.store import Store
from splitroute.web.worker import run_job

log = logging.getLogger(__name__)

POLL_SECONDS = 0.2  # between looking for jobs
GRACE_SECONDS = 30.0  # beyond its time limit, until a job is killed
NICENESS = 10  # below the service, which has to respond however busy the cores are


class Runner:
    """Worker threads that supervise one child process each, and a thread that renews leases."""

    def __init__(
        self,
        store: Store,
        workers: int,
        memory: int = 4096,
        notify: Callable[[str], None] = lambda job: None,
        outage: Outage | None = None,
        roads: RoadServers = NO_ROADS,
    ) -> None:
        self._store, self._queue, self._memory = store, store.queue, memory
        self._notify = notify  # called with the id of a job that has changed
        self._outage = outage or Outage()
        self._roads = roads
        self._owner = uuid.uuid4().hex
        self._is_closing = threading.Event()
        self._is_woken = threading.Event()
        # From leasing a job until it has ended; None while its process is being started.
        self._processes: dict[str, _JobProcess | None] = {}
        self._lock = threading.Lock()
        self._lease_lock = threading.Lock()
        targets = [*[self._work] * workers, self._renew_leases]
        self._threads = [threading.Thread(target=target, daemon=True) for target in targets]

    def start(self) -> None:
        """Start to run jobs."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Kill the processes; another service continues their jobs."""
        self._is_closing.set()
        with self._lock:
            for process in self._processes.values():
                if process is not None:
                    process.kill()
        for thread in self._threads:
            thread.join(timeout=10)
        with contextlib.suppress(SQLAlchemyError):
            self._queue.release(self._owner)

    def wake(self) -> None:
        """Check for cancelled jobs now."""
        self._is_woken.set()

    def _work(self) -> None:
        while not self._is_closing.is_set():
            lease = None
            try:
                if had_outage := self._outage.is_active:
                    self._store.probe()
                lease = self._lease()
                if had_outage:
                    self._outage.end()
                if lease is not None:
                    self._notify(lease.id)
                    self._run(lease)
                    self._notify(lease.id)
                    continue
            except SQLAlchemyError as error:
                self._outage.report(error)  # the lease expires, and the job is leased again
            except Exception:  # out of memory or processes: the thread has to survive
                log.exception("job could not be run")
                if lease is not None:
                    self._fail(lease.id)
            finally:
                if lease is not None:
                    with self._lock:
                        del self._processes[lease.id]
            self._is_closing.wait(POLL_SECONDS)

    def _lease(self) -> Lease | None:
        # One thread at a time, so that each knows which jobs the others have leased.
        with self._lease_lock:
            with self._lock:
                running = list(self._processes)
            lease = self._queue.lease(self._owner, running)
            if lease is not None:
                with self._lock:
                    self._processes[lease.id] = None
            return lease

    def _fail(self, job: str) -> None:
        with contextlib.suppress(SQLAlchemyError):
            self._queue.finish(self._owner, job, "failed", error="the service could not start it")
            self._notify(job)

    def _run(self, lease: Lease) -> None:
        process = _JobProcess(lease, self._memory, self._roads)
        try:
            with self._lock:
                self._processes[lease.id] = process
                if self._is_closing.is_set():
                    process.kill()
            for message in process.reports():
                if "road_tables" in message:
                    self._queue.record_tables(self._owner, lease.id, message["road_tables"])
                    continue
                report = message["report"]
                report["seconds"] = round(lease.seconds + report["seconds"], 2)
                self._queue.record_progress(self._owner, lease.id, report, message["solution"])
                self._notify(lease.id)
            if not self._is_closing.is_set() and not process.is_lost:
                self._finish(lease, process)
        finally:
            with self._lock:
                self._processes[lease.id] = None
            process.close()

    def _finish(self, lease: Lease, process: _JobProcess) -> None:
        if not isinstance(process.end, Returned):
            error = process.error()
            if process.is_stopped:  # its best solution is recorded
                self._queue.finish(self._owner, lease.id, "cancelled")
            else:
                self._queue.finish(self._owner, lease.id, "failed", error=error)
            return
        result = process.end.value
        # A job stopped while it computes the baseline is done: its own search is complete.
        was_cut_short = result.pop("was_cut_short")
        status = "cancelled" if process.is_stopped and was_cut_short else "done"
        self._queue.finish(self._owner, lease.id, status, **result)

    def _renew_leases(self) -> None:
        while not self._is_closing.is_set():
            with self._lock:
                processes = dict(self._processes)
            for process in processes.values():
                if process is not None:
                    process.kill_if_late()
            with contextlib.suppress(SQLAlchemyError):
                to_cancel, lost = self._queue.renew(self._owner, list(processes))
                for job in (*to_cancel, *lost):
                    if (process := processes[job]) is not None:  # else at the next renewal
                        process.is_lost = job in lost
                        process.stop()
            self._is_woken.wait(RENEWAL_SECONDS)
            self._is_woken.clear()


class _JobProcess:
    """Child process of one job."""

    def __init__(self, lease: Lease, max_memory: int, roads: RoadServers) -> None:
        request = lease.request
        runs = 2 if request.get("baseline") else 1
        # On a single core the bound is computed after the search.
        max_seconds = runs * request["seconds"] + (request.get("bound") or 0.0)
        if request.get("roads") is not None:
            max_seconds += MAX_ROAD_SECONDS
        self._deadline = time.monotonic() + max_seconds + GRACE_SECONDS
        self.is_stopped = self.is_late = self.is_lost = False
        self._child = ChildProcess(max_memory=max_memory, niceness=NICENESS)
        self._child.call(run_job, request, lease.solution, roads, reports=True)

    def reports(self) -> Iterator[dict[str, Any]]:
        """Yield reports until the process returns or dies, then set `end` to the last message."""
        while isinstance(message := self._child.get(), Report):
            yield message.content
        self.end = message

    def error(self) -> str:
        """Return why the job has no result."""
        if isinstance(self.end, Raised):
            if isinstance(self.end.error, SplitRouteError):
                return str(self.end.error)
            if isinstance(self.end.error, MemoryError):
                return "out of memory"
            log.error("job failed\n%s", self.end.traceback)
            return "internal error; the service has logged it"
        if self.is_late:
            return "time limit exceeded"
        return f"its process ended unexpectedly ({self._child.exit_message()})"

    def kill_if_late(self) -> None:
        """Kill the process if it is far beyond its time limit."""
        if time.monotonic() > self._deadline:
            self.is_late = True
            self.kill()

    def stop(self) -> None:
        """Ask the process to return its best solution."""
        if not self.is_stopped:
            self.is_stopped = True
            self._deadline = min(self._deadline, time.monotonic() + GRACE_SECONDS)
            self._child.request_stop()

    def kill(self) -> None:
        """End the process at once."""
        self._child.kill()

    def close(self) -> None:
        """Kill the process if it still runs, and close its pipes."""
        self._child.close()
