"""The visits of a solution as a table: a sheet that a driver can be given."""

import csv
import io
from collections.abc import Mapping

from splitroute.errors import InputError
from splitroute.formats import StatedSolution
from splitroute.formats._faults import Faults, at
from splitroute.formats._numbers import amount, plain, shown, whole
from splitroute.formats._table import Table
from splitroute.formats._writing import axes, dialect_of, no_formula, place, written
from splitroute.instance import Instance
from splitroute.solution import Route, Solution, Visit
from splitroute.validation import Claims

MAX_DIGITS = 9  # of a customer's number or the number of a stop


def parse_solution(text: str, instance: Instance, name: str) -> StatedSolution:
    """The routes in the order of their first rows; their stops as numbered, or else by rows.

    Customers are known by their numbers, or by their ids where there is no column of numbers.
    """
    faults = Faults(name)
    table = Table(text, name, faults)
    optional = [key for key in ("number", "stop", "id") if table.has(key)]
    needed = ["route", "quantity", *([] if "id" in optional else ["number"])]
    keys = list(dict.fromkeys([*needed, *optional]))
    rows = [
        (line, dict(zip(keys, cells, strict=False)))
        for line, cells in table.rows(table.columns(*keys))
    ]
    column = table.column([cells["quantity"] for _, cells in rows])
    customers = _Customers(instance, name)
    routes: dict[str, list[tuple[int, Visit]]] = {}
    for line, cells in rows:
        with faults:
            customer = customers.find(cells, line)
            stops = routes.setdefault(cells["route"], [])
            stop = _count(cells["stop"], "stop", name, line) if "stop" in cells else len(stops)
            text = column.read(cells["quantity"], "quantity", name, line)
            value = amount(text, "quantity", name, line, signed=True)
            much = whole(value, instance.unit, "quantity", name, line)
            stops.append((stop, Visit(customer, much)))
    faults.check()
    ordered = (sorted(stops, key=lambda each: each[0]) for stops in routes.values())
    found = tuple(Route(tuple(visit for _, visit in stops)) for stops in ordered)
    return StatedSolution(Solution(found), Claims())


class _Customers:
    """Finds the customer of a row, by number or by id."""

    def __init__(self, instance: Instance, file: str) -> None:
        self._file = file
        self._ids = [customer.id for customer in instance.customers]
        self._numbers = {no_formula(id): k for k, id in enumerate(self._ids, 1)}
        self._numbers |= {id: k for k, id in enumerate(self._ids, 1)}

    def find(self, cells: Mapping[str, str], line: int) -> int:
        """The customer's number."""
        named = cells.get("id", "")
        if "number" not in cells:
            if named in self._numbers:
                return self._numbers[named]
            raise InputError(
                f"{at(self._file, line)}there is no customer {shown(named)}",
                field="id",
                line=line,
                value=named,
            )
        number = _count(cells["number"], "number", self._file, line)
        known = self._ids[number - 1] if 1 <= number <= len(self._ids) else ""
        if known and named not in ("", known, no_formula(known)):
            raise InputError(
                f"{at(self._file, line)}customer {number} is {known!r}, but the id is "
                f"{shown(named)}",
                field="id",
                line=line,
                value=named,
            )
        return number


def _count(text: str, what: str, file: str, line: int) -> int:
    if not text.isdecimal() or len(text) > MAX_DIGITS:
        said = f"{at(file, line)}the {what} is {shown(text)}; it is a whole number: 1, 2, ..."
        raise InputError(said, field=what, line=line, value=text)
    return int(text)


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """A row for each visit, in the dialect of the table that the instance was read from."""
    dialect = dialect_of(instance)
    out = io.StringIO()
    rows = csv.writer(out, delimiter=dialect.separator, lineterminator="\n")
    drawn = axes(instance) if instance.places else []
    more = ["note"] * any(customer.note for customer in instance.customers)
    rows.writerow(["route", "stop", "number", "id", *drawn, "quantity", "left", *more])
    for k, route in enumerate(solution.routes, 1):
        left = route.load
        for stop, visit in enumerate(route.visits, 1):
            left -= visit.quantity
            customer = instance.customers[visit.customer - 1]
            where = place(instance, customer.place, dialect) if instance.places else []
            amounts = [written(plain(instance, much), dialect) for much in (visit.quantity, left)]
            who = [visit.customer, no_formula(customer.id)]
            said = [no_formula(customer.note)] * len(more)
            rows.writerow([k, stop, *who, *where, *amounts, *said])
    return out.getvalue()
