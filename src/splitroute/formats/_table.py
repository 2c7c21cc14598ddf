"""A table as spreadsheets and people write it: settings, a header, and rows of cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from splitroute.files import DecimalSign, Dialect
from splitroute.formats._decimals import Column, is_same_number
from splitroute.formats._errors import ErrorCollector, input_error, warn
from splitroute.formats._numbers import excerpt

COLUMN_NAMES = {
    "id": ("id", "customer", "name"),
    "demand": ("demand", "quantity", "qty"),
    "x": ("x",),
    "y": ("y",),
    "lat": ("lat", "latitude"),
    "lon": ("lon", "lng", "long", "longitude"),
}
REQUIRED = {  # columns as messages name them
    "id": "id (or customer, name)",
    "demand": "demand (or quantity, qty)",
    "y": "y (or lat, lon)",
}
MAX_TITLES = 100  # characters of the titles that a message lists
SEPARATORS = ",;\t"
SETTINGS = ("name", "capacity", "unit", "metric", "vehicles", "speed", "clock", "partial")
MIN_SIMILARITY = 0.75  # of a misspelt setting: capcity, but not city
MAX_HEADER = 10_000  # characters of a line above the rows
SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\W*', re.IGNORECASE)
SETTING = re.compile(rf"#\s*({'|'.join(SETTINGS)})\s*(:|$)", re.IGNORECASE)
WITHOUT_COLON = re.compile(r"#\s*(capacity|unit|vehicles|speed)[\s=,;]+([\d.,]+)", re.IGNORECASE)


class Setting(NamedTuple):
    """A setting above the header."""

    value: str
    line: int | None


class Table:
    """The rows below a header and the settings above it."""

    def __init__(self, text: str, file: str, errors: ErrorCollector) -> None:
        self.file, self.errors = file, errors
        self._lines = io.StringIO(text.removeprefix("\ufeff"), newline=None)
        self.header_line = 0
        self._settings: dict[str, Setting] = {}
        self._misspelt: set[str] = set()  # settings that are there under a similar name
        self._repeated: dict[str, int] = {}
        self.separator, comments, self.titles = self._read_header()
        for line, comment in comments:
            self._read_setting(line, comment)
        for key, line in self._repeated.items():
            first = self._settings[key].line
            warn(f"'# {key}' repeats line {first}", file, line, field=key)

    def _read_header(self) -> tuple[str, list[tuple[int, str]], list[str]]:
        """Return the separator, the comments above the header, and the titles of the columns."""
        comments = []
        declared = ""
        for line in iter(lambda: self._lines.readline(MAX_HEADER), ""):
            self.header_line += 1
            if len(line) == MAX_HEADER:
                break
            if match := SEPARATOR_LINE.fullmatch(line.strip(" \n")):
                declared = match[1]  # spreadsheets write `sep=;` for each other
            elif line.lstrip(' "').startswith("#"):
                comments.append((self.header_line, line))
            elif line.strip(f' "\n{SEPARATORS}'):
                separator = declared if declared and declared in SEPARATORS else _separator(line)
                return separator, comments, _titles(line, separator)
        message = "no header; the first row must name the columns"
        raise input_error(message, self.file, code="no_header")

    def _read_setting(self, line: int, comment: str) -> None:
        """Record a setting such as `# capacity: 80`, whose value may have a cell of its own."""
        cells = _cells(comment.strip(), self.separator)
        while cells and not cells[-1].strip():
            cells.pop()  # spreadsheets pad all rows to the same length
        text = self.separator.join(cells).strip()
        if match := WITHOUT_COLON.fullmatch(text):
            key, value = match.groups()
        else:
            key, colon, value = text.lstrip("#").partition(":")
            if not colon:
                return
            if len(cells) > 1:
                value = value.lstrip(f"{self.separator} ")
        key, value = key.strip().lower(), value.strip()
        if key not in SETTINGS:
            if similar := get_close_matches(key, SETTINGS, 1, MIN_SIMILARITY):
                self._misspelt.add(similar[0])
                self.errors.add(
                    f"unknown setting {key!r}; did you mean {similar[0]!r}? "
                    f"known: {', '.join(SETTINGS)}",
                    line,
                    value=key,
                )
            return  # any other comment
        first = self._settings.setdefault(key, Setting(value, line))
        if first.line == line:
            return
        if first.value == value or is_same_number(first.value, value):
            self._repeated.setdefault(key, line)
        else:
            message = f"'# {key}' is {excerpt(value)} here and {excerpt(first.value)}"
            self.errors.add(f"{message} on line {first.line}", line, field=key, value=value)

    def setting(self, key: str) -> Setting | None:
        """Return a setting, if the file has it."""
        return self._settings.get(key)

    def is_misspelt(self, key: str) -> bool:
        """Whether a setting of a similar name was reported, so that this one is not missing."""
        return key in self._misspelt

    def has(self, *keys: str) -> bool:
        """Whether there are columns for all keys."""
        return all(self._indices(key) for key in keys)

    def columns(self, *keys: str) -> list[int]:
        """Return the index of the column for each key; raise if one is missing or ambiguous."""
        indices = {key: self._indices(key) for key in keys}
        if missing := [key for key, found in indices.items() if not found]:
            self.errors.add(
                f"no column {', '.join(map(repr, missing))}; required: "
                f"{', '.join(REQUIRED.get(key, key) for key in keys)}; found: {self._found()}",
                self.header_line,
                field=missing[0],
            )
        for key, found in indices.items():
            if len(found) > 1:
                titles = " and ".join(repr(self.titles[k]) for k in found)
                self.errors.add(
                    f"{len(found)} columns for {key}: {titles}; rename all but one",
                    self.header_line,
                    field=key,
                )
        if any(len(found) != 1 for found in indices.values()):
            self.errors.raise_any()
        return [found[0] for found in indices.values()]

    def optional_columns(self, keys: Iterable[str]) -> dict[str, int]:
        """Return the index of the column for each key that has one."""
        found: dict[str, int] = {}
        known = set(keys)
        for k, title in enumerate(self.titles):
            key = title.replace(" ", "_").replace("-", "_")
            if key not in known:
                continue
            if key in found:
                self.errors.add(f"2 columns {title!r}; rename one", self.header_line, field=key)
            found[key] = k
        return found

    def _found(self) -> str:
        """The titles as a message lists them: whole ones, and not too many."""
        text = ""
        for k, title in enumerate(self.titles):
            text += f"{', ' if k else ''}{excerpt(title)}"
            if len(text) > MAX_TITLES and k + 1 < len(self.titles):
                return f"{text}, ..."
        return text or "nothing"

    def _indices(self, key: str) -> list[int]:
        names = COLUMN_NAMES.get(key, (key,))
        if key == "id":  # if there is an id, the name is a note
            names = tuple(name for name in names if name in self.titles)[:1]
        return [k for k, title in enumerate(self.titles) if title in names]

    def rows(
        self, columns: Sequence[int], notes: Sequence[int] = (), optional: Sequence[int] = ()
    ) -> Iterator[tuple[int, list[str]]]:
        """Line and cells of each row that is not empty; the last cell joins the notes.

        Cells of optional columns may be missing at the end of a row.
        """
        reader = csv.reader(self._lines, delimiter=self.separator)
        start = line = self.header_line
        row: list[str] = []
        try:
            for row in reader:
                start, line = line + 1, self.header_line + reader.line_num
                cells = [cell.strip() for cell in row]
                while len(cells) > len(self.titles) and not cells[-1]:
                    cells.pop()
                if not any(cells):
                    continue
                if SETTING.match(cells[0]):
                    self.errors.add("settings must be above the header", line, value=cells[0])
                elif len(cells) > len(self.titles) or len(cells) <= max(columns):
                    self.errors.add(f"{len(cells)} cells; the header has {len(self.titles)}", line)
                else:
                    note = ", ".join(cells[k] for k in notes if k < len(cells) and cells[k])
                    more = (cells[k] if k < len(cells) else "" for k in optional)
                    yield line, [*(cells[k] for k in columns), *more, note]
        except csv.Error as error:
            self.errors.add(f"{error}", self.header_line + reader.line_num)
        if any("\n" in cell for cell in row) and self._has_open_quote(start):
            self.errors.add("a quote is opened here and never closed", start)

    def _has_open_quote(self, line: int) -> bool:
        """Whether the table ends inside a quote, if this line starts outside of one."""
        rest = self._lines.getvalue().split("\n", line - 1)[-1]
        return rest.count('"') % 2 == 1

    def column(self, cells: Sequence[str], *, has_thousands: bool = True) -> Column:
        """Return how to read the numbers in these cells."""
        return Column(cells, separator=self.separator, has_thousands=has_thousands)

    def dialect(self, encoding: str, *columns: Column) -> Dialect:
        """Return the dialect; the first column with a decimal sign decides on that."""
        default: DecimalSign = "," if self.separator == ";" else "."
        sign = next((column.sign for column in columns if column.sign), default)
        return Dialect(self.separator, sign, encoding)


def without_formula(name: str) -> str:
    """The name, marked as text if a spreadsheet would run it as a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name


def _separator(header: str) -> str:
    """The separator that gives most known columns, or else most columns."""
    names = {name for aliases in COLUMN_NAMES.values() for name in aliases}

    def score(separator: str) -> tuple[int, int]:
        titles = _titles(header, separator)
        return len(names.intersection(titles)), len(titles)

    return max(SEPARATORS, key=score)


def _titles(header: str, separator: str) -> list[str]:
    return [title.strip().lower() for title in _cells(header, separator)]


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return line.split(separator)
