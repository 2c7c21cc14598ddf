"""One search on the workers of a pool: the same as in threads, and what happens if workers fail."""

import pickle
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import splitroute as sr
from splitroute.core import Model
from splitroute.engines import native
from splitroute.engines._parts import PartedSearch
from splitroute.engines._parts_on_cluster import PartsOnCluster
from splitroute.generate import random_instance
from splitroute.processes.pool import Failure, Task
from splitroute.validation import validate

INSTANCE = random_instance(90, low=0.1, high=0.9, seed=5)
ITERATIONS = 600


class CopyingPool:
    """Runs tasks in the calling thread, with copies of their arguments as on another machine."""

    count = 2

    def __init__(self) -> None:
        self.tasks = 0

    def run(
        self, tasks: Iterable[Task], on_start: Callable[[int], None] | None = None
    ) -> Iterator[tuple[int, Any]]:
        for number, task in enumerate(tasks):
            self.tasks += 1
            copied = pickle.loads(pickle.dumps(task))
            yield number, copied.function(*copied.arguments)


class FailingPool(CopyingPool):
    """Fails where it is told to, by the numbers of the tasks."""

    def __init__(self, fails: Callable[[int], bool]) -> None:
        super().__init__()
        self._fails = fails

    def run(
        self, tasks: Iterable[Task], on_start: Callable[[int], None] | None = None
    ) -> Iterator[tuple[int, Any]]:
        for number, value in super().run(tasks):
            yield number, Failure("crashed", "signal 9") if self._fails(self.tasks) else value


def run(search: PartedSearch, model: Model, seconds: float = 0.0) -> sr.Solution:
    search.start()
    search.set_budget(seconds, 0 if seconds else ITERATIONS)
    first = search.best_cost
    while search.iterations < ITERATIONS:
        search.advance(ITERATIONS, 60.0)
    assert search.best_cost < first
    return model.solution(search.best())


def on_pool(pool: CopyingPool, settings: dict[str, Any] | None = None) -> sr.Solution:
    model = Model(INSTANCE)
    with ThreadPoolExecutor(2) as executor:
        return run(PartsOnCluster(model, 3, settings or {}, executor, pool, 2), model)


@pytest.mark.parametrize("settings", [{}, {"cycle_iterations": 1, "blink": 0.1}])
def test_workers_find_the_same_solution_as_threads(settings: dict[str, Any]) -> None:
    model = Model(INSTANCE)
    with ThreadPoolExecutor(2) as executor:
        in_threads = run(PartedSearch(model, 3, settings, executor, 2), model)
    assert on_pool(CopyingPool(), settings) == in_threads


@pytest.mark.parametrize("failing", [
    pytest.param(lambda number: number % 2 == 1, id="one worker always"),
    pytest.param(lambda number: number > 6, id="all workers later on"),
])  # fmt: skip
def test_the_search_survives_failures(failing: Callable[[int], bool]) -> None:
    assert validate(INSTANCE, on_pool(FailingPool(failing))) == []


def test_losing_the_cluster_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    on_pool(FailingPool(lambda number: number > 6))
    assert "lost the cluster (signal 9)" in caplog.text


def test_a_cluster_that_never_works_is_reported() -> None:
    with pytest.raises(sr.EngineError, match="no search on the cluster returned: signal 9"):
        on_pool(FailingPool(lambda number: True))


def test_large_instances_are_cut_into_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "MIN_ITEMS", 60)
    monkeypatch.setattr(native, "MIN_PART_ITEMS", 20)
    pool = CopyingPool()

    class Opened:
        def __enter__(self) -> CopyingPool:
            return pool

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(native, "open_pool", lambda cluster: Opened())
    result = sr.solve(INSTANCE, stop=sr.Stop(seconds=0.8), cluster="here", bound=0)  # validated
    assert pool.tasks > 2
    start = result.solution
    stop = sr.Stop(iterations=200)
    improved = sr.solve(INSTANCE, stop=stop, start=start, cluster="here", bound=0)
    assert improved.cost <= result.cost
