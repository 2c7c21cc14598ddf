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


def added(data: bytes, path: str, content: bytes) -> bytes:
    """A workbook with a further part."""
    out = io.BytesIO(data)
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr(path, content)
    return out.getvalue()


def moved(data: bytes) -> bytes:
    """A workbook whose sheet is in another folder."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for part in old.infolist():
            content = old.read(part).replace(b"worksheets/sheet1.xml", b"other/sheet1.data")
            new.writestr(part.filename.replace(SHEET, "xl/other/sheet1.data"), content)
    return out.getvalue()


SHEET = "xl/worksheets/sheet1.xml"
END = b"</row></sheetData>"
FAR = b'<c r="XFD1048576"><v>1</v></c></row></sheetData>'
FAR_AWAY = changed(xlsx(ROWS), SHEET, END, FAR)
VALUE = b'office:value-type="float" office:value="3"'
MANY = b'table:number-columns-repeated="16000" ' + VALUE


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (FAR_AWAY, "a sheet has 1,048,576 rows"),
        (added(FAR_AWAY, "content.xml", b"<x/>"), "a sheet has 1,048,576 rows"),
        (moved(FAR_AWAY), "a sheet has 1,048,576 rows"),
        (
            changed(xlsx(ROWS), SHEET, END, b"</row><row r='900000'><c><v>1</v></c>" + END),
            "a sheet has 900,000 rows",
        ),
        (
            changed(xlsx(ROWS), SHEET, END, FAR.replace(b"<c r", b"<c a='>' r")),
            "a sheet has 1,048,576 rows",
        ),
        (
            changed(
                xlsx(ROWS), SHEET, END, b"</row><row r='9000'>" + b"<c/>" * 900 + b"<c><v>1</v></c>"
                + END,
            ),
            "9,000 rows and 889 columns; at most 8,000,000 cells",
        ),
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


STRINGS = "xl/sharedStrings.xml"


@pytest.mark.parametrize(
    "claim", [b'"900000000"', b"'99999999999'", b"\n= '4000000000'", b'"&#57;9"']
)
def test_claims_of_many_texts_are_refused(claim: bytes) -> None:
    claimed = b"uniqueCount" + (claim if b"=" in claim else b"=" + claim)
    data = changed(xlsx(ROWS), STRINGS, b'uniqueCount="6"', claimed)
    with pytest.raises(sr.LimitError, match="claims to have more than 9,999,999 texts"):
        parse(data, "it.xlsx", capacity=9)


@pytest.mark.parametrize(
    ("before", "after"),
    [(b'uniqueCount="6"', b'uniqueCount = "6"'), (b"<t>a</t>", b"<t>uniqueCount=9</t>")],
)
def test_few_texts_may_be_claimed_in_any_way(before: bytes, after: bytes) -> None:
    data = changed(xlsx(ROWS), STRINGS, before, after)
    assert len(parse(data, "it.xlsx", capacity=9).customers) == 1


def test_repeated_blanks_are_limited() -> None:
    blanks = b'<text:p>a<text:s text:c="%d"/></text:p>'
    data = ods(ROWS)
    parse(changed(data, "content.xml", b"<text:p>a</text:p>", blanks % 9), "it.ods", capacity=9)
    with pytest.raises(sr.LimitError, match="more than 8,000,000 repeated blanks"):
        parse(changed(data, "content.xml", b"<text:p>a</text:p>", blanks % 10**8), "it.ods")


def test_an_unknown_encoding_of_the_contents_is_no_traceback() -> None:
    declared = b'encoding="date"'
    data = changed(xlsx(ROWS), "xl/workbook.xml", b'encoding="UTF-8"', declared)
    assert len(parse(data, "it.xlsx", capacity=9).customers) == 1


def test_the_unpacked_size_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    data = changed(xlsx(ROWS), SHEET, b"</row></sheetData>", b" " * 10**6 + b"</row></sheetData>")
    assert len(data) < 20_000
    parse(data, "it.xlsx", capacity=9)
    monkeypatch.setattr(_workbook_limits, "MAX_UNPACKED_BYTES", 2**20 // 2)
    with pytest.raises(sr.LimitError, match="the workbook has more than 0 MB unpacked"):
        parse(data, "it.xlsx", capacity=9)


@pytest.mark.parametrize(
    "data",
    [
        changed(xlsx(ROWS), SHEET, b"</sheetData>", b"</sheetData"),
        changed(xlsx(ROWS), SHEET, b"?>", b"?><!DOCTYPE x [<!ENTITY y 'z'>]>"),
        changed(xlsx(ROWS), SHEET, END, b"\xff" + END),
        changed(xlsx(ROWS), SHEET, b'r="D3"', b'r="3D"'),
        added(xlsx(ROWS), "xl/other.xml", "<x/>".encode("utf-16")),
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + xlsx(ROWS),
    ],
)
def test_sheets_that_cannot_be_checked_are_refused(data: bytes) -> None:
    with pytest.raises(sr.InputError, match="not a workbook, or a damaged one"):
        parse(data, "it.xlsx", capacity=9)


def test_binary_workbooks_are_refused() -> None:
    with pytest.raises(sr.InputError, match=r"it.xlsx: an .xlsb; save it as .xlsx or .ods"):
        parse(added(xlsx(ROWS), "xl/workbook.bin", b""), "it.xlsx", capacity=9)


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


def test_unclosed_tags_take_linear_time() -> None:
    # Quadratic time would take minutes here.
    content = b"<sheetData>" + b"<c " * 300_000
    data = changed(xlsx(ROWS), SHEET, b"<sheetData>", content)
    with pytest.raises(sr.InputError, match="not a workbook, or a damaged one"):
        parse(data, "it.xlsx", capacity=9)
    assert _workbook_limits._faults(content) == {}
