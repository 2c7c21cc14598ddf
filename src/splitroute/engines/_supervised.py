"""Runs a solver made by others in a child process.

A solver that crashes, hangs or ignores its limit must not take the user's program with it.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import replace

from splitroute.engines._sweep import sweep
from splitroute.errors import EngineError, InputError, SplitRouteError
from splitroute.instance import Instance
from splitroute.processes.child import Call, ChildProcess, Ended, Raised, Report, Returned
from splitroute.progress import Listener, Progress
from splitroute.solution import Solution
from splitroute.stop import Stop, TimeBudget

Search = Callable[[Instance, Stop, int, Solution | None, Listener], Solution]

TICK_SECONDS = 0.1  # between two calls of the listener
GRACE_SECONDS = 1.0  # that a child may be late before it is ended
GRACE_SECONDS_STOPPED = 0.5  # the same after it was asked to stop
GRACE_SECONDS_SILENT = 2.0  # more while it has reported nothing: it may still be starting


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
    instance.check_table_size()  # which all of them need
    budget = TimeBudget(stop)
    with ChildProcess() as child:
        child.call(_search, search, instance, stop, seed, start, time.time(), reports=True)
        outcome, is_stopped = _wait(child, budget, listener)
        if isinstance(outcome, Ended):
            raise EngineError(f"the engine {name} crashed: {child.last_words()}")
    if isinstance(outcome, Raised):
        if isinstance(outcome.error, SplitRouteError):
            raise outcome.error
        why = f"{type(outcome.error).__name__}: {outcome.error}"
        raise EngineError(f"the engine {name} failed: {why}")
    if outcome is not None:
        return outcome
    if is_stopped:  # before it had anything: what it would have started from is the best so far
        return start or sweep(instance)
    raise EngineError(
        f"the engine {name} had no solution for {len(instance.customers):,} customers or pieces "
        f"after {budget.elapsed:.1f} s and was ended; give it more time"
    )


def _search(
    call: Call,
    search: Search,
    instance: Instance,
    stop: Stop,
    seed: int,
    start: Solution | None,
    began: float,
) -> Solution:
    """The child's side. The time it took to start counts."""
    if stop.seconds is not None:
        stop = replace(stop, seconds=max(0.01, stop.seconds - (time.time() - began)))

    def listen(progress: Progress) -> bool:
        call.report(progress)
        return call.is_stop_requested

    return search(instance, stop, seed, start, listen)


def _wait(
    child: ChildProcess, budget: TimeBudget, listener: Listener
) -> tuple[Solution | Raised | Ended | None, bool]:
    """The child's solution, or how it failed, and whether it was asked to stop.

    A child that had to be ended has the best solution it reported, or None.
    """
    latest = Progress(0.0, 0, float("inf"))
    best: Solution | None = None
    give_up = float("inf") if budget.stop.seconds is None else budget.stop.seconds + GRACE_SECONDS
    is_stopped = False
    while budget.elapsed < give_up + (0 if is_stopped or best else GRACE_SECONDS_SILENT):
        news: Solution | None = None
        try:
            message = child.get(TICK_SECONDS)
            # Only the last of several reports counts; the listener may take its time.
            while isinstance(message, Report):
                latest, news = message.content, message.content.solution or news
                if not child.has_message:
                    break
                message = child.get()
        except queue.Empty:
            message = Report(latest)  # nothing new: the listener hears the time
        best = news or best
        if isinstance(message, Returned):
            return message.value, is_stopped
        if not isinstance(message, Report):
            gone = is_stopped and isinstance(message, Ended)  # before it could return
            return (best if gone else message), is_stopped
        if listener(replace(latest, seconds=budget.elapsed, solution=news)) and not is_stopped:
            is_stopped, give_up = True, min(give_up, budget.elapsed + GRACE_SECONDS_STOPPED)
            child.request_stop()
    return best, is_stopped
