"""Customers, vehicle types and depots as files state them, before the unit is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, field, fields
from decimal import Decimal
from typing import Any, Protocol

from splitroute.errors import InputError
from splitroute.formats._coordinates import Point
from splitroute.formats._errors import cell_of
from splitroute.formats._numbers import Field, Quantities
from splitroute.instance import Customer, VehicleType, Windows

Quantity = tuple[str, Field]  # a text, and where it stands
NOWHERE = Field("")
QUANTITIES = ("demand", "min_drop", "lot", "capacity", "min_load")


@dataclass
class Record:
    """Values by field; quantities are still texts."""

    values: dict[str, Any]
    quantities: dict[str, Quantity] = field(default_factory=dict)
    source: Field = NOWHERE  # of the record, for errors about what it lacks


@dataclass(frozen=True)
class DepotRecord:
    """A depot; its point is None if places have no coordinates."""

    id: str
    point: Point | None
    windows: Windows = ()
    source: Field = NOWHERE


def default_depot_id(index: int, count: int) -> str:
    """Id of a depot that states none."""
    return "depot" if count == 1 else f"depot{index + 1}"


def add_quantities(records: Sequence[Record], quantities: Quantities) -> None:
    """Add the quantities of all records, in the order in which `complete` takes them."""
    for record in records:
        for text, source in record.quantities.values():
            quantities.add(text, source)


def complete(records: Sequence[Record], counts: Iterator[int]) -> list[dict[str, Any]]:
    """Return the fields of each record, with quantities in multiples of the unit."""
    return [{**r.values, **{name: next(counts) for name in r.quantities}} for r in records]


def customer_columns(customers: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what differs from the defaults, as `Instance.create` takes it."""
    defaults = {f.name: f.default for f in fields(Customer) if f.default is not MISSING}
    used = {name for customer in customers for name in customer if name in defaults}
    return {name: [c.get(name, defaults[name]) for c in customers] for name in sorted(used)}


def vehicle_types(fleet: Sequence[dict[str, Any]]) -> list[VehicleType] | None:
    """Return the vehicle types, or None if there are none."""
    return [VehicleType(**values) for values in fleet] or None


class Sourced(Protocol):
    """A record that knows where it stands."""

    @property
    def source(self) -> Field: ...


@contextmanager
def located(
    customers: Sequence[Sourced], fleet: Sequence[Sourced], depots: Sequence[Sourced]
) -> Iterator[None]:
    """Add file and line, or the path, to an error about one of these."""
    try:
        yield
    except InputError as error:
        if error.owner is not None:
            kind, index = error.owner
            records = {"customers": customers, "fleet": fleet, "depots": depots}
            _locate(error, records[kind][index].source)
        raise


def _locate(error: InputError, source: Field) -> None:
    error.file = source.file
    error.line = None if source.line is None else int(source.line)
    error.cell = cell_of(source.line, error.field)
    if source.path:
        error.field = f"{source.path}.{error.field}"
        error.args = (f"{error.field}: {error.message}",)


def set_capacities(
    fleet: Sequence[Record], given: Decimal | None, default: Quantity | None
) -> None:
    """Set the capacity that the user gave, or the default where a type has none of its own."""
    if given is not None and len(fleet) > 1:
        raise InputError(
            f"capacity is {given}, but there are {len(fleet)} vehicle types; "
            "set the capacity of each type instead",
            field="capacity",
            value=given,
        )
    for record in fleet:
        if given is not None:
            record.quantities["capacity"] = str(given), Field("capacity")
        elif "capacity" not in record.quantities:
            if default is None:
                message = f"no capacity of vehicle type {record.values['type']!r}"
                error = InputError(message, field="capacity")
                _locate(error, record.source)
                raise error
            record.quantities["capacity"] = default
