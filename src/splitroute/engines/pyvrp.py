"""PyVRP: iterated local search with late acceptance, for the CVRP."""

from typing import Any

import numpy as np

from splitroute.engines import Capabilities
from splitroute.engines._supervised import TICK_SECONDS, supervise
from splitroute.engines._sweep import sweep
from splitroute.instance import Instance
from splitroute.progress import Listener, Progress
from splitroute.registry import require
from splitroute.solution import Solution, cost
from splitroute.stop import Stop, TimeBudget

CAPABILITIES = Capabilities(
    supports_warm_start=True, supports_iteration_limit=True, package="pyvrp"
)


def check() -> None:
    """Raise if PyVRP is not installed."""
    require("pyvrp", "pyvrp")


def run(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    """Solve a CVRP."""
    check()
    return supervise(_search, instance, stop, seed, start, listener)


def _search(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    budget = TimeBudget(stop)
    # From a random start, PyVRP may need seconds for its first feasible solution.
    first = start or sweep(instance)
    listener(Progress(budget.elapsed, 0, cost(instance, first), first))

    import pyvrp

    data, scale = _problem_data(instance, len(first.routes))
    observer = _Observer(instance, budget, scale, listener)

    class Callbacks(pyvrp.IteratedLocalSearchCallbacks):  # type: ignore[misc]
        def on_iteration(self, current: Any, candidate: Any, best: Any, evaluator: Any) -> None:
            observer.report(best)

    routes = [[visit.customer - 1 for visit in route.visits] for route in first.routes]
    # A maximum penalty per unit of overload below the length of a detour would make overload pay.
    longest = float(data.distance_matrix(0).max())
    params = pyvrp.SolveParams(
        ils=pyvrp.IteratedLocalSearchParams(callbacks=Callbacks()),
        penalty=pyvrp.PenaltyParams(max_penalty=max(1.0, longest)),
    )
    result = pyvrp.solve(
        data,
        stop=observer.stop,
        seed=seed,
        collect_stats=False,
        params=params,
        initial_solution=pyvrp.Solution(data, routes),
    )
    return _solution(instance, result.best)


class _Observer:
    """Stopping criterion of PyVRP, called with the best solution after every iteration."""

    def __init__(
        self, instance: Instance, budget: TimeBudget, scale: int, listener: Listener
    ) -> None:
        self._instance, self._budget = instance, budget
        self._scale, self._listener = scale, listener
        self._iterations = -1
        self._reported: object = None
        self._is_stopped = False

    def stop(self, best_cost: float) -> bool:
        self._iterations += 1
        cost = best_cost / self._scale
        return self._is_stopped or self._budget.should_stop(self._iterations, cost)

    def report(self, best: Any) -> None:
        if not best.is_feasible() or not self._budget.is_report_due(TICK_SECONDS):
            return
        solution = None if best is self._reported else _solution(self._instance, best)
        self._reported = best
        value = best.distance() / self._scale
        progress = Progress(self._budget.elapsed, self._iterations, value, solution)
        self._is_stopped = bool(self._listener(progress))


def _problem_data(instance: Instance, vehicles: int) -> tuple[Any, int]:
    """Return the instance as PyVRP's and the scale of its distances; pieces share locations."""
    import pyvrp

    matrix, scale = instance.integer_distances()
    places = instance.places or [(0.0, 0.0)] * len(matrix)
    data = pyvrp.ProblemData(
        locations=[pyvrp.Location(x, y) for x, y in places],
        clients=[pyvrp.Client(c.place, delivery=[c.demand]) for c in instance.customers],
        depots=[pyvrp.Depot(0)],
        vehicle_types=[
            pyvrp.VehicleType(max(vehicles, instance.sufficient_vehicles()), [instance.capacity])
        ],
        distance_matrices=[matrix],
        duration_matrices=[np.zeros_like(matrix)],
    )
    return data, scale


def _solution(instance: Instance, best: Any) -> Solution:
    routes = [[visit.idx + 1 for visit in route if visit.is_client()] for route in best.routes()]
    return Solution.unsplit(instance, routes)
