"""Read and write instances in JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from decimal import Decimal
from typing import Any

from splitroute.distances import Floats, Metric
from splitroute.errors import InputError
from splitroute.formats import ReadOptions
from splitroute.formats._coordinates import Point, place_arguments
from splitroute.formats._errors import ErrorCollector, input_error
from splitroute.formats._models import (
    CustomerModel,
    DepotModel,
    InstanceModel,
    PlaceModel,
    VehicleModel,
)
from splitroute.formats._numbers import Field, Quantities, parse_coordinate, parse_unit
from splitroute.formats._outliers import warn_about_outlier
from splitroute.formats._parse_model import parse_model
from splitroute.formats._records import (
    Record,
    add_quantities,
    complete,
    customer_columns,
    set_capacities,
    vehicle_types,
)
from splitroute.formats._times import TimeReader, to_clock
from splitroute.instance import Customer, Depot, Instance, VehicleType

TIMES = ("service", "service_per_unit", "max_duration", "loading", "loading_per_unit")
QUANTITIES = ("demand", "min_drop", "lot", "capacity", "min_load")
PLACE = tuple(PlaceModel.model_fields)


def parse_instance(text: str, options: ReadOptions) -> Instance:
    """Return the instance, validated against its model."""
    model = parse_model(InstanceModel, text, options.name)
    errors = ErrorCollector(options.name)
    depots = _depots(model, options)
    places: list[PlaceModel] = [*depots, *model.customers]
    is_globe = any(place.lat is not None or place.lon is not None for place in places)
    has_places = any(v is not None for p in places for v in (p.x, p.y, p.lat, p.lon))
    metric = _metric(model, is_globe, has_places, options)

    times = TimeReader()
    customers = [
        _record(customer, Field(f"customers[{k}]", options.name, owner=f"customer {k + 1}"), times)
        for k, customer in enumerate(model.customers)
    ]
    fleet = _fleet(model, options, times, errors)
    quantities = _quantities(model, options, fleet, customers, errors)
    owners = [f"depot {d.id!r}" if d.id else "the depot" for d in depots]
    owners += [f"customer {k}" for k in range(1, len(customers) + 1)]
    points = []
    for place, owner in zip(places, owners, strict=True) if has_places else ():
        with errors:
            points.append(_point(place, owner, is_globe, options))
    unit, amounts = quantities.to_units()
    counts = iter(amounts)
    capacity = None if fleet else next(counts)
    types = vehicle_types(complete(fleet, counts))
    values = complete(customers, counts)
    with _paths():
        instance = Instance.create(
            capacity=capacity,
            demands=[customer.pop("demand") for customer in values],
            **place_arguments(points, is_globe, options.scale),
            matrix=model.matrix if metric == "matrix" else None,
            metric=metric,
            ids=[str(k) if c.id is None else c.id for k, c in enumerate(model.customers, 1)],
            notes=[c.note or "" for c in model.customers],
            name=options.stem if model.name is None else model.name,
            unit=unit,
            vehicles=types,
            depots=[
                Depot(depot.id or _depot_id(k, len(depots)), k, times.windows(depot.windows or ()))
                for k, depot in enumerate(depots)
            ],
            durations=model.durations,
            speed=model.speed,
            clock=True if model.clock is None and times.found_clock else model.clock,
            partial=bool(model.partial),
            **customer_columns(values),
        )
    warn_about_outlier(instance, options.name)
    number = None if isinstance(model.vehicles, list) else model.vehicles
    return replace(
        instance,
        splittable=model.splittable,
        pass_through=model.pass_through,
        vehicles=instance.vehicles if number is None else number,
    )


@contextmanager
def _paths() -> Iterator[None]:
    """Add the path in the file to an error about a customer, a vehicle type or a depot."""
    try:
        yield
    except InputError as error:
        if error.owner is not None:
            kind, index = error.owner
            error.field = f"{'vehicles' if kind == 'fleet' else kind}[{index}].{error.field}"
            error.args = (f"{error.field}: {error.message}",)
        raise


def _depots(model: InstanceModel, options: ReadOptions) -> list[DepotModel]:
    if model.depot is not None and model.depots is not None:
        message = "depots: found both depot and depots; use depots for several, depot for one"
        raise input_error(message, options.name, field="depots")
    if model.depots is None:
        return [model.depot or DepotModel()]
    if not model.depots:
        raise input_error("depots: empty; it must have an item", options.name, field="depots")
    return model.depots


def _depot_id(index: int, count: int) -> str:
    return "depot" if count == 1 else f"depot{index + 1}"


def _fleet(
    model: InstanceModel, options: ReadOptions, times: TimeReader, errors: ErrorCollector
) -> list[Record]:
    """The vehicle types; none if `vehicles` is a number."""
    if not isinstance(model.vehicles, list):
        return []
    if not model.vehicles:
        message = "vehicles: empty; it must be a number, or a list of vehicle types"
        raise input_error(message, options.name, field="vehicles", value=[])
    fleet = []
    for k, vehicle in enumerate(model.vehicles):
        source = Field(f"vehicles[{k}]", options.name, owner=f"vehicle type {vehicle.type!r}")
        fleet.append(_record(vehicle, source, times))
    default = None
    if model.capacity is not None:
        default = str(model.capacity), Field("capacity", options.name)
    set_capacities(fleet, options.capacity, default, errors)
    return fleet


def _record(model: CustomerModel | VehicleModel, source: Field, times: TimeReader) -> Record:
    """What an item states; `source` has its path and the words for it."""
    record = Record({}, source=source)
    for name in type(model).model_fields:
        value = getattr(model, name)
        if value is None or name in ("id", "note", *PLACE):
            continue
        if name in QUANTITIES:
            field = Field(name, source.file, owner=source.owner)
            record.quantities[name] = str(value), field
        elif name in TIMES:
            record.values[name] = times.read(value)
        elif name == "windows":
            record.values[name] = times.windows(value)
        elif name == "shift":
            (record.values[name],) = times.windows([value])
        else:
            record.values[name] = tuple(value) if isinstance(value, list) else value
    return record


def _quantities(
    model: InstanceModel,
    options: ReadOptions,
    fleet: Sequence[Record],
    customers: Sequence[Record],
    errors: ErrorCollector,
) -> Quantities:
    """The capacity, unless there is a fleet, and the quantities of the fleet and the customers."""
    unit = options.unit
    with errors:
        if unit is None and model.unit is not None:
            unit = parse_unit(str(model.unit), Field("unit", options.name))
    quantities = Quantities(unit, errors)
    capacity = options.capacity or model.capacity
    if not fleet and capacity is None:
        errors.add("capacity: missing", field="capacity", code="no_capacity")
    elif not fleet:
        quantities.add(str(capacity), Field("capacity", options.name))
    add_quantities(fleet, quantities)
    add_quantities(customers, quantities)
    return quantities


def _metric(model: InstanceModel, is_globe: bool, has_places: bool, options: ReadOptions) -> Metric:
    """The metric of the options or the file, or else the one that fits the places."""
    metric = options.metric or model.metric
    if metric is None:
        metric = "matrix" if model.matrix else "haversine" if is_globe else "exact"
    message = ""
    if (metric == "haversine") != is_globe and metric != "matrix":
        axes = "lat and lon" if is_globe else "x and y"
        message = f"metric {metric!r} does not match the coordinates {axes}"
    elif metric != "matrix" and not has_places:
        message = f"no coordinates, which metric {metric!r} requires"
    if message:
        raise input_error(message, options.name, field="metric", value=metric)
    return metric


def _point(place: PlaceModel, owner: str, is_globe: bool, options: ReadOptions) -> Point:
    axes = ("lat", "lon") if is_globe else ("x", "y")
    first, second = (getattr(place, axis) for axis in axes)
    if first is None or second is None:
        raise input_error(
            f"{owner} has no {' and '.join(axes)}", options.name, field="customers", value=owner
        )
    fields = (Field(axis, options.name, owner=owner) for axis in axes)
    x, y = map(parse_coordinate, map(str, (first, second)), fields)
    return x, y


def dump_instance(instance: Instance) -> str:
    """The instance as one line of JSON."""
    return instance_model(instance).model_dump_json(exclude_none=True) + "\n"


def instance_model(instance: Instance, matrix: bool = True) -> InstanceModel:
    """The instance as a model, with or without its matrices."""
    places = [*(d.place for d in instance.depots), *(c.place for c in instance.customers)]
    depots = [
        DepotModel(
            id=None if depot.id == _depot_id(k, len(instance.depots)) else depot.id,
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
        partial=instance.partial or None,
    )
    if instance.clock != _implies_clock(model, instance):
        model.clock = instance.clock
    return model


def _coordinates(instance: Instance, place: int) -> dict[str, Any]:
    if not instance.places:
        return {}
    axes = ("lon", "lat") if instance.metric == "haversine" else ("x", "y")
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
    is_globe = instance.metric == "haversine" and bool(instance.places)
    return is_globe or any(isinstance(time, str) for window in windows for time in window)
