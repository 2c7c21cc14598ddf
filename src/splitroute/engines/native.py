"""Our own search, which knows about splitting: annealed ruin and recreate on the compiled core."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from splitroute import _core
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.passing import closed, passed
from splitroute.solution import Listener, Progress, Route, Solution, Visit, cost
from splitroute.stop import Stop, Watch

SPLITS = True  # it can be given an instance whose demands may be split

SLICE = 0.1  # seconds between two looks at the listener
EPOCHS = 8  # how often several searches exchange their best solutions
MOST_SITES_IN_A_TABLE = 2000  # beyond that, distances are computed when they are needed
FINEST = 10**9  # the longest distance in the core's whole numbers, at most
LARGEST = 2**31 - 1
ENDLESS = 10**15


def run(
    instance: Instance,
    stop: Stop,
    seed: int,
    start: Solution | None,
    listener: Listener,
    *,
    jobs: int = 1,
) -> Solution:
    """A solution of the split problem, or of the CVRP if nothing may be split."""
    if not 1 <= jobs <= 1024:
        raise InputError(f"the number of jobs is {jobs}; it is from 1 to 1024")
    watch = Watch(stop)
    via = None
    searched = instance
    if instance.pass_through:
        table, via = closed(instance.table)
        searched = replace(instance, metric="matrix", matrix=table)
    model = _Model(searched)
    if not model.items:
        return Solution(())
    searches = [model.search(seed + k * 7919) for k in range(jobs)]
    for search in searches:
        search.plan(max(0.001, watch.left) if stop.seconds else 0.0, stop.iterations or 0)
        if start is None:
            search.start()
        else:
            search.start_from(model.flat(start))
    best = _Best(instance, model, watch, listener, via)
    if jobs == 1:
        _alone(searches[0], watch, best)
    else:
        _together(searches, watch, best)
    found = best.solution()
    return min(start, found, key=lambda s: cost(instance, s)) if start else found


def _alone(search: _core.Search, watch: Watch, best: _Best) -> None:
    while not best.report([search]):
        search.advance(_rest(watch, search), min(SLICE, max(0.0, watch.left)))


def _together(searches: list[_core.Search], watch: Watch, best: _Best) -> None:
    """Each in a thread of its own; now and then the others learn the best solution.

    The first search never does: it goes the way it would go alone, so several are never worse.
    """
    with ThreadPoolExecutor(len(searches)) as threads:
        for epoch in range(1, EPOCHS + 1):
            last = epoch == EPOCHS
            until = math.inf if last else epoch / EPOCHS
            while not best.report(searches):
                iterations = [_rest(watch, s, until) for s in searches]
                if not any(iterations) or (not last and watch.share >= until):
                    break
                seconds = [min(SLICE, max(0.0, watch.left))] * len(searches)
                list(threads.map(_core.Search.advance, searches, iterations, seconds))
            else:
                return
            leader = min(searches, key=lambda s: s.best_cost)
            for search in searches[1:]:
                if search.best_cost > leader.best_cost:
                    search.adopt(leader.best())


def _rest(watch: Watch, search: _core.Search, until: float = math.inf) -> int:
    """Iterations left to a search, up to a share of all."""
    limit = watch.stop.iterations
    if limit is None:
        return ENDLESS
    return max(0, min(limit, math.ceil(until * limit) if until < 1 else limit) - search.iterations)


class _Best:
    """The best of the searches so far, told to the listener whenever it is better."""

    def __init__(
        self,
        instance: Instance,
        model: _Model,
        watch: Watch,
        listener: Listener,
        via: np.ndarray | None,
    ) -> None:
        self._instance, self._model, self._watch = instance, model, watch
        self._listener, self._via = listener, via
        self._leader: _core.Search | None = None
        self._known = math.inf
        self._cost = math.inf

    def report(self, searches: list[_core.Search]) -> bool:
        """Tells the listener how things stand; returns whether to stop."""
        self._leader = min(searches, key=lambda search: search.best_cost)
        solution = None
        if self._leader.best_cost < self._known:
            self._known = self._leader.best_cost
            solution = self.solution()
            self._cost = min(self._cost, cost(self._instance, solution))
        iterations = sum(search.iterations for search in searches) // len(searches)
        told = self._listener(Progress(self._watch.seconds, iterations, self._cost, solution))
        return bool(told) or self._watch.reached(iterations, self._cost)

    def solution(self) -> Solution:
        """The best solution, of the instance itself."""
        assert self._leader is not None
        found = self._model.solution(self._leader.best())
        return found if self._via is None else passed(self._instance, self._via, found)


class _Model:
    """The instance as the core sees it.

    Where splitting is on, every customer is a site of its own; where it is off, the pieces at one
    place share a site.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.items = [k for k, c in enumerate(instance.customers, 1) if c.demand]
        self._item_of = {customer: item for item, customer in enumerate(self.items)}
        if instance.capacity > LARGEST or int(instance.demands.max()) > LARGEST:
            raise InputError(
                f"the engine native counts in 32 bits; the largest quantity is {LARGEST} units"
            )
        everyone = np.arange(len(instance.customers) + 1)
        self._places = instance.sites if instance.splittable else np.unique(instance.sites)
        of_customer = (
            everyone if instance.splittable else np.searchsorted(self._places, instance.sites)
        )
        self._item_sites = of_customer[self.items].astype(np.int32)
        self._demands = instance.demands[self.items].astype(np.int32)
        self._table = np.empty((0, 0), dtype=np.int32)
        self._xy = np.empty((0, 2))
        self._scale = 1.0
        self._measure()

    def _measure(self) -> None:
        instance, places = self.instance, self._places
        if instance.matrix is not None or len(places) <= MOST_SITES_IN_A_TABLE:
            table = instance.table[np.ix_(places, places)]
            longest = float(table.max(initial=0.0))
            if not np.array_equal(table, np.rint(table)) or longest > FINEST:
                self._scale = FINEST / max(longest, 1e-12)
            self._table = np.rint(table * self._scale).astype(np.int32)
            return
        self._xy = np.ascontiguousarray(instance.xy[places])
        if instance.metric != "dimacs":
            reach = float(np.ptp(self._xy, axis=0).sum()) or 1.0
            # A degree is at most 112 km.
            self._scale = FINEST / (reach * (112 if instance.metric == "haversine" else 1))

    def search(self, seed: int) -> _core.Search:
        return _core.Search(
            xy=self._xy,
            metric=self.instance.metric,
            scale=self._scale,
            table=self._table,
            sites=len(self._places),
            item_sites=self._item_sites,
            demands=self._demands,
            capacity=self.instance.capacity,
            splitting=self.instance.splittable,
            symmetric=self.instance.symmetric,
            seed=seed,
            settings=_core.Settings(),
        )

    def flat(self, solution: Solution) -> _core.Routes:
        """A solution as the core takes it; visits of nothing are left out."""
        routes = [[v for v in route.visits if v.quantity] for route in solution.routes]
        lengths = [len(route) for route in routes if route]
        return lengths, [(self._item_of[c], q) for route in routes for c, q in route]

    def solution(self, flat: _core.Routes) -> Solution:
        lengths, deliveries = flat
        visits = iter(Visit(self.items[item], quantity) for item, quantity in deliveries)
        return Solution(tuple(Route(tuple(next(visits) for _ in range(n))) for n in lengths))
