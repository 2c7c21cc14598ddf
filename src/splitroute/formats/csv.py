"""CSV of customers, as spreadsheets write it.

Columns: id, demand, and x and y or lat and lon, in any order; others are ignored. One row has the
id "depot". Lines `# capacity: 100` before the header may state capacity, unit, metric and name.
Commas, semicolons (then also with decimal commas) and tabs separate.
"""

import csv
import io
from decimal import Decimal

from splitroute.distances import METRICS, Metric
from splitroute.errors import InputError
from splitroute.formats import Reading
from splitroute.formats._numbers import coordinate, plain, quantity, shown
from splitroute.instance import Instance

INSTANCE_SUFFIXES = (".csv",)

DEPOT = "depot"
NAMES = {
    "id": ("id", "customer", "name"),
    "demand": ("demand", "quantity", "qty"),
    "x": ("x",),
    "y": ("y",),
    "lat": ("lat", "latitude"),
    "lon": ("lon", "lng", "long", "longitude"),
}
LONGEST_HEADER = 10_000
STATED = ("name", "capacity", "unit", "metric")


def parse_instance(text: str, reading: Reading) -> Instance:
    """The instance; what the options say goes before what the file says."""
    lines = io.StringIO(text, newline=None)
    stated, header, skip = _stated(lines, reading)
    if not header or len(header) == LONGEST_HEADER:
        raise InputError(f"{reading.name}: no header; a first row names the columns")
    separator = max(",;\t", key=header.count)
    columns, axes = _columns(next(csv.reader([header], delimiter=separator)), reading, skip)
    rows = csv.reader(lines, delimiter=separator)
    try:
        table = [(skip + rows.line_num, row) for row in rows if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise InputError(f"{reading.name}:{skip + rows.line_num}: {error}") from None

    unit = reading.unit or Decimal(stated.get("unit", 1))
    capacity = str(reading.capacity or stated.get("capacity", ""))
    if not capacity:
        raise InputError(
            f"{reading.name}: no capacity; give --capacity, or a first line '# capacity: 100'"
        )
    globe = axes == ("lon", "lat")
    scale = 1.0 if globe else reading.scale
    depot = reading.depot
    seen: dict[str, int] = {}
    demands, points = [], []
    for line, row in table:
        where = f"{reading.name}:{line}"
        cells = [cell.strip() for cell in row]
        if len(cells) <= max(columns.values()):
            raise InputError(f"{where}: {len(cells)} cells; the header has more")
        who = cells[columns["id"]]
        x, y = (
            coordinate(_point(cells[columns[axis]], separator), f"{axis} of {who!r}", where)
            for axis in axes
        )
        if who.lower() in seen:
            first = seen[who.lower()]
            raise InputError(f"{where}: the id {who!r} was used in line {first}; ids are unique")
        seen[who.lower()] = line
        if who.lower() == DEPOT:
            depot = reading.depot or (x / scale, y / scale)
            continue
        demand = _point(cells[columns["demand"]], separator)
        demands.append((who, quantity(demand, unit, f"demand of {shown(who)!r}", where)))
        points.append((x / scale, y / scale))
    if depot is None:
        raise InputError(f"{reading.name}: no depot; give one row the id 'depot', or --depot X,Y")
    metric: Metric = (
        reading.metric or stated.get("metric") or ("haversine" if globe else "exact")  # type: ignore[assignment]
    )
    if metric == "matrix":
        raise InputError(f"{reading.name}: a CSV of customers holds no matrix")
    if (metric == "haversine") != globe:
        have = "lat and lon" if globe else "x and y"
        raise InputError(f"{reading.name}: the metric {metric!r} does not go with {have}")
    return Instance.create(
        capacity=quantity(capacity, unit, "capacity", reading.name),
        demands=[demand for _, demand in demands],
        coordinates=[depot, *points],
        metric=metric,
        ids=[who for who, _ in demands],
        name=str(stated.get("name") or reading.stem),
        unit=unit,
    )


def dump_instance(instance: Instance) -> str:
    """The text."""
    if not instance.places or instance.matrix is not None:
        raise InputError("a CSV of customers holds coordinates and no matrix; write json")
    axes = ["lat", "lon"] if instance.metric == "haversine" else ["x", "y"]
    out = io.StringIO()
    for key, value in [
        ("name", instance.name),
        ("capacity", plain(instance, instance.capacity)),
        ("unit", str(instance.unit)),
        ("metric", instance.metric),
    ]:
        out.write(f"# {key}: {value}\n")
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["id", *axes, "demand"])
    whos = [DEPOT, *(customer.id for customer in instance.customers)]
    for who, site, demand in zip(
        whos, instance.sites.tolist(), instance.demands.tolist(), strict=True
    ):
        point = instance.places[site]
        cells = reversed(point) if instance.metric == "haversine" else point
        table.writerow([who, *(f"{v:.17g}" for v in cells), plain(instance, demand)])
    return out.getvalue()


def _stated(lines: io.StringIO, reading: Reading) -> tuple[dict[str, str], str, int]:
    """What the comment lines before the header state, the header, and its line number."""
    stated: dict[str, str] = {}
    number = 0
    for number, line in enumerate(iter(lambda: lines.readline(LONGEST_HEADER), ""), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            return _checked(stated, reading), line, number
        key, colon, value = line.strip().lstrip("#").partition(":")
        if colon and key.strip().lower() in STATED:
            stated[key.strip().lower()] = value.strip()
    return stated, "", number


def _checked(stated: dict[str, str], reading: Reading) -> dict[str, str]:
    if "metric" in stated and stated["metric"] not in METRICS:
        known = ", ".join(METRICS)
        raise InputError(f"{reading.name}: unknown metric {stated['metric']!r}; known: {known}")
    if "unit" in stated:
        quantity(stated["unit"], Decimal("1e-9"), "unit", reading.name)
    return stated


def _columns(
    header: list[str], reading: Reading, line: int
) -> tuple[dict[str, int], tuple[str, str]]:
    """Where each column is, and whether places are x, y or lon, lat."""
    titles = [title.strip().lower() for title in header]
    columns = {
        key: next(titles.index(name) for name in names if name in titles)
        for key, names in NAMES.items()
        if any(name in titles for name in names)
    }
    axes = ("x", "y") if "x" in columns and "y" in columns else ("lon", "lat")
    missing = [key for key in ("id", "demand", *axes) if key not in columns]
    if missing:
        raise InputError(
            f"{reading.name}:{line}: no column {' or '.join(missing)} "
            f"among {shown(', '.join(titles))}; "
            "needed are id, demand, and x and y or lat and lon"
        )
    return {key: columns[key] for key in ("id", "demand", *axes)}, axes


def _point(cell: str, separator: str) -> str:
    return cell.replace(",", ".") if separator == ";" else cell
