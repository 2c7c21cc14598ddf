"""One supervised child process, for engines, benchmarks and the service alike.

The child is a plain Python process that calls the functions it is sent, one after the other, so
that scripts need no `if __name__ == "__main__"` guard. What it calls may report on the way and can
be asked to stop. A child that crashes, hangs or runs out of memory takes nobody else with it.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any

MAX_LAST_WORDS = 2000  # bytes of what a child wrote to standard error


def available_cores() -> int:
    """The cores that this process may use, where the system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Report:
    """What a function reports while it runs."""

    content: Any


@dataclass(frozen=True, slots=True)
class Returned:
    """What a function returned."""

    value: Any


@dataclass(frozen=True, slots=True)
class Raised:
    """The exception that a function raised, and its traceback as text."""

    error: Exception
    traceback: str


class Ended:
    """The child is gone: there will be no more messages."""


Message = Report | Returned | Raised | Ended


class Call:
    """The running call, for functions that report and can be stopped; their first argument."""

    def __init__(self, send: Callable[[Message], None]) -> None:
        self._send = send
        self._stop = threading.Event()

    def report(self, content: Any) -> None:
        """Sends something to the parent."""
        self._send(Report(content))

    @property
    def is_stop_requested(self) -> bool:
        """Whether the parent has asked to stop."""
        return self._stop.is_set()

    def request_stop(self) -> None:
        """Asks the function to stop."""
        self._stop.set()


class ChildProcess:
    """A process that calls functions; everything in both directions is pickled."""

    def __init__(self, *, max_memory: int | None = None, niceness: int = 0) -> None:
        """`max_memory` is in megabytes of address space."""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        # The niceness comes before the imports: they take most of the time of a short call.
        code = (
            f"import os; hasattr(os, 'nice') and os.nice({niceness})\n"
            f"from splitroute.processes.child import serve; serve({max_memory!r})"
        )
        # A session of its own: Ctrl-C reaches the parent alone, which asks the child to stop.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
        )
        self._messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, daemon=True)
        self._writer.start()
        threading.Thread(target=self._receive, daemon=True).start()
        self._send(sys.path)

    def call(self, function: Callable[..., Any], *arguments: Any, reports: bool = False) -> None:
        """Starts a function at the top of a module; with `reports`, it gets a Call first.

        Returns at once, even if the child is still starting and the arguments do not fit into
        the pipe: they are written by a thread.
        """
        self._send((function, arguments, reports))

    def request_stop(self) -> None:
        """Asks the running function to stop."""
        self._send(None)

    def get(self, timeout: float | None = None) -> Message:
        """The next message; queue.Empty if there is none in time."""
        return self._messages.get(timeout=timeout)

    @property
    def has_message(self) -> bool:
        """Whether `get` would return at once."""
        return not self._messages.empty()

    @property
    def is_usable(self) -> bool:
        """Whether it can call another function."""
        return not self._errors.closed and self._process.poll() is None

    def kill(self) -> None:
        """Ends the process and everything it started; the last message is then Ended."""
        kill_session(self._process)

    def close(self) -> None:
        """Kills the process and lets go of its pipes."""
        if self._errors.closed:
            return
        self.kill()
        self._process.wait()
        self._outgoing.put(None)
        self._writer.join()  # its pipe is broken, so it does not block
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError, AttributeError):
                pipe.close()  # type: ignore[union-attr]
        self._errors.close()

    def last_words(self) -> str:
        """How an ended process ended, and the last line it wrote to standard error."""
        code = self._process.wait()
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - MAX_LAST_WORDS))
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return f"{how}; {lines[-1].strip()}" if lines else how

    def __enter__(self) -> ChildProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, message: object) -> None:
        self._outgoing.put(pickle.dumps(message))

    def _write(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it is gone, as the messages will tell
            while (data := self._outgoing.get()) is not None:
                self._process.stdin.write(data)
                self._process.stdin.flush()

    def _receive(self) -> None:
        assert self._process.stdout is not None
        try:
            while True:
                self._messages.put(pickle.load(self._process.stdout))
        except Exception:  # whatever it is, there will be no more messages
            self._messages.put(Ended())


def kill_session(process: subprocess.Popen[bytes]) -> None:
    """Ends a process that leads a session, with everything it started."""
    with contextlib.suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def limit_memory(megabytes: int) -> None:
    """Bounds the address space of this process, where the system can."""
    try:
        import resource
    except ImportError:  # not everywhere
        return
    resource.setrlimit(resource.RLIMIT_AS, (megabytes * 2**20, megabytes * 2**20))


def serve(max_memory: int | None) -> None:
    """The child's side: calls one function after the other."""
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed must not end up among the messages
    lock = threading.Lock()

    def send(message: Message) -> None:
        with lock:
            pickle.dump(message, channel)
            channel.flush()

    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    running: list[Call] = []
    reader = threading.Thread(target=_read, args=(sys.stdin.buffer, requests, running), daemon=True)
    reader.start()
    while True:
        function, arguments, reports = requests.get()
        if max_memory is not None:  # now that what the function needs is imported
            limit_memory(max_memory)
        call = Call(send)
        running[:] = [call]
        try:
            value = function(call, *arguments) if reports else function(*arguments)
            send(Returned(value))
        except Exception as error:
            send(Raised(_picklable(error), traceback.format_exc()))
        running.clear()


def _read(source: IO[bytes], requests: queue.SimpleQueue[Any], running: list[Call]) -> None:
    """Takes requests; leaves with the parent, whatever the child is doing then."""
    try:
        sys.path[:] = pickle.load(source)
        while True:
            request = pickle.load(source)
            if request is not None:
                requests.put(request)
            else:
                for call in running:
                    call.request_stop()
    except EOFError:
        pass
    except BaseException:  # such as a function that this version does not have
        traceback.print_exc()
    finally:
        os._exit(1)


def _picklable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
