"""VRPLIB: instances (.vrp) through the vrplib package, and solutions without splits (.sol)."""

import re
from decimal import Decimal
from itertools import islice
from typing import Any

import numpy as np

from splitroute.distances import Floats, Metric
from splitroute.errors import InputError, LimitError
from splitroute.formats import Reading, StatedSolution
from splitroute.formats._numbers import coordinate, plain, quantity, short, shown
from splitroute.instance import Instance
from splitroute.report import number
from splitroute.solution import Solution, cost
from splitroute.validation import Claims

INSTANCE_SUFFIXES = (".vrp",)
SOLUTION_SUFFIXES = (".sol",)
HOLDS_SPLITS = False

# TSPLIB rounds EUC_2D to the nearest whole number; EXACT_2D is VRPH's name for unrounded.
METRICS: dict[str, Metric] = {"EUC_2D": "dimacs", "EXACT_2D": "exact"}
UNSUPPORTED = (
    "distance", "service_time", "time_window", "backhaul", "pickup_and_delivery",
    "svc_time", "vehicle_capacity",
)  # fmt: skip
MOST_IN_A_TABLE = 5_000
AS_MATRIX = ("CEIL_2D", "FLOOR_2D", "EXPLICIT")


def parse_instance(text: str, reading: Reading) -> Instance:
    """The instance, with the depot of its DEPOT_SECTION as place 0."""
    if "DIMENSION" not in text[:100_000]:
        raise InputError(f"{reading.name}: no DIMENSION near the start; not a VRPLIB instance")
    if reading.depot is not None:
        raise InputError(f"{reading.name}: --depot is for a CSV; this file has its own")
    data = _parsed(text, reading)
    if refused := [key.upper() for key in UNSUPPORTED if key in data]:
        raise InputError(
            f"{reading.name}: {', '.join(refused)} is a constraint that is not supported; "
            "remove it if the answer need not keep it"
        )
    kind = str(data.get("edge_weight_type", "EUC_2D"))
    if kind not in METRICS and kind not in AS_MATRIX:
        known = ", ".join([*METRICS, *AS_MATRIX])
        raise InputError(f"{reading.name}: EDGE_WEIGHT_TYPE is {kind}; known: {known}")
    size = data.get("dimension")
    if not isinstance(size, int) or size < 1:
        raise InputError(f"{reading.name}: DIMENSION is {size}; it counts the depot and customers")
    order = _depot_first(data, size, reading)

    unit = reading.unit or Decimal(1)
    capacity = reading.capacity if reading.capacity is not None else data.get("capacity")
    if capacity is None:
        raise InputError(f"{reading.name}: no CAPACITY is given")
    demand_line = _numbered(text, "DEMAND_SECTION", size, reading)
    demands = [
        quantity(
            str(value), unit, f"demand of node {k + 1}", f"{reading.name}:{demand_line + k + 1}"
        )
        for k, value in enumerate(_rows(data, "demand", size, reading))
    ]
    metric = reading.metric or METRICS.get(kind, "matrix")
    if metric == "matrix" and kind not in AS_MATRIX:
        raise InputError(f"{reading.name}: EDGE_WEIGHT_TYPE is {kind}; the file holds no matrix")
    coordinates = _coordinates(text, data, size, metric, reading)
    matrix = _matrix(data, coordinates, kind, size, reading) if metric == "matrix" else None
    return Instance.create(
        capacity=quantity(str(capacity), unit, "capacity", reading.name),
        demands=[demands[k] for k in order[1:]],
        coordinates=[coordinates[k] for k in order] if coordinates else (),
        matrix=None if matrix is None else matrix[np.ix_(order, order)],
        metric=metric,
        name=_name(text) or reading.stem,
        unit=unit,
        vehicles=_vehicles(data, reading),
    )


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


def _vehicles(data: dict[str, Any], reading: Reading) -> int | None:
    vehicles = data.get("vehicles")
    if vehicles is not None and not isinstance(vehicles, int):
        raise InputError(f"{reading.name}: VEHICLES is {vehicles}; it is a whole number above 0")
    return vehicles


def parse_solution(text: str, instance: Instance, name: str) -> StatedSolution:
    """The routes; every visit delivers the whole demand, for the format holds no quantities."""
    import vrplib

    try:
        data = vrplib.parse.parse_solution(text)
        routes: list[list[int]] = data["routes"]
    except (ValueError, IndexError) as error:
        raise InputError(f"{name}: not a VRPLIB solution: {error}") from None
    if not routes:
        raise InputError(f"{name}: no routes; a route is a line such as 'Route #1: 3 7 12'")
    seen: set[int] = set()
    for customer in (c for route in routes for c in route):
        if not 1 <= customer <= len(instance.customers):
            last = len(instance.customers)
            raise InputError(f"{name}: customer {customer} does not exist; there are 1 to {last}")
        if customer in seen:
            raise InputError(
                f"{name}: customer {customer} is visited twice, but the format has no quantities"
            )
        seen.add(customer)
    stated = data.get("cost")
    if stated is not None and not isinstance(stated, int | float):
        raise InputError(f"{name}: the cost is {shown(str(stated))!r}, not a number")
    claims = Claims(None if stated is None else Decimal(str(stated)))
    return StatedSolution(Solution.whole(instance, routes), claims)


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


def _parsed(text: str, reading: Reading) -> dict[str, Any]:
    import vrplib

    try:
        data: dict[str, Any] = vrplib.parse.parse_vrplib(text, compute_edge_weights=False)
    except Exception as error:  # it raises whatever numpy or a dict makes of bad text
        raise InputError(f"{reading.name}: not a VRPLIB instance: {error}") from None
    return data


def _rows(data: dict[str, Any], section: str, size: int, reading: Reading) -> list[Any]:
    rows = list(data.get(section, ()))
    if len(rows) != size:
        raise InputError(
            f"{reading.name}: {section.upper()}_SECTION has {len(rows)} rows; DIMENSION is {size}"
        )
    return rows


def _coordinates(
    text: str, data: dict[str, Any], size: int, metric: Metric, reading: Reading
) -> list[tuple[float, float]]:
    if "node_coord" not in data and metric == "matrix":
        return []
    line = _numbered(text, "NODE_COORD_SECTION", size, reading)
    points = []
    for k, row in enumerate(_rows(data, "node_coord", size, reading), 1):
        where = f"{reading.name}:{line + k}"
        if len(row) != 2:
            raise InputError(f"{where}: node {k} has {len(row)} coordinates; there are 2")
        x, y = (coordinate(str(value), f"a coordinate of node {k}", where) for value in row)
        points.append((x / reading.scale, y / reading.scale))
    return points


def _matrix(
    data: dict[str, Any],
    coordinates: list[tuple[float, float]],
    kind: str,
    size: int,
    reading: Reading,
) -> Floats:
    if kind == "EXPLICIT":
        rows = data.get("edge_weight")
        if rows is None or len(rows) != size:
            found = 0 if rows is None else len(rows)
            raise InputError(f"{reading.name}: the matrix has {found} rows; DIMENSION is {size}")
        if any(len(row) != size for row in rows):
            raise InputError(f"{reading.name}: a row of the matrix does not have {size} entries")
        try:
            return np.array(rows, dtype=np.float64)
        except ValueError:
            raise InputError(
                f"{reading.name}: the matrix has entries that are no numbers"
            ) from None
    if size > MOST_IN_A_TABLE:
        raise LimitError(
            f"{reading.name}: {size} nodes; distances of the kind {kind} are kept in a table, for "
            f"at most {MOST_IN_A_TABLE}"
        )
    xy = np.array(coordinates)
    away = np.hypot(*(xy[:, None] - xy[None, :]).transpose(2, 0, 1))
    rounded: Floats = np.ceil(away) if kind == "CEIL_2D" else np.floor(away)
    return rounded


def _depot_first(data: dict[str, Any], size: int, reading: Reading) -> list[int]:
    depots = [int(k) for k in data.get("depot", [0])]
    if len(depots) != 1 or not 0 <= depots[0] < size:
        raise InputError(
            f"{reading.name}: DEPOT_SECTION names {[k + 1 for k in depots]}; one node is expected"
        )
    return [depots[0], *(k for k in range(size) if k != depots[0])]


def _name(text: str) -> str:
    # From the text itself: the package takes a name such as 007 for a number.
    found = re.search(r"^\s*NAME\s*:(.*)$", text, re.MULTILINE)
    return found[1].strip() if found else ""


def _numbered(text: str, header: str, size: int, reading: Reading) -> int:
    """The line of a section's header, whose rows must be numbered 1, 2, ...; 0 if there is none."""
    found = re.search(rf"^\s*{header}.*$", text, re.MULTILINE)
    if found is None:
        return 0
    line = text.count("\n", 0, found.end()) + 1
    rows = islice(text[found.end() :].lstrip("\n").splitlines(), size)
    for k, row in enumerate(rows, 1):
        first = row.split()[0] if row.split() else ""
        if first.isdecimal() and int(first) != k:
            raise InputError(
                f"{reading.name}:{line + k}: node {first} stands where node {k} is expected; "
                "nodes are numbered 1, 2, 3 and so on"
            )
    return line
