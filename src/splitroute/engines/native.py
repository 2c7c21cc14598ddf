"""The engine of this package: simulated annealing with ruin and recreate that splits demands."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, cast

import numpy as np

from splitroute import _core
from splitroute.core import (
    ITERATIONS_PER_CUSTOMER,
    UNLIMITED_ITERATIONS,
    Annealing,
    Model,
    Search,
    seed_of,
)
from splitroute.core.settings import SETTINGS, make_settings
from splitroute.engines import Capabilities
from splitroute.engines._incumbent import SLICE_SECONDS, CoreIncumbent, search_rank
from splitroute.engines._islands import EPOCHS, IslandModel
from splitroute.engines._parts import PartedSearch
from splitroute.engines._parts_on_cluster import PartsOnCluster
from splitroute.engines._preparation import prepared
from splitroute.errors import InputError, InputWarning, issue
from splitroute.instance import Instance
from splitroute.instance.rules import RULES
from splitroute.processes.cores import available_cores
from splitroute.processes.pool import Pool, open_pool
from splitroute.progress import Listener
from splitroute.solution import Solution, rank
from splitroute.stop import Stop, TimeBudget

MAX_THREADS = 1024
# In smaller instances or parts, several searches of the whole are better than one in parts.
MIN_ITEMS, MIN_PART_ITEMS = 4000, 1000
MIN_SECONDS = 0.001  # of a search; 0 would mean no limit

CAPABILITIES = Capabilities(
    splits=True,
    supports_warm_start=True,
    supports_iteration_limit=True,
    supports_fleet_limit=True,
    keeps_time=True,
    rules=frozenset(RULES),
)


Parameters = ParamSpec("Parameters")


def _with_settings(run: Callable[Parameters, Solution]) -> Callable[Parameters, Solution]:
    """Replace `**settings` in the signature by the settings of the core."""
    signature = inspect.signature(run, eval_str=True)
    *named, _ = signature.parameters.values()
    settings = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=value, annotation=type(value)
        )
        for name, value in SETTINGS.items()
    ]
    vars(run)["__signature__"] = signature.replace(parameters=[*named, *settings])
    return run


@_with_settings
def run(
    instance: Instance,
    stop: Stop,
    seed: int,
    start: Solution | None,
    listener: Listener,
    *,
    threads: int | None = None,
    cluster: str | None = None,
    **settings: Any,
) -> Solution:
    """Solve a split delivery instance, or a CVRP.

    It runs one search in each of `threads`, or on as many workers of a `cluster`, by default on
    all of them. Large instances are cut into parts, one per thread or worker. Each field of the
    core's `Settings`, such as `blink`, is an option too.
    """
    make_settings(settings)  # checks them
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise InputError(
            f"threads is {threads}; it must be from 1 to {MAX_THREADS}",
            field="threads",
            value=threads,
        )
    budget = TimeBudget(stop)
    if cluster is not None:
        with open_pool(cluster) as pool:
            size = min(threads or pool.count, pool.count)
            if _is_cut(instance, size):
                return _run(instance, budget, seed, start, listener, settings, size, pool)
            bound_run = partial(run, **settings)
            islands = IslandModel(bound_run, instance, budget, seed, start, pool, size)
            return islands.run(listener)
    if not instance.demands.any():
        return Solution(())
    count = _useful_threads(threads or 1, stop)
    return _run(instance, budget, seed, start, listener, settings, count)


def _run(
    instance: Instance,
    budget: TimeBudget,
    seed: int,
    start: Solution | None,
    listener: Listener,
    settings: Mapping[str, object],
    count: int,
    pool: Pool | None = None,
) -> Solution:
    """Run so many searches, or one search in so many parts: here or on the workers of a pool."""
    stop = budget.stop
    cancellation = _core.Cancellation()
    with ThreadPoolExecutor(count) as executor:

        def prepare() -> tuple[Model, Sequence[Annealing | PartedSearch]]:
            model = Model(instance, cancellation)
            return model, _started(model, seed, start, settings, executor, count, pool)

        model, searches = prepared(prepare, budget, listener, cancellation)
        # Without a limit in time or iterations, cool down over a number that is usually enough.
        nominal = stop.iterations or max(
            4 * (stop.stall or 0), ITERATIONS_PER_CUSTOMER * len(model.items)
        )
        for search in searches:
            if stop.seconds:
                search.set_budget(max(MIN_SECONDS, budget.remaining), stop.iterations or 0)
            else:
                search.set_budget(0.0, nominal)
        incumbent = CoreIncumbent(instance, model, budget, listener)
        try:
            if cancellation.is_requested:
                incumbent.report_searches(searches)
            elif len(searches) == 1:
                _run_one(searches[0], budget, incumbent)
            else:
                _run_several(
                    cast("list[Annealing]", searches), executor, budget, incumbent, nominal
                )
        finally:
            cancellation.request()  # of what is being prepared
    best = incumbent.best(searches[0])
    return min(start, best, key=partial(rank, instance)) if start else best


def _started(
    model: Model,
    seed: int,
    start: Solution | None,
    settings: Mapping[str, object],
    executor: ThreadPoolExecutor,
    count: int,
    pool: Pool | None,
) -> Sequence[Annealing | PartedSearch]:
    """Return searches in so many threads, each with a first solution, or one in parts."""
    searches: Sequence[Annealing | PartedSearch]
    if pool is not None:
        searches = [PartsOnCluster(model, seed, settings, executor, pool, count)]
    elif _is_cut(model.instance, count):
        searches = [PartedSearch(model, seed, settings, executor, count)]
    else:
        core_settings = make_settings(settings)
        searches = [model.annealing(seed_of(seed, k), core_settings) for k in range(count)]
    if start is None:
        list(executor.map(lambda search: search.start(), searches))
    else:
        visits = model.visits(start)
        list(executor.map(lambda search: search.start_from(visits), searches))
    return searches


def _is_cut(instance: Instance, count: int) -> bool:
    """Return whether the instance is searched in so many parts."""
    items = np.count_nonzero(instance.demands)
    is_large = items >= max(MIN_ITEMS, count * MIN_PART_ITEMS)
    return count > 1 and bool(is_large) and not instance.rules


def _useful_threads(threads: int, stop: Stop) -> int:
    """Limit the threads to the number of cores, and warn, if the time is limited.

    Under an iteration limit all of them run: the solution must not depend on the machine.
    """
    cores = available_cores()
    if stop.seconds is None or stop.iterations is not None or threads <= cores:
        return threads
    message = f"threads is {threads}, but there are {cores} cores; running {cores}"
    issue(InputWarning(message, field="threads", value=threads))
    return cores


def _run_one(
    search: Annealing | PartedSearch, budget: TimeBudget, incumbent: CoreIncumbent
) -> None:
    while not incumbent.report_searches([search]):
        search.advance(
            _iterations_left(budget, search), min(SLICE_SECONDS, max(0.0, budget.remaining))
        )


def _run_several(
    searches: list[Annealing],
    executor: ThreadPoolExecutor,
    budget: TimeBudget,
    incumbent: CoreIncumbent,
    nominal: int,
) -> None:
    """Run each search in a thread; after each epoch, the others are offered the best solution.

    Their next cooling cycles start from it, or from combinations with their own. The first search
    gets none, so that for the same number of iterations more searches never give a worse result.
    """
    for epoch in range(1, EPOCHS + 1):
        until = epoch / EPOCHS if epoch < EPOCHS else math.inf
        while not incumbent.report_searches(searches):
            iterations = [_iterations_left(budget, s, nominal, until) for s in searches]
            if not any(iterations) or budget.elapsed_share >= until:
                break
            seconds = [min(SLICE_SECONDS, max(0.0, budget.remaining))] * len(searches)
            list(executor.map(lambda s, *limits: s.advance(*limits), searches, iterations, seconds))
        else:
            return
        leader = min(searches, key=search_rank)
        for search in searches[1:]:
            if search_rank(search) > search_rank(leader):
                search.offer(leader.best())


def _iterations_left(
    budget: TimeBudget, search: Search, nominal: int = 0, until: float = math.inf
) -> int:
    """Iterations left to a search, in all or up to a share of the nominal number."""
    max_iterations = budget.stop.iterations or UNLIMITED_ITERATIONS
    if until < math.inf and not budget.stop.seconds:
        max_iterations = min(max_iterations, math.ceil(until * nominal))
    return max(0, max_iterations - search.iterations)
