"""Vehicles: their types, numbers and trips, and the limits of each trip but those of time."""

from __future__ import annotations

from numbers import Integral

from splitroute.distances import Floats
from splitroute.instance import Instance
from splitroute.instance.customers import customer_name
from splitroute.solution import Solution
from splitroute.validation.columns import Columns
from splitroute.validation.values import Violation, exceeds


def unknown_vehicles(instance: Instance, solution: Solution) -> list[Violation]:
    """Vehicle types that do not exist, and numbers of vehicles and trips that are none."""
    if all((r.vehicle_type, r.vehicle, r.trip) == (0, 0, 1) for r in solution.routes):
        return []  # quick for plain solutions
    violations = []
    last = len(instance.vehicle_types) - 1
    for number, route in enumerate(solution.routes, 1):
        if not isinstance(route.vehicle_type, Integral) or not 0 <= route.vehicle_type <= last:
            message = f"route {number} has the vehicle type {route.vehicle_type!r}"
            allowed = f"they are numbered 0 to {last}" if last else "there is only type 0"
            violations.append(Violation("vehicle_type", f"{message}; {allowed}"))
        if not isinstance(route.vehicle, Integral) or route.vehicle < 0:
            message = f"route {number} has the vehicle {route.vehicle!r}; vehicles are 1, 2, .."
            violations.append(Violation("vehicle", message))
        if not isinstance(route.trip, Integral) or route.trip < 1:
            message = f"route {number} is trip {route.trip!r}; trips are 1, 2, .."
            violations.append(Violation("trip", message))
    return violations


def vehicle_violations(instance: Instance, solution: Solution) -> list[Violation]:
    """More vehicles or trips than there are, and trips that are not numbered 1, 2, and so on."""
    if not instance.fleet and all(r.vehicle == 0 for r in solution.routes):
        return _plain_vehicles(instance, solution)
    violations = []
    for index, kind in enumerate(instance.vehicle_types):
        routes = [route for route in solution.routes if route.vehicle_type == index]
        trips: dict[int, list[int]] = {}
        for route in routes:
            if route.vehicle:
                trips.setdefault(route.vehicle, []).append(route.trip)
        used = len(trips) + sum(not route.vehicle for route in routes)
        if kind.count is not None and used > kind.count:
            message = f"{used} vehicles of type {kind.type!r}, but its count is {kind.count}"
            violations.append(Violation("fleet", message))
        for vehicle, numbers in sorted(trips.items()):
            name = f"vehicle {vehicle} of type {kind.type!r}"
            if kind.count is not None and vehicle > kind.count:
                message = f"{name} does not exist; its count is {kind.count}"
                violations.append(Violation("vehicle", message))
            violations += _trips(name, sorted(numbers), kind.max_trips)
    violations += [
        Violation("trip", f"route {number} is trip {route.trip} of a vehicle without a number")
        for number, route in enumerate(solution.routes, 1)
        if not route.vehicle and route.trip != 1
    ]
    return violations


def _plain_vehicles(instance: Instance, solution: Solution) -> list[Violation]:
    if instance.vehicles is None or len(solution.routes) <= instance.vehicles:
        return []
    message = f"{len(solution.routes)} routes, but vehicles is {instance.vehicles}"
    return [Violation("fleet", message)]


def _trips(name: str, numbers: list[int], max_trips: int) -> list[Violation]:
    violations = []
    if len(numbers) > max_trips:
        message = f"{name} makes {len(numbers)} trips; max_trips is {max_trips}"
        violations.append(Violation("max_trips", message))
    if numbers != list(range(1, len(numbers) + 1)):
        found = ", ".join(map(str, numbers))
        message = f"{name} makes the trips {found}; they must be numbered 1, 2, .."
        violations.append(Violation("trip", message))
    return violations


def trip_violations(instance: Instance, columns: Columns) -> list[Violation]:
    """Trips with more or less load than allowed, or with too many stops."""
    unit, kinds = instance.unit, instance.vehicle_types
    violations = []
    for number, (route, load) in enumerate(
        zip(columns.solution.routes, columns.loads, strict=True), 1
    ):
        kind = kinds[route.vehicle_type]
        if load > kind.capacity:
            owner = f"the capacity of {kind.type!r}" if instance.fleet else "the capacity"
            message = f"route {number} carries {load * unit}; {owner} is {kind.capacity * unit}"
            violations.append(Violation("capacity", message))
        if load < kind.min_load:
            message = f"route {number} carries {load * unit}"
            message += f"; min_load of {kind.type!r} is {kind.min_load * unit}"
            violations.append(Violation("min_load", message))
        if kind.max_stops is None:
            continue
        stops = sum(1 for visit in route.visits if visit.quantity)
        if stops > kind.max_stops:
            message = f"route {number} has {stops} stops"
            message += f"; max_stops of {kind.type!r} is {kind.max_stops}"
            violations.append(Violation("max_stops", message))
    return violations


def distance_violations(instance: Instance, solution: Solution, lengths: Floats) -> list[Violation]:
    """Trips that are longer than allowed."""
    violations = []
    for number, (route, length) in enumerate(
        zip(solution.routes, lengths.tolist(), strict=True), 1
    ):
        kind = instance.vehicle_types[route.vehicle_type]
        if kind.max_distance is not None and exceeds(length, kind.max_distance):
            message = (
                f"the distance of route {number} is {length:.10g}, "
                f"{length - kind.max_distance:.6g} more than max_distance of {kind.type!r}, "
                f"which is {kind.max_distance:.10g}"
            )
            violations.append(Violation("max_distance", message))
    return violations


def access_violations(instance: Instance, solution: Solution) -> list[Violation]:
    """Visits by vehicle types that the customer does not allow."""
    violations = []
    for number, route in enumerate(solution.routes, 1):
        name = instance.vehicle_types[route.vehicle_type].type
        for visit in route.visits:
            is_known = 1 <= visit.customer <= len(instance.customers)
            allowed = instance.customers[visit.customer - 1].vehicle_types if is_known else None
            if allowed is not None and visit.quantity and name not in allowed:
                message = (
                    f"route {number} serves {customer_name(instance, visit.customer)} "
                    f"with a vehicle of type {name!r}; it allows {', '.join(map(repr, allowed))}"
                )
                violations.append(Violation("vehicle_types", message))
    return violations
