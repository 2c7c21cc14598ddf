"""VRPLIB: instances (.vrp), and solutions without splits (.sol)."""

import re

from splitroute.errors import InputError
from splitroute.formats import Capabilities, ParsedSolution
from splitroute.formats._dump_vrplib_instance import RULES, dump_instance
from splitroute.formats._errors import ErrorCollector
from splitroute.formats._numbers import MAX_COUNT_DIGITS, Field, parse_cost
from splitroute.formats._parse_vrplib_instance import MAX_HEADER, parse_instance
from splitroute.instance import Instance
from splitroute.report import json_number
from splitroute.solution import Solution, cost
from splitroute.validation import Claims

__all__ = ["CAPABILITIES", "dump_instance", "dump_solution", "parse_instance", "parse_solution"]

ROUTE = re.compile(r"Route\s*(?:#\s*)?(?:\d+\s*)?:(.*)", re.IGNORECASE)
COST = re.compile(r"Cost(?:\s*:)?\s*(\S+)", re.IGNORECASE)
DEPOTS = re.compile(r"^[ \t]*DEPOT_SECTION\s([\d\s]*)", re.MULTILINE | re.IGNORECASE)


def _min_customers(text: str) -> int:
    """The DIMENSION without the depots."""
    match = re.search(r"^\s*DIMENSION\s*:\s*(\d{1,15})", text[:MAX_HEADER], re.MULTILINE)
    depots = DEPOTS.search(text)
    return int(match[1]) - max(1, len(depots[1].split()) if depots else 1) if match else 0


def parse_solution(text: str, instance: Instance, name: str) -> ParsedSolution:
    """Return the routes; every visit delivers the whole demand, since there are no quantities."""
    routes: list[list[int]] = []
    stated_cost = None
    visited: set[int] = set()
    errors = ErrorCollector(name)
    for line, row in enumerate(text.splitlines(), 1):
        if match := ROUTE.fullmatch(row.strip()):
            customers = []
            for word in match[1].split():
                with errors:
                    field = Field("customer", name, line)
                    customers.append(_parse_customer(word, instance, visited, field))
            routes.append(customers)
        elif match := COST.fullmatch(row.strip()):
            with errors:
                stated_cost = parse_cost(match[1], Field("cost", name, line))
    errors.raise_any()
    if not routes:
        message = "no routes; a route is a line such as 'Route #1: 3 7 12'"
        raise InputError(message, field="routes", file=name)
    return ParsedSolution(Solution.unsplit(instance, routes), Claims(stated_cost))


def _parse_customer(word: str, instance: Instance, visited: set[int], field: Field) -> int:
    last = len(instance.customers)
    is_number = word.isascii() and word.isdigit() and len(word) <= MAX_COUNT_DIGITS
    if not is_number or not 1 <= int(word) <= last:
        raise field.error(word, f"customers are 1 to {last}")
    if int(word) in visited:
        raise field.error(word, "visited twice, which takes a format with quantities")
    visited.add(int(word))
    return int(word)


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """One line per route, and the cost; raise if a customer is split."""
    if split := solution.split_customers():
        raise InputError(
            f"VRPLIB solutions cannot hold split visits, but {len(split)} customers are split; "
            "write .json or .txt",
            field="solution",
            value=len(split),
        )
    lines = [
        f"Route #{k}: {' '.join(str(v.customer) for v in route.visits)}"
        for k, route in enumerate(solution.routes, 1)
    ]
    return "\n".join([*lines, f"Cost {json_number(cost(instance, solution))}", ""])


CAPABILITIES = Capabilities(
    instance_suffixes=(".vrp",),
    solution_suffixes=(".sol",),
    splits=False,
    instance_rules=RULES,
    min_customers=_min_customers,
)
