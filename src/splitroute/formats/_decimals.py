"""Numbers as spreadsheets write them: which sign marks decimals is decided column by column.

2.000 is two thousand in one country and two in another, and so is 2,000. What a column holds
besides decides: 12,5 or 1.234,5 can be read in one way only. If nothing does, it is an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from splitroute.errors import InputError
from splitroute.files import DecimalSign
from splitroute.formats._faults import at

GROUPS = re.compile(r"([+-]?[1-9]\d{0,2}(?:[ '’\u00a0\u202f]\d{3})+)([.,]\d*)?")
POINT = re.compile(r"[+-]?([1-9]\d{0,2}(,\d{3})+(\.\d*)?|\d*(\.\d*)?([eE][+-]?\d+)?)")
COMMA = re.compile(r"[+-]?([1-9]\d{0,2}(\.\d{3})+(,\d*)?|\d*(,\d*)?([eE][+-]?\d+)?)")
GROUPING = frozenset(" '")  # ASCII characters between groups of three digits
MAX_LENGTH = 50  # characters of what may be a number


def readings(cell: str) -> tuple[str | None, str | None]:
    """A cell as Python writes numbers: if a point marks decimals, and if a comma does.

    Both are alike if there is no question, or if the cell is no number.
    """
    if len(cell) > MAX_LENGTH:
        return cell, cell
    if grouped := GROUPS.fullmatch(cell):
        cell = re.sub(r"[^\d+-]", "", grouped[1]) + (grouped[2] or "")
    if "," not in cell and "." not in cell:
        return cell, cell
    point = cell.replace(",", "") if POINT.fullmatch(cell) else None
    comma = cell.replace(".", "").replace(",", ".") if COMMA.fullmatch(cell) else None
    return (point, comma) if point or comma else (cell, cell)


class Column:
    """Decides how the numbers of a column are to be read, and reads them.

    A column of latitudes or longitudes has no thousands.
    """

    def __init__(self, cells: Sequence[str], *, separator: str, has_thousands: bool = True) -> None:
        self._has_thousands = has_thousands
        # Where commas separate cells, points mark decimals unless a cell with a comma proves them
        # wrong; where no cell has one, as in most files, nothing needs to be looked at.
        self._has_commas = separator != "," or any("," in cell for cell in cells)
        self._is_point_usual = separator == ","
        signs: set[DecimalSign] = set()
        for cell in cells if self._has_commas else ():
            if "," in cell or "." in cell:
                point, comma = self._readings(cell)
                if point is None:
                    signs.add(",")
                elif comma is None:
                    signs.add(".")
        self.sign: DecimalSign | None = signs.pop() if len(signs) == 1 else None
        if signs:  # both: a doubtful cell stays doubtful
            self._is_point_usual = False

    def read(self, cell: str, what: str, file: str, line: int | None = None) -> str:
        """The number as Python writes it, or the cell itself if it is none."""
        if (
            not self._has_commas
            and "," not in cell
            and cell.isascii()
            and not GROUPING.intersection(cell)
        ):
            return cell
        point, comma = self._readings(cell)
        if point is None or comma is None or point == comma:
            return point or comma or cell
        if self.sign is not None:
            return point if self.sign == "." else comma
        if self._is_point_usual and "," not in cell:
            return point
        either, other = (f"{Decimal(text).normalize():f}" for text in (comma, point))
        clear, clearer = (f"{text}0" if "." in text else text for text in (either, other))
        raise InputError(
            f"{at(file, line)}{what} is {cell}, which may mean {either} or {other}, and nothing "
            f"else in the column tells; write {clear} or {clearer}",
            field=what.partition(" ")[0],
            line=line,
            value=cell,
        )

    def _readings(self, cell: str) -> tuple[str | None, str | None]:
        point, comma = readings(cell)
        if self._has_thousands:
            return point, comma
        return point if point == cell else None, comma if comma == cell.replace(",", ".") else None
