"""Carries out the jobs of a store, each in a process of its own, some at once."""

from __future__ import annotations

import contextlib
import json
import logging
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from typing import IO, Any

from sqlalchemy.exc import SQLAlchemyError

from splitroute.supervision import end
from splitroute.web.leases import RENEWAL_SECONDS
from splitroute.web.outage import Outage
from splitroute.web.store import Lease, Store

log = logging.getLogger(__name__)

LOOK = 0.2  # seconds between two looks for jobs
LATE = 30.0  # seconds after its time at which a job is ended
# Below the service, which answers at once however busy the cores are; from the first import on.
CODE = (
    "import os; hasattr(os, 'nice') and os.nice(10); from splitroute.web.work import main; main()"
)
COMMAND = [sys.executable, "-P", "-c", CODE]


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
        self._running: dict[str, _Process] = {}
        self._lock = threading.Lock()
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
            for process in self._running.values():
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
                with self._lock:
                    running = list(self._running)
                lease = self._store.take(self._owner, running)
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
            self._over.wait(LOOK)

    def _give_up(self, job: str) -> None:
        with contextlib.suppress(SQLAlchemyError):
            self._store.end(self._owner, job, "failed", error="the service could not start it")
            self._told(job)

    def _carry_out(self, lease: Lease) -> None:
        process = _Process(lease, self._memory)
        with self._lock:
            self._running[lease.id] = process
            if self._over.is_set():
                process.kill()
        try:
            said = None
            for message in process.messages():
                if message["kind"] == "progress":
                    report = message["report"]
                    report["seconds"] = round(lease.seconds + report["seconds"], 2)
                    self._store.progress(self._owner, lease.id, report, message["solution"])
                    self._told(lease.id)
                else:
                    said = message
            if self._over.is_set() or process.taken_away:
                return
            self._end(lease, process, said)
        finally:
            with self._lock:
                del self._running[lease.id]
            process.close()

    def _end(self, lease: Lease, process: _Process, said: dict[str, object] | None) -> None:
        if said is None:
            error = "it took too long and was ended" if process.late else process.last_words()
            self._store.end(self._owner, lease.id, "failed", error=error)
        elif said["kind"] == "failed":
            self._store.end(self._owner, lease.id, "failed", error=said["error"])
        else:
            # Asked to stop while it solved it once more without splitting, it is done all the same.
            status = "cancelled" if process.asked and said["cut"] else "done"
            values = {name: said[name] for name in ("cost", "bound", "solution", "result")}
            self._store.end(self._owner, lease.id, status, **values)

    def _renew(self) -> None:
        while not self._over.is_set():
            with self._lock:
                running = dict(self._running)
            for process in running.values():
                process.watch()
            with contextlib.suppress(SQLAlchemyError):
                for job in self._store.renew(self._owner, list(running)):
                    row = self._store.get(job)
                    running[job].taken_away = row is None or row["owner"] != self._owner
                    running[job].stop()
            self._news.wait(RENEWAL_SECONDS)
            self._news.clear()


class _Process:
    """One job's process."""

    def __init__(self, lease: Lease, memory: int) -> None:
        self._child = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        request = lease.request
        runs = 2 if request.get("baseline") else 1
        # On one core the bound comes after the search.
        longest = runs * request["seconds"] + (request.get("bound") or 0.0)
        self._latest = time.monotonic() + longest + LATE
        self.asked = self.late = self.taken_away = False
        self._send({"request": request, "solution": lease.solution, "memory": memory})

    def messages(self) -> Iterator[dict[str, Any]]:
        """What it says, until it is gone."""
        stdout: IO[bytes] = self._child.stdout  # type: ignore[assignment]
        with contextlib.suppress(ValueError):
            for line in stdout:
                yield json.loads(line)
        self._child.wait()

    def watch(self) -> None:
        """Ends it if it is far too late."""
        if time.monotonic() > self._latest:
            self.late = True
            self.kill()

    def stop(self) -> None:
        """Asks it to come to an end with the best so far."""
        if not self.asked:
            self.asked = True
            self._latest = min(self._latest, time.monotonic() + LATE)
            self._send("stop")

    def kill(self) -> None:
        """Ends it at once."""
        end(self._child)

    def close(self) -> None:
        """Ends it if it is still there, and lets go of its pipes."""
        self.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            with contextlib.suppress(OSError, AttributeError):
                pipe.close()  # type: ignore[union-attr]

    def last_words(self) -> str:
        """Why it is gone, if it was not told to go."""
        code = self._child.wait()
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return f"its process ended unexpectedly ({how})"

    def _send(self, message: object) -> None:
        assert self._child.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # it is gone, or its pipe is closed
            self._child.stdin.write(json.dumps(message).encode() + b"\n")
            self._child.stdin.flush()
