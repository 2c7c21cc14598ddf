"""Workbooks that would fill the memory, or are damaged, are refused before they are opened."""

import io
import zipfile

import pytest

import splitroute as sr
from splitroute.formats import _workbook_limits, parse
from spreadsheets import Rows, ods, xlsx

ROWS: Rows = [["id", "x", "y", "demand"], ["depot", 0, 0], ["a", 1, 2, 3]]


def changed(data: bytes, path: str, before: bytes, after: bytes) -> bytes:
    """A workbook with another text in one of its parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for part in old.infolist():
            content = old.read(part)
            if part.filename == path:
                assert before in content
                content = content.replace(before, after)
            new.writestr(part.filename, content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


SHEET = "xl/worksheets/sheet1.xml"
FAR = b'<c r="XFD1048576"><v>1</v></c></row></sheetData>'
VALUE = b'office:value-type="float" office:value="3"'
MANY = b'table:number-columns-repeated="16000" ' + VALUE


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (changed(xlsx(ROWS), SHEET, b"</row></sheetData>", FAR), "a sheet has 1,048,576 rows"),
        (
            changed(xlsx(ROWS), SHEET, b'r="D3"', b'r="XFD190000"'),
            "190,000 rows and 16,384 columns; at most 8,000,000 cells",
        ),
        (
            changed(
                changed(ods(ROWS), "content.xml", VALUE, MANY),
                "content.xml",
                b"<table:table-row>",
                b'<table:table-row table:number-rows-repeated="50000">',
            ),
            "at most 8,000,000 cells are allowed",
        ),
    ],
)  # fmt: skip
def test_large_grids_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(sr.LimitError, match=message):
        parse(data, "it.ods" if b"opendocument" in data else "it.xlsx", capacity=9)


def test_the_unpacked_size_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    data = changed(xlsx(ROWS), SHEET, b"</row></sheetData>", b" " * 10**6 + b"</row></sheetData>")
    assert len(data) < 20_000
    parse(data, "it.xlsx", capacity=9)
    monkeypatch.setattr(_workbook_limits, "MAX_UNPACKED_BYTES", 2**20 // 2)
    with pytest.raises(sr.LimitError, match="the workbook has more than 0 MB unpacked"):
        parse(data, "it.xlsx", capacity=9)


@pytest.mark.parametrize("size", [0, 10, 700, -30])
def test_damaged_workbooks_are_refused(size: int) -> None:
    for data in (xlsx(ROWS)[:size], ods(ROWS)[:size]):
        with pytest.raises(sr.InputError, match=r"not a workbook, or a damaged one|is empty"):
            parse(data, "it.xlsx", capacity=9)


def test_other_archives_and_texts_are_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", "hello")
    with pytest.raises(sr.InputError, match=r"it.xlsx: not a valid workbook"):
        parse(out.getvalue(), "it.xlsx")
    with pytest.raises(sr.InputError, match=r"it.xlsx: the format takes bytes, not str"):
        parse("id,x", "it.xlsx")
    with pytest.raises(sr.InputError, match="no header in the sheet 'Sheet1'"):
        parse(xlsx([[]]), "it.xlsx")
