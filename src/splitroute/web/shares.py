"""Limits on what clients have at once: all of them together, and each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class NoShareError(Exception):
    """There is no more."""

    def __init__(self, *, is_own: bool) -> None:
        super().__init__("the client's share is used up" if is_own else "everything is used up")
        self.is_own = is_own  # the client itself has as much as one may have


class Shares:
    """Counts what each client has; for the event loop's thread only."""

    def __init__(self, max_total: int, max_per_client: int) -> None:
        self.max_total, self.max_per_client = max_total, max_per_client
        self._of_client: Counter[str] = Counter()

    @property
    def total(self) -> int:
        """Of all clients."""
        return self._of_client.total()

    def take(self, client: str, amount: int = 1) -> None:
        """Gives a client so much more; NoShareError if that is more than there may be."""
        if self._of_client[client] + amount > self.max_per_client:
            raise NoShareError(is_own=True)
        if self.total + amount > self.max_total:
            raise NoShareError(is_own=False)
        self._of_client[client] += amount

    def release(self, client: str, amount: int = 1) -> None:
        """Takes back so much."""
        self._of_client[client] -= amount
        self._of_client += Counter()  # drops those at zero

    @contextmanager
    def held(self, client: str) -> Iterator[None]:
        """One for a while."""
        self.take(client)
        try:
            yield
        finally:
            self.release(client)
