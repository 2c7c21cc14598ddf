"""Errors by kind. Messages are for people; programs read the attributes."""

from __future__ import annotations

import reprlib


class SplitRouteError(Exception):
    """Base of all errors that splitroute raises on purpose."""

    code = "error"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        field: str | None = None,
        line: int | None = None,
        value: object = None,
    ) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code
        self.field = field  # parameter, column or JSON field at fault
        self.line = line  # of the file
        self.value = value  # found there


class InputError(SplitRouteError):
    """A file, value or option that is invalid."""

    code = "invalid_input"
    errors: tuple[InputError, ...] = ()  # all of them, if a file has several


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
        line: int | None = None,
        value: object = None,
    ) -> None:
        super().__init__(message)
        self.field = field
        self.line = line
        self.value = value


class EngineError(SplitRouteError):
    """An engine that crashed, hung or returned an invalid solution."""

    code = "engine_failed"


class MissingPackageError(EngineError):
    """An optional package or program that is not installed."""

    code = "not_installed"


class LimitError(SplitRouteError):
    """An input that is too large."""

    code = "too_large"
