"""The best solution of a search on the compiled core."""

from __future__ import annotations

import math
from collections.abc import Sequence

from splitroute.core import Model, Search
from splitroute.instance import Instance
from splitroute.progress import Listener, Progress
from splitroute.solution import Solution, cost
from splitroute.stop import TimeBudget

SLICE = 0.1  # seconds between two calls of the listener
CHECKING = 0.8  # times as long as handing over a solution takes
PATIENCE = 10  # times as long between two solutions as handing one over takes


class Incumbent:
    """The best of the searches so far, told to the listener whenever it is better.

    Handing over a large solution takes a while, so that is done only if there was time enough in
    between, and time is left for the last.
    """

    def __init__(
        self,
        instance: Instance,
        model: Model,
        budget: TimeBudget,
        listener: Listener,
    ) -> None:
        self._instance, self._model, self._budget = instance, model, budget
        self._listener = listener
        self._leader: Search | None = None
        self._known = math.inf  # to the core, when a solution was last handed over
        self._cost = math.inf
        self._kept: Solution | None = None  # of that cost
        self._handed_over = -math.inf
        self._effort = 0.0  # seconds that took
        self._pause = 0.0  # seconds until the next one

    def report(self, searches: Sequence[Search]) -> bool:
        """Tells the listener how things stand; returns whether to stop."""
        self._leader = min(searches, key=lambda search: search.best_cost)
        began = self._budget.elapsed
        solution = None
        better = self._leader.best_cost < self._known
        iterations = sum(search.iterations for search in searches) // len(searches)
        patient = began - self._handed_over >= self._pause
        if (
            better and patient and self._budget.remaining >= self._effort
        ):  # else it is the last one soon
            self._known = self._leader.best_cost
            self._break_silence(began, iterations)
            rows = self._model.best(self._leader)
            self._break_silence(began, iterations)
            solution = self._model.solution(rows)
            self._break_silence(began, iterations)
            value = cost(self._instance, solution)
            if value < self._cost:
                self._cost, self._kept = value, solution
            self._effort = self._budget.elapsed - began
            self._budget.reserve((1 + CHECKING) * self._effort)
        known = self._so_far
        told = self._listener(Progress(began, iterations, known, solution))
        if solution is not None:
            self._handed_over = self._budget.elapsed
            self._pause = PATIENCE * (self._handed_over - began)
        return bool(told) or self._budget.should_stop(iterations, known)

    def _break_silence(self, now: float, iterations: int) -> None:
        """A word before each step of handing over a solution, if that takes long."""
        if self._effort > SLICE / 2:
            self._listener(Progress(now, iterations, self._so_far))

    @property
    def _so_far(self) -> float:
        assert self._leader is not None
        return min(self._cost, self._model.length(self._leader.best_cost))

    def answer(self, first: Search) -> Solution:
        """The best solution in the end.

        Which of two is better may change when both are tidied, so others have a say: under a limit
        in time what was handed over before, which otherwise depends on the machine; without one the
        first search, than which several must not be worse.
        """
        assert self._leader is not None
        timed = self._budget.stop.seconds is not None
        chosen = [self._leader] if timed or self._leader is first else [self._leader, first]
        found = [self._model.solution(self._model.best(search)) for search in chosen]
        value, best = min(((cost(self._instance, s), s) for s in found), key=lambda each: each[0])
        return self._kept if timed and self._kept and self._cost < value else best
