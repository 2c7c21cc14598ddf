"""A split plan: the pieces of each customer, the CVRP they make, and the way back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from math import gcd

from splitroute.errors import InputError, LimitError
from splitroute.instance import Customer, Instance
from splitroute.rounding import to_whole
from splitroute.solution import Route, Solution, Visit

MOST_PIECES = 5_000_000


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
    pieces: tuple[tuple[int, ...], ...]
    scale: int = 1
    levels: tuple[Level, ...] = ()
    s_max: int | None = None
    free: bool = False  # the engine splits as it likes: the pieces are whole demands

    def __post_init__(self) -> None:
        if self.free:
            return
        most = self.instance.capacity * self.scale
        for number, (customer, sizes) in enumerate(
            zip(self.instance.customers, self.pieces, strict=True), 1
        ):
            if sum(sizes) != customer.demand * self.scale:
                raise InputError(f"the pieces of customer {number} do not add up to its demand")
            if sizes and (min(sizes) < 1 or max(sizes) > most):
                raise InputError(f"a piece of customer {number} does not fit on a vehicle")

    @classmethod
    def of_visits(cls, instance: Instance, solution: Solution) -> tuple[SplitPlan, Solution]:
        """The plan whose pieces are the visits of a solution, and the solution as its CVRP's."""
        solution = solution.delivering()
        pieces: list[list[int]] = [[] for _ in instance.customers]
        for route in solution.routes:
            for visit in route.visits:
                pieces[visit.customer - 1].append(visit.quantity)
        plan = cls(instance, "visits", tuple(map(tuple, pieces)))
        unused = [iter(numbers) for numbers in plan._numbers()]
        routes = [[next(unused[v.customer - 1]) for v in r.visits] for r in solution.routes]
        return plan, Solution.whole(plan.to_cvrp(), routes)

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

        For a free plan that is the instance itself, splitting and all.
        """
        if self.free:
            return self.instance
        return replace(
            self.instance,
            capacity=self.instance.capacity * self.scale,
            customers=tuple(
                Customer(customer.id, size, customer.place)
                for customer, sizes in zip(self.instance.customers, self.pieces, strict=True)
                for size in sizes
            ),
            splittable=False,
        )

    def merge(self, solution: Solution) -> Solution:
        """The split solution that a solution of the CVRP stands for, in whole units.

        Pieces of one customer on one route become one visit, where it costs least.
        """
        if self.free:
            return solution
        owner = [k for k, sizes in enumerate(self.pieces, 1) for _ in sizes]
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
        return Solution(tuple(route for route in routes if route.visits))

    def _visit_once(self, stops: list[int]) -> list[int]:
        """The stops with each customer left once: of two stops, the longer detour goes."""
        stops = [stop for stop, _ in groupby(stops)]
        repeated = {customer for customer, times in Counter(stops).items() if times > 1}
        while repeated:
            ring = [0, *(self.instance.customers[c - 1].place for c in stops), 0]
            detours = [
                (self._detour(*ring[k : k + 3]), -k) for k, c in enumerate(stops) if c in repeated
            ]
            gone = -max(detours)[1]
            del stops[gone]
            stops = [stop for stop, _ in groupby(stops)]
            times = Counter(stops)
            repeated = {c for c in repeated if times[c] > 1}
        return stops

    def _detour(self, before: int, at: int, after: int) -> float:
        between = self.instance.distance
        return between(before, at) + between(at, after) - between(before, after)

    def _numbers(self) -> list[range]:
        """For each customer, the numbers of its pieces in the CVRP."""
        numbers, first = [], 1
        for sizes in self.pieces:
            numbers.append(range(first, first + len(sizes)))
            first += len(sizes)
        return numbers


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
        if total > MOST_PIECES:
            raise LimitError(
                f"the plan would have more than {MOST_PIECES} pieces; use a coarser rule or unit"
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
