"""Engines that fail in various ways, as module-level searches for `supervise`."""

import os
import sys
import time

import splitroute as sr
from splitroute.engines._supervised import supervise
from splitroute.instance import Instance
from splitroute.processes.calls import Call
from splitroute.progress import Listener
from splitroute.solution import cost


def single_customer_routes(instance: Instance) -> sr.Solution:
    return sr.Solution.unsplit(instance, [[k] for k in range(1, len(instance.customers) + 1)])


def correct(
    instance: Instance, stop: sr.Stop, seed: int, start: sr.Solution | None, listener: Listener
) -> sr.Solution:
    print("output that must not end up among the messages")  # noqa: T201
    solution = single_customer_routes(instance)
    listener(sr.Progress(0.0, 1, cost(instance, solution), solution))
    return solution


def patient(
    instance: Instance, stop: sr.Stop, seed: int, start: sr.Solution | None, listener: Listener
) -> sr.Solution:
    """Runs until the listener stops it."""
    solution = single_customer_routes(instance)
    while not listener(sr.Progress(0.0, 1, cost(instance, solution), solution)):
        time.sleep(0.01)
    return solution


def crash(*_: object) -> sr.Solution:
    print("fatal error", file=sys.stderr, flush=True)  # noqa: T201
    os.abort()


def leave(*_: object) -> sr.Solution:
    os._exit(3)


def fail(*_: object) -> sr.Solution:
    raise RuntimeError("no idea")


def hang(*_: object) -> sr.Solution:
    time.sleep(600)
    raise AssertionError


def report_and_hang(call: Call, *_: object) -> None:
    """A job that does not stop."""
    report = {"seconds": 0.1, "iterations": 1, "cost": 40.0, "bound": 30.0, "phase": "search"}
    call.report({"report": report, "solution": {"routes": []}})
    hang()


def no_more_processes(**_: object) -> None:
    raise OSError("no more processes")


def hang_with_solution(
    instance: Instance, stop: sr.Stop, seed: int, start: sr.Solution | None, listener: Listener
) -> sr.Solution:
    correct(instance, stop, seed, start, listener)
    return hang()


def overload(instance: Instance, *_: object) -> sr.Solution:
    return sr.Solution.unsplit(instance, [list(range(1, len(instance.customers) + 1))])


def forget(instance: Instance, *_: object) -> sr.Solution:
    return sr.Solution(single_customer_routes(instance).routes[1:])


class Module:
    """Stand-in for the module of an engine."""

    def __init__(self, name: str) -> None:
        self._search = globals()[name]

    def run(
        self,
        instance: Instance,
        stop: sr.Stop,
        seed: int,
        start: sr.Solution | None,
        listener: Listener,
    ) -> sr.Solution:
        return supervise(self._search, instance, stop, seed, start, listener)


class Clock:
    """A monotonic clock that a test advances."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now
