"""Cells of CSV files with rules: what each column holds, and how it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from splitroute.errors import InputError
from splitroute.formats._columns import simplified
from splitroute.formats._decimals import Column, NumberText
from splitroute.formats._errors import ErrorCollector, warn
from splitroute.formats._numbers import Field, parse_cost, parse_count
from splitroute.formats._records import Record
from splitroute.formats._table import Table
from splitroute.formats._time_ranges import RANGES_EXAMPLE, parse_ranges
from splitroute.formats._times import CLOCK_EXAMPLE, TimeReader, is_clock_cell
from splitroute.formats._words import FLAGS, TIME_UNITS
from splitroute.instance import Windows

TYPE_SEPARATOR = "|"  # between vehicle types in a cell
TIMES_OF_DAY = ("open", "close", "shift_")  # how the names of their columns start
SECONDS_PER_DAY = 86_400
# What the columns hold: the fields of a customer, a vehicle type and a depot.
CUSTOMER_COLUMNS = {
    "service": "duration",
    "service_per_unit": "duration",
    "splittable": "flag",
    "min_drop": "quantity",
    "max_visits": "count",
    "lot": "quantity",
    "extra_visit_cost": "number",
    "vehicle_types": "names",
    "penalty": "number",
}
FLEET_COLUMNS = {
    "type": "name",
    "count": "count",
    "capacity": "quantity",
    "depot": "name",
    "end_depot": "name",
    "fixed_cost": "number",
    "cost_per_distance": "number",
    "cost_per_time": "number",
    "shift_start": "time",
    "shift_end": "time",
    "max_distance": "number",
    "max_duration": "duration",
    "max_stops": "count",
    "max_trips": "count",
    "loading": "duration",
    "loading_per_unit": "duration",
    "min_load": "quantity",
}


@dataclass(frozen=True)
class Cells:
    """Reads the cells of a table; an empty one is left out."""

    kinds: Mapping[str, str]
    columns: Mapping[str, Column]  # by name: how their numbers are written
    times: TimeReader
    errors: ErrorCollector
    factors: Mapping[str, float]  # to minutes, of columns whose title has a unit of time
    days: bool = False  # whether times of day are fractions of a day

    @classmethod
    def create(
        cls,
        table: Table,
        kinds: Mapping[str, str],
        rows: Iterable[Mapping[str, str]],
        times: TimeReader,
    ) -> Cells:
        """Return a reader of these rows, which are cells by the names of their columns."""
        rows = list(rows)
        names = rows[0] if rows else {}
        columns = {name: table.column([row[name] for row in rows]) for name in names}
        factors = {name: TIME_UNITS[u] for name in names if (u := table.unit(name)) in TIME_UNITS}
        days = times.is_globe and _has_fractions_of_days(rows)
        if days:
            message = "times are numbers below 1, read as parts of a day: 0.5 is 12:00"
            warn(message, table.file, table.header_line)
        return cls(kinds, columns, times, table.errors, factors, days)

    def record(self, cells: Mapping[str, str], source: Field) -> Record:
        """Return what a row states; `source` is its line and the words for it."""
        record = Record({}, source=source)
        for name, kind in self.kinds.items():
            text = cells.get(name, "")
            if not text:
                continue
            field = source.named(name)
            with self.errors:
                if kind == "quantity":
                    record.quantities[name] = self.columns[name].read(text, field), field
                else:
                    record.values[name] = self._value(kind, name, text, field)
        return record

    def windows(self, cells: Mapping[str, str], source: Field) -> Windows:
        """Return the windows of a row in ascending order."""
        windows = set(self._ranges(cells.get("windows", ""), source))
        for opening in (name for name in cells if name.startswith("open")):
            closing = opening.replace("open", "close")
            if (window := self.window(cells, opening, closing, source)) is not None:
                windows.add(window)
        return tuple(sorted(windows))

    def _ranges(self, text: str, source: Field) -> Windows:
        """Return the windows of a cell that holds all of them."""
        with self.errors:
            windows = parse_ranges(text) if text else ()
            if windows is None:
                raise source.named("windows").error(text, RANGES_EXAMPLE)
            self.times.found_clock |= bool(windows)
            return windows
        return ()

    def window(
        self, cells: Mapping[str, str], first: str, last: str, source: Field
    ) -> tuple[float, float] | None:
        """Return the two times of a window, or None if both cells are empty."""
        texts = [cells.get(name, "") for name in (first, last)]
        if not any(texts):
            return None
        with self.errors:
            for name, text, other in ((first, texts[0], last), (last, texts[1], first)):
                if not text:
                    field = source.named(name)
                    raise field.error(text, f"{name} and {other} go together")
            start, end = (
                self._time_of_day(name, text, source.named(name))
                for name, text in zip((first, last), texts, strict=True)
            )
            if end < start:
                field = source.named(last)
                raise field.error(texts[1], f"it must not be before {first}, {texts[0]}")
            return start, end
        return None

    def _time_of_day(self, name: str, text: str, field: Field) -> float:
        time = self.time(name, text, field)
        if self.days and isinstance(text, NumberText):
            self.times.found_clock = True
            return round(time * SECONDS_PER_DAY) / 60
        if name not in self.factors and not is_clock_cell(text):
            self.times.note_number(time, text, field)
        return time

    def time(self, name: str, text: str, field: Field) -> float:
        """Return a time of at least 0."""
        if (minutes := self.times.read_cell(text, field)) is not None:
            return minutes
        number = self._number(name, text, field, f"{CLOCK_EXAMPLE}, not below 0")
        if name not in self.factors:
            return number
        self.times.found_clock = True
        return number * self.factors[name]

    def _value(self, kind: str, name: str, text: str, field: Field) -> Any:
        parsers: dict[str, Callable[[], Any]] = {
            "count": lambda: parse_count(text, field),
            "duration": lambda: self.time(name, text, field),
            "time": lambda: self.time(name, text, field),
            "flag": lambda: parse_flag(text, field),
            "name": lambda: text,
            "names": lambda: tuple(part.strip() for part in text.split(TYPE_SEPARATOR)),
            "number": lambda: self._number(name, text, field, "a number of at least 0"),
        }
        return parsers[kind]()

    def _number(self, name: str, text: str, field: Field, allowed: str) -> float:
        number = self.columns[name].read(text, field)
        try:
            return float(parse_cost(number, field))
        except InputError:
            raise field.error(text, f"it must be {allowed}") from None


def _has_fractions_of_days(rows: Iterable[Mapping[str, str]]) -> bool:
    """Whether cells are times that lost their format, which spreadsheets store so."""
    numbers = [
        float(cell)
        for row in rows
        for name, cell in row.items()
        if name.startswith(TIMES_OF_DAY) and isinstance(cell, NumberText)
    ]
    return any(0 < n < 1 for n in numbers) and all(0 <= n <= 1 for n in numbers)


def parse_flag(text: str, field: Field) -> bool:
    """Return yes or no."""
    word = simplified(text)
    if word not in FLAGS:
        raise field.error(text, "it must be yes or no")
    return FLAGS[word]


def by_name(names: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    """Return the cells of a row by the names of their columns."""
    return dict(zip(names, cells, strict=True))
