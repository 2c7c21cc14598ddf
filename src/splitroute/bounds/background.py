"""A lower bound computed while the search runs, in a thread: both release the interpreter lock."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Self

from splitroute.bounds.bound import GAP_TOLERANCE, Bound, check, tighten
from splitroute.instance import Instance
from splitroute.processes.child import available_cores
from splitroute.solution import Solution, cost

log = logging.getLogger(__name__)
THREAD_NAME = "splitroute bound"
TICK_SECONDS = 0.1  # between two calls while the bound is waited for
SHARE_OF_ONE_CORE = 0.2  # of the time of a search, where both share a core


class BackgroundBound:
    """Starts at once if there is a core for it, else when the search is over.

    One that is `brief` is not waited for: it ends with the search, and starts with it on one core
    too.
    """

    def __init__(
        self, instance: Instance, seconds: float, *, adopts: bool = True, brief: bool = False
    ) -> None:
        """A solution found here ends the search, if it `adopts` one."""
        check(seconds)
        self._brief = brief
        if brief and available_cores() == 1:
            seconds *= SHARE_OF_ONE_CORE
        self._instance, self._seconds, self._adopts = instance, seconds, adopts
        self._best: Solution | None = None
        self._cost = float("inf")
        self._value = 0.0
        self._stopped = False
        self._began = time.perf_counter()
        self._late = 0.0  # seconds after that
        self._outcome: Bound | None = None
        self._thread = threading.Thread(target=self._run, name=THREAD_NAME, daemon=True)
        if brief or available_cores() > 1:
            self._thread.start()

    @property
    def value(self) -> float:
        """The bound so far."""
        return self._value

    def see(self, solution: Solution) -> None:
        """There is a better solution."""
        value = cost(self._instance, solution)
        if value < self._cost:
            self._best, self._cost = solution, value

    @property
    def is_met(self) -> bool:
        """Whether the best solution seen is proven to be optimal."""
        return self._value >= self._cost * (1 - GAP_TOLERANCE)

    @property
    def solution(self) -> Solution | None:
        """A better solution than those of the search, once it is found here."""
        return None if self._outcome is None else self._outcome.solution

    def finish(self, waiting: Callable[[], bool]) -> Bound:
        """Waits for the time to be over, or for the bound to meet the cost.

        Whoever waits is asked now and then whether to stop.
        """
        if self._thread.ident is None:
            self._late = time.perf_counter() - self._began
            self._thread.start()
        self._stopped = self._stopped or self._brief
        while self._thread.is_alive():
            self._thread.join(TICK_SECONDS)
            self._stopped = self._stopped or waiting()
        if self._outcome is None:  # something went wrong in there; what it had told still holds
            return Bound(self._value, time.perf_counter() - self._began - self._late)
        trace = tuple((self._late + seconds, value) for seconds, value in self._outcome.trace)
        return replace(self._outcome, trace=trace)

    def _run(self) -> None:
        try:
            outcome = tighten(self._instance, self._seconds, lambda: self._best, self._hear)
        except Exception as error:  # for which the answer of the search must not be lost
            log.warning("the bound could not be computed to the end: %r", error)
            return
        if outcome.solution is not None and self._adopts:
            self.see(outcome.solution)
        self._outcome = outcome

    def _hear(self, seconds: float, value: float) -> bool:
        self._value = max(self._value, value)
        return self._stopped

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stopped = True
        if self._thread.ident is not None:
            self._thread.join()
