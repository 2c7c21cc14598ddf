"""An instance as a routing model of OR-Tools, and solutions to and from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from splitroute.engines._integers import IntegerModel
from splitroute.errors import EngineError
from splitroute.instance import Instance, VehicleType
from splitroute.solution import Route, Solution, Visit

MAX_VEHICLES = 200  # of a type, where their number is unlimited
HORIZON = 10**12


class PlainModel:
    """A CVRP with equal vehicles in unlimited number."""

    def __init__(self, instance: Instance, vehicles: int) -> None:
        from ortools.constraint_solver import pywrapcp

        self._instance = instance
        self._vehicles = max(instance.sufficient_vehicles(), vehicles)
        self.manager = pywrapcp.RoutingIndexManager(len(instance.sites), self._vehicles, 0)
        self.model = pywrapcp.RoutingModel(self.manager)
        matrix, _ = instance.integer_distances()
        table = matrix[instance.sites][:, instance.sites]
        transit = self.model.RegisterTransitMatrix(table.tolist())
        self.model.SetArcCostEvaluatorOfAllVehicles(transit)
        load = self.model.RegisterUnaryTransitVector(instance.demands.tolist())
        self.model.AddDimension(load, 0, instance.capacity, True, "load")

    def routes(self, solution: Solution) -> list[list[int]]:
        """Nodes of each vehicle of the model, in a solution."""
        return [[visit.customer for visit in route.visits] for route in solution.routes]

    def solution(self, after: Callable[[int], int]) -> Solution:
        """The solution in which each index is followed by another."""
        routes = []
        for vehicle in range(self._vehicles):
            route, index = [], after(self.model.Start(vehicle))
            while not self.model.IsEnd(index):
                route.append(self.manager.IndexToNode(index))
                index = after(index)
            routes.append(route)
        return Solution.unsplit(self._instance, routes)


class RichModel:
    """An instance with rules: one vehicle of the model for each vehicle of each type.

    Nodes are the depots, then the customers.
    """

    def __init__(self, instance: Instance, start: Solution | None) -> None:
        from ortools.constraint_solver import pywrapcp

        self._instance = instance
        self._numbers = IntegerModel(instance)
        used = Counter(route.vehicle_type for route in start.routes) if start else Counter()
        self._kinds = [
            k
            for k, kind in enumerate(instance.vehicle_types)
            for _ in range(max(used[k], _count(instance, kind)))
        ]
        ids = [depot.id for depot in instance.depots]
        kinds = [instance.vehicle_types[k] for k in self._kinds]
        starts = [0 if v.depot is None else ids.index(v.depot) for v in kinds]
        ends = [
            s if v.end_depot is None else ids.index(v.end_depot)
            for s, v in zip(starts, kinds, strict=True)
        ]
        self._first = len(ids)  # node of customer 1
        nodes = self._first + len(instance.customers)
        self.manager = pywrapcp.RoutingIndexManager(nodes, len(kinds), starts, ends)
        self.model = pywrapcp.RoutingModel(self.manager)
        self._places = [d.place for d in instance.depots] + [c.place for c in instance.customers]
        self._add_costs(kinds)
        self._add_loads(kinds)
        if instance.has_times:
            self._add_times(kinds)
        self._add_customers()

    def routes(self, solution: Solution) -> list[list[int]]:
        """Nodes of each vehicle of the model, in a solution."""
        free: dict[int, list[int]] = {}
        for vehicle, kind in reversed(list(enumerate(self._kinds))):
            free.setdefault(kind, []).append(vehicle)
        routes: list[list[int]] = [[] for _ in self._kinds]
        for route in solution.routes:
            vehicle = free[route.vehicle_type].pop()
            routes[vehicle] = [self._node(visit.customer) for visit in route.visits]
        return routes

    def solution(self, after: Callable[[int], int]) -> Solution:
        """The solution in which each index is followed by another."""
        demands = self._instance.demands.tolist()
        used: dict[int, int] = {}
        routes = []
        for vehicle, kind in enumerate(self._kinds):
            visits, index = [], after(self.model.Start(vehicle))
            while not self.model.IsEnd(index):
                customer = self.manager.IndexToNode(index) - self._first + 1
                visits.append(Visit(customer, demands[customer]))
                index = after(index)
            if visits:
                used[kind] = used.get(kind, 0) + 1
                routes.append(Route(tuple(visits), kind, used[kind]))
        return Solution(tuple(routes))

    def _node(self, customer: int) -> int:
        return self._first + customer - 1

    def _add_costs(self, kinds: list[VehicleType]) -> None:
        table = self._numbers.distances[np.ix_(self._places, self._places)]
        self._distance = self.model.RegisterTransitMatrix(table.tolist())
        evaluators: dict[int, int] = {}
        for vehicle, kind in enumerate(kinds):
            rate = self._numbers.distance_rate(kind)
            if rate not in evaluators:
                evaluators[rate] = self.model.RegisterTransitMatrix((table * rate).tolist())
            self.model.SetArcCostEvaluatorOfVehicle(evaluators[rate], vehicle)
            self.model.SetFixedCostOfVehicle(self._numbers.cost(kind.fixed_cost), vehicle)
        if any(kind.max_distance is not None for kind in kinds):
            limits = [
                HORIZON if v.max_distance is None else self._numbers.max_distance(v.max_distance)
                for v in kinds
            ]
            self.model.AddDimensionWithVehicleCapacity(self._distance, 0, limits, True, "distance")

    def _add_loads(self, kinds: list[VehicleType]) -> None:
        zeros = [0] * self._first
        demands = self.model.RegisterUnaryTransitVector(
            zeros + [customer.demand for customer in self._instance.customers]
        )
        capacities = [kind.capacity for kind in kinds]
        self.model.AddDimensionWithVehicleCapacity(demands, 0, capacities, True, "load")
        if any(kind.max_stops is not None for kind in kinds):
            stops = self.model.RegisterUnaryTransitVector(
                zeros + [1] * len(self._instance.customers)
            )
            enough = len(self._instance.customers)
            limits = [enough if kind.max_stops is None else kind.max_stops for kind in kinds]
            self.model.AddDimensionWithVehicleCapacity(stops, 0, limits, True, "stops")

    def _add_times(self, kinds: list[VehicleType]) -> None:
        numbers, model = self._numbers, self.model
        table = numbers.durations[np.ix_(self._places, self._places)]
        services = np.array([0] * self._first + numbers.services())
        transit = model.RegisterTransitMatrix((table + services[:, None]).tolist())
        model.AddDimension(transit, HORIZON, HORIZON, False, "time")
        time = model.GetDimensionOrDie("time")
        for number, customer in enumerate(self._instance.customers, 1):
            if customer.windows:
                variable = time.CumulVar(self.manager.NodeToIndex(self._node(number)))
                _restrict(variable, numbers.windows(customer.windows))
        depots = {depot.id: depot for depot in self._instance.depots}
        first = self._instance.depots[0].id
        for vehicle, kind in enumerate(kinds):
            start, end = (time.CumulVar(at(vehicle)) for at in (model.Start, model.End))
            start_id = kind.depot or first
            earliest = 0 if depots[start_id].windows else numbers.earliest()
            shift = numbers.windows((kind.shift,)) if kind.shift else [(earliest, HORIZON)]
            for variable, id in ((start, start_id), (end, kind.end_depot or start_id)):
                _restrict(variable, shift)
                if depots[id].windows:
                    _restrict(variable, numbers.windows(depots[id].windows))
                model.AddVariableMinimizedByFinalizer(variable)
            if kind.max_duration is not None:
                limit = numbers.max_time(kind.max_duration)
                time.SetSpanUpperBoundForVehicle(limit, vehicle)
            time.SetSpanCostCoefficientForVehicle(numbers.time_rate(kind), vehicle)

    def _add_customers(self) -> None:
        """Who may serve a customer, and what it costs if nobody does."""
        types = [self._instance.vehicle_types[k].type for k in self._kinds]
        for number, customer in enumerate(self._instance.customers, 1):
            index = self.manager.NodeToIndex(self._node(number))
            if customer.vehicle_types is not None:
                vehicles = [v for v, type in enumerate(types) if type in customer.vehicle_types]
                self.model.VehicleVar(index).SetValues([-1, *vehicles])
            if (penalty := self._numbers.penalty(customer)) is not None:
                self.model.AddDisjunction([index], penalty)


def _count(instance: Instance, kind: VehicleType) -> int:
    enough = min(MAX_VEHICLES, max(1, len(instance.customers)))
    return enough if kind.count is None else min(kind.count, len(instance.customers))


def _restrict(variable: Any, windows: list[tuple[int, int]]) -> None:
    """Restrict a variable to windows in ascending order."""
    if not windows:
        raise EngineError(
            "the engine ortools rounds times to whole numbers; a window is empty then"
        )
    variable.SetRange(windows[0][0], windows[-1][1])
    for (_, closes), (opens, _) in pairwise(windows):
        if closes + 1 < opens:
            variable.RemoveInterval(closes + 1, opens - 1)
