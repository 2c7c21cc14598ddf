"""Repair with rules: removes what violates one, and lets the core insert what is missing.

Quantities are made admissible customer by customer, then visits are removed from trips that break a
limit, then trips from types with too few vehicles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from splitroute.core import completed
from splitroute.errors import InfeasibleError
from splitroute.instance import Instance
from splitroute.repair._changes import UNIT, Changes, change_texts
from splitroute.repair._vehicle import VehicleCheck
from splitroute.repair.quantities import admissible_quantities
from splitroute.solution import (
    Route,
    Solution,
    Visit,
    explain_undelivered,
    trips_of_vehicles,
)
from splitroute.solution.reasons import infeasible
from splitroute.validation import Violation, validate


def repair_with_rules(instance: Instance, solution: Solution) -> tuple[Solution, list[str]]:
    """Return a valid solution and a description of each change."""
    if not validate(instance, solution):
        return solution, []
    work = _Repair(instance, solution)
    work.make_quantities_admissible()
    work.remove_from_trips()
    work.dissolve_small_loads()
    work.dissolve_surplus_trips()
    kept = work.solution()
    repaired = completed(instance, kept)
    before, after = _delivered(kept), _delivered(repaired)
    work.changes[UNIT, "added: unserved demand"] += max(0, after - before)
    _check(instance, repaired)
    return repaired, change_texts(instance, work.changes)


def _delivered(solution: Solution) -> int:
    return sum(route.load for route in solution.routes)


def _check(instance: Instance, solution: Solution) -> None:
    """Raise an InfeasibleError that names the rules that are still violated."""
    customers = instance.customers
    missing = [
        item
        for item in explain_undelivered(instance, solution)
        if customers[item.customer - 1].penalty is None and not instance.partial
    ]
    if missing:
        raise infeasible(instance, missing)
    if violations := validate(instance, solution):
        kind, message = violations[0].kind, violations[0].message
        raise InfeasibleError(f"the repair cannot satisfy {kind}: {message}", field=kind)


@dataclass(eq=False)
class _Trip:
    """A route whose visits may be changed: customers in order, each once, and quantities."""

    route: Route
    quantities: dict[int, int] = field(default_factory=dict)

    @property
    def load(self) -> int:
        return sum(self.quantities.values())

    def to_route(self, **changes: int) -> Route:
        visits = tuple(Visit(c, q) for c, q in self.quantities.items() if q)
        return replace(self.route, visits=visits, start=None, **changes)


class _Repair:
    def __init__(self, instance: Instance, solution: Solution) -> None:
        self.instance = instance
        self.changes = Changes()
        known = (self._known(route) for route in solution.routes)
        clean = Solution(tuple(route for route in known if route.visits))
        self.changes["empty route", "removed"] = len(solution.routes) - len(clean.routes)
        self.vehicles = [
            [_Trip(clean.routes[k], dict(clean.routes[k].visits)) for k in indices]
            for indices in trips_of_vehicles(clean)
        ]

    def solution(self) -> Solution:
        """The solution in its current state; vehicles and trips are numbered from 1."""
        routes, used = [], Counter[int]()
        for trips in self.vehicles:
            if filled := [trip for trip in trips if trip.load]:
                kind = filled[0].route.vehicle_type
                used[kind] += 1
                routes += [t.to_route(vehicle=used[kind], trip=k) for k, t in enumerate(filled, 1)]
        return Solution(tuple(routes))

    def _known(self, route: Route) -> Route:
        """The route with each known customer once, and of a known vehicle."""
        quantities: dict[int, int] = {}
        for customer, quantity in route.visits:
            if quantity <= 0:
                self.changes["visit", "removed: no quantity"] += 1
            elif not 1 <= customer <= len(self.instance.customers):
                self.changes["visit", "removed: unknown customer"] += 1
            else:
                is_repeated = customer in quantities
                self.changes["visit", "merged with another on the same route"] += is_repeated
                quantities[customer] = quantities.get(customer, 0) + quantity
        kind = route.vehicle_type
        if not 0 <= kind < len(self.instance.vehicle_types):
            self.changes["route", "given the first vehicle type"] += 1
            kind = 0
        vehicle, trip = max(0, route.vehicle), max(1, route.trip)
        visits = tuple(Visit(c, q) for c, q in quantities.items())
        return Route(visits, kind, vehicle, trip, route.start)

    def make_quantities_admissible(self) -> None:
        """Deliver no more than the demands, in quantities and visits that customers allow."""
        trips_of: dict[int, list[_Trip]] = {}
        for trip in self._trips():
            for number in trip.quantities:
                trips_of.setdefault(number, []).append(trip)
        for number, trips in trips_of.items():
            customer = self.instance.customers[number - 1]
            trips.sort(key=lambda trip, number=number: -trip.quantities[number])  # type: ignore[misc]
            found = [trip.quantities[number] for trip in trips]
            is_mandatory = customer.penalty is None and not self.instance.partial
            is_splittable = self.instance.splittable and customer.splittable
            kept = admissible_quantities(customer, found, is_splittable, is_mandatory)
            for trip, before, after in zip(trips, found, kept, strict=True):
                reason = "more than the demand or not admissible"
                self._reduce(trip, number, before - after, reason)

    def remove_from_trips(self) -> None:
        """Remove visits from trips that break a limit, those that help most first."""
        for trips in self.vehicles:
            check = VehicleCheck(self.instance, (c for trip in trips for c in trip.quantities))
            while violations := _violations(check, trips):
                if self._reduce_overload(trips):
                    continue
                _, _, k, customer = min(_removals(check, trips))
                quantity = trips[k].quantities[customer]
                self._reduce(trips[k], customer, quantity, f"{violations[0].kind} violated")

    def _reduce_overload(self, trips: list[_Trip]) -> bool:
        """Reduce a quantity by the overload of a trip, if its customer allows that."""
        for trip in trips:
            capacity = self.instance.vehicle_types[trip.route.vehicle_type].capacity
            overload = trip.load - capacity
            for number, quantity in trip.quantities.items():
                customer = self.instance.customers[number - 1]
                is_plain = customer.lot == 1 and quantity - overload >= max(1, customer.min_drop)
                may_split = customer.splittable and customer.max_visits is None
                if 0 < overload < quantity and is_plain and may_split and self.instance.splittable:
                    self._reduce(trip, number, overload, "over capacity")
                    return True
        return False

    def dissolve_small_loads(self) -> None:
        """Remove trips that carry less than the minimum."""
        for trip in self._trips():
            kind = self.instance.vehicle_types[trip.route.vehicle_type]
            if 0 < trip.load < kind.min_load:
                self._dissolve(trip, f"less than min_load of {kind.type!r}")

    def dissolve_surplus_trips(self) -> None:
        """Remove the trips with the smallest loads if there are more than vehicles can make."""
        for index, kind in enumerate(self.instance.vehicle_types):
            vehicles = [v for v in self.vehicles if v[0].route.vehicle_type == index]
            for trips in vehicles:
                filled = sorted((t for t in trips if t.load), key=lambda t: -t.load)
                for trip in filled[kind.max_trips :]:
                    self._dissolve(trip, f"more than max_trips of {kind.type!r}")
            used = [trips for trips in vehicles if any(t.load for t in trips)]
            used.sort(key=lambda trips: -sum(t.load for t in trips))
            for trips in used[kind.count :] if kind.count is not None else []:
                for trip in trips:
                    if trip.load:
                        self._dissolve(trip, f"more vehicles than the count of {kind.type!r}")

    def _trips(self) -> Iterator[_Trip]:
        for trips in self.vehicles:
            yield from trips

    def _dissolve(self, trip: _Trip, reason: str) -> None:
        trip.quantities.clear()
        self.changes["route", f"dissolved: {reason}"] += 1

    def _reduce(self, trip: _Trip, customer: int, by: int, reason: str) -> None:
        if not by:
            return
        trip.quantities[customer] -= by
        self.changes[UNIT, f"removed: {reason}"] += by
        if not trip.quantities[customer]:
            del trip.quantities[customer]


def _removals(check: VehicleCheck, trips: list[_Trip]) -> Iterator[tuple[int, int, int, int]]:
    """Violations left, quantity, trip and customer of each visit that could be removed."""
    for k, trip in enumerate(trips):
        for customer, quantity in trip.quantities.items():
            others = {c: q for c, q in trip.quantities.items() if c != customer}
            changed = [*trips[:k], _Trip(trip.route, others), *trips[k + 1 :]]
            yield len(_violations(check, changed)), quantity, k, customer


def _violations(check: VehicleCheck, trips: list[_Trip]) -> list[Violation]:
    """Violated limits of one vehicle's trips."""
    return check.violations(t.to_route(trip=k) for k, t in enumerate(trips, 1) if t.load)
