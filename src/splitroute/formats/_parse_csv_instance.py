"""Read the customers of an instance from CSV."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from splitroute.distances import METRICS, Metric
from splitroute.errors import InputError
from splitroute.formats import ReadOptions
from splitroute.formats._cells import CUSTOMER_COLUMNS, Cells, by_name
from splitroute.formats._columns import check_keys, customer_names, depot_names
from splitroute.formats._coordinates import Point, place_arguments
from splitroute.formats._csv_settings import Settings
from splitroute.formats._customer_rows import read_rows, without_notes
from splitroute.formats._decimals import Column
from splitroute.formats._depot import DEPOT, Row, find_depot, has_demand
from splitroute.formats._errors import ErrorCollector, warn
from splitroute.formats._features import Features
from splitroute.formats._numbers import Field, excerpt
from splitroute.formats._outliers import warn_about_outlier
from splitroute.formats._parse_csv_tables import parse_depots, parse_fleet, parse_point
from splitroute.formats._records import (
    DepotRecord,
    Record,
    add_quantities,
    complete,
    customer_columns,
    located,
    vehicle_types,
)
from splitroute.formats._sources import NamedText, Source
from splitroute.formats._table import Table
from splitroute.formats._times import TimeReader
from splitroute.instance import Depot, Instance


def parse_instance(text: str, options: ReadOptions) -> Instance:
    """Return the instance in a text; the options override its settings."""
    return parse_customers(NamedText(options.name, text), options)


def parse_customers(source: Source | Features, options: ReadOptions) -> Instance:
    """Return the instance of a table of customers; the options override its settings."""
    table = Table(source, customer_names(), options.columns)
    errors = table.errors
    mapping = options.columns or {}
    check_keys(mapping, has_fleet=options.fleet is not None)
    others = depot_names() if options.depots is not None else None
    own = [k for k in mapping if customer_names().has(k) and not (others and others.has(k))]
    table.columns.check_mapped(mapping, own)
    settings = Settings(table, options)
    metric = _metric(table, options, errors)
    is_globe = metric == "haversine"
    axes = ("lat", "lon") if is_globe else ("x", "y")
    has_places = not options.has_matrix or table.has(*axes)
    stated_axes = axes if has_places else None
    rows, rules = read_rows(table, table.columns.require("id", "demand", *(stated_axes or ())))
    table.columns.warn_about_choice("demand")
    customers, depot = _separate_depot(rows, options, errors)
    customers = without_notes(customers, errors)

    times = TimeReader(is_globe=is_globe)
    reader = Cells.create(table, CUSTOMER_COLUMNS, (by_name(rules, r.rules) for r in rows), times)
    demand_column = table.column([row.demand for row in customers])
    records = [_record(row, rules, reader, demand_column, options) for row in customers]
    cells = [cell for row in rows for cell in row.coordinates]
    column = table.column(cells, has_thousands=not is_globe)
    points = [
        parse_point(row.coordinates, axes, column, record.source, errors)
        for row, record in zip(customers, records, strict=True)
        if has_places
    ]
    if options.depots is not None:
        depots = parse_depots(options.depots, stated_axes, times, mapping, table.columns.mapped)
    elif isinstance(options.depot, tuple):
        _check_depot(options.depot, is_globe)
        depots = [DepotRecord(DEPOT, options.depot)]
    else:
        depots = [_depot(row, rules, reader, stated_axes, column, options) for row in depot]
    fleet = (
        []
        if options.fleet is None
        else parse_fleet(options.fleet, times, mapping, table.unit("demand"))
    )
    quantities = settings.quantities(demand_column, fleet)
    add_quantities(fleet, quantities)
    add_quantities(records, quantities)
    vehicles, speed, clock = (
        settings.vehicles(bool(fleet)),
        settings.speed(),
        settings.flag("clock"),
    )
    partial = options.partial or bool(settings.flag("partial"))
    unit, amounts = quantities.to_units()
    counts = iter(amounts)
    capacity = None if fleet else next(counts)
    types, values = complete(fleet, counts), complete(records, counts)
    times.warn_about_numbers()
    with located(records, fleet, depots):
        instance = Instance.create(
            capacity=capacity,
            demands=[customer.pop("demand") for customer in values],
            **_places(metric, depots, points, len(values), has_places, options),
            vehicles=vehicle_types(types) or vehicles,
            depots=[Depot(depot.id, k, depot.windows) for k, depot in enumerate(depots)],
            ids=[row.id for row in customers],
            notes=[row.note for row in customers],
            name=settings.name,
            unit=unit,
            speed=speed,
            clock=True if clock is None and times.found_clock else clock,
            partial=partial,
            dialect=table.dialect(options.encoding, demand_column, column),
            **customer_columns(values),
        )
    lines = [d.source.line if options.depots is None else None for d in depots]
    lines += [row.line for row in customers]
    warn_about_outlier(instance, options.name, lines)
    return instance


def _check_depot(point: Point, is_globe: bool) -> None:
    if is_globe and not (abs(point[0]) <= 90 and abs(point[1]) <= 180):
        latitude, longitude = point
        raise InputError(
            f"depot is {latitude:g},{longitude:g}; a latitude must be from -90 to 90, "
            "a longitude from -180 to 180",
            field="depot",
            value=point,
        )


def _record(
    row: Row, rules: Sequence[str], reader: Cells, column: Column, options: ReadOptions
) -> Record:
    """A customer with its demand and rules."""
    owner = _owner(row, options)
    cells = by_name(rules, row.rules)
    record = reader.record(cells, owner) if any(row.rules) else Record({}, source=owner)
    if windows := reader.windows(cells, owner):
        record.values["windows"] = windows
    field = owner.named("demand")
    with reader.errors:
        record.quantities["demand"] = column.read(row.demand, field), field
    return record


def _depot(
    row: Row,
    rules: Sequence[str],
    reader: Cells,
    axes: tuple[str, str] | None,
    column: Column,
    options: ReadOptions,
) -> DepotRecord:
    """The depot in a row of the customers' table, which may have opening hours."""
    owner = _owner(row, options)
    point = parse_point(row.coordinates, axes, column, owner, reader.errors) if axes else None
    return DepotRecord(DEPOT, point, reader.windows(by_name(rules, row.rules), owner), owner)


def _places(
    metric: Metric,
    depots: Sequence[DepotRecord],
    points: list[Point],
    num_customers: int,
    has_places: bool,
    options: ReadOptions,
) -> dict[str, Any]:
    """Arguments of `Instance.create` for the places, or for a matrix that will be replaced."""
    if not has_places:
        size = len(depots) + num_customers
        return {"metric": "matrix", "matrix": np.zeros((size, size))}
    stated = [depot.point or (0, 0) for depot in depots] + points
    return {"metric": metric, **place_arguments(stated, metric == "haversine", options.scale)}


def _owner(row: Row, options: ReadOptions) -> Field:
    return Field("", options.name, row.line, repr(excerpt(row.id)))


def _metric(table: Table, options: ReadOptions, errors: ErrorCollector) -> Metric:
    """The metric of the options or the file, or else the one that fits the columns."""
    has_plane, has_globe = table.has("x", "y"), table.has("lat", "lon")
    value, line = table.setting("metric") or (None, None)
    if options.metric is not None:
        value, line = options.metric, None
    default: Metric = "exact"
    if not has_plane and (has_globe or table.has("lat") or table.has("lon")):
        default = "haversine"
    if value is None:
        if has_plane and has_globe:
            errors.add(
                "columns for both x and y and lat and lon; pass `metric`: exact uses x and y, "
                "haversine uses lat and lon",
                table.header_line,
                field="metric",
                code="ambiguous_coordinates",
            )
        return default
    allowed = [metric for metric in METRICS if metric != "matrix"]
    for metric in allowed:
        if metric == value:
            if (has_globe if metric == "haversine" else has_plane) or not (has_plane or has_globe):
                return metric
            axes = "lat and lon" if default == "haversine" else "x and y"
            message = f"metric {metric!r} does not match the columns {axes}"
            errors.add(message, line, field="metric", value=value)
            return default
    message = f"unknown metric {excerpt(value)!r}; known: {', '.join(allowed)}"
    errors.add(message, line, field="metric", value=value)
    return default


def _separate_depot(
    rows: list[Row], options: ReadOptions, errors: ErrorCollector
) -> tuple[list[Row], list[Row]]:
    """The customers, and the depot's row unless the depots are given otherwise."""
    depot = None
    if not isinstance(options.depot, tuple) and options.depots is None:
        depot = find_depot(rows, options.depot, options.name, errors)
    customers = []
    for k, row in enumerate(rows):
        # If another row is the depot, one that is called depot and has a demand is a customer.
        is_unused_depot = row.id.lower() == DEPOT and (depot is None or not has_demand(row.demand))
        if k != depot and not is_unused_depot:
            customers.append(row)
            continue
        if options.depots is not None:
            message = f"ignoring the row {excerpt(row.id)!r}: the depots are those of another table"
            warn(message, options.name, row.line, field="depots")
        if has_demand(row.demand):
            message = f"ignoring the demand of the depot, {excerpt(row.demand)}"
            warn(message, options.name, row.line, field="demand")
    return customers, [] if depot is None else [rows[depot]]
