"""How many event streams are open, in all and of each client."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from fastapi import HTTPException


class Streams:
    """Counts streams; for the event loop's thread only."""

    def __init__(self, max_streams: int, max_per_client: int) -> None:
        self._max, self._max_per_client = max_streams, max_per_client
        self._of_client: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """In all."""
        return self._of_client.total()

    @contextmanager
    def place(self, client: str) -> Iterator[None]:
        """A place for one stream; HTTPException if there is none."""
        if self._of_client[client] >= self._max_per_client:
            raise _too_many(f"you have {self._max_per_client} event streams open; close some")
        if self.count >= self._max:
            raise _too_many(f"{self._max} event streams are open; try again later")
        self._of_client[client] += 1
        try:
            yield
        finally:
            self._of_client[client] -= 1
            self._of_client += Counter()  # drops those at zero


def _too_many(detail: str) -> HTTPException:
    return HTTPException(429, detail, {"Retry-After": "10"})
