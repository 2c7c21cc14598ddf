"""Looks into a workbook before it is opened: its size unpacked, and cells without values.

The reader makes a dense grid of every sheet, and room for as many texts as a part claims to have:
one cell in the last row and column would take gigabytes, and a failed allocation ends the process.
Errors and formulas without values become empty cells there; their positions are noted here.
"""

from __future__ import annotations

import codecs
import io
import re
import zipfile
import zlib
from xml.etree import ElementTree

from splitroute.errors import InputError, LimitError
from splitroute.files import is_archive
from splitroute.formats._grids import GridError, check_grid, column_index
from splitroute.formats._sources import Fault, Position

MAX_UNPACKED_BYTES = 256 * 2**20
MAX_ROWS = 200_000  # of a sheet
MAX_CELLS = 8_000_000  # of a sheet, empty ones included
MAX_FAULTS = 1000  # cells without values that are noted
# A cell with an error, or a formula whose value is missing or empty.
FAULT = re.compile(
    rb"<(?:\w+:)?c\s(?P<attributes>[^<>]*)(?<!/)>"
    rb"(?:<f\b[^<>]*?(?:/>|>[^<]*</f>))?(?:<v\s*/>|<v>(?P<value>[^<]*)</v>)?</(?:\w+:)?c>"
)
# A claim of at least ten million texts, or one that does not state a plain number.
MANY_TEXTS = re.compile(rb"\buniqueCount\s*+=\s*+[\"'](?![0-9]{1,7}[\"'])")
REFERENCE = re.compile(rb"\br\s*=\s*[\"']([A-Za-z]{1,3})([0-9]{1,7})[\"']")
IS_ERROR = re.compile(rb"\bt\s*=\s*[\"']e[\"']")
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

NO_VALUE = Fault("a formula without a value")

Faults = dict[Position, Fault]


def check_archive(data: bytes, name: str) -> dict[str, Faults]:
    """Return the cells without values by sheet; raise if the workbook is damaged or too large."""
    try:
        if not is_archive(data):  # the reader would take bytes before the archive for .xls
            raise zipfile.BadZipFile
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            total = sum(part.file_size for part in archive.infolist())
            if total > MAX_UNPACKED_BYTES:
                limit = f"{MAX_UNPACKED_BYTES // 2**20} MB"
                raise _too_large(name, f"the workbook has more than {limit} unpacked")
            # Reading every part checks that none is larger than it claims.
            contents = [(part.filename, archive.read(part)) for part in archive.infolist()]
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, NotImplementedError, EOFError):
        raise _damaged(name) from None
    parts = dict(contents)
    if len(parts) < len(contents):  # the reader may take another one of the same name
        raise _damaged(name)
    for path, content in contents:
        # The reader looks for .xlsx, .xlsb and .ods in this order, and sheets may be anywhere.
        if path.lower() == "xl/workbook.bin":
            raise InputError("an .xlsb; save it as .xlsx or .ods", field="path", file=name)
        if MANY_TEXTS.search(content):
            raise _too_large(name, "the workbook claims to have more than 9,999,999 texts")
        if path == "content.xml" or b"sheetData" in content:
            _check_grid(content, name)
        elif content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise _damaged(name)
    return {title: _faults(parts.get(path, b"")) for title, path in _sheet_paths(parts).items()}


def _check_grid(content: bytes, name: str) -> None:
    """Raise if a grid is too large, or if the XML is not well-formed UTF-8."""
    try:
        check_grid(content, MAX_ROWS, MAX_CELLS)
    except GridError as error:
        raise _too_large(name, str(error)) from None
    except ValueError:
        raise _damaged(name) from None


def _faults(content: bytes) -> Faults:
    """Cells with an error, and formulas without a value."""
    faults: Faults = {}
    for match in FAULT.finditer(content):
        value, attributes = match["value"], match["attributes"]
        is_error = IS_ERROR.search(attributes) is not None
        if not is_error and (value or b"<f" not in match[0]):
            continue
        if reference := REFERENCE.search(attributes):
            position = int(reference[2]) - 1, column_index(reference[1].decode())
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
    except (LookupError, ValueError, ElementTree.ParseError):  # also for unknown encodings
        return {}
    targets = {relation.get("Id"): relation.get("Target", "") for relation in relations}
    paths = {}
    for sheet in workbook.findall(".//{*}sheet"):
        target = targets.get(sheet.get(RELATION), "")
        path = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
        paths[sheet.get("name", "")] = path
    return paths


def _too_large(name: str, message: str) -> LimitError:
    return LimitError(message, field="path", file=name)


def _damaged(name: str) -> InputError:
    message = "not a workbook, or a damaged one; save it as .xlsx or .ods"
    return InputError(message, field="path", file=name)
