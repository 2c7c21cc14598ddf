"""Writes tables of values to data frames."""

from __future__ import annotations

import datetime
import importlib
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from splitroute.errors import MissingPackageError
from splitroute.formats._values import Clock, Value
from splitroute.instance import Instance
from splitroute.registry import check_choice, is_installed

# What makes a data frame of lists by column, in the order in which libraries are looked for.
CONSTRUCTORS = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}


def to_dataframe(rows: Sequence[Sequence[Value]], instance: Instance, library: str | None) -> Any:
    """Return a data frame of rows below their titles.

    It is one of the given library, or else of the instance's data frame, or else of the first that
    is installed.
    """
    titles, *body = rows
    cells = zip(*body, strict=True) if body else [()] * len(titles)
    columns = {str(title): _column(values) for title, values in zip(titles, cells, strict=True)}
    name = library or _default_library(instance)
    return getattr(importlib.import_module(name), CONSTRUCTORS[name])(columns)


def check_library(library: object) -> None:
    """Raise unless it is the name of a library that is installed, or None."""
    if library is None:
        return
    check_choice(list(CONSTRUCTORS), "library", library)
    if not is_installed(str(library)):
        message = f"{library} is not installed; run: pip install {library}"
        raise MissingPackageError(message, field="library", value=library)


def _default_library(instance: Instance) -> str:
    own = "" if instance.dialect is None else instance.dialect.library
    if own in CONSTRUCTORS:
        return own
    for name in CONSTRUCTORS:
        if is_installed(name):
            return name
    message = "pandas, polars or pyarrow is needed; run: pip install 'splitroute[notebook]'"
    raise MissingPackageError(message, field="library")


def _column(values: Sequence[Value]) -> list[Any]:
    """Values of one type: whole numbers, other numbers, times since midnight, or texts."""
    if all(isinstance(value, str) for value in values):
        return [str(value) for value in values]
    is_whole = all(value == int(value) for value in values if isinstance(value, Decimal))

    def convert(value: Value) -> Any:
        if isinstance(value, Decimal):
            return int(value) if is_whole else float(value)
        if isinstance(value, Clock):
            return datetime.timedelta(seconds=round(60 * value.minutes))
        return None if isinstance(value, str) else value  # empty: a vehicle without a number

    return [convert(value) for value in values]
