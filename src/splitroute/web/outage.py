"""A database that is away for a while: said once, with the reason, however many notice it."""

from __future__ import annotations

import logging
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
        self._reminded: float | None = None  # None: there is no outage
        self._lock = threading.Lock()

    @property
    def is_on(self) -> bool:
        """Whether it was noticed and is not over."""
        return self._reminded is not None

    def noticed(self, error: BaseException) -> None:
        """The database did not do what it should."""
        with self._lock:
            now = self._clock()
            if self._reminded is not None and now - self._reminded < REMINDER_SECONDS:
                return
            self._reminded = now
        log.error("the database cannot be used: %s", reason(error))

    def over(self) -> None:
        """The database can be written again."""
        with self._lock:
            if self._reminded is None:
                return
            self._reminded = None
        log.warning("the database can be used again")
