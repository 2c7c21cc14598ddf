"""The best lower bound that a time limit allows."""

from __future__ import annotations

import logging
import math
import time
from numbers import Real

from splitroute.allocation import allocate
from splitroute.bounds.bound_progress import (
    MAX_CUSTOMERS,
    BestSolution,
    Bound,
    BoundListener,
    BoundProgress,
)
from splitroute.bounds.columns import ColumnGeneration, duals_of_edges
from splitroute.bounds.exact import ExactSolver, flow_of
from splitroute.bounds.network import Network
from splitroute.bounds.radial import RULES as RADIAL_RULES
from splitroute.bounds.radial import radial_bound
from splitroute.bounds.relaxation import Relaxation
from splitroute.bounds.surrogate import RULES as SURROGATE_RULES
from splitroute.bounds.surrogate import surrogate
from splitroute.bounds.walks import Walks
from splitroute.core import completed
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.pass_through import with_shortest_paths
from splitroute.solution import Route, Solution, Visit, cost, rank
from splitroute.validation import check_instance, check_solution, validate

log = logging.getLogger(__name__)
ROUNDS_BETWEEN_PRICING = 5  # rounds of cuts per round of pricing
MAX_CUSTOMERS_EXACT = 100  # beyond, the integer program is not tried
# What the program over edges takes of the time limit before routes are added: at least, at most
MIN_EDGE_SHARE, MAX_EDGE_SHARE = 0.07, 0.5
MIN_RISE = 0.01  # of its bound, relative, in the last quarter of the time; less is left to routes
EASY_SHARE = 0.88  # of the time limit that is left after trying small instances,
MIN_EASY_SHARE = 0.05  # for which there is at least so much
POLL_SECONDS = 0.01  # while waiting for the first solution of a search


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


def compute_bound(
    instance: Instance,
    seconds: float,
    best: BestSolution | None,
    listener: BoundListener | None = None,
) -> Bound:
    """Compute a lower bound while a search improves the best solution."""
    check(seconds)
    progress = BoundProgress(instance, seconds, best, listener)
    radial = radial_bound(instance, _undelivered(instance, best))
    if progress.update(radial, RADIAL_RULES) or len(instance.sites) > MAX_CUSTOMERS + 1:
        return progress.bound()
    if instance.rules:
        _bound_with_rules(instance, progress, seconds)
        return progress.bound()
    network = Network.of(instance)
    if network.size == 1:
        return progress.bound()
    relaxation = Relaxation(network)
    is_solved = _cut_and_price(relaxation, progress, seconds=seconds)
    is_small = best is not None and instance.splittable and network.size <= MAX_CUSTOMERS_EXACT + 1
    better = None
    # Some small instances are solved at once.
    if is_solved and is_small and best is not None and (start := best()) is not None:
        reserve = min(EASY_SHARE * seconds, progress.left - MIN_EASY_SHARE * seconds)
        is_optimal, better = _solve_exactly(instance, relaxation, start, progress, reserve)
        if is_optimal:
            return progress.bound(better)
    if progress.is_over:
        return progress.bound()
    # The search may find a better solution any time; edges are excluded by the cost of this one.
    known = best() if best else None
    limit = math.inf if known is None else cost(instance, known)
    start = known or _construct(instance)
    generation = _add_columns(relaxation, progress, start, limit)
    if generation is not None and start is not None and not progress.is_over:
        # What pricing knows about edges and sets makes the integer program smaller.
        if len(generation.master.sets):
            relaxation.add_cuts(generation.master.sets)
        is_used = flow_of(network, _to_walks(network, start)) > 0
        relaxation.exclude_edges(generation.pricer.is_excluded & ~is_used)
        is_solved = False
    is_solved = is_solved or _cut_and_price(relaxation, progress)
    if is_solved and is_small and best is not None:
        while (start := best()) is None and not progress.update(0.0) and progress.left > 0:
            time.sleep(POLL_SECONDS)
        if start is not None and not progress.is_over:
            _, better = _solve_exactly(instance, relaxation, start, progress)
    return progress.bound(better)


def _bound_with_rules(instance: Instance, progress: BoundProgress, seconds: float) -> None:
    """Bound the network that no solution with these rules costs less in."""
    if (network_and_constant := surrogate(instance)) is None:
        return
    network, constant = network_and_constant
    relaxation, rules = Relaxation(network), SURROGATE_RULES
    is_solved = _cut_and_price(relaxation, progress, constant, rules, seconds)
    if not progress.is_over:
        _add_columns(relaxation, progress, None, progress.cost, constant, rules)
    if not is_solved and not progress.is_over:
        _cut_and_price(relaxation, progress, constant, rules)


def _undelivered(instance: Instance, best: BestSolution | None) -> int | None:
    """The mandatory quantity that the best solution leaves undelivered, if that is allowed."""
    solution = best() if best is not None and instance.partial else None
    return None if solution is None else rank(instance, solution)[0]


def _cut_and_price(
    relaxation: Relaxation,
    progress: BoundProgress,
    constant: float = 0.0,
    rules: frozenset[str] = frozenset(),
    seconds: float | None = None,
) -> bool:
    """Add cuts and edges; return whether the relaxation is solved.

    Given the time limit in seconds, leave time to add routes.
    """
    round_seconds = 0.0
    reserve = 0.0 if seconds is None else (1 - MAX_EDGE_SHARE) * seconds

    def left() -> float:
        return progress.left - reserve

    # Of this program alone: the bound so far may be a better one.
    trace = [(0.0, 0.0)]
    priced = 0.0  # when edges were priced last

    def has_flattened() -> bool:
        if seconds is None or progress.elapsed < MIN_EDGE_SHARE * seconds:
            return False
        since = 0.75 * progress.elapsed
        before = max(value for elapsed, value in trace if elapsed <= since)
        # Negative reduced costs of edges without a column hide what cuts have gained.
        return priced > since and trace[-1][1] < (1 + MIN_RISE) * before

    for round_ in range(10**9):
        # A round that would hardly finish in time is not started.
        if left() <= round_seconds or not relaxation.solve(left()):
            return False
        value = relaxation.bound() * relaxation.network.scale + constant
        trace.append((progress.elapsed, max(value, trace[-1][1])))
        is_over = progress.update(value, rules)
        if is_over or left() <= round_seconds or has_flattened():
            return False
        before = left()
        cuts = relaxation.separate(round_, left)
        round_seconds = before - left()
        if round_ % ROUNDS_BETWEEN_PRICING == 0 or not cuts:
            priced = progress.elapsed
            if not relaxation.price() and not cuts:
                return True
    return False


def _construct(instance: Instance) -> Solution | None:
    """Return some solution, or None if the core cannot represent the instance."""
    try:
        return completed(instance, Solution(()))
    except InputError:
        return None


def _add_columns(
    relaxation: Relaxation,
    progress: BoundProgress,
    start: Solution | None,
    limit: float,
    constant: float = 0.0,
    rules: frozenset[str] = frozenset(),
) -> ColumnGeneration | None:
    """Strengthen the bound of the relaxation by routes, with those of a solution to start with.

    The bound is one of solutions that cost less than the limit, which is that of a known one.
    """
    sets, cut_duals, degree_duals = relaxation.cuts_and_duals()
    network = relaxation.network
    sets, duals = duals_of_edges(network, sets, cut_duals, degree_duals)
    cutoff = (progress.cutoff(limit) - constant) / network.scale
    generation = ColumnGeneration(network, sets, duals, cutoff)
    generation.pricer.is_excluded |= relaxation.useless_edges(cutoff)
    if not generation.pricer.is_affordable:
        log.info(
            "the lower bound is without routes: too much for %d customers and a capacity of %d",
            network.size - 1, generation.pricer.network.capacity,
        )  # fmt: skip
        return None
    if start is not None:
        generation.add_walks(_to_walks(network, start))
    generation.run(
        lambda: progress.left,
        lambda value: progress.update(min(value * network.scale + constant, limit), rules),
    )
    return generation


def _solve_exactly(
    instance: Instance,
    relaxation: Relaxation,
    start: Solution,
    progress: BoundProgress,
    reserve: float = 0.0,
) -> tuple[bool, Solution | None]:
    """Return whether an optimum of the network is known, and its solution if that is better.

    Give up with that many seconds left.
    """
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
    walks = solver.run(lambda: progress.left - reserve)
    if walks is None:
        return False, None
    _, restore = with_shortest_paths(instance)
    solution = restore(_to_solution(network, walks))
    # Without pass-through, shortest paths may be shorter than the distances of the instance.
    is_better = cost(instance, solution) < progress.cost and not validate(instance, solution)
    return True, solution if is_better else None


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
