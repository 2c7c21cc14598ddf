"""Errors and warnings about a file: located by line, and all errors reported at once."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from splitroute.errors import InputError, InputWarning, issue

MAX_ERRORS = 20  # listed in one message


def input_error(message: str, file: str, line: int | None = None, **details: Any) -> InputError:
    """Return an InputError located in a file; `details` are its `field`, `value` and `code`."""
    return InputError(message, file=file, line=line, **details)


def warn(message: str, file: str, line: int | None = None, *, field: str | None = None) -> None:
    """Issue an InputWarning located in a file."""
    issue(InputWarning(message, field=field, file=file, line=line))


class ErrorCollector:
    """Collects the errors of a file: `with errors:` records one, `raise_any` raises them all.

    One error too many to be listed raises at once: reading on would only take time.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._errors: list[InputError] = []

    def add(self, message: str, line: int | None = None, **details: Any) -> None:
        """Record an error; `details` are its `field`, `value` and `code`."""
        self._record(input_error(message, self._file, line, **details))

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
        combined = InputError(f"{title}:", file=self._file, line=errors[0].line)
        combined.errors = tuple(errors)
        return combined
