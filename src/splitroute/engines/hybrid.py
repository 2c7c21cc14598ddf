"""The native search combined with integer programs, in the manner of ILS-MIP.

The search collects the routes that it finds. Once it has cooled down, integer programs select a
better combination of these routes (`cover`) and better quantities on the current routes
(`amounts`), and the visits are rerouted as a CVRP (`pieces`); then the search continues from
there. Each of the three can be switched off with 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from splitroute import _core
from splitroute.core import ITERATIONS_PER_CUSTOMER, Model, seed_of
from splitroute.engines import Capabilities
from splitroute.engines._incumbent import SLICE_SECONDS, ExportPause, Incumbent
from splitroute.engines._recombination import RoutePool, groups, recombine
from splitroute.engines._redistribution import redistribute
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.progress import Listener
from splitroute.solution import Solution
from splitroute.split_plan import SplitPlan
from splitroute.stop import Stop, TimeBudget

CAPABILITIES = Capabilities(
    splits=True,
    requires_splitting=True,
    supports_warm_start=True,
    supports_iteration_limit=True,
    supports_fleet_limit=True,
    package="highspy",
)


# Share of the time for the first search: more gives the programs a better start, but less time.
FIRST_SHARE = 0.7
ROUNDS = 3  # in the rest of the time, each of programs and a search
PROGRAM_SHARE = 0.5  # of a round, for the programs; the search after them saves about as much
SLICE_ITERATIONS = 1000  # between two calls of the listener
MIN_SECONDS = 0.001  # of a search; 0 would mean no limit
MAX_PROGRAM_SECONDS = 1.0
ITERATIONS_PER_PROGRAM = 1000  # that a program counts for, where iterations are limited
ITERATIONS_PER_PIECE = 200  # when the visits are rerouted


def run(
    instance: Instance,
    stop: Stop,
    seed: int,
    start: Solution | None,
    listener: Listener,
    *,
    cover: int = 1,
    amounts: int = 1,
    pieces: int = 1,
) -> Solution:
    """Solve a split delivery instance."""
    if not instance.splittable:
        raise InputError(
            "the engine hybrid splits by itself; use it without a rule, or with free", field="rule"
        )
    for name, value in (("cover", cover), ("amounts", amounts), ("pieces", pieces)):
        if value not in (0, 1):
            raise InputError(
                f"{name} is {value!r}; it must be 1 (on) or 0 (off)", field=name, value=value
            )
    search = _HybridSearch(instance, stop, seed, listener)
    if not search.model.items:
        return Solution(())
    is_on = [bool(pieces), bool(amounts), bool(cover)]
    search.anneal(start, FIRST_SHARE if any(is_on) else 1.0)
    for round_ in range(1, ROUNDS + 1):
        if search.is_over or not any(is_on):
            break
        end = FIRST_SHARE + (1 - FIRST_SHARE) * round_ / ROUNDS
        begin = end - (1 - FIRST_SHARE) / ROUNDS
        steps = [step for step, on in zip(STEPS, is_on, strict=True) if on]
        for k, step in enumerate(steps, 1):
            step(search, begin + (end - begin) * PROGRAM_SHARE * k / len(steps))
        search.anneal(search.best, end)
    return search.best


Program = Callable[[list[int], float | None], Solution | None]


class _HybridSearch:
    """The best solution so far, the pool of routes, and the limits.

    Each step runs `until` a share of the time limit or of the iterations.
    """

    def __init__(self, instance: Instance, stop: Stop, seed: int, listener: Listener) -> None:
        self.instance, self.stop, self.seed = instance, stop, seed
        self.budget = TimeBudget(stop)
        self._incumbent = Incumbent(instance, self.budget, listener)
        self.model, self.pool = Model(instance), RoutePool(instance)
        self.random = np.random.default_rng(seed)
        self.iterations, self.is_over = 0, False
        nominal = ITERATIONS_PER_CUSTOMER * len(self.model.items)
        self._nominal = stop.iterations or max(4 * (stop.stall or 0), nominal)
        self._counts_iterations = stop.seconds is None or stop.iterations is not None
        self._searches = 0

    @property
    def best(self) -> Solution:
        """The best solution so far."""
        return self._incumbent.solution

    def anneal(self, start: Solution | None, until: float) -> None:
        """Run a search from a start."""
        if self.is_over:
            return
        search = _core.Annealing(self.model.compiled, seed_of(self.seed, self._searches))
        self._searches += 1
        if start is None:
            search.start()
        else:
            search.start_from(self.model.visits(start))
        max_iterations = max(1, self._iterations_until(until))
        seconds = max(MIN_SECONDS, self.budget.remaining_until(until))
        search.set_budget(
            seconds if self.stop.seconds else 0.0, max_iterations if self._counts_iterations else 0
        )
        begun = self.iterations
        slice_seconds = SLICE_SECONDS if self.stop.seconds else math.inf
        pause = ExportPause(self.budget)
        while True:
            seconds = self.budget.remaining_until(until)
            iterations = SLICE_ITERATIONS
            if self._counts_iterations:
                iterations = min(iterations, max_iterations - search.iterations)
            if iterations > 0 and seconds > 0:
                search.advance(int(iterations), min(slice_seconds, seconds))
            self.iterations = begun + search.iterations
            has_ended = seconds <= 0 or iterations <= 0
            if has_ended or not self.stop.seconds or pause.is_over:
                began = self.budget.elapsed
                self.update(self.model.solution(self.model.best(search)))
                self.pool.add(self.model.solution(search.current()))
                pause.begin(began)
            if self.report() or has_ended:
                if not has_ended:
                    self.update(self.model.solution(self.model.best(search)))
                return

    def reroute_visits(self, until: float) -> None:
        """Solve the CVRP whose customers are the visits of the best solution."""
        plan, start = SplitPlan.from_visits(self.instance, self.best)
        model = Model(plan.to_cvrp())
        search = _core.Annealing(model.compiled, self.seed)
        search.start_from(model.visits(start))
        max_iterations = ITERATIONS_PER_PIECE * len(model.items)
        if self._counts_iterations:
            max_iterations = min(max_iterations, self._iterations_until(until))
        if max_iterations <= 0:
            return
        search.set_budget(0.0, max_iterations)
        begun = self.iterations
        slice_seconds = SLICE_SECONDS if self.stop.seconds else math.inf
        while search.iterations < max_iterations and self.budget.remaining_until(until) > 0:
            iterations = min(SLICE_ITERATIONS, max_iterations - search.iterations)
            search.advance(iterations, slice_seconds)
            self.iterations = begun + search.iterations
            if self.report():
                break
        self.update(plan.merge(model.solution(search.best())))

    def improve(self, program: Program, until: float) -> None:
        """Solve an integer program for one group of routes after the other."""
        while self.budget.remaining_until(until) > 0 and not self.is_over:
            for group in groups(self.instance, self.best, self.random):
                if self.budget.remaining_until(until) <= 0:
                    return
                if self._counts_iterations:
                    if self._iterations_until(until) < ITERATIONS_PER_PROGRAM:
                        return
                    self.iterations += ITERATIONS_PER_PROGRAM
                seconds = None
                if self.stop.seconds:
                    seconds = min(MAX_PROGRAM_SECONDS, self.budget.remaining_until(until))
                solution = program(group, seconds)
                if self.report():
                    return
                if solution is not None and self.update(solution):
                    break
            else:
                return

    def update(self, solution: Solution) -> bool:
        """Take over a solution if it is better; return whether it is."""
        is_better = self._incumbent.offer(solution)
        if is_better:
            self.pool.add(solution)
        return is_better

    def report(self) -> bool:
        """Call the listener; return whether to stop."""
        self.is_over = self._incumbent.report(self.iterations) or self.is_over
        return self.is_over

    def _iterations_until(self, share: float) -> int:
        return math.ceil(share * self._nominal) - self.iterations

    def redistribute(self, group: list[int], seconds: float | None) -> Solution | None:
        """Reallocate quantities and visits on the routes of a group."""
        return redistribute(self.instance, self.best, group, seconds)

    def recombine(self, group: list[int], seconds: float | None) -> Solution | None:
        """Replace the routes of a group by others of the pool."""
        return recombine(self.instance, self.best, group, self.pool, seconds)


STEPS: tuple[Callable[[_HybridSearch, float], None], ...] = (
    _HybridSearch.reroute_visits,
    lambda search, until: search.improve(search.redistribute, until),
    lambda search, until: search.improve(search.recombine, until),
)
