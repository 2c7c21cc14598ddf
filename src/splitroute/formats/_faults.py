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
    """Collects the faults of a file: each `with faults:` may find one, `check` raises them all."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._found: list[InputError] = []
        self._more = 0
        self._stopped = False

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
        for fault in error.faults or (error,):
            self._keep(fault)
        return True

    def __bool__(self) -> bool:
        return bool(self._found)

    @property
    def is_full(self) -> bool:
        """Whether no more are listed."""
        return len(self._found) == MAX_FAULTS

    def stop(self) -> None:
        """Says that there may be more."""
        self._stopped = True

    def check(self) -> None:
        """Raises what was found, if anything was."""
        if not self._found:
            return
        if len(self._found) == 1:
            raise self._found[0]
        count = len(self._found) + self._more
        lines = [
            f"{self._file}: {'at least ' * self._stopped}{count:,} faults",
            *map(str, self._found),
        ]
        if self._more:
            lines.append(f"and {self._more:,} more")
        elif self._stopped:
            lines.append("and more")
        error = InputError("\n".join(lines), line=self._found[0].line)
        error.faults = tuple(self._found)
        raise error

    def _keep(self, error: InputError) -> None:
        if len(self._found) < MAX_FAULTS:
            self._found.append(error.with_traceback(None))
        else:
            self._more += 1
