"""The best lower bound that a time limit allows."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real

import numpy as np

from splitroute.allocation import allocate
from splitroute.bounds.exact import ExactSolver
from splitroute.bounds.network import Network
from splitroute.bounds.radial import RULES as RADIAL_RULES
from splitroute.bounds.radial import radial_bound
from splitroute.bounds.relaxation import Relaxation
from splitroute.bounds.surrogate import RULES as SURROGATE_RULES
from splitroute.bounds.surrogate import surrogate
from splitroute.bounds.walks import Walks
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.pass_through import with_shortest_paths
from splitroute.registry import require
from splitroute.solution import Route, Solution, Visit, cost, rank
from splitroute.stop import Stop, TimeBudget
from splitroute.validation import check_instance, check_solution, validate

ROUNDS_BETWEEN_PRICING = 5  # rounds of cuts per round of pricing
MAX_CUSTOMERS = 1500  # beyond, only the radial bound is computed
MAX_CUSTOMERS_EXACT = 100  # beyond, the integer program is not tried
GAP_TOLERANCE = 1e-6  # relative difference of cost and bound that counts as none
POLL_SECONDS = 0.01  # while waiting for the first solution of a search


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


def lower_bound(
    instance: Instance,
    seconds: float = 60.0,
    *,
    best: Solution | None = None,
    listener: BoundListener | None = None,
) -> Bound:
    """Compute a lower bound until the time is up or it meets the cost of the `best` solution.

    Given a solution, small instances are solved exactly if time allows: either that solution is
    proven optimal, or the bound comes with an optimal one. With rules, no instance is.
    """
    check_instance(instance, "lower_bound")
    if best is not None:
        check_solution(instance, best, "best", "lower_bound")
    return compute_bound(instance, seconds, None if best is None else lambda: best, listener)


def check(seconds: float, field: str = "seconds") -> None:
    """Raise unless a bound can be computed with that time limit."""
    is_number = isinstance(seconds, Real) and not isinstance(seconds, bool)
    if not is_number or not 0 < seconds < math.inf:
        message = f"{field} is {seconds!r}; it must be a number of seconds above 0"
        raise InputError(message, field=field, value=seconds)
    require("highspy", "bound")


def compute_bound(
    instance: Instance,
    seconds: float,
    best: BestSolution | None,
    listener: BoundListener | None = None,
) -> Bound:
    """Compute a lower bound while a search improves the best solution."""
    check(seconds)
    progress = _BoundProgress(instance, seconds, best, listener)
    radial = radial_bound(instance, _undelivered(instance, best))
    if progress.update(radial, RADIAL_RULES) or len(instance.sites) > MAX_CUSTOMERS + 1:
        return progress.bound()
    if instance.rules:
        if (network_and_constant := surrogate(instance)) is not None:
            network, constant = network_and_constant
            _cut_and_price(Relaxation(network), progress, constant, SURROGATE_RULES)
        return progress.bound()
    network = Network.of(instance)
    if network.size == 1:
        return progress.bound()
    relaxation = Relaxation(network)
    better = None
    is_small = instance.splittable and network.size <= MAX_CUSTOMERS_EXACT + 1
    if _cut_and_price(relaxation, progress) and best is not None and is_small:
        while (start := best()) is None and not progress.update(0.0) and progress.left > 0:
            time.sleep(POLL_SECONDS)
        if start is not None:
            better = _solve_exactly(instance, relaxation, start, progress)
    return progress.bound(better)


def _undelivered(instance: Instance, best: BestSolution | None) -> int | None:
    """The mandatory quantity that the best solution leaves undelivered, if that is allowed."""
    solution = best() if best is not None and instance.partial else None
    return None if solution is None else rank(instance, solution)[0]


def _cut_and_price(
    relaxation: Relaxation,
    progress: _BoundProgress,
    constant: float = 0.0,
    rules: frozenset[str] = frozenset(),
) -> bool:
    """Add cuts and edges; return whether the relaxation is solved before the end of the run."""
    round_seconds = 0.0
    for round_ in range(10**9):
        # A round that would hardly finish in time is not started.
        if progress.left <= round_seconds or not relaxation.solve(progress.left):
            return False
        value = relaxation.bound() * relaxation.network.scale + constant
        is_over = progress.update(value, rules)
        if is_over or progress.left <= round_seconds:
            return False
        left = progress.left
        cuts = relaxation.separate(round_, lambda: progress.left)
        round_seconds = left - progress.left
        if (
            (round_ % ROUNDS_BETWEEN_PRICING == 0 or not cuts)
            and not relaxation.price()
            and not cuts
        ):
            return True
    return False


def _solve_exactly(
    instance: Instance, relaxation: Relaxation, start: Solution, progress: _BoundProgress
) -> Solution | None:
    """Return an optimal solution if it is better than the best so far."""
    network = relaxation.network
    scale = network.scale
    start_cost = cost(instance, start)
    solver = ExactSolver(
        relaxation,
        start_cost / scale,
        _to_walks(network, start),
        # Scaled back, a bound may exceed the cost that it meets by a rounding error.
        lambda value: progress.update(min(value * scale, start_cost)),
    )
    walks = solver.run(lambda: progress.left)
    if walks is None:
        return None
    _, restore = with_shortest_paths(instance)
    solution = restore(_to_solution(network, walks))
    # Without pass-through, shortest paths may be shorter than the distances of the instance.
    is_better = cost(instance, solution) < progress.cost and not validate(instance, solution)
    return solution if is_better else None


def _to_walks(network: Network, solution: Solution) -> Walks:
    node_of = {int(customer): node for node, customer in enumerate(network.customers)}
    return [[node_of[v.customer] for v in r.visits if v.quantity] for r in solution.routes]


def _to_solution(network: Network, walks: Walks) -> Solution:
    allocated = allocate(network.capacity, dict(enumerate(network.demands.tolist())), walks)
    assert allocated is not None
    routes = []
    for walk, quantities in zip(walks, allocated, strict=True):
        nodes = [node for node in dict.fromkeys(walk) if quantities[node]]
        visits = tuple(Visit(int(network.customers[node]), quantities[node]) for node in nodes)
        if visits:
            routes.append(Route(visits))
    return Solution(tuple(routes))


class _BoundProgress:
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
    def cost(self) -> float:
        """Cost of the best solution."""
        best = self._best() if self._best else None
        return math.inf if best is None else cost(self._instance, best)

    def update(self, value: float, rules: frozenset[str] = frozenset()) -> bool:
        """Record a bound and the rules that it takes into account; return whether to stop."""
        if self._is_integral and math.isfinite(value):
            value = float(math.ceil(value))
        if value > self._value:
            self._value, self._rules = value, rules
            self._trace.append((self._budget.elapsed, value))
        return self.left <= 0 or self._value >= self.cost * (1 - GAP_TOLERANCE)

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
