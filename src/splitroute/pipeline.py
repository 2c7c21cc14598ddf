"""The one run from an instance to a validated answer."""

from __future__ import annotations

import math
import platform
import reprlib
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from importlib.metadata import version
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np

from splitroute import engines, rules
from splitroute.bounds import Bound
from splitroute.bounds.background import BackgroundBound
from splitroute.bounds.radial import radial_bound
from splitroute.engines import Capabilities, Engine, capabilities_of
from splitroute.errors import EngineError, InputError, InputWarning
from splitroute.instance import Instance
from splitroute.pass_through import with_shortest_paths
from splitroute.progress import Listener, ProgressRecorder
from splitroute.registry import is_installed, load, names, options_of
from splitroute.result import Result
from splitroute.rules import Rule
from splitroute.solution import Solution, cost
from splitroute.split_plan import SplitPlan
from splitroute.stop import Stop
from splitroute.validation import Claims, validate

DEFAULT_ENGINE = "native"
DEFAULT_STOP = Stop(seconds=10)
# Seconds that follow the search, per customer of what was searched.
VALIDATION_SECONDS = 3.5e-6
MERGE_SECONDS = 6e-6
MAX_PLAUSIBLE_LOADS = 1000  # of one customer
# Of instances that are tried to be proven optimal while the search runs.
MAX_CUSTOMERS_PROVEN = 50
MAX_LOADS_PROVEN = 200


def split(
    instance: Instance, rule: str | Callable[..., SplitPlan] = "pasa", **options: Any
) -> SplitPlan:
    """The pieces of each customer under a rule."""
    run: Rule = load(rules, rule).run
    known = options_of(run)
    for name in options:
        if name not in known:
            allowed = f"it has: {', '.join(known)}" if known else "it has none"
            raise InputError(f"the rule {rule} has no option {name!r}; {allowed}", field=name)
    return run(instance, **options)


def solve(
    instance: Instance,
    *,
    rule: str | Callable[..., SplitPlan] | None = None,
    engine: str | Callable[..., Solution] = DEFAULT_ENGINE,
    stop: Stop = DEFAULT_STOP,
    seed: int = 1,
    start: Solution | None = None,
    improve: float = 0.0,
    baseline: bool = False,
    bound: float | None = None,
    listener: Listener | None = None,
    **options: Any,
) -> Result:
    """The best solution found: rule, engine, merge, improve, validate.

    The default rule is "free" for an engine that can split and "pasa" for the others. `improve`
    adds seconds in which the engine continues from the merged solution: free to split it, or
    re-routing its visits if it cannot. With a `start` the engine continues from there in the same
    way; the result is never worse than the start. `baseline` solves the instance again without
    splitting, to report what splitting saves. `bound` spends so many seconds on a lower bound, in
    the background if there is a core for it; the search stops when both meet. By default only
    small instances are tried; `bound=0` disables it. Further options go to the rule and the engine.
    """
    _check(instance, stop, seed, start, options)
    run = SolveRun(instance, rule, engine, stop, seed, options)
    brief = bound is None and run.is_small
    seconds = stop.seconds if brief else bound
    if not seconds:
        return run.go(start, improve, baseline, listener, None)
    with BackgroundBound(instance, seconds, adopts=run.plan.free, brief=brief) as background:
        return run.go(start, improve, baseline, listener, background)


def check(instance: Instance, *, rule: str | None, engine: str, **options: Any) -> SplitPlan:
    """The plan that `solve` would follow; refuses what it would refuse."""
    return SolveRun(instance, rule, engine, DEFAULT_STOP, 0, options).plan


class SolveRun:
    """One way to solve an instance: its rule, its engine and their options."""

    def __init__(
        self,
        instance: Instance,
        rule: str | Callable[..., SplitPlan] | None,
        engine: str | Callable[..., Solution],
        stop: Stop,
        seed: int,
        options: dict[str, Any],
    ) -> None:
        self.began = time.perf_counter()
        self.instance, self.stop, self.seed = instance, stop, int(seed)
        self.module = load(engines, engine)
        self.engine = engine if isinstance(engine, str) else self.module.__name__
        self.can = capabilities_of(self.module)
        for_rule = {k: v for k, v in options.items() if k not in options_of(self.module.run)}
        rule = rule or ("free" if self.can.splits else "pasa")
        if rule == "free" and instance.splittable and not self.can.splits:
            raise InputError(
                f"the engine {self.engine} cannot split; choose a rule that does: pasa",
                field="rule",
                value=rule,
            )
        if rule != "free" and self.can.requires_splitting:
            raise InputError(
                f"the engine {self.engine} splits by itself; use it with the rule free",
                field="rule",
                value=rule,
            )
        _check_options(self.engine, rule, for_rule)
        self.for_engine = {k: v for k, v in options.items() if k not in for_rule}
        is_free = rule == "free" and instance.splittable
        if instance.vehicles is not None and not (is_free and self.can.fleet_limit):
            raise InputError(
                "a limited number of vehicles needs the rule free and an engine that keeps to it",
                field="vehicles",
                value=instance.vehicles,
            )
        self.searched, self.restore = with_shortest_paths(instance)
        self.plan = replace(split(instance, rule, **for_rule), instance=self.searched)
        # These take a moment that would be missing in the end.
        self.radial = Bound(radial_bound(instance), 0.0)
        self.versions = _versions(self.can)

    @property
    def is_small(self) -> bool:
        """Whether to try to prove the solution optimal without being asked to.

        Not where iterations are the limit: when a proof is found depends on the machine.
        """
        instance = self.instance
        return (
            self.plan.free
            and self.stop.seconds is not None
            and self.stop.iterations is None
            and len(instance.customers) <= MAX_CUSTOMERS_PROVEN
            and int(instance.demands.sum()) <= MAX_LOADS_PROVEN * instance.capacity
            and is_installed("highspy")
        )

    def go(
        self,
        start: Solution | None,
        improve: float,
        baseline: bool,
        listener: Listener | None,
        background: BackgroundBound | None,
    ) -> Result:
        """All the way to a validated answer."""
        instance, searched = self.instance, self.searched
        polish = Stop(seconds=improve) if improve else None
        record = ProgressRecorder(
            searched, self.restore, listener, background, self.radial.value, self.began
        )
        rest = _shortened(self.stop, time.perf_counter() - self.began)
        if start is None:
            solution = self._run(self.plan, rest, None, record.listener_of(self.plan))
        else:
            solution = self._continued(start.delivering(), rest, record)
        if polish is not None and not record.is_over:
            with suppress(EngineError):  # the answer is there already
                solution = self._continued(solution, polish, record)
        # Under a limit of iterations, what is seen on the way depends on the machine.
        if self.stop.seconds is not None and not self.plan.free:
            solution = record.better(solution)
        record.see(solution)
        if background is not None and background.solution is not None and self.plan.free:
            solution = self._cheaper(solution, background.solution, record)
        seconds = time.perf_counter() - self.began

        unsplit = None
        if baseline and not record.is_stopped:
            with suppress(EngineError):
                whole = self._unsplit(record)
                unsplit = self.restore(whole)
                if len(whole.routes) <= (instance.vehicles or math.inf):
                    solution = self._cheaper(solution, whole, record)
        baseline_seconds = time.perf_counter() - self.began - seconds
        solution, proven = self._bounded(self.restore(solution), record)
        total = cost(instance, solution)
        _refuse_invalid(self.engine, instance, solution, total)
        if unsplit is not None:  # which may take more vehicles than there are
            _refuse_invalid(self.engine, replace(instance, vehicles=None), unsplit)
        return Result(
            instance=instance,
            solution=solution,
            cost=total,
            seconds=seconds,
            rule=self.plan.rule,
            engine=self.engine,
            seed=self.seed,
            stop=self.stop,
            pieces=self.plan.count,
            trace=record.trace(total),
            unsplit=unsplit,
            baseline_seconds=baseline_seconds,
            unsplit_cost=None if unsplit is None else cost(instance, unsplit),
            bound=proven.value,
            bound_trace=proven.trace,
            bound_seconds=proven.seconds,
            versions=self.versions,
        )

    def _run(
        self, plan: SplitPlan, stop: Stop, start: Solution | None, listen: Listener
    ) -> Solution:
        """The engine's answer to the plan, merged."""
        began = time.perf_counter()
        cvrp = plan.to_cvrp()
        if not any(customer.demand for customer in cvrp.customers):
            return plan.merge(Solution(()))
        each = 0.0 if plan.free else MERGE_SECONDS + VALIDATION_SECONDS
        if not self.can.keeps_time:
            each += VALIDATION_SECONDS
        after = each * len(cvrp.customers) + (MERGE_SECONDS + VALIDATION_SECONDS) * sum(plan.direct)
        stop = _shortened(stop, time.perf_counter() - began + after)
        if stop.target is not None:
            stop = replace(stop, target=stop.target - plan.direct_cost)
        search: Engine = self.module.run
        found = search(cvrp, stop, self.seed, start, listen, **self.for_engine)
        if plan.rule != "free":  # else that is the instance itself, checked in the end
            _refuse_invalid(self.engine, cvrp, found)
        return plan.merge(found)

    def _continued(self, solution: Solution, stop: Stop, record: ProgressRecorder) -> Solution:
        """From a solution on: free to split it, or re-routing its visits."""
        if self.can.splits:
            visits, first = split(self.searched, "free").starting_from(solution)
        else:
            visits, first = SplitPlan.of_visits(self.searched, solution)
        better = self._run(visits, stop, first, record.listener_of(visits))
        return min(solution, better, key=lambda s: cost(self.searched, s))

    def _unsplit(self, record: ProgressRecorder) -> Solution:
        """The same without splitting, by the default engine if this one cannot."""
        plan = split(replace(self.searched, vehicles=None), "none")
        if self.can.requires_splitting:
            search: Engine = load(engines, DEFAULT_ENGINE).run
            stop = _shortened(self.stop, VALIDATION_SECONDS * len(self.instance.customers))
            return plan.merge(search(plan.to_cvrp(), stop, self.seed, None, record.hear_baseline))
        return self._run(plan, self.stop, None, record.hear_baseline)

    def _bounded(self, solution: Solution, record: ProgressRecorder) -> tuple[Solution, Bound]:
        """The final bound, and the solution or a better one found in the background."""
        background = record.background
        if background is None:
            return solution, self.radial
        background.see(solution)
        found = background.finish(record.wait_for_bound)
        if found.solution is not None and self.plan.free:  # else it is not of the rule asked for
            solution = self._cheaper(solution, found.solution, record)
        return solution, found if found.value >= self.radial.value else self.radial

    def _cheaper(self, solution: Solution, other: Solution, record: ProgressRecorder) -> Solution:
        """The better one; the other was found by something else than the search."""
        record.see(other)
        return min(solution, other, key=lambda s: cost(self.searched, s))


def _shortened(stop: Stop, seconds: float) -> Stop:
    """The same limits with some of the time used already, but never nearly all of it."""
    if stop.seconds is None:
        return stop
    return replace(stop, seconds=max(stop.seconds / 2, stop.seconds - seconds))


def _check(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, options: dict[str, Any]
) -> None:
    if not isinstance(instance, Instance):
        call = (
            f"solve(read({instance!r}))" if isinstance(instance, str | Path) else "solve(read(..))"
        )
        raise _wrong_type("instance", instance, "an Instance", call)
    if not isinstance(stop, Stop):
        raise _wrong_type("stop", stop, "a Stop", f"solve(.., stop=Stop(seconds={stop!r}))")
    limits = [field.name for field in fields(Stop)]
    for name, value in options.items():
        if name in limits:
            call = f"solve(.., stop=Stop({name}={value!r}))"
            raise InputError(f"{name} is a limit of a Stop; call {call}", field=name)
    if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= seed < 2**31:
        raise InputError(
            f"the seed is {seed!r}; it is a whole number from 0 to {2**31 - 1}",
            field="seed", value=seed,
        )  # fmt: skip
    if start is not None and not isinstance(start, Solution):
        raise _wrong_type(
            "start", start, "a Solution", "solve(.., start=read_solution(..).solution)"
        )
    if start is not None and (violations := validate(instance, start)):
        said = f"the start is not a valid solution: {violations[0].message}"
        raise InputError(said, field="start")
    warn_about_units(instance)


def _wrong_type(field: str, value: object, wanted: str, call: str) -> InputError:
    return InputError(
        f"{field} is {type(value).__name__} {reprlib.repr(value)}, not {wanted}; call {call}",
        field=field,
        value=value,
    )


def warn_about_units(instance: Instance) -> None:
    """Warns of a demand that fills very many vehicles."""
    if not instance.customers:
        return
    number = int(np.argmax(instance.demands))
    loads = int(instance.demands[number]) // instance.capacity
    if loads > MAX_PLAUSIBLE_LOADS:
        warnings.warn(
            f"customer {instance.customers[number - 1].id!r} needs {loads:,} full vehicles; "
            "are demand and capacity in the same unit?",
            InputWarning,
            stacklevel=3,
        )


def _check_options(
    engine: str, rule: str | Callable[..., SplitPlan], options: dict[str, Any]
) -> None:
    """Raises unless each of these is an option of the rule."""
    known = options_of(load(rules, rule).run)
    for name in options:
        if name in known:
            continue
        owners = [each for each in names(rules) if name in options_of(load(rules, each).run)]
        if owners:
            hint = f"it is one of the rule {owners[0]}: pass rule={owners[0]!r}"
            raise InputError(f"the rule {rule} has no option {name!r}; {hint}", field=name)
        raise InputError(f"the engine {engine} has no option {name!r}", field=name)


def _versions(can: Capabilities) -> tuple[tuple[str, str], ...]:
    packages = ["splitroute", *([can.package] if can.package else [])]
    return (*((p, version(p)) for p in packages), ("python", platform.python_version()))


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
