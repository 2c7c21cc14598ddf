"""Runs a third-party solver in a child process.

A solver that crashes, hangs or exceeds its time limit must not take the caller with it.
"""

from __future__ import annotations

import queue
import time
from dataclasses import replace

from splitroute.engines import BoundEngine
from splitroute.engines._sweep import sweep
from splitroute.errors import EngineError, InputError, SplitRouteError
from splitroute.instance import Instance
from splitroute.processes.calls import Call, Ended, Raised, Report, Returned
from splitroute.processes.child import ChildProcess
from splitroute.progress import Listener, Progress
from splitroute.solution import Solution
from splitroute.stop import Stop, TimeBudget

TICK_SECONDS = 0.1  # between two calls of the listener
GRACE_SECONDS = 1.0  # that a child may be late before it is killed
GRACE_SECONDS_STOPPED = 0.5  # the same after a stop request
GRACE_SECONDS_SILENT = 5.0  # more before its first report: it may still be starting
MIN_SECONDS = 0.01  # of a search

# What solvers with time windows have in common.
ROUTING_RULES = frozenset(
    {
        "windows", "service", "service_per_unit", "vehicle_types", "penalty", "fixed_cost",
        "cost_per_distance", "cost_per_time", "shift", "max_distance", "max_duration",
        "max_stops", "fleet", "depots", "depot_windows", "durations",
    }
)  # fmt: skip


def supervise(
    search: BoundEngine,
    instance: Instance,
    stop: Stop,
    seed: int,
    start: Solution | None,
    listener: Listener,
) -> Solution:
    """Run `search`, a module-level function, in a child process and return its solution."""
    name = search.__module__.rpartition(".")[2]
    if instance.splittable:
        raise InputError(
            f"the engine {name} cannot split; choose a rule that does, such as pasa", field="rule"
        )
    instance.check_table_size()  # third-party solvers need all distances
    budget = TimeBudget(stop)
    with ChildProcess() as child:
        child.call(_search, search, instance, stop, seed, start, time.monotonic(), reports=True)
        outcome, is_stopped = _wait(child, budget, listener)
        if isinstance(outcome, Ended):
            raise EngineError(f"the engine {name} crashed: {child.exit_message()}")
    if isinstance(outcome, Raised):
        if isinstance(outcome.error, SplitRouteError):
            raise outcome.error
        reason = f"{type(outcome.error).__name__}: {outcome.error}"
        raise EngineError(f"the engine {name} failed: {reason}")
    if outcome is not None:
        return outcome
    if is_stopped and start is not None:  # before its first report
        return start
    if is_stopped and not instance.rules and instance.vehicles is None:
        return sweep(instance)
    if is_stopped:
        raise EngineError(f"the engine {name} was stopped before it had a solution")
    raise EngineError(
        f"the engine {name} had no solution for {len(instance.customers):,} customers or pieces "
        f"after {budget.elapsed:.1f} s and was killed; give it more time"
    )


def _search(
    call: Call,
    search: BoundEngine,
    instance: Instance,
    stop: Stop,
    seed: int,
    start: Solution | None,
    began: float,
) -> Solution:
    """Run the search in the child; the time it took to start counts.

    Processes share the monotonic clock, which does not jump when the system's time is set.
    """
    if stop.seconds is not None:
        elapsed = time.monotonic() - began
        stop = replace(stop, seconds=max(MIN_SECONDS, stop.seconds - elapsed))

    def listener(progress: Progress) -> bool:
        call.report(progress)
        return call.is_stop_requested

    return search(instance, stop, seed, start, listener)


def _wait(
    child: ChildProcess, budget: TimeBudget, listener: Listener
) -> tuple[Solution | Raised | Ended | None, bool]:
    """Return the child's solution, or how it failed, and whether a stop was requested.

    For a child that exceeds its limits, return the best solution it reported, or None.
    """
    latest = Progress(0.0, 0, float("inf"))
    best: Solution | None = None
    seconds = budget.stop.seconds
    deadline = float("inf") if seconds is None else seconds + GRACE_SECONDS
    is_stopped = False
    while budget.elapsed < deadline + (0 if is_stopped or best else GRACE_SECONDS_SILENT):
        new: Solution | None = None
        try:
            message = child.get(TICK_SECONDS)
            # Of several reports only the last one counts: the listener may be slow.
            while isinstance(message, Report):
                latest, new = message.content, message.content.solution or new
                if not child.has_message:
                    break
                message = child.get()
        except queue.Empty:
            message = Report(latest)  # nothing new: the listener gets the time
        best = new or best
        if isinstance(message, Returned):
            return message.value, is_stopped
        if not isinstance(message, Report):
            has_stopped = is_stopped and isinstance(message, Ended)  # before it could return
            return (best if has_stopped else message), is_stopped
        if listener(replace(latest, seconds=budget.elapsed, solution=new)) and not is_stopped:
            is_stopped, deadline = True, min(deadline, budget.elapsed + GRACE_SECONDS_STOPPED)
            child.request_stop()
    return best, is_stopped
