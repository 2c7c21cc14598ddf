"""The native search with integer programs inside, in the manner of ILS-MIP.

The search collects the routes that it meets. When it has cooled down, integer programs are asked
for a better choice of these routes (`cover`), for better quantities on the routes as they are
(`amounts`), and the visits are routed anew as a CVRP (`pieces`); then the search goes on from
there. Each of the three can be switched off with 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from splitroute import _core
from splitroute.core import ITERATIONS_PER_CUSTOMER, Model, seed_of
from splitroute.engines import Capabilities
from splitroute.engines._recombination import RoutePool, groups, recombine, redistribute
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.progress import Listener, Progress
from splitroute.registry import require
from splitroute.solution import Solution, cost
from splitroute.split_plan import SplitPlan
from splitroute.stop import Stop, TimeBudget

CAPABILITIES = Capabilities(
    splits=True,
    requires_splitting=True,
    warm_start=True,
    iteration_limit=True,
    fleet_limit=True,
    package="highspy",
)


FIRST = 0.7  # share of the time for the first search; the others share the rest
ROUNDS = 3
SHARE_OF_PROGRAMS = 0.5  # of the time of a round
SLICE = 1000  # iterations between two looks at the listener
SLICE_SECONDS = 0.1
FOR_ONE_PROGRAM = 1.0  # seconds at most
PER_PROGRAM = 1000  # iterations that one program counts for, where there is no limit in time
PATIENCE = 10  # times as long between two looks at the routes as looking takes
PIECES = 200  # iterations per visit when the pieces are routed anew


def check() -> None:
    """Raises if it is not installed."""
    require("highspy", "bound")


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
    """A solution of the split problem."""
    check()
    if not instance.splittable:
        raise InputError("the engine hybrid splits by itself; use it without a rule, or with free")
    for name, value in (("cover", cover), ("amounts", amounts), ("pieces", pieces)):
        if value not in (0, 1):
            raise InputError(f"{name} is {value!r}; it is 1 for on or 0 for off")
    hybrid = _Hybrid(instance, stop, seed, listener)
    if not hybrid.model.items:
        return Solution(())
    wanted = [bool(pieces), bool(amounts), bool(cover)]
    hybrid.search(start, FIRST if any(wanted) else 1.0)
    for round_ in range(1, ROUNDS + 1):
        if hybrid.over or not any(wanted):
            break
        end = FIRST + (1 - FIRST) * round_ / ROUNDS
        begin = end - (1 - FIRST) / ROUNDS
        steps = [step for step, on in zip(STEPS, wanted, strict=True) if on]
        for k, step in enumerate(steps, 1):
            step(hybrid, begin + (end - begin) * SHARE_OF_PROGRAMS * k / len(steps))
        hybrid.search(hybrid.best, end)
    return hybrid.best


Program = Callable[[list[int], float | None], Solution | None]


class _Hybrid:
    """The best solution so far, the routes met, and the time."""

    def __init__(self, instance: Instance, stop: Stop, seed: int, listener: Listener) -> None:
        self.instance, self.stop, self.seed = instance, stop, seed
        self.watch, self.listener = Watch(stop), listener
        self.model, self.pool = Model(instance), RoutePool(instance)
        self.random = np.random.default_rng(seed)
        self.best, self.cost = Solution(()), math.inf
        self.iterations, self.over = 0, False
        nominal = ITERATIONS_PER_CUSTOMER * len(self.model.items)
        self._nominal = stop.iterations or max(4 * (stop.stall or 0), nominal)
        self._counted = stop.seconds is None or stop.iterations is not None
        self._searches = 0
        self._news = False

    def search(self, start: Solution | None, until: float) -> None:
        """Anneals up to a share of the time or of the iterations."""
        if self.over:
            return
        search = _core.Annealing(self.model.compiled, seed_of(self.seed, self._searches))
        self._searches += 1
        if start is None:
            search.start()
        else:
            search.start_from(self.model.visits(start))
        left = max(1, self._iterations_until(until))
        seconds = max(0.001, self._seconds_until(until))
        search.set_budget(seconds if self.stop.seconds else 0.0, left if self._counted else 0)
        begun = self.iterations
        ahead = SLICE_SECONDS if self.stop.seconds else math.inf
        looked, effort = -math.inf, 0.0
        while True:
            seconds = self._seconds_until(until)
            todo = min(SLICE, left - search.iterations) if self._counted else SLICE
            if todo > 0 and seconds > 0:
                search.advance(int(todo), min(ahead, seconds))
            self.iterations = begun + search.iterations
            ended = seconds <= 0 or todo <= 0
            now = self.budget.elapsed
            if ended or not self.stop.seconds or now - looked > PATIENCE * effort:
                self.see(self.model.solution(self.model.best(search)))
                self.pool.add(self.model.solution(search.current()))
                looked = self.budget.elapsed
                effort = looked - now
            if self.report() or ended:
                if not ended:
                    self.see(self.model.solution(self.model.best(search)))
                return

    def route_pieces(self, until: float) -> None:
        """The visits as they are, each a customer of its own, routed anew."""
        plan, first = SplitPlan.from_visits(self.instance, self.best)
        model = Model(plan.to_cvrp())
        search = _core.Annealing(model.compiled, self.seed)
        search.start_from(model.visits(first))
        most = PIECES * len(model.items)
        if self._counted:
            most = min(most, self._iterations_until(until))
        if most <= 0:
            return
        search.set_budget(0.0, most)
        begun = self.iterations
        while search.iterations < most and self._seconds_until(until) > 0:
            ahead = SLICE_SECONDS if self.stop.seconds else math.inf
            search.advance(min(SLICE, most - search.iterations), ahead)
            self.iterations = begun + search.iterations
            if self.report():
                break
        self.see(plan.merge(model.solution(search.best())))

    def improve(self, program: Program, until: float) -> None:
        """Asks an integer program about one group of routes after the other."""
        while self._seconds_until(until) > 0 and not self.over:
            for group in groups(self.instance, self.best, self.random):
                if self._seconds_until(until) <= 0:
                    return
                if self._counted and self._iterations_until(until) < PER_PROGRAM:
                    return
                self.iterations += PER_PROGRAM if self._counted else 0
                limit = None
                if self.stop.seconds:
                    limit = min(FOR_ONE_PROGRAM, self._seconds_until(until))
                better = program(group, limit)
                if self.report():
                    return
                if better is not None and self.see(better):
                    break
            else:
                return

    def see(self, solution: Solution) -> bool:
        """Takes note of a solution; returns whether it is better."""
        value = cost(self.instance, solution)
        if value >= self.cost:
            return False
        self.best, self.cost = solution, value
        self.pool.add(solution)
        self._news = True
        return True

    def report(self) -> bool:
        """Tells the listener; returns whether to stop."""
        news = self.best if self._news else None
        self._news = False
        told = self.listener(Progress(self.budget.elapsed, self.iterations, self.cost, news))
        self.over = self.over or bool(told) or self.budget.should_stop(self.iterations, self.cost)
        return self.over

    def _seconds_until(self, share: float) -> float:
        if self.stop.seconds is None:
            return math.inf
        return share * self.stop.seconds - self.budget.elapsed

    def _iterations_until(self, share: float) -> int:
        return math.ceil(share * self._nominal) - self.iterations

    def redistribute(self, group: list[int], seconds: float | None) -> Solution | None:
        """Better quantities and stops on the routes as they are."""
        return redistribute(self.instance, self.best, group, seconds)

    def recombine(self, group: list[int], seconds: float | None) -> Solution | None:
        """A better choice of the routes met so far."""
        return recombine(self.instance, self.best, group, self.pool, seconds)


STEPS: tuple[Callable[[_Hybrid, float], None], ...] = (
    _Hybrid.route_pieces,
    lambda hybrid, until: hybrid.improve(hybrid.redistribute, until),
    lambda hybrid, until: hybrid.improve(hybrid.recombine, until),
)
