"""Looks into a workbook before it is opened: its size unpacked, and cells without values.

The reader makes a dense grid of every sheet: one cell in the last row and column would take
gigabytes, and a failed allocation ends the process. Errors and formulas without values become
empty cells there; their positions are noted here.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from xml.etree import ElementTree

from splitroute.errors import InputError, LimitError
from splitroute.formats._sources import Fault, Position

MAX_UNPACKED_BYTES = 256 * 2**20
MAX_ROWS = 200_000  # of a sheet
MAX_CELLS = 8_000_000  # of a sheet, empty ones included
MAX_FAULTS = 1000  # cells without values that are noted
CELL = re.compile(rb"<(?:\w+:)?c\s[^>]*?\br\s*=\s*[\"']([A-Za-z]+)([0-9]+)[\"']")
# A cell with an error, or a formula whose value is missing or empty.
FAULT = re.compile(
    rb"<(?:\w+:)?c\s(?P<attributes>[^>]*)(?<!/)>"
    rb"(?:<f\b[^>]*?(?:/>|>[^<]*</f>))?(?:<v\s*/>|<v>(?P<value>[^<]*)</v>)?</(?:\w+:)?c>"
)
REFERENCE = re.compile(rb"\br\s*=\s*[\"']([A-Za-z]+)([0-9]+)[\"']")
IS_ERROR = re.compile(rb"\bt\s*=\s*[\"']e[\"']")
ODS_TOKEN = re.compile(
    rb"<table:table\s|</?table:table-row\b([^>]*)>|<table:(?:covered-)?table-cell\b([^>]*)>"
)
REPEATED = re.compile(rb"number-(?:rows|columns)-repeated\s*=\s*[\"'](\d+)[\"']")
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

NO_VALUE = Fault("a formula without a value")

Faults = dict[Position, Fault]


def check_archive(data: bytes, name: str) -> dict[str, Faults]:
    """Return the cells without values by sheet; raise if the workbook is damaged or too large."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            total = sum(part.file_size for part in archive.infolist())
            if total > MAX_UNPACKED_BYTES:
                limit = f"{MAX_UNPACKED_BYTES // 2**20} MB"
                raise _too_large(name, f"the workbook has more than {limit} unpacked")
            # Reading every part checks that none is larger than it claims.
            parts = {part.filename: archive.read(part) for part in archive.infolist()}
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, NotImplementedError, EOFError):
        message = "not a workbook, or a damaged one; save it as .xlsx or .ods"
        raise InputError(message, field="path", file=name) from None
    if "content.xml" in parts:
        _check_ods(parts["content.xml"], name)
        return {}
    for path, content in parts.items():
        if path.startswith("xl/worksheets/"):
            _check_size(content, name)
    return {title: _faults(parts.get(path, b"")) for title, path in _sheet_paths(parts).items()}


def _check_size(content: bytes, name: str) -> None:
    """Raise if the grid of a sheet is too large."""
    cells = CELL.findall(content)
    columns = {letters for letters, _ in cells}
    rows = {number for _, number in cells}
    _check_grid(max(map(int, rows), default=0), max(map(_column, columns), default=0) + 1, name)


def _check_grid(rows: int, columns: int, name: str) -> None:
    if rows > MAX_ROWS:
        raise _too_large(name, f"a sheet has {rows:,} rows; at most {MAX_ROWS:,} are allowed")
    if rows * columns > MAX_CELLS:
        message = f"a sheet has {rows:,} rows and {columns:,} columns"
        raise _too_large(name, f"{message}; at most {MAX_CELLS:,} cells are allowed")


def _check_ods(content: bytes, name: str) -> None:
    """Raise if repeated rows and cells make a grid that is too large.

    Empty cells at the end of a row, and empty rows at the end of a sheet, take no memory.
    """
    rows = columns = width = position = height = repeat = 0
    for match in ODS_TOKEN.finditer(content):
        token = match[0]
        if token.startswith((b"<table:table-cell", b"<table:covered")):
            attributes = match[2]
            position += _repeated(attributes)
            if b"office:value" in attributes or not token.endswith(b"/>"):
                width = position
        elif token.startswith(b"<table:table-row"):
            position, width, repeat = 0, 0, _repeated(match[1])
        elif token.startswith(b"</"):
            height += repeat
            if width:
                rows, columns = height, max(columns, width)
                _check_grid(rows, columns, name)
        else:
            rows = columns = height = 0


def _repeated(attributes: bytes) -> int:
    found = REPEATED.search(attributes)
    return min(int(found[1]), 10**7) if found else 1


def _faults(content: bytes) -> Faults:
    """Cells with an error, and formulas without a value."""
    faults: Faults = {}
    for match in FAULT.finditer(content):
        value, attributes = match["value"], match["attributes"]
        is_error = IS_ERROR.search(attributes) is not None
        if not is_error and (value or b"<f" not in match[0]):
            continue
        if reference := REFERENCE.search(attributes):
            position = int(reference[2]) - 1, _column(reference[1])
            text = (value or b"an error").decode(errors="replace")
            faults[position] = Fault(text) if is_error else NO_VALUE
        if len(faults) == MAX_FAULTS:
            break
    return faults


def _sheet_paths(parts: dict[str, bytes]) -> dict[str, str]:
    """Paths of the sheets by title."""
    try:
        relations = ElementTree.fromstring(parts["xl/_rels/workbook.xml.rels"])
        workbook = ElementTree.fromstring(parts["xl/workbook.xml"])
    except (KeyError, ElementTree.ParseError):
        return {}
    targets = {relation.get("Id"): relation.get("Target", "") for relation in relations}
    paths = {}
    for sheet in workbook.findall(".//{*}sheet"):
        target = targets.get(sheet.get(RELATION), "")
        path = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
        paths[sheet.get("name", "")] = path
    return paths


def _column(letters: bytes) -> int:
    """Index of a column from 0."""
    index = 0
    for letter in letters.upper()[:4]:
        index = 26 * index + letter - ord("A") + 1
    return index - 1


def _too_large(name: str, message: str) -> LimitError:
    return LimitError(message, field="path", file=name)
