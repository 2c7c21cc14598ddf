"""CSV as spreadsheets have it: customers of an instance, and the visits of a solution.

Columns of customers: id, demand, and x and y or lat and lon, in any order; others are notes. One
row has the id "depot". Lines `# capacity: 100` before the header may state capacity, unit, metric,
vehicles and name.
"""

import csv
import io
import warnings
from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal

from splitroute.distances import METRICS, Metric
from splitroute.errors import InputError, InputWarning
from splitroute.formats import Reading
from splitroute.formats._decimals import Column
from splitroute.formats._depot import DEPOT, Row, depot_row, has_demand
from splitroute.formats._far import warn_of_far_place
from splitroute.formats._faults import Faults, at, warn
from splitroute.formats._numbers import Quantities, coordinate, plain, shown, unit_of
from splitroute.formats._places import located
from splitroute.formats._table import NAMES, Table
from splitroute.formats._visits import dump_solution, parse_solution
from splitroute.formats._writing import axes, dialect_of, encode, no_formula, place, written
from splitroute.instance import Instance

__all__ = [
    "dump_instance",
    "dump_solution",
    "encode",
    "min_customers",
    "parse_instance",
    "parse_solution",
]

INSTANCE_SUFFIXES = (".csv",)
SOLUTION_SUFFIXES = (".csv",)

MAX_DIGITS = 9  # of the number of vehicles
RANGE = {"lat": 90, "lon": 180}


def parse_instance(text: str, reading: Reading) -> Instance:
    """The instance; what the options say goes before what the file says."""
    faults = Faults(reading.name)
    table = Table(text, reading.name, faults)
    metric = _metric(table, reading, faults)
    globe = metric == "haversine"
    axes = ("lat", "lon") if globe else ("x", "y")
    columns = table.columns("id", "demand", *axes)
    rows = _rows(table, columns)
    _check_ids(rows, faults)
    customers, depot = _with_depot(rows, reading, faults)

    amounts = table.column([row.demand for row in customers])
    quantities = _quantities(table, amounts, customers, reading, faults)
    cells = [cell for row in rows for cell in row.place]
    coordinates = table.column(cells, has_thousands=not globe)
    points = [_point(row, axes, coordinates, reading, faults) for row in [*depot, *customers]]
    vehicles = _vehicles(table, faults)
    unit, (capacity, *demands) = quantities.whole()
    if isinstance(reading.depot, tuple):
        points.insert(0, reading.depot)
    name = table.setting("name")
    instance = Instance.create(
        capacity=capacity,
        demands=demands,
        **located(points, globe, reading.scale),
        metric=metric,
        vehicles=vehicles,
        ids=[row.id for row in customers],
        notes=[row.note for row in customers],
        name=reading.stem if name is None else name.value,
        unit=unit,
        dialect=table.dialect(reading.encoding, amounts, coordinates),
    )
    lines = [row.line for row in customers]
    warn_of_far_place(instance, reading.name, [depot[0].line if depot else None, *lines])
    return instance


def min_customers(text: str) -> int:
    """How many rows there are, without the depot's."""
    with suppress(InputError), warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return sum(1 for _ in Table(text, "", Faults("")).rows([0])) - 1
    return 0  # what is wrong with it, its reader says


def dump_instance(instance: Instance) -> str:
    """The text, in the dialect of the table that the instance was read from."""
    if not instance.places or instance.matrix is not None:
        raise InputError("a CSV of customers holds coordinates and no matrix; write json")
    ids = [customer.id for customer in instance.customers]
    for who in ids:
        if who != who.strip() or not who or who.lower() == DEPOT:
            raise InputError(f"a CSV cannot hold the id {who!r}; write json")
    dialect = dialect_of(instance)
    out = io.StringIO()
    rows = csv.writer(out, delimiter=dialect.separator, lineterminator="\n")
    rows.writerow([f"# name: {' '.join(instance.name.split())}"])
    rows.writerow([f"# capacity: {written(plain(instance, instance.capacity), dialect)}"])
    rows.writerow([f"# unit: {written(f'{instance.unit:f}', dialect)}"])
    rows.writerow([f"# metric: {instance.metric}"])
    if instance.vehicles is not None:
        rows.writerow([f"# vehicles: {instance.vehicles}"])
    notes = ["", *(customer.note for customer in instance.customers)]
    more = ["note"] * any(notes)
    rows.writerow(["id", *axes(instance), "demand", *more])
    for who, site, demand, note in zip(
        [DEPOT, *ids], instance.sites.tolist(), instance.demands.tolist(), notes, strict=True
    ):
        said = [no_formula(note)] * len(more)
        amount = written(plain(instance, demand), dialect)
        rows.writerow([who, *place(instance, site, dialect), amount, *said])
    return out.getvalue()


def _metric(table: Table, reading: Reading, faults: Faults) -> Metric:
    """The one asked for or stated, or else what goes with the columns."""
    plane, globe = table.has("x", "y"), table.has("lat", "lon")
    value, line = table.setting("metric") or (None, None)
    if reading.metric is not None:
        value, line = reading.metric, None
    natural: Metric = "exact"
    if not plane and (globe or table.has("lat") or table.has("lon")):
        natural = "haversine"
    if value is None:
        if plane and globe:
            faults.add(
                "columns x and y besides lat and lon; say which by the metric: exact for x and y, "
                "haversine for lat and lon",
                table.line,
                field="metric",
            )
        return natural
    for metric in METRICS:
        if metric == value and metric != "matrix":
            if (globe if metric == "haversine" else plane) or not (plane or globe):
                return metric
            have = "lat and lon" if natural == "haversine" else "x and y"
            said = f"the metric {metric!r} does not go with {have}"
            faults.add(said, line, field="metric", value=value)
            return natural
    known = ", ".join(metric for metric in METRICS if metric != "matrix")
    said = f"unknown metric {shown(value)!r}; known: {known}"
    faults.add(said, line, field="metric", value=value)
    return natural


def _rows(table: Table, columns: Sequence[int]) -> list[Row]:
    known = {name for key in ("demand", "x", "y", "lat", "lon") for name in NAMES[key]}
    titles = enumerate(table.titles)
    notes = [k for k, title in titles if k not in columns and title not in known]
    return [
        Row(line, who, demand, place, note)
        for line, (who, demand, *place, note) in table.rows(columns, notes)
    ]


def _check_ids(rows: Sequence[Row], faults: Faults) -> None:
    seen: dict[str, int] = {}
    for row in rows:
        key = row.id.lower()
        first = seen.setdefault(key, row.line)
        if not key:
            faults.add("the id is empty", row.line, field="id")
        elif first != row.line:
            what = "depot" if key == DEPOT else f"id {shown(row.id)!r}"
            faults.add(f"duplicate {what}; the first one is on line {first}", row.line, field="id")


def _with_depot(rows: list[Row], reading: Reading, faults: Faults) -> tuple[list[Row], list[Row]]:
    """The customers, and the row that is the depot unless a point is given."""
    given = reading.depot
    depot = None
    if not isinstance(given, tuple):
        depot = depot_row(rows, given, reading.name, faults)
    customers = []
    for k, row in enumerate(rows):
        # Where another row is the depot, one that is called so and has a demand is a customer.
        is_called_so = row.id.lower() == DEPOT and not (
            depot is not None and has_demand(row.demand)
        )
        if k != depot and not is_called_so:
            customers.append(row)
        elif has_demand(row.demand):
            said = f"the demand of the depot, {shown(row.demand)}, is ignored"
            warn(said, reading.name, row.line, field="demand")
    return customers, [] if depot is None else [rows[depot]]


def _quantities(
    table: Table, column: Column, customers: list[Row], reading: Reading, faults: Faults
) -> Quantities:
    """The capacity and the demands."""

    def stated(key: str) -> tuple[str, int | None] | None:
        setting = table.setting(key)
        if setting is None or not setting.value:
            return None
        return column.read(setting.value, key, reading.name, setting.line), setting.line

    unit: Decimal | None = reading.unit
    capacity = None
    with faults:
        if unit is None and (found := stated("unit")):
            unit = unit_of(found[0], reading.name, found[1])
    quantities = Quantities(reading.name, unit, faults)
    with faults:
        capacity = (str(reading.capacity), None) if reading.capacity else stated("capacity")
        if capacity is None:
            said = "no capacity; give `capacity`, or a first line '# capacity: 100'"
            raise InputError(f"{reading.name}: {said}", code="no_capacity", field="capacity")
        quantities.add(capacity[0], "capacity", capacity[1])
    for row in customers:
        what = f"demand of {shown(row.id)!r}"
        with faults:
            quantities.add(column.read(row.demand, what, reading.name, row.line), what, row.line)
    return quantities


def _point(
    row: Row, axes: tuple[str, str], column: Column, reading: Reading, faults: Faults
) -> tuple[float, float]:
    """The coordinates of a row, in the order of the axes."""
    found = [0.0, 0.0]
    who = shown(row.id)
    for k, (axis, cell) in enumerate(zip(axes, row.place, strict=True)):
        what = f"{axis} of {who!r}"
        with faults:
            text = column.read(cell, what, reading.name, row.line)
            found[k] = coordinate(text, what, reading.name, row.line)
            if axis in RANGE and abs(found[k]) > RANGE[axis]:
                raise InputError(
                    f"{at(reading.name, row.line)}{what} is {shown(cell)}; it is from "
                    f"-{RANGE[axis]} to {RANGE[axis]}",
                    field=axis,
                    line=row.line,
                    value=cell,
                )
    return found[0], found[1]


def _vehicles(table: Table, faults: Faults) -> int | None:
    stated = table.setting("vehicles")
    if stated is None:
        return None
    if not (stated.value.isdecimal() and len(stated.value) <= MAX_DIGITS):
        said = f"the number of vehicles is {shown(stated.value)!r}; it is a whole number above 0"
        faults.add(said, stated.line, field="vehicles", value=stated.value)
        return None
    return int(stated.value)
