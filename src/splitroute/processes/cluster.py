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

TASKS_AHEAD = 4  # tasks sent per worker before it is free: more workers may join
CONNECT_SECONDS = 10


@contextlib.contextmanager
def cluster_pool(cluster: str) -> Iterator[ClusterPool]:
    """The pool of the cluster at an address, or of one that is started here: `local:4`."""
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
        self, tasks: Iterable[Task], begun: Callable[[int], None] | None = None
    ) -> Iterator[tuple[int, Any]]:
        """The value or the Failure of each task; which one starts only the scheduler knows."""
        from distributed import as_completed

        waiting = enumerate(tasks)
        numbers: dict[str, int] = {}
        ready = as_completed([])

        def send() -> None:
            if upcoming := next(waiting, None):
                number, task = upcoming
                future = self._client.submit(_run_in_child, task, pure=False)
                numbers[future.key] = number
                ready.add(future)

        for _ in range(TASKS_AHEAD * self.count):
            send()
        for future in ready:
            if future.status == "finished":
                value = future.result()
            elif future.status == "error":
                error = future.exception()
                value = Failure("crashed", f"{type(error).__name__}: {error}")
            else:  # nothing is known of the task: it is neither done nor failed
                raise EngineError("the cluster's scheduler is gone; run the same command again")
            yield numbers.pop(future.key), value
            send()


_workers: dict[int, Worker] = {}  # of this process, one for each of its threads


def _run_in_child(task: Task) -> Any:
    """Runs on a worker of the cluster."""
    me = threading.get_ident()
    if me not in _workers or not _workers[me].is_usable:
        _workers[me] = Worker()
    return _workers[me].run(task)


def _start(cluster: str) -> Any:
    from distributed import LocalCluster

    count = cluster.removeprefix("local:")
    if not count.isdigit() or not 1 <= int(count) <= MAX_PROCESSES:
        raise InputError(
            f"the cluster is {cluster!r}; write local:4 to start 4 workers",
            field="cluster",
            value=cluster,
        )
    with _interrupts_ignored():
        return LocalCluster(
            n_workers=int(count),
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",  # any port: others may run one too
            host="127.0.0.1",
            silence_logs=logging.ERROR,
        )


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Processes started meanwhile ignore Ctrl-C: it is this one that ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
