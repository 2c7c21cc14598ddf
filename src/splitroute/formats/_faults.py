"""What is wrong with a file: all of it in one error, and what is doubtful as warnings."""

from __future__ import annotations

import warnings
from types import TracebackType

from splitroute.errors import InputError, InputWarning

MAX_FAULTS = 20  # that are listed


def at(file: str, line: int | None) -> str:
    """Where that is, as messages begin; nothing if it is in no file."""
    return f"{file}: " if file and line is None else f"{file}:{line}: " if file else ""


def warn(message: str, file: str, line: int | None = None, *, field: str | None = None) -> None:
    """Tells the caller of the library about something doubtful in a file."""
    warning = InputWarning(f"{at(file, line)}{message}", field=field, line=line)
    warnings.warn(warning, stacklevel=3)


class Faults:
    """Collects the faults of a file: each `with faults:` may find one, `check` raises them all.

    They are raised as soon as there are more than are listed: going on would only take time.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._found: list[InputError] = []

    def add(
        self,
        message: str,
        line: int | None = None,
        *,
        field: str | None = None,
        value: object = None,
    ) -> None:
        """Takes note of a fault."""
        said = f"{at(self._file, line)}{message}"
        self._keep(InputError(said, field=field, line=line, value=value))

    def __enter__(self) -> Faults:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> bool:
        if not isinstance(error, InputError):
            return False
        self._keep(error)
        return True

    def __bool__(self) -> bool:
        return bool(self._found)

    def check(self) -> None:
        """Raises what was found, if anything was."""
        if len(self._found) == 1:
            raise self._found[0]
        if self._found:
            raise self._together(f"{len(self._found)} faults")

    def _keep(self, error: InputError) -> None:
        if len(self._found) == MAX_FAULTS:
            raise self._together(f"more than {MAX_FAULTS} faults; the first of them") from None
        self._found.append(error.with_traceback(None))

    def _together(self, title: str) -> InputError:
        faults = sorted(self._found, key=lambda fault: fault.line or 0)
        lines = [f"{self._file}: {title}:", *map(str, faults)]
        error = InputError("\n".join(lines), line=faults[0].line)
        error.faults = tuple(faults)
        return error
