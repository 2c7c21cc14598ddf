"""The columns of a table of customers and its first rows, so that people can map them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from splitroute.errors import InputError
from splitroute.formats._columns import customer_names
from splitroute.formats._sources import NamedText
from splitroute.formats._table import Table

REQUIRED = ("id", "demand")
AXES = (("lat", "lon"), ("x", "y"))


@dataclass(frozen=True)
class Preview:
    """What a table of customers holds."""

    titles: list[str]
    columns: dict[str, str]  # title of the column for each key that was recognised
    missing: list[str]  # keys that are required, and missing or ambiguous
    rows: list[list[str]]
    keys: list[str]  # that a column may have
    sheets: list[str]  # of a workbook
    sheet: str = ""  # the one that was read


def preview(
    text: str | bytes,
    name: str,
    *,
    columns: Mapping[str, str] | None = None,
    sheet: str | None = None,
    rows: int = 5,
) -> Preview:
    """Return the columns and the first rows of a CSV, or of a sheet of a workbook."""
    names = customer_names()
    if isinstance(text, bytes):
        from splitroute.formats._workbook import Workbook

        workbook = Workbook(text, name)
        title, sheets = workbook.choose(sheet), workbook.titles
        table = Table(workbook.sheet(title), names, columns)
    elif sheet is not None:
        message = "`sheet` is only for workbooks such as .xlsx"
        raise InputError(message, field="sheet", file=name, value=sheet)
    else:
        title, sheets = "", []
        table = Table(NamedText(name, text), names, columns)
    found = table.columns
    clear = {key for key in found.recognized if len(found.find(key)) == 1}
    axes = max(AXES, key=lambda pair: len(clear.intersection(pair)))
    return Preview(
        titles=list(table.titles),
        columns={key: table.titles[k] for key, k in found.recognized.items() if key in clear},
        missing=[key for key in (*REQUIRED, *axes) if key not in clear],
        rows=[cells for _, cells in islice(table, rows)],
        keys=list(names.keys),
        sheets=list(sheets),
        sheet=title,
    )
