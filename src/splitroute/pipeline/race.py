"""Chooses among split plans by successive halving: short runs, of which the better half goes on.

K. Jamieson, A. Talwalkar: Non-stochastic Best Arm Identification and Hyperparameter Optimization.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from splitroute.errors import EngineError
from splitroute.progress import RaceEntry
from splitroute.solution import Solution
from splitroute.split_plan import SplitPlan
from splitroute.stop import Stop, TimeBudget

RACE_SHARE = 0.5  # of the time limit or iteration limit; the winner gets the rest
MIN_SECONDS = 0.001  # of a run
MIN_RUN_RATIO = 3  # of the time of a run to that of the shortest one
SPREAD = 2  # if not all can race, choose among that many times as many

log = logging.getLogger("splitroute")
Rank = tuple[float, float]
# Solves the CVRP of a split plan from a start; returns its solution, and that one merged.
RunPlan = Callable[[SplitPlan, TimeBudget, Solution | None], tuple[Solution, Solution]]


@dataclass
class Entrant:
    """A split plan in the race, with the best of its merged solutions so far."""

    plan: SplitPlan
    order: int
    routed: Solution | None = None  # of the CVRP of its pieces, to continue from
    solution: Solution | None = None
    rank: Rank = (math.inf, math.inf)

    def report(self, seconds: float, heat: int) -> RaceEntry:
        """What the result states about a run."""
        return RaceEntry(self.plan.rule, self.plan.num_pieces, self.rank[1], seconds, heat)


class Race:
    """A race of split plans within the limits of a run."""

    def __init__(
        self,
        budget: TimeBudget,
        run: RunPlan,
        rank: Callable[[Solution], Rank],
        should_stop: Callable[[], bool],
    ) -> None:
        self._budget, self._run, self._rank, self._should_stop = budget, run, rank, should_stop
        self.entries: list[RaceEntry] = []
        stop = budget.stop
        self._end = math.inf if stop.seconds is None else RACE_SHARE * stop.seconds
        self._iterations_left: float = math.inf  # of the race
        if stop.iterations is not None:
            self._iterations_left = int(RACE_SHARE * stop.iterations)
        elif stop.seconds is None and stop.stall is not None:  # which is all there is to go by
            self._iterations_left = stop.stall
        self._iterations = 0  # of all runs
        self._best_rank: Rank = (math.inf, math.inf)
        self._failure: EngineError | None = None

    def run(self, plans: Iterable[SplitPlan]) -> tuple[SplitPlan, Solution]:
        """Race the split plans; return the winner, which ran to the limits, and its solution."""
        entrants = [Entrant(plan, order) for order, plan in enumerate(plans)]
        entrants, heat = _fewer(entrants, self._affordable(entrants)), 1
        while len(entrants) > 1 and not self._is_over:
            entrants = self._run_heat(heat, entrants)
            heat += 1
        winner, stop = entrants[0], self._remaining_stop()
        if winner.solution is None or (stop is not None and not self._is_done):
            self._continue(winner, stop or self._budget.remaining_stop())
        if winner.solution is None:
            assert self._failure is not None
            raise self._failure
        return winner.plan, winner.solution

    def _run_heat(self, heat: int, entrants: list[Entrant]) -> list[Entrant]:
        """Run each split plan for the same time or iterations; return the better half."""
        stop = self._share(len(entrants))
        for entrant in entrants:
            began = self._budget.elapsed
            self._continue(entrant, stop)
            if entrant.solution is not None:
                self.entries.append(entrant.report(self._budget.elapsed - began, heat))
            if self._is_over:
                break
        entrants = sorted(entrants, key=lambda e: (e.rank, e.order))[: -(-len(entrants) // 2)]
        log.debug("heat %d: %s leads with %.10g", heat, entrants[0].plan.rule, entrants[0].rank[1])
        return [e for e in entrants if e.solution is not None] or entrants[:1]

    def _continue(self, entrant: Entrant, stop: Stop) -> None:
        """Run the engine on a split plan, from its last solution; a failure is no result."""
        self._iterations += stop.iterations or 0
        self._iterations_left -= stop.iterations or 0
        try:
            routed, solution = self._run(entrant.plan, TimeBudget(stop), entrant.routed)
        except EngineError as error:
            log.warning("%s failed: %s", entrant.plan.rule, error)
            self._failure = error
            return
        entrant.routed, rank = routed, self._rank(solution)
        if rank < entrant.rank:
            entrant.rank, entrant.solution = rank, solution
            self._best_rank = min(rank, self._best_rank)

    def _share(self, count: int) -> Stop:
        """The limits of a run, of which there are `count` in the next heat."""
        runs, stop = _heats(count) * count, self._budget.stop
        if stop.seconds is not None:
            left = self._end - self._budget.elapsed
            stop = replace(stop, seconds=max(MIN_SECONDS, left / runs))
        if self._iterations_left < math.inf:
            stop = replace(stop, iterations=max(1, int(self._iterations_left / runs)))
        return stop

    def _affordable(self, entrants: list[Entrant]) -> int:
        """How many split plans can race.

        Under a time limit, a trial measures what a run takes at least: a large instance to be set
        up, or an engine in a process to start.
        """
        count, max_runs = len(entrants), self._iterations_left
        if count > 1 and self._end < math.inf:
            began = self._budget.elapsed
            self._continue(entrants[0], replace(self._share(count), seconds=MIN_SECONDS))
            now = self._budget.elapsed
            max_runs = min(max_runs, (self._end - now) / (MIN_RUN_RATIO * (now - began)))
        while count > 1 and count * _heats(count) > max_runs:
            count -= 1
        return count

    def _remaining_stop(self) -> Stop | None:
        """The limits of the winner's last run, if anything is left."""
        stop, left = self._budget.stop, dict[str, Any]()
        if stop.seconds is not None:
            left["seconds"] = stop.seconds - self._budget.elapsed
        if stop.iterations is not None:
            left["iterations"] = stop.iterations - self._iterations
        return replace(stop, **left) if all(value > 0 for value in left.values()) else None

    @property
    def _is_over(self) -> bool:
        return self._is_done or self._budget.elapsed >= self._end

    @property
    def _is_done(self) -> bool:
        target = self._budget.stop.target
        return self._should_stop() or (target is not None and self._best_rank <= (0.0, target))


def _heats(count: int) -> int:
    return max(1, math.ceil(math.log2(count)))


def _fewer(entrants: list[Entrant], count: int) -> list[Entrant]:
    """Return that many of the entrants, evenly spaced over the first ones, or all."""
    count = min(count, len(entrants))
    first = entrants[: SPREAD * count]
    return [first[k * len(first) // count] for k in range(count)]
