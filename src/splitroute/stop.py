"""Limits of a run, and the clock that enforces them."""

import math
import time
from dataclasses import dataclass, replace
from numbers import Integral, Real

from splitroute.errors import InputError

LIMIT_TYPES = {"seconds": Real, "iterations": Integral, "stall": Integral, "target": Real}
MAX_LIMIT = 10**15  # seconds or iterations
MIN_SEARCH_SHARE = 0.5  # of the time that is left; the search always gets this much
# Per visit of the solution that the search returns.
MERGE_SECONDS = 6e-6
VALIDATION_SECONDS = 3.5e-6


@dataclass(frozen=True, slots=True)
class Stop:
    """Limits of a run; the first one reached ends it."""

    seconds: float | None = None
    iterations: int | None = None
    stall: int | None = None  # iterations without improvement
    target: float | None = None  # a cost that is good enough

    def __post_init__(self) -> None:
        for name, kind in LIMIT_TYPES.items():
            value = getattr(self, name)
            if value is None:
                continue
            is_number = isinstance(value, kind) and not isinstance(value, bool)
            in_range = is_number and (
                abs(value) < math.inf if name == "target" else 0 < value <= MAX_LIMIT
            )
            if not in_range:
                expected = "a whole number" if kind is Integral else "a number"
                if name != "target":
                    expected += f" above 0, at most {MAX_LIMIT:.0e}"
                raise InputError(
                    f"{name} is {value!r}; it must be {expected}", field=name, value=value
                )
            if not isinstance(value, int | float):  # such as a number of numpy
                plain = int(value) if kind is Integral else float(value)
                object.__setattr__(self, name, plain)
        if self.seconds is None and self.iterations is None and self.stall is None:
            raise InputError("a Stop needs seconds, iterations or stall", field="stop")


class TimeBudget:
    """The clock of a run: its limits, the time left, and what is reserved for later steps."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
        self._started = time.perf_counter()
        self._reserved = 0.0
        self._best_cost = math.inf
        self._best_iteration = 0
        self._last_report = -math.inf

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._started

    @property
    def remaining(self) -> float:
        """Seconds left to search; infinite without a time limit."""
        return self.remaining_until(1.0)

    def remaining_until(self, share: float) -> float:
        """Seconds left until a share of the time to search has passed; infinite without a limit."""
        if self.stop.seconds is None:
            return math.inf
        return share * (self.stop.seconds - self._reserved) - self.elapsed

    @property
    def elapsed_share(self) -> float:
        """Share of the time limit that has passed; 0 without one."""
        return 0.0 if self.stop.seconds is None else self.elapsed / self.stop.seconds

    def reserve(self, seconds: float) -> None:
        """Reserve time for the steps after the search, in place of any earlier reservation."""
        self._reserved = seconds

    def reserve_for(self, *, merged: int = 0, validated: int = 0) -> None:
        """Reserve the time it takes to merge and to validate that many visits."""
        self.reserve(merged * MERGE_SECONDS + validated * VALIDATION_SECONDS)

    def remaining_stop(self) -> Stop:
        """The limits of a search that starts now.

        However little time is left, the search gets a share of the time limit.
        """
        if self.stop.seconds is None:
            return self.stop
        left = max(MIN_SEARCH_SHARE * self.stop.seconds, self.stop.seconds - self.elapsed)
        seconds = max(MIN_SEARCH_SHARE * left, left - self._reserved)
        return replace(self.stop, seconds=seconds)

    def is_report_due(self, interval: float) -> bool:
        """Return True at most once per interval of that many seconds."""
        now = self.elapsed
        if now - self._last_report < interval:
            return False
        self._last_report = now
        return True

    def should_stop(self, iterations: int, cost: float = math.inf) -> bool:
        """Whether a limit is reached after that many iterations with that best cost."""
        if cost < self._best_cost:
            self._best_cost, self._best_iteration = cost, iterations
        stop = self.stop
        return (
            self.remaining <= 0
            or (stop.iterations is not None and iterations >= stop.iterations)
            or (stop.stall is not None and iterations - self._best_iteration >= stop.stall)
            or (stop.target is not None and cost <= stop.target)
        )
