"""An independent check of a solution; shares no arithmetic with the search or the cost kernels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import chain
from numbers import Integral

import numpy as np

from splitroute.distances import Floats, Integers
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.solution import Solution


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that is wrong: its kind and a sentence for people."""

    kind: str  # customer, quantity, capacity, demand, fleet, split, load, cost or metric
    message: str


@dataclass(frozen=True, slots=True)
class Claims:
    """What somebody says about a solution; None where nothing is said.

    A Decimal is taken to be rounded to the digits it has, a float to be exact.
    """

    cost: Decimal | float | None = None
    route_costs: tuple[Decimal | float | None, ...] = ()
    loads: tuple[int | None, ...] = ()


NOTHING_CLAIMED = Claims()
PLAIN = 2**40  # a million of these can be added in 64 bits
COARSEST = 0.005  # a cost rounded to fewer than two decimals is not the cost


def validate(
    instance: Instance, solution: Solution, claims: Claims = NOTHING_CLAIMED
) -> list[Violation]:
    """Every violation, and none if the solution is valid and the claims are true."""
    if not isinstance(solution, Solution):
        inner = isinstance(getattr(solution, "solution", None), Solution)
        call = "validate(instance, stated.solution)" if inner else "validate(instance, solution)"
        raise InputError(
            f"solution is {type(solution).__name__}, not a Solution; call {call}", field="solution"
        )
    if found := _fraction_violations(solution):
        return found  # which cannot be added up
    stops = _Stops(solution)
    found = _stop_violations(instance, stops)
    found += _capacity_violations(instance, stops)
    found += _demand_violations(instance, stops)
    if instance.vehicles is not None and len(solution.routes) > instance.vehicles:
        said = f"{len(solution.routes)} routes; there are {instance.vehicles} vehicles"
        found.append(Violation("fleet", said))
    if not instance.splittable:
        found += _split_violations(instance, stops)
    found += _load_violations(instance, stops, claims)
    if not any(violation.kind == "customer" for violation in found):
        found += _cost_violations(instance, stops, claims)
    return found


def recomputed_costs(instance: Instance, solution: Solution) -> list[float]:
    """Cost of each route from first principles; every customer must exist."""
    return _costs(instance, _Stops(solution))


class _Stops:
    """A solution in columns: of each visit the route, counted from 0, customer and quantity."""

    def __init__(self, solution: Solution) -> None:
        visits = [route.visits for route in solution.routes]
        self.lengths = np.array([len(v) for v in visits], dtype=np.int64)
        self.route = np.repeat(np.arange(len(visits)), self.lengths)
        numbers = list(chain.from_iterable(chain.from_iterable(visits)))
        if not _all_plain(numbers):
            numbers = [int(number) for number in numbers]
        # What the machine's numbers cannot hold is added up in ours.
        plain = -PLAIN <= min(numbers, default=0) <= max(numbers, default=0) <= PLAIN
        self.customer, self.quantity = (
            np.array(column, dtype=np.int64 if plain else object)
            for column in (numbers[::2], numbers[1::2])
        )

    @cached_property
    def loads(self) -> list[int]:
        """What each route carries."""
        return self.added_up(self.route, len(self.lengths))

    def added_up(self, by: Integers, size: int) -> list[int]:
        """The quantities, for each number from 0 to the size."""
        sums = np.zeros(size, dtype=self.quantity.dtype)
        inside = (by >= 0) & (by < size)
        np.add.at(sums, by[inside].astype(np.int64), self.quantity[inside])
        added: list[int] = sums.tolist()
        return added


def _all_plain(numbers: Iterable[object]) -> bool:
    return set(map(type, numbers)) <= {int}


def _fraction_violations(solution: Solution) -> list[Violation]:
    numbers = chain.from_iterable(chain.from_iterable([r.visits for r in solution.routes]))
    if _all_plain(numbers):
        return []
    found = []
    for number, route in enumerate(solution.routes, 1):
        for customer, quantity in route.visits:
            if not isinstance(customer, Integral):
                said = f"route {number} visits customer {customer}; that is not a whole number"
                found.append(Violation("customer", said))
            if not isinstance(quantity, Integral):
                said = (
                    f"route {number} delivers {quantity} units to customer {customer}; "
                    "a visit delivers a whole number of units"
                )
                found.append(Violation("quantity", said))
    return found


def _stop_violations(instance: Instance, stops: _Stops) -> list[Violation]:
    last, least = len(instance.customers), 0 if instance.pass_through else 1
    unknown = (stops.customer < 1) | (stops.customer > last)
    wrong = stops.quantity < least
    found = []
    for k in np.flatnonzero(unknown | wrong).tolist():
        number, customer = stops.route[k] + 1, stops.customer[k]
        if unknown[k]:
            said = f"route {number} visits customer {customer}; there are 1 to {last}"
            found.append(Violation("customer", said))
        if wrong[k]:
            said = (
                f"route {number} delivers {int(stops.quantity[k]) * instance.unit} "
                f"to customer {customer}; a visit delivers more than 0"
                f"{'' if stops.quantity[k] else ', unless passing through is allowed'}"
            )
            found.append(Violation("quantity", said))
    return found


def _capacity_violations(instance: Instance, stops: _Stops) -> list[Violation]:
    return [
        Violation(
            "capacity",
            f"route {number} carries {load * instance.unit}; "
            f"a vehicle holds {instance.capacity * instance.unit}",
        )
        for number, load in enumerate(stops.loads, 1)
        if load > instance.capacity
    ]


def _who(instance: Instance, number: int) -> str:
    """A customer as people know it: with its own name, if it has one."""
    name = instance.customers[number - 1].id
    return f"customer {number}" if name == str(number) else f"customer {number} ({name})"


def _demand_violations(instance: Instance, stops: _Stops) -> list[Violation]:
    delivered = stops.added_up(stops.customer, len(instance.customers) + 1)[1:]
    return [
        Violation(
            "demand",
            f"{_who(instance, number)} gets {got * instance.unit} in all; "
            f"its demand is {customer.demand * instance.unit}",
        )
        for number, (got, customer) in enumerate(zip(delivered, instance.customers, strict=True), 1)
        if got != customer.demand
    ]


def _split_violations(instance: Instance, stops: _Stops) -> list[Violation]:
    times = Counter(stops.customer[stops.quantity != 0].tolist())
    return [
        Violation("split", f"{_who(instance, c)} is visited {k} times; it must not be split")
        for c, k in sorted(times.items())
        if k > 1
    ]


def _load_violations(instance: Instance, stops: _Stops, claims: Claims) -> list[Violation]:
    return [
        Violation(
            "load",
            f"route {number} is said to carry {said * instance.unit}; "
            f"it carries {load * instance.unit}",
        )
        for number, (said, load) in enumerate(zip(claims.loads, stops.loads, strict=False), 1)
        if said is not None and said != load
    ]


def _cost_violations(instance: Instance, stops: _Stops, claims: Claims) -> list[Violation]:
    if claims.cost is None and not claims.route_costs:
        return []
    true = _costs(instance, stops)
    routes = enumerate(zip(claims.route_costs, true, strict=False), 1)
    rows = [(f"route {number}", claim, value) for number, (claim, value) in routes]
    return [
        Violation("cost", f"{what} is said to cost {claim}; it costs {value:.10g}")
        for what, claim, value in [*rows, ("the solution", claims.cost, math.fsum(true))]
        if claim is not None and not _agrees(claim, value)
    ]


def _agrees(claim: Decimal | float, value: float) -> bool:
    tolerance = 1e-9  # a micrometre: formulas for the globe differ by that much
    if isinstance(claim, Decimal) and isinstance(exponent := claim.as_tuple().exponent, int):
        tolerance = max(tolerance, min(COARSEST, 0.5 * 10.0**exponent))
    return math.isclose(float(claim), value, rel_tol=1e-9, abs_tol=tolerance)


def _costs(instance: Instance, stops: _Stops) -> list[float]:
    legs = stops.lengths + 1  # one to each stop, and one back
    to = np.zeros(int(legs.sum()), dtype=np.int64)
    stop = np.arange(len(stops.route)) + stops.route  # the depot follows each route
    to[stop] = instance.sites[stops.customer.astype(np.int64)]
    driven = _distances(instance, np.roll(to, 1), to)
    costs: list[float] = np.add.reduceat(driven, np.cumsum(legs) - legs).tolist()
    return costs


def _distances(instance: Instance, a: Integers, b: Integers) -> Floats:
    """From each place of the one row to that of the other."""
    if instance.matrix is not None:
        table: Floats = instance.matrix[a, b]
        return table
    return WAYS[instance.metric](instance.xy[a], instance.xy[b])


def _plane(a: Floats, b: Floats) -> Floats:
    # Not hypot, whose last bit may fall on the other side of a half.
    x, y = (a - b).T
    away: Floats = np.sqrt(x * x + y * y)
    return away


def _globe(a: Floats, b: Floats) -> Floats:
    (lon1, lat1), (lon2, lat2) = np.radians(a).T, np.radians(b).T
    # The angle between two unit vectors, by the two-argument arc tangent.
    y = np.hypot(
        np.cos(lat2) * np.sin(lon2 - lon1),
        np.cos(lat1) * np.sin(lat2) - np.sin(lat1) * np.cos(lat2) * np.cos(lon2 - lon1),
    )
    x = np.sin(lat1) * np.sin(lat2) + np.cos(lat1) * np.cos(lat2) * np.cos(lon2 - lon1)
    away: Floats = 6371.0088 * np.arctan2(y, x)
    return away


WAYS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "exact": _plane,
    "dimacs": lambda a, b: np.floor(_plane(a, b) + 0.5),
    "haversine": _globe,
}
