"""How many event streams are open, in all and of each client."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fastapi import HTTPException

from splitroute.web.shares import NoShareError, Shares


class Streams:
    """Counts streams; for the event loop's thread only."""

    def __init__(self, max_streams: int, max_per_client: int) -> None:
        self._shares = Shares(max_streams, max_per_client)

    @property
    def count(self) -> int:
        """In all."""
        return self._shares.total

    @contextmanager
    def place(self, client: str) -> Iterator[None]:
        """A place for one stream; HTTPException if there is none."""
        try:
            self._shares.take(client)
        except NoShareError as none:
            detail = f"{self._shares.max_total} event streams are open; try again later"
            if none.is_own:
                detail = f"you have {self._shares.max_per_client} event streams open; close some"
            raise HTTPException(429, detail, {"Retry-After": "10"}) from None
        try:
            yield
        finally:
            self._shares.release(client)
