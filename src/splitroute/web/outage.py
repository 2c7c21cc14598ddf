"""A database that is away for a while: said once, with the reason, however many notice it."""

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
    """Logs an outage with its reason, once and then now and then, and its end."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._logged = -math.inf  # when
        self._is_known = False  # from the log
        self.is_on = False

    def noticed(self, error: BaseException) -> None:
        """The database did not do what it should."""
        with self._lock:
            self.is_on = True
            if self._clock() - self._logged < REMINDER_SECONDS:
                return
            self._logged, self._is_known = self._clock(), True
        log.error("the database cannot be used: %s", reason(error))

    def over(self) -> None:
        """The database can be written again."""
        with self._lock:
            was_known, self._is_known = self._is_known, False
            self.is_on = False
        if was_known:
            log.warning("the database can be used again")
