"""Google OR-Tools: routing with guided local search."""

from collections.abc import Callable
from typing import Any

from splitroute.engines import Capabilities
from splitroute.engines._supervised import TICK_SECONDS, supervise
from splitroute.engines._sweep import sweep
from splitroute.instance import Instance
from splitroute.progress import Listener, Progress
from splitroute.registry import require
from splitroute.solution import Solution, cost
from splitroute.stop import Stop, TimeBudget

CAPABILITIES = Capabilities(
    supports_warm_start=True, supports_iteration_limit=True, package="ortools"
)


def check() -> None:
    """Raise if OR-Tools is not installed."""
    require("ortools", "ortools")


def run(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    """Solve a CVRP; an iteration is a solution found, and the seed has no effect."""
    check()
    return supervise(_search, instance, stop, seed, start, listener)


def _search(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    budget = TimeBudget(stop)
    best = start or sweep(instance)  # its own first solution may take longer than the time limit
    best_cost = cost(instance, best)
    listener(Progress(budget.elapsed, 0, best_cost, best))

    from ortools.constraint_solver import pywrapcp, routing_enums_pb2

    vehicles = max(instance.sufficient_vehicles(), len(best.routes))
    manager = pywrapcp.RoutingIndexManager(len(instance.sites), vehicles, 0)
    model = pywrapcp.RoutingModel(manager)
    matrix, _ = instance.integer_distances()
    transit = model.RegisterTransitMatrix(matrix[instance.sites][:, instance.sites].tolist())
    model.SetArcCostEvaluatorOfAllVehicles(transit)
    load = model.RegisterUnaryTransitVector(instance.demands.tolist())
    model.AddDimension(load, 0, instance.capacity, True, "load")

    iterations = 0
    is_stopped = False

    def on_solution() -> None:
        nonlocal best, best_cost, iterations
        iterations += 1
        routes = _routes(model, manager, vehicles, lambda index: model.NextVar(index).Value())
        solution = Solution.unsplit(instance, routes)
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
    settings.first_solution_strategy = routing_enums_pb2.FirstSolutionStrategy.SAVINGS
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
        routes = [[visit.customer for visit in route.visits] for route in start.routes]
        assignment = model.ReadAssignmentFromRoutes(routes, True)
        model.SolveFromAssignmentWithParameters(assignment, settings)
    return best


def _routes(
    model: Any, manager: Any, vehicles: int, next_index: Callable[[int], int]
) -> list[list[int]]:
    routes = []
    for vehicle in range(vehicles):
        route, index = [], next_index(model.Start(vehicle))
        while not model.IsEnd(index):
            route.append(manager.IndexToNode(index))
            index = next_index(index)
        routes.append(route)
    return routes
