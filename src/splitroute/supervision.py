"""Runs somebody else's solver in a process of its own.

A solver that crashes, hangs or ignores its limit must not take the user's program with it. The
child is plain `python -m splitroute.supervision`, so scripts need no `if __name__ == "__main__"`
guard. Both sides speak in pickles; the child's standard output is kept for them alone.
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
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import IO

from splitroute.errors import EngineError, InputError, SplitRouteError
from splitroute.instance import Instance
from splitroute.solution import Listener, Progress, Solution
from splitroute.stop import Stop, Watch
from splitroute.sweep import sweep

Search = Callable[[Instance, Stop, int, Solution | None, Listener], Solution]

TICK = 0.1  # seconds between two calls of the listener
GRACE = 1.0  # seconds a child may be late before it is ended
GRACE_ASKED = 0.5  # the same after it was asked to stop
GRACE_FIRST = 2.0  # more while it has said nothing: on a busy machine it may still be starting


def available_cores() -> int:
    """Those that this process may use, where the system says so."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def supervise(
    search: Search,
    instance: Instance,
    stop: Stop,
    seed: int,
    start: Solution | None,
    listener: Listener,
) -> Solution:
    """What `search`, a function at the top of a module, returns when run in a child process."""
    name = search.__module__.rpartition(".")[2]
    if instance.splittable:
        raise InputError(f"the engine {name} cannot split; choose a rule that does, such as pasa")
    watch = Watch(stop)
    request = (search, instance, stop, seed, start, time.time())
    with tempfile.TemporaryFile() as said, _child(said) as child:
        answers: queue.SimpleQueue[object] = queue.SimpleQueue()
        threading.Thread(target=_talk, args=(child, request, answers), daemon=True).start()
        outcome, asked = _wait(child, answers, watch, listener)
        if isinstance(outcome, SplitRouteError):
            raise outcome
        if isinstance(outcome, EOFError):
            raise EngineError(f"the engine {name} crashed: {_last_words(child, said)}")
    if isinstance(outcome, Solution):
        return outcome
    if asked:  # before it had anything: what it would have started from is the best so far
        return start or sweep(instance)
    raise EngineError(
        f"the engine {name} had no solution for {len(instance.customers):,} customers or pieces "
        f"after {watch.seconds:.1f} s and was ended; give it more time"
    )


@contextlib.contextmanager
def _child(said: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-P", "-m", "splitroute.supervision"]
    # A session of its own: Ctrl-C reaches the parent alone, which then asks the child to stop.
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=said,
        start_new_session=True,
    ) as child:
        try:
            yield child
        finally:
            end(child)
            assert child.stdin is not None
            with contextlib.suppress(OSError):
                child.stdin.close()


def end(child: subprocess.Popen[bytes]) -> None:
    """Ends a child that leads a session, with all that it started."""
    with contextlib.suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()


def _talk(
    child: subprocess.Popen[bytes], request: object, answers: queue.SimpleQueue[object]
) -> None:
    """Sends the request, then passes on every answer; an EOFError marks the child's end."""
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        pickle.dump(sys.path, child.stdin)
        pickle.dump(request, child.stdin)
        child.stdin.flush()  # and stays open: its end tells the child that we are gone
        while True:
            answers.put(pickle.load(child.stdout))
    except Exception:  # whatever it is, there will be no more answers
        answers.put(EOFError())


def _wait(
    child: subprocess.Popen[bytes],
    answers: queue.SimpleQueue[object],
    watch: Watch,
    listener: Listener,
) -> tuple[object, bool]:
    """The child's last word, and whether it was asked to stop.

    That is the best solution so far, or None, if it had to be ended.
    """
    latest = Progress(0.0, 0, float("inf"))
    best: Solution | None = None
    give_up = float("inf") if watch.stop.seconds is None else watch.stop.seconds + GRACE
    asked = False
    while watch.seconds < give_up + (0 if asked or best else GRACE_FIRST):
        try:
            message = answers.get(timeout=TICK)
        except queue.Empty:
            message = replace(latest, solution=None)  # nothing new: the listener hears the time
        # Only the last of several reports counts; the listener may take its time.
        news = None
        while isinstance(message, Progress):
            latest, news = message, message.solution or news
            if answers.empty():
                break
            message = answers.get()
        if not isinstance(message, Progress):
            ended = asked and isinstance(message, EOFError)  # before it could answer
            return (best if ended else message), asked
        best = news or best
        if listener(replace(latest, seconds=watch.seconds, solution=news)) and not asked:
            asked, give_up = True, min(give_up, watch.seconds + GRACE_ASKED)
            child.terminate()
    return best, asked


def _last_words(child: subprocess.Popen[bytes], said: IO[bytes]) -> str:
    said.seek(max(0, said.seek(0, os.SEEK_END) - 2000))
    lines = said.read().decode(errors="replace").strip().splitlines()
    code = child.wait()
    end = f"signal {-code}" if code < 0 else f"exit code {code}"
    return f"{end}; {lines[-1].strip()}" if lines else end


def _serve() -> None:
    """The child's side: one request, reports, one answer."""
    asked_to_stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: asked_to_stop.set())
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever the solver prints must not end up among the pickles
    source = sys.stdin.buffer
    sys.path[:] = pickle.load(source)
    search, instance, stop, seed, start, began = pickle.load(source)
    threading.Thread(target=_leave_with_parent, args=(source,), daemon=True).start()
    if stop.seconds is not None:
        stop = replace(stop, seconds=max(0.01, stop.seconds - (time.time() - began)))

    def send(message: object) -> None:
        pickle.dump(message, channel)
        channel.flush()

    def listen(progress: Progress) -> bool:
        send(progress)
        return asked_to_stop.is_set()

    try:
        send(search(instance, stop, seed, start, listen))
    except SplitRouteError as error:
        send(error)
    except Exception as error:
        name = search.__module__.rpartition(".")[2]
        send(EngineError(f"the engine {name} failed: {type(error).__name__}: {error}"))


def _leave_with_parent(source: IO[bytes]) -> None:
    source.read()
    os._exit(1)


if __name__ == "__main__":
    _serve()
