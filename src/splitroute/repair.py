"""Makes anybody's solution valid with few changes, and says which.

What is delivered too much or does not fit is taken off, what is missing is put where it costs
least, and splits that serve nothing are undone.
"""

from __future__ import annotations

import math
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise

from splitroute.core import completed, without_redundant_visits
from splitroute.errors import InputError, LimitError
from splitroute.instance import Instance
from splitroute.report import counted, quantity
from splitroute.solution import Route, Solution, Visit

UNIT = "unit"  # what is counted is a quantity
MANY = 200  # customers that lack something: then the core puts them in
LARGEST_TABLE = 2000  # places


@dataclass(frozen=True)
class Repaired:
    """A valid solution, and what had to be changed for it in words."""

    solution: Solution
    changes: list[str]


def repair(instance: Instance, solution: Solution) -> Repaired:
    """The solution made valid, without needless splits; its customers must exist."""
    if not instance.splittable and instance.vehicles is not None:
        raise InputError("a number of vehicles is kept to only where customers may be split")
    work = _Repair(instance, solution)
    if not instance.splittable:
        work.keep_together()
    work.take_off_surplus()
    work.take_off_overloads()
    work.dissolve_routes()
    work.bring_what_is_missing()
    work.leave_out_needless_visits()
    return Repaired(work.solution(), work.changes())


@dataclass(eq=False)
class _Route:
    """Stops in order and what each gets; a customer is there once."""

    stops: list[int] = field(default_factory=list)
    amounts: dict[int, int] = field(default_factory=dict)

    @property
    def load(self) -> int:
        return sum(self.amounts.values())


class _Repair:
    def __init__(self, instance: Instance, solution: Solution) -> None:
        self.instance = instance
        small = instance.matrix is not None or len(instance.places) <= LARGEST_TABLE
        self._sites: list[int] = instance.sites.tolist()
        self._table: list[list[float]] | None = instance.table.tolist() if small else None
        self.done: Counter[tuple[str, str]] = Counter()  # how many of what, and what was done
        self._take(solution)
        self.done["empty route", "left out"] = len(solution.routes) - len(self.routes)

    def _take(self, solution: Solution) -> None:
        self.routes = [route for r in solution.routes if (route := self._merged(r)).stops]
        self.got: Counter[int] = Counter()
        self.visiting: dict[int, list[_Route]] = {}
        for route in self.routes:
            self.got.update(route.amounts)
            for customer in route.stops:
                self.visiting.setdefault(customer, []).append(route)

    def solution(self) -> Solution:
        """As it is now."""
        return Solution(
            tuple(Route(tuple(Visit(c, r.amounts[c]) for c in r.stops)) for r in self.routes)
        )

    def changes(self) -> list[str]:
        """What was done, in words."""
        return [
            f"{counted(quantity(self.instance, n) if noun == UNIT else n, noun)} {what}"
            for (noun, what), n in self.done.items()
            if n
        ]

    def _merged(self, route: Route) -> _Route:
        """Without visits of nothing, and each customer once, at its cheapest place."""
        stops: list[int] = []
        amounts: dict[int, int] = {}
        for customer, amount in route.visits:
            if amount <= 0:
                what = "of nothing left out" if not amount else "of a negative quantity left out"
                self.done["visit", what] += 1
                continue
            if customer in amounts:
                self.done["stop", "merged with another on the same route"] += 1
            amounts[customer] = amounts.get(customer, 0) + amount
            stops.append(customer)
        while len(stops) > len(amounts):
            times = Counter(stops)
            worst = max(
                (k for k, c in enumerate(stops) if times[c] > 1),
                key=lambda k: self._detour(stops, k),
            )
            del stops[worst]
        return _Route(stops, amounts)

    def keep_together(self) -> None:
        """Nobody is visited twice, and who is visited gets all of it at once."""
        for customer, routes in self.visiting.items():
            kept = max(routes, key=lambda r: r.amounts[customer])
            for route in [r for r in routes if r is not kept]:
                self._change(route, customer, -route.amounts[customer])
                self.done["visit", "left out: the customer must not be split"] += 1
            lacking = max(0, self._demand(customer) - kept.amounts[customer])
            self._change(kept, customer, lacking)
            self.done[UNIT, "added: missing"] += lacking

    def take_off_surplus(self) -> None:
        """Nobody gets more than they want; small visits go first, and with them their detours."""
        for customer, amount in self.got.items():
            surplus = amount - self._demand(customer)
            visits = sorted(self.visiting[customer], key=lambda r: r.amounts[customer])
            for route in visits:
                if surplus <= 0:
                    break
                less = min(surplus, route.amounts[customer])
                self._change(route, customer, -less)
                self.done[UNIT, "taken off: too much delivered"] += less
                surplus -= less

    def take_off_overloads(self) -> None:
        """What does not fit is taken off, from the smallest visits first."""
        for route in self.routes:
            over = route.load - self.instance.capacity
            for customer in sorted(route.stops, key=lambda c: route.amounts[c]):
                if over <= 0:
                    break
                less = route.amounts[customer]
                if self.instance.splittable:
                    less = min(over, less)
                self._change(route, customer, -less)
                self.done[UNIT, "taken off: no room"] += less
                over -= less

    def dissolve_routes(self) -> None:
        """If there are more routes than vehicles, those with the smallest loads go."""
        self._drop_empty()
        vehicles = self.instance.vehicles
        while vehicles is not None and len(self.routes) > vehicles:
            route = min(self.routes, key=lambda r: r.load)
            for customer in list(route.stops):
                self._change(route, customer, -route.amounts[customer])
            self.routes.remove(route)
            self.done["route", "dissolved: no more vehicles"] += 1

    def bring_what_is_missing(self) -> None:
        """Large quantities first; onto vehicles that pass anyway, or where the detour is least."""
        missing = {
            k: lacking
            for k, customer in enumerate(self.instance.customers, 1)
            if (lacking := customer.demand - self.got[k]) > 0
        }
        self.done[UNIT, "added: missing"] += sum(missing.values())
        if len(missing) > MANY and self.instance.vehicles is None:
            with suppress(InputError, LimitError):  # too large for the core: one by one, then
                self._take(completed(self.instance, self.solution()))
                return
        for customer in sorted(missing, key=lambda c: -missing[c]):
            lacking = missing[customer]
            while lacking:
                route, at = self._place_for(customer, lacking)
                amount = min(lacking, self.instance.capacity - route.load)
                if customer not in route.amounts:
                    route.stops.insert(at, customer)
                self._change(route, customer, amount)
                lacking -= amount

    def _place_for(self, customer: int, lacking: int) -> tuple[_Route, int]:
        """A route with room and the place on it: all of it if possible, as cheaply as possible."""
        choices = []
        for k, route in enumerate(self.routes):
            room = self.instance.capacity - route.load
            if room > 0:
                cost, at = self._insertion(route, customer)
                choices.append((room < lacking, cost, k, at))
        new = _Route()
        vehicles = self.instance.vehicles
        if vehicles is None or len(self.routes) < vehicles:
            cost, at = self._insertion(new, customer)
            small = self.instance.capacity < lacking
            choices.append((small, cost, len(self.routes), at))
        _, _, k, at = min(choices)
        if k == len(self.routes):
            self.routes.append(new)
        return self.routes[k], at

    def _insertion(self, route: _Route, customer: int) -> tuple[float, int]:
        if customer in route.amounts:
            return 0.0, 0
        ring = [0, *route.stops, 0]
        return min(
            (self._between(a, customer) + self._between(customer, b) - self._between(a, b), k)
            for k, (a, b) in enumerate(pairwise(ring))
        )

    def leave_out_needless_visits(self) -> None:
        """Quantities go around rings of routes, or to vehicles with room, until visits are gone."""
        self._drop_empty()
        if not self.instance.splittable or not self.routes:
            return
        before = sum(len(route.stops) for route in self.routes)
        with suppress(InputError, LimitError):  # too large for the core: then they stay
            self._take(without_redundant_visits(self.instance, self.solution()))
        gone = before - sum(len(route.stops) for route in self.routes)
        self.done["visit", "left out: others can bring it"] += gone

    def _change(self, route: _Route, customer: int, by: int) -> None:
        """More or less for a customer on a route; the stop goes if nothing is left."""
        if not by:
            return
        if customer not in route.amounts:
            self.visiting.setdefault(customer, []).append(route)
        route.amounts[customer] = route.amounts.get(customer, 0) + by
        self.got[customer] += by
        if not route.amounts[customer]:
            del route.amounts[customer]
            route.stops.remove(customer)
            self.visiting[customer].remove(route)

    def _drop_empty(self) -> None:
        self.routes = [route for route in self.routes if route.stops]

    def _demand(self, customer: int) -> int:
        return self.instance.customers[customer - 1].demand

    def _detour(self, stops: list[int], k: int) -> float:
        """What the k-th stop costs."""
        before, at = stops[k - 1] if k else 0, stops[k]
        after = stops[k + 1] if k + 1 < len(stops) else 0
        return self._between(before, at) + self._between(at, after) - self._between(before, after)

    def _between(self, a: int, b: int) -> float:
        """The distance of two customers, or of the depot, which is 0."""
        a, b = self._sites[a], self._sites[b]
        if self._table is not None:
            return self._table[a][b]
        if self.instance.metric == "haversine":
            return self.instance.distance(a, b)
        return math.dist(self.instance.places[a], self.instance.places[b])  # near enough, and quick
