"""Islands on a cluster: searches that exchange their best solutions.

The first island is never interrupted, so that for the same number of iterations many islands never
give a worse result than one; the others start every epoch from the best solution so far.
"""

from __future__ import annotations

import math
import threading
from dataclasses import replace

from splitroute.core import seed_of
from splitroute.engines import BoundEngine
from splitroute.errors import EngineError
from splitroute.instance import Instance
from splitroute.processes.pool import Failure, Pool, Task
from splitroute.progress import Listener, Progress
from splitroute.solution import Solution, cost
from splitroute.stop import Stop, TimeBudget

EPOCHS = 8  # between them, islands or threads start again from the best solution
TICK_SECONDS = 0.2  # between two calls of the listener
RETURN_SECONDS = 0.2  # reserved for sending a solution back
GRACE_SECONDS = 30.0  # that a worker may be late before its search is killed
MAX_LATE_SECONDS = 1.0  # that islands may be late once there is a solution
MIN_SECONDS = 0.05  # of a search
UNLIMITED_SECONDS = 1e6  # for searches limited by iterations alone


class IslandModel:
    """Searches on the workers of a pool and the best solution of any of them."""

    def __init__(
        self,
        search: BoundEngine,
        instance: Instance,
        budget: TimeBudget,
        seed: int,
        start: Solution | None,
        pool: Pool,
        size: int,
    ) -> None:
        self._search, self._instance, self._budget = search, instance, budget
        self._seed, self._start = seed, start
        self._pool, self._size = pool, size
        self._lock = threading.Lock()
        self._solutions: dict[tuple[int, int], tuple[float, Solution]] = {}  # by epoch and island
        if start is not None:
            self._solutions[-1, 0] = (cost(instance, start), start)
        self._error = "no worker returned"
        self._is_closed = False

    def run(self, listener: Listener) -> Solution:
        """Return the best solution of all islands."""
        threads = [
            threading.Thread(target=target, daemon=True)
            for target in (self._run_first, self._run_others)
        ]
        for thread in threads:
            thread.start()
        target, reported, is_stopped = self._budget.stop.target, math.inf, False
        while any(thread.is_alive() for thread in threads):
            max_late = MAX_LATE_SECONDS if self._best()[0] else GRACE_SECONDS
            if self._budget.remaining < -max_late:
                break
            for thread in threads:
                thread.join(TICK_SECONDS / len(threads))
            best, value = self._best()
            is_stopped = bool(listener(self._progress(best, value, reported)))
            reported = min(reported, value)
            if is_stopped or (target is not None and value <= target):
                break
        self._is_closed = True
        best, value = self._best()
        if best is not None:
            listener(self._progress(best, value, reported))
            return best
        if is_stopped:  # before any island had a solution
            one = Stop(iterations=1)
            return self._start or self._search(
                self._instance, one, self._seed, None, lambda progress: True
            )
        raise EngineError(f"no search on the cluster had a solution in time: {self._error}")

    def _progress(self, best: Solution | None, value: float, reported: float) -> Progress:
        new = best if value < reported else None
        return Progress(self._budget.elapsed, 0, value, new)

    def _best(self) -> tuple[Solution | None, float]:
        """Return the best solution and its cost; ties are broken by epoch and island, not time."""
        with self._lock:
            if not self._solutions:
                return None, math.inf
            value, _, solution = min((v, at, s) for at, (v, s) in self._solutions.items())
            return solution, value

    def _run_first(self) -> None:
        self._run_islands(0, 0, self._budget.stop, [(self._seed, self._start)])

    def _run_others(self) -> None:
        """Run the other islands epoch by epoch; nothing depends on which of them is quicker."""
        best, value = self._start, self._best()[1]
        for epoch in range(EPOCHS if self._size > 1 else 0):
            seeds = [seed_of(self._seed, epoch * self._size + k) for k in range(1, self._size)]
            islands = [(seed, best) for seed in seeds]
            for solution in self._run_islands(epoch, 1, self._epoch_stop(epoch), islands):
                if (new_value := cost(self._instance, solution)) < value:
                    best, value = solution, new_value

    def _epoch_stop(self, epoch: int) -> Stop:
        """Limits of an epoch: an equal share of what is left."""
        stop = self._budget.stop
        if stop.iterations is not None:
            stop = replace(stop, iterations=max(1, stop.iterations // EPOCHS))
        if stop.seconds is not None:
            seconds = max(MIN_SECONDS, self._budget.remaining / (EPOCHS - epoch))
            stop = replace(stop, seconds=seconds)
        return stop

    def _run_islands(
        self, epoch: int, first: int, stop: Stop, islands: list[tuple[int, Solution | None]]
    ) -> list[Solution]:
        """Run islands, numbered from `first`, and return their solutions."""
        max_seconds = UNLIMITED_SECONDS
        if stop.seconds is not None:
            max_seconds = stop.seconds + GRACE_SECONDS
            seconds = min(stop.seconds, self._budget.remaining) - RETURN_SECONDS
            stop = replace(stop, seconds=max(MIN_SECONDS, seconds))
        tasks = [
            Task(_run_island, (self._search, self._instance, stop, seed, start), max_seconds)
            for seed, start in islands
        ]
        solutions: dict[int, Solution] = {}
        try:
            for k, value in self._pool.run(tasks):
                if isinstance(value, Failure):
                    self._error = value.reason
                    continue
                solutions[k] = value
                with self._lock:
                    self._solutions[epoch, first + k] = (cost(self._instance, value), value)
        except Exception as error:  # the cluster was lost, or closed before the searches ended
            if not self._is_closed:
                self._error = str(error)
        return [solutions[k] for k in sorted(solutions)]


def _run_island(
    search: BoundEngine, instance: Instance, stop: Stop, seed: int, start: Solution | None
) -> Solution:
    """Run one island; called on a worker."""
    return search(instance, stop, seed, start, lambda progress: False)
