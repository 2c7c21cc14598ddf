"""Files are written whole or not at all."""

import io
from pathlib import Path

import pytest

import splitroute as sr
from splitroute.files import check_writable
from splitroute.generate import set1


def test_a_missing_folder_is_noticed_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(sr.InputError, match="cannot be written: no such file or folder"):
        check_writable(tmp_path / "none" / "it.json")
    (tmp_path / "file").write_text("")
    with pytest.raises(sr.InputError, match="cannot be written: part of the path"):
        sr.write(set1(1), tmp_path / "file" / "it.json")
    with pytest.raises(sr.InputError, match="it is a folder"):
        check_writable(tmp_path)


def test_a_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "it.vrp").write_text("old")
    globe = sr.Instance.create(1, [1], lat=[0, 1], lon=[0, 1])
    with pytest.raises(sr.InputError):
        sr.write(globe, tmp_path / "it.vrp")
    assert (tmp_path / "it.vrp").read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["it.vrp"]


def test_streams_are_of_bytes_and_need_a_format() -> None:
    with pytest.raises(sr.InputError, match=r"a stream of text; pass one of bytes, such as sys.st"):
        sr.write(set1(1), io.StringIO(), format="json")  # type: ignore[arg-type]
    with pytest.raises(sr.InputError, match=r"extension ''.*; or pass `format`: coordlist, .*json"):
        sr.write(set1(1), io.BytesIO())
