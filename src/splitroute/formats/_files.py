"""Files to read and write: paths, and binary streams such as `sys.stdin.buffer`."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from splitroute.errors import InputError, wrong_type
from splitroute.files import check_is_file, decode, is_archive, read_bytes, read_stream, write_bytes
from splitroute.formats._capabilities import Kind, capabilities_of
from splitroute.formats._lookup import detect_format, find_format

File = str | os.PathLike[str] | BinaryIO
WORKBOOK_SUFFIXES = (".xlsx", ".xlsm", ".ods")
STREAM = "<stream>"  # name of a stream that has none
STREAM_NAMES = (STREAM, "<stdin>", "<stdout>")


class Content(NamedTuple):
    """What a file holds."""

    name: str
    data: str | bytes
    encoding: str = ""  # of a text
    format: str | None = None  # None: by the name


def is_stream(file: object) -> bool:
    """Whether this is a stream and not a path."""
    return hasattr(file, "read") or hasattr(file, "write")


def to_path(file: object, call: str) -> Path:
    """Return the path of a file, or the name of a stream; raise for anything else."""
    if is_stream(file):
        name = getattr(file, "name", None)
        return Path(name if isinstance(name, str) and name else STREAM)
    if not isinstance(file, str | os.PathLike):
        raise wrong_type("path", file, "a path", call)
    return Path(file)


def load(file: Any, kind: Kind, format: str | None, call: str) -> Content:
    """Return the content of a file; that of a stream without an extension tells its format."""
    path = to_path(file, call)
    if not is_stream(file):
        check_is_file(path)  # before its extension
    is_known = format is not None or not is_stream(file) or bool(path.suffix)
    is_binary = is_known and capabilities_of(find_format(kind, "parse", path, format)).is_binary
    data = read_stream(file, path) if is_stream(file) else read_bytes(path)
    if is_binary or (not is_known and is_archive(data)):
        return Content(str(path), data, format=format if is_known else "workbook")
    found = decode(data, path)
    format = format if is_known else detect_format(kind, found.text)
    return Content(str(path), found.text, found.encoding, format)


def load_table(file: Any, call: str) -> Content:
    """Return the content of a table of its own: a text, or the bytes of a workbook."""
    path = to_path(file, call)
    data = read_stream(file, path) if is_stream(file) else read_bytes(path)
    if path.suffix.lower() in WORKBOOK_SUFFIXES or (is_stream(file) and is_archive(data)):
        return Content(str(path), data)
    return Content(str(path), decode(data, path).text)


def save(file: Any, path: Path, data: bytes) -> None:
    """Write a file, or into a stream."""
    if not is_stream(file):
        write_bytes(path, data)
    elif isinstance(file, io.TextIOBase):
        message = "a stream of text; pass one of bytes, such as sys.stdout.buffer"
        raise InputError(message, field="path", file=str(path), value=str(path))
    else:
        file.write(data)
