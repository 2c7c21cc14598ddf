"""Write an instance as VRPLIB."""

from collections.abc import Iterable, Iterator

import numpy as np

from splitroute.errors import InputError
from splitroute.formats._numbers import format_float, format_quantity
from splitroute.formats._vrplib_vehicles import LIMITS
from splitroute.instance import Instance, VehicleType, Windows

EDGE_WEIGHT_TYPES = {"exact": "EXACT_2D", "dimacs": "EUC_2D", "matrix": "EXPLICIT"}
RULES = frozenset({"windows", "depot_windows", "service", "fleet", "depots", *LIMITS.values()})
COST_PER_DISTANCE = "VEHICLES_UNIT_DISTANCE_COST"
DEFAULT_VEHICLE = VehicleType("", 1)


def dump_instance(instance: Instance) -> str:
    """Keywords and sections; customers' ids are lost."""
    _check(instance)
    sites = [*(depot.place for depot in instance.depots), *instance.sites[1:].tolist()]
    lines = [
        f"NAME : {' '.join(instance.name.split())}",
        f"TYPE : {'VRPTW' if 'windows' in instance.rules else 'CVRP'}",
        f"DIMENSION : {len(sites)}",
        f"EDGE_WEIGHT_TYPE : {EDGE_WEIGHT_TYPES[instance.metric]}",
    ]
    if instance.matrix is not None:
        lines.append("EDGE_WEIGHT_FORMAT : FULL_MATRIX")
    lines += _vehicles(instance)
    if instance.matrix is not None:
        matrix = instance.matrix[np.ix_(sites, sites)].tolist()
        lines += ["EDGE_WEIGHT_SECTION", *(" ".join(map(format_float, row)) for row in matrix)]
    depots = len(instance.depots)
    customers = instance.customers
    if instance.places:
        places = [instance.places[site] for site in sites]
        rows = (f"{format_float(x)} {format_float(y)}" for x, y in places)
        lines += _section("NODE_COORD", rows)
    demands = [0] * depots + [customer.demand for customer in customers]
    lines += _section("DEMAND", (format_quantity(instance, demand) for demand in demands))
    if any(customer.service for customer in customers):
        service = [0.0] * depots + [float(customer.service) for customer in customers]
        lines += _section("SERVICE_TIME", map(format_float, service))
    if instance.rules & {"windows", "depot_windows"}:
        lines += _section("TIME_WINDOW", _windows(instance))
    numbers = [str(k) for k in range(1, depots + 1)]
    return "\n".join([*lines, "DEPOT_SECTION", *numbers, "-1", "EOF", ""])


def _check(instance: Instance) -> None:
    """Raise if VRPLIB cannot hold the instance."""
    if instance.metric == "haversine":
        raise InputError(
            "VRPLIB has no haversine distances; write .json or .csv",
            field="metric",
            value=instance.metric,
        )
    depots, types = instance.depots, instance.vehicle_types
    others = sorted(instance.rules - RULES)
    if any(len(windows) > 1 for windows in _all_windows(instance)):
        others.append("several windows")
    if instance.has_times and instance.travel_speed != 1:
        others.append("speed")
    if instance.rules & {"windows", "depot_windows"} and not all(d.windows for d in depots):
        others.append("windows without those of the depot")
    if (len(types) > 1 or len(depots) > 1) and any(v.count is None for v in types):
        others.append("unlimited vehicles with several types or depots")
    if any(v.end_depot not in (None, v.depot or depots[0].id) for v in types):
        others.append("end_depot")
    limited = [[getattr(v, f) is None for v in types] for f in ("max_distance", "max_duration")]
    if any(any(is_none) and not all(is_none) for is_none in limited):
        others.append("limits of some vehicles only")
    if others:
        message = f"VRPLIB cannot hold {', '.join(others)}; write .json or .csv"
        raise InputError(message, field=others[0])


def _section(name: str, rows: Iterable[str]) -> Iterator[str]:
    yield f"{name}_SECTION"
    yield from (f"{k} {row}" for k, row in enumerate(rows, 1))


def _vehicles(instance: Instance) -> Iterator[str]:
    """Keywords for vehicles that are alike, otherwise sections with a row for each vehicle."""
    types = instance.vehicle_types
    columns = {
        "CAPACITY": [format_quantity(instance, v.capacity) for v in types],
        **{name: [_limit(v, field) for v in types] for name, field in LIMITS.items()},
    }
    if len(types) == 1 and len(instance.depots) == 1:
        yield from (f"{name} : {values[0]}" for name, values in columns.items() if values[0])
        if types[0].count is not None:
            yield f"VEHICLES : {types[0].count}"
        return
    numbers = {depot.id: str(k) for k, depot in enumerate(instance.depots, 1)}
    columns["VEHICLES_DEPOT"] = [numbers[v.depot or instance.depots[0].id] for v in types]
    counts = [v.count or 0 for v in types]
    yield f"VEHICLES : {sum(counts)}"
    for name, values in columns.items():
        if any(values):
            default = "1" if name == COST_PER_DISTANCE else "0"
            rows = zip(values, counts, strict=True)
            yield from _section(name, (value or default for value, n in rows for _ in range(n)))


def _limit(vehicle: VehicleType, field: str) -> str:
    """A limit or cost as text; empty for the default."""
    value = getattr(vehicle, field)
    is_default = value == getattr(DEFAULT_VEHICLE, field)
    return "" if is_default else format_float(float(value))


def _windows(instance: Instance) -> Iterator[str]:
    """A window for each node; for customers without one, from the first to the last of depots."""
    opened = [window for depot in instance.depots for window in depot.windows]
    hull = min(first for first, _ in opened), max(last for _, last in opened)
    for windows in _all_windows(instance):
        ((opening, closing),) = windows or (hull,)
        yield f"{format_float(float(opening))} {format_float(float(closing))}"


def _all_windows(instance: Instance) -> list[Windows]:
    """Windows of the depots and of the customers."""
    return [*(d.windows for d in instance.depots), *(c.windows for c in instance.customers)]
