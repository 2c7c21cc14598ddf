"""The lower bound of an instance: at any time the best so far."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from splitroute.allocation import quantities
from splitroute.bounds.exact import Exact
from splitroute.bounds.network import Network
from splitroute.bounds.radial import radial_bound
from splitroute.bounds.relaxation import Relaxation
from splitroute.bounds.walks import Walks
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.pass_through import with_shortest_paths
from splitroute.registry import require
from splitroute.solution import Route, Solution, Visit, cost
from splitroute.validation import validate

ROUNDS_BETWEEN_PRICING = 5  # rounds between two looks for edges
MAX_CUSTOMERS = 1500  # customers; beyond that only the simplest bound is had
MAX_CUSTOMERS_EXACT = 100  # customers of an instance whose integer program is worth a try
GAP_TOLERANCE = 1e-6  # relative difference of a bound and a cost that counts as none


@dataclass(frozen=True, slots=True)
class Bound:
    """No solution costs less than `value`."""

    value: float
    seconds: float
    trace: tuple[tuple[float, float], ...] = ()  # (seconds, bound) of each improvement
    solution: Solution | None = None  # better than the one known, if one was found

    def reached(self, cost: float) -> bool:
        """Whether a solution of that cost is proven to be optimal."""
        return cost - self.value <= GAP_TOLERANCE * abs(cost)


Known = Callable[[], Solution | None]
Told = Callable[[float, float], bool | None]  # seconds and bound; True asks to stop


def lower_bound(
    instance: Instance,
    seconds: float = 60.0,
    *,
    best: Solution | None = None,
    told: Told | None = None,
) -> Bound:
    """The best bound found in so many seconds, or earlier if it meets the cost of the `best`.

    With a solution that is known, small instances are solved to the end, if time allows: then that
    solution is proven to be optimal, or a better one is found that is.
    """
    if best is not None and (violations := validate(instance, best)):
        raise InputError(f"the best is not a valid solution: {violations[0].message}")
    return tighten(instance, seconds, None if best is None else lambda: best, told)


def check(seconds: float) -> None:
    """Raises if a bound cannot be had, or not in such a time."""
    if not 0 < seconds < math.inf:
        raise InputError(
            f"the time for the bound is {seconds}; it is a number of seconds above 0",
            field="bound",
            value=seconds,
        )
    require("highspy", "bound")


def tighten(
    instance: Instance,
    seconds: float,
    known: Known | None,
    told: Told | None = None,
) -> Bound:
    """The same beside a search: `known` is its best solution so far."""
    check(seconds)
    progress = _Progress(instance, seconds, known, told)
    if progress.see(radial_bound(instance)) or len(instance.sites) > MAX_CUSTOMERS + 1:
        return progress.bound()
    network = Network.of(instance)
    if network.size == 1:
        return progress.bound()
    relaxation = Relaxation(network)
    found = None
    exactly = known is not None and instance.splittable and network.size <= MAX_CUSTOMERS_EXACT + 1
    if _tighten(relaxation, progress) and known and exactly:
        while (best := known()) is None and not progress.see(0.0) and progress.left > 0:
            time.sleep(0.01)  # the search has nothing yet
        if best is not None:
            found = _solved(instance, relaxation, best, progress)
    return progress.bound(found)


def _solved(
    instance: Instance, relaxation: Relaxation, best: Solution, progress: _Progress
) -> Solution | None:
    network = relaxation.network
    scale = network.scale
    target = cost(instance, best) / scale
    # Scaled back, the cost itself may come out a little above what it is.
    exact = Exact(
        relaxation, target, _walks(network, best),
        lambda value: progress.see(min(value * scale, cost(instance, best))),
    )  # fmt: skip
    walks = exact.run(lambda: progress.left)
    if walks is None:
        return None
    _, driven = with_shortest_paths(instance)
    better = driven(_solution(network, walks))
    # Without passing through, shortest ways may be shorter than what can be driven.
    worth = cost(instance, better) < progress.cost and not validate(instance, better)
    return better if worth else None


def _tighten(relaxation: Relaxation, progress: _Progress) -> bool:
    """Adds cuts and edges; returns whether there are no more and it is worth while to go on."""
    took = 0.0
    for round_ in range(10**9):
        # What can hardly be finished in time is not begun.
        if progress.left <= took or not relaxation.solve(progress.left):
            return False
        if progress.see(relaxation.bound() * relaxation.network.scale) or progress.left <= took:
            return False
        left = progress.left
        cuts = relaxation.separate(round_, lambda: progress.left)
        took = left - progress.left
        if (
            (round_ % ROUNDS_BETWEEN_PRICING == 0 or not cuts)
            and not relaxation.price()
            and not cuts
        ):
            return True
    return False


def _walks(network: Network, solution: Solution) -> Walks:
    node_of = {int(customer): node for node, customer in enumerate(network.customers)}
    return [[node_of[v.customer] for v in r.visits if v.quantity] for r in solution.routes]


def _solution(network: Network, walks: Walks) -> Solution:
    carried = quantities(network.capacity, dict(enumerate(network.demands.tolist())), walks)
    assert carried is not None
    routes = []
    for walk, amounts in zip(walks, carried, strict=True):
        nodes = [node for node in dict.fromkeys(walk) if amounts[node]]
        visits = tuple(Visit(int(network.customers[node]), amounts[node]) for node in nodes)
        if visits:
            routes.append(Route(visits))
    return Solution(tuple(routes))


class _Progress:
    """The best bound so far, the cost that it is to meet, and the time."""

    def __init__(
        self,
        instance: Instance,
        seconds: float,
        known: Known | None,
        told: Told | None,
    ) -> None:
        self._began = time.perf_counter()
        self._instance, self._seconds = instance, seconds
        self._known, self._told = known, told
        # Where all distances are whole numbers, so are the costs of all solutions.
        table = instance.table if len(instance.sites) <= MAX_CUSTOMERS + 1 else None
        self._whole = table is not None and bool(np.array_equal(table, np.rint(table)))
        self._trace: list[tuple[float, float]] = []
        self._value = 0.0
        self._asked = False

    @property
    def left(self) -> float:
        """Seconds; none if somebody asks to stop."""
        seconds = time.perf_counter() - self._began
        if not self._asked and self._told is not None:
            self._asked = bool(self._told(seconds, self._value))
        return 0.0 if self._asked else self._seconds - seconds

    @property
    def cost(self) -> float:
        best = self._known() if self._known else None
        return math.inf if best is None else cost(self._instance, best)

    def see(self, value: float) -> bool:
        """Takes note of a bound; returns whether to stop."""
        if self._whole and math.isfinite(value):
            value = float(math.ceil(value))
        seconds = time.perf_counter() - self._began
        if value > self._value:
            self._value = value
            self._trace.append((seconds, value))
        return self.left <= 0 or self._value >= self.cost * (1 - GAP_TOLERANCE)

    def bound(self, solution: Solution | None = None) -> Bound:
        seconds = time.perf_counter() - self._began
        return Bound(self._value, seconds, tuple(self._trace), solution)
