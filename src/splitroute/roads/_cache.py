"""Responses of road servers on disk, one file each, named by a hash of the request."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import time
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import platformdirs

from splitroute.distances import Floats
from splitroute.errors import InputError
from splitroute.files import create_folder, write_bytes

VERSION = 1  # of the contents
MAX_AGE_DAYS = 30  # roads change
SECONDS_PER_DAY = 86_400
DAMAGED = (TypeError, ValueError, EOFError, KeyError, RuntimeError, zipfile.BadZipFile, zlib.error)


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of arrays by request."""

    folder: Path

    @classmethod
    def open(cls, folder: str | os.PathLike[str] | None) -> Cache:
        """Return the cache in a folder, by default the user's cache folder."""
        if folder is None:
            return cls(Path(platformdirs.user_cache_dir("splitroute")) / "roads")
        folder = Path(folder)
        create_folder(folder)
        return cls(folder)

    def load(self, *request: object) -> dict[str, Floats] | None:
        """Return the arrays of a request; None if there are none, or damaged or old ones."""
        path = self._path(request)
        try:
            if time.time() - path.stat().st_mtime > MAX_AGE_DAYS * SECONDS_PER_DAY:
                return None
            with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                return {name: arrays[name] for name in arrays.files}
        except (*DAMAGED, OSError):
            return None

    def save(self, arrays: dict[str, Floats], *request: object) -> None:
        """Save the arrays of a request; a cache that cannot be written is no reason to stop."""
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
        path = self._path(request)
        with contextlib.suppress(InputError):
            create_folder(path.parent)
            write_bytes(path, buffer.getvalue())

    def _path(self, request: tuple[object, ...]) -> Path:
        key = hashlib.sha256(json.dumps([VERSION, *request]).encode()).hexdigest()
        return self.folder / key[:2] / f"{key[2:]}.npz"
