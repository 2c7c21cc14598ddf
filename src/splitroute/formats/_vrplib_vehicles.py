"""Vehicles of a VRPLIB instance: a keyword holds for all of them, a section has a row for each.

`VEHICLES_MAX_DURATION : 480` limits every vehicle, VEHICLES_MAX_DURATION_SECTION has a limit per
vehicle; likewise for the other names of PyVRP's dialect.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from splitroute.formats._errors import ErrorCollector, input_error
from splitroute.formats._nodes import parse_duration
from splitroute.formats._numbers import Field, parse_count
from splitroute.formats._tsplib import Parts

CAPACITY, DEPOT = "CAPACITY", "VEHICLES_DEPOT"
# Keywords and sections of numbers, and the fields of `VehicleType` that they are.
LIMITS = {
    "VEHICLES_MAX_DISTANCE": "max_distance",
    "VEHICLES_MAX_DURATION": "max_duration",
    "VEHICLES_FIXED_COST": "fixed_cost",
    "VEHICLES_UNIT_DISTANCE_COST": "cost_per_distance",
}
COLUMNS = (CAPACITY, DEPOT, *LIMITS)

Column = list[tuple[str, int | None]]  # texts with their lines; one text is for all vehicles


class Vehicle(NamedTuple):
    """What a file says about a vehicle; its capacity is still a text."""

    capacity: str
    depot: int  # index of its node
    limits: tuple[tuple[str, float], ...]  # by field of `VehicleType`


class Fleet(NamedTuple):
    """Different vehicles with their numbers, and the line of each capacity."""

    counts: dict[Vehicle, int | None]
    lines: dict[str, int | None]


def parse_vehicles(
    parts: Parts, depots: list[int], capacity: str | None, file: str, errors: ErrorCollector
) -> Fleet:
    """Return the vehicles, none if there are errors; `capacity` overrides that of the file."""
    columns = {name: _column(parts, name, errors) for name in COLUMNS}
    if capacity is not None:
        columns[CAPACITY] = [(capacity, None)]
    if not columns[CAPACITY]:
        message = "no CAPACITY; add it, or pass `capacity`"
        errors.add(message, field="capacity", code="no_capacity")
    text, line = parts.keywords.get("VEHICLES", (None, None))
    count = None if text is None else parse_count(text, Field("VEHICLES", file, line))
    listed = [name for name in COLUMNS if name in parts.sections]
    for name in listed:
        rows = len(columns[name])
        count = rows if count is None else count
        if rows != count and not (name == CAPACITY and capacity is not None):
            message = f"{name}_SECTION has {rows} rows; there are {count} vehicles"
            errors.add(message, parts.sections[name].line, field=f"{name}_SECTION")
    starts: list[int | None] = [None]
    if len(depots) > 1 and not columns[DEPOT]:
        starts = [*depots]
        if count is not None:
            raise input_error(
                f"{len(depots)} depots; add a VEHICLES_DEPOT_SECTION with the depot of each "
                "vehicle, or remove the number of VEHICLES",
                file,
                field="VEHICLES_DEPOT_SECTION",
            )
    if errors:
        return Fleet({}, {})
    vehicles = []
    for k in range(count or 1) if listed else range(1):
        for start in starts:
            with errors:
                vehicles.append(_vehicle(columns, k, start, depots, file))
    counts = Counter(vehicles)
    lines = dict(reversed(columns[CAPACITY]))
    return Fleet({v: counts[v] if listed else count for v in counts}, lines)


def _column(parts: Parts, name: str, errors: ErrorCollector) -> Column:
    if name in parts.keywords:
        return [parts.keywords[name]]
    if name not in parts.sections:
        return []
    column: Column = []
    for number, (line, words) in enumerate(parts.sections[name].rows(), 1):
        if len(words) != 2 or words[0] != str(number):
            message = f"found {' '.join(words)!r}; row {number} must be {number} and a value"
            errors.add(message, line, field=f"{name}_SECTION")
            return column
        column.append((words[1], line))
    return column


def _vehicle(
    columns: dict[str, Column], k: int, start: int | None, depots: list[int], file: str
) -> Vehicle:
    """Return vehicle k, which starts from a given node or from the one that the file states."""

    def cell(name: str) -> tuple[str, int | None]:
        column = columns[name]
        return column[k] if len(column) > 1 else column[0]

    if start is None:
        start = depots[0]
        if columns[DEPOT]:
            text, line = cell(DEPOT)
            field = Field(DEPOT, file, line, f"vehicle {k + 1}")
            start = parse_count(text, field) - 1
            if start not in depots:
                known = ", ".join(str(node + 1) for node in depots)
                raise field.error(text, f"depots are {known}")
    limits = []
    for name, attribute in LIMITS.items():
        if columns[name]:
            text, line = cell(name)
            limits.append((attribute, parse_duration(text, Field(name, file, line))))
    return Vehicle(cell(CAPACITY)[0], start, tuple(limits))
