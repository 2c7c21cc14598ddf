"""Reads instances from data frames of pandas, polars, pyarrow and the like."""

from __future__ import annotations

import datetime
import math
import os
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from numbers import Integral
from typing import Any

import numpy as np

from splitroute.distances import Metric
from splitroute.errors import InputError, wrong_type
from splitroute.files import Dialect
from splitroute.formats._arguments import check_mapping
from splitroute.formats._distances import DistanceTables
from splitroute.formats._parse_csv_instance import parse_customers
from splitroute.formats._read_options import ReadOptions
from splitroute.formats._sources import Cell, Frame
from splitroute.instance import Instance
from splitroute.registry import require
from splitroute.roads import RoadListener, RoadServer

FLOAT32_DIGITS = 7  # that are significant
PANDAS_MISSING = ("NAType", "NaTType")
FRAME = "a data frame of pandas, polars, pyarrow, DuckDB or the like"
CALL = "Instance.from_dataframe(customers, capacity=80)"


def from_dataframe(
    customers: Any,
    *,
    vehicles: Any = None,
    depots: Any = None,
    name: str = "",
    metric: Metric | None = None,
    unit: Decimal | float | str | None = None,
    scale: float = 1.0,
    capacity: Decimal | float | str | None = None,
    depot: tuple[float, float] | str | None = None,
    speed: float | None = None,
    partial: bool = False,
    columns: Mapping[str, str] | None = None,
    matrix: Any = None,
    durations: Any = None,
    roads: RoadServer | str | None = None,
    roads_cache: str | os.PathLike[str] | None = None,
    roads_listener: RoadListener | None = None,
) -> Instance:
    """Return the instance of data frames; see `Instance.from_dataframe`."""
    require("narwhals", "dataframe")
    check_mapping(columns)
    tables = DistanceTables(matrix, durations, roads, roads_cache, roads_listener)
    tables.check(speed, metric)
    sheet, library = _read(customers, "customers")
    has_fleet = vehicles is not None and not isinstance(vehicles, Integral)
    options = ReadOptions.checked(
        metric=metric, unit=unit, scale=scale, capacity=capacity, depot=depot,
        fleet=_read(vehicles, "vehicles")[0] if has_fleet else None,
        depots=None if depots is None else _read(depots, "depots")[0],
        speed=speed, partial=partial, columns=columns, has_matrix=matrix is not None,
    )  # fmt: skip
    try:
        instance = parse_customers(sheet, options)
    except InputError as error:
        if error.code == "no_column" and error.field == "id" and _has_labels(customers):
            hint = "if the index holds the ids, name it: customers.rename_axis('id')"
            error.args = (f"{error.message}; {hint}",)
        raise
    count = instance.vehicles if vehicles is None or has_fleet else int(vehicles)
    dialect = Dialect(library=library)
    return tables.add_to(replace(instance, name=name, vehicles=count, dialect=dialect))


def _read(frame: Any, title: str) -> tuple[Frame, str]:
    """Return the cells of a data frame and the name of its library."""
    import narwhals as nw

    # An index with a name is a column to people: `set_index("id")`.
    if any(getattr(getattr(frame, "index", None), "names", None) or ()):
        frame = frame.reset_index()
    try:
        table = nw.from_native(frame)
        if isinstance(table, nw.LazyFrame):
            table = table.collect()
    except TypeError:
        raise wrong_type(title, frame, FRAME, CALL) from None
    except nw.exceptions.DuplicateError as error:
        raise InputError(f"{title}: {error}", field=title) from None
    short = [dtype == nw.Float32 for dtype in table.schema.values()]
    rows: list[list[Cell]] = [[str(column) for column in table.columns]]
    for row in table.iter_rows():
        rows.append([_cell(value, is_short) for value, is_short in zip(row, short, strict=True)])
    return Frame("", title, rows), table.implementation.value


def _has_labels(frame: Any) -> bool:
    """Whether the index of a data frame of pandas is of texts."""
    labels = getattr(frame, "index", None)
    return getattr(labels, "inferred_type", None) == "string"


def _cell(value: Any, is_short: bool = False) -> Cell:
    """The value as a spreadsheet would hold it; missing ones are empty."""
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    match value:
        case None:
            return ""
        case str() | bool() | int():
            return value
        case Decimal() if value.is_finite():
            return int(value) if value == int(value) else float(value)
        case list() | tuple():
            return "|".join(str(_cell(part)) for part in value)
        case float() if is_short:
            value = float(f"{value:.{FLOAT32_DIGITS}g}")
    is_nan = isinstance(value, float) and math.isnan(value)
    if is_nan or type(value).__name__ in PANDAS_MISSING:
        return ""
    is_known = isinstance(value, float | datetime.date | datetime.time | datetime.timedelta)
    return value if is_known else str(value)
