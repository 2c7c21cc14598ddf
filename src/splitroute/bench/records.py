"""Records of benchmark runs: a file of JSON lines, one per finished run.

Each line is written by one system call. A killed process leaves at most one torn line at the end,
which the next writer removes. Large fields come last, so that tables need not parse them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pydantic_core import from_json

from splitroute.errors import InputError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Record = dict[str, Any]

TEXT, NUMBER = (str, "a string"), (int | float | None, "a number or null")
REQUIRED_FIELDS: dict[str, tuple[Any, str]] = {
    "instance": TEXT, "method": TEXT, "metric": TEXT, "seed": (int, "a whole number"),
    "status": TEXT, "cost": NUMBER, "seconds": NUMBER,
}  # fmt: skip
FIELDS = REQUIRED_FIELDS | {
    "set": (str | None, "a string or null"), "limit": (dict | None, "an object or null"),
}  # fmt: skip
# Unused by tables; last in a line, in this order.
LARGE_FIELDS = ("trace", "solution", "vehicles", "places")
FIRST_LARGE_FIELD = b',"trace":'
CHUNK_BYTES = 2**16


class Journal:
    """A file of records, open for appending by one process at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = path.open("a+b", buffering=0)
        except OSError as error:
            raise _file_error(path, f"cannot be written: {error.strerror}") from None
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self._file.close()
                raise _file_error(path, "another process is writing to this file") from None
            except OSError:  # a file system without locks
                pass
        self._remove_torn_line()

    def append(self, record: Record) -> None:
        """Write a record, or nothing if it cannot be written as a whole."""
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        size = os.fstat(self._file.fileno()).st_size
        try:
            if self._file.write(line) == len(line):
                return
            reason = "the disk is full"
        except OSError as error:
            reason = str(error.strerror)
        self._file.truncate(size)
        raise _file_error(self.path, f"cannot be written: {reason}")

    def _remove_torn_line(self) -> None:
        size = end = os.fstat(self._file.fileno()).st_size
        while end > 0:
            begin = self._file.seek(max(0, end - CHUNK_BYTES))
            newline = self._file.read(end - begin).rfind(b"\n")
            if newline >= 0:
                end = begin + newline + 1
                break
            end = begin
        if end < size:
            self._file.truncate(end)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def read_records(paths: Iterable[Path], *, full: bool = False) -> Iterator[Record]:
    """Yield the records of some files; their large fields only if `full`."""
    for path in paths:
        try:
            with path.open("rb") as file:
                for number, line in enumerate(file, 1):
                    if line.endswith(b"\n"):  # otherwise torn, or being written
                        yield _parse_record(line, path, number, full)
        except OSError as error:
            reason = (error.strerror or "").lower()
            raise _file_error(path, f"cannot be read: {reason}") from None


def _parse_record(line: bytes, path: Path, number: int, full: bool) -> Record:
    if not full:
        # Records written by `Run.record` have their large fields after the key.
        small, found, _ = line.partition(FIRST_LARGE_FIELD)
        if found and b',"key":"' in small:
            line = small + b"}"
    try:
        record = from_json(line)
    except ValueError:
        raise _file_error(path, "invalid record: not JSON", number) from None
    if not isinstance(record, dict):
        raise _file_error(path, "invalid record: not a JSON object", number)
    if missing := [name for name in REQUIRED_FIELDS if name not in record]:
        raise _file_error(path, f"invalid record: missing {', '.join(missing)}", number)
    for name, (kind, allowed) in FIELDS.items():
        if not isinstance(value := record.get(name), kind):
            message = f"invalid record: {name} is {value!r}; it must be {allowed}"
            raise _file_error(path, message, number)
    if not full:
        for name in LARGE_FIELDS:
            record.pop(name, None)
    return record


def _file_error(path: Path, message: str, line: int | None = None) -> InputError:
    return InputError(message, field="records", file=str(path), line=line, value=str(path))
