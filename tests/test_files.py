import os
from pathlib import Path

import pytest

import splitroute as sr
from splitroute import files
from splitroute.files import check_distinct, check_writable, read_encoded, read_text, write_bytes


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_encodings_are_recognised(tmp_path: Path, encoding: str) -> None:
    (path := tmp_path / "a.csv").write_text("id,note\n1,Köln\n", encoding=encoding)
    text = read_encoded(path)
    assert text.text == read_text(path) == "id,note\n1,Köln\n"
    assert text.encoding == encoding.removesuffix("-le")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"id,x\0y,demand\n", "null bytes"),
        (b"PK\x03\x04", "a workbook or archive"),
    ],
)
def test_what_is_not_text_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    (path := tmp_path / "a.csv").write_bytes(data)
    with pytest.raises(sr.InputError, match=message):
        read_text(path)


def test_large_files_are_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_FILE_BYTES", 2**20)
    (path := tmp_path / "a.csv").write_bytes(b"x" * (2**20 + 1))
    with pytest.raises(sr.LimitError, match="larger than the maximum of 1 MB"):
        read_text(path)


def test_reasons_are_plain(tmp_path: Path) -> None:
    with pytest.raises(sr.InputError, match=r"a\.csv: no such file or folder"):
        read_text(tmp_path / "a.csv")
    with pytest.raises(sr.InputError, match="it is a folder"):
        read_text(tmp_path)
    with pytest.raises(sr.InputError, match="cannot be written: it is a folder"):
        check_writable(tmp_path)
    with pytest.raises(sr.InputError, match="cannot be written: no such file or folder"):
        check_writable(tmp_path / "none" / "a.csv")


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path := tmp_path / "a.csv").write_text("old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(sr.InputError, match="cannot be written: disk full"):
        write_bytes(path, b"new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.csv"]


def test_a_file_is_written_beside_the_draft_of_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path := tmp_path / "a.csv").write_text("old")
    monkeypatch.setattr(Path, "replace", lambda *_: write_bytes_of_another())

    def write_bytes_of_another() -> None:
        monkeypatch.undo()
        write_bytes(path, b"first")

    write_bytes(path, b"second")
    assert path.read_text() == "first"


def test_names_may_be_as_long_as_the_file_system_allows(tmp_path: Path) -> None:
    write_bytes(path := tmp_path / f"{'x' * 251}.csv", b"new")
    assert path.read_text() == "new"


def test_paths_that_no_system_call_takes_are_refused(tmp_path: Path) -> None:
    for act in (sr.read, read_text, lambda path: write_bytes(path, b"new")):
        with pytest.raises(sr.InputError, match="null byte"):
            act(tmp_path / "a\0.csv")


def test_a_written_file_keeps_its_mode_and_its_link(tmp_path: Path) -> None:
    (target := tmp_path / "a.csv").write_text("old")
    target.chmod(0o640)
    (link := tmp_path / "link.csv").symlink_to(target)
    write_bytes(link, b"new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_input_and_output_must_differ(tmp_path: Path) -> None:
    check_distinct(tmp_path / "a.csv", tmp_path / "b.csv")
    with pytest.raises(sr.InputError, match="input and output files must all be different"):
        check_distinct(tmp_path / "a.csv", tmp_path / "b.csv", tmp_path / "x" / ".." / "a.csv")
