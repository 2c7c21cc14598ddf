"""Writes tables of values to the sheets of an .xlsx file."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from decimal import Decimal

from splitroute.errors import InputWarning, issue
from splitroute.formats._errors import column_letters
from splitroute.formats._values import Clock, Value
from splitroute.registry import require

SECONDS_PER_DAY = 24 * 60 * 60
HEADER = {"bold": True, "bg_color": "#E8EDF3", "bottom": 1}
MAX_CHARACTERS = 32_767  # of a cell
MIN_WIDTH, MAX_WIDTH = 8, 50  # of a column, in characters


class Table(list[list[Value]]):
    """Rows of a sheet, of which one is the header; settings may be above it."""

    def __init__(self, rows: Iterable[list[Value]], header: int = 0) -> None:
        super().__init__(rows)
        self.header = header


def write_workbook(sheets: Mapping[str, Table]) -> bytes:
    """Return the content of the file: numbers and times are such, and the headers stay in view."""
    require("xlsxwriter", "xlsx")
    import xlsxwriter

    out = io.BytesIO()
    workbook = xlsxwriter.Workbook(out, {"in_memory": True})
    header = workbook.add_format(HEADER)
    times = {n: workbook.add_format({"num_format": n}) for n in ("hh:mm", "hh:mm:ss", "[h]:mm:ss")}
    for title, table in sheets.items():
        sheet = workbook.add_worksheet(title)
        widths: dict[int, int] = {}
        forms = _time_forms(table)
        for i, row in enumerate(table):
            for k, value in enumerate(row):
                if i >= table.header:
                    widths[k] = max(widths.get(k, MIN_WIDTH), len(_shown(value)) + 2)
                if isinstance(value, Clock):
                    days = round(60 * value.minutes) / SECONDS_PER_DAY
                    sheet.write_number(i, k, days, times[forms[k]])
                elif isinstance(value, int | float | Decimal):
                    sheet.write_number(i, k, float(value))
                elif value:  # not `write`, which makes formulas and links of =1+1 and http://...
                    text = _fitting(value, f"{title}!{column_letters(k)}{i + 1}")
                    sheet.write_string(i, k, text, header if i == table.header else None)
        for k, width in widths.items():
            sheet.set_column(k, k, min(width, MAX_WIDTH))
        sheet.freeze_panes(table.header + 1, 0)
        if widths and len(table) > table.header + 1:
            sheet.autofilter(table.header, 0, len(table) - 1, max(widths))
    workbook.close()
    return out.getvalue()


def _fitting(text: str, cell: str) -> str:
    """The text, or as much of it as a cell can hold."""
    if len(text) <= MAX_CHARACTERS:
        return text
    message = f"{len(text):,} characters are too many for a cell; {MAX_CHARACTERS:,} are kept"
    issue(InputWarning(message, cell=cell))
    return text[:MAX_CHARACTERS]


def _shown(value: Value) -> str:
    return value.text if isinstance(value, Clock) else str(value)


def _time_forms(table: Table) -> dict[int, str]:
    """Format of the times in each column: one for all of them, so that they line up."""
    columns: dict[int, list[int]] = {}  # seconds
    for row in table:
        for k, value in enumerate(row):
            if isinstance(value, Clock):
                columns.setdefault(k, []).append(round(60 * value.minutes))
    return {k: _form(seconds) for k, seconds in columns.items()}


def _form(times: list[int]) -> str:
    # Hours beyond 24 are those of the next day, which hh:mm would hide.
    if not all(0 <= time < SECONDS_PER_DAY for time in times):
        return "[h]:mm:ss"
    return "hh:mm:ss" if any(time % 60 for time in times) else "hh:mm"
