"""A table as spreadsheets and people write it: settings, a header, and rows of cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from splitroute.errors import InputError
from splitroute.files import DecimalSign, Dialect
from splitroute.formats._decimals import Column
from splitroute.formats._faults import Faults, warn
from splitroute.formats._numbers import shown

NAMES = {
    "id": ("id", "customer", "name"),
    "demand": ("demand", "quantity", "qty"),
    "x": ("x",),
    "y": ("y",),
    "lat": ("lat", "latitude"),
    "lon": ("lon", "lng", "long", "longitude"),
}
SEPARATORS = ",;\t"
SETTINGS = ("name", "capacity", "unit", "metric", "vehicles")
CLOSE = 0.75  # likeness of two words from which one is the other misspelt: capcity, but not city
MAX_HEADER = 10_000  # characters of a line above the rows
SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\W*', re.IGNORECASE)
SETTING = re.compile(rf"#\s*({'|'.join(SETTINGS)})\s*:", re.IGNORECASE)


class Setting(NamedTuple):
    """What a line above the header states, and which line that is."""

    value: str
    line: int | None


class Table:
    """The rows below a header, and what the comment lines above it state."""

    def __init__(self, text: str, file: str, faults: Faults) -> None:
        self.file, self.faults = file, faults
        self._lines = io.StringIO(text.removeprefix("\ufeff"), newline=None)
        self.line = 0
        self._stated: dict[str, Setting] = {}
        self.separator, comments, self.titles = self._head()
        self._repeated: dict[str, tuple[str, int]] = {}
        for line, comment in comments:
            self._take(line, comment)
        for key, (said, line) in self._repeated.items():
            warn(f"{said} and says the same", file, line, field=key)

    def _head(self) -> tuple[str, list[tuple[int, str]], list[str]]:
        """The separator, the comments above the header, and the titles of the columns."""
        comments = []
        stated = ""
        for line in iter(lambda: self._lines.readline(MAX_HEADER), ""):
            self.line += 1
            if len(line) == MAX_HEADER:
                break
            if found := SEPARATOR_LINE.fullmatch(line.strip(" \n")):
                stated = found[1]  # spreadsheets write that for each other
            elif line.lstrip(' "').startswith("#"):
                comments.append((self.line, line))
            elif line.strip(f' "\n{SEPARATORS}'):
                separator = stated if stated in SEPARATORS and stated else _separator(line)
                return separator, comments, _titles(line, separator)
        raise InputError(f"{self.file}: no header; a first row names the columns", code="no_header")

    def _take(self, line: int, comment: str) -> None:
        """Takes note of a setting; any other comment is passed over, unless it looks misspelt."""
        cells = _cells(comment.strip(), self.separator)
        while cells and not cells[-1].strip():
            cells.pop()  # a sheet that is saved again has rows of one length
        key, colon, value = self.separator.join(cells).lstrip("#").partition(":")
        key, value = key.strip().lower(), value.strip()
        if len(cells) > 1:
            value = value.lstrip(f"{self.separator} ")  # it has a cell of its own
        if not colon:
            return
        if key not in SETTINGS:
            if meant := get_close_matches(key, SETTINGS, 1, CLOSE):
                self.faults.add(
                    f"'# {key}: ...' looks like {meant[0]!r}; the settings are "
                    f"{', '.join(SETTINGS)}",
                    line,
                    value=key,
                )
            return
        first = self._stated.setdefault(key, Setting(value, line))
        if first.line != line:
            said = f"'# {key}' is set twice; the first one is on line {first.line}"
            if first.value == value:
                self._repeated.setdefault(key, (said, line))
            else:
                self.faults.add(f"{said} and says {shown(first.value)}", line, field=key)

    def setting(self, key: str) -> Setting | None:
        """What is stated, if it is."""
        return self._stated.get(key)

    def has(self, *keys: str) -> bool:
        """Whether there are columns for all of these."""
        return all(self._places(key) for key in keys)

    def columns(self, *keys: str) -> list[int]:
        """Where the columns are that are called so; without them the rows mean nothing."""
        found = {key: self._places(key) for key in keys}
        if missing := [key for key, places in found.items() if not places]:
            self.faults.add(
                f"no column {', '.join(map(repr, missing))} among {shown(', '.join(self.titles))}; "
                f"needed are {', '.join(keys)}",
                self.line,
                field=missing[0],
            )
        for key, places in found.items():
            if len(places) > 1:
                titles = " and ".join(repr(self.titles[place]) for place in places)
                self.faults.add(
                    f"{len(places)} columns may be the {key}: {titles}; rename all but one",
                    self.line,
                    field=key,
                )
        if any(len(places) != 1 for places in found.values()):
            self.faults.check()
        return [places[0] for places in found.values()]

    def _places(self, key: str) -> list[int]:
        names = NAMES.get(key, (key,))
        if key == "id":  # with an id, the name is a note
            names = tuple(name for name in names if name in self.titles)[:1]
        return [k for k, title in enumerate(self.titles) if title in names]

    def rows(
        self, columns: Sequence[int], notes: Sequence[int] = ()
    ) -> Iterator[tuple[int, list[str]]]:
        """Line and cells of each row that is not empty; the last cell is what the notes say."""
        top = self.line
        reader = csv.reader(self._lines, delimiter=self.separator)
        begins = line = top
        row: list[str] = []
        try:
            for row in reader:
                begins, line = line + 1, top + reader.line_num
                cells = [cell.strip() for cell in row]
                while len(cells) > len(self.titles) and not cells[-1]:
                    cells.pop()
                if not any(cells):
                    continue
                if SETTING.match(cells[0]):
                    self.faults.add("settings stand above the header", line, value=cells[0])
                elif len(cells) > len(self.titles) or len(cells) <= max(columns):
                    said = f"{len(cells)} cells; the header has {len(self.titles)}"
                    self.faults.add(said, line)
                else:
                    said = ", ".join(cells[k] for k in notes if k < len(cells) and cells[k])
                    yield line, [*(cells[k] for k in columns), said]
        except csv.Error as error:
            self.faults.add(f"{error}", top + reader.line_num)
        if any("\n" in cell for cell in row) and self._is_quote_open(begins):
            self.faults.add("a quote is opened here and never closed", begins)

    def _is_quote_open(self, line: int) -> bool:
        """Whether a quote is still open at the end, if none is at the start of this line."""
        rest = self._lines.getvalue().split("\n", line - 1)[-1]
        return rest.count('"') % 2 == 1

    def column(self, cells: Sequence[str], *, has_thousands: bool = True) -> Column:
        """How the numbers in these cells are to be read."""
        return Column(cells, separator=self.separator, has_thousands=has_thousands)

    def dialect(self, encoding: str, *columns: Column) -> Dialect:
        """How the table is written; the first column that shows a decimal sign decides on it."""
        usual: DecimalSign = "," if self.separator == ";" else "."
        sign = next((column.sign for column in columns if column.sign), usual)
        return Dialect(self.separator, sign, encoding)


def _separator(header: str) -> str:
    """The one by which most columns are known, or else by which there are most."""

    def known(separator: str) -> tuple[int, int]:
        titles = _titles(header, separator)
        names = {name for aliases in NAMES.values() for name in aliases}
        return len(names.intersection(titles)), len(titles)

    return max(SEPARATORS, key=known)


def _titles(header: str, separator: str) -> list[str]:
    return [title.strip().lower() for title in _cells(header, separator)]


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return line.split(separator)
