"""Opening and saving files: bounded on the way in, all or nothing on the way out."""

import contextlib
import os
import tempfile
from pathlib import Path

from splitroute.errors import InputError, LimitError

LARGEST_FILE = 64 * 2**20


def read_text(path: Path) -> str:
    """The text of a file, if it is one and of a reasonable size."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1) if path.stat().st_size <= LARGEST_FILE else None
    except OSError as error:
        raise InputError(f"{path}: {_why(error)}") from None
    if data is None or len(data) > LARGEST_FILE:
        raise LimitError(f"{path}: larger than {LARGEST_FILE // 2**20} MB; too large to be read")
    if data.startswith(b"PK\x03\x04"):
        raise InputError(f"{path}: a workbook or archive, not text; save the sheet as CSV (UTF-8)")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}:{line}: not text in UTF-8; save the file as UTF-8") from None
    if "\0" in text:
        raise InputError(f"{path}: not text (it has bytes of value 0)")
    if not text.strip():
        raise InputError(f"{path}: the file is empty")
    return text


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
