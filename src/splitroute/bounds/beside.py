"""A bound that is computed beside the search, in a thread: both release the interpreter lock."""

from __future__ import annotations

import os
import threading

from splitroute.bounds.bound import SAME, Bound, tightened
from splitroute.instance import Instance
from splitroute.solution import Solution, cost


class Beside:
    """Starts at once if there is a core for it, else when the search is over."""

    def __init__(self, instance: Instance, seconds: float) -> None:
        self._instance, self._seconds = instance, seconds
        self._best: Solution | None = None
        self._cost = float("inf")
        self._value = 0.0
        self._stopped = False
        self._outcome: Bound | Exception | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        if _cores() > 1:
            self._thread.start()

    @property
    def value(self) -> float:
        """The bound so far."""
        return self._value

    def see(self, solution: Solution) -> None:
        """The search has a better solution."""
        self._best = solution
        self._cost = cost(self._instance, solution)

    @property
    def met(self) -> bool:
        """Whether the best solution seen is proven to be optimal."""
        return self._value >= self._cost * (1 - SAME)

    def finish(self, stopped: bool = False) -> Bound:
        """Waits for the time to be over, or for the bound to meet the cost; not if `stopped`."""
        self._stopped = stopped
        if self._thread.ident is None:
            self._thread.start()
        self._thread.join()
        if isinstance(self._outcome, Exception):
            raise self._outcome
        assert self._outcome is not None
        return self._outcome

    def _run(self) -> None:
        try:
            self._outcome = tightened(self._instance, self._seconds, lambda: self._best, self._hear)
        except Exception as error:  # raised again where it is waited for
            self._outcome = error

    def _hear(self, seconds: float, value: float) -> bool:
        self._value = value
        return self._stopped


def _cores() -> int:
    """Those that this process may use, where the system says so."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
