"""Read instances from JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from splitroute.distances import Floats, Metric
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
from splitroute.formats._parse_csv_tables import parse_depots, parse_fleet
from splitroute.formats._parse_model import parse_model
from splitroute.formats._records import (
    QUANTITIES,
    DepotRecord,
    Record,
    add_quantities,
    complete,
    customer_columns,
    default_depot_id,
    located,
    set_capacities,
    vehicle_types,
)
from splitroute.formats._times import TimeReader
from splitroute.instance import Depot, Instance

TIMES = ("service", "service_per_unit", "max_duration", "loading", "loading_per_unit")
NO_RULES = {"id", "note", *PlaceModel.model_fields}


def parse_instance(text: str, options: ReadOptions) -> Instance:
    """Return the instance, validated against its model."""
    model = parse_model(InstanceModel, text, options.name)
    errors = ErrorCollector(options.name)
    depots_in_file = [] if options.depots else _stated_depots(model, options)
    places: list[PlaceModel] = [*depots_in_file, *model.customers]
    is_globe = any(place.lat is not None or place.lon is not None for place in places)
    has_places = any(v is not None for p in places for v in (p.x, p.y, p.lat, p.lon))
    metric = _metric(model, is_globe, has_places, options)
    axes = None if not has_places else ("lat", "lon") if is_globe else ("x", "y")

    times = TimeReader(is_globe=is_globe)
    customers = [
        _record(customer, _source(options, f"customer {k + 1}", f"customers[{k}]"), times)
        for k, customer in enumerate(model.customers)
    ]
    fleet = _fleet(model, options, times)
    quantities = _quantities(model, options, fleet, customers, errors)
    depots: list[DepotRecord] = []
    with errors:
        depots = _depots(model, options, axes, times)
    points = [depot.point for depot in depots if depot.point]
    if axes is not None:
        for place, record in zip(model.customers, customers, strict=True):
            with errors:
                points.append(_point(place, record.source, axes))
    unit, amounts = quantities.to_units()
    counts = iter(amounts)
    capacity = None if fleet else next(counts)
    types, values = complete(fleet, counts), complete(customers, counts)
    number = None if isinstance(model.vehicles, list) else model.vehicles
    times.warn_about_numbers()  # of tables
    with located(customers, fleet, depots):
        instance = Instance.create(
            capacity=capacity,
            demands=[customer.pop("demand") for customer in values],
            **place_arguments(points, is_globe, options.scale),
            matrix=_matrix(model, metric, len(depots), options),
            metric=metric,
            ids=[str(k) if c.id is None else c.id for k, c in enumerate(model.customers, 1)],
            notes=[c.note or "" for c in model.customers],
            name=options.stem if model.name is None else model.name,
            unit=unit,
            vehicles=vehicle_types(types),
            depots=[Depot(depot.id, k, depot.windows) for k, depot in enumerate(depots)],
            durations=model.durations,
            speed=model.speed if options.speed is None else options.speed,
            clock=True if model.clock is None and times.found_clock else model.clock,
            partial=options.partial or bool(model.partial),
            **customer_columns(values),
        )
        warn_about_outlier(instance, options.name)
        return replace(
            instance,
            splittable=model.splittable,
            roads=model.roads or "" if metric == "matrix" else "",
            pass_through=model.pass_through,
            vehicles=instance.vehicles if fleet or number is None else number,
        )


def _depots(
    model: InstanceModel, options: ReadOptions, axes: tuple[str, str] | None, times: TimeReader
) -> list[DepotRecord]:
    """The depots of the options or the file."""
    if options.depots is not None:
        return parse_depots(options.depots, axes, times)
    stated = _stated_depots(model, options)
    depots = []
    for k, depot in enumerate(stated):
        id = depot.id or default_depot_id(k, len(stated))
        source = _source(options, f"depot {id!r}", f"depots[{k}]")
        if model.depots is None:
            source = _source(options, "the depot", "depot")
        point = _point(depot, source, axes) if axes else None
        depots.append(DepotRecord(id, point, times.windows(depot.windows or ()), source))
    return depots


def _stated_depots(model: InstanceModel, options: ReadOptions) -> list[DepotModel]:
    if model.depot is not None and model.depots is not None:
        message = "depots: found both depot and depots; use depots for several, depot for one"
        raise input_error(message, options.name, field="depots")
    if model.depots is None:
        return [model.depot or DepotModel()]
    if not model.depots:
        raise input_error("depots: empty; it must have an item", options.name, field="depots")
    return model.depots


def _fleet(model: InstanceModel, options: ReadOptions, times: TimeReader) -> list[Record]:
    """The vehicle types of the options or the file; none if `vehicles` is a number."""
    fleet = []
    if options.fleet is not None:
        fleet = parse_fleet(options.fleet, times)
    elif isinstance(model.vehicles, list):
        for k, vehicle in enumerate(model.vehicles):
            source = _source(options, f"vehicle type {vehicle.type!r}", f"vehicles[{k}]")
            fleet.append(_record(vehicle, source, times))
        if not fleet:
            message = "vehicles: empty; it must be a number, or a list of vehicle types"
            raise input_error(message, options.name, field="vehicles", value=[])
    default = None
    if model.capacity is not None:
        default = str(model.capacity), Field("capacity", options.name)
    if fleet:
        set_capacities(fleet, options.capacity, default)
    return fleet


def _source(options: ReadOptions, owner: str, path: str) -> Field:
    """Where an item stands: the words for it, and its path."""
    return Field("", options.name, owner=owner, path=path)


def _record(model: CustomerModel | VehicleModel, source: Field, times: TimeReader) -> Record:
    """What an item states."""
    record = Record({}, source=source)
    for name in sorted(model.model_fields_set - NO_RULES):
        value = getattr(model, name)
        if value is None:
            continue
        if name in QUANTITIES:
            record.quantities[name] = str(value), source.named(name)
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
        is_given = options.has_matrix and not has_places
        metric = "matrix" if model.matrix or is_given else "haversine" if is_globe else "exact"
    message = ""
    if (metric == "haversine") != is_globe and metric != "matrix":
        axes = "lat and lon" if is_globe else "x and y"
        message = f"metric {metric!r} does not match the coordinates {axes}"
    elif metric != "matrix" and not has_places:
        message = f"no coordinates, which metric {metric!r} requires"
    if message:
        raise input_error(message, options.name, field="metric", value=metric)
    return metric


def _matrix(
    model: InstanceModel, metric: Metric, num_depots: int, options: ReadOptions
) -> Sequence[Sequence[float]] | Floats | None:
    """The matrix of the file; zeros if there is one elsewhere that will replace it."""
    if metric != "matrix":
        return None
    if options.has_matrix:
        size = num_depots + len(model.customers)
        return np.zeros((size, size))
    return model.matrix


def _point(place: PlaceModel, source: Field, axes: tuple[str, str]) -> Point:
    first, second = (getattr(place, axis) for axis in axes)
    if first is None or second is None:
        missing = axes[0] if first is None else axes[1]
        raise input_error(
            f"{source.owner} has no {' and '.join(axes)}",
            source.file,
            field=f"{source.path}.{missing}",
            value=source.owner,
        )
    fields = (source.named(axis) for axis in axes)
    x, y = map(parse_coordinate, map(str, (first, second)), fields)
    return x, y
