"""What a listener is told of a run, and what is remembered of it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

from splitroute.bounds.beside import Beside
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
    ) -> None:
        self._instance, self.beside, self._least = instance, beside, least
        self._driven = driven
        self._listener = listener
        self._points: list[tuple[float, float]] = []
        self._best = math.inf
        self._kept: Solution | None = None
        self._began = time.perf_counter()
        self.stopped = False

    def through(self, plan: SplitPlan) -> Listener:
        def listen(progress: Progress) -> bool:
            seconds = time.perf_counter() - self._began
            merged = None
            if progress.solution is not None:
                merged = plan.merge(progress.solution)
                value = cost(self._instance, merged)
                if value < self._best:
                    self._best, self._kept = value, merged
                    self._points.append((seconds, value))
                    merged = self._driven(merged)
                    if self.beside is not None:
                        self.beside.see(merged)
                else:
                    merged = None
            shown = min(self._best, progress.cost)
            self._pass_on(replace(progress, seconds=seconds, cost=shown, solution=merged))
            return self.over

        return listen

    def silent(self, progress: Progress) -> bool:
        """For the run without splitting: time goes on, but its solutions are not the answer."""
        seconds = time.perf_counter() - self._began
        return self._pass_on(Progress(seconds, progress.iterations, self._best))

    def waiting(self) -> bool:
        """While the bound is waited for: time goes on; returns whether to stop."""
        return self._pass_on(Progress(time.perf_counter() - self._began, 0, self._best))

    @property
    def over(self) -> bool:
        """Whether there is no more to be done: nobody wants it, or the best is optimal."""
        return self.stopped or bool(self.beside and self.beside.met)

    def _pass_on(self, progress: Progress) -> bool:
        bound = max(self._least, self.beside.value if self.beside else 0.0)
        progress = replace(progress, bound=bound)
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

    def trace(self, seconds: float, total: float) -> tuple[tuple[float, float], ...]:
        """Improvements up to the answer; what was better on the way but not kept does not count."""
        points = [(t, value) for t, value in self._points if value >= total]
        if not points or total < points[-1][1]:
            points.append((seconds, total))
        return tuple(points)
