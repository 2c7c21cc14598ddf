"""Writes spreadsheets for tests, as people and their programs make them."""

import datetime
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import odf.opendocument
import odf.table
import odf.text
import xlsxwriter

Rows = Sequence[Sequence[Any]]


@dataclass(frozen=True)
class Formula:
    """A formula and the value that a spreadsheet program saved with it; None: it did not."""

    text: str
    value: Any = None


@dataclass(frozen=True)
class Merged:
    """A cell that is merged with those to its right, or below."""

    text: str
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True)
class Book:
    """A workbook: the rows of each sheet; titles in `hidden` are of hidden sheets."""

    sheets: dict[str, Rows]
    hidden: frozenset[str] = field(default_factory=frozenset)


def xlsx(book: Book | Rows) -> bytes:
    """The content of an .xlsx file; a value below 1 in a tuple with a format is a time."""
    book = book if isinstance(book, Book) else Book({"Sheet1": book})
    out = io.BytesIO()
    workbook = xlsxwriter.Workbook(out, {"in_memory": True})
    formats = {
        datetime.datetime: workbook.add_format({"num_format": "dd.mm.yyyy hh:mm"}),
        datetime.date: workbook.add_format({"num_format": "dd.mm.yyyy"}),
        datetime.time: workbook.add_format({"num_format": "hh:mm"}),
        datetime.timedelta: workbook.add_format({"num_format": "[h]:mm"}),
    }
    for title, rows in book.sheets.items():
        sheet = workbook.add_worksheet(title)
        if title in book.hidden:
            sheet.hide()
        for i, row in enumerate(rows):
            for k, value in enumerate(row):
                if value is None:
                    continue
                if isinstance(value, Merged):
                    last = i + value.rows - 1, k + value.columns - 1
                    sheet.merge_range(i, k, *last, value.text)
                elif isinstance(value, Formula):
                    cached = "" if value.value is None else value.value
                    sheet.write_formula(i, k, value.text, None, cached)
                elif type(value) in formats:
                    sheet.write_datetime(i, k, value, formats[type(value)])
                else:
                    sheet.write(i, k, value)
    workbook.close()
    return out.getvalue()


def ods(book: Book | Rows) -> bytes:
    """The content of an .ods file."""
    book = book if isinstance(book, Book) else Book({"Tabelle1": book})
    document = odf.opendocument.OpenDocumentSpreadsheet()
    for title, rows in book.sheets.items():
        table = odf.table.Table(name=title)
        for row in rows:
            line = odf.table.TableRow()
            for value in row:
                line.addElement(_ods_cell(value))
            # As programs do: blank cells up to the last column.
            line.addElement(odf.table.TableCell(numbercolumnsrepeated=16384 - len(row)))
            table.addElement(line)
        rest = odf.table.TableRow(numberrowsrepeated=1048576 - len(rows))
        rest.addElement(odf.table.TableCell(numbercolumnsrepeated=16384))
        table.addElement(rest)
        document.spreadsheet.addElement(table)
    out = io.BytesIO()
    document.write(out)
    return out.getvalue()


def _ods_cell(value: Any) -> Any:
    arguments: dict[str, Any] = {}
    if isinstance(value, Merged):
        arguments["numbercolumnsspanned"], value = value.columns, value.text
    if isinstance(value, Formula):
        arguments["formula"], value = f"of:{value.text}", value.value
    if isinstance(value, bool):
        arguments |= {"valuetype": "boolean", "booleanvalue": str(value).lower()}
    elif isinstance(value, int | float):
        arguments |= {"valuetype": "float", "value": str(value)}
    elif isinstance(value, datetime.date):  # or with a time
        arguments |= {"valuetype": "date", "datevalue": value.isoformat()}
    elif isinstance(value, datetime.time):
        arguments |= {"valuetype": "time", "timevalue": f"{value:PT%HH%MM%SS}"}
    elif value is not None:
        arguments["valuetype"] = "string"
    cell = odf.table.TableCell(**arguments)
    if value is not None:
        cell.addElement(odf.text.P(text=str(value)))
    return cell
