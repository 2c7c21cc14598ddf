"""Open event streams, limited in total and per client."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from splitroute.web.errors import RequestError
from splitroute.web.quotas import Quota, QuotaExceededError


class Streams:
    """Counts event streams. Not thread-safe: for the event loop only."""

    def __init__(self, max_streams: int, max_per_client: int) -> None:
        self._quota = Quota(max_streams, max_per_client)

    @property
    def count(self) -> int:
        """Number of open streams."""
        return self._quota.total

    @contextmanager
    def open(self, client: str) -> Iterator[None]:
        """Count one stream inside the block; RequestError if there are too many."""
        try:
            self._quota.acquire(client)
        except QuotaExceededError as error:
            detail = f"{self._quota.max_total} event streams are open; try again later"
            if error.by_client:
                detail = f"you have {self._quota.max_per_client} event streams open; close some"
            raise RequestError(
                429, detail, "too_many_streams", headers={"Retry-After": "10"}
            ) from None
        try:
            yield
        finally:
            self._quota.release(client)
