"""Independent check of a solution; shares no arithmetic with the search or the cost kernels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import chain
from numbers import Integral
from pathlib import Path

import numpy as np

from splitroute.distances import Floats, Integers
from splitroute.errors import InputError, wrong_type
from splitroute.instance import Instance
from splitroute.solution import Solution


@dataclass(frozen=True, slots=True)
class Violation:
    """A violated constraint or a false claim."""

    kind: str  # customer, quantity, capacity, demand, fleet, split, load, cost or metric
    message: str


@dataclass(frozen=True, slots=True)
class Claims:
    """Stated costs and loads of a solution; None where nothing is stated.

    A Decimal counts as rounded to its digits, a float as exact.
    """

    cost: Decimal | float | None = None
    route_costs: tuple[Decimal | float | None, ...] = ()
    loads: tuple[int | None, ...] = ()


NO_CLAIMS = Claims()
MAX_INT64_QUANTITY = 2**40  # a million of these can be added in 64 bits
COST_TOLERANCE = 1e-9  # formulas for the globe differ by this much
MAX_ROUNDING_TOLERANCE = 0.005  # stated costs must have at least two decimals
EARTH_RADIUS_KM = 6371.0088


def validate(instance: Instance, solution: Solution, claims: Claims = NO_CLAIMS) -> list[Violation]:
    """Return all violations; none if the solution is valid and the claims are true."""
    check_types("validate", instance, solution)
    if violations := _type_violations(solution):
        return violations  # nothing can be added up
    visits = _Visits(solution)
    violations = _visit_violations(instance, visits)
    violations += _capacity_violations(instance, visits)
    violations += _demand_violations(instance, visits)
    if instance.vehicles is not None and len(solution.routes) > instance.vehicles:
        message = f"{len(solution.routes)} routes, but vehicles is {instance.vehicles}"
        violations.append(Violation("fleet", message))
    if not instance.splittable:
        violations += _split_violations(instance, visits)
    violations += _load_violations(instance, visits, claims)
    if not any(violation.kind == "customer" for violation in violations):
        violations += _cost_violations(instance, visits, claims)
    return violations


def recomputed_costs(instance: Instance, solution: Solution) -> list[float]:
    """Cost of each route, by arithmetic of its own; every customer must exist."""
    return _costs(instance, _Visits(solution))


def check_instance(instance: object, function: str) -> None:
    """Raise unless this is an Instance; the function is the one called with it."""
    if not isinstance(instance, Instance):
        is_path = isinstance(instance, str | Path)
        call = f"{function}(read({instance!r}))" if is_path else f"{function}(read(..))"
        raise wrong_type("instance", instance, "an Instance", call)


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


class _Visits:
    """A solution in columns: route (from 0), customer and quantity of each visit."""

    def __init__(self, solution: Solution) -> None:
        visits = [route.visits for route in solution.routes]
        self.lengths = np.array([len(v) for v in visits], dtype=np.int64)
        self.route = np.repeat(np.arange(len(visits)), self.lengths)
        numbers = list(chain.from_iterable(chain.from_iterable(visits)))
        if not _all_int(numbers):
            numbers = [int(number) for number in numbers]
        # Quantities that could overflow 64 bits are added up as Python integers.
        limit = MAX_INT64_QUANTITY
        fits = -limit <= min(numbers, default=0) <= max(numbers, default=0) <= limit
        self.customer, self.quantity = (
            np.array(column, dtype=np.int64 if fits else object)
            for column in (numbers[::2], numbers[1::2])
        )

    @cached_property
    def loads(self) -> list[int]:
        """Load of each route."""
        return self.totals(self.route, len(self.lengths))

    def totals(self, by: Integers, size: int) -> list[int]:
        """Total quantity per route or customer, numbered from 0 to the size."""
        sums = np.zeros(size, dtype=self.quantity.dtype)
        inside = (by >= 0) & (by < size)
        np.add.at(sums, by[inside].astype(np.int64), self.quantity[inside])
        totals: list[int] = sums.tolist()
        return totals


def _all_int(numbers: Iterable[object]) -> bool:
    return set(map(type, numbers)) <= {int}


def _type_violations(solution: Solution) -> list[Violation]:
    numbers = chain.from_iterable(chain.from_iterable([r.visits for r in solution.routes]))
    if _all_int(numbers):
        return []
    violations = []
    for number, route in enumerate(solution.routes, 1):
        for customer, quantity in route.visits:
            if not isinstance(customer, Integral):
                message = f"route {number} visits customer {customer}, which is not a whole number"
                violations.append(Violation("customer", message))
            if not isinstance(quantity, Integral):
                message = (
                    f"route {number} delivers {quantity} units to customer {customer}; "
                    "quantities must be whole numbers"
                )
                violations.append(Violation("quantity", message))
    return violations


def _visit_violations(instance: Instance, visits: _Visits) -> list[Violation]:
    last, min_quantity = len(instance.customers), 0 if instance.pass_through else 1
    is_unknown = (visits.customer < 1) | (visits.customer > last)
    is_too_small = visits.quantity < min_quantity
    violations = []
    for k in np.flatnonzero(is_unknown | is_too_small).tolist():
        number, customer = visits.route[k] + 1, visits.customer[k]
        if is_unknown[k]:
            message = f"route {number} visits customer {customer}; customers are 1 to {last}"
            violations.append(Violation("customer", message))
        if is_too_small[k]:
            message = (
                f"route {number} delivers {int(visits.quantity[k]) * instance.unit} "
                f"to customer {customer}; a visit must deliver more than 0"
                f"{'' if visits.quantity[k] else ', except with pass_through'}"
            )
            violations.append(Violation("quantity", message))
    return violations


def _capacity_violations(instance: Instance, visits: _Visits) -> list[Violation]:
    return [
        Violation(
            "capacity",
            f"route {number} carries {load * instance.unit}; "
            f"the capacity is {instance.capacity * instance.unit}",
        )
        for number, load in enumerate(visits.loads, 1)
        if load > instance.capacity
    ]


def _label(instance: Instance, number: int) -> str:
    """A customer by its number, and its id if that differs."""
    id = instance.customers[number - 1].id
    return f"customer {number}" if id == str(number) else f"customer {number} ({id})"


def _demand_violations(instance: Instance, visits: _Visits) -> list[Violation]:
    delivered = visits.totals(visits.customer, len(instance.customers) + 1)[1:]
    return [
        Violation(
            "demand",
            f"{_label(instance, number)} receives {total * instance.unit}; "
            f"its demand is {customer.demand * instance.unit}",
        )
        for number, (total, customer) in enumerate(
            zip(delivered, instance.customers, strict=True), 1
        )
        if total != customer.demand
    ]


def _split_violations(instance: Instance, visits: _Visits) -> list[Violation]:
    counts = Counter(visits.customer[visits.quantity != 0].tolist())
    return [
        Violation(
            "split", f"{_label(instance, customer)} is visited {count} times; splitting is disabled"
        )
        for customer, count in sorted(counts.items())
        if count > 1
    ]


def _load_violations(instance: Instance, visits: _Visits, claims: Claims) -> list[Violation]:
    return [
        Violation(
            "load",
            f"the stated load of route {number} is {claim * instance.unit}; "
            f"it carries {load * instance.unit}",
        )
        for number, (claim, load) in enumerate(zip(claims.loads, visits.loads, strict=False), 1)
        if claim is not None and claim != load
    ]


def _cost_violations(instance: Instance, visits: _Visits, claims: Claims) -> list[Violation]:
    if claims.cost is None and not claims.route_costs:
        return []
    costs = _costs(instance, visits)
    routes = enumerate(zip(claims.route_costs, costs, strict=False), 1)
    rows = [(f"route {number}", claim, value) for number, (claim, value) in routes]
    return [
        Violation("cost", f"the stated cost of {label} is {claim}; it costs {value:.10g}")
        for label, claim, value in [*rows, ("the solution", claims.cost, math.fsum(costs))]
        if claim is not None and not _agrees(claim, value)
    ]


def _agrees(claim: Decimal | float, value: float) -> bool:
    tolerance = COST_TOLERANCE
    if isinstance(claim, Decimal) and isinstance(exponent := claim.as_tuple().exponent, int):
        tolerance = max(tolerance, min(MAX_ROUNDING_TOLERANCE, 0.5 * 10.0**exponent))
    return math.isclose(float(claim), value, rel_tol=COST_TOLERANCE, abs_tol=tolerance)


def _costs(instance: Instance, visits: _Visits) -> list[float]:
    legs = visits.lengths + 1  # one to each visit, and one back
    to = np.zeros(int(legs.sum()), dtype=np.int64)
    position = np.arange(len(visits.route)) + visits.route  # the depot follows each route
    to[position] = instance.sites[visits.customer.astype(np.int64)]
    lengths = _distances(instance, np.roll(to, 1), to)
    costs: list[float] = np.add.reduceat(lengths, np.cumsum(legs) - legs).tolist()
    return costs


def _distances(instance: Instance, a: Integers, b: Integers) -> Floats:
    """Distances from places `a` to places `b`, pair by pair."""
    if instance.matrix is not None:
        table: Floats = instance.matrix[a, b]
        return table
    return DISTANCES[instance.metric](instance.xy[a], instance.xy[b])


def _plane(a: Floats, b: Floats) -> Floats:
    # Not hypot, whose last bit could flip the rounding of a half.
    x, y = (a - b).T
    lengths: Floats = np.sqrt(x * x + y * y)
    return lengths


def _globe(a: Floats, b: Floats) -> Floats:
    (lon1, lat1), (lon2, lat2) = np.radians(a).T, np.radians(b).T
    # The angle between two unit vectors.
    y = np.hypot(
        np.cos(lat2) * np.sin(lon2 - lon1),
        np.cos(lat1) * np.sin(lat2) - np.sin(lat1) * np.cos(lat2) * np.cos(lon2 - lon1),
    )
    x = np.sin(lat1) * np.sin(lat2) + np.cos(lat1) * np.cos(lat2) * np.cos(lon2 - lon1)
    lengths: Floats = EARTH_RADIUS_KM * np.arctan2(y, x)
    return lengths


DISTANCES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "exact": _plane,
    "dimacs": lambda a, b: np.floor(_plane(a, b) + 0.5),
    "haversine": _globe,
}
