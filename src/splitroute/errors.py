"""What can go wrong, by kind.

The message is for people. Programs read the attributes: nothing parses the message.
"""

from __future__ import annotations


class SplitRouteError(Exception):
    """Anything splitroute reports on purpose."""

    code = "error"  # what kind of fault it is, for programs

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
        self.field = field  # the parameter, column or JSON field at fault
        self.line = line  # of the file
        self.value = value  # what was found there


class InputError(SplitRouteError):
    """A file, value or option that cannot be understood or makes no sense."""

    code = "invalid_input"
    errors: tuple[InputError, ...] = ()  # one by one, if a file has several


class InputWarning(UserWarning):
    """Something in a file or an option that was understood, but may not be what is meant."""

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
    """A request too large to be carried out within reason."""

    code = "too_large"
