"""Values of tables to be written: numbers, times and texts, for CSV and for workbooks."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from splitroute.files import Dialect
from splitroute.formats._csv_writing import localized
from splitroute.formats._numbers import format_float
from splitroute.formats._table import without_formula


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day in minutes after midnight, and how texts show it."""

    minutes: float
    text: str


class Name(str):
    """A text that must not be taken for a formula."""

    __slots__ = ()


Value = str | int | float | Decimal | Clock


def to_csv(value: Value, dialect: Dialect) -> str:
    """The cell of a CSV."""
    match value:
        case Name():
            return without_formula(value)
        case str():
            return value
        case Clock():
            return value.text
        case Decimal():
            return localized(f"{value.normalize():f}", dialect)
        case _:
            return localized(format_float(float(value)), dialect)
