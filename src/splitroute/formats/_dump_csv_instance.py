"""Write the customers of an instance as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from splitroute.errors import InputError
from splitroute.files import Dialect
from splitroute.formats._cells import CUSTOMER_COLUMNS, TYPE_SEPARATOR
from splitroute.formats._csv_writing import axes, write_table
from splitroute.formats._depot import DEPOT
from splitroute.formats._setting_lines import SETTING
from splitroute.formats._times import to_clock
from splitroute.formats._values import Clock, Name, Value, to_csv
from splitroute.formats._visit_rows import place_values
from splitroute.instance import Customer, Depot, Instance, Windows
from splitroute.instance.rules import CUSTOMER_RULES

# A table of customers has no place for vehicle types, other depots and durations.
RULES = frozenset({*CUSTOMER_RULES, "depot_windows", "partial"})
DEFAULTS = Customer("", 0, 0)


def dump_instance(instance: Instance) -> str:
    """Table of the depot and the customers, with the settings above its header."""
    check_table(instance, "CSV")
    dialect = instance.dialect or Dialect()
    rows: list[list[Value]] = [[f"# {key}: {to_csv(v, dialect)}"] for key, v in settings(instance)]
    rows += customer_rows(instance, instance.depots[:1])
    return write_table([[to_csv(value, dialect) for value in row] for row in rows], dialect)


def customer_rows(instance: Instance, depots: Sequence[Depot]) -> Iterator[list[Value]]:
    """Yield the titles, a row per depot and a row per customer."""
    rules, windows = _rule_columns(instance), window_columns([*depots, *instance.customers])
    note_columns = ["note"] * any(customer.note for customer in instance.customers)
    yield ["id", *axes(instance), "demand", *windows, *rules, *note_columns]
    for depot in depots:
        yield [
            DEPOT,
            *place_values(instance, depot.place),
            0,
            *window_values(instance, depot.windows, len(windows)),
            *[""] * (len(rules) + len(note_columns)),
        ]
    for customer in instance.customers:
        yield [
            customer.id,
            *place_values(instance, customer.place),
            customer.demand * instance.unit,
            *window_values(instance, customer.windows, len(windows)),
            *(_value(instance, customer, name) for name in rules),
            *[Name(customer.note)] * len(note_columns),
        ]


def check_table(instance: Instance, format: str) -> None:
    """Raise if a table of customers cannot hold the instance."""
    if not instance.places or instance.matrix is not None:
        message = f"{format} requires coordinates and cannot hold a matrix; write .json"
        raise InputError(message, field="metric", value=instance.metric)
    lost = {
        "vehicle types": bool(instance.fleet),
        "several depots": len(instance.depots) > 1,
        "durations": instance.durations is not None,
    }
    if names := [name for name, is_lost in lost.items() if is_lost]:
        message = f"a table of customers cannot hold {' or '.join(names)}; write .json"
        raise InputError(message, field="rules", value=names)
    check_names(instance)


def check_names(instance: Instance) -> None:
    """Raise if a table cannot hold an id or the names of vehicle types."""
    ids = {DEPOT: DEPOT}  # in lower case, as readers compare them
    for customer in instance.customers:
        id, key = customer.id, customer.id.lower()
        if id != id.strip() or not id or "\r" in id or key in ids or SETTING.match(id):
            other = f" besides {ids[key]!r}" if key in ids and ids[key] != id else ""
            message = f"a table cannot hold the id {id!r}{other}; write .json"
            raise InputError(message, field="ids", value=id)
        ids[key] = id
        for type in customer.vehicle_types or ():
            if TYPE_SEPARATOR in type or type != type.strip():
                message = f"a table cannot hold the vehicle type {type!r}; write .json"
                raise InputError(message, field="vehicle_types", value=type)


def settings(instance: Instance) -> Iterator[tuple[str, Value]]:
    """Yield the settings of a table of customers."""
    yield "name", " ".join(instance.name.split())
    if not instance.fleet:
        yield "capacity", instance.capacity * instance.unit
    yield "unit", instance.unit
    yield "metric", instance.metric
    if instance.vehicles is not None:
        yield "vehicles", instance.vehicles
    if instance.speed is not None:
        yield "speed", float(instance.speed)
    if instance.clock != (instance.metric == "haversine"):
        yield "clock", "yes" if instance.clock else "no"
    if instance.partial:
        yield "partial", "yes"


def _rule_columns(instance: Instance) -> list[str]:
    """Columns for the rules that some customer has."""
    return [
        name
        for name in CUSTOMER_COLUMNS
        if any(getattr(c, name) != getattr(DEFAULTS, name) for c in instance.customers)
    ]


def window_columns(owners: Sequence[Customer | Depot]) -> list[str]:
    """Columns for the windows of customers or depots."""
    count = max((len(owner.windows) for owner in owners), default=0)
    suffixes = ["" if k == 1 else str(k) for k in range(1, count + 1)]
    return [f"{name}{suffix}" for suffix in suffixes for name in ("open", "close")]


def window_values(instance: Instance, windows: Windows, size: int) -> list[Value]:
    """Cells of the windows, of which there are as many as columns."""
    cells = [exact_time(instance, time) for window in windows for time in window]
    return cells + [""] * (size - len(cells))


def exact_time(instance: Instance, time: float) -> Value:
    """A time of day, or a number if no time of day is exactly as late."""
    shown = to_clock(float(time)) if instance.clock else float(time)
    return Clock(float(time), shown) if isinstance(shown, str) else shown


def _value(instance: Instance, customer: Customer, name: str) -> Value:
    """A rule of a customer; empty for the default."""
    value: Any = getattr(customer, name)
    if value == getattr(DEFAULTS, name):
        return ""
    kind = CUSTOMER_COLUMNS[name]
    if kind == "quantity":
        return Decimal(value * instance.unit)
    if kind == "flag":
        return "yes" if value else "no"
    if kind == "names":
        return TYPE_SEPARATOR.join(value)
    return int(value) if kind == "count" else float(value)
