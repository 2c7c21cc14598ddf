"""Solving without blocking an event loop."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import splitroute as sr
from splitroute.generate import random_instance

LONG = sr.Stop(seconds=60)


def test_the_result_is_that_of_solve(square: sr.Instance) -> None:
    stop = sr.Stop(iterations=100)
    result = asyncio.run(sr.solve_async(square, stop=stop, seed=2))
    assert result.solution == sr.solve(square, stop=stop, seed=2).solution


def test_the_loop_runs_on_meanwhile() -> None:
    async def run() -> int:
        task = asyncio.create_task(sr.solve_async(random_instance(60), stop=sr.Stop(seconds=0.4)))
        ticks = 0
        while not task.done():
            await asyncio.sleep(0.01)
            ticks += 1
        await task
        return ticks

    assert asyncio.run(run()) > 3


def test_cancelling_stops_the_search_and_frees_the_thread() -> None:
    reported = threading.Event()
    threads: set[threading.Thread] = set()

    def listener(progress: sr.Progress) -> None:
        threads.add(threading.current_thread())
        reported.set()

    async def run() -> None:
        # With one thread, the next call waits until the search has left it.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        task = asyncio.create_task(
            sr.solve_async(random_instance(60), stop=LONG, bound=0, listener=listener)
        )
        while not reported.is_set():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(threading.current_thread) in threads

    began = time.monotonic()
    asyncio.run(run())
    assert time.monotonic() - began < LONG.seconds / 2  # type: ignore[operator]
    assert threading.main_thread() not in threads


def test_a_timeout_cancels() -> None:
    async def run() -> None:
        async with asyncio.timeout(0.3):
            await sr.solve_async(random_instance(60), stop=LONG)

    with pytest.raises(TimeoutError):
        asyncio.run(run())


def test_a_listener_stops_with_a_result() -> None:
    seen: list[sr.Progress] = []

    def listener(progress: sr.Progress) -> bool:
        seen.append(progress)
        return len(seen) == 2

    instance = random_instance(60)
    result = asyncio.run(sr.solve_async(instance, stop=LONG, bound=0, listener=listener))
    assert sr.validate(instance, result.solution) == []
    assert result.seconds < 30


def test_errors_are_those_of_solve(square: sr.Instance) -> None:
    with pytest.raises(sr.InputError, match="unknown engine 'nothing'"):
        asyncio.run(sr.solve_async(square, engine="nothing"))
    with pytest.raises(sr.InputError, match="listener is int 3, not a function"):
        asyncio.run(sr.solve_async(square, listener=3))  # type: ignore[arg-type]


def test_an_error_after_the_cancellation_is_not_lost_in_a_warning(square: sr.Instance) -> None:
    problems: list[object] = []

    def engine(*arguments: object) -> sr.Solution:
        time.sleep(0.2)
        raise RuntimeError("late")

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: problems.append(context)
        )
        task = asyncio.create_task(sr.solve_async(square, engine=engine, rule="none", stop=LONG))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert problems == []
