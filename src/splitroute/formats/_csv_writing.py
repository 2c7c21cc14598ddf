"""Write tables in the dialect of the table that an instance was read from."""

import csv
import io
import re

from splitroute.files import Dialect
from splitroute.instance import Instance

LINE_END = re.compile(r"\r\n?")
THREE_DECIMALS = re.compile(r"-?[1-9]\d{0,2}\.\d{3}")


def write_table(rows: list[list[str]], dialect: Dialect) -> str:
    """Return the text of a table, in which all lines end alike."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=dialect.separator, lineterminator="\n")
    # Python 3.11 writes a carriage return without quotes, which ends a row.
    writer.writerows([LINE_END.sub("\n", cell) for cell in row] for row in rows)
    return out.getvalue()


def localized(number: str, dialect: Dialect) -> str:
    """A number with the decimal sign of a dialect, unambiguous to readers."""
    if (dialect.separator, dialect.decimal) == (",", "."):
        return number
    if THREE_DECIMALS.fullmatch(number):
        number += "0"  # or it could be read as thousands
    return number.replace(".", dialect.decimal)


def axes(instance: Instance) -> list[str]:
    """Titles of the columns of coordinates."""
    return ["lat", "lon"] if instance.is_globe else ["x", "y"]
