"""One run of an engine under a rule, from the split plan to the result."""

from __future__ import annotations

import logging
import math
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import chain
from typing import Any

from splitroute import engines, rules
from splitroute.bounds import Bound
from splitroute.bounds.background import BackgroundBound
from splitroute.engines import Capabilities, Engine, capabilities_of, check_installed
from splitroute.errors import EngineError, MissingPackageError, SplitRouteError
from splitroute.instance import Instance
from splitroute.pass_through import with_shortest_paths
from splitroute.pipeline.arguments import check_method
from splitroute.pipeline.plans import choose_plans, make_plan, make_plans
from splitroute.pipeline.race import Race
from splitroute.progress import Listener, ProgressRecorder, RaceEntry
from splitroute.registry import load, name_of, options_of
from splitroute.repair import repair
from splitroute.result import Result
from splitroute.solution import Solution, cost, rank, with_departures
from splitroute.solution.reasons import Undelivered, explain_undelivered, infeasible
from splitroute.split_plan import SplitPlan
from splitroute.stop import Stop, TimeBudget
from splitroute.validation import Claims, validate

log = logging.getLogger("splitroute")
DEFAULT_ENGINE = "native"
# Instances up to this size get a lower bound by default.
MAX_CUSTOMERS_PROVEN = 50
MAX_LOADS_PROVEN = 200


class SolveRun:
    """One run: instance, rule, engine, their options and the time budget.

    The steps are called in order, inside of `reporting`.
    """

    recorder: ProgressRecorder
    seconds: float  # of the search
    baseline_seconds = 0.0
    race: tuple[RaceEntry, ...] = ()

    def __init__(
        self,
        instance: Instance,
        rule: str | Callable[..., SplitPlan] | None,
        engine: str | Callable[..., Solution],
        stop: Stop,
        seed: int,
        options: dict[str, Any],
    ) -> None:
        self.budget = TimeBudget(stop)
        self.instance, self.seed = instance, int(seed)
        module = load(engines, engine)
        self._search: Engine = module.run
        self.engine = name_of(engine)
        self.capabilities = capabilities_of(module)
        if self.capabilities.splits:
            rule = rule or "free"
        elif instance.splittable:
            rule = rule or "pasa"
        elif rule in (None, "free"):  # nothing may be split
            rule = "none"
        rule_options = {k: v for k, v in options.items() if k not in options_of(module.run)}
        self._engine_options = {k: v for k, v in options.items() if k not in rule_options}
        check_method(
            instance,
            rule,
            rule_options,
            self.engine,
            module.run,
            self._engine_options,
            self.capabilities,
        )
        check_installed(module, self._engine_options)
        # Distances may be shortest paths in the search; `restore` maps a solution back.
        self.searched, self._restore = with_shortest_paths(instance)
        # Only the first split plan is made now; a rule may leave the choice to a race.
        plans = make_plans(instance, rule, rule_options)
        self._plans = (replace(plan, instance=self.searched) for plan in plans)
        self.plan = next(self._plans)
        # Computed now: after the search there is no time left for it.
        self._radial_bound = Bound.radial(instance)
        self._versions = _versions(self.engine, self.capabilities)

    @contextmanager
    def reporting(self, listener: Listener | None, bound: float | None) -> Iterator[None]:
        """Report progress, with a lower bound in the background if there is to be one."""
        is_brief = bound is None and self._is_small
        seconds = self.budget.stop.seconds if is_brief else bound
        if not seconds:
            self._record(listener, None)
            yield
            return
        with BackgroundBound(
            self.instance,
            seconds,
            self.budget,
            stops_search=self.plan.free,
            ends_with_search=is_brief,
        ) as background:
            self._record(listener, background)
            yield

    def search(self) -> Solution:
        """Run the engine on the CVRP of the split plan, or of the best of several; merge."""
        rival = next(self._plans, None)
        if rival is None:
            return self._run(self.plan, self.budget, None, self.recorder.listener_for(self.plan))
        race = Race(
            self.budget,
            lambda p, budget, start: self._route(p, budget, start, self.recorder.listener_for(p)),
            lambda solution: rank(self.searched, solution),
            lambda: self.recorder.should_stop,
        )
        plans = choose_plans(chain((self.plan, rival), self._plans), self.budget)
        self.plan, solution = race.run(plans)
        self.race = tuple(race.entries)
        log.info("chose split plan %s in %d runs", self.plan.rule, len(self.race))
        return solution

    def search_from(self, start: Solution) -> Solution:
        """Improve a solution of the instance."""
        return self._improve(start.without_empty_visits(), self.budget)

    def polish(self, solution: Solution, seconds: float) -> Solution:
        """Improve the merged solution for that many seconds."""
        if not self.recorder.should_stop:
            with suppress(EngineError):  # there is a solution already
                return self._improve(solution, TimeBudget(Stop(seconds=seconds)))
        return solution

    def end_search(self, solution: Solution) -> Solution:
        """Return the best solution of the search and of the background bound."""
        # Under an iteration limit, which solutions are reported depends on the machine.
        if self.budget.stop.seconds is not None and not self.plan.free:
            solution = self.recorder.best_of(solution)
        self.recorder.add(solution)
        background = self.recorder.background
        if background is not None and background.solution is not None and self.plan.free:
            solution = self._better(solution, background.solution)
        self.seconds = self.budget.elapsed
        return solution

    def search_unsplit(self) -> Solution | None:
        """Solve without splitting; by the default engine if this one always splits."""
        if self.recorder.is_stop_requested:
            return None
        budget = TimeBudget(self.budget.stop)
        unsplit = None
        with suppress(SplitRouteError):  # such as too many pieces: the solution must not be lost
            plan = make_plan(replace(self.searched, vehicles=None), "none", {})
            if self.capabilities.requires_splitting:
                search: Engine = load(engines, DEFAULT_ENGINE).run
                budget.reserve_for(validated=len(self.instance.customers))
                stop, listener = budget.remaining_stop(), self.recorder.report_baseline
                unsplit = plan.merge(search(plan.to_cvrp(), stop, self.seed, None, listener))
            else:
                unsplit = self._run(plan, budget, None, self.recorder.report_baseline)
        self.baseline_seconds = self.budget.elapsed - self.seconds
        # With rules, full loads and a remainder may be more visits than a customer allows.
        if unsplit is not None and self.instance.rules and validate(plan.instance, unsplit):
            return None
        return unsplit

    def validated(self, solution: Solution, unsplit: Solution | None) -> Result:
        """Return the result; raise an EngineError if the solution is invalid."""
        instance = self.instance
        if unsplit is not None:
            if len(unsplit.routes) <= (instance.vehicles or math.inf):
                solution = self._better(solution, unsplit)
            unsplit = self._restore(unsplit)
        solution, bound = self._final_bound(self._restore(solution))
        if unsplit is not None and rank(instance, unsplit)[0] > rank(instance, solution)[0]:
            unsplit = None  # it delivers less, so its cost does not compare
        solution = with_departures(instance, solution)
        total = cost(instance, solution)
        undelivered = self._explain_undelivered(solution)
        self._validate(instance, solution, total)
        if unsplit is not None:  # may need more vehicles than there are
            self._validate(replace(instance, vehicles=None), unsplit)
        return Result(
            instance=instance,
            solution=solution,
            cost=total,
            undelivered=undelivered,
            seconds=self.seconds,
            rule=self.plan.rule,
            engine=self.engine,
            seed=self.seed,
            stop=self.budget.stop,
            pieces=self.plan.num_pieces,
            trace=self.recorder.trace(total),
            race=self.race,
            unsplit=unsplit,
            baseline_seconds=self.baseline_seconds,
            unsplit_cost=None if unsplit is None else cost(instance, unsplit),
            bound=bound.value,
            bound_trace=bound.trace,
            bound_seconds=bound.seconds,
            bound_rules=bound.rules,
            bound_relaxed=bound.relaxed,
            versions=self._versions,
        )

    @property
    def _is_small(self) -> bool:
        """Whether to try to prove optimality by default.

        Not under an iteration limit: the time of a proof depends on the machine.
        """
        instance, stop = self.instance, self.budget.stop
        return (
            self.plan.free
            and not instance.rules
            and stop.seconds is not None
            and stop.iterations is None
            and len(instance.customers) <= MAX_CUSTOMERS_PROVEN
            and int(instance.demands.sum()) <= MAX_LOADS_PROVEN * instance.capacity
        )

    def _record(self, listener: Listener | None, background: BackgroundBound | None) -> None:
        self.recorder = ProgressRecorder(
            self.searched,
            self._restore,
            listener,
            background,
            self._radial_bound.value,
            self.budget,
        )

    def _run(
        self, plan: SplitPlan, budget: TimeBudget, start: Solution | None, listener: Listener
    ) -> Solution:
        """Run the engine on the CVRP of a split plan; return its solution, merged."""
        return self._route(plan, budget, start, listener)[1]

    def _route(
        self, plan: SplitPlan, budget: TimeBudget, start: Solution | None, listener: Listener
    ) -> tuple[Solution, Solution]:
        """Run the engine on the CVRP of a split plan; return its solution, and that one merged."""
        cvrp = plan.to_cvrp()
        if not any(customer.demand for customer in cvrp.customers):
            return Solution(()), plan.merge(Solution(()))
        visits, direct = len(cvrp.customers), sum(plan.direct_loads)
        merged = direct if plan.free else visits + direct
        validated = merged + (0 if self.capabilities.keeps_time else visits)
        budget.reserve_for(merged=merged, validated=validated)
        stop = budget.remaining_stop()
        if stop.target is not None:
            stop = replace(stop, target=stop.target - plan.direct_cost)
        solution = self._search(cvrp, stop, self.seed, start, listener, **self._engine_options)
        if not isinstance(solution, Solution):  # an engine of another package
            raise EngineError(
                f"the engine {self.engine} returned {type(solution).__name__}, not a Solution",
                field="engine",
                value=self.engine,
            )
        routed = plan.merge(solution)
        if plan.rule == "free":  # the CVRP is the instance, validated at the end
            return solution, routed
        self._explain_undelivered(routed)  # which is no fault of the engine
        self._validate(cvrp, solution)
        if self.searched.rules and validate(self.searched, routed):
            # All of a quantity at one visit may take too long for its route, or come too late.
            routed = repair(self.searched, routed).solution
        return solution, routed

    def _improve(self, solution: Solution, budget: TimeBudget) -> Solution:
        """Continue from a solution: free to split it, or re-routing its visits."""
        if self.capabilities.splits:
            free = load(rules, "free").run(self.searched)
            plan, start = free.match_direct_loads(solution)
        else:
            plan, start = SplitPlan.from_visits(self.searched, solution)
        improved = self._run(plan, budget, start, self.recorder.listener_for(plan))
        return min(solution, improved, key=lambda s: rank(self.searched, s))

    def _final_bound(self, solution: Solution) -> tuple[Solution, Bound]:
        """Return the final bound, and the solution or a better one found with it."""
        background = self.recorder.background
        radial = self._radial_bound
        if self.instance.partial:
            radial = Bound.radial(self.instance, rank(self.instance, solution)[0])
        if background is None:
            return solution, radial
        background.update(solution)
        bound = background.finish(self.recorder.report_bound)
        if bound.solution is not None and self.plan.free:  # else it breaks the rule
            solution = self._better(solution, bound.solution)
        return solution, bound if bound.value >= radial.value else radial

    def _better(self, solution: Solution, other: Solution) -> Solution:
        """Return the better one; the other was found outside the search."""
        self.recorder.add(other)
        return min(solution, other, key=lambda s: rank(self.searched, s))

    def _explain_undelivered(self, solution: Solution) -> tuple[Undelivered, ...]:
        """Return what is not delivered and why; raise if it is mandatory."""
        instance = self.instance
        if not instance.rules:
            return ()
        items = explain_undelivered(instance, solution)
        mandatory = [i for i in items if instance.customers[i.customer - 1].penalty is None]
        if mandatory and not instance.partial:
            raise infeasible(instance, mandatory)
        return items

    def _validate(
        self, instance: Instance, solution: Solution, stated_cost: float | None = None
    ) -> None:
        violations = validate(instance, solution, Claims(stated_cost))
        if violations:
            more = f" (and {len(violations) - 1} more)" if len(violations) > 1 else ""
            raise EngineError(
                f"the engine {self.engine} returned an invalid solution: "
                f"{violations[0].message}{more}",
                field="engine",
                value=self.engine,
            )


def _versions(engine: str, capabilities: Capabilities) -> tuple[tuple[str, str], ...]:
    from importlib.metadata import PackageNotFoundError, version  # slow to import

    versions = [("splitroute", version("splitroute"))]
    if package := capabilities.package:
        try:
            versions.append((package, version(package)))
        except PackageNotFoundError:
            raise MissingPackageError(
                f"the engine {engine} needs the package {package!r}, which is not installed",
                field="engine",
                value=engine,
            ) from None
    return (*versions, ("python", platform.python_version()))
