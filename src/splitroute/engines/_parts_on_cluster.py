"""One search on the workers of a cluster: as in threads, but each part stays away for a round."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cached_property
from typing import Any, cast

from splitroute import _core
from splitroute.core import NO_PLACES, UNLIMITED_ITERATIONS, Model, Visits
from splitroute.core.parts import Part
from splitroute.core.settings import make_settings
from splitroute.engines._cooling import Cooling, Recipe, copied
from splitroute.engines._islands import (
    GRACE_SECONDS,
    MIN_SECONDS,
    RETURN_SECONDS,
    UNLIMITED_SECONDS,
)
from splitroute.engines._parts import PartedSearch, PartSearch
from splitroute.errors import EngineError
from splitroute.processes.pool import Failure, Pool, Task

log = logging.getLogger(__name__)

RETURN_SHARE = 0.05  # of the time, for sending parts there and back; at least RETURN_SECONDS
UNKNOWN_COST = 2**62

# Only plain data travel: a type of the core that a cluster knows would outlive the core at exit.
Found = tuple[int, int, Visits, Visits]  # iterations, cost, the best solution, the last one
Window = tuple[Recipe, float, float]  # of a cooling schedule: from one share of it to another


class PartsOnCluster(PartedSearch):
    """A search in parts, each of them on a worker; a part that fails stays as it was."""

    def __init__(
        self,
        model: Model,
        seed: int,
        settings: Mapping[str, object],
        executor: ThreadPoolExecutor,
        pool: Pool,
        count: int,
    ) -> None:
        super().__init__(model, seed, settings, executor, count)
        self._pool, self._is_lost = pool, False

    def set_budget(self, seconds: float, iterations: int) -> None:
        """Set the time and the iterations, less what the ways there and back take."""
        if seconds:
            seconds -= max(RETURN_SECONDS, RETURN_SHARE * seconds)
            seconds = max(RETURN_SECONDS, seconds)
        super().set_budget(seconds, iterations)

    def _start_part(self, part: Part, seed: int) -> PartSearch:
        if self._is_lost:
            return super()._start_part(part, seed)
        return _RemoteSearch(self._pool, self._model, part, seed, self._settings)

    def _remote_searches(self) -> list[_RemoteSearch]:
        return [cast("_RemoteSearch", search) for _, search in self._searches]

    def _round_is_over(self) -> bool:
        if self._is_lost:
            return super()._round_is_over()
        return all(search.is_done for search in self._remote_searches())

    def _end_round(self) -> None:
        reasons = [] if self._is_lost else [s.failure for s in self._remote_searches()]
        if reasons and all(reasons):
            if self._round == 0:
                raise EngineError(f"no search on the cluster returned: {reasons[0]}")
            log.warning("lost the cluster (%s); the search goes on in threads", reasons[0])
            self._is_lost = True
        super()._end_round()


class _RemoteSearch:
    """The search of a part on a worker, which runs it for the whole round.

    Until it returns, nothing of it is known. If it fails, the part stays as it was.
    """

    best_missing = 0  # there are no rules

    def __init__(
        self, pool: Pool, model: Model, part: Part, seed: int, settings: Mapping[str, object]
    ) -> None:
        self._pool, self._model, self._part = pool, model, part
        self._seed, self._settings = seed, dict(settings)
        self._limits = 0.0, 0
        self._window: Window | None = None
        self._future: Future[Found | Failure] | None = None

    def set_budget(self, seconds: float, iterations: int) -> None:
        self._limits = seconds, iterations

    def follow(self, schedule: Cooling, begin: float, end: float) -> None:
        self._window = schedule.recipe, begin, end

    def advance(self, iterations: int, seconds: float) -> None:
        """Wait for the worker; all iterations are run at once."""
        if self._future is None:
            self._future = Future()
            # As a daemon, it keeps nobody waiting when the run is stopped.
            threading.Thread(target=self._run, args=[self._future], daemon=True).start()
        wait([self._future], timeout=seconds)

    def _run(self, future: Future[Found | Failure]) -> None:
        seconds, _ = self._limits
        max_seconds = seconds + GRACE_SECONDS if seconds else UNLIMITED_SECONDS
        arguments = (
            self._part.arguments, self._part.visits, self._seed, self._settings, self._limits,
            self._window,
        )  # fmt: skip
        try:
            [(_, value)] = self._pool.run([Task(_search, arguments, max_seconds)])
        except Exception as error:  # the cluster was lost, or the run is over
            value = Failure("failed", str(error))
        future.set_result(value)

    @property
    def is_done(self) -> bool:
        """Whether the worker has returned, or failed."""
        return self._future is not None and self._future.done()

    @property
    def failure(self) -> str:
        """Why the search failed; empty if it did not."""
        value = self._future.result() if self._future and self.is_done else None
        return value.reason if isinstance(value, Failure) else ""

    @property
    def iterations(self) -> int:
        """Those of the round, once it is over."""
        return self._found[0] if self.is_done else 0

    @property
    def best_cost(self) -> int:
        """Cost of the best solution, in units of the core."""
        return self._found[1] if self.is_done else UNKNOWN_COST

    def best(self) -> Visits:
        return self._found[2]

    def current(self) -> Visits:
        return self._found[3]

    @cached_property
    def _found(self) -> Found:
        assert self._future is not None
        value = self._future.result()
        if not isinstance(value, Failure):
            return value
        search = _core.Annealing(self._part.compiled(self._model), self._seed)
        search.start_from(self._part.visits)
        _, iterations = self._limits
        return iterations, search.best_cost, search.best(), search.best()


def _search(
    arguments: dict[str, Any],
    visits: Visits,
    seed: int,
    settings: Mapping[str, object],
    limits: tuple[float, int],
    window: Window,
) -> Found:
    """Search a part for a round; called on a worker."""
    began = time.perf_counter()
    instance = _core.Instance(**arguments, places=NO_PLACES)
    search = _core.Annealing(instance, seed, make_settings(settings))
    search.start_from(visits)
    seconds, iterations = limits
    if seconds:
        seconds = max(MIN_SECONDS, seconds - (time.perf_counter() - began))
    search.set_budget(seconds, iterations)
    recipe, begin, end = window
    search.follow(copied(recipe), begin, end)
    search.advance(iterations or UNLIMITED_ITERATIONS, seconds or UNLIMITED_SECONDS)
    return search.iterations, search.best_cost, search.best(), search.current()
