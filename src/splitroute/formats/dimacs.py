"""Solutions of the DIMACS challenge: routes with quantities, then the cost on a line of its own.

Route 1: 0 - 3 ( 60 ) - 7 ( 40 ) - 0
"""

import re
from collections.abc import Iterator
from decimal import Decimal

from splitroute.formats import Capabilities, ParsedSolution
from splitroute.formats._errors import ErrorCollector
from splitroute.formats._numbers import (
    MAX_COUNT_DIGITS,
    Field,
    excerpt,
    format_quantity,
    parse_cost,
    parse_quantity,
    to_units,
)
from splitroute.instance import Instance
from splitroute.report import json_number
from splitroute.solution import Route, Solution, Visit, cost
from splitroute.validation import Claims

CAPABILITIES = Capabilities(solution_suffixes=(".txt",))

# No two adjacent parts match the same character: that would take quadratic time on blanks.
ROUTE = re.compile(r"Route\s*(?:#\s*)?\d+\s*:\s*0((?:\s*-\s*\d+\s*\(\s*[^()\s]+\s*\))*)\s*-\s*0\s*")
VISIT = re.compile(r"(\d+)\s*\(\s*([^()\s]+)\s*\)")
COST = re.compile(r"(?:[Cc]ost\s*(?::\s*)?)?(\d+(?:\.\d+)?)")


def parse_solution(text: str, instance: Instance, name: str) -> ParsedSolution:
    """Return the routes, and the cost if there is one."""
    routes = []
    cost = None
    errors = ErrorCollector(name)
    for line, row in enumerate(text.splitlines(), 1):
        with errors:
            if match := ROUTE.fullmatch(row.strip()):
                routes.append(Route(tuple(_visits(match[1], instance, name, line))))
            elif match := COST.fullmatch(row.strip()):
                cost = parse_cost(match[1], Field("cost", name, line))
            elif row.strip():
                errors.add(
                    f"found {excerpt(row.strip())!r}; expected the cost or a route such as "
                    "'Route 1: 0 - 3 ( 60 ) - 7 ( 40 ) - 0'",
                    line,
                )
    errors.raise_any()
    solution = Solution(tuple(route for route in routes if route.visits))
    return ParsedSolution(solution, Claims(cost))


def _visits(text: str, instance: Instance, name: str, line: int) -> Iterator[Visit]:
    for customer, quantity in VISIT.findall(text):
        if len(customer) > MAX_COUNT_DIGITS:
            last = len(instance.customers)
            raise Field("customer", name, line).error(customer, f"customers are 1 to {last}")
        field = Field("quantity", name, line)
        amount = parse_quantity(quantity, field, signed=True)
        yield Visit(int(customer), to_units(amount, instance.unit, field))


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """One line per route, and the cost."""
    lines = []
    for k, route in enumerate(solution.routes, 1):
        visits = [f"{v.customer} ( {format_quantity(instance, v.quantity)} )" for v in route.visits]
        lines.append(f"Route {k}: " + " - ".join(["0", *visits, "0"]))
    return "\n".join(
        [*lines, format(Decimal(repr(json_number(cost(instance, solution)))), "f"), ""]
    )
