"""VRPLIB: instances (.vrp), and solutions without splits (.sol)."""

import re

import numpy as np

from splitroute.errors import InputError
from splitroute.formats import Reading, StatedSolution
from splitroute.formats._faults import Faults
from splitroute.formats._numbers import plain, short, shown, stated_cost
from splitroute.formats._tsplib import parts
from splitroute.formats._vrplib_reader import Reader
from splitroute.instance import Instance
from splitroute.report import number
from splitroute.solution import Solution, cost
from splitroute.validation import Claims

INSTANCE_SUFFIXES = (".vrp",)
SOLUTION_SUFFIXES = (".sol",)

MAX_HEAD = 100_000  # characters in which the DIMENSION is looked for
HOLDS_SPLITS = False

ROUTE = re.compile(r"Route\s*(?:#\s*)?(?:\d+\s*)?:(.*)", re.IGNORECASE)
COST = re.compile(r"Cost(?:\s*:)?\s*(\S+)", re.IGNORECASE)
MAX_DIGITS = 9  # of a customer's number


def parse_instance(text: str, reading: Reading) -> Instance:
    """The instance, with the depot of its DEPOT_SECTION as place 0."""
    if reading.depot is not None:
        raise InputError(
            f"{reading.name}: its depot is stated; `depot` is for a CSV", field="depot"
        )
    if "DIMENSION" not in text[:MAX_HEAD]:
        raise InputError(f"{reading.name}: no DIMENSION near the start; not a VRPLIB instance")
    return Reader(parts(text, reading.name), reading).instance()


def min_customers(text: str) -> int:
    """The DIMENSION that is stated, without the depot."""
    stated = re.search(r"^\s*DIMENSION\s*:\s*(\d{1,15})", text[:MAX_HEAD], re.MULTILINE)
    return int(stated[1]) - 1 if stated else 0


def dump_instance(instance: Instance) -> str:
    """The text; customers' ids have no place in it."""
    if instance.metric == "haversine":
        raise InputError("VRPLIB has no haversine distances; write the instance as json or csv")
    kinds = {"exact": "EXACT_2D", "dimacs": "EUC_2D", "matrix": "EXPLICIT"}
    sites = instance.sites.tolist()
    lines = [
        f"NAME : {' '.join(instance.name.split())}",
        "TYPE : CVRP",
        f"DIMENSION : {len(sites)}",
        f"EDGE_WEIGHT_TYPE : {kinds[instance.metric]}",
    ]
    if instance.matrix is not None:
        lines.append("EDGE_WEIGHT_FORMAT : FULL_MATRIX")
    lines.append(f"CAPACITY : {plain(instance, instance.capacity)}")
    if instance.vehicles is not None:
        lines.append(f"VEHICLES : {instance.vehicles}")
    if instance.matrix is not None:
        table = instance.matrix[np.ix_(sites, sites)].tolist()
        lines += ["EDGE_WEIGHT_SECTION", *(" ".join(map(short, row)) for row in table)]
    if instance.places:
        lines.append("NODE_COORD_SECTION")
        points = [instance.places[p] for p in sites]
        lines += [f"{k} {short(x)} {short(y)}" for k, (x, y) in enumerate(points, 1)]
    lines.append("DEMAND_SECTION")
    lines += [f"{k} {plain(instance, d)}" for k, d in enumerate(instance.demands.tolist(), 1)]
    return "\n".join([*lines, "DEPOT_SECTION", "1", "-1", "EOF", ""])


def parse_solution(text: str, instance: Instance, name: str) -> StatedSolution:
    """The routes; every visit delivers the whole demand, for the format holds no quantities."""
    routes: list[list[int]] = []
    stated = None
    seen: set[int] = set()
    faults = Faults(name)
    for line, row in enumerate(text.splitlines(), 1):
        if found := ROUTE.fullmatch(row.strip()):
            customers = []
            for word in found[1].split():
                with faults:
                    customers.append(_customer(word, instance, seen, name, line))
            routes.append(customers)
        elif found := COST.fullmatch(row.strip()):
            with faults:
                stated = stated_cost(found[1], name, line)
    faults.check()
    if not routes:
        raise InputError(f"{name}: no routes; a route is a line such as 'Route #1: 3 7 12'")
    claims = Claims(stated)
    return StatedSolution(Solution.whole(instance, routes), claims)


def _customer(word: str, instance: Instance, seen: set[int], file: str, line: int) -> int:
    last = len(instance.customers)
    fine = word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS
    if not fine or not 1 <= int(word) <= last:
        said = f"customer {shown(word)} does not exist; there are 1 to {last}"
        raise InputError(f"{file}:{line}: {said}", field="customer", line=line, value=word)
    if int(word) in seen:
        said = f"customer {word} is visited twice, but the format has no quantities"
        raise InputError(f"{file}:{line}: {said}", field="customer", line=line, value=word)
    seen.add(int(word))
    return int(word)


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """The text, if no customer is split."""
    if split := solution.split_customers():
        raise InputError(
            f"{len(split)} customers are split, which a VRPLIB solution cannot say; "
            "write it as json or dimacs"
        )
    lines = [
        f"Route #{k}: {' '.join(str(v.customer) for v in route.visits)}"
        for k, route in enumerate(solution.routes, 1)
    ]
    return "\n".join([*lines, f"Cost {number(cost(instance, solution))}", ""])
