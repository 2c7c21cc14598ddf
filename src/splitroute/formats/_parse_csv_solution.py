"""Read the visits of a solution from CSV."""

from collections.abc import Mapping

from splitroute.errors import InputError
from splitroute.formats import ParsedSolution
from splitroute.formats._errors import ErrorCollector, input_error
from splitroute.formats._numbers import Field, excerpt, parse_quantity, to_units
from splitroute.formats._table import Table, without_formula
from splitroute.instance import Instance
from splitroute.solution import Route, Solution, Visit
from splitroute.validation import Claims

MAX_DIGITS = 9  # of the number of a customer or visit


def parse_solution(text: str, instance: Instance, name: str) -> ParsedSolution:
    """Return the routes in the order of their first rows; visits by number, or else by row.

    Rows name customers by number, or by id if there is no column of numbers.
    """
    errors = ErrorCollector(name)
    table = Table(text, name, errors)
    optional = [key for key in ("number", "visit", "id") if table.has(key)]
    required = ["route", "quantity", *([] if "id" in optional else ["number"])]
    keys = list(dict.fromkeys([*required, *optional]))
    rows = [
        (line, dict(zip(keys, cells, strict=False)))
        for line, cells in table.rows(table.columns(*keys))
    ]
    column = table.column([cells["quantity"] for _, cells in rows])
    customers = _Customers(instance, name)
    routes: dict[str, list[tuple[int, Visit]]] = {}
    for line, cells in rows:
        with errors:
            customer = customers.find(cells, line)
            visits = routes.setdefault(cells["route"], [])
            position = len(visits)
            if "visit" in cells:
                position = _parse_number(cells["visit"], Field("visit", name, line))
            field = Field("quantity", name, line)
            amount = parse_quantity(column.read(cells["quantity"], field), field, signed=True)
            visits.append((position, Visit(customer, to_units(amount, instance.unit, field))))
    errors.raise_any()
    ordered = (sorted(visits, key=lambda visit: visit[0]) for visits in routes.values())
    solution = Solution(tuple(Route(tuple(visit for _, visit in visits)) for visits in ordered))
    return ParsedSolution(solution, Claims())


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
        number = _parse_number(cells["number"], Field("number", self._file, line))
        expected = self._ids[number - 1] if 1 <= number <= len(self._ids) else ""
        if expected and id not in ("", expected, without_formula(expected)):
            message = f"id is {excerpt(id)!r}; customer {number} has the id {expected!r}"
            raise self._error(message, line, id)
        return number

    def _error(self, message: str, line: int, id: str) -> InputError:
        return input_error(message, self._file, line, field="id", value=id)


def _parse_number(text: str, field: Field) -> int:
    if not text.isdecimal() or len(text) > MAX_DIGITS:
        raise field.error(text, "it must be a whole number: 1, 2, ...")
    return int(text)
