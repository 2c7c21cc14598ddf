"""A split plan: the pieces of each customer, the CVRP they form, and how its solution is merged."""

from __future__ import annotations

import heapq
import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import gcd

from splitroute.allocation import round_quantities
from splitroute.errors import InputError, LimitError
from splitroute.instance import Customer, Instance
from splitroute.solution import Route, Solution, Visit

MAX_PIECES = 1_000_000
MAX_TABLE_PLACES = 200  # of a route; its distance table then takes 0.3 MB
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

    Pieces are whole multiples of 1/scale of the instance's unit, add up to the demand, and do not
    exceed the capacity.
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
        if not self.direct_loads:
            object.__setattr__(self, "direct_loads", self._excess_loads())
        if self.free:
            return
        capacity = self.instance.capacity * self.scale
        for number, (customer, sizes) in enumerate(
            zip(self.instance.customers, self.pieces, strict=True), 1
        ):
            if sum(sizes) != customer.demand * self.scale:
                message = f"the pieces of customer {number} do not add up to its demand"
                raise InputError(message, field="pieces", value=sizes)
            if sizes and (min(sizes) < 1 or max(sizes) > capacity):
                message = f"a piece of customer {number} does not fit on a vehicle"
                raise InputError(message, field="pieces", value=sizes)

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
        routes = [[unused[v.customer - 1].pop() for v in r.visits] for r in routed.routes]
        return plan, Solution.unsplit(plan.to_cvrp(), routes)

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
                Customer(customer.id, size, customer.place)
                for customer, sizes in zip(
                    self.instance.customers, self._routed_pieces(), strict=True
                )
                for size in sizes
            ),
            splittable=False,
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
            orders.append(self._visit_once(customers))
            quantities.append(amounts)
        if self.scale > 1:
            round_quantities(quantities, self.scale)
        routes = (
            Route(tuple(Visit(c, amounts[c] // self.scale) for c in customers if amounts[c]))
            for customers, amounts in zip(orders, quantities, strict=True)
        )
        return Solution((*(route for route in routes if route.visits), *self._direct_routes))

    def _visit_once(self, customers: list[int]) -> list[int]:
        """Return the route with each customer once; repeated visits go, longest detour first."""
        customers = [customer for customer, _ in itertools.groupby(customers)]
        counts = Counter(customers)
        if len(counts) == len(customers):
            return customers
        places = [0, *(self.instance.customers[c - 1].place for c in customers), 0]
        distance = self._distances_between(places)
        # A doubly linked list of positions; a removed one has 0 in `after`.
        before, after = list(range(-1, len(places) - 1)), list(range(1, len(places) + 1))

        def entry(k: int) -> tuple[float, int, int, int]:
            i, j = before[k], after[k]
            return distance(i, j) - distance(i, k) - distance(k, j), k, i, j

        def remove(k: int) -> None:
            counts[customers[k - 1]] -= 1
            after[before[k]], before[after[k]] = after[k], before[k]
            after[k] = 0

        detours = [entry(k) for k, customer in enumerate(customers, 1) if counts[customer] > 1]
        heapq.heapify(detours)
        while detours:
            _, k, i, j = heapq.heappop(detours)
            if (before[k], after[k]) != (i, j) or counts[customers[k - 1]] == 1:
                continue  # removed, or outdated by a removed neighbour
            remove(k)
            if i > 0 and j <= len(customers) and customers[i - 1] == customers[j - 1]:
                remove(j)
                j = after[i]
            for neighbour in (i, j):
                if 0 < neighbour <= len(customers) and counts[customers[neighbour - 1]] > 1:
                    heapq.heappush(detours, entry(neighbour))
        return [customer for k, customer in enumerate(customers, 1) if after[k]]

    def _distances_between(self, places: list[int]) -> Callable[[int, int], float]:
        """Distance between two of these places by index, from a table if that is small."""
        if len(places) > MAX_TABLE_PLACES:
            return lambda i, j: self.instance.distance(places[i], places[j])
        table = self.instance.distances_among(places).tolist()
        return lambda i, j: float(table[i][j])

    # Of a customer with hundreds of full loads, most are served directly: nothing can be added to a
    # full vehicle, and a search gains nothing from moving thousands of them around.

    def _excess_loads(self) -> tuple[int, ...]:
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
