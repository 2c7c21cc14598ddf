"""Read vehicle types and depots from tables of their own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches

from splitroute.formats._cells import FLEET_COLUMNS, Cells, by_name
from splitroute.formats._column_names import PLATES
from splitroute.formats._columns import customer_names, depot_names, simplified, vehicle_names
from splitroute.formats._coordinates import Point
from splitroute.formats._decimals import Column
from splitroute.formats._errors import ErrorCollector, input_error, warn
from splitroute.formats._numbers import Field, excerpt, parse_coordinate
from splitroute.formats._records import DepotRecord, Record
from splitroute.formats._sources import Source
from splitroute.formats._table import Table
from splitroute.formats._times import TimeReader
from splitroute.formats._words import QUANTITY_UNITS, is_total

LENGTH_UNITS = {"m", "mi", "miles", "ft"}
MAX_DEGREES = {"lat": 90, "lon": 180}
MIN_SIMILARITY = 0.75  # of a misspelt column
PLATE_TITLES = frozenset(simplified(name) for name in PLATES.split(","))  # a row per vehicle


def parse_fleet(
    source: Source,
    times: TimeReader,
    mapping: Mapping[str, str] | None = None,
    unit: str = "",
) -> list[Record]:
    """Return the vehicle types of a table with one row each, whose capacities are still texts.

    `unit` is that of the demands, if it is known.
    """
    table = Table(source, vehicle_names(), mapping)
    errors = table.errors
    own = [k for k in mapping or {} if vehicle_names().has(k) and not customer_names().has(k)]
    table.columns.check_mapped(mapping or {}, own)
    columns = table.columns.optional(FLEET_COLUMNS)
    _check_columns(table, columns.values(), FLEET_COLUMNS)
    (type_column,) = table.columns.require("type")
    _check_units(table, unit, times.is_globe)
    is_plate = "count" not in columns and simplified(table.titles[type_column]) in PLATE_TITLES
    if "count" not in columns and not is_plate:
        _warn_about_count(table, type_column)
    names = list(columns)
    rows = [
        (line, by_name(names, cells[1:-1]))
        for line, cells in table.rows([type_column], optional=list(columns.values()))
        if not _is_total(line, cells[0], table)
    ]
    if not rows:
        message = "no vehicle types; each has a row below the header"
        raise input_error(message, source.name, field="fleet")
    reader = Cells.create(table, FLEET_COLUMNS, (cells for _, cells in rows), times)
    fleet = []
    for line, cells in rows:
        owner = Field("", source.name, line, f"vehicle type {excerpt(cells['type'])!r}")
        if not cells["type"]:
            errors.add("type is empty", line, field="type")
        times_of_shift = {name: cells.pop(name, "") for name in ("shift_start", "shift_end")}
        record = reader.record(cells, owner)
        if is_plate:
            record.values["count"] = 1
        if shift := reader.window(times_of_shift, "shift_start", "shift_end", owner):
            record.values["shift"] = shift
        fleet.append(record)
    errors.raise_any()
    return fleet


def _warn_about_count(table: Table, column: int) -> None:
    """Warn if the rows could be single vehicles: their column is not called type."""
    title = table.titles[column]
    if table.columns.rank(column):
        message = f"no column count: any number of each {excerpt(title)!r}"
        warn(message + "; add one, such as 1 per row", table.file, table.header_line, field="count")


def _is_total(line: int, name: str, table: Table) -> bool:
    """Whether a row sums up the others, which is warned about."""
    if is_total(name):
        warn(f"ignoring the row {excerpt(name)!r}", table.file, line)
        return True
    return False


def _check_units(table: Table, unit: str, is_globe: bool) -> None:
    """Record an error if a title states another unit than the demands or distances have."""
    capacity, distance = table.unit("capacity"), table.unit("max_distance")
    if {capacity, unit} <= QUANTITY_UNITS and capacity != unit:
        message = f"capacity is in {capacity} and demand in {unit}; use one unit"
        table.errors.add(message, table.header_line, field="capacity", value=capacity)
    if is_globe and distance in LENGTH_UNITS:
        message = f"max_distance is in {distance}; it must be in km"
        table.errors.add(message, table.header_line, field="max_distance", value=distance)


def parse_depots(
    source: Source,
    axes: tuple[str, str] | None,
    times: TimeReader,
    mapping: Mapping[str, str] | None = None,
    mapped: Collection[str] = (),
) -> list[DepotRecord]:
    """Return the depots of a table with one row each; without axes, they have no coordinates.

    Columns that are `mapped` in the table of customers need not be in this one.
    """
    table = Table(source, depot_names(), mapping)
    errors = table.errors
    own = [k for k in mapping or {} if depot_names().has(k) and k not in mapped]
    table.columns.check_mapped(mapping or {}, own)
    windows = table.columns.pairs()
    required = table.columns.require("id", *(axes or ()))
    _check_columns(table, [*required, *windows.values()], ("id", *(axes or ()), "open", "close"))
    names = list(windows)
    rows = [
        (line, id, rest[: len(required) - 1], by_name(names, rest[len(required) - 1 : -1]))
        for line, (id, *rest) in table.rows(required, optional=list(windows.values()))
    ]
    if not rows:
        message = "no depots; each has a row below the header"
        raise input_error(message, source.name, field="depots")
    coordinates = [cell for _, _, cells, _ in rows for cell in cells]
    column = table.column(coordinates, has_thousands=axes != ("lat", "lon"))
    reader = Cells.create(table, {}, (cells for *_, cells in rows), times)
    depots = []
    for line, id, place, cells in rows:
        owner = Field("", source.name, line, repr(excerpt(id)))
        if not id:
            errors.add("id is empty", line, field="id")
        point = parse_point(place, axes, column, owner, errors) if axes else None
        depots.append(DepotRecord(id, point, reader.windows(cells, owner), owner))
    errors.raise_any()
    return depots


def parse_point(
    cells: Iterable[str],
    axes: tuple[str, str],
    column: Column,
    owner: Field,
    errors: ErrorCollector,
) -> Point:
    """Coordinates in the order of the axes."""
    point = [0.0, 0.0]
    for k, (axis, cell) in enumerate(zip(axes, cells, strict=True)):
        field = owner.named(axis)
        with errors:
            point[k] = parse_coordinate(column.read(cell, field), field)
            if axis in MAX_DEGREES and abs(point[k]) > MAX_DEGREES[axis]:
                limit = MAX_DEGREES[axis]
                raise field.error(cell, f"it must be from -{limit} to {limit}")
    return point[0], point[1]


def _check_columns(table: Table, used: Iterable[int], known: Iterable[str]) -> None:
    """Record an error for a column that looks misspelt, and warn about others."""
    known, used = list(known), set(used)
    for k, title in enumerate(table.titles):
        if k in used or not title or table.columns.key(k) is not None:
            continue
        names = f"known: {', '.join(known)}"
        if similar := get_close_matches(title.lower(), known, 1, MIN_SIMILARITY):
            table.errors.add(
                f"unknown column {excerpt(title)!r}; did you mean {similar[0]!r}? {names}",
                table.header_line,
                value=title,
            )
        else:
            warn(f"ignoring the column {excerpt(title)!r}; {names}", table.file, table.header_line)
