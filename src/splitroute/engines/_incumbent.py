"""The best solution of searches on the compiled core."""

from __future__ import annotations

import math
from collections.abc import Sequence

from splitroute.core import Model, Search
from splitroute.instance import Instance
from splitroute.progress import Listener, Progress
from splitroute.solution import Solution, cost
from splitroute.stop import TimeBudget

SLICE_SECONDS = 0.1  # between two calls of the listener
VALIDATION_FACTOR = 0.8  # validating a solution takes that many times as long as exporting it
MIN_PAUSE_FACTOR = 10  # the pause between two exports is at least that many times as long as one


class Incumbent:
    """The best solution so far, passed to the listener whenever it improves.

    Exporting a large solution from the core takes a while, so there is a pause between two
    exports, and time is reserved for the last one.
    """

    def __init__(
        self, instance: Instance, model: Model, budget: TimeBudget, listener: Listener
    ) -> None:
        self._instance, self._model, self._budget = instance, model, budget
        self._listener = listener
        self._leader: Search | None = None
        self._exported_core_cost = math.inf  # in the core, before redundant visits are removed
        self._cost = math.inf
        self._solution: Solution | None = None
        self._last_export = -math.inf
        self._export_seconds = 0.0
        self._pause = 0.0  # seconds

    def report(self, searches: Sequence[Search]) -> bool:
        """Call the listener with the best cost so far; return whether to stop."""
        self._leader = min(searches, key=lambda search: search.best_cost)
        began = self._budget.elapsed
        solution = None
        is_better = self._leader.best_cost < self._exported_core_cost
        iterations = sum(search.iterations for search in searches) // len(searches)
        is_due = began - self._last_export >= self._pause
        # With less time left than an export takes, the next one is the last.
        if is_better and is_due and self._budget.remaining >= self._export_seconds:
            solution = self._export(began, iterations)
        best_cost = self._best_cost
        is_stopped = self._listener(Progress(began, iterations, best_cost, solution))
        if solution is not None:
            self._last_export = self._budget.elapsed
            self._pause = MIN_PAUSE_FACTOR * (self._last_export - began)
        return bool(is_stopped) or self._budget.should_stop(iterations, best_cost)

    def _export(self, began: float, iterations: int) -> Solution:
        assert self._leader is not None
        self._exported_core_cost = self._leader.best_cost
        self._call_if_slow(began, iterations)
        visits = self._model.best(self._leader)
        self._call_if_slow(began, iterations)
        solution = self._model.solution(visits)
        self._call_if_slow(began, iterations)
        value = cost(self._instance, solution)
        if value < self._cost:
            self._cost, self._solution = value, solution
        self._export_seconds = self._budget.elapsed - began
        self._budget.reserve((1 + VALIDATION_FACTOR) * self._export_seconds)
        return solution

    def _call_if_slow(self, now: float, iterations: int) -> None:
        """Call the listener before each step of an export that takes long."""
        if self._export_seconds > SLICE_SECONDS / 2:
            self._listener(Progress(now, iterations, self._best_cost))

    @property
    def _best_cost(self) -> float:
        assert self._leader is not None
        return min(self._cost, self._model.length(self._leader.best_cost))

    def best(self, first: Search) -> Solution:
        """Return the best solution at the end of the run.

        Removing redundant visits may change the order of two solutions. So under a time limit an
        exported solution may still win; otherwise that would depend on the machine, but the first
        search may, so that several searches never give a worse result than one.
        """
        assert self._leader is not None
        is_timed = self._budget.stop.seconds is not None
        searches = [self._leader]
        if not is_timed and self._leader is not first:
            searches.append(first)
        solutions = [self._model.solution(self._model.best(search)) for search in searches]
        best = min(solutions, key=lambda solution: cost(self._instance, solution))
        if is_timed and self._solution and self._cost < cost(self._instance, best):
            return self._solution
        return best
