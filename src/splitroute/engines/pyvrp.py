"""PyVRP: iterated local search with late acceptance, for routing without splitting."""

import math
from typing import Any

from splitroute.engines import Capabilities
from splitroute.engines._pyvrp_model import PlainModel, RichModel
from splitroute.engines._supervised import ROUTING_RULES, TICK_SECONDS, supervise
from splitroute.engines._sweep import sweep
from splitroute.errors import EngineError
from splitroute.instance import Instance
from splitroute.progress import Listener, Progress
from splitroute.registry import require
from splitroute.solution import Solution, cost, rank
from splitroute.stop import Stop, TimeBudget

INFEASIBLE = 2**62  # PyVRP reports this cost or more

CAPABILITIES = Capabilities(
    supports_warm_start=True,
    supports_iteration_limit=True,
    supports_fleet_limit=True,
    package="pyvrp",
    rules=ROUTING_RULES | {"max_trips", "loading"},
)


def check() -> None:
    """Raise if PyVRP is not installed."""
    require("pyvrp", "pyvrp")


def run(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    """Solve an instance whose demands may not be split."""
    check()
    return supervise(_search, instance, stop, seed, start, listener)


def _search(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    budget = TimeBudget(stop)
    is_plain = not instance.rules and instance.vehicles is None
    # From a random start, PyVRP may need seconds for its first feasible solution.
    first = start or (sweep(instance) if is_plain else None)
    if first is not None:
        listener(Progress(budget.elapsed, 0, cost(instance, first), first))

    import pyvrp

    model = PlainModel(instance, len(first.routes)) if first and is_plain else RichModel(instance)
    observer = _Observer(instance, budget, model, listener)

    class Callbacks(pyvrp.IteratedLocalSearchCallbacks):  # type: ignore[misc]
        def on_iteration(self, current: Any, candidate: Any, best: Any, evaluator: Any) -> None:
            observer.report(best)

    params = pyvrp.SolveParams(
        ils=pyvrp.IteratedLocalSearchParams(callbacks=Callbacks()),
        penalty=_penalty_params(model.data),
    )
    result = pyvrp.solve(
        model.data,
        stop=observer.stop,
        seed=seed,
        collect_stats=False,
        params=params,
        initial_solution=None if first is None else model.start(first),
    )
    solutions = [] if start is None else [start]
    if result.best.is_feasible():
        solutions.append(model.solution(result.best))
    if not solutions:
        raise EngineError(
            "the engine pyvrp found no solution that respects all rules; give it more time, or "
            'use engine="native"'
        )
    return min(reversed(solutions), key=lambda solution: rank(instance, solution))


def _penalty_params(data: Any) -> Any:
    """Penalties per unit of overload, lateness or excess distance: at first those of a detour."""
    import pyvrp

    kinds, clients = data.vehicle_types(), data.clients()
    longest, slowest = (
        float(table.max()) for table in (data.distance_matrix(0), data.duration_matrix(0))
    )
    detour = max(1.0, *(longest * kind.unit_distance_cost for kind in kinds))
    # A lower maximum would make overload pay: it saves a vehicle, or earns a prize.
    vehicle = max(kind.fixed_cost + slowest * kind.unit_duration_cost for kind in kinds)
    prize = max((client.prize for client in clients), default=0)

    initial = pyvrp.PenaltyParams(max_penalty=detour).midpoint_penalties(data)

    class Params(pyvrp.PenaltyParams):  # type: ignore[misc]
        def midpoint_penalties(self, data: Any) -> Any:
            return initial

    return Params(max_penalty=detour + 2.0 * (vehicle + prize))


class _Observer:
    """Stopping criterion of PyVRP, called with the best solution after every iteration."""

    def __init__(
        self,
        instance: Instance,
        budget: TimeBudget,
        model: PlainModel | RichModel,
        listener: Listener,
    ) -> None:
        self._instance, self._budget = instance, budget
        self._model, self._listener = model, listener
        self._iterations = -1
        self._reported: object = None
        self._cost = math.inf
        self._is_stopped = False

    def stop(self, best_cost: float) -> bool:
        self._iterations += 1
        is_feasible = best_cost < INFEASIBLE
        cost = best_cost / self._model.cost_scale if is_feasible else math.inf
        return self._is_stopped or self._budget.should_stop(self._iterations, cost)

    def report(self, best: Any) -> None:
        if not self._budget.is_report_due(TICK_SECONDS):
            return
        solution = None
        if best is not self._reported and best.is_feasible():
            solution = self._model.solution(best)
            self._reported, self._cost = best, cost(self._instance, solution)
        progress = Progress(self._budget.elapsed, self._iterations, self._cost, solution)
        self._is_stopped = bool(self._listener(progress))
