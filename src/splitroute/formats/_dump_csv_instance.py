"""Write the customers of an instance as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from splitroute.errors import InputError
from splitroute.files import Dialect
from splitroute.formats._cells import CUSTOMER_COLUMNS, TYPE_SEPARATOR
from splitroute.formats._csv_writing import axes, coordinates, localized, write_table
from splitroute.formats._depot import DEPOT
from splitroute.formats._numbers import format_float, format_quantity
from splitroute.formats._table import without_formula
from splitroute.formats._times import to_clock
from splitroute.instance import Customer, Depot, Instance, Windows
from splitroute.instance.rules import CUSTOMER_RULES

# A table of customers has no place for vehicle types, other depots and durations.
RULES = frozenset({*CUSTOMER_RULES, "depot_windows", "partial"})
DEFAULTS = Customer("", 0, 0)


def dump_instance(instance: Instance) -> str:
    """Table of the depot and the customers, with the settings above its header."""
    _check(instance)
    dialect = instance.dialect or Dialect()
    rules = _rule_columns(instance)
    windows = _window_columns(instance)
    note_columns = ["note"] * any(customer.note for customer in instance.customers)
    rows = [[setting] for setting in _settings(instance, dialect)]
    rows.append(["id", *axes(instance), "demand", *windows, *rules, *note_columns])
    rows.append(
        [
            DEPOT,
            *coordinates(instance, instance.depots[0].place, dialect),
            "0",
            *_windows(instance, instance.depots[0].windows, len(windows), dialect),
            *[""] * (len(rules) + len(note_columns)),
        ]
    )
    for customer in instance.customers:
        rows.append(
            [
                customer.id,
                *coordinates(instance, customer.place, dialect),
                localized(format_quantity(instance, customer.demand), dialect),
                *_windows(instance, customer.windows, len(windows), dialect),
                *(_cell(instance, customer, name, dialect) for name in rules),
                *[without_formula(customer.note)] * len(note_columns),
            ]
        )
    return write_table(rows, dialect)


def _check(instance: Instance) -> None:
    """Raise if a table of customers cannot hold the instance."""
    if not instance.places or instance.matrix is not None:
        message = "CSV requires coordinates and cannot hold a matrix; write .json"
        raise InputError(message, field="metric", value=instance.metric)
    lost = {
        "vehicle types": bool(instance.fleet),
        "several depots": len(instance.depots) > 1,
        "durations": instance.durations is not None,
    }
    if names := [name for name, is_lost in lost.items() if is_lost]:
        message = f"a table of customers cannot hold {' or '.join(names)}; write .json"
        raise InputError(message, field="rules", value=names)
    for customer in instance.customers:
        id = customer.id
        if id != id.strip() or not id or id.lower() == DEPOT:
            raise InputError(f"CSV cannot hold the id {id!r}; write .json", field="ids", value=id)
        for type in customer.vehicle_types or ():
            if TYPE_SEPARATOR in type or type != type.strip():
                message = f"CSV cannot hold the vehicle type {type!r}; write .json"
                raise InputError(message, field="vehicle_types", value=type)


def _settings(instance: Instance, dialect: Dialect) -> Iterator[str]:
    yield f"# name: {' '.join(instance.name.split())}"
    yield f"# capacity: {localized(format_quantity(instance, instance.capacity), dialect)}"
    yield f"# unit: {localized(f'{instance.unit:f}', dialect)}"
    yield f"# metric: {instance.metric}"
    if instance.vehicles is not None:
        yield f"# vehicles: {instance.vehicles}"
    if instance.speed is not None:
        yield f"# speed: {localized(format_float(float(instance.speed)), dialect)}"
    if instance.clock != (instance.metric == "haversine"):
        yield f"# clock: {'yes' if instance.clock else 'no'}"
    if instance.partial:
        yield "# partial: yes"


def _rule_columns(instance: Instance) -> list[str]:
    """Columns for the rules that some customer has."""
    return [
        name
        for name in CUSTOMER_COLUMNS
        if any(getattr(c, name) != getattr(DEFAULTS, name) for c in instance.customers)
    ]


def _window_columns(instance: Instance) -> list[str]:
    owners: list[Customer | Depot] = [instance.depots[0], *instance.customers]
    count = max(len(owner.windows) for owner in owners)
    suffixes = ["" if k == 1 else str(k) for k in range(1, count + 1)]
    return [f"{name}{suffix}" for suffix in suffixes for name in ("open", "close")]


def _windows(instance: Instance, windows: Windows, size: int, dialect: Dialect) -> list[str]:
    """Cells of the windows, of which there are as many as columns."""
    cells = [_time(instance, time, dialect) for window in windows for time in window]
    return cells + [""] * (size - len(cells))


def _time(instance: Instance, time: float, dialect: Dialect) -> str:
    shown = to_clock(float(time)) if instance.clock else float(time)
    return shown if isinstance(shown, str) else localized(format_float(shown), dialect)


def _cell(instance: Instance, customer: Customer, name: str, dialect: Dialect) -> str:
    """A rule of a customer; empty for the default."""
    value: Any = getattr(customer, name)
    if value == getattr(DEFAULTS, name):
        return ""
    kind = CUSTOMER_COLUMNS[name]
    if kind == "quantity":
        return localized(format_quantity(instance, value), dialect)
    if kind == "flag":
        return "yes" if value else "no"
    if kind == "names":
        return TYPE_SEPARATOR.join(value)
    return str(value) if kind == "count" else localized(format_float(float(value)), dialect)
