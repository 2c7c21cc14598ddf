"""Writes tables of values to the sheets of an .xlsx file."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from decimal import Decimal

from splitroute.errors import InputWarning, issue
from splitroute.formats._errors import column_letters
from splitroute.formats._values import Clock, Value
from splitroute.registry import require

MINUTES_PER_DAY = 24 * 60
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
    # Texts stay texts: an id such as =1+1 or http://... is neither a formula nor a link.
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    workbook = xlsxwriter.Workbook(out, options)
    header = workbook.add_format(HEADER)
    # Hours beyond 24 are those of the next day, which hh:mm would hide.
    times = {n: workbook.add_format({"num_format": n}) for n in ("hh:mm", "hh:mm:ss", "[h]:mm:ss")}
    for title, table in sheets.items():
        sheet = workbook.add_worksheet(title)
        widths: dict[int, int] = {}
        for i, row in enumerate(table):
            for k, value in enumerate(row):
                if i >= table.header:
                    widths[k] = max(widths.get(k, MIN_WIDTH), len(_shown(value)) + 2)
                if isinstance(value, Clock):
                    sheet.write_number(i, k, value.minutes / MINUTES_PER_DAY, times[_form(value)])
                elif isinstance(value, int | float | Decimal):
                    sheet.write_number(i, k, float(value))
                elif value:
                    text = _fitting(value, f"{title}!{column_letters(k)}{i + 1}")
                    sheet.write_string(i, k, text, header if i == table.header else None)
        for k, width in widths.items():
            sheet.set_column(k, k, min(width, MAX_WIDTH))
        sheet.freeze_panes(table.header + 1, 0)
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


def _form(time: Clock) -> str:
    """Format of the cell of a time."""
    if not 0 <= time.minutes < MINUTES_PER_DAY:
        return "[h]:mm:ss"
    return "hh:mm" if time.text.count(":") == 1 or time.text.endswith(":00") else "hh:mm:ss"
