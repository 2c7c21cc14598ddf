"""The best solution of a run, and its export from searches on the compiled core."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from splitroute.core import Model, Search
from splitroute.instance import Instance
from splitroute.progress import Listener, Progress
from splitroute.solution import Solution, rank
from splitroute.stop import TimeBudget

SLICE_SECONDS = 0.1  # between two calls of the listener
VALIDATION_FACTOR = 0.8  # validating a solution takes that many times as long as exporting it
WORST_RANK = (math.inf, math.inf)
MIN_PAUSE_FACTOR = 10  # the pause between two exports is at least that many times as long as one


def search_rank(search: Search) -> tuple[float, float]:
    """Mandatory units that the best solution of a search does not deliver, and its cost."""
    return search.best_missing, search.best_cost


class Incumbent:
    """The best solution so far, passed to the listener whenever it improves."""

    def __init__(self, instance: Instance, budget: TimeBudget, listener: Listener) -> None:
        self._instance, self._budget, self._listener = instance, budget, listener
        self.solution, self.rank = Solution(()), WORST_RANK
        self._is_new = False

    def offer(self, solution: Solution) -> bool:
        """Take over a solution if it is better; return whether it is."""
        value = rank(self._instance, solution)
        if value >= self.rank:
            return False
        self.solution, self.rank, self._is_new = solution, value, True
        return True

    @property
    def cost(self) -> float:
        """Cost of the best solution so far."""
        return self.rank[1]

    def report(self, iterations: int, cost: float = math.inf) -> bool:
        """Call the listener; return whether to stop.

        A solution that has not been offered yet may have a lower cost.
        """
        best_cost = min(self.cost, cost)
        new = self.solution if self._is_new else None
        self._is_new = False
        progress = Progress(self._budget.elapsed, iterations, best_cost, new)
        is_stopped = bool(self._listener(progress))
        return self._budget.should_stop(iterations, best_cost) or is_stopped


class ExportPause:
    """The pause between two exports: exporting a large solution from the core takes a while."""

    def __init__(self, budget: TimeBudget) -> None:
        self._budget, self._end = budget, -math.inf

    @property
    def is_over(self) -> bool:
        """Whether the next export is due."""
        return self._budget.elapsed >= self._end

    def begin(self, export_began: float) -> None:
        """Begin a pause after an export that began at that time."""
        now = self._budget.elapsed
        self._end = now + MIN_PAUSE_FACTOR * (now - export_began)


class CoreIncumbent(Incumbent):
    """The incumbent of searches on the core; time is reserved for the last export."""

    def __init__(
        self, instance: Instance, model: Model, budget: TimeBudget, listener: Listener
    ) -> None:
        super().__init__(instance, budget, listener)
        self._model, self._pause = model, ExportPause(budget)
        self._leader: Search | None = None
        self._exported_rank = WORST_RANK  # in the core, before redundant visits are removed
        self._exported: tuple[Search, Solution] | None = None
        self._export_seconds = 0.0

    def report_searches(self, searches: Sequence[Search]) -> bool:
        """Call the listener with the best cost so far; return whether to stop."""
        self._leader = leader = min(searches, key=search_rank)
        began = self._budget.elapsed
        is_better = search_rank(leader) < self._exported_rank
        iterations = sum(search.iterations for search in searches) // len(searches)
        # With less time left than an export takes, the next one is the last.
        has_time = self._budget.remaining >= self._export_seconds
        is_exported = is_better and self._pause.is_over and has_time
        if is_exported:
            self._export(leader, iterations)
        is_over = self.report(iterations, self._model.length(leader.best_cost))
        if is_exported:
            self._pause.begin(began)
        return is_over

    def _export(self, leader: Search, iterations: int) -> None:
        began = self._budget.elapsed
        self._exported_rank = search_rank(leader)
        self._report_if_slow(leader, iterations)
        visits = self._model.best(leader)
        self._report_if_slow(leader, iterations)
        solution = self._model.solution(visits)
        self._report_if_slow(leader, iterations)
        self._exported = leader, solution
        self.offer(solution)
        self._export_seconds = self._budget.elapsed - began
        self._budget.reserve((1 + VALIDATION_FACTOR) * self._export_seconds)

    def _solution(self, search: Search) -> Solution:
        """The best solution of a search, which may have been exported already."""
        # With rules, a new cycle renumbers the routes.
        if self._exported is not None and not self._instance.rules:
            exporter, solution = self._exported
            if exporter is search and search_rank(search) == self._exported_rank:
                return solution
        return self._model.solution(self._model.best(search))

    def _report_if_slow(self, leader: Search, iterations: int) -> None:
        """Call the listener before each step of an export that takes long."""
        if self._export_seconds > SLICE_SECONDS / 2:
            self.report(iterations, self._model.length(leader.best_cost))

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
        solutions = [self._solution(search) for search in searches]
        best = min(solutions, key=partial(rank, self._instance))
        return self.solution if is_timed and self.rank < rank(self._instance, best) else best
