"""A lower bound computed in a thread while the search runs: both release the interpreter lock."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Self

from splitroute.bounds.bound import check, compute_bound
from splitroute.bounds.bound_progress import GAP_TOLERANCE, Bound
from splitroute.instance import Instance
from splitroute.processes.cores import available_cores
from splitroute.solution import Solution, rank
from splitroute.stop import TimeBudget

log = logging.getLogger(__name__)
THREAD_NAME = "splitroute bound"
TICK_SECONDS = 0.1  # between two calls of the listener while waiting for the bound
SHARE_OF_ONE_CORE = 0.2  # of the time limit, where bound and search share a core


class BackgroundBound:
    """Starts at once if there is a core for it, else after the search.

    With `ends_with_search` nobody waits for it, so it always starts at once.
    """

    def __init__(
        self,
        instance: Instance,
        seconds: float,
        clock: TimeBudget,
        *,
        stops_search: bool = True,
        ends_with_search: bool = False,
    ) -> None:
        """The trace has the times of the run's clock.

        With `stops_search`, an optimal solution found here counts as the best one.
        """
        check(seconds, "bound")
        self._ends_with_search = ends_with_search
        if ends_with_search and available_cores() == 1:
            seconds *= SHARE_OF_ONE_CORE
        self._instance, self._seconds, self._stops_search = instance, seconds, stops_search
        self._clock = clock
        self._best: Solution | None = None
        self._best_rank = math.inf, math.inf
        self._value = 0.0
        self._is_stopped = False
        self._began = 0.0  # on that clock
        self._outcome: Bound | None = None
        self._thread = threading.Thread(target=self._run, name=THREAD_NAME, daemon=True)
        if ends_with_search or available_cores() > 1:
            self._start()

    def _start(self) -> None:
        self._began = self._clock.elapsed
        self._thread.start()

    @property
    def value(self) -> float:
        """The lower bound so far."""
        return self._value

    def update(self, solution: Solution) -> None:
        """Take over a solution of the search if it is the best so far."""
        value = rank(self._instance, solution)
        if value < self._best_rank:
            self._best, self._best_rank = solution, value

    @property
    def is_met(self) -> bool:
        """Whether the best solution is proven optimal."""
        undelivered, cost = self._best_rank
        return not undelivered and self._value >= cost * (1 - GAP_TOLERANCE)

    @property
    def solution(self) -> Solution | None:
        """An optimal solution better than those of the search, if one was found."""
        return None if self._outcome is None else self._outcome.solution

    def finish(self, is_stopped: Callable[[], bool]) -> Bound:
        """Wait until the time is up, the bound is met or `is_stopped` returns True."""
        if self._thread.ident is None:
            self._start()
        self._is_stopped = self._is_stopped or self._ends_with_search
        while self._thread.is_alive():
            self._thread.join(TICK_SECONDS)
            self._is_stopped = self._is_stopped or is_stopped()
        if self._outcome is None:  # the thread failed; the bound it had reported still holds
            return Bound(self._value, self._clock.elapsed - self._began)
        trace = tuple((self._began + seconds, value) for seconds, value in self._outcome.trace)
        return replace(self._outcome, trace=trace)

    def _run(self) -> None:
        try:
            outcome = compute_bound(self._instance, self._seconds, lambda: self._best, self._listen)
        except Exception as error:  # must not cost the user the solution of the search
            log.warning("the lower bound failed: %r", error)
            return
        if outcome.solution is not None and self._stops_search:
            self.update(outcome.solution)
        self._outcome = outcome

    def _listen(self, seconds: float, value: float) -> bool:
        self._value = max(self._value, value)
        return self._is_stopped

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._is_stopped = True
        if self._thread.ident is not None:
            self._thread.join()
