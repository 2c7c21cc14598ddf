"""Our own search, which knows about splitting: annealed ruin and recreate on the compiled core."""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec

from splitroute import _core
from splitroute.core import ITERATIONS_PER_CUSTOMER, SETTINGS, Model, seed_of, settings_with
from splitroute.engines import Capabilities
from splitroute.engines._incumbent import SLICE, Incumbent
from splitroute.engines._islands import search_together
from splitroute.errors import InputError, InputWarning
from splitroute.instance import Instance
from splitroute.processes.child import available_cores
from splitroute.progress import Listener
from splitroute.solution import Solution, cost
from splitroute.stop import Stop, TimeBudget

EPOCHS = 8  # how often several searches exchange their best solutions
ENDLESS = 10**15

CAPABILITIES = Capabilities(
    splits=True, warm_start=True, iteration_limit=True, fleet_limit=True, keeps_time=True
)


Parameters = ParamSpec("Parameters")


def _with_settings(run: Callable[Parameters, Solution]) -> Callable[Parameters, Solution]:
    """Lists the settings of the core among the options, in place of `**settings`."""
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
    jobs: int | None = None,
    cluster: str | None = None,
    **settings: Any,
) -> Solution:
    """A solution of the split problem, or of the CVRP if nothing may be split.

    So many searches go on in threads here, or on a cluster's workers; then as many as it has. Each
    field of the core's `Settings`, such as `blink`, is an option too.
    """
    chosen = settings_with(settings)
    if jobs is not None and not 1 <= jobs <= 1024:
        raise InputError(
            f"the number of jobs is {jobs}; it is from 1 to 1024", field="jobs", value=jobs
        )
    if cluster is not None:
        return search_together(
            partial(run, **settings),
            instance,
            stop,
            seed,
            start,
            listener,
            cluster=cluster,
            jobs=jobs,
        )
    jobs = _within_cores(jobs or 1, stop)
    budget = TimeBudget(stop)
    model = Model(instance)
    if not model.items:
        return Solution(())
    searches = [_core.Annealing(model.compiled, seed_of(seed, k), chosen) for k in range(jobs)]
    # Without a limit in time or iterations, cool down over a number that is usually enough.
    nominal = stop.iterations or max(
        4 * (stop.stall or 0), ITERATIONS_PER_CUSTOMER * len(model.items)
    )
    with ThreadPoolExecutor(jobs) as threads:
        if start is None:
            list(threads.map(_core.Annealing.start, searches))
        else:
            first = model.visits(start)
            list(threads.map(lambda search: search.start_from(first), searches))
        for search in searches:
            if stop.seconds:
                search.set_budget(max(0.001, budget.remaining), stop.iterations or 0)
            else:
                search.set_budget(0.0, nominal)
        best = Incumbent(instance, model, budget, listener)
        if jobs == 1:
            _alone(searches[0], budget, best)
        else:
            _together(searches, threads, budget, best, nominal)
    found = best.answer(searches[0])
    return min(start, found, key=lambda s: cost(instance, s)) if start else found


def _within_cores(jobs: int, stop: Stop) -> int:
    """As many searches as gain something: in a limited time, one per core.

    Under a limit of iterations all of them run: the solution must not depend on the machine.
    """
    cores = available_cores()
    if stop.seconds is None or stop.iterations is not None or jobs <= cores:
        return jobs
    warnings.warn(
        f"jobs is {jobs}, but {cores} can run at once here; {cores} are run",
        InputWarning,
        stacklevel=2,
    )
    return cores


def _alone(search: _core.Annealing, budget: TimeBudget, best: Incumbent) -> None:
    while not best.report([search]):
        search.advance(_rest(budget, search), min(SLICE, max(0.0, budget.remaining)))


def _together(
    searches: list[_core.Annealing],
    threads: ThreadPoolExecutor,
    budget: TimeBudget,
    best: Incumbent,
    nominal: int,
) -> None:
    """Each in a thread of its own; now and then the others learn the best solution.

    The first search never does: it goes the way it would go alone, so that for the same number of
    iterations several are never worse.
    """
    for epoch in range(1, EPOCHS + 1):
        until = epoch / EPOCHS if epoch < EPOCHS else math.inf
        while not best.report(searches):
            iterations = [_rest(budget, s, nominal, until) for s in searches]
            if not any(iterations) or budget.elapsed_share >= until:
                break
            seconds = [min(SLICE, max(0.0, budget.remaining))] * len(searches)
            list(threads.map(_core.Annealing.advance, searches, iterations, seconds))
        else:
            return
        leader = min(searches, key=lambda s: s.best_cost)
        for search in searches[1:]:
            if search.best_cost > leader.best_cost:
                search.adopt(leader.best())


def _rest(
    budget: TimeBudget, search: _core.Annealing, nominal: int = 0, until: float = math.inf
) -> int:
    """Iterations left to a search, in all or up to a share of those that are expected."""
    most = budget.stop.iterations or ENDLESS
    if until < math.inf and not budget.stop.seconds:
        most = min(most, math.ceil(until * nominal))
    return max(0, most - search.iterations)
