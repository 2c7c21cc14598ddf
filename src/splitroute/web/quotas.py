"""Quotas on what clients use at once, in total and per client."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class QuotaExceededError(Exception):
    """No more is available."""

    def __init__(self, *, by_client: bool) -> None:
        super().__init__("the client's quota is used up" if by_client else "the quota is used up")
        self.by_client = by_client  # this client alone uses up its own quota


class Quota:
    """Tracks how much each client uses. Not thread-safe: for the event loop only."""

    def __init__(self, max_total: int, max_per_client: int) -> None:
        self.max_total, self.max_per_client = max_total, max_per_client
        self._used: Counter[str] = Counter()

    @property
    def total(self) -> int:
        """Amount used by all clients."""
        return self._used.total()

    def acquire(self, client: str, amount: int = 1) -> None:
        """Use that much more, or raise QuotaExceededError."""
        if self._used[client] + amount > self.max_per_client:
            raise QuotaExceededError(by_client=True)
        if self.total + amount > self.max_total:
            raise QuotaExceededError(by_client=False)
        self._used[client] += amount

    def release(self, client: str, amount: int = 1) -> None:
        """Use that much less."""
        self._used[client] -= amount
        self._used += Counter()  # drops clients at zero

    @contextmanager
    def hold(self, client: str) -> Iterator[None]:
        """Use one unit inside the block."""
        self.acquire(client)
        try:
            yield
        finally:
            self.release(client)
