"""Calls of functions in a child process: the messages about them, and the child's main loop."""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any


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
    """The child has ended: no more messages follow."""


Message = Report | Returned | Raised | Ended


class Call:
    """The running call, as the first argument of functions that report or can be stopped."""

    def __init__(self, send: Callable[[Message], None]) -> None:
        self._send = send
        self._stop = threading.Event()

    def report(self, content: Any) -> None:
        """Send a report to the parent."""
        self._send(Report(content))

    @property
    def is_stop_requested(self) -> bool:
        """Whether the parent has requested a stop."""
        return self._stop.is_set()

    def request_stop(self) -> None:
        """Ask the function to stop."""
        self._stop.set()


def serve(max_memory: int | None) -> None:
    """Run the main loop of the child: call one function after the other."""
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # printed text must not end up among the messages
    lock = threading.Lock()

    def send(message: Message) -> None:
        data = pickle.dumps(message)  # of what cannot be pickled, nothing is sent
        with lock:
            channel.write(data)
            channel.flush()

    requests: queue.SimpleQueue[tuple[Call, Any]] = queue.SimpleQueue()
    reader = threading.Thread(target=_read, args=(sys.stdin.buffer, requests, send), daemon=True)
    reader.start()
    while True:
        call, (function, arguments, reports) = requests.get()
        if max_memory is not None:  # after the imports that the function needs
            limit_memory(max_memory)
        try:
            value = function(call, *arguments) if reports else function(*arguments)
            send(Returned(value))
        except (Exception, SystemExit) as error:
            send(Raised(_picklable(error), traceback.format_exc()))


def limit_memory(megabytes: int) -> None:
    """Limit the address space of this process, on systems that support it."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (megabytes * 2**20, megabytes * 2**20))


def _read(
    source: IO[bytes],
    requests: queue.SimpleQueue[tuple[Call, Any]],
    send: Callable[[Message], None],
) -> None:
    """Receive requests; exit with the parent, even during a call."""
    call = Call(send)
    try:
        sys.path[:] = pickle.load(source)
        while True:
            request = pickle.load(source)
            if request is not None:
                call = Call(send)  # created here: it may be asked to stop before it runs
                requests.put((call, request))
            else:
                call.request_stop()
    except EOFError:
        pass
    except BaseException:  # such as a function that cannot be imported here
        traceback.print_exc()
    finally:
        os._exit(1)


def _picklable(error: BaseException) -> Exception:
    with contextlib.suppress(Exception):
        if isinstance(error, Exception):
            pickle.loads(pickle.dumps(error))
            return error
    return RuntimeError(f"{type(error).__name__}: {error}")
