"""A lower bound, and the best one so far while it is computed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from splitroute.bounds.radial import RULES as RADIAL_RULES
from splitroute.bounds.radial import radial_bound
from splitroute.instance import Instance
from splitroute.solution import Solution, cost
from splitroute.stop import Stop, TimeBudget

MAX_CUSTOMERS = 1500  # beyond, only the radial bound is computed
INTEGRAL_STEP = 0.99  # by which integral costs differ at least, less a margin
GAP_TOLERANCE = 1e-6  # relative difference of cost and bound that counts as none


@dataclass(frozen=True, slots=True)
class Bound:
    """A lower bound on the cost of every solution.

    If the instance is `partial`, of every solution that delivers as much as the best one known.
    """

    value: float
    seconds: float
    trace: tuple[tuple[float, float], ...] = ()  # (seconds, bound) of each improvement
    solution: Solution | None = None  # an optimal one, if it is better than the one given
    rules: frozenset[str] = frozenset()  # of the instance that the bound takes into account
    relaxed: frozenset[str] = frozenset()  # of the instance that it ignores

    def reached(self, cost: float) -> bool:
        """Return whether a solution of that cost is proven optimal."""
        return cost - self.value <= GAP_TOLERANCE * abs(cost)

    @classmethod
    def radial(cls, instance: Instance, undelivered: int | None = None) -> Bound:
        """Return the radial bound; see `radial_bound` for `undelivered`."""
        value, used = radial_bound(instance, undelivered), instance.rules
        return cls(value, 0.0, rules=used & RADIAL_RULES, relaxed=used - RADIAL_RULES)


BestSolution = Callable[[], Solution | None]  # the best one so far
BoundListener = Callable[[float, float], bool | None]  # seconds and bound; True requests a stop


class BoundProgress:
    """The best bound so far, the cost that it is to meet, and the time left."""

    def __init__(
        self,
        instance: Instance,
        seconds: float,
        best: BestSolution | None,
        listener: BoundListener | None,
    ) -> None:
        self._budget = TimeBudget(Stop(seconds=seconds))
        self._instance = instance
        self._best, self._listener = best, listener
        # If all distances are integers, so are the costs of all solutions.
        is_small = len(instance.sites) <= MAX_CUSTOMERS + 1 and not instance.rules
        table = instance.table if is_small else None
        self._is_integral = table is not None and bool(np.array_equal(table, np.rint(table)))
        self._trace: list[tuple[float, float]] = []
        self._value = 0.0
        self._rules: frozenset[str] = frozenset()
        self._is_stopped = False

    @property
    def left(self) -> float:
        """Seconds left; 0 once the listener has requested a stop."""
        if not self._is_stopped and self._listener is not None:
            self._is_stopped = bool(self._listener(self._budget.elapsed, self._value))
        return 0.0 if self._is_stopped else self._budget.remaining

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return self._budget.elapsed

    @property
    def cost(self) -> float:
        """Cost of the best solution."""
        best = self._best() if self._best else None
        return math.inf if best is None else cost(self._instance, best)

    def cutoff(self, cost: float) -> float:
        """Return a cost that any solution better than one of this cost is below."""
        return cost - INTEGRAL_STEP if self._is_integral else cost

    def update(self, value: float, rules: frozenset[str] = frozenset()) -> bool:
        """Record a bound and the rules that it takes into account; return whether to stop."""
        if self._is_integral and math.isfinite(value):
            value = float(math.ceil(value))
        if value > self._value:
            self._value, self._rules = value, rules
            self._trace.append((self._budget.elapsed, value))
        return self.is_over

    @property
    def is_over(self) -> bool:
        """Whether to stop."""
        return self.left <= 0 or self.is_met

    @property
    def is_met(self) -> bool:
        """Whether the best solution is proven optimal."""
        return self._value >= self.cost * (1 - GAP_TOLERANCE)

    def bound(self, solution: Solution | None = None) -> Bound:
        used = self._instance.rules
        return Bound(
            self._value,
            self._budget.elapsed,
            tuple(self._trace),
            solution,
            used & self._rules,
            used - self._rules,
        )
