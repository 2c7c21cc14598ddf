"""A pool of child processes, local or on the workers of a cluster.

Processes are reused. One that crashes or exceeds its time limit is replaced; only its task fails.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Protocol

from splitroute.errors import InputError, SplitRouteError
from splitroute.processes.calls import Ended, Raised, Returned
from splitroute.processes.child import ChildProcess

START_SECONDS = 20.0  # that a child may take to start on a busy machine
MAX_PROCESSES = 1024


@dataclass(frozen=True, slots=True)
class Task:
    """A module-level function, its arguments and its time limit."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    max_seconds: float


@dataclass(frozen=True, slots=True)
class Failure:
    """In place of a value: `crashed`, `overran` or `failed`, and the reason."""

    status: str
    reason: str


class Pool(Protocol):
    """Runs tasks and yields their values as they are ready, with the numbers of the tasks."""

    count: int

    def run(
        self, tasks: Iterable[Task], on_start: Callable[[int], None] | None = None
    ) -> Iterator[tuple[int, Any]]:
        """Yield the value or Failure of each task; `on_start` is called with its number."""
        ...


@contextlib.contextmanager
def open_pool(
    cluster: str | None = None,
    count: int = 1,
    *,
    max_memory: int | None = None,
    niceness: int = 0,
) -> Iterator[Pool]:
    """Open a pool of `count` local processes, or a cluster: `tcp://host:8786` or `local:4`.

    `max_memory`, in megabytes per process, and `niceness` apply to local processes.
    """
    if cluster is not None:
        from splitroute.processes.cluster import cluster_pool

        with cluster_pool(cluster) as pool:
            yield pool
        return
    if not 1 <= count <= MAX_PROCESSES:
        raise InputError(
            f"processes is {count}; it must be from 1 to {MAX_PROCESSES}",
            field="processes",
            value=count,
        )
    local = _LocalPool(count, max_memory, niceness)
    try:
        yield local
    finally:
        local.close()


class Worker:
    """A child process that runs one task after another."""

    def __init__(self, max_memory: int | None = None, niceness: int = 0) -> None:
        self._child = ChildProcess(max_memory=max_memory, niceness=niceness)
        self._is_fresh = True

    def run(self, task: Task) -> Any:
        """Return the value or Failure of a task; a crash or overrun ends the worker."""
        self._child.call(task.function, *task.arguments)
        timeout = task.max_seconds + (START_SECONDS if self._is_fresh else 0.0)
        self._is_fresh = False
        try:
            message = self._child.get(timeout)
        except queue.Empty:
            self.close()
            return Failure("overran", f"no result after {task.max_seconds:g} s; it was killed")
        if isinstance(message, Returned):
            return message.value
        if isinstance(message, Raised):
            if isinstance(message.error, SplitRouteError):
                return Failure("failed", str(message.error))
            return Failure("crashed", f"{type(message.error).__name__}: {message.error}")
        assert isinstance(message, Ended)
        reason = self._child.exit_message()
        self.close()
        return Failure("crashed", reason)

    @property
    def is_usable(self) -> bool:
        """Whether it can run another task."""
        return self._child.is_usable

    def close(self) -> None:
        """Kill the process and everything it started."""
        self._child.close()


class _LocalPool:
    """Threads of this process, each with its own worker."""

    def __init__(self, count: int, max_memory: int | None, niceness: int) -> None:
        self.count = count
        self._limits = (max_memory, niceness)
        self._threads = ThreadPoolExecutor(count)
        self._idle: queue.SimpleQueue[Worker | None] = queue.SimpleQueue()
        self._workers: list[Worker] = []
        self._lock = threading.Lock()
        self._is_closed = False
        for _ in range(count):
            self._idle.put(None)  # started on demand

    def run(
        self, tasks: Iterable[Task], on_start: Callable[[int], None] | None = None
    ) -> Iterator[tuple[int, Any]]:
        """Yield the value or Failure of each task."""
        queued = enumerate(tasks)
        running: dict[Future[Any], int] = {}
        while True:
            while len(running) < 2 * self.count and (upcoming := next(queued, None)):
                number, task = upcoming
                running[self._threads.submit(self._run_one, number, task, on_start)] = number
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()

    def _run_one(self, number: int, task: Task, on_start: Callable[[int], None] | None) -> Any:
        worker = self._idle.get()
        try:
            with self._lock:
                if self._is_closed:
                    return Failure("failed", "the pool was closed before it started")
                if worker is None or not worker.is_usable:
                    if worker is not None:  # it ended, perhaps while idle
                        worker.close()
                        self._workers.remove(worker)
                    worker = Worker(*self._limits)
                    self._workers.append(worker)
            if on_start is not None:
                on_start(number)
            return worker.run(task)
        finally:
            self._idle.put(worker)

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
        for worker in self._workers:
            worker.close()
        self._threads.shutdown(cancel_futures=True)
