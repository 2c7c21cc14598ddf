"""The text form of the DIMACS challenge: routes with quantities, then the cost on its own line.

Route 1: 0 - 3 ( 60 ) - 7 ( 40 ) - 0
"""

import re
from decimal import Decimal

from splitroute.errors import InputError
from splitroute.formats import StatedSolution
from splitroute.formats._numbers import plain, quantity, shown
from splitroute.instance import Instance
from splitroute.report import number
from splitroute.solution import Route, Solution, Visit, cost
from splitroute.validation import Claims

SOLUTION_SUFFIXES = (".txt",)

ROUTE = re.compile(r"Route\s*#?\s*\d+\s*:\s*0((?:\s*-\s*\d+\s*\(\s*[^()\s]+\s*\))*)\s*-\s*0\s*")
VISIT = re.compile(r"(\d+)\s*\(\s*([^()\s]+)\s*\)")
COST = re.compile(r"(?:[Cc]ost\s*:?\s*)?(\d+(?:\.\d+)?)")


def parse_solution(text: str, instance: Instance, name: str) -> StatedSolution:
    """The routes, and the cost if it is stated."""
    routes = []
    cost = None
    for k, line in enumerate(text.splitlines(), 1):
        where = f"{name}:{k}"
        if found := ROUTE.fullmatch(line.strip()):
            visits = tuple(
                Visit(int(who), quantity(much, instance.unit, "quantity", where, signed=True))
                for who, much in VISIT.findall(found[1])
            )
            routes.append(Route(visits))
        elif stated := COST.fullmatch(line.strip()):
            cost = Decimal(stated[1])
        elif line.strip():
            raise InputError(
                f"{where}: found {shown(line.strip())!r}; a line is a route such as "
                "'Route 1: 0 - 3 ( 60 ) - 7 ( 40 ) - 0' or the cost"
            )
    return StatedSolution(Solution(tuple(route for route in routes if route.visits)), Claims(cost))


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """The text."""
    lines = []
    for k, route in enumerate(solution.routes, 1):
        stops = [f"{v.customer} ( {plain(instance, v.quantity)} )" for v in route.visits]
        lines.append(f"Route {k}: " + " - ".join(["0", *stops, "0"]))
    return "\n".join([*lines, format(Decimal(repr(number(cost(instance, solution)))), "f"), ""])
