"""What a listener is told of a run, and what is remembered of it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

from splitroute.bounds.beside import Beside
from splitroute.bounds.bound import SAME
from splitroute.instance import Instance
from splitroute.plan import SplitPlan
from splitroute.solution import Listener, Progress, Solution, cost


class Told:
    """Remembers improvements and passes them on as solutions of the instance itself."""

    def __init__(
        self,
        instance: Instance,
        driven: Callable[[Solution], Solution],
        listener: Listener | None,
        beside: Beside | None,
        least: float,
        began: float,
    ) -> None:
        self._instance, self.beside, self._least = instance, beside, least
        self._driven = driven
        self._listener = listener
        self._points: list[tuple[float, float]] = []
        self._best = math.inf
        self._kept: Solution | None = None
        self._began = began  # of the run, by time.perf_counter
        self.stopped = False

    def through(self, plan: SplitPlan) -> Listener:
        def listen(progress: Progress) -> bool:
            better = None
            if progress.solution is not None:
                better = self._take(plan.merge(progress.solution))
            shown = min(self._best, progress.cost)
            self._pass_on(replace(progress, cost=shown, solution=better))
            return self.over

        return listen

    def see(self, solution: Solution) -> None:
        """A solution that no engine has reported: the listener is told if it is better."""
        better = self._take(solution)
        self._pass_on(Progress(0.0, 0, self._best, better))

    def silent(self, progress: Progress) -> bool:
        """For the run without splitting: time goes on, but its solutions are not the answer."""
        return self._pass_on(replace(progress, cost=self._best, solution=None, phase="baseline"))

    def waiting(self) -> bool:
        """While the bound is waited for: time goes on; returns whether to stop."""
        return self._pass_on(Progress(0.0, 0, self._best, phase="bound"))

    def _take(self, solution: Solution) -> Solution | None:
        """The solution as it is driven, if it is better than those before."""
        value = cost(self._instance, solution)
        if value >= self._best:
            return None
        self._best, self._kept = value, solution
        self._points.append((time.perf_counter() - self._began, value))
        driven = self._driven(solution)
        if self.beside is not None:
            self.beside.see(driven)
        return driven

    @property
    def over(self) -> bool:
        """Whether there is no more to be done: nobody wants it, or the best is optimal."""
        return self.stopped or bool(self.beside and self.beside.met)

    def _pass_on(self, progress: Progress) -> bool:
        bound = max(self._least, self.beside.value if self.beside else 0.0)
        seconds = time.perf_counter() - self._began
        progress = replace(progress, seconds=seconds, bound=bound)
        if self._listener is not None and self._listener(progress):
            self.stopped = True
        return self.stopped

    def better(self, solution: Solution) -> Solution:
        """The solution, or one on the way that was better when merged.

        The cheapest pieces do not always make the cheapest routes.
        """
        if self._kept is None or self._best >= cost(self._instance, solution):
            return solution
        return self._kept

    def trace(self, total: float) -> tuple[tuple[float, float], ...]:
        """Improvements up to the solution of that cost; cheaper ones that were not kept are not."""
        return tuple((t, value) for t, value in self._points if value >= total * (1 - SAME))
