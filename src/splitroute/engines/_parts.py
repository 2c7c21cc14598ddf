"""One search on several cores: groups of neighbouring routes, each searched in its own thread.

After each round the groups are merged, the cuts between them move, and the search continues from
there at the temperature that the cooling schedule has reached.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from typing import Protocol

import numpy as np

from splitroute import _core
from splitroute.core import (
    UNLIMITED_ITERATIONS,
    Model,
    Search,
    Visits,
    seed_of,
)
from splitroute.core.parts import Part, cut, make_part, merge
from splitroute.core.settings import make_settings
from splitroute.engines._cooling import Cooling

ROUNDS = 12  # enough that every route is far from a cut most of the time
MIN_ROUND_RATIO = 10  # of the time of a round to that of its preparation
BOUNDARY_TOLERANCE = 1e-9  # of shares
CUT_STEP = (math.sqrt(5) - 1) / 2  # between the cuts of two rounds: never the same place again


class PartSearch(Search, Protocol):
    """The search of a part."""

    def set_budget(self, seconds: float, iterations: int) -> None: ...
    def follow(self, schedule: Cooling, begin: float, end: float) -> None: ...
    def advance(self, iterations: int, seconds: float) -> None: ...
    def current(self) -> Visits: ...


class PartedSearch:
    """A search with the interface of the core's, which runs as many parts as it has threads."""

    best_missing = 0  # there are no rules

    def __init__(
        self,
        model: Model,
        seed: int,
        settings: Mapping[str, object],
        executor: ThreadPoolExecutor,
        count: int,
    ) -> None:
        self._model, self._seed, self._settings = model, seed, settings
        self._executor, self._count = executor, count
        # Iterations are those of each thread, which has only its part of the items.
        items = -(-len(model.items) // count)
        self._core_settings = make_settings(settings)
        self._schedule = Cooling(settings, items)
        self._seconds, self._max_iterations = 0.0, 0
        self._began = math.nan
        self._round, self._rounds = 0, ROUNDS
        self._end = 0.0  # of the round, as a share of the budget
        self.cycle = 0  # of the cooling schedule
        self._first_iteration = 0  # of the round
        self._preparing: list[Future[tuple[Part, PartSearch]]] = []
        self._searches: list[tuple[Part, PartSearch]] = []

    def start(self) -> None:
        """Construct a first solution."""
        search = self._model.annealing(self._seed, self._core_settings)
        search.start()
        self._begin(search)

    def start_from(self, visits: Visits) -> None:
        """Start from given routes."""
        search = self._model.annealing(self._seed, self._core_settings)
        search.start_from(visits)
        self._schedule.set_warm_start()
        self._begin(search)

    def _begin(self, search: _core.Annealing) -> None:
        self._best = self._current = search.best()
        self._best_cost = search.best_cost
        self._schedule.set_temperature_unit(search.temperature_unit)

    def set_budget(self, seconds: float, iterations: int) -> None:
        """Set the time and the iterations that the cooling schedule covers; 0 is no limit."""
        self._seconds, self._max_iterations = seconds, iterations
        self._schedule.set_budget(seconds, iterations)

    @property
    def iterations(self) -> int:
        """Iterations of each thread."""
        done = [search.iterations for _, search in self._searches]
        return self._first_iteration + (sum(done) // len(done) if done else 0)

    @property
    def best_cost(self) -> int:
        """Cost of the best solution, in units of the core."""
        return min(self._best_cost, self._cost_of_parts())

    def best(self) -> Visits:
        """Return the best solution."""
        if self._cost_of_parts() < self._best_cost:
            self._best_cost = self._cost_of_parts()
            self._best = merge([part.whole(search.best()) for part, search in self._searches])
        return self._best

    def advance(self, iterations: int, seconds: float) -> None:
        """Run up to that many iterations or seconds."""
        if math.isnan(self._began):
            self._began = time.perf_counter()
        if not self._searches:
            self._prepare(seconds)
        elif self._round_is_over():
            self._end_round()
        else:
            left = self._iterations_until_end()
            list(
                self._executor.map(
                    lambda search: search[1].advance(
                        min(iterations, max(0, left - search[1].iterations)), seconds
                    ),
                    self._searches,
                )
            )

    def _cost_of_parts(self) -> int:
        if not self._searches:
            return self._best_cost
        return sum(search.best_cost for _, search in self._searches)

    def _share(self) -> float:
        """Share of the budget that is used."""
        return self._schedule.share(self.iterations, time.perf_counter() - self._began)

    def _end_after(self, begin: float) -> float:
        """End of a round, as a share of the budget; cooling cycles end with a round, too."""
        cycles = self._schedule.cycles
        rounds = cycles * math.ceil(self._rounds / cycles)
        return (math.floor(begin * rounds + BOUNDARY_TOLERANCE) + 1) / rounds

    def _iterations_until_end(self) -> int:
        """Iterations of a part in this round; without a limit, time ends the round."""
        if not self._max_iterations:
            return UNLIMITED_ITERATIONS
        return math.ceil(self._end * self._max_iterations) - self._first_iteration

    def _round_is_over(self) -> bool:
        left = self._iterations_until_end()
        if all(search.iterations >= left for _, search in self._searches):
            return True
        return bool(self._seconds) and self._end < 1 and self._share() >= self._end

    def _prepare(self, seconds: float) -> None:
        """Begin a round; in large instances that takes several calls."""
        if not self._preparing:
            begin = self._share()
            self._schedule.observe(begin, self.iterations, time.perf_counter() - self._began)
            self._begin_cycle(begin)
            groups = cut(self._current, self._count, self._round * CUT_STEP)
            routes = len(np.unique(self._current[:, 0]))
            spare = max(0, self._model.max_vehicles - routes) // len(groups)
            self._preparing = [
                self._executor.submit(self._make_search, group, k, spare)
                for k, group in enumerate(groups)
            ]
        is_pending = bool(wait(self._preparing, timeout=seconds).not_done)
        if not is_pending and not self._model.cancellation.is_requested:
            self._searches = [future.result() for future in self._preparing]
            self._preparing = []
            self._begin_round()

    def _begin_round(self) -> None:
        """Set the limits of the searches; all follow the cooling schedule of the whole."""
        if self._round == 0 and self._seconds:  # a round must take longer than its preparation
            affordable = self._seconds / (MIN_ROUND_RATIO * (time.perf_counter() - self._began))
            self._rounds = max(1, min(ROUNDS, int(affordable)))
        share = self._share()
        begin = share if share < 1 else max(1.0, self._end)
        self._end = self._end_after(begin)
        seconds = max(0.001, (self._end - begin) * self._seconds) if self._seconds else 0.0
        iterations = self._iterations_until_end() if self._max_iterations else 0
        for _, search in self._searches:
            search.set_budget(seconds, iterations)
            search.follow(self._schedule, min(1.0, begin), min(1.0, self._end))

    def _begin_cycle(self, begin: float) -> None:
        """Continue from the best solution if a cooling cycle begins."""
        cycle = self._schedule.cycle(begin + BOUNDARY_TOLERANCE)
        if cycle != self.cycle:
            self.cycle = cycle
            self._current = self.best()

    def _make_search(self, visits: Visits, number: int, spare: int) -> tuple[Part, PartSearch]:
        part = make_part(self._model, visits, spare)
        search = self._start_part(part, seed_of(self._seed, self._round * self._count + number))
        if self._model.cancellation.is_requested:
            raise CancelledError
        return part, search

    def _start_part(self, part: Part, seed: int) -> PartSearch:
        search = _core.Annealing(part.compiled(self._model), seed, self._core_settings)
        search.start_from(part.visits)
        return search

    def _end_round(self) -> None:
        """Merge the parts; the next round continues from their current solutions."""
        self.best()
        self._current = merge([part.whole(search.current()) for part, search in self._searches])
        self._first_iteration = self.iterations
        self._searches = []
        self._round += 1
