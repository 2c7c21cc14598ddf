"""Matrices of distances or travel times: CSV, .npy, .npz, arrays and data frames."""

from __future__ import annotations

import csv
import io
import math
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tokenize import TokenError
from typing import IO, TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.lib import format as npy

from splitroute.distances import Floats
from splitroute.errors import InputError, LimitError
from splitroute.files import decode, is_archive, read_bytes, read_stream, read_text
from splitroute.formats._files import is_stream, to_path
from splitroute.formats._numbers import ascii_number

if TYPE_CHECKING:
    import zipfile

SUFFIXES = (".csv", ".tsv", ".txt", ".npy", ".npz")
DURATIONS = "durations"
ARRAYS = {"matrix": ("matrix", "distances"), DURATIONS: (DURATIONS,)}  # names in .npz
LABELS = ("ids", "labels")
UNREACHABLE = frozenset({"", "null", "none", "nan", "na", "n/a", "inf", "infinity", "-", "∞"})
NPY = b"\x93NUMPY"  # start of such a file
MAX_BYTES = 256 * 2**20  # of an array, unpacked and as floats
# NumPy parses some headers as Python.
DAMAGED = (OSError, ValueError, EOFError, RuntimeError, SyntaxError, TokenError, zlib.error)


@dataclass(frozen=True, slots=True)
class Cells:
    """A rectangle of texts, or of numbers in which NaN and infinity are unreachable."""

    file: str
    texts: list[list[str]] | None = None
    lines: Sequence[int] = ()  # of the rows of texts
    separator: str = ","
    numbers: Floats | None = None
    labels: list[str] | None = None  # of the numbers
    durations: Floats | None = None  # in the archive of the numbers, if these are distances


def read_cells(source: Any, field: str) -> Cells:
    """Return the contents of a file, or of an array, which needs no file."""
    if is_stream(source):
        return _read_stream(source, field)
    if not isinstance(source, str | os.PathLike):
        table, labels = _labelled(source, field)
        return Cells("", numbers=_as_numbers(table, field, ""), labels=labels)
    path = Path(source)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        message = f"unknown extension {path.suffix!r} of {field}; known: {', '.join(SUFFIXES)}"
        raise InputError(message, field=field, file=str(path), value=str(path))
    if suffix in (".npy", ".npz"):
        return _parse_numpy(read_bytes(path), path, field)
    return parse_cells(read_text(path), str(path), field)


def _labelled(table: Any, field: str) -> tuple[Any, list[str] | None]:
    """The table and its labels, if it is a data frame with any; the columns are in their order."""
    names = getattr(table, "column_names", None)  # of pyarrow
    names = getattr(table, "columns", None) if names is None else names
    if names is None:
        return table, None
    titles = [str(name) for name in names]
    labels = [str(label) for label in getattr(table, "index", [])] or titles  # of pandas
    if _are_default(labels):
        labels = titles
    if not _are_default(titles):
        if sorted(labels) != sorted(titles):
            message = f"the rows and the columns of {field} have different labels"
            raise InputError(message, field=field)
        if labels != titles:
            table = table.iloc[:, [titles.index(label) for label in labels]]
    return table, None if _are_default(labels) else labels


def _are_default(labels: list[str]) -> bool:
    """Whether these are the labels of a data frame that was given none."""
    return any(labels == [f"{name}{k}" for k in range(len(labels))] for name in ("", "column_"))


def parse_cells(text: str, file: str, field: str) -> Cells:
    """Return the cells of a CSV, whose separator is a semicolon, a tab or a comma."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = next((s for s in ";\t" if s in first), ",")
    rows, lines = [], []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append([cell.strip() for cell in row])
                lines.append(reader.line_num)
    except csv.Error as error:
        raise InputError(str(error), field=field, file=file, line=reader.line_num) from None
    width = len(rows[0]) if rows else 0
    for row, line in zip(rows, lines, strict=True):
        if len(row) != width:
            message = f"a row of {len(row)} cells; the first row has {width}"
            raise InputError(message, field=field, file=file, line=line, value=len(row))
    if all(not row[-1] for row in rows):  # every line ends with a separator
        rows = [row[:-1] for row in rows]
    return Cells(file, rows, lines, separator)


def parse_number(text: str) -> float:
    """Return a number, or NaN if it stands for unreachable; raise a ValueError for other text."""
    try:
        value = float(ascii_number(text))
    except ValueError:
        if text.lower() not in UNREACHABLE:
            raise
        return np.nan
    return np.nan if value == np.inf else value


def _read_stream(stream: BinaryIO, field: str) -> Cells:
    path = to_path(stream, "")
    data = read_stream(stream, path)
    if is_archive(data) or data.startswith(NPY):
        return _parse_numpy(data, path, field)
    return parse_cells(decode(data, path).text, str(path), field)


def _parse_numpy(data: bytes, path: Path, field: str) -> Cells:
    import zipfile  # slow to import

    file = io.BytesIO(data)
    try:
        if is_archive(data):
            with zipfile.ZipFile(file) as archive:
                return _read_archive(archive, path, field)
        array = _load(file, len(data), path, field)
    except (*DAMAGED, zipfile.BadZipFile):
        message = "not an array of numbers in NumPy's format"
        raise InputError(message, field=field, file=str(path)) from None
    return Cells(str(path), numbers=_as_numbers(array, field, str(path)))


def _load(file: IO[bytes], size: int, path: Path, field: str) -> Any:
    """Return an array; its header may claim more than the file holds, or memory does."""
    version = npy.read_magic(file)
    read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, _, dtype = read_header(file)
    if max(size, math.prod(shape) * max(dtype.itemsize, np.dtype(np.float64).itemsize)) > MAX_BYTES:
        message = f"an array of {' x '.join(map(str, shape))} has more than {MAX_BYTES // 2**20} MB"
        raise LimitError(message, field=field, file=str(path), value=list(shape))
    file.seek(0)
    return npy.read_array(file, allow_pickle=False)


def _read_archive(archive: zipfile.ZipFile, path: Path, field: str) -> Cells:
    parts = {part.filename.removesuffix(".npy"): part for part in archive.infolist()}

    def load(name: str) -> Any:
        with archive.open(parts[name]) as file:
            return _load(file, parts[name].file_size, path, field)

    numbers = load(_array_name(list(parts), field, path))
    durations = load(DURATIONS) if field != DURATIONS and DURATIONS in parts else None
    labels = next((load(key) for key in LABELS if key in parts), None)
    return Cells(
        str(path),
        numbers=_as_numbers(numbers, field, str(path)),
        labels=None if labels is None else [str(label) for label in labels.ravel()],
        durations=None if durations is None else _as_numbers(durations, DURATIONS, str(path)),
    )


def _array_name(found: list[str], field: str, path: Path) -> str:
    """Name of the array that is meant: one of a known name, or the only one if it is not."""
    arrays = [name for name in found if name not in LABELS]
    known = [name for name in ARRAYS[field] if name in arrays]
    others = {name for key, names in ARRAYS.items() if key != field for name in names}
    if known or (len(arrays) == 1 and arrays[0] not in others):
        return (known or arrays)[0]
    raise InputError(
        f"no array {ARRAYS[field][0]!r}; found: {', '.join(found) or 'none'}",
        field=field,
        file=str(path),
    )


def _as_numbers(values: Any, field: str, file: str) -> Floats:
    try:
        table = np.array(values, dtype=np.float64)  # None becomes NaN
    except (TypeError, ValueError, OverflowError):
        message = f"{field} must be rows of numbers, all of the same length"
        raise InputError(message, field=field, file=file) from None
    if table.ndim != 2:
        message = f"{field} has {table.ndim} dimensions; it must have rows and columns"
        raise InputError(message, field=field, file=file, value=table.ndim)
    table[table == np.inf] = np.nan
    return table
