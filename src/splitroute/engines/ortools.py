"""Google OR-Tools: routing with guided local search."""

from typing import Any

from splitroute.engines import Capabilities
from splitroute.engines._supervised import TICK_SECONDS, supervise
from splitroute.engines._sweep import sweep
from splitroute.instance import Instance
from splitroute.progress import Listener, Progress
from splitroute.registry import require
from splitroute.solution import Solution, cost
from splitroute.stop import Stop, TimeBudget

CAPABILITIES = Capabilities(warm_start=True, iteration_limit=True, package="ortools")


def check() -> None:
    """Raises if it is not installed."""
    require("ortools", "ortools")


def run(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    """A solution of the CVRP; an iteration is a solution found, and the seed has no effect."""
    check()
    return supervise(_search, instance, stop, seed, start, listener)


def _search(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    budget = TimeBudget(stop)
    best = start or sweep(instance)  # building its own first solution may take longer than allowed
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

    found = 0
    told_to_stop = False

    def improved() -> None:
        nonlocal best, best_cost, found
        found += 1
        routes = _routes(model, manager, vehicles, lambda index: model.NextVar(index).Value())
        solution = Solution.unsplit(instance, routes)
        value = cost(instance, solution)
        if value < best_cost:
            best, best_cost = solution, value
            listener(Progress(budget.elapsed, found, value, solution))

    def enough() -> bool:
        nonlocal told_to_stop
        if budget.is_report_due(TICK_SECONDS):
            told_to_stop = told_to_stop or bool(
                listener(Progress(budget.elapsed, found, best_cost))
            )
        return told_to_stop or budget.should_stop(found, best_cost)

    settings = pywrapcp.DefaultRoutingSearchParameters()
    settings.first_solution_strategy = routing_enums_pb2.FirstSolutionStrategy.SAVINGS
    settings.local_search_metaheuristic = (
        routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    )
    if stop.seconds is not None:
        settings.time_limit.FromMilliseconds(max(1, int(1000 * budget.remaining)))
    model.AddAtSolutionCallback(improved)
    model.CloseModelWithParameters(settings)
    model.AddSearchMonitor(model.solver().CustomLimit(enough))
    if start is None:
        model.SolveWithParameters(settings)
    else:
        routes = [[visit.customer for visit in route.visits] for route in start.routes]
        first = model.ReadAssignmentFromRoutes(routes, True)
        model.SolveFromAssignmentWithParameters(first, settings)
    return best


def _routes(model: Any, manager: Any, vehicles: int, following: Any) -> list[list[int]]:
    routes = []
    for vehicle in range(vehicles):
        route, index = [], following(model.Start(vehicle))
        while not model.IsEnd(index):
            route.append(manager.IndexToNode(index))
            index = following(index)
        routes.append(route)
    return routes
