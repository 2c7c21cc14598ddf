"""A supervised child process, shared by engines, benchmarks and the service.

The child is a plain Python process that calls the functions it is sent, so scripts need no
`if __name__ == "__main__"` guard. A function can report and be asked to stop. A child that
crashes, hangs or runs out of memory affects nothing else.
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
from typing import IO, Any

from splitroute.processes.calls import Ended, Message, Raised

MAX_STDERR_BYTES = 2000  # that are searched for the last line


class ChildProcess:
    """A process that calls functions; arguments, reports and results are pickled."""

    def __init__(self, *, max_memory: int | None = None, niceness: int = 0) -> None:
        """`max_memory` is in megabytes of address space."""
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115
        # The niceness comes before the imports: they take most of the time of a short call.
        code = (
            f"import os; hasattr(os, 'nice') and os.nice({niceness})\n"
            f"from splitroute.processes.calls import serve; serve({max_memory!r})"
        )
        # A session of its own: Ctrl-C reaches only the parent, which asks the child to stop.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            start_new_session=True,
        )
        self._messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write, daemon=True)
        self._writer.start()
        threading.Thread(target=self._receive, daemon=True).start()
        self._send(sys.path)

    def call(self, function: Callable[..., Any], *arguments: Any, reports: bool = False) -> None:
        """Call a module-level function; with `reports`, its first argument is a Call.

        Returns at once: a thread writes the arguments, which may not fit into the pipe.
        """
        self._send((function, arguments, reports))

    def request_stop(self) -> None:
        """Ask the function that was called last to stop."""
        self._send(None)

    def get(self, timeout: float | None = None) -> Message:
        """Return the next message; raise queue.Empty if there is none in time."""
        return self._messages.get(timeout=timeout)

    @property
    def has_message(self) -> bool:
        """Whether `get` would return at once."""
        return not self._messages.empty()

    @property
    def is_usable(self) -> bool:
        """Whether it can call another function."""
        return not self._stderr.closed and self._process.poll() is None

    def kill(self) -> None:
        """Kill the process and everything it started; the last message is then Ended."""
        kill_session(self._process)

    def close(self) -> None:
        """Kill the process and close its pipes."""
        if self._stderr.closed:
            return
        self.kill()
        self._process.wait()
        self._outgoing.put(None)
        self._writer.join()  # its pipe is broken, so it does not block
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError, AttributeError):
                pipe.close()  # type: ignore[union-attr]
        self._stderr.close()

    def exit_message(self) -> str:
        """Signal or exit code of an ended process, and the last line of its standard error."""
        return exit_message(self._process.wait(), self._stderr)

    def __enter__(self) -> ChildProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, message: object) -> None:
        self._outgoing.put(pickle.dumps(message))

    def _write(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # the child has ended, as its last message says
            while (data := self._outgoing.get()) is not None:
                self._process.stdin.write(data)
                self._process.stdin.flush()

    def _receive(self) -> None:
        assert self._process.stdout is not None
        try:
            while True:
                self._messages.put(pickle.load(self._process.stdout))
        except EOFError:
            pass
        except Exception as error:  # a message that cannot be read, so none after it can
            if self.is_usable:
                self.kill()
                self._process.wait()
                if not isinstance(error, pickle.UnpicklingError):  # as when a child dies writing
                    self._messages.put(Raised(error, traceback.format_exc()))
        self._messages.put(Ended())


def exit_message(code: int, stderr: IO[bytes]) -> str:
    """Signal or exit code, and the last line of standard error."""
    status = f"signal {-code}" if code < 0 else f"exit code {code}"
    stderr.seek(max(0, stderr.seek(0, os.SEEK_END) - MAX_STDERR_BYTES))
    lines = stderr.read().decode(errors="replace").strip().splitlines()
    return f"{status}; {lines[-1].strip()}" if lines else status


def kill_session(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that leads a session, and everything it started."""
    with contextlib.suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
