"""CSV as spreadsheets write it: customers of an instance, or visits of a solution.

Instances have the columns id, demand, and x and y or lat and lon, in any order. Columns such as
open, close and min_drop hold the rules of customers; others are notes. One row has the id "depot".
Lines such as `# capacity: 100` above the header are settings. Vehicle types and several depots have
tables of their own. Output is in the dialect of the table that the instance was read from.
"""

import warnings
from contextlib import suppress

from splitroute.errors import InputError, InputWarning
from splitroute.files import Dialect
from splitroute.formats import Capabilities
from splitroute.formats._csv_writing import axes as csv_axes
from splitroute.formats._csv_writing import coordinates, localized, write_table
from splitroute.formats._dump_csv_instance import RULES, dump_instance
from splitroute.formats._errors import ErrorCollector
from splitroute.formats._numbers import format_quantity
from splitroute.formats._parse_csv_instance import parse_instance
from splitroute.formats._parse_csv_solution import parse_solution
from splitroute.formats._table import Table, without_formula
from splitroute.instance import Instance
from splitroute.instance.clock import time_text
from splitroute.solution import Route, Solution, timetable

__all__ = [
    "CAPABILITIES",
    "dump_instance",
    "dump_solution",
    "parse_instance",
    "parse_solution",
]

VEHICLE_COLUMNS = ["vehicle_type", "vehicle", "trip"]
TIME_COLUMNS = ["arrival", "start", "end"]


def _min_customers(text: str) -> int:
    """Number of rows without the depot."""
    with suppress(InputError), warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return sum(1 for _ in Table(text, "", ErrorCollector("")).rows([0])) - 1
    return 0  # parsing reports what is wrong


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """Table of the visits, with the load that remains after each."""
    dialect = instance.dialect or Dialect()
    axes = csv_axes(instance) if instance.places else []
    note_columns = ["note"] * any(customer.note for customer in instance.customers)
    vehicle_columns = VEHICLE_COLUMNS if instance.fleet else []
    time_columns = TIME_COLUMNS if instance.has_times else []
    rows = [
        [
            *("route", *vehicle_columns, "visit", "number", "id", *axes),
            *("quantity", "remaining", *time_columns, *note_columns),
        ]
    ]
    times = timetable(instance, solution) if time_columns else ()
    for number, route in enumerate(solution.routes, 1):
        remaining = route.load
        for position, visit in enumerate(route.visits, 1):
            remaining -= visit.quantity
            customer = instance.customers[visit.customer - 1]
            quantities = [
                localized(format_quantity(instance, quantity), dialect)
                for quantity in (visit.quantity, remaining)
            ]
            visit_times = times[number - 1].visits[position - 1] if times else ()
            rows.append(
                [
                    str(number),
                    *(_vehicle(instance, route) if vehicle_columns else ()),
                    *map(str, (position, visit.customer)),
                    without_formula(customer.id),
                    *(coordinates(instance, customer.place, dialect) if axes else ()),
                    *quantities,
                    *(localized(time_text(instance, time), dialect) for time in visit_times),
                    *[without_formula(customer.note)] * len(note_columns),
                ]
            )
    return write_table(rows, dialect)


def _vehicle(instance: Instance, route: Route) -> list[str]:
    """Vehicle type, number of the vehicle if it has one, and trip."""
    type = without_formula(instance.fleet[route.vehicle_type].type)
    return [type, str(route.vehicle or ""), str(route.trip)]


def _encode(text: str, instance: Instance) -> bytes:
    """Encode a table like the one that the instance was read from."""
    try:
        return text.encode((instance.dialect or Dialect()).encoding)
    except UnicodeEncodeError:
        return text.encode("utf-8-sig")  # which the same programs read as well


CAPABILITIES = Capabilities(
    instance_suffixes=(".csv",),
    solution_suffixes=(".csv",),
    accepts_depot=True,
    accepts_tables=True,
    instance_rules=RULES,
    holds_vehicles=True,
    encode=_encode,
    min_customers=_min_customers,
)
