"""Why a solution leaves quantities undelivered: the most specific reason that is certain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from splitroute.errors import InfeasibleError
from splitroute.instance import Instance, VehicleType
from splitroute.instance.customers import customer_name
from splitroute.instance.feasibility import PARTIAL_HINT, Feasibility, fewest_visits
from splitroute.solution.routes import Solution, undelivered

MAX_REASONS = 3  # in one error
NOT_FOUND = "no feasible place for it was found in the time given"
REST_NOT_FOUND = "no feasible place for the rest was found in the time given"


class Undelivered(NamedTuple):
    """A quantity that a customer (1..n) does not get, the rule at fault, and the reason."""

    customer: int
    quantity: int
    rule: str | None  # None if no feasible place was found
    reason: str


def explain_undelivered(instance: Instance, solution: Solution) -> tuple[Undelivered, ...]:
    """Return what the solution does not deliver, and why, by customer."""
    missing = undelivered(instance, solution)
    if not missing:
        return ()
    explanation = _Explanation(instance, missing)
    return tuple(
        Undelivered(number, quantity, *explanation.reason(number))
        for number, quantity in missing.items()
    )


class _Shortage(NamedTuple):
    """What some vehicle types lack for the customers that depend on them."""

    rule: str
    reason: str
    is_sufficient: bool  # to explain all that these customers do not get


class _Explanation:
    def __init__(self, instance: Instance, missing: dict[int, int]) -> None:
        self._instance = instance
        self._missing = missing
        self._feasibility = Feasibility(instance)
        self._types_of: dict[int, frozenset[int]] = {}
        self._shortages: dict[tuple[frozenset[int], bool], tuple[str, str] | None] = {}

    def reason(self, number: int) -> tuple[str | None, str]:
        """Return the rule at fault and the reason."""
        customer = self._instance.customers[number - 1]
        if impossible := self._feasibility.reason(number):
            return impossible.rule, impossible.message
        is_optional = customer.penalty is not None
        if shortage := self._shortage(self._usable_types(number), is_optional):
            return shortage
        if is_optional:
            penalty = f"the penalty of {customer.penalty:.10g} per unit"
            return "penalty", f"{penalty} costs less than any delivery found"
        return None, NOT_FOUND

    def _usable_types(self, number: int) -> frozenset[int]:
        """Indices of the vehicle types that can serve a customer; none if it demands too much."""
        if number not in self._types_of:
            is_possible = self._feasibility.reason(number) is None
            types = self._feasibility.usable_types(number) if is_possible else []
            self._types_of[number] = frozenset(types)
        return self._types_of[number]

    def _shortage(self, types: frozenset[int], is_optional: bool) -> tuple[str, str] | None:
        """What these types, all of them, or both lack for the customers that depend on them.

        Optional demand takes no room from mandatory demand.
        """
        key = types, is_optional
        if key not in self._shortages:
            every = frozenset(range(len(self._instance.vehicle_types)))
            found: list[_Shortage] = []
            for subset in dict.fromkeys((types, every)):
                if not any(lack.is_sufficient for lack in found):
                    found += filter(None, [self._lack_of(subset, is_optional)])
            self._shortages[key] = _joined(found)
        return self._shortages[key]

    def _lack_of(self, types: frozenset[int], is_optional: bool) -> _Shortage | None:
        kinds = [self._instance.vehicle_types[k] for k in sorted(types)]
        if any(kind.count is None for kind in kinds):
            return None
        customers = [
            number
            for number, customer in enumerate(self._instance.customers, 1)
            if (is_optional or customer.penalty is None)
            and frozenset() < self._usable_types(number) <= types
        ]
        return self._lack_of_room(kinds, customers) or self._lack_of_stops(kinds, customers)

    def _lack_of_room(self, kinds: list[VehicleType], customers: list[int]) -> _Shortage | None:
        room = sum(trips(kind) * kind.capacity for kind in kinds)
        demand = sum(self._instance.customers[number - 1].demand for number in customers)
        if demand <= room:
            return None
        unit = self._instance.unit
        reason = (
            f"the fleet is too small by {(demand - room) * unit}: {self._names(kinds)} "
            f"{room * unit} in all trips, and the demands are {demand * unit}"
        )
        missing = sum(self._missing.get(number, 0) for number in customers)
        return _Shortage("vehicles", reason, missing <= demand - room)

    def _lack_of_stops(self, kinds: list[VehicleType], customers: list[int]) -> _Shortage | None:
        if any(kind.max_stops is None for kind in kinds):
            return None
        stops = sum(trips(kind) * (kind.max_stops or 0) for kind in kinds)
        capacity = max((kind.capacity for kind in kinds), default=0)
        needed = sum(self._visits(number, capacity) for number in customers)
        if needed <= stops:
            return None
        lack = "1 stop" if needed - stops == 1 else f"{needed - stops} stops"
        reason = (
            f"the fleet is too small by {lack}: it makes {stops} in all trips, and the demands "
            f"need {needed}"
        )
        return _Shortage("max_stops", reason, is_sufficient=True)

    def _visits(self, number: int, capacity: int) -> int:
        """Fewest visits that a customer needs."""
        customer = self._instance.customers[number - 1]
        return fewest_visits(customer.demand, capacity, customer.min_drop, customer.lot) or 0

    def _names(self, kinds: list[VehicleType]) -> str:
        if len(kinds) == len(self._instance.vehicle_types):
            return "it carries"
        names = " and ".join(repr(kind.type) for kind in kinds)
        return f"the vehicles of type {names} that can serve it carry"


def _joined(shortages: list[_Shortage]) -> tuple[str, str] | None:
    """The rule of the first shortage, and all reasons."""
    if not shortages:
        return None
    reasons = [shortage.reason for shortage in shortages]
    if not shortages[-1].is_sufficient:
        reasons.append(REST_NOT_FOUND)
    return shortages[0].rule, "; ".join(reasons)


def trips(kind: VehicleType) -> int:
    """Number of trips that all vehicles of a type may make."""
    return (kind.count or 0) * kind.max_trips


def undelivered_texts(instance: Instance, items: Sequence[Undelivered]) -> list[str]:
    """Return a line per customer: who it is, the quantity that it lacks, and the reason."""
    lines = []
    for number, quantity, _, reason in items:
        customer, unit = instance.customers[number - 1], instance.unit
        name = customer_name(instance, number)
        lines.append(f"{name} lacks {quantity * unit} of {customer.demand * unit}: {reason}")
    return lines


def infeasible(instance: Instance, items: Sequence[Undelivered]) -> InfeasibleError:
    """Return the error for mandatory quantities that are not delivered."""
    reasons = "; ".join(undelivered_texts(instance, items[:MAX_REASONS]))
    more = f"; and {len(items) - MAX_REASONS} more" if len(items) > MAX_REASONS else ""
    message = f"{reasons}{more}; {PARTIAL_HINT}"
    quantity = sum(item.quantity for item in items) * instance.unit
    return InfeasibleError(message, field="partial", value=quantity)
