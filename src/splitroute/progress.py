"""How a run is going: what listeners are called with, and what records it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from splitroute.instance import Instance
from splitroute.solution import Solution, cost

if TYPE_CHECKING:
    from splitroute.bounds.background import BackgroundBound
    from splitroute.split_plan import SplitPlan

COST_TOLERANCE = 1e-6  # relative difference of two costs that counts as none


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands: the best cost so far and, when it is new, its solution."""

    seconds: float
    iterations: int
    cost: float
    solution: Solution | None = field(default=None, repr=False)  # which may be large
    bound: float = 0.0  # lower bound
    phase: Literal["search", "baseline", "bound"] = "search"  # what the time is spent on


# Called every now and then; returning True asks the engine to stop.
Listener = Callable[[Progress], bool | None]


class ProgressRecorder:
    """Records the improvements of a run and passes them on as solutions of its instance."""

    def __init__(
        self,
        instance: Instance,
        restore: Callable[[Solution], Solution],
        listener: Listener | None,
        background: BackgroundBound | None,
        bound: float,
        began: float,
    ) -> None:
        """`restore` puts back what customers are passed through; `began` is by perf_counter."""
        self._instance, self._restore, self._listener = instance, restore, listener
        self.background, self._bound, self._began = background, bound, began
        self._points: list[tuple[float, float]] = []
        self._seen: list[tuple[float, float]] = []  # solutions from outside the search
        self._best: Solution | None = None
        self._cost = math.inf
        self.is_stopped = False

    def listener_of(self, plan: SplitPlan) -> Listener:
        """A listener for an engine that solves the instance of a split plan."""

        def listen(progress: Progress) -> bool:
            better = None
            if progress.solution is not None:
                better = self._take(plan.merge(progress.solution))
            known = min(self._cost, progress.cost + plan.direct_cost)
            self._report(replace(progress, cost=known, solution=better))
            return self.is_over

        return listen

    def see(self, solution: Solution) -> None:
        """Records a solution from outside the search, and reports it if it is better."""
        self._seen.append((time.perf_counter() - self._began, cost(self._instance, solution)))
        better = self._take(solution)
        self._report(Progress(0.0, 0, self._cost, better))

    def hear_baseline(self, progress: Progress) -> bool:
        """The listener of the run without splitting, whose solutions are not the result."""
        return self._report(replace(progress, cost=self._cost, solution=None, phase="baseline"))

    def wait_for_bound(self) -> bool:
        """Called while the lower bound is waited for; returns whether to stop."""
        return self._report(Progress(0.0, 0, self._cost, phase="bound"))

    @property
    def is_over(self) -> bool:
        """Whether to stop: somebody asked to, or the best solution is optimal."""
        return self.is_stopped or bool(self.background and self.background.is_met)

    def better(self, solution: Solution) -> Solution:
        """The solution, or a cheaper one recorded on the way.

        The cheapest pieces do not always make the cheapest merged routes.
        """
        if self._best is None or self._cost >= cost(self._instance, solution):
            return solution
        return self._best

    def trace(self, total: float) -> tuple[tuple[float, float], ...]:
        """(seconds, cost) of each improvement down to that cost, which is that of the result.

        Cheaper solutions that were reported on the way but not kept are left out.
        """
        lowest, highest = total * (1 - COST_TOLERANCE), total * (1 + COST_TOLERANCE)
        points = [point for point in self._points if point[1] >= lowest]
        if not points or points[-1][1] > highest:
            points += [point for point in self._seen if lowest <= point[1] <= highest][:1]
        return tuple(points)

    def _take(self, solution: Solution) -> Solution | None:
        """The restored solution, if it is better than those before."""
        value = cost(self._instance, solution)
        if value >= self._cost:
            return None
        self._cost, self._best = value, solution
        self._points.append((time.perf_counter() - self._began, value))
        restored = self._restore(solution)
        if self.background is not None:
            self.background.see(restored)
        return restored

    def _report(self, progress: Progress) -> bool:
        bound = max(self._bound, self.background.value if self.background else 0.0)
        progress = replace(progress, seconds=time.perf_counter() - self._began, bound=bound)
        if self._listener is not None and self._listener(progress):
            self.is_stopped = True
        return self.is_stopped
