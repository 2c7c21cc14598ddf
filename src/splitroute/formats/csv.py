"""CSV as spreadsheets write it: customers of an instance, or visits of a solution.

Instances have the columns id, demand, and x and y or lat and lon, in any order; others are notes.
One row has the id "depot". Lines such as `# capacity: 100` above the header set name, capacity,
unit, metric and vehicles. Output is in the dialect of the table that the instance was read from.
"""

import csv
import io
import re
import warnings
from contextlib import suppress

from splitroute.errors import InputError, InputWarning
from splitroute.files import Dialect
from splitroute.formats import Capabilities
from splitroute.formats._depot import DEPOT
from splitroute.formats._errors import ErrorCollector
from splitroute.formats._numbers import format_float, format_quantity
from splitroute.formats._parse_csv_instance import parse_instance
from splitroute.formats._parse_csv_solution import parse_solution
from splitroute.formats._table import Table, without_formula
from splitroute.instance import Instance
from splitroute.solution import Solution

__all__ = [
    "CAPABILITIES",
    "dump_instance",
    "dump_solution",
    "parse_instance",
    "parse_solution",
]

THREE_DECIMALS = re.compile(r"-?[1-9]\d{0,2}\.\d{3}")


def _min_customers(text: str) -> int:
    """Number of rows without the depot."""
    with suppress(InputError), warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return sum(1 for _ in Table(text, "", ErrorCollector("")).rows([0])) - 1
    return 0  # parsing reports what is wrong


def dump_instance(instance: Instance) -> str:
    """Table of the depot and the customers, with the settings above its header."""
    if not instance.places or instance.matrix is not None:
        message = "CSV requires coordinates and cannot hold a matrix; write .json"
        raise InputError(message, field="metric", value=instance.metric)
    ids = [customer.id for customer in instance.customers]
    for id in ids:
        if id != id.strip() or not id or id.lower() == DEPOT:
            raise InputError(f"CSV cannot hold the id {id!r}; write .json", field="ids", value=id)
    dialect = instance.dialect or Dialect()
    capacity = format_quantity(instance, instance.capacity)
    settings = [
        f"# name: {' '.join(instance.name.split())}",
        f"# capacity: {_localized(capacity, dialect)}",
        f"# unit: {_localized(f'{instance.unit:f}', dialect)}",
        f"# metric: {instance.metric}",
        *([] if instance.vehicles is None else [f"# vehicles: {instance.vehicles}"]),
    ]
    notes = ["", *(customer.note for customer in instance.customers)]
    note_columns = ["note"] * any(notes)
    rows = [[setting] for setting in settings]
    rows.append(["id", *_axes(instance), "demand", *note_columns])
    for id, place, demand, note in zip(
        [DEPOT, *ids], instance.sites.tolist(), instance.demands.tolist(), notes, strict=True
    ):
        quantity = _localized(format_quantity(instance, demand), dialect)
        coordinates = _coordinates(instance, place, dialect)
        rows.append([id, *coordinates, quantity, *[without_formula(note)] * len(note_columns)])
    return _table(rows, dialect)


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """Table of the visits, with the load that remains after each."""
    dialect = instance.dialect or Dialect()
    axes = _axes(instance) if instance.places else []
    note_columns = ["note"] * any(customer.note for customer in instance.customers)
    header = ["route", "visit", "number", "id", *axes, "quantity", "remaining", *note_columns]
    rows = [header]
    for number, route in enumerate(solution.routes, 1):
        remaining = route.load
        for position, visit in enumerate(route.visits, 1):
            remaining -= visit.quantity
            customer = instance.customers[visit.customer - 1]
            coordinates = _coordinates(instance, customer.place, dialect) if axes else []
            quantities = [
                _localized(format_quantity(instance, quantity), dialect)
                for quantity in (visit.quantity, remaining)
            ]
            rows.append(
                [
                    *map(str, (number, position, visit.customer)),
                    without_formula(customer.id),
                    *coordinates,
                    *quantities,
                    *[without_formula(customer.note)] * len(note_columns),
                ]
            )
    return _table(rows, dialect)


def _encode(text: str, instance: Instance) -> bytes:
    """Encode a table like the one that the instance was read from."""
    try:
        return text.encode((instance.dialect or Dialect()).encoding)
    except UnicodeEncodeError:
        return text.encode("utf-8-sig")  # which the same programs read as well


def _table(rows: list[list[str]], dialect: Dialect) -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=dialect.separator, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _localized(number: str, dialect: Dialect) -> str:
    """A number with the decimal sign of a dialect, unambiguous to readers."""
    if (dialect.separator, dialect.decimal) == (",", "."):
        return number
    if THREE_DECIMALS.fullmatch(number):
        number += "0"  # or it could be read as thousands
    return number.replace(".", dialect.decimal)


def _axes(instance: Instance) -> list[str]:
    return ["lat", "lon"] if instance.metric == "haversine" else ["x", "y"]


def _coordinates(instance: Instance, place: int, dialect: Dialect) -> list[str]:
    """Coordinates of a place in the order of the axes."""
    x, y = (_localized(format_float(value), dialect) for value in instance.places[place])
    return [y, x] if instance.metric == "haversine" else [x, y]


CAPABILITIES = Capabilities(
    instance_suffixes=(".csv",),
    solution_suffixes=(".csv",),
    accepts_depot=True,
    encode=_encode,
    min_customers=_min_customers,
)
