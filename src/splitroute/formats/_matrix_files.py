"""Matrices of distances or travel times: CSV, .npy, .npz, arrays and data frames."""

from __future__ import annotations

import csv
import io
import os
import re
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from splitroute.distances import Floats
from splitroute.errors import InputError
from splitroute.files import decode, is_archive, read_stream, read_text
from splitroute.formats._files import is_stream, to_path

SUFFIXES = (".csv", ".tsv", ".txt", ".npy", ".npz")
ARRAYS = {"matrix": ("matrix", "distances"), "durations": ("durations",)}  # names in .npz
LABELS = ("ids", "labels")
UNREACHABLE = frozenset({"", "null", "none", "nan", "na", "n/a", "inf", "infinity", "-", "∞"})
NPY = b"\x93NUMPY"  # start of such a file
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")


@dataclass(frozen=True, slots=True)
class Cells:
    """A rectangle of texts, or of numbers in which NaN and infinity are unreachable."""

    file: str
    texts: list[list[str]] | None = None
    lines: Sequence[int] = ()  # of the rows of texts
    numbers: Floats | None = None
    labels: list[str] | None = None  # of the numbers


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
        return _read_numpy(path, field)
    return parse_cells(read_text(path), str(path), field)


def has_durations(source: Any) -> bool:
    """Whether this is a file of arrays with travel times beside the distances."""
    is_path = isinstance(source, str | os.PathLike)
    if not is_path or Path(source).suffix.lower() != ".npz":
        return False
    with np.load(source, allow_pickle=False) as arrays:
        return any(name in arrays.files for name in ARRAYS["durations"])


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
    return Cells(file, rows, lines)


def parse_number(text: str) -> float:
    """Return a number, or NaN if it stands for unreachable; raise a ValueError for other text."""
    try:
        value = float(text)
    except ValueError:
        if text.lower() in UNREACHABLE:
            return np.nan
        if not DECIMAL_COMMA.fullmatch(text):
            raise
        value = float(text.replace(",", "."))
    return np.nan if value == np.inf else value


def _read_stream(stream: BinaryIO, field: str) -> Cells:
    path = to_path(stream, "")
    data = read_stream(stream, path)
    if is_archive(data) or data.startswith(NPY):
        return _read_numpy(path, field, io.BytesIO(data))
    return parse_cells(decode(data, path).text, str(path), field)


def _read_numpy(path: Path, field: str, stream: BinaryIO | None = None) -> Cells:
    try:
        with stream or path.open("rb") as file:
            loaded = np.load(file, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                return Cells(str(path), numbers=_as_numbers(loaded, field, str(path)))
            with loaded:
                return _read_archive(loaded, path, field)
    except FileNotFoundError:
        raise InputError("no such file or folder", field=field, file=str(path)) from None
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error):
        message = "not an array of numbers in NumPy's format"
        raise InputError(message, field=field, file=str(path)) from None


def _read_archive(arrays: Any, path: Path, field: str) -> Cells:
    name = _array_name(list(arrays.files), field, path)
    labels = next((arrays[key] for key in LABELS if key in arrays.files), None)
    return Cells(
        str(path),
        numbers=_as_numbers(arrays[name], field, str(path)),
        labels=None if labels is None else [str(label) for label in labels.ravel()],
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
    except (TypeError, ValueError):
        message = f"{field} must be rows of numbers, all of the same length"
        raise InputError(message, field=field, file=file) from None
    if table.ndim != 2:
        message = f"{field} has {table.ndim} dimensions; it must have rows and columns"
        raise InputError(message, field=field, file=file, value=table.ndim)
    table[table == np.inf] = np.nan
    return table
