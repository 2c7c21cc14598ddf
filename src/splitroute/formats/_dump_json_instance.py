"""Write instances as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from decimal import Decimal
from typing import Any

from splitroute.distances import Floats
from splitroute.formats._models import CustomerModel, DepotModel, InstanceModel, VehicleModel
from splitroute.formats._records import QUANTITIES, default_depot_id
from splitroute.formats._times import to_clock
from splitroute.instance import Customer, Instance, VehicleType


def dump_instance(instance: Instance) -> str:
    """The instance as one line of JSON."""
    return instance_model(instance).model_dump_json(exclude_none=True) + "\n"


def instance_model(instance: Instance, matrix: bool = True) -> InstanceModel:
    """The instance as a model, with or without its matrices."""
    places = [*(d.place for d in instance.depots), *(c.place for c in instance.customers)]
    depots = [
        DepotModel(
            id=None if depot.id == default_depot_id(k, len(instance.depots)) else depot.id,
            windows=_windows(instance, depot.windows) or None,
            **_coordinates(instance, depot.place),
        )
        for k, depot in enumerate(instance.depots)
    ]

    def rows(table: Floats | None) -> list[list[float]] | None:
        return None if table is None or not matrix else table[places][:, places].tolist()

    fleet = [VehicleModel(**_changed(instance, vehicle)) for vehicle in instance.fleet]
    has_fleet = bool(fleet)
    model = InstanceModel(
        name=instance.name,
        capacity=None if has_fleet else instance.capacity * instance.unit,
        unit=instance.unit,
        metric=instance.metric,
        splittable=instance.splittable,
        pass_through=instance.pass_through,
        vehicles=fleet or instance.vehicles,
        depot=depots[0] if len(depots) == 1 else None,
        depots=depots if len(depots) > 1 else None,
        customers=[
            CustomerModel(**_changed(instance, c), **_coordinates(instance, c.place))
            for c in instance.customers
        ],
        matrix=rows(instance.matrix),
        durations=rows(instance.durations),
        speed=instance.speed,
        roads=(instance.roads or None) if matrix else None,
        partial=instance.partial or None,
    )
    if instance.clock != _implies_clock(model, instance):
        model.clock = instance.clock
    return model


def _coordinates(instance: Instance, place: int) -> dict[str, Any]:
    if not instance.places:
        return {}
    axes = ("lon", "lat") if instance.is_globe else ("x", "y")
    return dict(zip(axes, instance.places[place], strict=True))


def _windows(instance: Instance, windows: Iterable[tuple[float, float]]) -> list[list[float | str]]:
    """Time windows as times of day, if the instance has them."""
    show = to_clock if instance.clock else lambda time: time
    return [[show(first), show(last)] for first, last in windows]


def _changed(instance: Instance, item: Customer | VehicleType) -> dict[str, Any]:
    """The fields that a file has to state, in the user's units."""
    data: dict[str, Any] = {}
    for field in fields(item):
        value = getattr(item, field.name)
        if value == field.default or field.name == "place":
            continue
        if field.name in QUANTITIES:
            value = Decimal(value) * instance.unit
        elif field.name == "windows":
            value = _windows(instance, value)
        elif field.name == "shift":
            (value,) = _windows(instance, [value])
        data[field.name] = list(value) if isinstance(value, tuple) else value
    return data


def _implies_clock(model: InstanceModel, instance: Instance) -> bool:
    """Whether a reader takes times for times of day without being told."""
    depots = [model.depot] if model.depot else model.depots or []
    windows = [w for depot in depots for w in depot.windows or ()]
    windows += [w for customer in model.customers for w in customer.windows or ()]
    if isinstance(model.vehicles, list):
        windows += [v.shift for v in model.vehicles if v.shift]
    is_globe = instance.is_globe and bool(instance.places)
    return is_globe or any(isinstance(time, str) for window in windows for time in window)
