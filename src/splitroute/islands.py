"""One search on many machines: islands that exchange their best solutions now and then.

The first island searches all the time as one search alone would, so that for the same number of
iterations many are never worse; the others begin every epoch with the best solution so far.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from splitroute.errors import EngineError
from splitroute.instance import Instance
from splitroute.solution import Listener, Progress, Solution, cost
from splitroute.stop import Stop, Watch
from splitroute.workers import Failure, Task, Workers, workers

EPOCHS = 8
TICK = 0.2  # seconds between two calls of the listener
RESERVE = 0.2  # seconds kept for the way back
GRACE = 30.0  # seconds that an answer may be late

Search = Callable[[Instance, Stop, int, Solution | None, Listener], Solution]


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
    watch = Watch(stop)
    with workers(cluster) as where:
        sea = _Sea(search, instance, where, watch, seed, start, jobs or where.count)
        threads = [
            threading.Thread(target=sea.first, daemon=True),
            threading.Thread(target=sea.others, daemon=True),
        ]
        for thread in threads:
            thread.start()
        shown = math.inf
        while any(thread.is_alive() for thread in threads):
            threads[0].join(TICK / 2)
            threads[1].join(TICK / 2)
            best, value = sea.best
            news = best if value < shown else None
            shown = min(shown, value)
            if listener(Progress(watch.seconds, 0, value, news)):
                break
    best, value = sea.best
    if best is None:
        raise EngineError(f"no search on the cluster had an answer: {sea.why}")
    listener(Progress(watch.seconds, 0, value, best if value < shown else None))
    return best


class _Sea:
    """The islands, and the best solution that any of them has found."""

    def __init__(
        self,
        search: Search,
        instance: Instance,
        where: Workers,
        watch: Watch,
        seed: int,
        start: Solution | None,
        count: int,
    ) -> None:
        self._search, self._instance, self._where = search, instance, where
        self._watch, self._seed, self._count = watch, seed, count
        self._start = start
        self._lock = threading.Lock()
        self._best = start
        self._value = math.inf if start is None else cost(instance, start)
        self.why = "it was stopped before that"

    @property
    def best(self) -> tuple[Solution | None, float]:
        with self._lock:
            return self._best, self._value

    def first(self) -> None:
        self._run(self._part(1), [(self._seed, self._start)])

    def others(self) -> None:
        """Epoch by epoch; what the first island finds is left out so that nothing depends on time."""
        best, value = self._start, self.best[1]
        for epoch in range(EPOCHS if self._count > 1 else 0):
            seeds = [self._seed + 7919 * (1 + epoch * self._count + k) for k in range(self._count - 1)]
            found = self._run(self._part(EPOCHS - epoch), [(seed, best) for seed in seeds])
            for solution in found:
                if (reached := cost(self._instance, solution)) < value:
                    best, value = solution, reached

    def _part(self, parts: int) -> Stop:
        """The limits of the next of so many parts of what is left."""
        stop = self._watch.stop
        if stop.seconds is not None:
            seconds = max(0.05, (self._watch.left - RESERVE) / parts)
            stop = replace(stop, seconds=seconds)
        if stop.iterations is not None and parts > 1:
            stop = replace(stop, iterations=max(1, stop.iterations // EPOCHS))
        return stop

    def _run(self, stop: Stop, islands: list[tuple[int, Solution | None]]) -> list[Solution]:
        most = math.inf if stop.seconds is None else stop.seconds + GRACE
        tasks = [
            Task(_one, (self._search, self._instance, stop, seed, start), min(most, 1e6))
            for seed, start in islands
        ]
        found: dict[int, Any] = {}
        for number, answer in self._where.run(tasks):
            found[number] = answer
            if isinstance(answer, Failure):
                self.why = answer.why
                continue
            value = cost(self._instance, answer)
            with self._lock:
                if value < self._value:
                    self._best, self._value = answer, value
        return [found[k] for k in sorted(found) if not isinstance(found[k], Failure)]


def _one(
    search: Search, instance: Instance, stop: Stop, seed: int, start: Solution | None
) -> Solution:
    """Runs on a worker."""
    return search(instance, stop, seed, start, lambda progress: False)
