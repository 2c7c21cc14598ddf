"""Islands on a pool: they exchange solutions, and failures of workers are reported."""

import math
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

import splitroute as sr
from splitroute.engines import BoundEngine, native
from splitroute.engines._islands import EPOCHS, IslandModel
from splitroute.errors import EngineError
from splitroute.generate import random_instance
from splitroute.processes.pool import Failure, Task
from splitroute.solution import cost
from splitroute.stop import TimeBudget

INSTANCE = random_instance(30, seed=1)
STOP = sr.Stop(iterations=800)


class InlinePool:
    """Runs tasks in the calling thread."""

    count = 3

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def run(
        self, tasks: Iterable[Task], on_start: Callable[[int], None] | None = None
    ) -> Iterator[tuple[int, Any]]:
        for number, task in enumerate(tasks):
            self.tasks.append(task)
            yield number, task.function(*task.arguments)


class SilentPool(InlinePool):
    def __init__(self) -> None:
        super().__init__()
        self.is_lost = threading.Event()

    def run(
        self, tasks: Iterable[Task], on_start: Callable[[int], None] | None = None
    ) -> Iterator[tuple[int, Any]]:
        self.is_lost.wait(60)
        raise EngineError("lost the cluster")


class FailingPool(InlinePool):
    def run(
        self, tasks: Iterable[Task], on_start: Callable[[int], None] | None = None
    ) -> Iterator[tuple[int, Any]]:
        for number, _ in enumerate(tasks):
            yield number, Failure("crashed", "signal 9")


def islands(
    pool: InlinePool,
    start: sr.Solution | None = None,
    size: int = 3,
    instance: sr.Instance = INSTANCE,
    search: BoundEngine = native.run,
) -> IslandModel:
    return IslandModel(search, instance, TimeBudget(STOP), 1, start, pool, size)


def test_islands_are_never_worse_than_one_search() -> None:
    one = native.run(INSTANCE, STOP, 1, None, lambda progress: None)
    several = islands(InlinePool()).run(lambda progress: None)
    assert sr.validate(INSTANCE, several) == []
    assert cost(INSTANCE, several) <= cost(INSTANCE, one)


def test_the_solution_does_not_depend_on_who_is_quicker() -> None:
    first, second = (islands(InlinePool()).run(lambda progress: None) for _ in range(2))
    assert first == second


def test_every_epoch_starts_from_the_best_solution_of_the_others() -> None:
    pool = InlinePool()
    islands(pool).run(lambda progress: None)
    starts = [start for *_, start in (task.arguments for task in pool.tasks)]
    assert len(starts) == 1 + 2 * EPOCHS
    costs = [cost(INSTANCE, start) for start in starts if start is not None]
    assert len(costs) == 2 * (EPOCHS - 1)
    assert costs == sorted(costs, reverse=True)


def test_improvements_are_reported_once() -> None:
    reports: list[sr.Progress] = []
    best = islands(InlinePool()).run(reports.append)
    solutions = [progress.solution for progress in reports if progress.solution is not None]
    assert solutions[-1] == best
    assert len(solutions) == len(set(solutions))


def test_the_reason_of_a_failure_is_reported() -> None:
    with pytest.raises(sr.EngineError, match="had a solution in time: signal 9"):
        islands(FailingPool()).run(lambda progress: None)


def test_a_stop_before_the_first_solution_gives_a_valid_one() -> None:
    large_demands = random_instance(5, capacity=10, low=0.5, high=3.0, seed=1)
    pool, requests = SilentPool(), []

    def search(*arguments: Any) -> sr.Solution:
        requests.append(arguments[-1](sr.Progress(0.0, 0, math.inf, None)))
        return native.run(*arguments)

    model = islands(pool, instance=large_demands, search=search)
    solution = model.run(lambda progress: True)
    pool.is_lost.set()
    assert not sr.validate(large_demands, solution)
    assert requests == [True]


def test_a_start_survives_failures() -> None:
    start = native.run(INSTANCE, STOP, 1, None, lambda progress: None)
    assert islands(FailingPool(), start).run(lambda progress: None) == start
