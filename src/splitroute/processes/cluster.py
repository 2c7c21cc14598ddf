"""The workers of a Dask cluster as a pool."""

from __future__ import annotations

import contextlib
import logging
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from splitroute.errors import EngineError, InputError
from splitroute.processes.pool import MAX_PROCESSES, Failure, Task, Worker
from splitroute.registry import require

TASKS_PER_WORKER = 4  # queued at once, so that workers that join later find some
CONNECT_SECONDS = 10


@contextlib.contextmanager
def cluster_pool(cluster: str) -> Iterator[ClusterPool]:
    """Open the cluster at an address, or start a local one: `local:4`."""
    require("distributed", "cluster")
    from distributed import Client

    with contextlib.ExitStack() as stack:
        address = stack.enter_context(_start(cluster)) if cluster.startswith("local:") else cluster
        try:
            client = stack.enter_context(Client(address, timeout=CONNECT_SECONDS))
        except (OSError, ValueError) as error:
            raise InputError(
                f"no cluster at {cluster!r}: {error}", field="cluster", value=cluster
            ) from None
        yield ClusterPool(client)


class ClusterPool:
    """The workers of a Dask cluster; if one dies, its tasks run again elsewhere."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.count = max(1, sum(client.nthreads().values()))

    def run(
        self, tasks: Iterable[Task], on_start: Callable[[int], None] | None = None
    ) -> Iterator[tuple[int, Any]]:
        """Yield the value or Failure of each task; `on_start` is not called on a cluster."""
        from distributed import as_completed

        queued = enumerate(tasks)
        numbers: dict[str, int] = {}
        futures = as_completed([])

        def submit_next() -> None:
            if upcoming := next(queued, None):
                number, task = upcoming
                future = self._client.submit(_run_in_child, task, pure=False)
                numbers[future.key] = number
                futures.add(future)

        for _ in range(TASKS_PER_WORKER * self.count):
            submit_next()
        for future in futures:
            if future.status == "finished":
                value = future.result()
            elif future.status == "error":
                error = future.exception()
                value = Failure("crashed", f"{type(error).__name__}: {error}")
            elif future.status in ("pending", "lost"):  # its worker died with the result
                futures.add(future)
                continue
            else:  # cancelled: the task has neither finished nor failed
                raise EngineError("lost the cluster's scheduler", code="cluster_lost")
            yield numbers.pop(future.key), value
            submit_next()


_workers: dict[int, Worker] = {}  # one for each thread of this process


def _run_in_child(task: Task) -> Any:
    """Run a task in a child process; called on a worker of the cluster."""
    thread = threading.get_ident()
    if thread not in _workers or not _workers[thread].is_usable:
        _workers[thread] = Worker()
    return _workers[thread].run(task)


def _start(cluster: str) -> Any:
    from distributed import LocalCluster

    count = cluster.removeprefix("local:")
    if not count.isdecimal() or not 1 <= int(count) <= MAX_PROCESSES:
        raise InputError(
            f"cluster is {cluster!r}; write local:4 to start 4 workers",
            field="cluster",
            value=cluster,
        )
    with _ignored_interrupts():
        return LocalCluster(
            n_workers=int(count),
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",  # any free port
            host="127.0.0.1",
            silence_logs=logging.ERROR,
        )


@contextlib.contextmanager
def _ignored_interrupts() -> Iterator[None]:
    """Let processes started meanwhile ignore Ctrl-C: this one ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
