"""Numbers as spreadsheets write them: which sign marks decimals is decided column by column.

2.000 is two thousand in one country and two in another, and so is 2,000. What a column holds
besides decides: 12,5 or 1.234,5 can be read in one way only. If nothing does, it is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from splitroute.errors import InputError
from splitroute.files import DecimalSign
from splitroute.formats._faults import at

GROUPS = re.compile(r"([+-]?[1-9]\d{0,2}(?:[ '’\u00a0\u202f]\d{3})+)([.,]\d*)?")
POINT = re.compile(r"[+-]?([1-9]\d{0,2}(,\d{3})+(\.\d*)?|\d*(\.\d*)?([eE][+-]?\d+)?)")
COMMA = re.compile(r"[+-]?([1-9]\d{0,2}(\.\d{3})+(,\d*)?|\d*(,\d*)?([eE][+-]?\d+)?)")
MAX_LENGTH = 50  # characters of what may be a number


class Readings(NamedTuple):
    """A cell as Python writes numbers: if a point marks decimals, and if a comma does."""

    point: str | None
    comma: str | None


def readings(cell: str) -> Readings:
    """How a cell can be read; both alike if there is no question, or if it is no number."""
    if len(cell) > MAX_LENGTH:
        return Readings(cell, cell)
    if grouped := GROUPS.fullmatch(cell):
        cell = re.sub(r"[^\d+-]", "", grouped[1]) + (grouped[2] or "")
    if "," not in cell and "." not in cell:
        return Readings(cell, cell)
    point = cell.replace(",", "") if POINT.fullmatch(cell) else None
    comma = cell.replace(".", "").replace(",", ".") if COMMA.fullmatch(cell) else None
    return Readings(point, comma) if point or comma else Readings(cell, cell)


class Column:
    """Decides how the numbers of a column are to be read, and reads them."""

    def __init__(self, cells: Iterable[str], *, separator: str, has_thousands: bool = True) -> None:
        """Latitudes and longitudes have no thousands."""
        self._has_thousands = has_thousands
        self._has_commas_between = separator == ","
        signs: set[DecimalSign] = set()
        for cell in cells:
            if "," in cell or "." in cell:
                point, comma = self._readings(cell)
                if point is None:
                    signs.add(",")
                elif comma is None:
                    signs.add(".")
        self.sign: DecimalSign | None = signs.pop() if len(signs) == 1 else None
        self._is_mixed = len(signs) > 0 and self.sign is None

    def read(self, cell: str, what: str, file: str, line: int | None = None) -> str:
        """The number as Python writes it, or the cell itself if it is none."""
        point, comma = self._readings(cell)
        if point is None or comma is None or point == comma:
            return point or comma or cell
        if self.sign is not None:
            return point if self.sign == "." else comma
        if self._has_commas_between and "," not in cell and not self._is_mixed:
            return point  # where commas separate cells, points mark decimals
        either, other = (f"{Decimal(text).normalize():f}" for text in (comma, point))
        raise InputError(
            f"{at(file, line)}{what} is {cell}, which may mean {either} or {other}, and nothing "
            f"else in the column tells; write {either} or {other}",
            field=what.partition(" ")[0],
            line=line,
            value=cell,
        )

    def _readings(self, cell: str) -> Readings:
        point, comma = readings(cell)
        if not self._has_thousands:
            point = None if point != cell else point
            comma = None if comma != cell.replace(",", ".") else comma
        return Readings(point, comma)
