"""Independent check of a solution; shares no arithmetic with the search or the cost kernels."""

from __future__ import annotations

import math
from pathlib import Path

from splitroute.errors import InputError, wrong_type
from splitroute.instance import Instance
from splitroute.solution import Solution
from splitroute.validation.columns import Columns
from splitroute.validation.costs import Legs, cost_violations, recomputed_parts
from splitroute.validation.quantities import (
    demand_violations,
    load_violations,
    split_violations,
    type_violations,
    visit_violations,
)
from splitroute.validation.times import Trip, start_violations, time_violations, trips_of
from splitroute.validation.values import NO_CLAIMS, Claims, Violation
from splitroute.validation.vehicles import (
    access_violations,
    distance_violations,
    trip_violations,
    unknown_vehicles,
    vehicle_violations,
)

__all__ = [
    "Claims",
    "Violation",
    "check_instance",
    "check_solution",
    "check_types",
    "recomputed_cost",
    "recomputed_costs",
    "validate",
]


def validate(instance: Instance, solution: Solution, claims: Claims = NO_CLAIMS) -> list[Violation]:
    """Return all violations; none if the solution is valid and the claims are true."""
    check_types("validate", instance, solution)
    violations = type_violations(solution) + unknown_vehicles(instance, solution)
    if violations := violations + start_violations(solution):
        return violations  # nothing can be added up
    columns = Columns(solution)
    violations = visit_violations(instance, columns)
    is_measurable = not any(violation.kind == "customer" for violation in violations)
    violations += trip_violations(instance, columns)
    violations += demand_violations(instance, columns, claims)
    violations += vehicle_violations(instance, solution)
    if "vehicle_types" in instance.rules:
        violations += access_violations(instance, solution)
    violations += split_violations(instance, columns)
    violations += load_violations(instance, columns, claims)
    return violations + (_measured(instance, columns, claims) if is_measurable else [])


def _measured(instance: Instance, columns: Columns, claims: Claims) -> list[Violation]:
    """Violations and false claims of distance, time and cost."""
    has_costs = claims.cost is not None or claims.route_costs or claims.cost_parts
    has_times = claims.ends or claims.visit_times
    if not (instance.rules or instance.has_times or has_costs or has_times):
        return []
    legs = Legs(instance, columns)
    lengths = legs.route_lengths()
    violations = distance_violations(instance, columns.solution, lengths)
    trips = _trips(instance, columns, legs, claims)
    if trips is not None:
        violations += time_violations(instance, trips, claims)
    costs = recomputed_parts(instance, columns, lengths, trips)
    return violations + cost_violations(*costs, claims)


def _trips(
    instance: Instance, columns: Columns, legs: Legs, claims: Claims = NO_CLAIMS
) -> list[Trip] | None:
    """The times of all routes, if they matter."""
    if not (instance.has_times or claims.ends or claims.visit_times):
        return None
    return trips_of(instance, columns, legs.durations)


def recomputed_costs(instance: Instance, solution: Solution) -> list[float]:
    """Cost of each route, by arithmetic of its own; customers and vehicle types must exist."""
    return _recomputed(instance, solution)[0]


def recomputed_cost(instance: Instance, solution: Solution) -> float:
    """Total cost, by arithmetic of its own; customers and vehicle types must exist."""
    return math.fsum(_recomputed(instance, solution)[1].values())


def _recomputed(instance: Instance, solution: Solution) -> tuple[list[float], dict[str, float]]:
    columns = Columns(solution)
    legs = Legs(instance, columns)
    trips = _trips(instance, columns, legs)
    return recomputed_parts(instance, columns, legs.route_lengths(), trips)


def check_instance(instance: object, function: str) -> None:
    """Raise unless this is an Instance; the function is the one called with it."""
    if not isinstance(instance, Instance):
        source = "read(..)"
        if isinstance(instance, str | Path):
            source = f"read({instance!r})"
        elif hasattr(instance, "columns"):  # a data frame
            source = "Instance.from_dataframe(..)"
        raise wrong_type("instance", instance, "an Instance", f"{function}({source})")


def check_solution(instance: Instance, solution: object, field: str, function: str) -> None:
    """Raise unless the argument `field` of the function is a valid solution."""
    if not isinstance(solution, Solution):
        has_solution = isinstance(getattr(solution, "solution", None), Solution)
        name = "result" if has_solution else "read_solution(..)"
        raise wrong_type(field, solution, "a Solution", f"{function}(.., {field}={name}.solution)")
    if violations := validate(instance, solution):
        message = f"{field} is not a valid solution: {violations[0].message}"
        raise InputError(message, field=field)


def check_types(function: str, instance: object, solution: object) -> None:
    """Raise unless these are an Instance and a Solution; the function is the one called."""
    if not isinstance(instance, Instance):
        call = f"{function}(read(..), solution)"
        raise wrong_type("instance", instance, "an Instance", call)
    if not isinstance(solution, Solution):
        has_solution = isinstance(getattr(solution, "solution", None), Solution)
        name = f"{'result' if hasattr(solution, 'cost') else 'parsed'}.solution"
        call = f"{function}(instance, {name if has_solution else 'solution'})"
        raise wrong_type("solution", solution, "a Solution", call)
