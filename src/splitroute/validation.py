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

    kind: str  # customer, quantity, capacity, demand, split, load, cost or metric
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
    delivered: Counter[int] = Counter()
    for number, route in enumerate(solution.routes, 1):
        found += _route_violations(instance, number, route)
        for visit in route.visits:
            delivered[visit.customer] += visit.quantity
    found += _demand_violations(instance, delivered)
    if not instance.splittable:
        times = Counter(v.customer for route in solution.routes for v in route.visits if v.quantity)
        found += [
            Violation("split", f"customer {c} is visited {k} times; it must not be split")
            for c, k in sorted(times.items())
            if k > 1
        ]
    found += _load_violations(instance, solution, claims)
    if not any(violation.kind == "customer" for violation in found):
        found += _cost_violations(instance, solution, claims)
    return found


def recomputed_costs(instance: Instance, solution: Solution) -> list[float]:
    """Cost of each route from first principles; every customer must exist."""
    between = _distance(instance)
    costs = []
    for route in solution.routes:
        stops = [0, *(instance.customers[v.customer - 1].place for v in route.visits), 0]
        costs.append(math.fsum(between(a, b) for a, b in pairwise(stops)))
    return costs


def _route_violations(instance: Instance, number: int, route: Route) -> list[Violation]:
    found = []
    last = len(instance.customers)
    for visit in route.visits:
        if not 1 <= visit.customer <= last:
            found.append(
                Violation(
                    "customer",
                    f"route {number} visits customer {visit.customer}; there are 1 to {last}",
                )
            )
        least = 0 if instance.pass_through else 1
        if not isinstance(visit.quantity, int) or visit.quantity < least:
            found.append(
                Violation(
                    "quantity",
                    f"route {number} delivers {visit.quantity} to customer "
                    f"{visit.customer}; a visit delivers a whole quantity above 0",
                )
            )
    load = sum(visit.quantity for visit in route.visits)
    if load > instance.capacity:
        found.append(
            Violation(
                "capacity",
                f"route {number} carries {load * instance.unit}; "
                f"a vehicle holds {instance.capacity * instance.unit}",
            )
        )
    return found


def _demand_violations(instance: Instance, delivered: Counter[int]) -> list[Violation]:
    return [
        Violation(
            "demand",
            f"customer {number} gets {delivered[number] * instance.unit} in all; "
            f"its demand is {customer.demand * instance.unit}",
        )
        for number, customer in enumerate(instance.customers, 1)
        if delivered[number] != customer.demand
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
    true = recomputed_costs(instance, solution)
    said = [*claims.route_costs[: len(true)], *[None] * (len(true) - len(claims.route_costs))]
    names = [f"route {number}" for number in range(1, len(true) + 1)]
    rows = zip(
        [*names, "the solution"], [*said, claims.cost], [*true, math.fsum(true)], strict=True
    )
    return [
        Violation("cost", f"{what} is said to cost {claim}; it costs {value:.10g}")
        for what, claim, value in rows
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
