"""Our own search, which knows about splitting: annealed ruin and recreate on the compiled core."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

from splitroute import _core
from splitroute.core import USUALLY_ENOUGH, Model, seed_of
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.islands import search_together
from splitroute.solution import Listener, Progress, Solution, cost
from splitroute.stop import Stop, Watch

SPLITS = True  # it can be given an instance whose demands may be split

SLICE = 0.1  # seconds between two looks at the listener
LEAVES_TIME = True  # within its limit, for whoever checks the answer
CHECKING = 0.8  # times as long as handing over a solution takes
PATIENCE = 10  # times as long between two solutions as handing one over takes
EPOCHS = 8  # how often several searches exchange their best solutions
ENDLESS = 10**15


def run(
    instance: Instance,
    stop: Stop,
    seed: int,
    start: Solution | None,
    listener: Listener,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
) -> Solution:
    """A solution of the split problem, or of the CVRP if nothing may be split.

    So many searches go on in threads here, or on a cluster's workers; then as many as it has.
    """
    if jobs is not None and not 1 <= jobs <= 1024:
        raise InputError(f"the number of jobs is {jobs}; it is from 1 to 1024")
    if cluster is not None:
        return search_together(
            run, instance, stop, seed, start, listener, cluster=cluster, jobs=jobs
        )
    jobs = jobs or 1
    watch = Watch(stop)
    model = Model(instance)
    if not model.items:
        return Solution(())
    searches = [_core.Anneal(model.problem, seed_of(seed, k)) for k in range(jobs)]
    # Without a limit in time or iterations, cool down over a number that is usually enough.
    nominal = stop.iterations or max(4 * (stop.stall or 0), USUALLY_ENOUGH * len(model.items))
    with ThreadPoolExecutor(jobs) as threads:
        if start is None:
            list(threads.map(_core.Anneal.start, searches))
        else:
            first = model.rows(start)
            list(threads.map(lambda search: search.start_from(first), searches))
        for search in searches:
            if stop.seconds:
                search.plan(max(0.001, watch.left), stop.iterations or 0)
            else:
                search.plan(0.0, nominal)
        best = _Best(instance, model, watch, listener)
        if jobs == 1:
            _alone(searches[0], watch, best)
        else:
            _together(searches, threads, watch, best, nominal)
    found = best.answer(searches[0])
    return min(start, found, key=lambda s: cost(instance, s)) if start else found


def _alone(search: _core.Anneal, watch: Watch, best: _Best) -> None:
    while not best.report([search]):
        search.advance(_rest(watch, search), min(SLICE, max(0.0, best.left)))


def _together(
    searches: list[_core.Anneal],
    threads: ThreadPoolExecutor,
    watch: Watch,
    best: _Best,
    nominal: int,
) -> None:
    """Each in a thread of its own; now and then the others learn the best solution.

    The first search never does: it goes the way it would go alone, so that for the same number of
    iterations several are never worse.
    """
    for epoch in range(1, EPOCHS + 1):
        until = epoch / EPOCHS if epoch < EPOCHS else math.inf
        while not best.report(searches):
            iterations = [_rest(watch, s, nominal, until) for s in searches]
            if not any(iterations) or watch.share >= until:
                break
            seconds = [min(SLICE, max(0.0, best.left))] * len(searches)
            list(threads.map(_core.Anneal.advance, searches, iterations, seconds))
        else:
            return
        leader = min(searches, key=lambda s: s.best_cost)
        for search in searches[1:]:
            if search.best_cost > leader.best_cost:
                search.adopt(leader.best())


def _rest(watch: Watch, search: _core.Anneal, nominal: int = 0, until: float = math.inf) -> int:
    """Iterations left to a search, in all or up to a share of those that are expected."""
    most = watch.stop.iterations or ENDLESS
    if until < math.inf and not watch.stop.seconds:
        most = min(most, math.ceil(until * nominal))
    return max(0, most - search.iterations)


class _Best:
    """The best of the searches so far, told to the listener whenever it is better.

    Handing over a large solution takes a while, so that is done only if there was time enough in
    between, and time is left for the last.
    """

    def __init__(
        self,
        instance: Instance,
        model: Model,
        watch: Watch,
        listener: Listener,
    ) -> None:
        self._instance, self._model, self._watch = instance, model, watch
        self._listener = listener
        self._leader: _core.Anneal | None = None
        self._known = math.inf  # to the core, when a solution was last handed over
        self._cost = math.inf
        self._kept: Solution | None = None  # of that cost
        self._handed_over = -math.inf
        self._effort = 0.0  # seconds that took

    @property
    def left(self) -> float:
        """Seconds left to search."""
        return self._watch.left - (1 + CHECKING) * self._effort

    def report(self, searches: list[_core.Anneal]) -> bool:
        """Tells the listener how things stand; returns whether to stop."""
        self._leader = min(searches, key=lambda search: search.best_cost)
        began = self._watch.seconds
        solution = None
        better = self._leader.best_cost < self._known
        iterations = sum(search.iterations for search in searches) // len(searches)
        if better and began - self._handed_over >= PATIENCE * self._effort:
            self._known = self._leader.best_cost
            self._break_silence(began, iterations)
            rows = self._model.best(self._leader)
            self._break_silence(began, iterations)
            solution = self._model.solution(rows)
            self._break_silence(began, iterations)
            value = cost(self._instance, solution)
            if value < self._cost:
                self._cost, self._kept = value, solution
        known = self._so_far
        told = self._listener(Progress(began, iterations, known, solution))
        if solution is not None:
            self._handed_over = self._watch.seconds
            self._effort = self._handed_over - began
        return bool(told) or self.left <= 0 or self._watch.reached(iterations, known)

    def _break_silence(self, now: float, iterations: int) -> None:
        """A word before each step of handing over a solution, if that takes long."""
        if self._effort > SLICE / 2:
            self._listener(Progress(now, iterations, self._so_far))

    @property
    def _so_far(self) -> float:
        assert self._leader is not None
        return min(self._cost, self._model.length(self._leader.best_cost))

    def answer(self, first: _core.Anneal) -> Solution:
        """The best solution in the end.

        Which of two is better may change when both are tidied, so others have a say: under a limit
        in time what was handed over before, which otherwise depends on the machine; without one the
        first search, than which several must not be worse.
        """
        assert self._leader is not None
        timed = self._watch.stop.seconds is not None
        chosen = [self._leader] if timed or self._leader is first else [self._leader, first]
        found = [self._model.solution(self._model.best(search)) for search in chosen]
        value, best = min(((cost(self._instance, s), s) for s in found), key=lambda each: each[0])
        return self._kept if timed and self._kept and self._cost < value else best
