"""The size of the grids that a reader of workbooks would make, from the XML of their sheets.

It follows the reader: cells without a reference come next in their row, and rows without a number
below the last one. A real parser is needed: quotes and entities hide attributes from patterns.
"""

from __future__ import annotations

import re
from xml.parsers import expat

MAX_ELEMENTS = 4  # per cell: the cell, its formula and its value
REFERENCE = re.compile("([A-Za-z]{0,4})([0-9]{1,9})")

Attributes = dict[str, str]


class GridError(Exception):
    """A grid is too large."""


def check_grid(content: bytes, max_rows: int, max_cells: int) -> None:
    """Raise a GridError if a grid is too large, or a ValueError if this is no XML in UTF-8."""
    size = _Size(max_rows, max_cells)
    parser = expat.ParserCreate("utf-8")  # whatever the text declares
    parser.StartElementHandler = size.start
    parser.EndElementHandler = size.end
    parser.StartDoctypeDeclHandler = _refuse  # entities could hide what the reader sees
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise ValueError(str(error)) from None


def column_index(letters: str) -> int:
    """Index of a column from 0."""
    index = 0
    for letter in letters.upper():
        index = 26 * index + ord(letter) - ord("A") + 1
    return index - 1


def _refuse(*_: object) -> None:
    raise ValueError("a document type")


class _Size:
    """Follows the rows and cells of .xlsx (`row`, `c`) and of .ods (`table:table-row`, ...)."""

    def __init__(self, max_rows: int, max_cells: int) -> None:
        self._max_rows, self._max_cells = max_rows, max_cells
        self._rows = self._columns = self._count = 0  # of the grid, and elements
        self._row = self._column = 0  # the next ones
        self._repeats = self._width = 0  # of a row of an .ods; the width ends with a value
        self._is_row = self._is_cell = False
        self._blanks = 0
        self._starts = {
            "row": self._start_row,
            "c": self._start_cell,
            "table": self._start_table,
            "table-row": self._start_ods_row,
            "table-cell": self._start_ods_cell,
            "covered-table-cell": self._start_ods_cell,
            "s": self._start_ods_blanks,
        }
        self._ends = {
            "row": self._end_row,
            "table-row": self._end_ods_row,
            "table-cell": self._end_ods_cell,
            "covered-table-cell": self._end_ods_cell,
        }

    def start(self, tag: str, attributes: Attributes) -> None:
        self._count += 1
        if self._count > MAX_ELEMENTS * self._max_cells:
            raise GridError(f"a sheet has more than {self._max_cells:,} cells")
        if self._is_cell:
            self._width = self._column  # whatever is in a cell is a value
        if handle := self._starts.get(tag.rpartition(":")[2]):
            handle(attributes)

    def end(self, tag: str) -> None:
        if handle := self._ends.get(tag.rpartition(":")[2]):
            handle()

    def _start_row(self, attributes: Attributes) -> None:
        if "r" in attributes:
            self._row = _reference(attributes["r"])[1]

    def _end_row(self) -> None:
        self._row += 1
        self._column = 0

    def _start_cell(self, attributes: Attributes) -> None:
        row = self._row
        if "r" in attributes:
            self._column, row = _reference(attributes["r"])
        self._column += 1
        self._include(row + 1, self._column)

    def _start_table(self, attributes: Attributes) -> None:
        self._rows = self._columns = self._row = self._column = 0

    def _start_ods_row(self, attributes: Attributes) -> None:
        if self._is_row:
            raise ValueError("a row in a row")
        self._is_row = True
        self._column = self._width = 0
        self._repeats = _repeated(attributes, "table:number-rows-repeated")

    def _end_ods_row(self) -> None:
        self._is_row = False
        self._row += self._repeats
        # Empty cells at the end of a row, and empty rows at the end of a sheet, take no memory.
        if self._width:
            self._include(self._row, self._width)

    def _start_ods_cell(self, attributes: Attributes) -> None:
        self._column += _repeated(attributes, "table:number-columns-repeated")
        self._is_cell = True
        if any(name.startswith(("office:", "table:formula")) for name in attributes):
            self._width = self._column

    def _start_ods_blanks(self, attributes: Attributes) -> None:
        self._blanks += _repeated(attributes, "text:c")
        if self._blanks > self._max_cells:
            raise GridError(f"the texts have more than {self._max_cells:,} repeated blanks")

    def _end_ods_cell(self) -> None:
        self._is_cell = False

    def _include(self, rows: int, columns: int) -> None:
        """Raise if a cell in this row and column makes the grid too large."""
        self._rows, self._columns = max(self._rows, rows), max(self._columns, columns)
        if self._rows > self._max_rows:
            message = f"a sheet has {self._rows:,} rows; at most {self._max_rows:,} are allowed"
            raise GridError(message)
        if self._rows * self._columns > self._max_cells:
            raise GridError(
                f"a sheet has {self._rows:,} rows and {self._columns:,} columns; "
                f"at most {self._max_cells:,} cells are allowed"
            )


def _reference(text: str) -> tuple[int, int]:
    """Column and row of a reference such as B3, or of the number of a row, from 0."""
    found = REFERENCE.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return max(column_index(found[1]), 0), int(found[2]) - 1


def _repeated(attributes: Attributes, name: str) -> int:
    text = attributes.get(name, "1")
    if not 0 < len(text) <= 9:
        raise ValueError(text)
    return int(text)
