"""Repair without rules beyond capacity, demands and a number of vehicles.

Surplus and overload are removed, unserved demand is inserted at minimum cost, and redundant splits
are undone.
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
from splitroute.repair._changes import UNIT, Changes, change_texts
from splitroute.solution import Route, Solution, Visit

MAX_CUSTOMERS_INSERTED = 200  # one by one; more are inserted by the core
MAX_LISTED_PLACES = 2000  # whose distances are kept in lists, which are fast to read


def repair_plain(instance: Instance, solution: Solution) -> tuple[Solution, list[str]]:
    """Return a valid solution without redundant splits, and a description of each change."""
    work = _Repair(instance, solution)
    if not instance.splittable:
        work.undo_splits()
    work.remove_surplus()
    work.remove_overload()
    work.dissolve_routes()
    work.insert_unserved()
    work.remove_redundant_visits()
    return work.solution(), change_texts(instance, work.changes)


@dataclass(eq=False)
class _Route:
    """Customers in order, each once, and the quantity of each."""

    customers: list[int] = field(default_factory=list)
    quantities: dict[int, int] = field(default_factory=dict)

    @property
    def load(self) -> int:
        return sum(self.quantities.values())


class _Repair:
    def __init__(self, instance: Instance, solution: Solution) -> None:
        self.instance = instance
        is_small = instance.matrix is not None or len(instance.places) <= MAX_LISTED_PLACES
        self._sites: list[int] = instance.sites.tolist()
        self._table: list[list[float]] | None = instance.table.tolist() if is_small else None
        self.changes = Changes()
        self._load(solution)
        self.changes["empty route", "removed"] = len(solution.routes) - len(self.routes)

    def _load(self, solution: Solution) -> None:
        self.routes = [route for r in solution.routes if (route := self._merged(r)).customers]
        self.delivered: Counter[int] = Counter()
        self.routes_of: dict[int, list[_Route]] = {}
        for route in self.routes:
            self.delivered.update(route.quantities)
            for customer in route.customers:
                self.routes_of.setdefault(customer, []).append(route)

    def solution(self) -> Solution:
        """The solution in its current state."""
        return Solution(
            tuple(Route(tuple(Visit(c, r.quantities[c]) for c in r.customers)) for r in self.routes)
        )

    def _merged(self, route: Route) -> _Route:
        """The route without empty visits, and each customer once, at its cheapest position."""
        customers: list[int] = []
        quantities: dict[int, int] = {}
        for customer, quantity in route.visits:
            if quantity <= 0:
                reason = "negative quantity" if quantity else "zero quantity"
                self.changes["visit", f"removed: {reason}"] += 1
                continue
            if not 1 <= customer <= len(self.instance.customers):
                self.changes["visit", "removed: unknown customer"] += 1
                continue
            if customer in quantities:
                self.changes["visit", "merged with another on the same route"] += 1
            quantities[customer] = quantities.get(customer, 0) + quantity
            customers.append(customer)
        while len(customers) > len(quantities):
            counts = Counter(customers)
            worst = max(
                (k for k, c in enumerate(customers) if counts[c] > 1),
                key=lambda k: self._detour(customers, k),
            )
            del customers[worst]
        return _Route(customers, quantities)

    def undo_splits(self) -> None:
        """Leave one visit per customer, with the whole demand."""
        for customer, routes in self.routes_of.items():
            largest = max(routes, key=lambda r: r.quantities[customer])
            for route in [r for r in routes if r is not largest]:
                self._change(route, customer, -route.quantities[customer])
                self.changes["visit", "removed: splitting is disabled"] += 1
            unserved = max(0, self._demand(customer) - largest.quantities[customer])
            self._change(largest, customer, unserved)
            self.changes[UNIT, "added: unserved demand"] += unserved

    def remove_surplus(self) -> None:
        """Deliver no more than the demand; small visits go first, and their detours with them."""
        for customer, total in self.delivered.items():
            surplus = total - self._demand(customer)
            for route in sorted(self.routes_of[customer], key=lambda r: r.quantities[customer]):
                if surplus <= 0:
                    break
                removed = min(surplus, route.quantities[customer])
                self._change(route, customer, -removed)
                self.changes[UNIT, "removed: more than the demand"] += removed
                surplus -= removed

    def remove_overload(self) -> None:
        """Load no more than the capacity; small visits go first."""
        for route in self.routes:
            overload = route.load - self.instance.capacity
            for customer in sorted(route.customers, key=lambda c: route.quantities[c]):
                if overload <= 0:
                    break
                removed = route.quantities[customer]
                if self.instance.splittable:
                    removed = min(overload, removed)
                self._change(route, customer, -removed)
                self.changes[UNIT, "removed: over capacity"] += removed
                overload -= removed

    def dissolve_routes(self) -> None:
        """Remove the routes with the smallest loads if there are more than vehicles."""
        self._drop_empty()
        vehicles = self.instance.vehicles
        while vehicles is not None and len(self.routes) > vehicles:
            route = min(self.routes, key=lambda r: r.load)
            for customer in list(route.customers):
                self._change(route, customer, -route.quantities[customer])
            self.routes.remove(route)
            self.changes["route", "dissolved: too few vehicles"] += 1

    def insert_unserved(self) -> None:
        """Insert unserved demand, large quantities first, at minimum cost."""
        unserved = {
            k: quantity
            for k, customer in enumerate(self.instance.customers, 1)
            if (quantity := customer.demand - self.delivered[k]) > 0
        }
        self.changes[UNIT, "added: unserved demand"] += sum(unserved.values())
        if len(unserved) > MAX_CUSTOMERS_INSERTED and self.instance.vehicles is None:
            with suppress(InputError, LimitError):  # too large for the core: then one by one
                self._load(completed(self.instance, self.solution()))
                return
        for customer in sorted(unserved, key=lambda c: -unserved[c]):
            while unserved[customer]:
                route, position = self._best_insertion(customer, unserved[customer])
                quantity = min(unserved[customer], self.instance.capacity - route.load)
                if customer not in route.quantities:
                    route.customers.insert(position, customer)
                self._change(route, customer, quantity)
                unserved[customer] -= quantity

    def _best_insertion(self, customer: int, quantity: int) -> tuple[_Route, int]:
        """Route with room and position on it: for all of it if possible, at minimum cost."""
        choices = []
        for k, route in enumerate(self.routes):
            room = self.instance.capacity - route.load
            if room > 0:
                cost, position = self._insertion(route, customer)
                choices.append((room < quantity, cost, k, position))
        new = _Route()
        vehicles = self.instance.vehicles
        if vehicles is None or len(self.routes) < vehicles:
            cost, position = self._insertion(new, customer)
            is_partial = self.instance.capacity < quantity
            choices.append((is_partial, cost, len(self.routes), position))
        _, _, k, position = min(choices)
        if k == len(self.routes):
            self.routes.append(new)
        return self.routes[k], position

    def _insertion(self, route: _Route, customer: int) -> tuple[float, int]:
        """Extra cost of the cheapest position on a route, and that position."""
        if customer in route.quantities:
            return 0.0, 0
        tour = [0, *route.customers, 0]
        return min(
            (self._distance(a, customer) + self._distance(customer, b) - self._distance(a, b), k)
            for k, (a, b) in enumerate(pairwise(tour))
        )

    def remove_redundant_visits(self) -> None:
        """Transfer quantities between routes so that visits become empty, and remove these."""
        self._drop_empty()
        if not self.instance.splittable or not self.routes:
            return
        before = sum(len(route.customers) for route in self.routes)
        with suppress(InputError, LimitError):  # too large for the core: then they stay
            self._load(without_redundant_visits(self.instance, self.solution()))
        removed = before - sum(len(route.customers) for route in self.routes)
        self.changes["visit", "removed: redundant"] += removed

    def _change(self, route: _Route, customer: int, by: int) -> None:
        """Change a quantity on a route; remove the visit if nothing is left."""
        if not by:
            return
        if customer not in route.quantities:
            self.routes_of.setdefault(customer, []).append(route)
        route.quantities[customer] = route.quantities.get(customer, 0) + by
        self.delivered[customer] += by
        if not route.quantities[customer]:
            del route.quantities[customer]
            route.customers.remove(customer)
            self.routes_of[customer].remove(route)

    def _drop_empty(self) -> None:
        self.routes = [route for route in self.routes if route.customers]

    def _demand(self, customer: int) -> int:
        return self.instance.customers[customer - 1].demand

    def _detour(self, customers: list[int], k: int) -> float:
        """Cost saved by removing the k-th visit."""
        before, at = customers[k - 1] if k else 0, customers[k]
        after = customers[k + 1] if k + 1 < len(customers) else 0
        return (
            self._distance(before, at) + self._distance(at, after) - self._distance(before, after)
        )

    def _distance(self, a: int, b: int) -> float:
        """Distance between two customers, or the depot, which is 0."""
        a, b = self._sites[a], self._sites[b]
        if self._table is not None:
            return self._table[a][b]
        if self.instance.metric == "haversine":
            return self.instance.distance(a, b)
        return math.dist(self.instance.places[a], self.instance.places[b])  # unrounded, but fast
