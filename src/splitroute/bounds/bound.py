"""The lower bound of an instance: at any time the best so far."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from splitroute.bounds.network import Network
from splitroute.bounds.relaxation import Relaxation
from splitroute.instance import Instance

PRICED = 5  # rounds between two looks for edges
LARGEST = 2000  # customers; beyond that only the simplest bound is had
SAME = 1e-9  # relative difference of a bound and a cost that counts as none


@dataclass(frozen=True, slots=True)
class Bound:
    """No solution costs less than `value`."""

    value: float
    seconds: float
    trace: tuple[tuple[float, float], ...] = ()  # (seconds, bound) of each improvement

    def reached(self, cost: float) -> bool:
        """Whether a solution of that cost is proven to be optimal."""
        return cost - self.value <= SAME * abs(cost)


Told = Callable[[float, float], bool | None]  # seconds and bound; True asks to stop


def lower_bound(instance: Instance, seconds: float = 60.0, told: Told | None = None) -> Bound:
    """The best bound found in so many seconds, or earlier if no more cuts are found."""
    progress = _Progress(instance, seconds, told)
    network = Network.of(instance)
    progress.see(network.radial_bound())
    if 1 < network.size <= LARGEST + 1:
        _tighten(Relaxation(network), progress)
    return progress.bound()


def _tighten(relaxation: Relaxation, progress: _Progress) -> None:
    for round_ in range(10**9):
        if progress.over or not relaxation.solve(progress.left):
            return
        if progress.see(relaxation.bound()):
            return
        cuts = relaxation.separate(round_)
        if (round_ % PRICED == 0 or not cuts) and not relaxation.price() and not cuts:
            return


class _Progress:
    """The best bound so far, and the time."""

    def __init__(self, instance: Instance, seconds: float, told: Told | None) -> None:
        self._began = time.perf_counter()
        self._seconds, self._told = seconds, told
        # Where all distances are whole numbers, so are the costs of all solutions.
        table = instance.table if len(instance.sites) <= LARGEST + 1 else None
        self._whole = table is not None and bool(np.array_equal(table, np.rint(table)))
        self._trace: list[tuple[float, float]] = []
        self._value = 0.0

    @property
    def left(self) -> float:
        return self._seconds - (time.perf_counter() - self._began)

    @property
    def over(self) -> bool:
        return self.left <= 0

    def see(self, value: float) -> bool:
        """Takes note of a bound; returns whether to stop."""
        if self._whole:
            value = float(math.ceil(value - 1e-6 * max(1.0, abs(value))))
        seconds = time.perf_counter() - self._began
        if value > self._value:
            self._value = value
            self._trace.append((seconds, value))
        return bool(self._told is not None and self._told(seconds, self._value))

    def bound(self) -> Bound:
        return Bound(self._value, time.perf_counter() - self._began, tuple(self._trace))
