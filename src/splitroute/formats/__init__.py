"""File formats, one module each. Parsers are pure functions of a text; this module opens files.

A format has some of `parse_instance`, `dump_instance`, `parse_solution` and `dump_solution`.
CAPABILITIES declares its file extensions and what it can do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from os import PathLike
from pathlib import Path
from typing import Any

from splitroute.distances import Metric
from splitroute.errors import InputError, wrong_type
from splitroute.formats._arguments import check_columns, check_input
from splitroute.formats._capabilities import Capabilities, Kind, capabilities_of
from splitroute.formats._distances import DistanceTables
from splitroute.formats._files import File, load, load_table, save, to_path
from splitroute.formats._lookup import (
    check_output_format,
    check_rules,
    default_format,
    find_format,
    format_name,
    holds_date,
    suffixes,
)
from splitroute.formats._read_options import ReadOptions
from splitroute.formats._schemas import schema, schema_text
from splitroute.formats._sources import NamedText, Source
from splitroute.instance import Instance
from splitroute.roads import RoadListener, RoadServer
from splitroute.solution import Solution
from splitroute.validation import Claims, Violation, validate

__all__ = [
    "Capabilities",
    "Kind",
    "NamedText",
    "ParsedSolution",
    "ReadOptions",
    "check_output_format",
    "format_name",
    "holds_date",
    "min_customers",
    "parse",
    "read",
    "read_solution",
    "schema",
    "schema_text",
    "suffixes",
    "write",
]


@dataclass(frozen=True, slots=True)
class ParsedSolution:
    """A solution and what its file claims about it."""

    solution: Solution
    claims: Claims
    metric: Metric | None = None
    instance: str = ""  # name of the instance that it is meant for
    about: Mapping[str, object] = field(default_factory=dict)  # how it was found

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
    path: File,
    *,
    metric: Metric | None = None,
    unit: Decimal | float | str | None = None,
    scale: float = 1.0,
    capacity: Decimal | float | str | None = None,
    depot: tuple[float, float] | str | None = None,
    fleet: File | None = None,
    depots: File | None = None,
    speed: float | None = None,
    partial: bool = False,
    columns: Mapping[str, str] | None = None,
    sheet: str | None = None,
    matrix: Any = None,
    durations: Any = None,
    roads: RoadServer | str | None = None,
    roads_cache: str | PathLike[str] | None = None,
    roads_listener: RoadListener | None = None,
    format: str | None = None,
) -> Instance:
    """Read an instance; file extension and content decide on the format unless that is given.

    Files are paths, or binary streams such as `sys.stdin.buffer`. `matrix` and `durations` are
    files or arrays with distances and travel times. `roads` is a server for both, see `with_roads`.
    """
    tables = DistanceTables(matrix, durations, roads, roads_cache, roads_listener)
    tables.check(speed, metric)
    content = load(path, "instance", format, "read('customers.csv')")
    instance = parse(
        content.data, content.name, metric=metric, unit=unit, scale=scale, capacity=capacity,
        depot=depot, fleet=_read_table(fleet, "fleet"), depots=_read_table(depots, "depots"),
        speed=speed, partial=partial, columns=columns, sheet=sheet,
        format=content.format, encoding=content.encoding, has_matrix=matrix is not None,
    )  # fmt: skip
    return tables.add_to(instance)


def _read_table(file: object, field: str) -> Source | None:
    if file is None:
        return None
    name, data, *_ = load_table(file, f"read('customers.csv', {field}='{field}.csv')")
    if isinstance(data, bytes):
        from splitroute.formats._workbook import table_of_workbook

        return table_of_workbook(data, name, field)
    return NamedText(name, data)


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
    if isinstance(text, str) and text.startswith("\ufeff"):
        text, encoding = text[1:], "utf-8-sig"
    options = ReadOptions.checked(
        name=name, metric=metric, unit=unit, scale=scale, capacity=capacity, depot=depot,
        fleet=fleet, depots=depots, speed=speed, partial=partial, columns=columns, sheet=sheet,
        encoding=encoding, has_matrix=has_matrix,
    )  # fmt: skip
    if depot is not None and not capabilities_of(module).accepts_depot:
        message = "`depot` is only for CSV, workbooks and GeoJSON; the file states its depot"
        raise InputError(message, field="depot", file=name, value=depot)
    for option, table in (("fleet", fleet), ("depots", depots)):
        if table is not None and not capabilities_of(module).accepts_tables:
            message = f"`{option}` is only for CSV, workbooks, GeoJSON and JSON; "
            message += "convert the file to JSON first"
            raise InputError(message, field=option, file=name, value=table.name)
    if not text.strip():
        raise InputError("the file is empty", code="empty_file", file=name)
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


def read_solution(path: File, instance: Instance, *, format: str | None = None) -> ParsedSolution:
    """Read a solution and what its file claims; raise if it visits an unknown customer."""
    call = "read_solution('solution.json', instance)"
    if not isinstance(instance, Instance):
        raise wrong_type("instance", instance, "an Instance", call)
    content = load(path, "solution", format, call)
    text = content.data if isinstance(content.data, str) else ""
    module = find_format("solution", "parse", Path(content.name), content.format, text)
    try:
        parsed: ParsedSolution = module.parse_solution(content.data, instance, content.name)
    except InputError as error:
        error.file = error.file or content.name
        raise
    last = len(instance.customers)
    for number, route in enumerate(parsed.solution.routes, 1):
        for visit in route.visits:
            if not 1 <= visit.customer <= last:
                raise InputError(
                    f"route {number} visits customer {visit.customer}; customers are 1 to {last}",
                    field="customer",
                    file=content.name,
                    value=visit.customer,
                )
    return parsed


def write(
    value: Instance | Solution,
    path: File,
    *,
    instance: Instance | None = None,
    about: Mapping[str, object] | None = None,
    format: str | None = None,
) -> None:
    """Save an instance, or a solution of the given instance.

    A binary stream needs a `format`. JSON keeps `about`. CSV is written in the dialect of the table
    that the instance was read from.
    """
    file, path = path, to_path(path, "write(instance, 'customers.json')")
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
    save(file, path, text if is_binary else capabilities_of(module).encode(text, instance))
