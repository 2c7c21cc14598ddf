"""An instance as PyVRP's problem data, and solutions to and from PyVRP's."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np

from splitroute.engines._integers import IntegerModel
from splitroute.errors import EngineError, InputError
from splitroute.instance import Instance, VehicleType
from splitroute.solution import Route, Solution, Visit, trips_of_vehicles

ENGINE = "pyvrp"
ACCESS = 1000  # load of a customer that some types may not serve; so much that it never pays


class PlainModel:
    """A CVRP with equal vehicles in unlimited number; pieces share locations."""

    def __init__(self, instance: Instance, vehicles: int) -> None:
        import pyvrp

        self._instance = instance
        matrix, self.cost_scale = instance.integer_distances()
        places = instance.places or [(0.0, 0.0)] * len(matrix)
        self.data = pyvrp.ProblemData(
            locations=[pyvrp.Location(x, y) for x, y in places],
            clients=[pyvrp.Client(c.place, delivery=[c.demand]) for c in instance.customers],
            depots=[pyvrp.Depot(0)],
            vehicle_types=[
                pyvrp.VehicleType(
                    max(vehicles, instance.sufficient_vehicles()), [instance.capacity]
                )
            ],
            distance_matrices=[matrix],
            duration_matrices=[np.zeros_like(matrix)],
        )

    def start(self, solution: Solution) -> Any:
        """PyVRP's solution of these routes."""
        import pyvrp

        routes = [[visit.customer - 1 for visit in route.visits] for route in solution.routes]
        return pyvrp.Solution(self.data, routes)

    def solution(self, best: Any) -> Solution:
        """The solution that PyVRP found."""
        routes = [[visit.idx + 1 for visit in r if visit.is_client()] for r in best.routes()]
        return Solution.unsplit(self._instance, routes)


class RichModel:
    """An instance with rules.

    A customer with several windows is a group of clients, one for each window, of which one is
    served. Who may serve a customer, and how many are served, are further dimensions of the load.
    """

    def __init__(self, instance: Instance) -> None:
        import pyvrp

        check_rules(instance)
        self._instance = instance
        self._numbers = numbers = IntegerModel(instance)
        self.cost_scale = numbers.cost_scale
        self._has_max_stops = any(v.max_stops is not None for v in instance.vehicle_types)
        groups = {c.vehicle_types for c in instance.customers if c.vehicle_types is not None}
        self._access = sorted(groups)
        self._owners: list[int] = []  # customer of each client
        self._clients_of: list[list[int]] = [[]]  # clients of each customer
        places = instance.places or [(0.0, 0.0)] * len(numbers.distances)
        clients, client_groups = self._clients()
        depots = self._depots()
        self.data = pyvrp.ProblemData(
            locations=[pyvrp.Location(x, y) for x, y in places],
            clients=clients,
            depots=depots,
            vehicle_types=self._vehicle_types(depots),
            distance_matrices=[numbers.distances],
            duration_matrices=[numbers.durations],
            groups=client_groups,
        )

    def start(self, solution: Solution) -> Any:
        """PyVRP's solution of these routes; it may be infeasible, as times are rounded."""
        import pyvrp

        routes = []
        for indices in trips_of_vehicles(solution):
            kind = solution.routes[indices[0]].vehicle_type
            activities: list[str] = []
            for k in indices:
                if activities:
                    activities.append(f"D{self._reload_depots[kind]}")
                visits = solution.routes[k].visits
                activities += [f"C{self._clients_of[v.customer][0]}" for v in visits]
            path = [pyvrp.Activity(activity) for activity in activities]
            routes.append(pyvrp.Route(self.data, path, kind))
        return pyvrp.Solution(self.data, routes)

    def solution(self, best: Any) -> Solution:
        """The solution that PyVRP found."""
        demands = self._instance.demands.tolist()
        used: dict[int, int] = {}
        routes: list[Route] = []
        for route in best.routes():
            kind = route.vehicle_type()
            used[kind] = used.get(kind, 0) + 1
            activities = [activity for activity in route if activity.is_client()]
            trips = groupby(activities, key=lambda activity: activity.trip)
            for trip, (_, clients) in enumerate(trips, 1):
                customers = [self._owners[client.idx] for client in clients]
                visits = tuple(Visit(c, demands[c]) for c in customers)
                routes.append(Route(visits, kind, used[kind], trip))
        return Solution(tuple(routes))

    def _clients(self) -> tuple[list[Any], list[Any]]:
        import pyvrp

        clients: list[Any] = []
        groups: list[Any] = []
        services = self._numbers.services()
        for number, customer in enumerate(self._instance.customers, 1):
            penalty = self._numbers.penalty(customer)
            load = [customer.demand, *([1] if self._has_max_stops else [])]
            load += [ACCESS * (customer.vehicle_types == allowed) for allowed in self._access]
            windows: list[tuple[int, int] | None] = [None]
            if customer.windows:
                windows = [*self._numbers.windows(customer.windows)]
                if not windows:
                    raise EngineError(
                        f"the engine {ENGINE} rounds times to whole numbers, after which the "
                        f"window of customer {customer.id!r} is empty"
                    )
            is_grouped = len(windows) > 1
            self._clients_of.append([])
            for window in windows:
                first, last = window or (0, None)
                client = pyvrp.Client(
                    customer.place,
                    delivery=load,
                    service_duration=services[number - 1],
                    tw_early=first,
                    **({} if last is None else {"tw_late": last}),
                    prize=penalty or 0,
                    required=penalty is None and not is_grouped,
                    group=len(groups) if is_grouped else None,
                )
                self._clients_of[number].append(len(clients))
                self._owners.append(number)
                clients.append(client)
            if is_grouped:
                groups.append(pyvrp.ClientGroup(self._clients_of[number], penalty is None))
        return clients, groups

    def _depots(self) -> list[Any]:
        """The depots, and for each type with several trips one that takes time for loading."""
        import pyvrp

        instance, numbers = self._instance, self._numbers
        depots = []
        windows = [self._depot_window(depot.windows) for depot in instance.depots]
        for depot, (first, last) in zip(instance.depots, windows, strict=True):
            depots.append(pyvrp.Depot(depot.place, first, last))
        self._reload_depots: dict[int, int] = {}
        for k, kind in enumerate(instance.vehicle_types):
            if kind.max_trips == 1:
                continue
            at = self._depot(kind.depot)
            first, last = windows[at]
            loading = int(numbers.time(np.array([kind.loading]))[0])
            self._reload_depots[k] = len(depots)
            # The next departure, after loading, must be in the window, too.
            late = max(first, last - loading) if instance.depots[at].windows else last
            depots.append(pyvrp.Depot(instance.depots[at].place, first, late, loading))
        return depots

    def _depot_window(self, windows: Any) -> tuple[int, int]:
        if not windows:
            return 0, np.iinfo(np.int64).max
        (window,) = self._numbers.windows(windows) or [(0, 0)]
        return window

    def _vehicle_types(self, depots: list[Any]) -> list[Any]:
        import pyvrp

        instance, numbers = self._instance, self._numbers
        types = []
        for k, kind in enumerate(instance.vehicle_types):
            start = self._depot(kind.depot)
            end = start if kind.end_depot is None else self._depot(kind.end_depot)
            options: dict[str, int] = {}
            if kind.shift is not None:
                options["tw_early"], options["tw_late"] = numbers.windows((kind.shift,))[0]
            elif not instance.depots[start].windows:
                options["tw_early"] = numbers.earliest()
            if kind.max_duration is not None:
                options["shift_duration"] = numbers.max_time(kind.max_duration)
            if kind.max_distance is not None:
                options["max_distance"] = numbers.max_distance(kind.max_distance)
            types.append(
                pyvrp.VehicleType(
                    self._count(kind),
                    self._capacity(kind),
                    start_depot=start,
                    end_depot=end,
                    fixed_cost=numbers.cost(kind.fixed_cost),
                    unit_distance_cost=numbers.distance_rate(kind),
                    unit_duration_cost=numbers.time_rate(kind),
                    reload_depots=[self._reload_depots[k]] if k in self._reload_depots else [],
                    max_reloads=kind.max_trips - 1,
                    **options,
                )
            )
        return types

    def _count(self, kind: VehicleType) -> int:
        enough = max(1, len(self._instance.customers))
        return enough if kind.count is None else min(kind.count, enough)

    def _capacity(self, kind: VehicleType) -> list[int]:
        enough = max(1, len(self._instance.customers))
        capacity = [kind.capacity]
        if self._has_max_stops:
            capacity.append(enough if kind.max_stops is None else kind.max_stops)
        return capacity + [ACCESS * enough * (kind.type in allowed) for allowed in self._access]

    def _depot(self, id: str | None) -> int:
        ids = [depot.id for depot in self._instance.depots]
        return 0 if id is None else ids.index(id)


def check_rules(instance: Instance) -> None:
    """Raise for combinations of rules that PyVRP does not know."""
    for depot in instance.depots:
        if len(depot.windows) > 1:
            raise _unsupported("depots", f"several windows of a depot ({depot.id!r})")
    for kind in instance.vehicle_types:
        if kind.max_trips == 1:
            continue
        for field in ("max_distance", "max_duration"):
            if getattr(kind, field) is not None:
                message = f"{field} of each trip of a vehicle with several trips ({kind.type!r})"
                raise _unsupported(field, message)
        if kind.cost_per_time:
            message = f"cost_per_time of a vehicle with several trips ({kind.type!r})"
            raise _unsupported("cost_per_time", message)
        if kind.end_depot not in (None, kind.depot or instance.depots[0].id):
            message = f"several trips with an end_depot ({kind.type!r})"
            raise _unsupported("max_trips", message)


def _unsupported(field: str, what: str) -> InputError:
    message = f'the engine {ENGINE} does not support {what}; use engine="native"'
    return InputError(message, field=field)
