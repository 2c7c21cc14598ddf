"""Records survive torn lines and concurrent writers."""

import json
import resource
from pathlib import Path

import pytest

from example_records import record
from splitroute.bench import records
from splitroute.bench.records import Journal, read_records
from splitroute.errors import InputError


def test_a_torn_line_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    with Journal(path) as journal:
        journal.append(record("SD1", "m", 1.0))
    line = path.read_bytes()
    path.write_bytes(line + line[:20])
    assert len(list(read_records([path]))) == 1
    with Journal(path) as journal:
        journal.append(record("SD1", "m", 1.0))
    assert path.read_bytes() == line + line


def test_a_torn_line_may_be_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "CHUNK_BYTES", 8)
    monkeypatch.delattr("os.pread")  # Windows has none
    for whole in (b"", b"[]\n"):
        (path := tmp_path / "runs.jsonl").write_bytes(whole + b"x" * 50)
        with Journal(path):
            assert path.read_bytes() == whole


def test_a_record_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Journal(path) as journal:
        journal.append(record("SD1", "m", 1.0))
        line = path.read_bytes()
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(line) + 10, limits[1]))
        try:
            with pytest.raises(InputError, match="cannot be written"):
                journal.append(record("SD1", "m", 1.0))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert path.read_bytes() == line


def test_a_file_has_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    with Journal(path), pytest.raises(InputError, match="another process is writing"):
        Journal(path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "runs.jsonl:1: invalid record: not JSON"),
        ("[]", "runs.jsonl:1: invalid record: not a JSON object"),
        ('{"instance": "SD1"}', "runs.jsonl:1: invalid record: missing method, metric"),
        (
            json.dumps(record("SD1", "m", 1.0) | {"cost": "low"}),
            "runs.jsonl:1: invalid record: cost is 'low'; it must be a number or null",
        ),
        (
            json.dumps(record("SD1", "m", 1.0, limit="1 s")),
            "runs.jsonl:1: invalid record: limit is '1 s'; it must be an object or null",
        ),
    ],
)
def test_an_invalid_record_is_refused(tmp_path: Path, line: str, message: str) -> None:
    (path := tmp_path / "runs.jsonl").write_text(line + "\n")
    with pytest.raises(InputError, match=message) as caught:
        list(read_records([path]))
    assert (caught.value.field, caught.value.file, caught.value.line) == ("records", str(path), 1)
