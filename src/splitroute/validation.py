"""An independent check of a solution; shares no arithmetic with the search or the cost kernels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from splitroute.instance import Instance
from splitroute.solution import Route, Solution


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
COARSEST = 0.005  # a cost rounded to fewer than two decimals is not the cost


def validate(
    instance: Instance, solution: Solution, claims: Claims = NOTHING_CLAIMED
) -> list[Violation]:
    """Every violation, and none if the solution is valid and the claims are true."""
    found: list[Violation] = []
    delivered: dict[int, int] = {}
    for number, route in enumerate(solution.routes, 1):
        found += _route_violations(instance, number, route)
        for customer, quantity in route.visits:
            delivered[customer] = delivered.get(customer, 0) + quantity
    found += _demand_violations(instance, delivered)
    if instance.vehicles is not None and len(solution.routes) > instance.vehicles:
        said = f"{len(solution.routes)} routes; there are {instance.vehicles} vehicles"
        found.append(Violation("fleet", said))
    if not instance.splittable:
        times = Counter(v.customer for route in solution.routes for v in route.visits if v.quantity)
        found += [
            Violation("split", f"{_who(instance, c)} is visited {k} times; it must not be split")
            for c, k in sorted(times.items())
            if k > 1
        ]
    found += _load_violations(instance, solution, claims)
    if not any(violation.kind == "customer" for violation in found):
        found += _cost_violations(instance, solution, claims)
    return found


def recomputed_costs(instance: Instance, solution: Solution) -> list[float]:
    """Cost of each route from first principles; every customer must exist."""
    between, customers = _distance(instance), instance.customers
    costs = []
    for route in solution.routes:
        stops = [0, *[customers[customer - 1].place for customer, _ in route.visits], 0]
        costs.append(math.fsum(between(a, b) for a, b in pairwise(stops)))
    return costs


def _route_violations(instance: Instance, number: int, route: Route) -> list[Violation]:
    found = []
    last, least = len(instance.customers), 0 if instance.pass_through else 1
    load = 0
    for customer, quantity in route.visits:
        load += quantity
        if not 1 <= customer <= last:
            found.append(
                Violation(
                    "customer",
                    f"route {number} visits customer {customer}; there are 1 to {last}",
                )
            )
        if not isinstance(quantity, int) or quantity < least:
            found.append(
                Violation(
                    "quantity",
                    f"route {number} delivers {quantity} to customer {customer}; "
                    "a visit delivers a whole quantity above 0",
                )
            )
    if load > instance.capacity:
        found.append(
            Violation(
                "capacity",
                f"route {number} carries {load * instance.unit}; "
                f"a vehicle holds {instance.capacity * instance.unit}",
            )
        )
    return found


def _who(instance: Instance, number: int) -> str:
    """A customer as people know it: with its own name, if it has one."""
    name = instance.customers[number - 1].id
    return f"customer {number}" if name == str(number) else f"customer {number} ({name})"


def _demand_violations(instance: Instance, delivered: dict[int, int]) -> list[Violation]:
    return [
        Violation(
            "demand",
            f"{_who(instance, number)} gets {delivered.get(number, 0) * instance.unit} in all; "
            f"its demand is {customer.demand * instance.unit}",
        )
        for number, customer in enumerate(instance.customers, 1)
        if delivered.get(number, 0) != customer.demand
    ]


def _load_violations(instance: Instance, solution: Solution, claims: Claims) -> list[Violation]:
    return [
        Violation(
            "load",
            f"route {number} is said to carry {said * instance.unit}; "
            f"it carries {route.load * instance.unit}",
        )
        for number, (said, route) in enumerate(zip(claims.loads, solution.routes, strict=False), 1)
        if said is not None and said != route.load
    ]


def _cost_violations(instance: Instance, solution: Solution, claims: Claims) -> list[Violation]:
    if claims.cost is None and not claims.route_costs:
        return []
    true = recomputed_costs(instance, solution)
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


def _distance(instance: Instance) -> Callable[[int, int], float]:
    places, metric = instance.places, instance.metric
    if instance.matrix is not None:
        rows = instance.matrix
        return lambda a, b: float(rows[a, b])

    def plane(a: int, b: int) -> float:
        # Not math.dist, whose last bit may fall on the other side of a half.
        (x1, y1), (x2, y2) = places[a], places[b]
        return math.sqrt((x1 - x2) * (x1 - x2) + (y1 - y2) * (y1 - y2))

    def globe(a: int, b: int) -> float:
        (lon1, lat1), (lon2, lat2) = (map(math.radians, places[k]) for k in (a, b))
        # The angle between two unit vectors, by the two-argument arc tangent.
        y = math.hypot(
            math.cos(lat2) * math.sin(lon2 - lon1),
            math.cos(lat1) * math.sin(lat2)
            - math.sin(lat1) * math.cos(lat2) * math.cos(lon2 - lon1),
        )
        x = math.sin(lat1) * math.sin(lat2) + math.cos(lat1) * math.cos(lat2) * math.cos(
            lon2 - lon1
        )
        return 6371.0088 * math.atan2(y, x)

    ways: dict[str, Callable[[int, int], float]] = {
        "exact": plane,
        "dimacs": lambda a, b: math.floor(plane(a, b) + 0.5),
        "haversine": globe,
    }
    return ways[metric]
