"""Progress of a run: what listeners are called with, and its recorder."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from splitroute.instance import Instance
from splitroute.solution import Solution, cost, rank
from splitroute.stop import TimeBudget

if TYPE_CHECKING:
    from splitroute.bounds.background import BackgroundBound
    from splitroute.split_plan import SplitPlan

log = logging.getLogger("splitroute")
COST_TOLERANCE = 1e-6  # relative; costs closer than this are equal


@dataclass(frozen=True, slots=True)
class Progress:
    """State of a run: the best cost so far and, when it is new, its solution."""

    seconds: float
    iterations: int
    cost: float
    solution: Solution | None = field(default=None, repr=False)
    bound: float = 0.0  # lower bound
    phase: Literal["search", "baseline", "bound"] = "search"


class TracePoint(NamedTuple):
    """An improvement: the cost that was reached, and when."""

    seconds: float
    cost: float
    iterations: int = 0


class RaceEntry(NamedTuple):
    """A run in a heat of a race of split plans: the best cost of the split plan so far."""

    rule: str
    pieces: int
    cost: float  # merged
    seconds: float
    heat: int  # from 1


# Called several times a second; returning True asks the engine to stop.
Listener = Callable[[Progress], bool | None]


class ProgressRecorder:
    """Records the improvements of a run and passes them to its listener."""

    def __init__(
        self,
        instance: Instance,
        restore: Callable[[Solution], Solution],
        listener: Listener | None,
        background: BackgroundBound | None,
        bound: float,
        budget: TimeBudget,
    ) -> None:
        """`restore` turns a solution of the instance searched into one of the user's."""
        self._instance, self._restore, self._listener = instance, restore, listener
        self.background, self._bound, self._budget = background, bound, budget
        self._improvements: list[TracePoint] = []
        self._added: list[TracePoint] = []  # solutions from outside the search
        self._best: Solution | None = None
        self._best_rank: tuple[float, float] = (math.inf, math.inf)
        self._iterations = 0  # of all searches so far
        self.is_stop_requested = False

    def listener_for(self, plan: SplitPlan) -> Listener:
        """Return a listener for an engine that solves the CVRP of a split plan."""

        earlier = self._iterations  # each search counts from 0

        def listen(progress: Progress) -> bool:
            improved = None
            self._iterations = max(self._iterations, earlier + progress.iterations)
            if progress.solution is not None:
                improved = self._record(plan.merge(progress.solution))
            best_cost = progress.cost + plan.direct_cost
            if self._best is not None and (self._best_rank[0] or best_cost >= self._best_cost):
                best_cost = self._best_cost
            self._report(replace(progress, cost=best_cost, solution=improved))
            return self.should_stop

        return listen

    def add(self, solution: Solution) -> None:
        """Record a solution from outside the search, and report it if it is better."""
        self._added.append(self._trace_point(cost(self._instance, solution)))
        improved = self._record(solution)
        self._report(Progress(0.0, 0, self._best_cost, improved))

    def report_baseline(self, progress: Progress) -> bool:
        """Listen to the search without splitting, whose solutions are not recorded."""
        return self._report(
            replace(progress, cost=self._best_cost, solution=None, phase="baseline")
        )

    def report_bound(self) -> bool:
        """Report while the run waits for the lower bound; return whether to stop."""
        return self._report(Progress(0.0, 0, self._best_cost, phase="bound"))

    @property
    def _best_cost(self) -> float:
        return self._best_rank[1]

    @property
    def should_stop(self) -> bool:
        """Whether the listener requested a stop or the best solution is proven optimal."""
        return self.is_stop_requested or bool(self.background and self.background.is_met)

    def best_of(self, solution: Solution) -> Solution:
        """Return the solution, or a better one recorded before.

        The cheapest solution of the CVRP is not always the cheapest once merged.
        """
        if self._best is None or self._best_rank >= rank(self._instance, solution):
            return solution
        return self._best

    def trace(self, final_cost: float) -> tuple[TracePoint, ...]:
        """Each improvement down to the cost of the result.

        Cheaper solutions that were reported but not returned are left out.
        """
        low, high = final_cost * (1 - COST_TOLERANCE), final_cost * (1 + COST_TOLERANCE)
        points = [point for point in self._improvements if point.cost >= low]
        if not points or points[-1].cost > high:
            points += [point for point in self._added if low <= point.cost <= high][:1]
        return tuple(points)

    def _record(self, solution: Solution) -> Solution | None:
        """Return the solution, restored, if it is better than those before."""
        value = rank(self._instance, solution)
        if value >= self._best_rank:
            return None
        if value[0] < self._best_rank[0]:  # costs of solutions that deliver less do not compare
            self._improvements.clear()
        self._best_rank, self._best = value, solution
        point = self._trace_point(value[1])
        self._improvements.append(point)
        log.debug(
            "cost %.10g after %.2f s, %d iterations", point.cost, point.seconds, point.iterations
        )
        restored = self._restore(solution)
        if self.background is not None:
            self.background.update(restored)
        return restored

    def _trace_point(self, cost: float) -> TracePoint:
        return TracePoint(self._budget.elapsed, cost, self._iterations)

    def _report(self, progress: Progress) -> bool:
        bound = max(self._bound, self.background.value if self.background else 0.0)
        progress = replace(progress, seconds=self._budget.elapsed, bound=bound)
        if self._listener is not None and self._listener(progress):
            self.is_stop_requested = True
        return self.is_stop_requested
