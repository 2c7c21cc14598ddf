"""`-` as a file: standard input or standard output."""

import sys
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from splitroute.errors import InputError
from splitroute.files import MAX_FILE_BYTES

DASH = Path("-")
STDIN, STDOUT = "<stdin>", "<stdout>"


class BinaryFile(Protocol):
    """A file that can be read several times; each `read` returns all of it."""

    name: str

    def read(self, size: int = -1) -> bytes: ...


class StandardInput:
    """Standard input; each `read` returns all of it."""

    name = STDIN

    @cached_property
    def _data(self) -> bytes:
        if sys.stdin is None:
            raise InputError("standard input is closed", field="path", file=STDIN)
        return sys.stdin.buffer.read(MAX_FILE_BYTES + 1)

    def read(self, size: int = -1) -> bytes:
        """Return all bytes, whatever the size."""
        return self._data


def source(file: Any) -> Any:
    """Return standard input for `-`, and any other file as it is."""
    return StandardInput() if file == DASH else file


def destination(path: Path) -> Any:
    """Return standard output for `-`, and any other path as it is."""
    if path != DASH:
        return path
    if sys.stdout is None:
        raise InputError("standard output is closed", field="path", file=STDOUT)
    return sys.stdout.buffer


def named_plot(path: Path) -> Path:
    """The path of a plot; on standard output, plots are in PNG."""
    return Path(f"{STDOUT}.png") if path == DASH else path


def check_single(stream: str, files: Iterable[object]) -> None:
    """Raise if several files of a command are the same stream."""
    if sum(isinstance(file, StandardInput) or file == DASH for file in files) > 1:
        name = "input" if stream == STDIN else "output"
        message = f"only one {name} can be standard {name} (-)"
        raise InputError(message, field="path", file=stream, value="-")
