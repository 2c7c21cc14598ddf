"""A tiny instance for every rule, on which that rule makes a difference."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from splitroute.instance import Depot, Instance, VehicleType

PLACES = [(0.0, 0.0), (10.0, 0.0), (20.0, 5.0), (30.0, 0.0)]
DURATIONS = [[0, 20, 40, 60], [20, 0, 20, 40], [40, 20, 0, 20], [60, 40, 20, 0]]
VAN = VehicleType("van", 6)
TRUCK = VehicleType("truck", 9, fixed_cost=50)
DAY = (0.0, 200.0)


def rich_instances() -> dict[str, Instance]:
    """Return an instance for each rule, by the name of the rule."""
    depots = [Depot("west"), Depot("east")]
    two_depots = [replace(VAN, depot="west"), VehicleType("truck", 9, depot="east")]
    instances = {
        "windows": _instance(windows=[((55, 70),), (), ((30, 35), (90, 99))]),
        "service": _fleet(shift=(0.0, 80.0), service=15.0),
        "service_per_unit": _fleet(shift=(0.0, 80.0), service_per_unit=3.0),
        "splittable": _instance(splittable=[False, True, True]),
        "min_drop": _instance(min_drop=3),
        "max_visits": _instance(max_visits=1),
        "lot": _instance(lot=2),
        "extra_visit_cost": _instance(extra_visit_cost=1.0),
        "vehicle_types": _instance(
            None, vehicles=[VAN, TRUCK], vehicle_types=[("truck",), None, None]
        ),
        "penalty": _instance(penalty=[None, None, 5.0]),
        "fixed_cost": _fleet(fixed_cost=30.0),
        "cost_per_distance": _fleet(cost_per_distance=1.7),
        "cost_per_time": _fleet(cost_per_time=0.3, windows=[((55, 70),), (), ()]),
        "shift": _fleet(shift=(10.0, 72.0)),
        "max_distance": _fleet(max_distance=61.0),
        "max_duration": _fleet(max_duration=61.0),
        "max_stops": _fleet(max_stops=1),
        "max_trips": _fleet(count=1, max_trips=3),
        "loading": _fleet(count=1, max_trips=3, shift=DAY, loading=10.0),
        "loading_per_unit": _fleet(count=1, max_trips=3, shift=DAY, loading_per_unit=2.0),
        "min_load": _fleet(min_load=3),
        "fleet": _instance(None, vehicles=[replace(VAN, count=2), TRUCK]),
        "depots": _instance(None, [(35.0, 0.0)], vehicles=two_depots, depots=depots),
        "depot_windows": _instance(depots=[Depot(windows=((5.0, 75.0),))]),
        "durations": _fleet(shift=(0.0, 125.0), durations=DURATIONS),
        "partial": replace(_fleet(count=2, partial=True), name="partial"),
    }
    return {rule: replace(instance, name=rule) for rule, instance in instances.items()}


def _instance(
    capacity: int | None = 6, more: list[tuple[float, float]] | None = None, **options: Any
) -> Instance:
    places = [PLACES[0], *(more or []), *PLACES[1:]]
    return Instance.create(capacity, [4, 4, 4], places, **options)


def _fleet(*, partial: bool = False, **options: Any) -> Instance:
    """An instance with one type of vehicle, whose fields are among the options."""
    fields = {name: options.pop(name) for name in list(options) if name in VehicleType.__slots__}
    instance = Instance.create(
        None, [4, 4, 4], PLACES, vehicles=[VehicleType("van", 6, 9)], **options
    )
    kind = replace(VAN, **fields)
    return replace(instance, fleet=(kind,), partial=partial)
