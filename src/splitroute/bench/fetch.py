"""Download the public benchmark instances and verify their checksums."""

from __future__ import annotations

import csv
import hashlib
import urllib.request
from http.client import HTTPException
from io import StringIO
from pathlib import Path

from splitroute.bench.paper import read_data
from splitroute.errors import InputError, SplitRouteError
from splitroute.files import create_folder, read_bytes, write_bytes

# The repository of the challenge's winner has all four sets; pinned to a revision.
SOURCE = (
    "https://raw.githubusercontent.com/HUST-Smart/Alkaid-SDVRP/"
    "de814df0b862997932ff03ea025bbd06531865e5/data"
)
MAX_BYTES = 10**6
TIMEOUT_SECONDS = 30.0


def checksums() -> dict[str, str]:
    """Return the SHA-256 of every benchmark file, computed without carriage returns."""
    rows = csv.DictReader(StringIO(read_data("files.csv")))
    return {row["file"]: row["sha256"] for row in rows}


def fetch(folder: Path, source: str = SOURCE) -> int:
    """Download the files that are missing or damaged and return their number."""
    if not source.startswith(("http://", "https://")):
        raise InputError(
            f"source is {source!r}; it must start with http:// or https://",
            field="source",
            value=source,
        )
    count = 0
    for name, checksum in checksums().items():
        path = folder / name
        if path.is_file() and _checksum(read_bytes(path)) == checksum:
            continue
        data = _download(f"{source.rstrip('/')}/{name}")
        if _checksum(data) != checksum:
            raise InputError(
                "checksum mismatch", field="source", file=f"{source}/{name}", value=source
            )
        create_folder(path.parent)
        write_bytes(path, data)
        count += 1
    return count


def _download(url: str) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as response:
            return bytes(response.read(MAX_BYTES))
    except (OSError, ValueError, HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise SplitRouteError(f"{url}: download failed: {reason}") from None


def _checksum(data: bytes) -> str:
    return hashlib.sha256(data.replace(b"\r", b"")).hexdigest()
