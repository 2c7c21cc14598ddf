"""From an instance to a validated result: rule, engine, merge, polish, validation."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from splitroute import rules
from splitroute.instance import Instance
from splitroute.pipeline.arguments import check_arguments, warn_about_instance
from splitroute.pipeline.plans import make_plan
from splitroute.pipeline.run import DEFAULT_ENGINE, SolveRun
from splitroute.progress import Listener
from splitroute.registry import check_options, load, name_of
from splitroute.result import Result
from splitroute.solution import Solution
from splitroute.split_plan import SplitPlan
from splitroute.stop import Stop
from splitroute.validation import check_instance

__all__ = [
    "DEFAULT_ENGINE",
    "DEFAULT_STOP",
    "check_method",
    "solve",
    "solve_async",
    "split",
    "warn_about_instance",
]

DEFAULT_STOP = Stop(seconds=10)
log = logging.getLogger("splitroute")


def split(
    instance: Instance, rule: str | Callable[..., SplitPlan] = "pasa", **options: Any
) -> SplitPlan:
    """Return the pieces of each customer under a rule."""
    check_instance(instance, "split")
    check_options(f"rule {name_of(rule)}", load(rules, rule).run, options)
    return make_plan(instance, rule, options)


def solve(
    instance: Instance,
    *,
    rule: str | Callable[..., SplitPlan] | None = None,
    engine: str | Callable[..., Solution] = DEFAULT_ENGINE,
    stop: Stop = DEFAULT_STOP,
    seed: int = 1,
    start: Solution | None = None,
    polish: float = 0.0,
    baseline: bool = False,
    bound: float | None = None,
    listener: Listener | None = None,
    **options: Any,
) -> Result:
    """Return the best solution found, validated.

    rule: how demands are split before routing; by default "free" if the engine splits, else "pasa",
        or "none" if the instance forbids splitting.
    start: a solution to continue from; the result is never worse.
    polish: seconds after merging in which the engine improves the merged solution, splitting it
        further if it can.
    baseline: also solve without splitting, to report what splitting saves.
    bound: seconds for a lower bound, computed in the background if a core is free. The search ends
        when the solution is proven optimal. By default only small instances get one; 0 disables it.
    listener: called several times a second with a `Progress`; returning True stops the search.
    options: options of the rule and of the engine.
    """
    check_arguments(instance, stop, seed, start, polish, bound, listener, options)
    run = SolveRun(instance, rule, engine, stop, seed, options)  # rule -> split plan
    log.info(
        "solving %r: %d customers, rule %s, engine %s, seed %d, %s",
        *(instance.name, len(instance.customers), run.plan.rule, run.engine, seed, stop),
    )
    with run.reporting(listener, bound):
        # to_cvrp -> engine -> merge
        solution = run.search() if start is None else run.search_from(start)
        if polish:
            solution = run.polish(solution, polish)  # engine(start=...)
        solution = run.end_search(solution)
        unsplit = run.search_unsplit() if baseline else None
        result = run.validated(solution, unsplit)  # validation -> result
    log.info(
        "solved %r: cost %.10g, %d routes, %s, %.2f s",
        *(instance.name, result.cost, len(result.solution.routes)),
        *(result.gap_text(), run.budget.elapsed),
    )
    return result


async def solve_async(
    instance: Instance, *, listener: Listener | None = None, **arguments: Any
) -> Result:
    """Call `solve` in a thread; cancelling the task stops the search, and then the task ends.

    The listener is called in that thread.
    """
    from splitroute.pipeline.asynchronous import run_in_thread  # asyncio is slow to import

    return await run_in_thread(partial(solve, instance, **arguments), listener)


def check_method(instance: Instance, *, rule: str | None, engine: str, **options: Any) -> SplitPlan:
    """Return the split plan that `solve` would use, or raise as it would."""
    return SolveRun(instance, rule, engine, DEFAULT_STOP, 0, options).plan
