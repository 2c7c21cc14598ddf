"""File formats, one module each. Parsers are pure functions of a text; this module opens files.

A format has some of `parse_instance`, `dump_instance`, `parse_solution` and `dump_solution`.
CAPABILITIES declares its file extensions and what it can do.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from pathlib import Path
from typing import Any

from splitroute.distances import Metric
from splitroute.errors import InputError, wrong_type
from splitroute.files import read_bytes, read_encoded, read_text, write_bytes
from splitroute.formats._arguments import check_columns, check_input, check_types
from splitroute.formats._capabilities import Capabilities, capabilities_of
from splitroute.formats._lookup import (
    check_output_format,
    check_rules,
    default_format,
    find_format,
    suffixes,
)
from splitroute.formats._matrices import with_matrices
from splitroute.formats._numbers import Field, parse_quantity, parse_unit
from splitroute.formats._preview import Preview, preview
from splitroute.formats._sources import NamedText, Source
from splitroute.formats._workbook import WORKBOOK_SUFFIXES, table_of_workbook
from splitroute.instance import Instance
from splitroute.roads import RoadListener, RoadServer, with_roads
from splitroute.solution import Solution
from splitroute.validation import Claims, Violation, validate

__all__ = [
    "Capabilities",
    "NamedText",
    "ParsedSolution",
    "Preview",
    "ReadOptions",
    "check_output_format",
    "min_customers",
    "parse",
    "preview",
    "read",
    "read_solution",
    "suffixes",
    "write",
]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read an instance; overrides what the file states."""

    name: str = ""  # of the file, for messages and for instances without a name
    metric: Metric | None = None  # None: the default of the file
    unit: Decimal | None = None  # None: the file's, or else inferred from its quantities
    scale: float = 1.0  # divisor of the coordinates
    capacity: Decimal | None = None
    depot: tuple[float, float] | str | None = None  # x and y, lat and lon, or the id of a row
    fleet: Source | None = None  # table of vehicle types
    depots: Source | None = None  # table of depots
    columns: Mapping[str, str] | None = None  # titles of columns by what they hold
    sheet: str | None = None  # of a workbook: the one with the customers
    has_matrix: bool = False  # a matrix will be added, so that places need no coordinates
    speed: float | None = None  # distance per time unit, or km/h on the globe
    partial: bool = False  # demand may stay undelivered
    encoding: str = "utf-8"  # of the file

    @property
    def stem(self) -> str:
        """File name without its extension."""
        return Path(self.name).stem


@dataclass(frozen=True, slots=True)
class ParsedSolution:
    """A solution and what its file claims about it."""

    solution: Solution
    claims: Claims
    metric: Metric | None = None
    instance: str = ""  # name of the instance that it is meant for

    def violations(self, instance: Instance) -> list[Violation]:
        """Every violation of the instance and every false claim."""
        is_other = self.metric not in (None, instance.metric)
        # Costs and times of roads or of a matrix are no claims about straight lines.
        claims = Claims() if is_other and self.metric == "matrix" else self.claims
        violations = validate(instance, self.solution, claims)
        if is_other:
            message = f"the solution states the metric {self.metric}; the instance has "
            hint = "; read it with the same roads or matrix" if self.metric == "matrix" else ""
            violations.append(Violation("metric", message + instance.metric + hint))
        return violations

    def is_for_other_instance(self, instance: Instance) -> bool:
        """Whether it names another instance."""
        return self.instance not in ("", instance.name)


def read(
    path: str | os.PathLike[str],
    *,
    metric: Metric | None = None,
    unit: Decimal | float | str | None = None,
    scale: float = 1.0,
    capacity: Decimal | float | str | None = None,
    depot: tuple[float, float] | str | None = None,
    fleet: str | os.PathLike[str] | None = None,
    depots: str | os.PathLike[str] | None = None,
    speed: float | None = None,
    partial: bool = False,
    columns: Mapping[str, str] | None = None,
    sheet: str | None = None,
    matrix: Any = None,
    durations: Any = None,
    roads: RoadServer | str | None = None,
    roads_cache: str | os.PathLike[str] | None = None,
    roads_listener: RoadListener | None = None,
    format: str | None = None,
) -> Instance:
    """Read an instance; file extension and content decide on the format unless that is given.

    `matrix` and `durations` are files or arrays with distances and travel times. `roads` is a
    server for both, see `with_roads`.
    """
    path = _to_path(path, "read('customers.csv')")
    module = find_format("instance", "parse", path, format)
    server = None if roads is None else RoadServer.parse(roads)
    for field, value in (("matrix", matrix), ("durations", durations), ("speed", speed)):
        if server is not None and value is not None:
            message = f"roads have distances and travel times of their own; omit roads or {field}"
            raise InputError(message, field=field, value=str(value))
    text: str | bytes
    if capabilities_of(module).is_binary:
        text, encoding = read_bytes(path), ""
    else:
        found = read_encoded(path)
        text, encoding = found.text, found.encoding
    instance = parse(
        text, str(path), metric=metric, unit=unit, scale=scale, capacity=capacity,
        depot=depot, fleet=_read_table(fleet, "fleet"), depots=_read_table(depots, "depots"),
        speed=speed, partial=partial, columns=columns, sheet=sheet, format=format,
        encoding=encoding, has_matrix=matrix is not None,
    )  # fmt: skip
    if server is not None:
        return with_roads(instance, server, cache=roads_cache, listener=roads_listener)
    return with_matrices(instance, matrix, durations)


def _read_table(path: object, field: str) -> Source | None:
    if path is None:
        return None
    path = _to_path(path, f"read('customers.csv', {field}='{field}.csv')")
    if path.suffix.lower() in WORKBOOK_SUFFIXES:
        return table_of_workbook(read_bytes(path), str(path), field)
    return NamedText(str(path), read_text(path))


def _to_path(path: object, call: str) -> Path:
    if not isinstance(path, str | os.PathLike):
        raise wrong_type("path", path, "a path", call)
    return Path(path)


def parse(
    text: str | bytes,
    name: str,
    *,
    metric: Metric | None = None,
    unit: Decimal | float | str | None = None,
    scale: float = 1.0,
    capacity: Decimal | float | str | None = None,
    depot: tuple[float, float] | str | None = None,
    fleet: Source | None = None,
    depots: Source | None = None,
    speed: float | None = None,
    partial: bool = False,
    columns: Mapping[str, str] | None = None,
    sheet: str | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
    has_matrix: bool = False,
) -> Instance:
    """Parse an instance; `name` is the file name for messages and its extension.

    `fleet` and `depots` are tables of vehicle types and depots; `columns` are titles of columns by
    what they hold. With `has_matrix`, places need no coordinates: the distances between them are
    zero until a matrix replaces them.
    """
    module = find_format(
        "instance", "parse", Path(name), format, text if isinstance(text, str) else ""
    )
    check_input(text, capabilities_of(module), name)
    check_columns(columns, sheet, capabilities_of(module), name)
    check_types(metric, scale, depot)
    if depot is not None and not capabilities_of(module).accepts_depot:
        message = "`depot` is only for CSV; the file states its depot"
        raise InputError(message, field="depot", file=name, value=depot)
    for field, table in (("fleet", fleet), ("depots", depots)):
        if table is not None and not capabilities_of(module).accepts_tables:
            message = f"`{field}` is only for CSV and JSON; convert the file to JSON first"
            raise InputError(message, field=field, file=name, value=table.name)
    if depot is not None and depots is not None:
        raise InputError("give depot or depots, not both", field="depot", value=depot)
    if speed is not None and not (isinstance(speed, Real) and 0 < speed < float("inf")):
        message = f"speed is {speed!r}; it must be a number above 0"
        raise InputError(message, field="speed", value=speed)
    if isinstance(text, str) and text.startswith("\ufeff"):
        text, encoding = text[1:], "utf-8-sig"
    if not text.strip():
        raise InputError("the file is empty", code="empty_file", file=name)
    options = ReadOptions(
        name=name,
        metric=metric,
        unit=None if unit is None else parse_unit(str(unit), Field("unit")),
        scale=scale,
        capacity=(
            None if capacity is None else Decimal(parse_quantity(str(capacity), Field("capacity")))
        ),
        depot=depot,
        fleet=fleet,
        depots=depots,
        has_matrix=has_matrix,
        speed=None if speed is None else float(speed),
        partial=partial,
        columns=columns,
        sheet=sheet,
        encoding=encoding,
    )
    try:
        instance: Instance = module.parse_instance(text, options)
    except InputError as error:
        error.file = error.file or name
        raise
    return instance


def min_customers(text: str | bytes, format: str) -> int:
    """Lower bound on the number of customers, much cheaper than parsing."""
    module = find_format("instance", "parse", Path(), format)
    return capabilities_of(module).min_customers(text)


def read_solution(
    path: str | os.PathLike[str], instance: Instance, *, format: str | None = None
) -> ParsedSolution:
    """Read a solution and what its file claims; raise if it visits an unknown customer."""
    path = _to_path(path, "read_solution('solution.json', instance)")
    if not isinstance(instance, Instance):
        call = "read_solution('solution.json', instance)"
        raise wrong_type("instance", instance, "an Instance", call)
    module = find_format("solution", "parse", path, format)
    try:
        text: str | bytes
        if capabilities_of(module).is_binary:
            text = read_bytes(path)
        else:
            text = read_text(path)
            module = find_format("solution", "parse", path, format, text)
        parsed: ParsedSolution = module.parse_solution(text, instance, str(path))
    except InputError as error:
        error.file = error.file or str(path)
        raise
    last = len(instance.customers)
    for number, route in enumerate(parsed.solution.routes, 1):
        for visit in route.visits:
            if not 1 <= visit.customer <= last:
                raise InputError(
                    f"route {number} visits customer {visit.customer}; customers are 1 to {last}",
                    field="customer",
                    file=str(path),
                    value=visit.customer,
                )
    return parsed


def write(
    value: Instance | Solution,
    path: str | os.PathLike[str],
    *,
    instance: Instance | None = None,
    about: Mapping[str, object] | None = None,
    format: str | None = None,
) -> None:
    """Save an instance, or a solution of the given instance.

    JSON keeps `about`. CSV is written in the dialect of the table that the instance was read from.
    """
    path = _to_path(path, "write(instance, 'customers.json')")
    if isinstance(value, Instance):
        instance = value
        module = find_format("instance", "dump", path, format)
        check_rules("instance", module, instance, path)
        text = module.dump_instance(value)
    elif not isinstance(value, Solution):
        call = "write(result.solution, path, instance=result.instance)"
        raise wrong_type("value", value, "an Instance or a Solution", call)
    elif not isinstance(instance, Instance):
        call = "write(solution, path, instance=instance)"
        raise wrong_type("instance", instance, "the Instance of the solution", call)
    else:
        format = format or default_format("solution", path, instance)
        module = find_format("solution", "dump", path, format)
        check_rules("solution", module, instance, path)
        text = module.dump_solution(instance, value, about)
    is_binary = capabilities_of(module).is_binary
    write_bytes(path, text if is_binary else capabilities_of(module).encode(text, instance))
