"""Errors by kind. Messages are for people; programs read the attributes."""

from __future__ import annotations

import os
import reprlib
import sys
import warnings
from pathlib import Path

PACKAGE = str(Path(__file__).parent) + os.sep


def _prefix(file: str, line: int | None = None, cell: str | None = None) -> str:
    """Return the location before a message: `customers.csv:4: `, `orders.xlsx:Sheet1!C7: `.

    The cell of a data frame names that as well.
    """
    if cell and not file:
        return f"{cell}: "
    position = cell or line
    return f"{file}: " if file and position is None else f"{file}:{position}: " if file else ""


class SplitRouteError(Exception):
    """Base of all errors that splitroute raises on purpose."""

    code: str = "error"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        field: str | None = None,
        file: str = "",
        line: int | None = None,
        cell: str | None = None,
        value: object = None,
        owner: tuple[str, int] | None = None,
    ) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code
        self.field = field  # parameter, column or JSON field at fault
        self.file = file
        self.line = line  # of the file
        self.cell = cell  # of a spreadsheet: Sheet1!C7
        self.value = value  # found there
        self.owner = owner  # whose field it is: ("customers", 2) for the third; "depots", "fleet"

    @property
    def message(self) -> str:
        """The message without its location."""
        return str(self.args[0])

    def __str__(self) -> str:
        return f"{_prefix(self.file, self.line, self.cell)}{self.message}"


class InputError(SplitRouteError):
    """A file, value or option that is invalid."""

    code = "invalid_input"
    errors: tuple[InputError, ...] = ()  # all of them, if a file has several

    def __str__(self) -> str:
        if not self.errors:
            return super().__str__()
        return "\n".join([f"{_prefix(self.file)}{self.message}", *map(str, self.errors)])


def wrong_type(field: str, value: object, expected: str, call: str) -> InputError:
    """Return the error for an argument of the wrong type, with a call that works."""
    return InputError(
        f"{field} is {type(value).__name__} {reprlib.repr(value)}, not {expected}; call {call}",
        field=field,
        value=value,
    )


class InputWarning(UserWarning):
    """A valid file or option that may not be what was meant."""

    def __init__(
        self,
        message: str,
        *,
        field: str | None = None,
        file: str = "",
        line: int | None = None,
        cell: str | None = None,
        value: object = None,
    ) -> None:
        super().__init__(message)
        self.field = field
        self.file = file
        self.line = line
        self.cell = cell
        self.value = value

    @property
    def message(self) -> str:
        """The message without its location."""
        return str(self.args[0])

    def __str__(self) -> str:
        return f"{_prefix(self.file, self.line, self.cell)}{self.message}"


def issue(warning: InputWarning) -> None:
    """Issue a warning that shows the line outside of the package from which it was called."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(warning, stacklevel=level)


class EngineError(SplitRouteError):
    """An engine that crashed, hung or returned an invalid solution."""

    code = "engine_failed"


class InfeasibleError(EngineError):
    """A search that delivers less than the demands although all of them are mandatory."""

    code = "infeasible"


class MissingPackageError(EngineError):
    """An optional package or program that is not installed, or that cannot be loaded."""

    code = "not_installed"


class RoadServerError(SplitRouteError):
    """A road server that cannot be reached, or that refuses a request."""

    code = "road_server_failed"


class LimitError(SplitRouteError):
    """An input that is too large."""

    code = "too_large"
