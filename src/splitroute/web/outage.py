"""Database outages: logged once with the reason, however many requests fail."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable

from splitroute.web.database import reason

log = logging.getLogger(__name__)

REMINDER_SECONDS = 60.0


class Outage:
    """Logs the start of an outage, a reminder now and then, and its end."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._logged_at = -math.inf
        self._is_logged = False  # and not yet logged as over
        self.is_active = False

    def report(self, error: BaseException) -> None:
        """Note that the database failed."""
        with self._lock:
            self.is_active = True
            if self._clock() - self._logged_at < REMINDER_SECONDS:
                return
            self._logged_at, self._is_logged = self._clock(), True
        log.error("database unavailable: %s", reason(error))

    def end(self) -> None:
        """Note that the database can be written again."""
        with self._lock:
            was_logged, self._is_logged = self._is_logged, False
            self.is_active = False
        if was_logged:
            log.warning("database available again")
