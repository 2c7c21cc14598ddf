"""The text form of the DIMACS challenge: routes with quantities, then the cost on its own line.

Route 1: 0 - 3 ( 60 ) - 7 ( 40 ) - 0
"""

import re
from collections.abc import Iterator
from decimal import Decimal

from splitroute.errors import InputError
from splitroute.formats import StatedSolution
from splitroute.formats._faults import Faults
from splitroute.formats._numbers import amount, plain, shown, stated_cost, whole
from splitroute.instance import Instance
from splitroute.report import number
from splitroute.solution import Route, Solution, Visit, cost
from splitroute.validation import Claims

SOLUTION_SUFFIXES = (".txt",)

# No two neighbours in them match the same character, which would take quadratic time on blanks.
ROUTE = re.compile(r"Route\s*(?:#\s*)?\d+\s*:\s*0((?:\s*-\s*\d+\s*\(\s*[^()\s]+\s*\))*)\s*-\s*0\s*")
VISIT = re.compile(r"(\d+)\s*\(\s*([^()\s]+)\s*\)")
COST = re.compile(r"(?:[Cc]ost\s*(?::\s*)?)?(\d+(?:\.\d+)?)")
MAX_DIGITS = 9  # of a customer's number


def parse_solution(text: str, instance: Instance, name: str) -> StatedSolution:
    """The routes, and the cost if it is stated."""
    routes = []
    cost = None
    faults = Faults(name)
    for k, line in enumerate(text.splitlines(), 1):
        with faults:
            if found := ROUTE.fullmatch(line.strip()):
                routes.append(Route(tuple(_visits(found[1], instance, name, k))))
            elif stated := COST.fullmatch(line.strip()):
                cost = stated_cost(stated[1], name, k)
            elif line.strip():
                raise InputError(
                    f"{name}:{k}: found {shown(line.strip())!r}; a line is a route such as "
                    "'Route 1: 0 - 3 ( 60 ) - 7 ( 40 ) - 0' or the cost",
                    line=k,
                )
    faults.check()
    return StatedSolution(Solution(tuple(route for route in routes if route.visits)), Claims(cost))


def _visits(text: str, instance: Instance, name: str, line: int) -> Iterator[Visit]:
    for who, much in VISIT.findall(text):
        if len(who) > MAX_DIGITS:
            said = f"{name}:{line}: customer {shown(who)} does not exist"
            raise InputError(said, field="customer", line=line, value=who)
        value = amount(much, "quantity", name, line, signed=True)
        yield Visit(int(who), whole(value, instance.unit, "quantity", name, line))


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """The text."""
    lines = []
    for k, route in enumerate(solution.routes, 1):
        stops = [f"{v.customer} ( {plain(instance, v.quantity)} )" for v in route.visits]
        lines.append(f"Route {k}: " + " - ".join(["0", *stops, "0"]))
    return "\n".join([*lines, format(Decimal(repr(number(cost(instance, solution)))), "f"), ""])
