"""How tables are written: in the dialect of the one that was read."""

import re

from splitroute.files import Dialect
from splitroute.formats._numbers import short
from splitroute.instance import Instance

THREE_DECIMALS = re.compile(r"-?[1-9]\d{0,2}\.\d{3}")


def dialect_of(instance: Instance) -> Dialect:
    """The dialect of the table that the instance was read from, or the plainest."""
    return instance.dialect or Dialect()


def encode(text: str, instance: Instance) -> bytes:
    """The bytes of a table, encoded as the one that was read."""
    try:
        return text.encode(dialect_of(instance).encoding)
    except UnicodeEncodeError:
        return text.encode("utf-8-sig")  # which the same programs read as well


def written(number: str, dialect: Dialect) -> str:
    """A number in a dialect, so that it can be read in one way only."""
    if (dialect.separator, dialect.decimal) == (",", "."):
        return number
    if THREE_DECIMALS.fullmatch(number):
        number += "0"  # or it could be taken for thousands
    return number.replace(".", dialect.decimal)


def no_formula(name: str) -> str:
    """A name that a spreadsheet would take for a formula, marked as text."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name


def axes(instance: Instance) -> list[str]:
    """The titles of the coordinates."""
    return ["lat", "lon"] if instance.metric == "haversine" else ["x", "y"]


def place(instance: Instance, site: int, dialect: Dialect) -> list[str]:
    """The coordinates of a place, in the order of the axes."""
    x, y = (written(short(value), dialect) for value in instance.places[site])
    return [y, x] if instance.metric == "haversine" else [x, y]
