"""Rows of a table in a sheet: the header is found below titles, and cells become texts."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator

from splitroute.formats._decimals import NumberText
from splitroute.formats._errors import ErrorCollector, FrameRow, SheetRow, input_error
from splitroute.formats._sources import Cell, Sheet, Time

MAX_ROWS_ABOVE = 50  # rows that are searched for the header
SIGNIFICANT_DIGITS = 15  # of a number, as spreadsheets show it: 0.1 + 0.2 is 0.3
MAX_CLOCK_HOURS = 100
FIRST_DAY = datetime.date(1900, 1, 1)


class SheetRows:
    """The header of a table, the rows above it that are not empty, and the rows below it."""

    separator = ""  # nothing says which decimal sign a text has

    def __init__(self, sheet: Sheet, errors: ErrorCollector, is_known: Callable[[str], bool]):
        self._sheet, self._errors = sheet, errors
        self.columns: dict[str, int] = {}  # by what they hold, for the names of cells
        header = self._find_header(is_known)
        self.titles = self._titles(header)
        self.header_line = self._line(header)  # knows the titles
        self.comments = [
            (self._line(k), [to_text(cell) for cell in sheet.rows[k]]) for k in range(header)
        ]
        self._first = header + 1

    def _line(self, row: int) -> SheetRow:
        return SheetRow(row + 1, self._sheet.title, self.columns)

    def _find_header(self, is_known: Callable[[str], bool]) -> int:
        """The first of the rows with most known titles, or else the first with several cells."""
        best, max_known, widest = None, 0, None
        for k, row in enumerate(self._sheet.rows[:MAX_ROWS_ABOVE]):
            titles = [cell.strip() for cell in row if isinstance(cell, str) and cell.strip()]
            known = sum(map(is_known, titles))
            if known > max_known and known >= min(2, len(titles)):
                best, max_known = k, known
            if widest is None and len(titles) > 1 and not titles[0].startswith("#"):
                widest = k
        found = widest if best is None or max_known < 2 else best
        if found is None:
            message = f"no header in the sheet {self._sheet.title!r}; a row must name the columns"
            raise input_error(message, self._sheet.name, code="no_header")
        return found

    def _titles(self, header: int) -> list[str]:
        """The titles; a cell that is merged with the one above has its title."""
        titles = [" ".join(to_text(cell).split()) for cell in self._sheet.rows[header]]
        for (top, column), (bottom, _) in self._sheet.merged:
            if top < header <= bottom and column < len(titles) and not titles[column]:
                titles[column] = to_text(self._sheet.rows[top][column]).strip()
        while titles and not titles[-1]:
            titles.pop()
        return titles

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        """Line and cells of each row that is not empty."""
        width = len(self.titles)
        for k in range(self._first, len(self._sheet.rows)):
            cells = [to_text(cell) for cell in self._sheet.rows[k]]
            for column in range(width):
                if not cells[column] and (k, column) in self._sheet.faults:
                    cells[column] = self._sheet.faults[k, column]
            if any(cells[:width]):
                yield self._line(k), cells[:width]


class FrameRows(SheetRows):
    """The header of a data frame and its rows."""

    def _find_header(self, is_known: Callable[[str], bool]) -> int:
        return 0

    def _line(self, row: int) -> FrameRow:
        line = FrameRow(row - 1, self._sheet.title, self.columns)
        line.titles = self.titles
        return line


def to_text(cell: Cell) -> str:
    """The text of a cell as the parsers of tables expect it."""
    match cell:
        case str():
            return cell.strip()
        case bool():
            return "yes" if cell else "no"
        case int():
            return NumberText(cell)
        case float():
            return NumberText(f"{cell:.{SIGNIFICANT_DIGITS}g}")
        case _:
            return _time_text(cell)


def _time_text(cell: Time) -> str:
    """The text of a date, a time, both, or a duration."""
    match cell:
        case datetime.datetime():
            return f"{cell:%Y-%m-%d} {_clock_text(cell.time())}"
        case datetime.date():
            # A whole day in the format of a time is midnight at its end.
            return "24:00" if cell == FIRST_DAY else cell.isoformat()
        case datetime.time():
            return _clock_text(cell)
        case _:
            return _duration_text(cell.total_seconds())


def _clock_text(time: datetime.time) -> str:
    seconds = 3600 * time.hour + 60 * time.minute + time.second + time.microsecond / 1e6
    return _duration_text(seconds)


def _duration_text(seconds: float) -> str:
    """A time such as 08:30, rounded to seconds: spreadsheets store fractions of a day."""
    whole = round(seconds)
    if not 0 <= whole < 3600 * MAX_CLOCK_HOURS:
        return NumberText(f"{seconds / 60:.{SIGNIFICANT_DIGITS}g}")
    text = f"{whole // 3600:02}:{whole // 60 % 60:02}"
    return f"{text}:{whole % 60:02}" if whole % 60 else text
