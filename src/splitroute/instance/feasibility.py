"""Demands that no solution can deliver, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from splitroute import distances
from splitroute.distances import Floats
from splitroute.errors import InputError
from splitroute.instance.clock import duration_texts, number_texts, time_texts
from splitroute.instance.customers import Customer, customer_name
from splitroute.instance.vehicles import VehicleType, Windows
from splitroute.instance.windows import ALWAYS, depot_windows, earliest, tolerance

if TYPE_CHECKING:
    from splitroute.instance import Instance

PARTIAL_HINT = "partial=True delivers as much as possible"

# If a type can serve nobody, these are rules of the customers; another type may serve them.
RULES_OF_CUSTOMERS = frozenset({"windows", "vehicle_types"})

# Without any of these, every customer can be reached.
REACH_RULES = frozenset(
    {"windows", "depot_windows", "shift", "max_distance", "max_duration", "vehicle_types"}
)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a demand cannot be delivered: the rule, its value, and a sentence."""

    rule: str
    value: object
    message: str


def check_feasible(instance: Instance) -> None:
    """Raise an InputError if some mandatory demand cannot be delivered by any solution."""
    if instance.partial:
        return
    feasibility = Feasibility(instance)
    useless = [
        (reason, k)
        for k, reason in enumerate(map(feasibility.useless, instance.fleet))
        if reason is not None and reason.rule not in RULES_OF_CUSTOMERS
    ]
    if useless:
        first, k = useless[0]
        message = "; ".join(reason.message for reason, _ in useless)
        raise _error(replace(first, message=message), ("fleet", k))
    if instance.rules:
        for number, customer in enumerate(instance.customers, 1):
            if customer.penalty is None and (reason := feasibility.reason(number)):
                raise _error(reason, ("customers", number - 1))
    if reason := feasibility.shortage():
        raise _error(reason)


def _error(reason: Reason, owner: tuple[str, int] | None = None) -> InputError:
    return InputError(
        f"{reason.message}; {PARTIAL_HINT}",
        code="infeasible",
        field=reason.rule,
        value=reason.value,
        owner=owner,
    )


def fewest_visits(demand: int, capacity: int, min_drop: int = 0, lot: int = 1) -> int | None:
    """Fewest visits with allowed quantities that deliver a demand; None if no number does."""
    if demand <= capacity:
        return min(demand, 1)
    # All visits deliver whole lots, and one of them also the rest.
    lots, rest = divmod(demand, lot)
    min_lots, max_lots = -(-max(min_drop, 1) // lot), capacity // lot
    if min_lots > max_lots:
        return None
    min_with_rest, max_with_rest = 0, 0
    if rest:
        min_with_rest = max(0, -((rest - min_drop) // lot))
        max_with_rest = (capacity - rest) // lot
        if min_with_rest > max_with_rest:
            return None
    others = -(-(lots - max_with_rest) // max_lots)
    return others + bool(rest) if others * min_lots + min_with_rest <= lots else None


class Feasibility:
    """What each customer allows, by itself and with an empty fleet."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._limits_reach = bool(instance.rules & REACH_RULES)

    def reason(self, number: int) -> Reason | None:
        """Why the demand of a customer (1..n) cannot be delivered in full, if it cannot."""
        customer = self._instance.customers[number - 1]
        if not customer.demand:
            return None
        names, kinds = customer.vehicle_types, self._instance.vehicle_types
        allowed = [kind for kind in kinds if names is None or kind.type in names]
        if self._limits_reach:
            reasons = [self.unreachable(number, kind) for kind in allowed]
            allowed = [kind for kind, why in zip(allowed, reasons, strict=True) if why is None]
            if not allowed:
                no_type = f"no vehicle type may serve {customer_name(self._instance, number)}"
                return reasons[0] if reasons else Reason("vehicle_types", names, no_type)
        return self._undeliverable(number, customer, max(kind.capacity for kind in allowed))

    def usable_types(self, number: int) -> list[int]:
        """Indices of the vehicle types that can serve a customer (1..n) and return."""
        kinds = self._instance.vehicle_types
        if not self._limits_reach:
            return list(range(len(kinds)))
        names = self._instance.customers[number - 1].vehicle_types
        return [
            k
            for k, kind in enumerate(kinds)
            if (names is None or kind.type in names) and self.unreachable(number, kind) is None
        ]

    def unreachable(self, number: int, kind: VehicleType) -> Reason | None:
        """Why no vehicle of a type can serve a customer and return, if none can."""
        instance, customer = self._instance, self._instance.customers[number - 1]
        departures, returns = self._depot_windows[kind.type]
        start = earliest(departures, 0.0)
        there, back, length = (values[number] for values in self._legs[kind.depot, kind.end_depot])
        least = max(1, min(customer.min_drop, customer.demand)) * float(instance.unit)
        service = customer.service + customer.service_per_unit * least
        name = f"a vehicle of type {kind.type!r}" if instance.fleet else "a vehicle"
        who = customer_name(instance, number)

        if kind.max_distance is not None and _exceeds(length, kind.max_distance):
            found, limit = number_texts(length, kind.max_distance)
            message = f"{who} needs a route of {found}"
            message += f"; max_distance of {kind.type!r} is {limit}"
            return Reason("max_distance", kind.max_distance, message)
        duration = there + service + back
        if kind.max_duration is not None and _exceeds(duration, kind.max_duration):
            found, limit = duration_texts(instance, duration, kind.max_duration)
            message = f"{who} needs a route of {found}"
            message += f"; max_duration of {kind.type!r} is {limit}"
            return Reason("max_duration", kind.max_duration, message)
        if start is None or not returns:
            message = f"{name} has no window of its depot within its shift"
            return Reason("shift", kind.shift, message)
        arrival = start + there
        begin = earliest(customer.windows or ALWAYS, arrival)
        if begin is None:
            closes, arrives = time_texts(instance, customer.windows[-1][1], arrival)
            message = (
                f"the last window of {who} closes at {closes}; "
                f"{name} arrives at {arrives} at the earliest"
            )
            return Reason("windows", customer.windows, message)
        end = begin + service + back
        if earliest(returns, end) is None:
            rule = "shift" if kind.shift and _exceeds(end, kind.shift[1]) else "depot_windows"
            found, limit = time_texts(instance, end, returns[-1][1])
            message = (
                f"{name} that serves {who} returns at {found} "
                f"at the earliest; it must be back by {limit}"
            )
            return Reason(rule, kind.shift if rule == "shift" else returns, message)
        return None

    def useless(self, kind: VehicleType) -> Reason | None:
        """Why vehicles of a type can serve none of the customers that allow it, if they cannot."""
        if not self._limits_reach or not self._instance.customers:
            return None
        title = f"vehicle type {kind.type!r} cannot serve any customer"
        reasons: list[Reason] = []
        for number, customer in enumerate(self._instance.customers, 1):
            if customer.vehicle_types is None or kind.type in customer.vehicle_types:
                reason = self.unreachable(number, kind)
                if reason is None:
                    return None
                reasons.append(reason)
        if not reasons:
            return Reason("vehicle_types", kind.type, f"{title}: none of them allows it")
        # If windows are to blame for some customers, no change of the vehicles alone helps.
        reason = next((r for r in reasons if r.rule in RULES_OF_CUSTOMERS), reasons[0])
        return replace(reason, message=f"{title}: {reason.message}")

    def shortage(self) -> Reason | None:
        """Why the fleet cannot carry the mandatory demands, if it cannot."""
        instance = self._instance
        if any(kind.count is None for kind in instance.vehicle_types):
            return None
        mandatory = sum(c.demand for c in instance.customers if c.penalty is None)
        carried = sum((v.count or 0) * v.max_trips * v.capacity for v in instance.vehicle_types)
        if mandatory <= carried:
            return None
        unit = instance.unit
        return Reason(
            "vehicles",
            carried,
            f"the vehicles carry {carried * unit} in all their trips; the demands are "
            f"{mandatory * unit}, {(mandatory - carried) * unit} more",
        )

    def _undeliverable(self, number: int, customer: Customer, capacity: int) -> Reason | None:
        instance, unit = self._instance, self._instance.unit
        demand = f"{customer_name(instance, number)} has a demand of {customer.demand * unit}"
        carries = f"the largest vehicle that may serve it carries {capacity * unit}"
        if customer.demand > capacity and not (instance.splittable and customer.splittable):
            message = f"{demand}, which must not be split; {carries}"
            return Reason("splittable", False, message)
        visits = fewest_visits(customer.demand, capacity, customer.min_drop, customer.lot)
        if visits is None:
            rule = "lot" if customer.lot > 1 else "min_drop"
            value = getattr(customer, rule)
            message = f"{demand}, which cannot be split with {rule} {value * unit}; {carries}"
            return Reason(rule, value, message)
        if customer.max_visits is not None and visits > customer.max_visits:
            message = f"{demand}, which takes {visits} visits; {carries}"
            message += f", and max_visits is {customer.max_visits}"
            return Reason("max_visits", customer.max_visits, message)
        return None

    @cached_property
    def _depot_windows(self) -> dict[str, tuple[Windows, Windows]]:
        return {v.type: depot_windows(self._instance, v) for v in self._instance.vehicle_types}

    def _reach(self, start: int, end: int) -> tuple[Floats, Floats]:
        """Distances of all places from the start and to the end."""
        instance = self._instance
        if instance.matrix is not None:
            return _from_and_to(instance.matrix, start, end)
        if instance.metric == "dimacs" and len(instance.places) <= distances.MAX_PATH_PLACES:
            return _from_and_to(instance.table, start, end)  # rounded distances
        every = np.arange(len(instance.places))
        there, back = np.full(len(every), start), np.full(len(every), end)
        pairs = partial(distances.pairs, instance.xy, instance.metric, None)
        return pairs(there, every), pairs(every, back)

    @cached_property
    def _legs(self) -> dict[tuple[str | None, str | None], tuple[list[float], ...]]:
        """By depots: travel time to each customer and back, and the distance of both."""
        instance = self._instance
        places, sites = instance.depot_places, instance.sites
        legs: dict[tuple[str | None, str | None], tuple[list[float], ...]] = {}
        for kind in instance.vehicle_types:
            start, end = places[kind.depot], places[kind.end_depot or kind.depot]
            there, back = self._reach(start, end)
            length = there + back
            if instance.durations is not None:
                there, back = _from_and_to(instance.durations, start, end)
            else:
                there, back = there / instance.travel_speed, back / instance.travel_speed
            there, back, length = (values[sites] for values in (there, back, length))
            legs[kind.depot, kind.end_depot] = (there.tolist(), back.tolist(), length.tolist())
        return legs


def _from_and_to(table: Floats, start: int, end: int) -> tuple[Floats, Floats]:
    """Lengths of shortest paths: where a detour is shorter, a route over other customers is."""
    return distances.shortest_from(table, start), distances.shortest_from(table.T, end)


def _exceeds(value: float, limit: float) -> bool:
    return value > limit + tolerance(limit)
