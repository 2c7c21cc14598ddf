"""A pool of child processes: here, or on the workers of a cluster.

Each task runs in a child that is kept for the next one, so that starting costs nothing. A child
that crashes or overruns is replaced; its task alone has failed.
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
from splitroute.processes.child import ChildProcess, Ended, Raised, Returned

START_SECONDS = 20.0  # that a child may take to come up on a busy machine
MAX_PROCESSES = 1024


@dataclass(frozen=True, slots=True)
class Task:
    """A function at the top of a module, its arguments, and how long it may take."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    max_seconds: float


@dataclass(frozen=True, slots=True)
class Failure:
    """Instead of a value: `crashed`, `overran` or `failed`, and why."""

    status: str
    why: str


class Pool(Protocol):
    """Where tasks run. Values come as they are ready, each with the number of its task."""

    count: int

    def run(
        self, tasks: Iterable[Task], begun: Callable[[int], None] | None = None
    ) -> Iterator[tuple[int, Any]]:
        """The value or the Failure of each task; `begun` hears which one starts, if known."""
        ...


@contextlib.contextmanager
def open_pool(
    cluster: str | None = None,
    count: int = 1,
    *,
    max_memory: int | None = None,
    niceness: int = 0,
) -> Iterator[Pool]:
    """So many processes here; or a cluster: `tcp://host:8786`, or `local:4` to start one here.

    `max_memory` is in megabytes per process; it and `niceness` are for processes here.
    """
    if cluster is not None:
        from splitroute.processes.cluster import cluster_pool

        with cluster_pool(cluster) as pool:
            yield pool
        return
    if not 1 <= count <= MAX_PROCESSES:
        raise InputError(
            f"the number of processes is {count}; it is from 1 to {MAX_PROCESSES}",
            field="processes",
            value=count,
        )
    local = _LocalPool(count, max_memory, niceness)
    try:
        yield local
    finally:
        local.close()


class Worker:
    """A child process that runs one task after the other."""

    def __init__(self, max_memory: int | None = None, niceness: int = 0) -> None:
        self._child = ChildProcess(max_memory=max_memory, niceness=niceness)
        self._is_fresh = True

    def run(self, task: Task) -> Any:
        """The task's value or a Failure; after a crash or an overrun it is of no more use."""
        self._child.call(task.function, *task.arguments)
        patience = task.max_seconds + (START_SECONDS if self._is_fresh else 0.0)
        self._is_fresh = False
        try:
            message = self._child.get(patience)
        except queue.Empty:
            self.close()
            return Failure("overran", f"no result after {task.max_seconds:g} s; it was ended")
        if isinstance(message, Returned):
            return message.value
        if isinstance(message, Raised):
            if isinstance(message.error, SplitRouteError):
                return Failure("failed", str(message.error))
            return Failure("crashed", f"{type(message.error).__name__}: {message.error}")
        assert isinstance(message, Ended)
        why = self._child.last_words()
        self.close()
        return Failure("crashed", why)

    @property
    def is_usable(self) -> bool:
        """Whether it can run another task."""
        return self._child.is_usable

    def close(self) -> None:
        """Ends the process and everything it started."""
        self._child.close()


class _LocalPool:
    """Threads of this process, each with a worker of its own."""

    def __init__(self, count: int, max_memory: int | None, niceness: int) -> None:
        self.count = count
        self._limits = (max_memory, niceness)
        self._threads = ThreadPoolExecutor(count)
        self._idle: queue.SimpleQueue[Worker | None] = queue.SimpleQueue()
        self._workers: list[Worker] = []
        self._lock = threading.Lock()
        self._is_closed = False
        for _ in range(count):
            self._idle.put(None)  # started when it is first needed

    def run(
        self, tasks: Iterable[Task], begun: Callable[[int], None] | None = None
    ) -> Iterator[tuple[int, Any]]:
        """The value or the Failure of each task."""
        waiting = enumerate(tasks)
        running: dict[Future[Any], int] = {}
        while True:
            while len(running) < 2 * self.count and (upcoming := next(waiting, None)):
                number, task = upcoming
                running[self._threads.submit(self._run_one, number, task, begun)] = number
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()

    def _run_one(self, number: int, task: Task, begun: Callable[[int], None] | None) -> Any:
        worker = self._idle.get()
        try:
            with self._lock:
                if self._is_closed:
                    return Failure("failed", "ended before it began")
                if worker is None or not worker.is_usable:
                    if worker is not None:  # it ended, perhaps while it was idle
                        worker.close()
                        self._workers.remove(worker)
                    worker = Worker(*self._limits)
                    self._workers.append(worker)
            if begun is not None:
                begun(number)
            return worker.run(task)
        finally:
            self._idle.put(worker)

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
        for worker in self._workers:
            worker.close()
        self._threads.shutdown(cancel_futures=True)
