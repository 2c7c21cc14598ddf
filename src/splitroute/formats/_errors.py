"""Errors and warnings about a file: located by line, and all errors reported at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from splitroute.errors import InputError, InputWarning, issue

MAX_ERRORS = 20  # listed in one message


class SheetRow(int):
    """A row of a sheet, used as a line: it knows the names of its cells."""

    sheet: str
    columns: Mapping[str, int]  # by field, counted from 0

    def __new__(cls, row: int, sheet: str, columns: Mapping[str, int]) -> Self:
        self = super().__new__(cls, row)
        self.sheet, self.columns = sheet, columns
        return self

    def cell(self, field: str | None) -> str:
        """Name of the cell of a field, or of the row: `Customers!C7`, `Customers!7`."""
        is_plain = self.sheet.isalnum() and not self.sheet[0].isdigit()
        sheet = self.sheet if is_plain else "'" + self.sheet.replace("'", "''") + "'"
        column = self.columns.get(field or "")
        return f"{sheet}!{'' if column is None else column_letters(column)}{int(self)}"


class FrameRow(SheetRow):
    """A row of a data frame, counted from 0 as `iloc` does; its cells have the titles of columns.

    The row before the first one is the header.
    """

    titles: Sequence[str] = ()

    def cell(self, field: str | None) -> str:
        """Name of the cell of a field, or of the row: `customers, row 3, column 'demand'`."""
        column = self.columns.get(field or "")
        row = f", row {int(self)}" if self >= 0 else ""
        return f"{self.sheet}{row}" + (
            "" if column is None else f", column {self.titles[column]!r}"
        )


def column_letters(index: int) -> str:
    """Letters of a column of a sheet, counted from 0: A, Z, AA."""
    letters = ""
    while index >= 0:
        letters = chr(ord("A") + index % 26) + letters
        index = index // 26 - 1
    return letters


def cell_of(line: int | None, field: str | None) -> str | None:
    """Name of the cell of a field, if the line is one of a sheet."""
    return line.cell(field) if isinstance(line, SheetRow) else None


def place(line: int | None) -> str:
    """Where something else stands, as part of a message."""
    return f"in row {line}" if isinstance(line, SheetRow) else f"on line {line}"


def input_error(message: str, file: str, line: int | None = None, **details: Any) -> InputError:
    """Return an InputError located in a file; `details` are its `field`, `value` and `code`."""
    details.setdefault("cell", cell_of(line, details.get("field")))
    return InputError(message, file=file, line=_number(line), **details)


def warn(message: str, file: str, line: int | None = None, *, field: str | None = None) -> None:
    """Issue an InputWarning located in a file."""
    cell = cell_of(line, field)
    issue(InputWarning(message, field=field, file=file, line=_number(line), cell=cell))


def _number(line: int | None) -> int | None:
    """The line as a plain number; the header of a data frame has none."""
    return None if line is None or line < 0 else int(line)


class ErrorCollector:
    """Collects the errors of a file: `with errors:` records one, `raise_any` raises them all.

    One error too many to be listed raises at once: reading on would only take time.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self._errors: list[InputError] = []

    def add(self, message: str, line: int | None = None, **details: Any) -> None:
        """Record an error; `details` are its `field`, `value` and `code`."""
        self._record(input_error(message, self.file, line, **details))

    def __enter__(self) -> ErrorCollector:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> bool:
        if not isinstance(error, InputError):
            return False
        self._record(error)
        return True

    def __bool__(self) -> bool:
        return bool(self._errors)

    def raise_any(self) -> None:
        """Raise what was recorded, if anything was."""
        if len(self._errors) == 1:
            raise self._errors[0]
        if self._errors:
            raise self._combined(f"{len(self._errors)} errors")

    def _record(self, error: InputError) -> None:
        if len(self._errors) == MAX_ERRORS:
            raise self._combined(f"more than {MAX_ERRORS} errors; the first {MAX_ERRORS}") from None
        self._errors.append(error.with_traceback(None))

    def _combined(self, title: str) -> InputError:
        errors = sorted(self._errors, key=lambda error: error.line or 0)
        first = errors[0]
        combined = InputError(f"{title}:", file=self.file, line=first.line, cell=first.cell)
        combined.errors = tuple(errors)
        return combined
