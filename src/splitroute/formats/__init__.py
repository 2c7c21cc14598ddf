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
from typing import NamedTuple

from splitroute.distances import METRICS, Metric
from splitroute.errors import InputError, wrong_type
from splitroute.files import read_encoded, read_text, write_bytes
from splitroute.formats._capabilities import Capabilities, capabilities_of
from splitroute.formats._lookup import check_output_format, check_rules, find_format, suffixes
from splitroute.formats._numbers import Field, parse_quantity, parse_unit
from splitroute.instance import Instance
from splitroute.registry import check_choice
from splitroute.solution import Solution
from splitroute.validation import Claims, Violation, validate

__all__ = [
    "Capabilities",
    "NamedText",
    "ParsedSolution",
    "ReadOptions",
    "check_output_format",
    "min_customers",
    "parse",
    "read",
    "read_solution",
    "suffixes",
    "write",
]


class NamedText(NamedTuple):
    """The text of a file, and its name for messages."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read an instance; overrides what the file states."""

    name: str = ""  # of the file, for messages and for instances without a name
    metric: Metric | None = None  # None: the default of the file
    unit: Decimal | None = None  # None: the file's, or else inferred from its quantities
    scale: float = 1.0  # divisor of the coordinates
    capacity: Decimal | None = None
    depot: tuple[float, float] | str | None = None  # x and y, lat and lon, or the id of a row
    fleet: NamedText | None = None  # CSV of vehicle types
    depots: NamedText | None = None  # CSV of depots
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
        violations = validate(instance, self.solution, self.claims)
        if self.metric not in (None, instance.metric):
            message = f"the solution states the metric {self.metric}; the instance has "
            violations.append(Violation("metric", message + instance.metric))
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
    format: str | None = None,
) -> Instance:
    """Read an instance; file extension and content decide on the format unless that is given."""
    path = _to_path(path, "read('customers.csv')")
    find_format("instance", "parse", path, format)
    text = read_encoded(path)
    return parse(
        text.text, str(path), metric=metric, unit=unit, scale=scale, capacity=capacity,
        depot=depot, fleet=_read_table(fleet, "fleet"), depots=_read_table(depots, "depots"),
        speed=speed, partial=partial, format=format, encoding=text.encoding,
    )  # fmt: skip


def _read_table(path: object, field: str) -> NamedText | None:
    if path is None:
        return None
    path = _to_path(path, f"read('customers.csv', {field}='{field}.csv')")
    return NamedText(str(path), read_text(path))


def _to_path(path: object, call: str) -> Path:
    if not isinstance(path, str | os.PathLike):
        raise wrong_type("path", path, "a path", call)
    return Path(path)


def parse(
    text: str,
    name: str,
    *,
    metric: Metric | None = None,
    unit: Decimal | float | str | None = None,
    scale: float = 1.0,
    capacity: Decimal | float | str | None = None,
    depot: tuple[float, float] | str | None = None,
    fleet: NamedText | None = None,
    depots: NamedText | None = None,
    speed: float | None = None,
    partial: bool = False,
    format: str | None = None,
    encoding: str = "utf-8",
) -> Instance:
    """Parse an instance; `name` is the file name for messages and its extension.

    `fleet` and `depots` are CSV tables of vehicle types and depots.
    """
    module = find_format("instance", "parse", Path(name), format, text)
    _check_types(metric, scale, depot)
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
    if text.startswith("\ufeff"):
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
        speed=None if speed is None else float(speed),
        partial=partial,
        encoding=encoding,
    )
    try:
        instance: Instance = module.parse_instance(text, options)
    except InputError as error:
        error.file = error.file or name
        raise
    return instance


def _check_types(metric: object, scale: object, depot: object) -> None:
    """Raise an InputError for the first of these that is invalid."""
    if metric is not None:
        check_choice(METRICS, "metric", metric)
    is_number = isinstance(scale, Real) and not isinstance(scale, bool)
    if not is_number or not 0 < scale < float("inf"):  # type: ignore[operator]
        message = f"scale is {scale!r}; it must be a number above 0"
        raise InputError(message, field="scale", value=scale)
    is_point = isinstance(depot, tuple | list) and len(depot) == 2
    if is_point and all(isinstance(value, Real) for value in depot):  # type: ignore[attr-defined]
        return
    if depot is not None and not isinstance(depot, str):
        raise wrong_type("depot", depot, "an id or a point", "read(.., depot=(x, y))")


def min_customers(text: str, format: str) -> int:
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
        parsed: ParsedSolution = module.parse_solution(read_text(path), instance, str(path))
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
        module = find_format("solution", "dump", path, format)
        check_rules("solution", module, instance, path)
        text = module.dump_solution(instance, value, about)
    write_bytes(path, capabilities_of(module).encode(text, instance))
