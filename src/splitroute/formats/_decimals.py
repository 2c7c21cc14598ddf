"""Numbers as spreadsheets write them; the decimal sign is inferred per column.

2.000 is two thousand in one country and two in another, and so is 2,000. The rest of the column
decides: 12,5 and 1.234,5 have one meaning only. If nothing decides, it is an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from splitroute.files import DecimalSign
from splitroute.formats._numbers import Field

GROUPS = re.compile(r"([+-]?[1-9]\d{0,2}(?:[ '’\u00a0\u202f]\d{3})+)([.,]\d*)?")
POINT = re.compile(r"[+-]?([1-9]\d{0,2}(,\d{3})+(\.\d*)?|\d*(\.\d*)?([eE][+-]?\d+)?)")
COMMA = re.compile(r"[+-]?([1-9]\d{0,2}(\.\d{3})+(,\d*)?|\d*(,\d*)?([eE][+-]?\d+)?)")
GROUPING = frozenset(" '")  # ASCII characters between groups of three digits
MAX_LENGTH = 50  # characters of a number


class NumberText(str):
    """A number in Python's notation, from a cell that holds a number and not a text."""

    __slots__ = ()


def interpretations(cell: str) -> tuple[str | None, str | None]:
    """The cell in Python's notation with `.` as the decimal sign, and with `,`.

    Both are the same if the sign makes no difference or the cell is not a number.
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


def is_same_number(a: str, b: str) -> bool:
    """Whether two cells state the same number, whichever decimal sign they use."""
    pairs = zip(interpretations(a), interpretations(b), strict=True)
    comparable = [(x, y) for x, y in pairs if x is not None and y is not None]
    try:
        return bool(comparable) and all(Decimal(x) == Decimal(y) for x, y in comparable)
    except ArithmeticError:
        return a == b


class Column:
    """Infers the decimal sign of a column and reads its numbers.

    Latitudes and longitudes have no thousands.
    """

    def __init__(self, cells: Sequence[str], *, separator: str, has_thousands: bool = True) -> None:
        self._has_thousands = has_thousands
        # Where commas separate cells, the decimal sign is a point unless a cell with a comma says
        # otherwise. Most files have no such cell, and then nothing needs to be examined.
        self._has_commas = separator != "," or any("," in cell for cell in cells)
        self._defaults_to_point = separator == ","
        signs: set[DecimalSign] = set()
        for cell in cells if self._has_commas else ():
            if ("," in cell or "." in cell) and not isinstance(cell, NumberText):
                point, comma = self._interpretations(cell)
                if point is None:
                    signs.add(",")
                elif comma is None:
                    signs.add(".")
        self.sign: DecimalSign | None = signs.pop() if len(signs) == 1 else None
        if signs:  # both: ambiguous cells stay ambiguous
            self._defaults_to_point = False

    def read(self, cell: str, field: Field) -> str:
        """Return the number in Python's notation, or the cell itself if it is not a number."""
        if isinstance(cell, NumberText):
            return cell
        if (
            not self._has_commas
            and "," not in cell
            and cell.isascii()
            and not GROUPING.intersection(cell)
        ):
            return cell
        point, comma = self._interpretations(cell)
        if point is None or comma is None or point == comma:
            return point or comma or cell
        if self.sign is not None:
            return point if self.sign == "." else comma
        if self._defaults_to_point and "," not in cell:
            return point
        values = [f"{Decimal(text).normalize():f}" for text in (comma, point)]
        clear = [f"{value}0" if "." in value else value for value in values]
        raise field.error(
            cell,
            f"it could mean {' or '.join(values)}, and nothing else in the column decides; "
            f"write {' or '.join(clear)}",
        )

    def _interpretations(self, cell: str) -> tuple[str | None, str | None]:
        point, comma = interpretations(cell)
        if self._has_thousands:
            return point, comma
        return point if point == cell else None, comma if comma == cell.replace(",", ".") else None
