"""Downloads the public benchmark files, each checked before it is kept."""

from __future__ import annotations

import csv
import hashlib
import urllib.request
from http.client import HTTPException
from importlib.resources import files
from io import StringIO
from pathlib import Path

from splitroute.errors import InputError, SplitRouteError
from splitroute.files import write_bytes

# The repository of the challenge's winner, which holds all four sets, at a fixed revision.
SOURCE = (
    "https://raw.githubusercontent.com/HUST-Smart/Alkaid-SDVRP/"
    "de814df0b862997932ff03ea025bbd06531865e5/data"
)
LARGEST = 10**6
PATIENCE = 30.0  # seconds without an answer


def known_files() -> dict[str, str]:
    """The files of all sets and their checksums, which do not count carriage returns."""
    text = files("splitroute.bench").joinpath("data", "files.csv").read_text()
    return {row["file"]: row["sha256"] for row in csv.DictReader(StringIO(text))}


def fetch(folder: Path, source: str = SOURCE) -> int:
    """Downloads what the folder lacks; returns how many files that were."""
    if not source.startswith(("http://", "https://")):
        raise InputError(f"the source is {source!r}; it starts with http:// or https://")
    count = 0
    for name, checksum in known_files().items():
        path = folder / name
        if path.is_file() and _checksum(path.read_bytes()) == checksum:
            continue
        data = _download(f"{source.rstrip('/')}/{name}")
        if _checksum(data) != checksum:
            raise InputError(f"{source}/{name}: not the file it should be (its checksum differs)")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{path.parent}: cannot be made: {error.strerror}") from None
        write_bytes(path, data)
        count += 1
    return count


def _download(address: str) -> bytes:
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            return bytes(answer.read(LARGEST))
    except (OSError, ValueError, HTTPException) as error:
        why = getattr(error, "reason", error)
        raise SplitRouteError(f"{address}: could not be fetched: {why}") from None


def _checksum(data: bytes) -> str:
    return hashlib.sha256(data.replace(b"\r", b"")).hexdigest()
