"""Checks of depots, vehicle types and the rules of customers, each by itself."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from numbers import Real
from typing import TYPE_CHECKING, Any

from splitroute.errors import InputError, InputWarning, issue
from splitroute.instance.checks import MAX_QUANTITY, MAX_VEHICLES
from splitroute.instance.clock import clock_text
from splitroute.instance.customers import customer_name
from splitroute.instance.vehicles import VehicleType

if TYPE_CHECKING:
    from splitroute.instance import Instance

MAX_VALUE = 1e12  # of times, distances and costs
AT_MOST = f"at most {MAX_VALUE:g}"
MAX_VEHICLE_TYPES = 64  # the core keeps a set of types in 64 bits


def check_rules(instance: Instance) -> None:
    """Raise an InputError for the first value of a rule that is invalid."""
    for k, _ in enumerate(instance.depots):
        _check_depot(instance, k)
    if instance.speed is not None and not _is_number(instance.speed, above=0):
        message = f"speed is {instance.speed!r}; it must be a number above 0, {AT_MOST}"
        raise InputError(message, field="speed", value=instance.speed)
    for k, _ in enumerate(instance.fleet):
        _check_vehicle_type(instance, k)
    for k in instance.customers_with_rules:
        _check_customer(instance, k)


def fleet_of_depots(instance: Instance) -> tuple[VehicleType, ...]:
    """The same vehicles at every depot, as many as needed."""
    if instance.vehicles is not None:
        raise InputError(
            f"vehicles is {instance.vehicles}, and there are {len(instance.depots)} depots; "
            "it must be vehicle types, each with its depot",
            field="vehicles",
            value=instance.vehicles,
        )
    return tuple(VehicleType(d.id, instance.capacity, depot=d.id) for d in instance.depots)


def warn_about_unused_depots(instance: Instance) -> None:
    """Warn about depots at which no vehicle starts or ends."""
    ends = [id for k in instance.fleet for id in (k.depot, k.end_depot or k.depot)]
    used = {instance.depot_places[id] for id in ends}
    for depot in instance.depots if instance.fleet else ():
        if depot.place not in used:
            message = f"no vehicle type uses the depot {depot.id!r}"
            issue(InputWarning(message, field="depots", value=depot.id))


def check_fleet(fleet: Sequence[VehicleType], unit: Decimal) -> None:
    """Raise unless the fleet is a list of types with capacities, the largest of which counts."""
    if len(fleet) > MAX_VEHICLE_TYPES:
        message = f"{len(fleet)} vehicle types; the maximum is {MAX_VEHICLE_TYPES}"
        raise InputError(message, field="vehicles", value=len(fleet))
    for k, kind in enumerate(fleet):
        if not isinstance(kind, VehicleType):
            message = f"vehicles contains {kind!r}; it must be a number or a list of VehicleType"
            raise InputError(message, field="vehicles", value=kind)
        _Checked(kind, f"vehicle type {kind.type!r}", ("fleet", k), unit).quantity("capacity", 1)


class _Checked:
    """A depot, vehicle type or customer whose fields are checked one by one."""

    def __init__(
        self,
        record: Any,
        name: str,
        owner: tuple[str, int],
        unit: Decimal,
        has_clock: bool = False,
    ) -> None:
        self._record = record
        self._name = name
        self._owner = owner
        self._unit = unit
        self._has_clock = has_clock

    def error(
        self, field: str, allowed: str, shown: object = None, code: str | None = None
    ) -> InputError:
        value = getattr(self._record, field)
        return InputError(
            f"{field} of {self._name} is {repr(value) if shown is None else shown}; {allowed}",
            code=code,
            field=field,
            value=value,
            owner=self._owner,
        )

    def id(self, field: str, others: Sequence[str]) -> None:
        """A name that no other record has."""
        value = getattr(self._record, field)
        if not isinstance(value, str) or not value:
            raise self.error(field, "it must be a text that is not empty")
        if value in others:
            raise self.error(field, "another one has the same name")

    def numbers(self, *fields: str, above: float | None = None) -> None:
        """Numbers of at least 0, or above a limit; None where that is the default."""
        for field in fields:
            value = getattr(self._record, field)
            is_optional = type(self._record).__dataclass_fields__[field].default is None
            if not _is_number(value, above) and not (is_optional and value is None):
                limit = "of at least 0" if above is None else f"above {above:g}"
                raise self.error(field, f"it must be a number {limit}, {AT_MOST}")

    def count(self, field: str, *, is_optional: bool = True) -> None:
        """A whole number of at least 1."""
        value = getattr(self._record, field)
        if not _is_whole(value, 1, MAX_VEHICLES) and not (is_optional and value is None):
            raise self.error(field, f"it must be a whole number from 1 to {MAX_VEHICLES}")

    def quantity(self, field: str, low: int, high: int = MAX_QUANTITY, limit: str = "") -> None:
        """A quantity, at most `high`, which is the `limit`."""
        value = getattr(self._record, field)
        if _is_whole(value, low, high):
            return
        shown = value * self._unit if isinstance(value, int) else repr(value)
        allowed = f"it must be from {low * self._unit} to {high * self._unit}{limit}"
        if not isinstance(value, int):
            allowed = f"it must be a whole number of units{limit}"
        raise self.error(field, allowed, shown)

    def flag(self, field: str) -> None:
        """True or False."""
        if not isinstance(getattr(self._record, field), bool):
            raise self.error(field, "it must be True or False")

    def windows(self, field: str = "windows") -> None:
        """Windows that are ascending and do not overlap."""
        windows = getattr(self._record, field)
        if not isinstance(windows, Sequence) or isinstance(windows, str):
            raise self.error(field, "it must be a list of windows (open, close)")
        for window in windows:
            self._window(field, window)
        for (_, closes), (opens, _) in pairwise(windows):
            if opens < closes:
                allowed = "windows must be in ascending order and must not overlap"
                raise self.error(field, allowed, ", ".join(map(self._window_text, windows)))

    def shift(self) -> None:
        """A window, or None."""
        if self._record.shift is not None:
            self._window("shift", self._record.shift)

    def choice(self, field: str, known: Sequence[str], noun: str) -> None:
        """A known id, or None."""
        value = getattr(self._record, field)
        if value is not None and value not in known:
            raise self.error(field, f"the {noun} are {', '.join(map(repr, known))}")

    def _window(self, field: str, window: Any) -> None:
        is_pair = isinstance(window, Sequence) and not isinstance(window, str) and len(window) == 2
        if not is_pair or not all(map(_is_number, window)):
            raise self.error(field, f"times must be pairs of numbers of at least 0, {AT_MOST}")
        if window[0] > window[1]:
            opens, closes = map(self._time_text, window)
            raise self.error(field, f"{opens} is after {closes}", self._window_text(window))

    def _window_text(self, window: Sequence[float]) -> str:
        return "–".join(map(self._time_text, window))

    def _time_text(self, time: float) -> str:
        return clock_text(time) if self._has_clock else f"{time:.10g}"


def _check_depot(instance: Instance, k: int) -> None:
    depot = instance.depots[k]
    name, owner = f"depot {depot.id!r}", ("depots", k)
    checked = _Checked(depot, name, owner, instance.unit, instance.clock)
    checked.id("id", [d.id for d in instance.depots[:k]])
    checked.windows()
    count = len(instance.places) if instance.matrix is None else len(instance.matrix)
    if not _is_whole(depot.place, 0, count - 1) or (k == 0 and depot.place != 0):
        allowed = f"places are 0 to {count - 1}" if k else "the first depot must be at place 0"
        raise checked.error("place", allowed)


def _check_vehicle_type(instance: Instance, k: int) -> None:
    kind = instance.fleet[k]
    name, owner = f"vehicle type {kind.type!r}", ("fleet", k)
    checked = _Checked(kind, name, owner, instance.unit, instance.clock)
    checked.id("type", [v.type for v in instance.fleet[:k]])
    checked.quantity("capacity", 1)
    checked.quantity("min_load", 0, kind.capacity, ", the capacity")
    checked.count("count")
    checked.count("max_stops")
    checked.count("max_trips", is_optional=False)
    checked.numbers("fixed_cost", "cost_per_distance", "cost_per_time")
    checked.numbers("loading", "loading_per_unit")
    checked.numbers("max_distance", "max_duration", above=0)
    checked.shift()
    for field in ("depot", "end_depot"):
        checked.choice(field, [depot.id for depot in instance.depots], "depots")
    places = instance.depot_places
    if kind.max_trips > 1 and places[kind.depot] != places[kind.end_depot or kind.depot]:
        raise checked.error("max_trips", "it must be 1 if routes do not end where they start")


def _check_customer(instance: Instance, k: int) -> None:
    customer = instance.customers[k]
    name, owner = customer_name(instance, k + 1), ("customers", k)
    checked = _Checked(customer, name, owner, instance.unit, instance.clock)
    checked.windows()
    checked.numbers("service", "service_per_unit", "extra_visit_cost", "penalty")
    checked.flag("splittable")
    checked.quantity("min_drop", 0, customer.demand or MAX_QUANTITY, ", its demand")
    checked.quantity("lot", 1)
    checked.count("max_visits")
    types = customer.vehicle_types
    if types is None:
        return
    known = [kind.type for kind in instance.vehicle_types]
    if not isinstance(types, Sequence) or isinstance(types, str):
        raise checked.error("vehicle_types", "it must be a list of vehicle types")
    if unknown := [name for name in types if name not in known]:
        names = f"the vehicle types are {', '.join(map(repr, known))}"
        allowed = f"{unknown[0]!r} is unknown; {names if instance.fleet else 'there are no types'}"
        if set(re.split(r"\s*[;,/+&]\s*", str(unknown[0]))) <= set(known):
            allowed += "; a table separates several by |"
        shown = ", ".join(map(repr, types))
        raise checked.error("vehicle_types", allowed, shown, code="unknown_vehicle_type")


def _is_number(value: object, above: float | None = None) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        return False
    number = float(value)
    return (number >= 0 if above is None else number > above) and number <= MAX_VALUE


def _is_whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
