"""Google OR-Tools: routing with guided local search."""

import math

from splitroute.engines import Capabilities
from splitroute.engines._ortools_model import PlainModel, RichModel
from splitroute.engines._supervised import ROUTING_RULES, TICK_SECONDS, supervise
from splitroute.engines._sweep import sweep
from splitroute.errors import EngineError
from splitroute.instance import Instance
from splitroute.progress import Listener, Progress
from splitroute.registry import require
from splitroute.solution import Solution, cost
from splitroute.stop import Stop, TimeBudget

CAPABILITIES = Capabilities(
    supports_warm_start=True,
    supports_iteration_limit=True,
    supports_fleet_limit=True,
    package="ortools",
    rules=ROUTING_RULES,
)


def check() -> None:
    """Raise if OR-Tools is not installed."""
    require("ortools", "ortools")


def run(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    """Solve without splitting; an iteration is a solution found, and the seed has no effect."""
    check()
    return supervise(_search, instance, stop, seed, start, listener)


def _search(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    budget = TimeBudget(stop)
    is_plain = not instance.rules and instance.vehicles is None
    # Its own first solution may take longer than the time limit.
    best = start or (sweep(instance) if is_plain else None)
    best_cost = math.inf
    if best is not None:
        best_cost = cost(instance, best)
        listener(Progress(budget.elapsed, 0, best_cost, best))

    from ortools.constraint_solver import pywrapcp, routing_enums_pb2

    routing: PlainModel | RichModel = (
        PlainModel(instance, len(best.routes)) if best and is_plain else RichModel(instance, start)
    )
    model = routing.model
    iterations = 0
    is_stopped = False

    def on_solution() -> None:
        nonlocal best, best_cost, iterations
        iterations += 1
        solution = routing.solution(lambda index: model.NextVar(index).Value())
        value = cost(instance, solution)
        if value < best_cost:
            best, best_cost = solution, value
            listener(Progress(budget.elapsed, iterations, value, solution))

    def is_over() -> bool:
        nonlocal is_stopped
        if budget.is_report_due(TICK_SECONDS):
            progress = Progress(budget.elapsed, iterations, best_cost)
            is_stopped = is_stopped or bool(listener(progress))
        return is_stopped or budget.should_stop(iterations, best_cost)

    settings = pywrapcp.DefaultRoutingSearchParameters()
    strategies = routing_enums_pb2.FirstSolutionStrategy
    # Savings need vehicles that are alike.
    settings.first_solution_strategy = (
        strategies.SAVINGS if is_plain else strategies.PARALLEL_CHEAPEST_INSERTION
    )
    settings.local_search_metaheuristic = (
        routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    )
    if stop.seconds is not None:
        settings.time_limit.FromMilliseconds(max(1, int(1000 * budget.remaining)))
    model.AddAtSolutionCallback(on_solution)
    model.CloseModelWithParameters(settings)
    model.AddSearchMonitor(model.solver().CustomLimit(is_over))
    if start is None:
        model.SolveWithParameters(settings)
    else:
        assignment = model.ReadAssignmentFromRoutes(routing.routes(start), True)
        if assignment is not None:  # else it is infeasible, once times are rounded
            model.SolveFromAssignmentWithParameters(assignment, settings)
        else:
            model.SolveWithParameters(settings)
    if best is None:
        raise EngineError(
            "the engine ortools found no solution that respects all rules; give it more time, or "
            'use engine="native"'
        )
    return best
