"""When to stop."""

import math
import time
from dataclasses import dataclass
from numbers import Integral, Real

from splitroute.errors import InputError

KINDS = {"seconds": Real, "iterations": Integral, "stall": Integral, "target": Real}
MAX_LIMIT = 10**15  # seconds or iterations


@dataclass(frozen=True, slots=True)
class Stop:
    """Limits of a run; the first one reached ends it."""

    seconds: float | None = None
    iterations: int | None = None
    stall: int | None = None  # iterations without improvement
    target: float | None = None  # a cost that is good enough

    def __post_init__(self) -> None:
        for name, kind in KINDS.items():
            value = getattr(self, name)
            if value is None:
                continue
            fits = isinstance(value, kind) and not isinstance(value, bool)
            if not fits or not (name == "target" or 0 < value <= MAX_LIMIT) or math.isnan(value):
                words = "whole number" if kind is Integral else "number"
                above = "" if name == "target" else f" above 0, at most {MAX_LIMIT:.0e}"
                raise InputError(
                    f"{name} is {value!r}; it is a {words}{above}", field=name, value=value
                )
        if self.seconds is None and self.iterations is None and self.stall is None:
            raise InputError("no limit given; set seconds, iterations or stall")


class Watch:
    """A clock started with the run that says when its Stop is reached."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
        self._started = time.perf_counter()
        self._best = math.inf
        self._best_at = 0
        self._reported = -math.inf

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._started

    @property
    def left(self) -> float:
        """Seconds left; infinite without a time limit."""
        return math.inf if self.stop.seconds is None else self.stop.seconds - self.seconds

    @property
    def share(self) -> float:
        """Share of the time limit that has passed; 0 without one."""
        return 0.0 if self.stop.seconds is None else self.seconds / self.stop.seconds

    def due(self, every: float) -> bool:
        """Whether it is time for another report; true at most once in so many seconds."""
        now = self.seconds
        if now - self._reported < every:
            return False
        self._reported = now
        return True

    def reached(self, iterations: int, cost: float = math.inf) -> bool:
        """Whether to stop after that many iterations with that best cost."""
        if cost < self._best:
            self._best, self._best_at = cost, iterations
        stop = self.stop
        return (
            self.left <= 0
            or (stop.iterations is not None and iterations >= stop.iterations)
            or (stop.stall is not None and iterations - self._best_at >= stop.stall)
            or (stop.target is not None and cost <= stop.target)
        )
