"""Opening and saving files: bounded on the way in, all or nothing on the way out."""

import codecs
import contextlib
import os
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from splitroute.errors import InputError, InputWarning, LimitError

MAX_FILE_BYTES = 64 * 2**20
SAMPLE = 4096  # bytes that tell UTF-16 from other text
MAX_SHOWN = 60  # bytes of a line in a message

DecimalSign = Literal[".", ","]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a table is written, so that another for the same program can be written alike."""

    separator: str = ","
    decimal: DecimalSign = "."
    encoding: str = "utf-8"  # "utf-8-sig" has the mark by which spreadsheets know it


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a file and how it was encoded."""

    text: str
    encoding: str  # utf-8, utf-8-sig, utf-16 or cp1252


def read_text(path: Path) -> str:
    """The text of a file, if it is one and of a reasonable size."""
    return read_encoded(path).text


def read_encoded(path: Path) -> Text:
    """The same with its encoding."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1) if path.stat().st_size <= MAX_FILE_BYTES else None
    except OSError as error:
        raise InputError(f"{path}: {_why(error)}") from None
    if data is None or len(data) > MAX_FILE_BYTES:
        raise LimitError(f"{path}: larger than {MAX_FILE_BYTES // 2**20} MB; too large to be read")
    if data.startswith(b"PK\x03\x04"):
        raise InputError(f"{path}: a workbook or archive, not text; save the sheet as CSV (UTF-8)")
    text = _decoded(data, str(path))
    if "\0" in text.text:
        raise InputError(f"{path}: not text (it has bytes of value 0)")
    if not text.text.strip():
        raise InputError(f"{path}: the file is empty")
    return text


def _decoded(data: bytes, name: str) -> Text:
    """The text: UTF-8 as a rule, UTF-16 if it looks like it, else as Windows of the West has it."""
    codec = _utf_16(data)
    encoding = "utf-16" if codec else "utf-8-sig" if data.startswith(codecs.BOM_UTF8) else "utf-8"
    try:
        return Text(data.decode(codec or encoding).removeprefix("\ufeff"), encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        begin = data.rfind(b"\n", 0, error.start) + 1
    try:
        if encoding == "utf-8":  # the others say what they are
            text = Text(data.decode("cp1252"), "cp1252")
            row = data[begin : begin + MAX_SHOWN].partition(b"\n")[0].decode("cp1252").strip()
            said = f"{name}:{line}: not UTF-8, but read as Windows-1252; this line is then: {row}"
            warnings.warn(InputWarning(said, line=line), stacklevel=4)
            return text
    except UnicodeDecodeError:
        encoding = "UTF-8, UTF-16 or Windows-1252"
    said = f"{name}:{line}: not text in {encoding}; save the file as UTF-8"
    raise InputError(said, line=line)


def _utf_16(data: bytes) -> str | None:
    """The kind of UTF-16 that bytes are in, by their mark or because every other byte is 0."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    even, odd = data[:SAMPLE:2], data[1:SAMPLE:2]
    if 0 not in even and odd.count(0) > 0.8 * len(odd):
        return "utf-16-le"
    if 0 not in odd and even.count(0) > 0.8 * len(even):
        return "utf-16-be"
    return None


def write_bytes(path: Path, data: bytes) -> None:
    """Saves the file whole or not at all."""
    try:
        target = path.resolve()  # a link stays a link
        if target.exists() and not target.is_file():
            target.write_bytes(data)  # a pipe or a device: nothing to replace
            return
        draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
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
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {_why(error)}") from None


def check_distinct(out: Path, *given: Path) -> None:
    """Raises if a file to be written is one of those that are read, or written too."""
    for path in given:
        if out.resolve() == path.resolve():
            raise InputError(f"{out}: is another file of this command; name a new one")


def check_writable(path: Path) -> None:
    """Raises now, not after the work, if the file could not be saved there later."""
    if path.is_dir():
        raise InputError(f"{path}: cannot be written: it is a folder")
    try:
        if not path.exists() or path.is_file():
            with tempfile.TemporaryFile(dir=path.resolve().parent):
                pass
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {_why(error)}") from None


def _why(error: OSError) -> str:
    reasons = {
        FileNotFoundError: "no such file or folder",
        IsADirectoryError: "it is a folder",
        NotADirectoryError: "part of the path is not a folder",
        PermissionError: "permission denied",
    }
    return reasons.get(type(error)) or (error.strerror or str(error)).lower()
