"""Reading and writing files: size and encoding are checked, writes are atomic."""

import codecs
import contextlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from splitroute.errors import InputError, InputWarning, LimitError, issue

MAX_FILE_BYTES = 64 * 2**20
SAMPLE_BYTES = 4096  # enough to tell UTF-16 from other text
MAX_BYTES_SHOWN = 60  # of a line, in a message
FILE_ERRORS = (OSError, RuntimeError, ValueError)  # the others: links in a loop, null bytes

DecimalSign = Literal[".", ","]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a table is written, so that others can be written in the same way."""

    separator: str = ","
    decimal: DecimalSign = "."
    encoding: str = "utf-8"  # "utf-8-sig" has a byte order mark, as spreadsheets expect
    library: str = ""  # of the data frame, if the table was one: pandas, polars, pyarrow, ...


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a file and its encoding."""

    text: str
    encoding: str  # utf-8, utf-8-sig, utf-16 or cp1252


def read_text(path: Path) -> str:
    """Return the text of a file; raise if it is binary, empty or too large."""
    return read_encoded(path).text


def check_is_file(path: Path) -> None:
    """Raise unless there is such a file."""
    try:
        is_folder = stat.S_ISDIR(path.stat().st_mode)
    except FILE_ERRORS as error:
        raise _error(path, _reason(error)) from None
    if is_folder:
        raise _error(path, _reason(IsADirectoryError()))


def read_bytes(path: Path) -> bytes:
    """Return the content of a file; raise if it is too large."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1) if path.stat().st_size <= MAX_FILE_BYTES else None
    except FILE_ERRORS as error:
        raise _error(path, _reason(error)) from None
    return _limited(data, path)


def read_stream(stream: BinaryIO, name: Path) -> bytes:
    """Return what a stream holds; raise if it is text or too large."""
    try:
        data = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise _error(name, _reason(error)) from None
    if not isinstance(data, bytes):
        message = "a stream of text; pass one of bytes, such as sys.stdin.buffer"
        raise _error(name, message)
    return _limited(data, name)


def _limited(data: bytes | None, path: Path) -> bytes:
    if data is None or len(data) > MAX_FILE_BYTES:
        message = f"larger than the maximum of {MAX_FILE_BYTES // 2**20} MB"
        raise LimitError(message, field="path", file=str(path), value=str(path))
    return data


def read_encoded(path: Path) -> Text:
    """Return the text of a file and its encoding; raise like `read_text`."""
    return decode(read_bytes(path), path)


def is_archive(data: bytes) -> bool:
    """Whether this is a workbook or another archive."""
    return data.startswith(b"PK\x03\x04")


def decode(data: bytes, path: Path) -> Text:
    """Return the text of a file's content and its encoding; raise like `read_text`."""
    if is_archive(data):
        raise _error(path, "a workbook or archive, not text; call it .xlsx or .ods")
    text = _decode(data, str(path))
    if "\0" in text.text:
        raise _error(path, "not text (it contains null bytes)")
    if not text.text.strip():
        raise _error(path, "the file is empty")
    return text


def _decode(data: bytes, name: str) -> Text:
    """Decode UTF-8, UTF-16 if it looks like it, or else Windows-1252 with a warning."""
    codec = _utf_16(data)
    encoding = "utf-16" if codec else "utf-8-sig" if data.startswith(codecs.BOM_UTF8) else "utf-8"
    try:
        return Text(data.decode(codec or encoding).removeprefix("\ufeff"), encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        begin = data.rfind(b"\n", 0, error.start) + 1
    try:
        if encoding == "utf-8":  # the others have a byte order mark
            text = Text(data.decode("cp1252"), "cp1252")
            row = data[begin : begin + MAX_BYTES_SHOWN].partition(b"\n")[0].decode("cp1252").strip()
            message = f"not UTF-8, read as Windows-1252: {row}"
            issue(InputWarning(message, file=name, line=line))
            return text
    except UnicodeDecodeError:
        encoding = "UTF-8, UTF-16 or Windows-1252"
    message = f"not text in {encoding}; save the file as UTF-8"
    raise InputError(message, field="path", file=name, line=line, value=name)


def _utf_16(data: bytes) -> str | None:
    """Return the UTF-16 codec if there is a byte order mark or every other byte is 0."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    even, odd = data[:SAMPLE_BYTES:2], data[1:SAMPLE_BYTES:2]
    if 0 not in even and odd.count(0) > 0.8 * len(odd):
        return "utf-16-le"
    if 0 not in odd and even.count(0) > 0.8 * len(even):
        return "utf-16-be"
    return None


def write_bytes(path: Path, data: bytes) -> None:
    """Write the file atomically."""
    try:
        target = path.resolve()  # keep symbolic links
        if target.exists() and not target.is_file():
            target.write_bytes(data)  # a pipe or a device
            return
        # A name of its own, whichever threads and containers write the same file, and a short one.
        draft = target.with_name(f".{os.urandom(8).hex()}.tmp")
        try:
            with draft.open("xb") as file:
                file.write(data)
            if target.exists():
                draft.chmod(target.stat().st_mode & 0o777)
            draft.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                draft.unlink()
            raise
    except FILE_ERRORS as error:
        raise _error(path, f"cannot be written: {_reason(error)}") from None


def check_distinct(out: Path, *others: Path) -> None:
    """Raise if a file to be written is one of the other files of a command."""
    for path in others:
        if os.path.realpath(out) == os.path.realpath(path):
            raise _error(out, "input and output files must all be different")


def check_writable(path: Path) -> None:
    """Raise before the work, not after it, if the file cannot be written."""
    import tempfile  # which imports half of the standard library

    if path.is_dir():
        raise _error(path, "cannot be written: it is a folder")
    try:
        if not path.exists() or path.is_file():
            with tempfile.TemporaryFile(dir=path.resolve().parent):
                pass
    except FILE_ERRORS as error:
        raise _error(path, f"cannot be written: {_reason(error)}") from None


def _error(path: Path, message: str) -> InputError:
    return InputError(message, field="path", file=str(path), value=str(path))


def _reason(error: Exception) -> str:
    reasons: dict[type[Exception], str] = {
        FileNotFoundError: "no such file or folder",
        IsADirectoryError: "it is a folder",
        NotADirectoryError: "part of the path is not a folder",
        PermissionError: "permission denied",
    }
    return reasons.get(type(error)) or (getattr(error, "strerror", None) or str(error)).lower()


def create_folder(path: Path) -> None:
    """Create a folder and its parents, unless they exist."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _error(path, f"cannot be created: {_reason(error)}") from None
