"""Checks of the arguments of `read` and `parse`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from numbers import Real
from typing import Any

from splitroute.distances import METRICS
from splitroute.errors import InputError, wrong_type
from splitroute.formats._capabilities import Capabilities
from splitroute.registry import check_choice

MAX_FLOAT = sys.float_info.max


def check_types(metric: object, scale: object, depot: object) -> None:
    """Raise an InputError for the first of these that is invalid."""
    if metric is not None:
        check_choice(METRICS, "metric", metric)
    _check_positive("scale", scale)
    is_point = isinstance(depot, tuple | list) and len(depot) == 2
    if is_point and all(isinstance(value, Real) for value in depot):  # type: ignore[attr-defined]
        return
    if depot is not None and not isinstance(depot, str):
        raise wrong_type("depot", depot, "an id or a point", "read(.., depot=(x, y))")


def check_speed(speed: object) -> None:
    """Raise unless this is a speed or None."""
    if speed is not None:
        _check_positive("speed", speed)


def _check_positive(field: str, value: object) -> None:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not 0 < value <= MAX_FLOAT:  # type: ignore[operator]
        message = f"{field} is {value!r}; it must be a number above 0"
        raise InputError(message, field=field, value=value)


def check_input(text: object, capabilities: Capabilities, name: str) -> None:
    """Raise unless a text is a text, and the content of a workbook is bytes."""
    expected = bytes if capabilities.is_binary else str
    if not isinstance(text, expected):
        message = f"the format takes {expected.__name__}, not {type(text).__name__}"
        raise InputError(message, field="text", file=name)


def check_mapping(columns: Any) -> None:
    """Raise unless these are titles by what they hold, or None."""
    if columns is None:
        return
    is_mapping = isinstance(columns, Mapping)
    words = [word for pair in columns.items() for word in pair] if is_mapping else [None]
    if not all(isinstance(word, str) for word in words):
        call = "read(.., columns={'demand': 'Weight'})"
        raise wrong_type("columns", columns, "titles by what they hold", call)


def check_columns(columns: Any, sheet: object, capabilities: Capabilities, name: str) -> None:
    """Raise unless titles by what they hold are given for a table, and a sheet for a workbook."""
    check_mapping(columns)
    if columns and not capabilities.accepts_depot:
        message = "`columns` is only for CSV, workbooks and GeoJSON"
        raise InputError(message, field="columns", file=name, value=dict(columns))
    if sheet is not None and not capabilities.is_binary:
        message = "`sheet` is only for workbooks such as .xlsx"
        raise InputError(message, field="sheet", file=name, value=sheet)
