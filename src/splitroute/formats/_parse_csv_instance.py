"""Read the customers of an instance from CSV."""

from collections.abc import Sequence
from decimal import Decimal

from splitroute.distances import METRICS, Metric
from splitroute.formats import ReadOptions
from splitroute.formats._coordinates import Point, place_arguments
from splitroute.formats._decimals import Column
from splitroute.formats._depot import DEPOT, Row, find_depot, has_demand
from splitroute.formats._errors import ErrorCollector, input_error, warn
from splitroute.formats._numbers import Field, Quantities, excerpt, parse_coordinate, parse_unit
from splitroute.formats._outliers import warn_about_outlier
from splitroute.formats._table import COLUMN_NAMES, Table
from splitroute.instance import Instance

MAX_DIGITS = 9  # of the number of vehicles
MAX_DEGREES = {"lat": 90, "lon": 180}


def parse_instance(text: str, options: ReadOptions) -> Instance:
    """Return the instance; the options override the settings of the file."""
    errors = ErrorCollector(options.name)
    table = Table(text, options.name, errors)
    metric = _metric(table, options, errors)
    is_globe = metric == "haversine"
    axes = ("lat", "lon") if is_globe else ("x", "y")
    rows = _rows(table, table.columns("id", "demand", *axes))
    _check_ids(rows, errors)
    customers, depot = _separate_depot(rows, options, errors)

    demand_column = table.column([row.demand for row in customers])
    quantities = _quantities(table, demand_column, customers, options, errors)
    cells = [cell for row in rows for cell in row.coordinates]
    coordinate_column = table.column(cells, has_thousands=not is_globe)
    points = [
        _point(row, axes, coordinate_column, options.name, errors) for row in [*depot, *customers]
    ]
    vehicles = _vehicles(table, options.name, errors)
    unit, (capacity, *demands) = quantities.to_units()
    if isinstance(options.depot, tuple):
        points.insert(0, options.depot)
    name = table.setting("name")
    instance = Instance.create(
        capacity=capacity,
        demands=demands,
        **place_arguments(points, is_globe, options.scale),
        metric=metric,
        vehicles=vehicles,
        ids=[row.id for row in customers],
        notes=[row.note for row in customers],
        name=options.stem if name is None else name.value,
        unit=unit,
        dialect=table.dialect(options.encoding, demand_column, coordinate_column),
    )
    lines = [row.line for row in customers]
    warn_about_outlier(instance, options.name, [depot[0].line if depot else None, *lines])
    return instance


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


def _rows(table: Table, columns: Sequence[int]) -> list[Row]:
    known = {name for key in ("demand", "x", "y", "lat", "lon") for name in COLUMN_NAMES[key]}
    titles = enumerate(table.titles)
    notes = [k for k, title in titles if k not in columns and title not in known]
    return [
        Row(line, id, demand, coordinates, note)
        for line, (id, demand, *coordinates, note) in table.rows(columns, notes)
    ]


def _check_ids(rows: Sequence[Row], errors: ErrorCollector) -> None:
    first_lines: dict[str, int] = {}
    for row in rows:
        id = row.id.lower()
        first = first_lines.setdefault(id, row.line)
        if not id:
            errors.add("id is empty", row.line, field="id")
        elif first != row.line:
            name = "depot" if id == DEPOT else f"id {excerpt(row.id)!r}"
            errors.add(f"duplicate {name}; the first one is on line {first}", row.line, field="id")


def _separate_depot(
    rows: list[Row], options: ReadOptions, errors: ErrorCollector
) -> tuple[list[Row], list[Row]]:
    """The customers, and the depot's row unless the depot is given as a point."""
    depot = None
    if not isinstance(options.depot, tuple):
        depot = find_depot(rows, options.depot, options.name, errors)
    customers = []
    for k, row in enumerate(rows):
        # If another row is the depot, one that is called depot and has a demand is a customer.
        is_unused_depot = row.id.lower() == DEPOT and (depot is None or not has_demand(row.demand))
        if k != depot and not is_unused_depot:
            customers.append(row)
        elif has_demand(row.demand):
            message = f"ignoring the demand of the depot, {excerpt(row.demand)}"
            warn(message, options.name, row.line, field="demand")
    return customers, [] if depot is None else [rows[depot]]


def _quantities(
    table: Table,
    column: Column,
    customers: list[Row],
    options: ReadOptions,
    errors: ErrorCollector,
) -> Quantities:
    """The capacity, followed by the demands."""

    def setting(key: str) -> tuple[str, Field] | None:
        found = table.setting(key)
        if found is None or not found.value:
            return None
        field = Field(key, options.name, found.line)
        return column.read(found.value, field), field

    unit: Decimal | None = options.unit
    with errors:
        if unit is None and (found := setting("unit")):
            unit = parse_unit(*found)
    quantities = Quantities(unit, errors)
    given = None
    if options.capacity is not None:
        given = str(options.capacity), Field("capacity", options.name)
    with errors:
        capacity = given or setting("capacity")
        if capacity is None:
            raise input_error(
                "no capacity; pass `capacity`, or add a first line '# capacity: 100'",
                options.name,
                code="no_capacity",
                field="capacity",
            )
        quantities.add(*capacity)
    for row in customers:
        field = Field("demand", options.name, row.line, repr(excerpt(row.id)))
        with errors:
            quantities.add(column.read(row.demand, field), field)
    return quantities


def _point(
    row: Row, axes: tuple[str, str], column: Column, file: str, errors: ErrorCollector
) -> Point:
    """Coordinates of a row, in the order of the axes."""
    point = [0.0, 0.0]
    for k, (axis, cell) in enumerate(zip(axes, row.coordinates, strict=True)):
        field = Field(axis, file, row.line, repr(excerpt(row.id)))
        with errors:
            point[k] = parse_coordinate(column.read(cell, field), field)
            if axis in MAX_DEGREES and abs(point[k]) > MAX_DEGREES[axis]:
                limit = MAX_DEGREES[axis]
                raise field.error(cell, f"it must be from -{limit} to {limit}")
    return point[0], point[1]


def _vehicles(table: Table, file: str, errors: ErrorCollector) -> int | None:
    setting = table.setting("vehicles")
    if setting is None:
        return None
    with errors:
        if not setting.value.isdecimal() or len(setting.value) > MAX_DIGITS:
            field = Field("vehicles", file, setting.line)
            raise field.error(setting.value, "it must be a whole number above 0")
        return int(setting.value)
    return None
