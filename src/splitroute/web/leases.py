"""Expiry of leases without wall-clock time.

Services need not agree on the time, and clocks may jump. So a lease has no end date: its holder
increments a counter, and whoever sees the same count for too long on its own monotonic clock may
take the job over.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

LEASE_SECONDS = 6.0  # without renewal, until a lease expires
RENEWAL_SECONDS = LEASE_SECONDS / 6


class LeaseMonitor:
    """Remembers when each lease, a job with its renewal count, was first seen."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._first_seen: dict[tuple[str, int], float] = {}
        self._lock = threading.Lock()

    def expired(self, leases: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
        """Return the expired ones among all current leases."""
        with self._lock:
            now = self._clock()
            self._first_seen = {lease: self._first_seen.get(lease, now) for lease in leases}
            return [lease for lease in leases if now - self._first_seen[lease] >= LEASE_SECONDS]
