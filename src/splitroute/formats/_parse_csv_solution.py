"""Read the visits of a solution from CSV."""

from collections.abc import Mapping
from typing import NamedTuple

from splitroute.errors import InputError
from splitroute.formats import ParsedSolution
from splitroute.formats._columns import visit_names
from splitroute.formats._errors import input_error
from splitroute.formats._numbers import MAX_COUNT_DIGITS, Field, excerpt, parse_quantity, to_units
from splitroute.formats._sources import NamedText, Source
from splitroute.formats._table import Table, without_formula
from splitroute.formats._visit_rows import VEHICLE_COLUMNS
from splitroute.instance import Instance
from splitroute.solution import Route, Solution, Visit
from splitroute.validation import Claims

UNDELIVERED = "undelivered"


def parse_solution(text: str, instance: Instance, name: str) -> ParsedSolution:
    """Return the solution in a text."""
    return parse_visits(NamedText(name, text), instance)


def parse_visits(source: Source, instance: Instance) -> ParsedSolution:
    """Return the routes in the order of their first rows; visits by number, or else by row.

    Rows name customers by number, or by id if there is no column of numbers. Rows without a route
    state what is not delivered.
    """
    table = Table(source, visit_names())
    errors, name = table.errors, source.name
    known = ("number", "visit", "id", UNDELIVERED, *VEHICLE_COLUMNS)
    optional = [key for key in known if table.has(key)]
    required = ["route", "quantity", *([] if "id" in optional else ["number"])]
    keys = list(dict.fromkeys([*required, *optional]))
    rows = [
        (line, dict(zip(keys, cells, strict=False)))
        for line, cells in table.rows(table.columns.require(*keys))
    ]
    column = table.column([cells[_quantity_key(cells)] for _, cells in rows])
    customers = _Customers(instance, name)
    undelivered: dict[int, int] = {}
    routes: dict[str, list[tuple[int, Visit]]] = {}
    vehicles: dict[str, _Vehicle] = {}
    for line, cells in rows:
        with errors:
            key = _quantity_key(cells)
            field = Field(key, name, line)
            customer = customers.find(cells, line)
            amount = parse_quantity(column.read(cells[key], field), field, signed=True)
            units = to_units(amount, instance.unit, field)
            if key == UNDELIVERED:
                undelivered[customer] = undelivered.get(customer, 0) + units
                continue
            _check_vehicle(cells, vehicles, instance, name, line)
            visits = routes.setdefault(cells["route"], [])
            position = len(visits)
            if "visit" in cells:
                position = _parse_number(cells["visit"], Field("visit", name, line))
            visits.append((position, Visit(customer, units)))
    errors.raise_any()
    solution = Solution(
        tuple(
            Route(tuple(v for _, v in sorted(visits, key=lambda v: v[0])), *vehicles[route])
            for route, visits in routes.items()
        )
    )
    claims = Claims(undelivered=undelivered if UNDELIVERED in optional else None)
    return ParsedSolution(solution, claims)


def _quantity_key(cells: Mapping[str, str]) -> str:
    """The column with the quantity of a row, which tells visits from undelivered quantities."""
    return UNDELIVERED if cells.get(UNDELIVERED) and not cells["route"] else "quantity"


class _Vehicle(NamedTuple):
    """Vehicle of a route: its type, its number within the type, and the trip."""

    type: int = 0
    number: int = 0
    trip: int = 1


def _check_vehicle(
    cells: Mapping[str, str],
    vehicles: dict[str, _Vehicle],
    instance: Instance,
    file: str,
    line: int,
) -> None:
    """Record the vehicle of a row's route; raise if an earlier row states another one."""
    names = [kind.type for kind in instance.vehicle_types]
    types = {without_formula(name): k for k, name in enumerate(names)}
    types |= {name: k for k, name in enumerate(names)}
    name = cells.get("vehicle_type") or names[0]
    if name not in types:
        field = Field("vehicle_type", file, line)
        raise field.error(name, f"the vehicle types are {', '.join(names)}")
    numbers = [
        _parse_number(cells[key], Field(key, file, line)) if cells.get(key) else default
        for key, default in (("vehicle", 0), ("trip", 1))
    ]
    vehicle = _Vehicle(types[name], *numbers)
    if vehicles.setdefault(cells["route"], vehicle) != vehicle:
        message = f"another vehicle than in the first row of route {excerpt(cells['route'])}"
        raise input_error(message, file, line, field="vehicle", value=name)


class _Customers:
    """Finds the customer of a row by number or id."""

    def __init__(self, instance: Instance, file: str) -> None:
        self._file = file
        self._ids = [customer.id for customer in instance.customers]
        self._numbers = {without_formula(id): k for k, id in enumerate(self._ids, 1)}
        self._numbers |= {id: k for k, id in enumerate(self._ids, 1)}

    def find(self, cells: Mapping[str, str], line: int) -> int:
        """Return the customer's number."""
        id = cells.get("id", "")
        if "number" not in cells:
            if id not in self._numbers:
                raise self._error(f"the instance has no customer {excerpt(id)!r}", line, id)
            return self._numbers[id]
        field = Field("number", self._file, line)
        number = _parse_number(cells["number"], field)
        if not 1 <= number <= len(self._ids):
            raise field.error(cells["number"], f"customers are 1 to {len(self._ids)}")
        expected = self._ids[number - 1]
        # Tables lose blanks around an id, and the kind of its line ends.
        names = [name.split() for name in ("", expected, without_formula(expected))]
        if id.split() not in names:
            message = f"id is {excerpt(id)!r}; customer {number} has the id {expected!r}"
            raise self._error(message, line, id)
        return number

    def _error(self, message: str, line: int, id: str) -> InputError:
        return input_error(message, self._file, line, field="id", value=id)


def _parse_number(text: str, field: Field) -> int:
    if not text.isdecimal() or len(text) > MAX_COUNT_DIGITS:
        raise field.error(text, "it must be a whole number: 1, 2, ...")
    return int(text)
