"""Which leases have lapsed, without any clock that can be set.

Services need not agree on the time, and a clock may jump: so a lease does not say until when it
lasts. It counts its renewals, and whoever sees the same count for too long by its own monotonic
clock takes the job.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

LEASE_SECONDS = 6.0  # without a renewal, after which a job may be taken
RENEWAL_SECONDS = LEASE_SECONDS / 6


class LeaseWatch:
    """Since when each lease, a job and its count of renewals, is known."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since: dict[tuple[str, int], float] = {}
        self._lock = threading.Lock()

    def lapsed(self, leases: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
        """Those of all leases there are that were not renewed for too long."""
        with self._lock:
            now = self._clock()
            self._since = {lease: self._since.get(lease, now) for lease in leases}
            return [lease for lease in leases if now - self._since[lease] >= LEASE_SECONDS]
