"""A split plan: the pieces of each customer, the CVRP they make, and the way back."""

from __future__ import annotations

import heapq
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import gcd

from splitroute.allocation import to_whole
from splitroute.errors import InputError, LimitError
from splitroute.instance import Customer, Instance
from splitroute.solution import Route, Solution, Visit

MAX_PIECES = 1_000_000
MAX_TABLE_PLACES = 200  # of a route; the table is then 0.3 MB
MAX_ROUTED_LOADS = 100  # full loads of one customer that are worth routing


@dataclass(frozen=True, slots=True)
class Level:
    """Customers that are split alike: by which denominations, how many, up to which distance."""

    denominations: tuple[int, ...]  # ascending, in the plan's parts of a unit
    customers: int
    reach: float | None = None


@dataclass(frozen=True)
class SplitPlan:
    """The pieces of each customer.

    Pieces are whole multiples of 1/scale of the instance's unit, add up to the demand exactly, and
    none exceeds the capacity.
    """

    instance: Instance
    rule: str
    pieces: tuple[tuple[int, ...], ...] = field(repr=False)
    scale: int = 1
    levels: tuple[Level, ...] = ()
    s_max: int | None = None
    free: bool = False  # the engine splits as it likes: the pieces are whole demands
    direct: tuple[int, ...] = field(
        default=(), repr=False
    )  # full loads per customer that are not routed

    def __post_init__(self) -> None:
        if not self.direct:
            object.__setattr__(self, "direct", self._excess_loads())
        if self.free:
            return
        most = self.instance.capacity * self.scale
        for number, (customer, sizes) in enumerate(
            zip(self.instance.customers, self.pieces, strict=True), 1
        ):
            if sum(sizes) != customer.demand * self.scale:
                said = f"the pieces of customer {number} do not add up to its demand"
                raise InputError(said, field="pieces")
            if sizes and (min(sizes) < 1 or max(sizes) > most):
                said = f"a piece of customer {number} does not fit on a vehicle"
                raise InputError(said, field="pieces")

    @classmethod
    def of_visits(cls, instance: Instance, solution: Solution) -> tuple[SplitPlan, Solution]:
        """The plan whose pieces are the visits of a solution, and the solution as its CVRP's."""
        solution = solution.delivering()
        pieces: list[list[int]] = [[] for _ in instance.customers]
        for route in solution.routes:
            for visit in route.visits:
                pieces[visit.customer - 1].append(visit.quantity)
        plan, routed = cls(instance, "visits", tuple(map(tuple, pieces))).starting_from(solution)
        unused: list[list[int]] = [[] for _ in instance.customers]
        for number, owner in reversed(list(enumerate(plan._owners(), 1))):
            unused[owner - 1].append(number)
        routes = [[unused[v.customer - 1].pop() for v in r.visits] for r in routed.routes]
        return plan, Solution.whole(plan.to_cvrp(), routes)

    def starting_from(self, solution: Solution) -> tuple[SplitPlan, Solution]:
        """The plan with those direct loads that the solution has, and the solution without them."""
        if not any(self.direct):
            return self, solution
        left, found, kept = list(self.direct), [0] * len(self.pieces), []
        for route in solution.routes:
            customer, quantity = route.visits[0]
            if len(route.visits) == 1 and quantity == self.instance.capacity and left[customer - 1]:
                left[customer - 1] -= 1
                found[customer - 1] += 1
            else:
                kept.append(route)
        return replace(self, direct=tuple(found)), Solution(tuple(kept))

    @property
    def count(self) -> int:
        """Pieces in all."""
        return sum(map(len, self.pieces))

    @cached_property
    def gcd(self) -> int:
        """Greatest common divisor of the capacity and all demands."""
        return common_divisor(self.instance)

    @property
    def mean(self) -> float:
        """Mean demand in multiples of the greatest common divisor."""
        wanted = [c.demand for c in self.instance.customers if c.demand]
        return sum(wanted) / (self.gcd * len(wanted)) if wanted else 0.0

    def to_cvrp(self) -> Instance:
        """The CVRP in which every piece is a customer of its own, at its customer's place.

        For a free plan that is the instance itself, splitting and all. Direct loads are in neither.
        """
        if self.free:
            return self._without_direct_loads()
        return replace(
            self.instance,
            capacity=self.instance.capacity * self.scale,
            customers=tuple(
                Customer(customer.id, size, customer.place)
                for customer, sizes in zip(self.instance.customers, self._routed(), strict=True)
                for size in sizes
            ),
            splittable=False,
        )

    def merge(self, solution: Solution) -> Solution:
        """The split solution that a solution of the CVRP stands for, in whole units.

        Pieces of one customer on one route become one visit, where it costs least.
        """
        if self.free:
            return Solution(solution.routes + self._direct_routes) if any(self.direct) else solution
        owner = self._owners()
        orders: list[list[int]] = []
        quantities: list[dict[int, int]] = []
        for route in solution.routes:
            stops = [owner[visit.customer - 1] for visit in route.visits]
            amounts: dict[int, int] = {}
            for customer, visit in zip(stops, route.visits, strict=True):
                amounts[customer] = amounts.get(customer, 0) + visit.quantity
            orders.append(self._visit_once(stops))
            quantities.append(amounts)
        if self.scale > 1:
            to_whole(quantities, self.scale)
        routes = (
            Route(tuple(Visit(c, amounts[c] // self.scale) for c in stops if amounts[c]))
            for stops, amounts in zip(orders, quantities, strict=True)
        )
        return Solution((*(route for route in routes if route.visits), *self._direct_routes))

    def _visit_once(self, customers: list[int]) -> list[int]:
        """A route with each customer once: of two visits, the longer detour goes."""
        customers = [customer for customer, _ in itertools.groupby(customers)]
        times = Counter(customers)
        if len(times) == len(customers):
            return customers
        places = [0, *(self.instance.customers[c - 1].place for c in customers), 0]
        between = self._distances_between(places)
        before, after = list(range(-1, len(places) - 1)), list(range(1, len(places) + 1))

        def entry(k: int) -> tuple[float, int, int, int]:
            i, j = before[k], after[k]
            return between(i, j) - between(i, k) - between(k, j), k, i, j

        def remove(k: int) -> None:
            times[customers[k - 1]] -= 1
            after[before[k]], before[after[k]] = after[k], before[k]
            after[k] = 0  # gone

        longest = [entry(k) for k, customer in enumerate(customers, 1) if times[customer] > 1]
        heapq.heapify(longest)
        while longest:
            _, k, i, j = heapq.heappop(longest)
            if (before[k], after[k]) != (i, j) or times[customers[k - 1]] == 1:
                continue  # gone, or its neighbours have changed
            remove(k)
            if i > 0 and j <= len(customers) and customers[i - 1] == customers[j - 1]:
                remove(j)
                j = after[i]
            for beside in (i, j):
                if 0 < beside <= len(customers) and times[customers[beside - 1]] > 1:
                    heapq.heappush(longest, entry(beside))
        return [customer for k, customer in enumerate(customers, 1) if after[k]]

    def _distances_between(self, places: list[int]) -> Callable[[int, int], float]:
        """Distances between places by their index here, from a table if that is small."""
        if len(places) > MAX_TABLE_PLACES:
            return lambda i, j: self.instance.distance(places[i], places[j])
        table = self.instance.distances_among(places).tolist()
        return lambda i, j: float(table[i][j])

    # A customer that wants hundreds of full loads gets most of them directly: nothing can be added
    # to a full vehicle, and no search is the better for moving thousands of them around.

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
            for number, count in enumerate(self.direct, 1)
            for route in [Route((Visit(number, self.instance.capacity),))] * count
        )

    @cached_property
    def direct_cost(self) -> float:
        """Cost of the direct loads."""
        distance, total = self.instance.distance, 0.0
        for customer, count in zip(self.instance.customers, self.direct, strict=True):
            if count:
                total += count * (distance(0, customer.place) + distance(customer.place, 0))
        return total

    def _routed(self) -> list[tuple[int, ...]]:
        """The pieces but for direct loads."""
        load = self.instance.capacity * self.scale
        return [
            _without(sizes, load, count) if count else sizes
            for sizes, count in zip(self.pieces, self.direct, strict=True)
        ]

    def _owners(self) -> list[int]:
        """For each customer of the CVRP, whose piece it is."""
        return [k for k, sizes in enumerate(self._routed(), 1) for _ in sizes]

    def _without_direct_loads(self) -> Instance:
        instance, direct = self.instance, self.direct
        if not any(direct):
            return instance
        customers = tuple(
            replace(customer, demand=customer.demand - count * instance.capacity)
            for customer, count in zip(instance.customers, direct, strict=True)
        )
        vehicles = None if instance.vehicles is None else instance.vehicles - sum(direct)
        return replace(instance, customers=customers, vehicles=vehicles)


def _without(sizes: tuple[int, ...], size: int, count: int) -> tuple[int, ...]:
    """The sizes but for the first so many of one."""
    gone = itertools.count()
    return tuple(each for each in sizes if each != size or next(gone) >= count)


def common_divisor(instance: Instance) -> int:
    """Greatest common divisor of the capacity and all demands."""
    return gcd(instance.capacity, *{customer.demand for customer in instance.customers})


def make_change(
    amounts: Iterable[int], coins: Sequence[Sequence[int]], labels: Iterable[int], load: int
) -> tuple[tuple[int, ...], ...]:
    """Each amount greedily in the coins of its label, largest first; the rest is a last piece.

    From what exceeds a vehicle's load, full loads are taken first: no set of coins need fill one.
    """
    purses = [sorted(purse, reverse=True) for purse in coins]
    known: dict[tuple[int, int], tuple[int, ...]] = {}
    pieces: list[tuple[int, ...]] = []
    total = 0
    for amount, label in zip(amounts, labels, strict=True):
        full, rest = divmod(amount, load) if amount > load else (0, amount)
        total += full + _how_many(rest, purses[label])
        if total > MAX_PIECES:
            raise LimitError(
                f"the plan would have more than {MAX_PIECES} pieces; use a coarser rule or unit",
                field="rule",
            )
        key = (amount, label)
        if key not in known:
            known[key] = (load,) * full + _change(rest, purses[label])
        pieces.append(known[key])
    return tuple(pieces)


def _how_many(amount: int, purse: Sequence[int]) -> int:
    count = 0
    for coin in purse:
        number, amount = divmod(amount, coin)
        count += number
    return count + (amount > 0)


def _change(amount: int, purse: Sequence[int]) -> tuple[int, ...]:
    pieces: list[int] = []
    for coin in purse:
        number, amount = divmod(amount, coin)
        pieces += [coin] * number
    return tuple(pieces + [amount] * (amount > 0))
