"""Maps jobs onto processes: here, or on a cluster with Dask.

Each job runs in a child process that is kept for the next one, so that starting costs nothing. A
child that crashes or overruns is ended and replaced; its job alone has failed.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import IO, Any, Protocol

from splitroute.catalogue import require
from splitroute.errors import EngineError, InputError, SplitRouteError
from splitroute.supervision import end

WINDOW = 4  # tasks sent ahead per worker of a cluster
STARTING = 20.0  # seconds that a child on a busy machine may take to come up


@dataclass(frozen=True, slots=True)
class Task:
    """A function at the top of a module, what to call it with, and for how long at most."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Failure:
    """Instead of an answer: `crashed`, `overran` or `failed`, and why."""

    status: str
    why: str


class Workers(Protocol):
    """Where tasks run. Answers come as they are ready, each with the number of its task."""

    count: int

    def run(
        self, tasks: Iterable[Task], begun: Callable[[int], None] | None = None
    ) -> Iterator[tuple[int, Any]]:
        """The answer or the Failure of each task; `begun` is told which one starts, if known."""
        ...


@contextlib.contextmanager
def workers(
    cluster: str | None = None,
    count: int = 1,
    *,
    max_memory: int | None = None,
    niceness: int = 0,
) -> Iterator[Workers]:
    """So many processes here; or a cluster: `tcp://host:8786`, or `local:4` to start one here.

    `max_memory` is in megabytes per process; it and `niceness` are for processes here.
    """
    if cluster is not None:
        with _dask_client(cluster) as client:
            yield _OnCluster(client)
        return
    if not 1 <= count <= 1024:
        raise InputError(f"the number of jobs is {count}; it is from 1 to 1024")
    here = _Here(count, max_memory, niceness)
    try:
        yield here
    finally:
        here.close()


class Child:
    """A process that carries out one task after the other."""

    def __init__(self, max_memory: int | None = None, niceness: int = 0) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115
        code = f"from splitroute.workers import serve; serve({max_memory!r}, {niceness!r})"
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            start_new_session=True,
        )
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()
        self._send(sys.path)
        self._fresh = True

    def run(self, task: Task) -> Any:
        """The task's answer, or a Failure; a child that crashed or overran is of no more use."""
        try:
            self._send((task.function, task.arguments))
            answer = self._answers.get(timeout=task.seconds + (STARTING if self._fresh else 0.0))
        except queue.Empty:
            self.close()
            return Failure("overran", f"no answer after {task.seconds:g} s; it was ended")
        except BrokenPipeError:
            answer = EOFError()
        self._fresh = False
        if isinstance(answer, EOFError):
            why = self._last_words()
            self.close()
            return Failure("crashed", why)
        return answer

    @property
    def usable(self) -> bool:
        """Whether it can carry out another task."""
        return not self._said.closed and self._process.poll() is None

    def close(self) -> None:
        """Ends the process and all that it started."""
        if not self._said.closed:
            end(self._process)
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                with contextlib.suppress(OSError, AttributeError):
                    stream.close()  # type: ignore[union-attr]
            self._said.close()

    def _send(self, message: object) -> None:
        assert self._process.stdin is not None
        pickle.dump(message, self._process.stdin)
        self._process.stdin.flush()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        try:
            while True:
                self._answers.put(pickle.load(self._process.stdout))
        except Exception:  # whatever it is, there will be no more answers
            self._answers.put(EOFError())

    def _last_words(self) -> str:
        code = self._process.wait()
        self._said.seek(max(0, self._said.seek(0, os.SEEK_END) - 2000))
        lines = self._said.read().decode(errors="replace").strip().splitlines()
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return f"{how}; {lines[-1].strip()}" if lines else how


class _Here:
    """Threads of this process, each with a child of its own."""

    def __init__(self, count: int, max_memory: int | None, niceness: int) -> None:
        self.count = count
        self._limits = (max_memory, niceness)
        self._threads = ThreadPoolExecutor(count)
        self._idle: queue.SimpleQueue[Child | None] = queue.SimpleQueue()
        self._children: list[Child] = []
        self._lock = threading.Lock()
        self._closed = False
        for _ in range(count):
            self._idle.put(None)  # started when it is first needed

    def run(
        self, tasks: Iterable[Task], begun: Callable[[int], None] | None = None
    ) -> Iterator[tuple[int, Any]]:
        """The answer or the Failure of each task."""
        waiting = enumerate(tasks)
        running: dict[Future[Any], int] = {}
        while True:
            while len(running) < 2 * self.count and (upcoming := next(waiting, None)):
                number, task = upcoming
                running[self._threads.submit(self._one, number, task, begun)] = number
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()

    def _one(self, number: int, task: Task, begun: Callable[[int], None] | None) -> Any:
        child = self._idle.get()
        try:
            with self._lock:
                if self._closed:
                    return Failure("failed", "ended before it began")
                if child is None or not child.usable:
                    if child is not None:  # it ended, perhaps while it was idle
                        child.close()
                        self._children.remove(child)
                    child = Child(*self._limits)
                    self._children.append(child)
            if begun is not None:
                begun(number)
            return child.run(task)
        finally:
            self._idle.put(child)

    def close(self) -> None:
        with self._lock:
            self._closed = True
        for child in self._children:
            child.close()
        self._threads.shutdown(cancel_futures=True)


class _OnCluster:
    """The workers of a Dask cluster; if one dies, its jobs run again elsewhere."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.count = max(1, sum(client.nthreads().values()))

    def run(
        self, tasks: Iterable[Task], begun: Callable[[int], None] | None = None
    ) -> Iterator[tuple[int, Any]]:
        """The answer or the Failure of each task; which of them runs only the scheduler knows."""
        from distributed import as_completed

        waiting = enumerate(tasks)
        numbers: dict[str, int] = {}
        ready = as_completed([])

        def send() -> None:
            if upcoming := next(waiting, None):
                number, task = upcoming
                future = self._client.submit(_in_a_child, task, pure=False)
                numbers[future.key] = number
                ready.add(future)

        for _ in range(WINDOW * self.count):  # workers may join: more than can run just now
            send()
        for future in ready:
            if future.status == "finished":
                answer = future.result()
            elif future.status == "error":
                error = future.exception()
                answer = Failure("crashed", f"{type(error).__name__}: {error}")
            else:  # nothing is known of the task: it is neither done nor failed
                raise EngineError("the cluster's scheduler is gone; run the same command again")
            yield numbers.pop(future.key), answer
            send()


_children: dict[int, Child] = {}  # of this process, one for each of its threads


def _in_a_child(task: Task) -> Any:
    """Runs in a worker of the cluster."""
    me = threading.get_ident()
    if me not in _children or not _children[me].usable:
        _children[me] = Child()
    return _children[me].run(task)


@contextlib.contextmanager
def _dask_client(cluster: str) -> Iterator[Any]:
    require("distributed", "cluster")
    from distributed import Client, LocalCluster

    with contextlib.ExitStack() as stack:
        if cluster.startswith("local:"):
            count = cluster.removeprefix("local:")
            if not count.isdigit() or not 1 <= int(count) <= 1024:
                raise InputError(f"the cluster is {cluster!r}; write local:4 to start 4 workers")
            with _deaf_to_interrupts():
                local = LocalCluster(
                    n_workers=int(count),
                    threads_per_worker=1,
                    dashboard_address="127.0.0.1:0",  # any port: others may run one too
                    host="127.0.0.1",
                    silence_logs=logging.ERROR,
                )
            address: Any = stack.enter_context(local)
        else:
            address = cluster
        try:
            client = stack.enter_context(Client(address, timeout=10))
        except (OSError, ValueError) as error:
            raise InputError(
                f"no cluster at {cluster!r}: {error}", field="cluster", value=cluster
            ) from None
        yield client


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started meanwhile do not hear Ctrl-C: it is this one that ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def limit_memory(megabytes: int) -> None:
    """Bounds the address space of this process, where the system can."""
    try:
        import resource
    except ImportError:  # not everywhere
        return
    resource.setrlimit(resource.RLIMIT_AS, (megabytes * 2**20, megabytes * 2**20))


def serve(max_memory: int | None = None, niceness: int = 0) -> None:
    """The child's side: answers one request after the other."""
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    if max_memory is not None:
        limit_memory(max_memory)
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed must not end up among the pickles
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(sys.stdin.buffer, requests), daemon=True).start()
    while True:
        function, arguments = requests.get()
        try:
            answer = function(*arguments)
        except SplitRouteError as error:
            answer = Failure("failed", str(error))
        except Exception as error:
            answer = Failure("crashed", f"{type(error).__name__}: {error}")
        pickle.dump(answer, channel)
        channel.flush()


def _receive(source: IO[bytes], requests: queue.SimpleQueue[Any]) -> None:
    """Passes on the requests; leaves with the parent, whatever the child is doing then."""
    try:
        sys.path[:] = pickle.load(source)
        while True:
            requests.put(pickle.load(source))
    except EOFError:
        pass
    except BaseException:  # such as a task of another version's
        traceback.print_exc()
    finally:
        os._exit(1)
