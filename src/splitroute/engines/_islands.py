"""One search on many machines: islands that exchange their best solutions now and then.

The first island searches all the time as one search alone would, so that for the same number of
iterations many are never worse; the others begin every epoch with the best solution so far.
"""

from __future__ import annotations

import math
import threading
from dataclasses import replace

from splitroute.core import seed_of
from splitroute.engines._supervised import Search
from splitroute.engines._sweep import sweep
from splitroute.errors import EngineError
from splitroute.instance import Instance
from splitroute.processes.pool import Failure, Pool, Task, open_pool
from splitroute.progress import Listener, Progress
from splitroute.solution import Solution, cost
from splitroute.stop import Stop, TimeBudget

EPOCHS = 8
TICK = 0.2  # seconds between two calls of the listener
RESERVE = 0.2  # seconds kept for the way back
GRACE = 30.0  # seconds that a worker may be late before its search is ended
UNLIMITED = 1e6  # seconds for searches that are limited in iterations alone
LATE = 1.0  # seconds that the answer may be late before it is not waited for


def search_together(
    search: Search,
    instance: Instance,
    stop: Stop,
    seed: int,
    start: Solution | None,
    listener: Listener,
    *,
    cluster: str,
    jobs: int | None,
) -> Solution:
    """The best solution of searches on a cluster, as many as it has workers or as are wanted."""
    budget = TimeBudget(stop)
    with open_pool(cluster) as where:
        count = min(jobs or where.count, where.count)
        sea = _Sea(search, instance, where, budget, seed, start, count)
        threads = [threading.Thread(target=each, daemon=True) for each in (sea.first, sea.others)]
        for thread in threads:
            thread.start()
        shown, told = math.inf, False
        while any(thread.is_alive() for thread in threads):
            if budget.remaining < (-LATE if sea.best[0] else -GRACE):
                break
            for thread in threads:
                thread.join(TICK / len(threads))
            best, value = sea.best
            told = bool(
                listener(Progress(budget.elapsed, 0, value, best if value < shown else None))
            )
            shown = min(shown, value)
            if told or (stop.target is not None and value <= stop.target):
                break
        sea.closed = True
    best, value = sea.best
    if best is not None:
        listener(Progress(budget.elapsed, 0, value, best if value < shown else None))
        return best
    if told:  # before there was anything
        return start or sweep(instance)
    raise EngineError(f"no search on the cluster had an answer in time: {sea.why}")


class _Sea:
    """The islands, and the best solution that any of them has found."""

    def __init__(
        self,
        search: Search,
        instance: Instance,
        where: Pool,
        budget: TimeBudget,
        seed: int,
        start: Solution | None,
        count: int,
    ) -> None:
        self._search, self._instance, self._where = search, instance, where
        self._budget, self._seed, self._count = budget, seed, count
        self._start = start
        self._lock = threading.Lock()
        self._found: dict[tuple[int, int], tuple[float, Solution]] = {}  # by epoch and island
        if start is not None:
            self._found[-1, 0] = (cost(instance, start), start)
        self.why = "none came back"
        self.closed = False

    @property
    def best(self) -> tuple[Solution | None, float]:
        """Equal ones are told apart by their place, not by who was first."""
        with self._lock:
            if not self._found:
                return None, math.inf
            value, _, solution = min((v, at, s) for at, (v, s) in self._found.items())
            return solution, value

    def first(self) -> None:
        self._run(0, 0, self._budget.stop, [(self._seed, self._start)])

    def others(self) -> None:
        """Epoch by epoch, without the first island: nothing depends on who is quicker."""
        best, value = self._start, self.best[1]
        for epoch in range(EPOCHS if self._count > 1 else 0):
            seeds = [seed_of(self._seed, epoch * self._count + k) for k in range(1, self._count)]
            islands = [(seed, best) for seed in seeds]
            for solution in self._run(epoch, 1, self._part(epoch), islands):
                if (reached := cost(self._instance, solution)) < value:
                    best, value = solution, reached

    def _part(self, epoch: int) -> Stop:
        """The limits of an epoch: an equal part of what is left."""
        stop = self._budget.stop
        if stop.iterations is not None:
            stop = replace(stop, iterations=max(1, stop.iterations // EPOCHS))
        if stop.seconds is not None:
            stop = replace(stop, seconds=max(0.05, self._budget.remaining / (EPOCHS - epoch)))
        return stop

    def _run(
        self, epoch: int, number: int, stop: Stop, islands: list[tuple[int, Solution | None]]
    ) -> list[Solution]:
        """Lets islands search, numbered from `number` on, and returns what they found."""
        limit = UNLIMITED if stop.seconds is None else stop.seconds + GRACE
        if stop.seconds is not None:
            stop = replace(
                stop, seconds=max(0.05, min(stop.seconds, self._budget.remaining) - RESERVE)
            )
        tasks = [
            Task(_one, (self._search, self._instance, stop, seed, start), limit)
            for seed, start in islands
        ]
        found: dict[int, Solution] = {}
        try:
            for k, answer in self._where.run(tasks):
                if isinstance(answer, Failure):
                    self.why = answer.why
                    continue
                found[k] = answer
                with self._lock:
                    self._found[epoch, number + k] = (cost(self._instance, answer), answer)
        except Exception as error:  # the cluster is gone, or was left before the searches ended
            if not self.closed:
                self.why = str(error)
        return [found[k] for k in sorted(found)]


def _one(
    search: Search, instance: Instance, stop: Stop, seed: int, start: Solution | None
) -> Solution:
    """Runs on a worker."""
    return search(instance, stop, seed, start, lambda progress: False)
