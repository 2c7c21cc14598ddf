"""Encodings that spreadsheets write; nothing is garbled silently."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import splitroute as sr
from splitroute.formats import read_solution

TEXT = "# capacity: 9\nid;x;y;demand;note\ndepot;0;0;;\nMüller & Söhne;1;2;3;Straße 5 €\n"


def saved(folder: Path, data: bytes) -> Path:
    (path := folder / "it.csv").write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), "utf-8"),
        (TEXT.encode("utf-8-sig"), "utf-8-sig"),
        (TEXT.encode("utf-16"), "utf-16"),
        ("\ufeff".encode("utf-16-be") + TEXT.encode("utf-16-be"), "utf-16"),
        (TEXT.encode("utf-16-le"), "utf-16"),
        (TEXT.encode("utf-16-be"), "utf-16"),
        (TEXT.replace("\n", "\r\n").encode("utf-16"), "utf-16"),
    ],
)
def test_unicode_is_recognised(data: bytes, encoding: str, tmp_path: Path) -> None:
    instance = sr.read(saved(tmp_path, data))
    assert (instance.customers[0].id, instance.customers[0].note) == (
        "Müller & Söhne",
        "Straße 5 €",
    )
    assert instance.dialect is not None
    assert instance.dialect.encoding == encoding


def test_windows_1252_is_read_with_a_warning_that_quotes_a_line(
    tmp_path: Path, run: Callable[..., Any]
) -> None:
    path = saved(tmp_path, TEXT.encode("cp1252"))
    with pytest.warns(sr.InputWarning, match=r"it.csv:4: not UTF-8, .*: Müller & Söhne;1;2"):
        instance = sr.read(path)
    assert instance.customers[0].note == "Straße 5 €"
    done = run("solve", path, "--iterations", 5, "--out", tmp_path / "out.csv")
    assert done.exit_code == 0
    assert "warning: " in done.stderr
    assert "Müller" in (tmp_path / "out.csv").read_bytes().decode("cp1252")


def test_encodings_of_solutions(tmp_path: Path, square: sr.Instance) -> None:
    rows = "route,visit,number,quantity,tür\n1,1,1,1,\n"
    (path := tmp_path / "it.csv").write_bytes(rows.encode("utf-16"))
    assert read_solution(path, square).solution.num_visits == 1


@pytest.mark.parametrize(
    "data",
    [
        TEXT.replace("€", "").encode("cp850"),  # MS-DOS, whose ü is undefined in Windows-1252
        TEXT.encode("utf-16")[:-1],
        b"\xef\xbb\xbf" + TEXT.encode("cp1252"),
        TEXT.encode("utf-32"),
        b"id,x\0y\n",
        bytes(range(256)),
    ],
)
def test_binary_files_are_rejected(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(sr.InputError, match="not text"):
        sr.read(saved(tmp_path, data))
