"""A split plan: the pieces of each customer, the CVRP they form, and how its solution is merged."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import gcd
from numbers import Integral

from splitroute.allocation import round_quantities
from splitroute.errors import InputError, LimitError
from splitroute.instance import Customer, Instance, VehicleType
from splitroute.merging import merge_visits
from splitroute.solution import Route, Solution, Visit

MAX_PIECES = 1_000_000
MAX_ROUTED_LOADS = 100  # full loads per customer that the engine routes


@dataclass(frozen=True, slots=True)
class Level:
    """Customers that are split with the same denominations."""

    denominations: tuple[int, ...]  # ascending, in units of 1/scale
    num_customers: int
    max_distance: float | None = None  # from the depot


@dataclass(frozen=True)
class SplitPlan:
    """The pieces of each customer.

    Pieces are whole multiples of 1/scale of the instance's unit, add up to the demand unless some
    of it may stay undelivered, and do not exceed the capacity.
    """

    instance: Instance
    rule: str
    pieces: tuple[tuple[int, ...], ...] = field(repr=False)
    scale: int = 1
    levels: tuple[Level, ...] = ()
    s_max: int | None = None
    free: bool = False  # the engine splits; the pieces are whole demands
    direct_loads: tuple[int, ...] = field(default=(), repr=False)  # full loads that are not routed

    def __post_init__(self) -> None:
        if len(self.pieces) != (count := len(self.instance.customers)):
            message = f"pieces of {len(self.pieces)} customers; the instance has {count}"
            raise InputError(message, field="pieces", value=len(self.pieces))
        if not self.direct_loads:
            object.__setattr__(self, "direct_loads", self._excess_loads())
        if self.free:
            return
        capacity = self.instance.capacity * self.scale
        for number, (customer, sizes) in enumerate(
            zip(self.instance.customers, self.pieces, strict=True), 1
        ):
            missing = customer.demand * self.scale - sum(sizes)
            if not isinstance(missing, Integral):
                message = f"the pieces of customer {number} are not all whole numbers"
                raise InputError(message, field="pieces", value=sizes)
            if missing < 0 or (missing and not self._allows_less(customer)):
                message = f"the pieces of customer {number} do not add up to its demand"
                raise InputError(message, field="pieces", value=sizes)
            if sizes and (min(sizes) < 1 or max(sizes) > capacity):
                message = f"a piece of customer {number} does not fit on a vehicle"
                raise InputError(message, field="pieces", value=sizes)

    def _allows_less(self, customer: Customer) -> bool:
        """Whether a part of the demand may have no piece, because it cannot be delivered."""
        return self.instance.partial or customer.penalty is not None

    @classmethod
    def from_visits(cls, instance: Instance, solution: Solution) -> tuple[SplitPlan, Solution]:
        """Return the split plan whose pieces are a solution's visits, and its CVRP solution."""
        solution = solution.without_empty_visits()
        pieces: list[list[int]] = [[] for _ in instance.customers]
        for route in solution.routes:
            for visit in route.visits:
                pieces[visit.customer - 1].append(visit.quantity)
        plan = cls(instance, "visits", tuple(map(tuple, pieces)))
        plan, routed = plan.match_direct_loads(solution)
        unused: list[list[int]] = [[] for _ in instance.customers]
        for number, owner in reversed(list(enumerate(plan._owners(), 1))):
            unused[owner - 1].append(number)
        routes = (
            replace(r, visits=tuple(Visit(unused[c - 1].pop(), q) for c, q in r.visits))
            for r in routed.routes
        )
        return plan, Solution(tuple(routes))

    def match_direct_loads(self, solution: Solution) -> tuple[SplitPlan, Solution]:
        """Return the split plan with a solution's direct loads, and the solution without them."""
        if not any(self.direct_loads):
            return self, solution
        allowed, found = list(self.direct_loads), [0] * len(self.pieces)
        routed = []
        for route in solution.routes:
            customer, quantity = route.visits[0]
            is_full = len(route.visits) == 1 and quantity == self.instance.capacity
            if is_full and found[customer - 1] < allowed[customer - 1]:
                found[customer - 1] += 1
            else:
                routed.append(route)
        return replace(self, direct_loads=tuple(found)), Solution(tuple(routed))

    @property
    def num_pieces(self) -> int:
        """Number of pieces of all customers."""
        return sum(map(len, self.pieces))

    @cached_property
    def gcd(self) -> int:
        """Greatest common divisor of the capacity and all demands."""
        return common_divisor(self.instance)

    @property
    def mean(self) -> float:
        """Mean demand in multiples of the greatest common divisor, ignoring zero demands."""
        demands = [c.demand for c in self.instance.customers if c.demand]
        return sum(demands) / (self.gcd * len(demands)) if demands else 0.0

    def to_cvrp(self) -> Instance:
        """Return the CVRP with one customer per piece, at the place of the piece's customer.

        For a free split plan that is the instance itself. Direct loads are left out.
        """
        if self.free:
            return self._without_direct_loads()
        return replace(
            self.instance,
            capacity=self.instance.capacity * self.scale,
            customers=tuple(
                self._piece(customer, size)
                for customer, sizes in zip(
                    self.instance.customers, self._routed_pieces(), strict=True
                )
                for size in sizes
            ),
            fleet=tuple(map(self._scaled, self.instance.fleet)),
            splittable=False,
        )

    def _piece(self, customer: Customer, size: int) -> Customer:
        """A customer of the CVRP: rules of splitting and its extra cost do not concern a piece."""
        return Customer(
            customer.id,
            size,
            customer.place,
            windows=customer.windows,
            service=customer.service,
            service_per_unit=customer.service_per_unit / self.scale,
            vehicle_types=customer.vehicle_types,
            penalty=None if customer.penalty is None else customer.penalty / self.scale,
        )

    def _scaled(self, kind: VehicleType) -> VehicleType:
        return replace(
            kind,
            capacity=kind.capacity * self.scale,
            min_load=kind.min_load * self.scale,
            loading_per_unit=kind.loading_per_unit / self.scale,
        )

    def merge(self, solution: Solution) -> Solution:
        """Turn a solution of the CVRP into one of the instance, in whole units.

        Pieces of one customer on one route become one visit, at its cheapest position.
        """
        if self.free:
            if not any(self.direct_loads):
                return solution
            return Solution(solution.routes + self._direct_routes)
        owners = self._owners()
        orders: list[list[int]] = []
        quantities: list[dict[int, int]] = []
        for route in solution.routes:
            customers = [owners[visit.customer - 1] for visit in route.visits]
            amounts: dict[int, int] = {}
            for customer, visit in zip(customers, route.visits, strict=True):
                amounts[customer] = amounts.get(customer, 0) + visit.quantity
            orders.append(customers)
            quantities.append(amounts)
        if self.scale > 1:
            round_quantities(quantities, self.scale)
            quantities = [{c: n // self.scale for c, n in q.items()} for q in quantities]
        routes = (
            merge_visits(self.instance, route, customers, amounts)
            for route, customers, amounts in zip(solution.routes, orders, quantities, strict=True)
        )
        return Solution((*(route for route in routes if route.visits), *self._direct_routes))

    # Of a customer with hundreds of full loads, most are served directly: nothing can be added to a
    # full vehicle, and a search gains nothing from moving thousands of them around.

    def _excess_loads(self) -> tuple[int, ...]:
        if self.instance.rules:  # which may need vehicles of another type, or more visits
            return (0,) * len(self.pieces)
        load = self.instance.capacity * self.scale
        if self.free:
            loads = [customer.demand // load for customer in self.instance.customers]
        else:
            loads = [sizes.count(load) for sizes in self.pieces]
        if sum(loads) > MAX_PIECES:
            raise LimitError(
                f"the demands fill {sum(loads):,} vehicles; at most {MAX_PIECES:,} can be routed",
                field="demands",
                value=sum(loads),
            )
        return tuple(max(0, count - MAX_ROUTED_LOADS) for count in loads)

    @cached_property
    def _direct_routes(self) -> tuple[Route, ...]:
        return tuple(
            route
            for number, count in enumerate(self.direct_loads, 1)
            for route in [Route((Visit(number, self.instance.capacity),))] * count
        )

    @cached_property
    def direct_cost(self) -> float:
        """Cost of the direct loads."""
        distance, total = self.instance.distance, 0.0
        for customer, count in zip(self.instance.customers, self.direct_loads, strict=True):
            if count:
                total += count * (distance(0, customer.place) + distance(customer.place, 0))
        return total

    def _routed_pieces(self) -> list[tuple[int, ...]]:
        """The pieces of each customer without direct loads."""
        load = self.instance.capacity * self.scale
        return [
            _remove_first(sizes, load, count) if count else sizes
            for sizes, count in zip(self.pieces, self.direct_loads, strict=True)
        ]

    def _owners(self) -> list[int]:
        """The customer whose piece each customer of the CVRP is."""
        return [k for k, sizes in enumerate(self._routed_pieces(), 1) for _ in sizes]

    def _without_direct_loads(self) -> Instance:
        instance, direct = self.instance, self.direct_loads
        if not any(direct):
            return instance
        customers = tuple(
            replace(customer, demand=customer.demand - count * instance.capacity)
            for customer, count in zip(instance.customers, direct, strict=True)
        )
        vehicles = None if instance.vehicles is None else instance.vehicles - sum(direct)
        return replace(instance, customers=customers, vehicles=vehicles)


def _remove_first(sizes: tuple[int, ...], size: int, count: int) -> tuple[int, ...]:
    """Remove the first `count` pieces of that size."""
    removed = itertools.count()
    return tuple(s for s in sizes if s != size or next(removed) >= count)


def common_divisor(instance: Instance) -> int:
    """Greatest common divisor of the capacity and all demands."""
    return gcd(instance.capacity, *{customer.demand for customer in instance.customers})
