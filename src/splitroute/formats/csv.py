"""CSV as spreadsheets have it: customers of an instance, and the stops of a solution.

Columns of customers: id, demand, and x and y or lat and lon, in any order; others are notes. One
row has the id "depot". Lines `# capacity: 100` before the header may state capacity, unit, metric
and name. Commas, semicolons (then also with decimal commas) and tabs separate.
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from difflib import get_close_matches

from splitroute.distances import METRICS, Metric
from splitroute.errors import InputError
from splitroute.formats import Reading, StatedSolution
from splitroute.formats._numbers import coordinate, plain, quantity, short, shown
from splitroute.formats._places import located
from splitroute.instance import Instance
from splitroute.solution import Route, Solution, Visit
from splitroute.validation import Claims

INSTANCE_SUFFIXES = (".csv",)
SOLUTION_SUFFIXES = (".csv",)

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
STATED = ("name", "capacity", "unit", "metric", "vehicles")
CLOSE = 0.75  # likeness of two words from which one is the other misspelt: capcity, but not city
GROUPED = re.compile(r"\d{1,3}(\.\d{3})+")  # a thousand to some, one to others


class _Table:
    """The rows below a header, and what the comment lines above it state."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.stated: dict[str, str] = {}
        self._lines = io.StringIO(text, newline=None)
        self.line = 0
        header = self._header()
        self.separator = max(",;\t", key=header.count)
        cells = next(csv.reader([header], delimiter=self.separator))
        self.titles = [cell.strip().lower() for cell in cells]

    def _header(self) -> str:
        for line in iter(lambda: self._lines.readline(LONGEST_HEADER), ""):
            self.line += 1
            if re.fullmatch("sep=.", line.strip(), re.IGNORECASE):
                continue  # spreadsheets write that for each other
            if line.strip() and not line.lstrip().startswith("#"):
                if len(line) == LONGEST_HEADER:
                    break
                return line
            key, colon, value = line.strip().lstrip("#").partition(":")
            if colon:
                self._state(key.strip().lower(), value.strip())
        raise InputError(f"{self.file}: no header; a first row names the columns")

    def _state(self, key: str, value: str) -> None:
        """Takes note of a setting; any other line is a comment, unless it looks misspelt."""
        if key in STATED:
            self.stated[key] = value
        elif meant := get_close_matches(key, STATED, 1, CLOSE):
            raise InputError(
                f"{self.file}:{self.line}: '# {key}: ...' looks like {meant[0]!r}; "
                f"the settings are {', '.join(STATED)}"
            )

    def columns(self, *keys: str) -> list[int]:
        """Where the columns are that are called so."""
        found = []
        for key in keys:
            names = NAMES.get(key, (key,))
            place = next((self.titles.index(name) for name in names if name in self.titles), None)
            if place is None:
                raise InputError(
                    f"{self.file}:{self.line}: no column {key!r} among "
                    f"{shown(', '.join(self.titles))}; needed are {', '.join(keys)}"
                )
            found.append(place)
        return found

    def rows(
        self, columns: list[int], others: Sequence[int] = ()
    ) -> Iterator[tuple[str, list[str]]]:
        """For each row that is not empty: where it is, and its cells in those columns.

        The last cell is what the other columns say, if there are any.
        """
        top = self.line
        reader = csv.reader(self._lines, delimiter=self.separator)
        try:
            for row in reader:
                where = f"{self.file}:{top + reader.line_num}"
                cells = [cell.strip() for cell in row]
                while len(cells) > len(self.titles) and not cells[-1]:
                    cells.pop()
                if not any(cells):
                    continue
                if len(cells) > len(self.titles) or len(cells) <= max(columns):
                    raise InputError(
                        f"{where}: {len(cells)} cells; the header has {len(self.titles)}"
                    )
                said = [cells[k] for k in others if k < len(cells) and cells[k]]
                yield where, [*(cells[k] for k in columns), ", ".join(said)]
        except csv.Error as error:
            raise InputError(f"{self.file}:{top + reader.line_num}: {error}") from None

    def number(self, cell: str, where: str) -> str:
        """A number as Python reads it; semicolons and tabs leave the comma for decimals."""
        if self.separator == ",":
            return cell
        if self.separator == ";" and GROUPED.fullmatch(cell):
            raise InputError(
                f"{where}: {cell} may mean {cell.replace('.', '')} or {cell.replace('.', ',')}; "
                "write it without points"
            )
        return cell.replace(",", ".")


def parse_instance(text: str, reading: Reading) -> Instance:
    """The instance; what the options say goes before what the file says."""
    table = _Table(text, reading.name)
    stated = table.stated
    globe = not {"x", "y"} <= set(table.titles)
    axes = ("lat", "lon") if globe else ("x", "y")
    columns = table.columns("id", "demand", *axes)
    unit = reading.unit or _unit(stated.get("unit", "1"), reading)
    capacity = str(reading.capacity or table.number(stated.get("capacity", ""), reading.name))
    if not capacity:
        raise InputError(
            f"{reading.name}: no capacity; give --capacity, or a first line '# capacity: 100'"
        )
    depot = reading.depot
    seen: dict[str, str] = {}
    demands, points, notes = [], [], []
    others = [k for k in range(len(table.titles)) if k not in columns]
    for where, (who, demand, *place, note) in table.rows(columns, others):
        if not who:
            raise InputError(f"{where}: the id is empty")
        if who.lower() in seen and who.lower() == DEPOT:
            line = seen[DEPOT].rpartition(":")[2]
            raise InputError(f"{where}: a second depot; line {line} has the one there is")
        if who.lower() in seen:
            line = seen[who.lower()].rpartition(":")[2]
            raise InputError(f"{where}: the id {who!r} was used in line {line}; ids are unique")
        seen[who.lower()] = where
        first, second = (
            coordinate(table.number(cell, where), f"{axis} of {who!r}", where)
            for axis, cell in zip(axes, place, strict=True)
        )
        if who.lower() == DEPOT:
            depot = reading.depot or (first, second)
            continue
        what = f"demand of {shown(who)!r}"
        demands.append((who, quantity(table.number(demand, where), unit, what, where)))
        points.append((first, second))
        notes.append(note)
    if depot is None:
        raise InputError(f"{reading.name}: no depot; give one row the id 'depot', or --depot")
    return Instance.create(
        capacity=quantity(capacity, unit, "capacity", reading.name),
        demands=[demand for _, demand in demands],
        **located([depot, *points], globe, reading.scale),
        metric=_metric(stated.get("metric"), globe, reading),
        vehicles=_vehicles(stated.get("vehicles"), reading),
        ids=[who for who, _ in demands],
        notes=notes,
        name=stated.get("name", reading.stem),
        unit=unit,
    )


def dump_instance(instance: Instance) -> str:
    """The text."""
    if not instance.places or instance.matrix is not None:
        raise InputError("a CSV of customers holds coordinates and no matrix; write json")
    ids = [customer.id for customer in instance.customers]
    for who in ids:
        if who != who.strip() or not who or who.lower() == DEPOT:
            raise InputError(f"a CSV cannot hold the id {who!r}; write json")
    out = io.StringIO()
    name = " ".join(instance.name.split())
    out.write(f"# name: {name}\n# capacity: {plain(instance, instance.capacity)}\n")
    out.write(f"# unit: {instance.unit}\n# metric: {instance.metric}\n")
    if instance.vehicles is not None:
        out.write(f"# vehicles: {instance.vehicles}\n")
    rows = csv.writer(out, lineterminator="\n")
    notes = ["", *(customer.note for customer in instance.customers)]
    more = ["note"] * any(notes)
    rows.writerow(["id", *_axes(instance), "demand", *more])
    for who, site, demand, note in zip(
        [DEPOT, *ids], instance.sites.tolist(), instance.demands.tolist(), notes, strict=True
    ):
        said = [_no_formula(note)] * len(more)
        rows.writerow([who, *_place(instance, site), plain(instance, demand), *said])
    return out.getvalue()


def parse_solution(text: str, instance: Instance, name: str) -> StatedSolution:
    """The routes in the order of their first rows; their stops as numbered, or else by rows.

    Customers are known by their numbers, or by their ids where there is no column of numbers.
    """
    table = _Table(text, name)
    routes: dict[str, list[tuple[int, Visit]]] = {}
    who = "id" if "id" in table.titles and "number" not in table.titles else "number"
    more = [column for column in ("stop", "id") if column in table.titles]
    ids = {str(k): customer.id for k, customer in enumerate(instance.customers, 1)}
    numbers = {_no_formula(known): k for k, known in ids.items()} | {v: k for k, v in ids.items()}
    wanted = table.columns("route", who, "quantity", *more)
    for where, (route, given_number, amount, *given, _) in table.rows(wanted):
        said = dict(zip(more, given, strict=True))
        stop, named = said.get("stop", ""), said.get("id", "")
        number = numbers.get(named, "") if who == "id" else given_number
        if who == "id" and not number:
            raise InputError(f"{where}: there is no customer {shown(named)}")
        if not number.isdecimal():
            raise InputError(f"{where}: the number is {shown(number)}; customers are 1, 2, ...")
        if number in ids and named not in ("", ids[number], _no_formula(ids[number])):
            raise InputError(
                f"{where}: customer {number} is {ids[number]!r}, but the id is {shown(named)}"
            )
        if "stop" in said and not stop.isdecimal():
            raise InputError(f"{where}: the stop is {shown(stop)}; stops are 1, 2, ...")
        much = quantity(table.number(amount, where), instance.unit, "quantity", where, signed=True)
        stops = routes.setdefault(route, [])
        stops.append((int(stop) if stop else len(stops), Visit(int(number), much)))
    ordered = (sorted(stops, key=lambda each: each[0]) for stops in routes.values())
    found = tuple(Route(tuple(visit for _, visit in stops)) for stops in ordered)
    return StatedSolution(Solution(found), Claims())


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """A row for each stop: a sheet that a driver can be given."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    axes = _axes(instance) if instance.places else []
    more = ["note"] * any(customer.note for customer in instance.customers)
    rows.writerow(["route", "stop", "number", "id", *axes, "quantity", "left", *more])
    for k, route in enumerate(solution.routes, 1):
        left = route.load
        for stop, visit in enumerate(route.visits, 1):
            left -= visit.quantity
            customer = instance.customers[visit.customer - 1]
            place = _place(instance, customer.place) if instance.places else []
            amounts = [plain(instance, visit.quantity), plain(instance, left)]
            who = [visit.customer, _no_formula(customer.id)]
            said = [_no_formula(customer.note)] * len(more)
            rows.writerow([k, stop, *who, *place, *amounts, *said])
    return out.getvalue()


def _no_formula(name: str) -> str:
    """A name that a spreadsheet would take for a formula, marked as text."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name


def _axes(instance: Instance) -> list[str]:
    return ["lat", "lon"] if instance.metric == "haversine" else ["x", "y"]


def _place(instance: Instance, site: int) -> list[str]:
    x, y = map(short, instance.places[site])
    return [y, x] if instance.metric == "haversine" else [x, y]


def _unit(text: str, reading: Reading) -> Decimal:
    quantity(text, Decimal("1e-9"), "unit", reading.name)
    if not Decimal(text):
        raise InputError(f"{reading.name}: the unit is {text}; it is a number above 0")
    return Decimal(text)


def _vehicles(stated: str | None, reading: Reading) -> int | None:
    if stated is not None and not (stated.isdecimal() and len(stated) < 10):
        raise InputError(
            f"{reading.name}: the number of vehicles is {shown(stated)!r}; it is a whole number"
        )
    return None if stated is None else int(stated)


def _metric(stated: str | None, globe: bool, reading: Reading) -> Metric:
    wanted = reading.metric or stated or ("haversine" if globe else "exact")
    for metric in METRICS:
        if metric == wanted:
            if (metric == "haversine") != globe:
                have = "lat and lon" if globe else "x and y"
                raise InputError(f"{reading.name}: the metric {metric!r} does not go with {have}")
            return metric
    known = ", ".join(METRICS)
    raise InputError(f"{reading.name}: unknown metric {wanted!r}; known: {known}")
