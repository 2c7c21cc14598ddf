"""The one road from an instance to a validated answer."""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from types import ModuleType
from typing import Any

from splitroute import engines, rules
from splitroute.bounds import Bound
from splitroute.bounds.beside import Beside
from splitroute.bounds.radial import radial_bound
from splitroute.catalogue import load, options_of
from splitroute.engines import Engine
from splitroute.errors import EngineError, InputError
from splitroute.instance import Instance
from splitroute.passing import with_shortest_ways
from splitroute.plan import SplitPlan
from splitroute.result import Result
from splitroute.rules import Rule
from splitroute.solution import Listener, Progress, Solution, cost
from splitroute.stop import Stop
from splitroute.validation import Claims, validate

DEFAULT_ENGINE = "native"
DEFAULT_STOP = Stop(seconds=10)
CHECKING = 1.5e-5  # seconds per customer to check an answer, with some to spare


def split(instance: Instance, rule: str = "pasa", **options: Any) -> SplitPlan:
    """The pieces of each customer under a rule."""
    run: Rule = load(rules, rule).run
    known = options_of(run)
    for name in options:
        if name not in known:
            allowed = f"it has: {', '.join(known)}" if known else "it has none"
            raise InputError(f"the rule {rule} has no option {name!r}; {allowed}")
    return run(instance, **options)


def solve(
    instance: Instance,
    *,
    rule: str | None = None,
    engine: str = DEFAULT_ENGINE,
    stop: Stop = DEFAULT_STOP,
    seed: int = 1,
    start: Solution | None = None,
    improve: float = 0.0,
    baseline: bool = False,
    bound: float = 0.0,
    listener: Listener | None = None,
    **options: Any,
) -> Result:
    """The best solution found: rule, engine, merge, improve, validate.

    Without a rule, an engine that can split is free to; for the others it is "pasa". `improve` adds
    seconds in which the engine goes on from the merged answer: free to split it, or re-routing its
    visits if it cannot. `baseline` solves once more without splitting, to say what splitting saves.
    With a `start` the engine goes on from there in the same way; the answer is never worse than
    it. `bound` spends so many seconds on a lower bound, beside the search if there is a core for
    it; where they meet, the answer is optimal and the search stops. Further options go to the rule
    and to the engine.
    """
    began = time.perf_counter()
    _check(instance, seed, start)
    polish = Stop(seconds=improve) if improve else None
    module = load(engines, engine)
    search: Engine = module.run
    for_engine = {k: v for k, v in options.items() if k in options_of(search)}
    for_rule = {k: v for k, v in options.items() if k not in for_engine}
    splits = getattr(module, "SPLITS", False)
    if rule is None:  # options of a rule ask for the paper's
        rule = "free" if splits and not for_rule else "pasa"
    if instance.vehicles is not None and rule != "free":
        raise InputError(
            "a number of vehicles is kept to by the engine native alone, and free to split"
        )
    searched, driven = with_shortest_ways(instance)
    plan = replace(split(instance, rule, **for_rule), instance=searched)
    beside = Beside(instance, bound) if bound else None
    record = _Record(searched, driven, listener, beside)
    rest = _shortened(stop, time.perf_counter() - began)

    def run(plan: SplitPlan, stop: Stop, start: Solution | None, listen: Listener) -> Solution:
        cvrp = plan.to_cvrp()
        if not any(customer.demand for customer in cvrp.customers):
            return Solution(())
        stop = _shortened(stop, CHECKING * len(cvrp.customers))
        found = search(cvrp, stop, seed, start, listen, **for_engine)
        if plan.rule != "free":  # else that is the instance itself, checked below
            _refuse_invalid(engine, cvrp, found)
        return plan.merge(found)

    def continued(solution: Solution, stop: Stop) -> Solution:
        if splits:
            visits, first = split(searched, "free"), solution
        else:
            visits, first = SplitPlan.of_visits(searched, solution)
        better = run(visits, stop, first, record.through(visits))
        return min(solution, better, key=lambda s: cost(searched, s))

    if start is None:
        solution = run(plan, rest, None, record.through(plan))
    else:
        solution = continued(start.delivering(), rest)
    if polish is not None and not record.stopped and not (beside and beside.met):
        with suppress(EngineError):  # the answer is there already
            solution = continued(solution, polish)
    seconds = time.perf_counter() - began

    unsplit_cost = None
    if baseline and not record.stopped:
        with suppress(EngineError):
            whole = run(split(replace(searched, vehicles=None), "none"), stop, None, record.silent)
            unsplit_cost = cost(searched, whole)
            if len(whole.routes) <= (instance.vehicles or math.inf):
                solution = min(solution, whole, key=lambda s: cost(searched, s))
    solution, proven = _bounded(instance, driven(solution), beside, record.stopped)
    total = cost(instance, solution)
    _refuse_invalid(engine, instance, solution, total)
    return Result(
        instance=instance,
        solution=solution,
        cost=total,
        seconds=seconds,
        rule=plan.rule,
        engine=engine,
        seed=seed,
        stop=stop,
        pieces=plan.count,
        trace=record.trace(seconds, total),
        unsplit_cost=unsplit_cost,
        bound=proven.value,
        bound_trace=proven.trace,
        versions=_versions(module),
    )


def _bounded(
    instance: Instance, solution: Solution, beside: Beside | None, stopped: bool
) -> tuple[Solution, Bound]:
    """What the bound is in the end, and the solution, or a better one that was found beside it."""
    if beside is None:
        return solution, Bound(radial_bound(instance), 0.0)
    beside.see(solution)
    proven = beside.finish(stopped)
    return proven.solution or solution, proven


def _shortened(stop: Stop, seconds: float) -> Stop:
    """The same limits with some of the time used already, but never nearly all of it."""
    if stop.seconds is None:
        return stop
    return replace(stop, seconds=max(stop.seconds / 2, stop.seconds - seconds))


def _check(instance: Instance, seed: int, start: Solution | None) -> None:
    if not 0 <= seed < 2**31:
        raise InputError(f"the seed is {seed}; it is a whole number from 0 to {2**31 - 1}")
    if start is not None and (violations := validate(instance, start)):
        raise InputError(f"the start is not a valid solution: {violations[0].message}")


def _versions(module: ModuleType) -> tuple[tuple[str, str], ...]:
    packages = ["splitroute", *([module.PACKAGE] if hasattr(module, "PACKAGE") else [])]
    return (*((p, version(p)) for p in packages), ("python", platform.python_version()))


class _Record:
    """Remembers improvements and passes them on as solutions of the instance itself."""

    def __init__(
        self,
        instance: Instance,
        driven: Callable[[Solution], Solution],
        listener: Listener | None,
        beside: Beside | None,
    ) -> None:
        self._instance, self._beside = instance, beside
        self._driven = driven
        self._listener = listener
        self._points: list[tuple[float, float]] = []
        self._best = math.inf
        self._began = time.perf_counter()
        self.stopped = False

    def through(self, plan: SplitPlan) -> Listener:
        def listen(progress: Progress) -> bool:
            seconds = time.perf_counter() - self._began
            merged = None
            if progress.solution is not None:
                merged = plan.merge(progress.solution)
                value = cost(self._instance, merged)
                if value < self._best:
                    self._best = value
                    self._points.append((seconds, value))
                    merged = self._driven(merged)
                    if self._beside is not None:
                        self._beside.see(merged)
                else:
                    merged = None
            shown = min(self._best, progress.cost)
            return self._pass_on(replace(progress, seconds=seconds, cost=shown, solution=merged))

        return listen

    def silent(self, progress: Progress) -> bool:
        """For the run without splitting: time goes on, but its solutions are not the answer."""
        seconds = time.perf_counter() - self._began
        return self._pass_on(Progress(seconds, progress.iterations, self._best))

    def _pass_on(self, progress: Progress) -> bool:
        if self._beside is not None:
            progress = replace(progress, bound=self._beside.value)
        if self._listener is not None and self._listener(progress):
            self.stopped = True
        return self.stopped or bool(self._beside and self._beside.met)

    def trace(self, seconds: float, total: float) -> tuple[tuple[float, float], ...]:
        if total < self._best:
            self._points.append((seconds, total))
        return tuple(self._points)


def _refuse_invalid(
    engine: str, instance: Instance, solution: Solution, stated: float | None = None
) -> None:
    violations = validate(instance, solution, Claims(stated))
    if violations:
        more = f" (and {len(violations) - 1} more)" if len(violations) > 1 else ""
        raise EngineError(
            f"the engine {engine} answered something that is not valid: "
            f"{violations[0].message}{more}"
        )
