"""The contract of engines."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

from splitroute.engines import Capabilities, native
from splitroute.engines._sweep import sweep
from splitroute.errors import EngineError, InputError, MissingPackageError, SplitRouteError
from splitroute.instance import Instance
from splitroute.progress import Listener, Progress
from splitroute.rules import none
from splitroute.rules._admissible import admissible
from splitroute.solution import Route, Solution, Visit, cost
from splitroute.stop import Stop
from splitroute.testing._instances import (
    ASYMMETRIC,
    INSTANCES,
    LARGE_DEMANDS,
    MANY_PER_ROUTE,
    PLANE,
)
from splitroute.testing._rich_instances import rich_instances
from splitroute.validation import validate

COST_TOLERANCE = 1e-3  # relative: engines may round distances
ITERATIONS = 50
GOOD_ITERATIONS = 2000
TARGET = 1e6  # which every solution reaches
SEED = 1


def check_engine(
    run: Callable[..., Solution],
    capabilities: Capabilities | None = None,
    *,
    seconds: float = 0.5,
    stop_seconds: float = 30.0,
) -> None:
    """Raise AssertionError unless `run` keeps the contract of an engine with these capabilities.

    It returns a valid solution of every instance that it declares to solve, with every rule that
    it declares to respect, or raises an InputError or EngineError. It is never worse than its
    start and stops when the listener asks.
    `seconds` limits the runs of an engine without iteration limit; `stop_seconds` those that the
    listener or a target is to stop long before.
    """
    check = _EngineCheck(run, capabilities or Capabilities(), seconds, stop_seconds)
    check.solutions()
    check.determinism()
    check.iteration_limit()
    check.warm_start()
    check.fleet_limit()
    check.listener()
    check.target()
    check.hardly_any_time()
    check.undeclared_instances()
    check.rules()


class _EngineCheck:
    def __init__(
        self,
        run: Callable[..., Solution],
        capabilities: Capabilities,
        seconds: float,
        stop_seconds: float,
    ) -> None:
        self._run, self._capabilities = run, capabilities
        self._stop_seconds = stop_seconds
        has_limit = capabilities.supports_iteration_limit
        self._stop = Stop(iterations=ITERATIONS) if has_limit else Stop(seconds=seconds)

    def solutions(self) -> None:
        for instance in INSTANCES:
            for solved in self._solvable(instance):
                # Not every engine can tell the way there from the way back.
                self._solve(solved, allowed=InputError if instance is ASYMMETRIC else ())

    def determinism(self) -> None:
        if not self._capabilities.supports_iteration_limit:
            return
        for instance in self._solvable(PLANE):
            if self._solve(instance) != self._solve(instance):
                raise AssertionError(
                    "under an iteration limit, the solution depends on the seed alone: "
                    "two runs with the same seed gave different solutions"
                )

    def iteration_limit(self) -> None:
        if self._capabilities.supports_iteration_limit:
            return
        (instance, *_) = self._solvable(PLANE)
        if self._solve(instance, Stop(iterations=ITERATIONS), allowed=InputError) is not None:
            raise AssertionError(
                "an engine without `supports_iteration_limit` raises InputError if given one"
            )

    def warm_start(self) -> None:
        for instance in self._solvable(MANY_PER_ROUTE):
            poor = Solution(
                tuple(
                    Route((Visit(number, customer.demand),))
                    for number, customer in enumerate(instance.customers, 1)
                )
            )
            self._solve(instance, start=poor)
            if not self._capabilities.supports_warm_start:
                continue
            for start in (poor, _good_solution(instance)):
                improved = self._solve(instance, start=start)
                if improved is None or _is_worse(cost(instance, improved), cost(instance, start)):
                    raise AssertionError(
                        "with `supports_warm_start`, the solution is never worse than the start"
                    )

    def fleet_limit(self) -> None:
        if not self._capabilities.supports_fleet_limit:
            return
        for instance in self._solvable(PLANE):
            vehicles = -(-int(PLANE.demands.sum()) // PLANE.capacity)
            if not instance.splittable:
                vehicles = len(sweep(instance).routes)
            self._solve(replace(instance, vehicles=vehicles))

    def listener(self) -> None:
        def request_stop(progress: Progress) -> bool:
            return True

        (instance, *_) = self._solvable(PLANE)
        began = time.perf_counter()
        self._solve(
            instance, Stop(seconds=self._stop_seconds), listener=request_stop, allowed=EngineError
        )
        if time.perf_counter() - began >= self._stop_seconds:
            raise AssertionError(
                "an engine calls its listener regularly and stops when it returns True: "
                f"this one used up its {self._stop_seconds:g} s"
            )

    def target(self) -> None:
        (instance, *_) = self._solvable(PLANE)
        began = time.perf_counter()
        stop = Stop(seconds=self._stop_seconds, target=TARGET)
        self._solve(instance, stop, allowed=InputError)
        if time.perf_counter() - began >= self._stop_seconds:
            raise AssertionError(
                "an engine stops at a solution that costs no more than the target, or raises "
                f"InputError for a target: this one used up its {self._stop_seconds:g} s"
            )

    def hardly_any_time(self) -> None:
        (instance, *_) = self._solvable(PLANE)
        self._solve(instance, Stop(seconds=1e-6), allowed=EngineError)

    def undeclared_instances(self) -> None:
        if not self._capabilities.splits:
            self._solve(LARGE_DEMANDS, allowed=InputError)
        if self._capabilities.requires_splitting:
            self._solve(none.run(PLANE).to_cvrp(), allowed=InputError)

    def rules(self) -> None:
        """Solve an instance for each rule that the engine declares."""
        # The first solution that respects the rule is enough, and may need some iterations.
        stop = Stop(seconds=self._stop_seconds, target=TARGET)
        instances = rich_instances()
        if unknown := self._capabilities.rules - instances.keys():
            raise AssertionError(
                f"`rules` has {', '.join(map(repr, sorted(unknown)))}; known: "
                f"{', '.join(instances)}"
            )
        for rule, instance in instances.items():
            for solved in self._solvable(instance):
                if rule in solved.rules and solved.rules <= self._capabilities.rules:
                    self._solve(solved, stop)

    def _solvable(self, instance: Instance) -> list[Instance]:
        """The instance and the CVRP of its demands, as far as the engine solves them."""
        solvable = [instance] if self._capabilities.splits else []
        if not self._capabilities.requires_splitting:
            solvable.append(admissible(none.run(instance)).to_cvrp())
        return solvable

    def _solve(
        self,
        instance: Instance,
        stop: Stop | None = None,
        *,
        start: Solution | None = None,
        listener: Listener = lambda progress: None,
        allowed: type[SplitRouteError] | tuple[()] = (),
    ) -> Solution | None:
        """Return a valid solution, or None if the engine raised an allowed error."""
        best_cost = math.inf

        def check_progress(progress: Progress) -> bool | None:
            nonlocal best_cost
            if _is_worse(progress.cost, best_cost):
                raise _BrokenContract("the cost reported to the listener never rises")
            best_cost = min(best_cost, progress.cost)
            if progress.solution is not None:
                _check_valid(instance, progress.solution, "reports")
                true_cost = cost(instance, progress.solution)
                if not math.isclose(progress.cost, true_cost, rel_tol=COST_TOLERANCE):
                    raise _BrokenContract(
                        f"a reported cost is that of the solution: {progress.cost} is reported, "
                        f"the solution costs {true_cost}"
                    )
            return listener(progress)

        try:
            solution = self._run(instance, stop or self._stop, SEED, start, check_progress)
        except (_BrokenContract, MissingPackageError):
            raise
        except Exception as error:
            if isinstance(error, allowed):
                return None
            raise AssertionError(
                "an engine solves the instances that its capabilities declare and raises only "
                f"InputError and EngineError: on {instance.name!r} it raised {error!r}"
            ) from error
        _check_valid(instance, solution, "returns")
        return solution


def _good_solution(instance: Instance) -> Solution:
    """A solution that an engine is unlikely to find without it."""
    return native.run(instance, Stop(iterations=GOOD_ITERATIONS), SEED, None, lambda _: None)


class _BrokenContract(AssertionError):  # noqa: N818
    """Raised inside the listener, so that it is not taken for an error of the engine."""


def _check_valid(instance: Instance, solution: object, verb: str) -> None:
    if not isinstance(solution, Solution):
        raise _BrokenContract(f"an engine {verb} a Solution, not {type(solution).__name__}")
    if violations := validate(instance, solution):
        raise _BrokenContract(
            f"an engine {verb} valid solutions: {violations[0].message} ({instance.name!r})"
        )


def _is_worse(value: float, than: float) -> bool:
    return value > than * (1 + COST_TOLERANCE)
