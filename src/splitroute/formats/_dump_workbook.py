"""The sheets of an instance, and of a solution: stops, routes and a summary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from splitroute.errors import InputError
from splitroute.formats._cells import FLEET_COLUMNS
from splitroute.formats._csv_writing import axes
from splitroute.formats._dump_csv_instance import (
    check_names,
    customer_rows,
    exact_time,
    settings,
    window_columns,
    window_values,
)
from splitroute.formats._numbers import finite
from splitroute.formats._values import Name, Value
from splitroute.formats._visit_rows import place_values, route_rows, visit_rows
from splitroute.formats._words import is_total
from splitroute.formats._write_workbook import Table, write_workbook
from splitroute.instance import Instance, VehicleType
from splitroute.report import distances_text, travel_text, user_quantity
from splitroute.solution import (
    Solution,
    cost_parts,
    explain_undelivered,
)

QUANTITIES = ("capacity", "min_load")
DECIMALS = 3  # of distances and costs


def dump_instance(instance: Instance) -> bytes:
    """Return a workbook with sheets for the customers, and for vehicles and depots if needed."""
    if not instance.places or instance.matrix is not None or instance.durations is not None:
        message = "a workbook requires coordinates and cannot hold a matrix; write .json"
        raise InputError(message, field="metric", value=instance.metric)
    check_names(instance)
    _check_tables(instance)
    head: list[list[Value]] = [[f"# {key}:", value] for key, value in settings(instance)]
    has_depots = bool(instance.fleet) or len(instance.depots) > 1
    rows = customer_rows(instance, () if has_depots else instance.depots)
    sheets = {"customers": Table([*head, *rows], len(head))}
    if instance.fleet:
        sheets["vehicles"] = Table(_fleet_rows(instance))
    if has_depots:
        sheets["depots"] = Table(_depot_rows(instance))
    return write_workbook(sheets)


def _check_tables(instance: Instance) -> None:
    """Raise if the sheets cannot hold the name of a vehicle type or depot."""
    types = [kind.type for kind in instance.fleet]
    for name in [*types, *(depot.id for depot in instance.depots)]:
        if name != name.strip() or (name in types and is_total(name)):
            message = f"a table cannot hold the name {name!r}; write .json"
            raise InputError(message, field="vehicles" if name in types else "depots", value=name)


def _fleet_rows(instance: Instance) -> Iterator[list[Value]]:
    default = VehicleType("", 1)
    names = [
        name
        for name in FLEET_COLUMNS
        if name in ("type", "capacity") or any(_field(v, name) != _field(default, name)
                                               for v in instance.fleet)
    ]  # fmt: skip
    yield list(names)
    for kind in instance.fleet:
        yield [_vehicle_value(instance, name, _field(kind, name)) for name in names]


def _field(kind: VehicleType, name: str) -> Any:
    """A field of a vehicle type; its shift has two."""
    if name in ("shift_start", "shift_end"):
        return None if kind.shift is None else kind.shift[name == "shift_end"]
    return getattr(kind, name)


def _vehicle_value(instance: Instance, name: str, value: Any) -> Value:
    if value is None:
        return ""
    if name in QUANTITIES:
        return value * instance.unit  # type: ignore[no-any-return]
    if name in ("shift_start", "shift_end"):
        return exact_time(instance, value)
    return Name(value) if isinstance(value, str) else value


def _depot_rows(instance: Instance) -> Iterator[list[Value]]:
    windows = window_columns(instance.depots)
    yield ["id", *axes(instance), *windows]
    for depot in instance.depots:
        cells = window_values(instance, depot.windows, len(windows))
        yield [Name(depot.id), *place_values(instance, depot.place), *cells]


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> bytes:
    """Return a workbook with the stops, the routes and a summary."""
    return write_workbook(
        {
            "stops": Table(visit_rows(instance, solution)),
            "routes": Table(_rounded(route_rows(instance, solution))),
            "summary": Table(_summary_rows(instance, solution, about)),
        }
    )


def _rounded(rows: list[list[Value]]) -> Iterator[list[Value]]:
    """The rows with distances and costs, which come last, as people read them."""
    for row in rows:
        figures = (round(v, DECIMALS) if isinstance(v, float) else v for v in row[-2:])
        yield [*row[:-2], *figures]


def _summary_rows(instance: Instance, solution: Solution, about: object) -> Iterator[list[Value]]:
    yield ["figure", "value"]
    yield ["instance", Name(instance.name)]
    parts = cost_parts(instance, solution)
    yield ["cost", round(parts.total, 3)]
    for name, value in parts._asdict().items():
        if value and value != parts.total:
            yield [f"cost: {name.replace('_', ' ')}", round(value, 3)]
    unit = "km, " if instance.is_in_km else ""
    yield ["distances", unit + distances_text(instance)]
    if travel := travel_text(instance):
        yield ["travel times", travel]
    yield ["customers", len(instance.customers)]
    yield ["routes", len(solution.routes)]
    yield ["visits", solution.num_visits]
    yield ["split customers", len(solution.split_customers())]
    load = sum(route.load for route in solution.routes)
    yield ["delivered", user_quantity(instance, load)]
    details = about if isinstance(about, Mapping) else {}
    for name in ("date", "bound", "gap", "rule", "engine", "seed", "seconds"):
        stated: Any = details.get(name)
        if isinstance(stated, str) or finite(stated) is not None:
            yield [{"bound": "lower bound", "gap": "optimality gap"}.get(name, name), stated]
    for item in explain_undelivered(instance, solution):
        customer = instance.customers[item.customer - 1]
        quantity = user_quantity(instance, item.quantity)
        yield [Name(f"undelivered to {customer.id}"), f"{quantity}: {item.reason}"]
