"""Records of runs: a file of JSON lines that grows by one line per finished job.

A line is written in one piece, so a program killed in the middle leaves at worst one torn line at
the end, which is cut off before the next is written. What is large comes last in a line, so that
tables need not read it.
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
except ImportError:  # not everywhere
    fcntl = None  # type: ignore[assignment]

Record = dict[str, Any]

NEEDED = ("instance", "method", "metric", "seed", "status", "cost", "seconds")
HEAVY = ("trace", "solution", "places")  # what tables never look at; in this order, and last
FIRST_HEAVY = b',"trace":'
CHUNK = 2**16


class Journal:
    """The file, open for appending by one run at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(self._file)
                raise InputError(f"{path}: another run is writing to this file") from None
            except OSError:  # a file system without locks
                pass
        self._cut_torn_line()

    def append(self, record: Record) -> None:
        """Adds a line that stays whatever happens next."""
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        before = os.fstat(self._file).st_size
        try:
            whole = os.write(self._file, line) == len(line)
        except OSError:
            whole = False
        if not whole:  # the disk is full: no half lines
            os.ftruncate(self._file, before)
            raise InputError(f"{self.path}: cannot be written: the disk is full")

    def _cut_torn_line(self) -> None:
        size = os.fstat(self._file).st_size
        end = size
        while end > 0:
            begin = max(0, end - CHUNK)
            found = os.pread(self._file, end - begin, begin).rfind(b"\n")
            if found >= 0:
                end = begin + found + 1
                break
            end = begin
        if end < size:
            os.ftruncate(self._file, end)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._file)


def read_records(paths: Iterable[Path], *, whole: bool = False) -> Iterator[Record]:
    """The records of some files, without what is large in them unless they are wanted whole."""
    for path in paths:
        try:
            with path.open("rb") as file:
                for number, line in enumerate(file, 1):
                    if line.endswith(b"\n"):  # else it is torn, or being written just now
                        yield _record(line, path, number, whole)
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {(error.strerror or '').lower()}") from None


def _record(line: bytes, path: Path, number: int, whole: bool) -> Record:
    if not whole:
        # Ours have what is large at the end, after their key.
        light, cut, _ = line.partition(FIRST_HEAVY)
        if cut and b',"key":"' in light:
            line = light + b"}"
    try:
        record = from_json(line)
    except ValueError:
        raise InputError(f"{path}:{number}: not a record: no JSON") from None
    if not isinstance(record, dict) or (missing := [k for k in NEEDED if k not in record]):
        lacks = f"it lacks {', '.join(missing)}" if isinstance(record, dict) else "no JSON object"
        raise InputError(f"{path}:{number}: not a record: {lacks}")
    if not whole:
        for name in HEAVY:
            record.pop(name, None)
    return record
