"""Column generation: tightens the bound of the relaxation over edges by routes.

Duals are smoothed: routes are priced for a combination of the current duals and those of the best
bound. Whatever the duals, pricing gives a valid bound.

A. Pessoa, R. Sadykov, E. Uchoa, F. Vanderbeck: Automation and combination of linear-programming
based stabilization techniques in column generation. INFORMS Journal on Computing 30 (2018).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from splitroute import _core
from splitroute.allocation import allocate
from splitroute.bounds.column_prices import (
    RouteDuals,
    RoutePricer,
    Visits,
    in_largest_units,
)
from splitroute.bounds.master import Master
from splitroute.bounds.network import Network
from splitroute.bounds.sets import Sets, shared_duals
from splitroute.distances import Floats

log = logging.getLogger(__name__)
MIN_SMOOTHING, MAX_SMOOTHING = 0.8, 0.98  # weight of the best duals
SMOOTHING_STEP = 0.8  # by which the other weight shrinks while the bound does not rise
MAX_ROUTES = 500  # of each pricing
EXCLUSION_STEP = 0.8  # by which the gap shrinks until edges are excluded again
MIN_NEW_ROUTES = 20  # with fewer, routes are priced for other duals too
CLOSED_GAP = 1e-3  # of the master and its bound, relative, at which cuts are separated
EFFORTS = (2, 6, 20)
MIN_NEW_CUTS = 10  # with fewer, separation is repeated with more effort
MAX_NEW_CUTS = 100
MAX_TIGHT_SLACK = 0.1  # of cuts that separation starts from
MARGIN = 0.5  # by which duals may differ from the best ones, relative,
MARGIN_OF_LONG_ROUTES = 0.02  # or where there are more
CUSTOMERS_OF_LONG_ROUTES = 10  # customers for each vehicle: then it takes longer to find good ones
MARGIN_GROWTH = 2.0  # until all rows are satisfied
MARGIN_SHRINKAGE = 0.25  # while the bound does not rise although they are,
STALLED_ROUNDS = 10  # in so many rounds
MIN_MARGIN = 0.02
MAX_MARGIN = 1e4
SLACK_TOLERANCE = 1e-6


class ColumnGeneration:
    """Starts from the cuts and duals of the relaxation over edges."""

    def __init__(
        self, network: Network, sets: Sets, duals: RouteDuals, cutoff: float = np.inf
    ) -> None:
        """Only solutions that cost less than the cutoff have to satisfy the bounds."""
        self.pricer = RoutePricer(in_largest_units(network))
        self.master = Master(self.pricer)
        self.master.add_routes(_single_customers(self.pricer.network))
        self.master.add_cuts(sets)
        self.best_duals = duals
        self._cutoff, self._gap = cutoff, np.inf
        self._best_bound = -np.inf
        self._vehicle_dual = 0.0
        self._round = 0
        self._smoothing = MIN_SMOOTHING
        self._margin = MARGIN
        self._stalled, self._max_stalled = 0, STALLED_ROUNDS  # rounds since the bound rose

    def add_walks(self, walks: Sequence[Sequence[int]]) -> None:
        """Add the routes of a solution."""
        network = self.pricer.network
        nodes = [list(dict.fromkeys(walk)) for walk in walks]
        demands = dict(enumerate(network.demands.tolist()))
        allocated = allocate(network.capacity, demands, nodes)
        lines = [
            (route, node, quantity)
            for route, quantities in enumerate(allocated or [])
            for node, quantity in quantities.items()
            if quantity
        ]
        if lines:
            self.master.add_routes(np.array(lines, dtype=np.int32))

    def run(self, left: Callable[[], float], on_bound: Callable[[float], bool]) -> None:
        """Add routes and cuts; `on_bound` gets each new bound and returns whether to stop."""
        self._price(self.best_duals, left)
        if on_bound(self._best_bound):
            return
        self._attract(MARGIN_OF_LONG_ROUTES if self._has_long_routes else MARGIN)
        while left() > 0 and self.master.solve(left()):
            is_improved, added = self._price_smoothed(left)
            log.debug(
                "value %.1f slack %.2f bound %.1f added %d columns %d cuts %d edges %d",
                self.master.value, self.master.slack, self._best_bound, added,
                self.master.columns, len(self.master.sets),
                (~self.pricer.is_excluded).sum() // 2,
            )  # fmt: skip
            if is_improved and on_bound(self._best_bound):
                return
            self._stalled = 0 if is_improved else self._stalled + 1
            has_slack = self.master.slack > SLACK_TOLERANCE
            is_closed = self.master.value - self._best_bound <= CLOSED_GAP * self.master.value
            is_stuck = self._stalled >= self._max_stalled and not has_slack and not is_closed
            if is_stuck and self._margin > MIN_MARGIN:
                # At a known solution, whose duals may be anything, also far from the best ones.
                self._attract(max(MIN_MARGIN, MARGIN_SHRINKAGE * self._margin))
                continue
            if not is_closed and added:
                continue
            if has_slack and self._margin < MAX_MARGIN:
                self._max_stalled *= 2  # so that the margin does not go up and down forever
                self._attract(MARGIN_GROWTH * self._margin)
            elif not self._separate(left) and not added:
                return

    def _attract(self, margin: float) -> None:
        self._margin, self._stalled = margin, 0
        self.master.attract_duals(self.best_duals, self._vehicle_dual, margin)

    @property
    def _has_long_routes(self) -> bool:
        return self.pricer.network.size > CUSTOMERS_OF_LONG_ROUTES * self.pricer.min_vehicles

    def _price_smoothed(self, left: Callable[[], float]) -> tuple[bool, int]:
        """Return whether the bound has risen and how many routes were added."""
        is_improved, total = False, 0
        weights = self._smoothing, MIN_SMOOTHING / 2, 0.0
        for is_exact, weight in product((False, True), weights):
            if total and is_exact:
                break
            duals = self.master.duals.blend(self.best_duals, weight)
            has_risen, added = self._price(duals, left, is_exact)
            is_improved |= has_risen
            total += added
            if total >= (1 if is_exact else MIN_NEW_ROUTES) or left() <= 0:
                break
        # Far from the best duals nothing is learned about them.
        closer = 1 - SMOOTHING_STEP * (1 - self._smoothing)
        self._smoothing = MIN_SMOOTHING if is_improved else min(MAX_SMOOTHING, closer)
        return is_improved, total

    def _price(
        self, duals: RouteDuals, left: Callable[[], float], is_exact: bool = True
    ) -> tuple[bool, int]:
        master = self.master
        gap = self._cutoff - self._best_bound
        is_due = is_exact and gap < EXCLUSION_STEP * self._gap
        priced = self.pricer.price(
            master.sets,
            master.min_vehicles,
            duals,
            MAX_ROUTES,
            left(),
            is_exact,
            gap if is_due else None,
        )
        has_risen = priced.bound > self._best_bound
        if has_risen:
            self._best_bound, self.best_duals = priced.bound, duals
            self._vehicle_dual = priced.min_cost
        if is_due and has_risen:
            self._gap = gap
            if self.pricer.exclude_edges(priced, self._cutoff):
                master.drop_routes_along(self.pricer.is_excluded)
        return has_risen, master.add_routes(priced.visits)

    def _separate(self, left: Callable[[], float]) -> int:
        """Add violated cuts and limits of edges; return how many."""
        master, network = self.master, self.pricer.network
        self._round += 1
        slacks = master.slacks
        limits = master.add_edge_limits()
        for effort in EFFORTS:
            cuts = _core.capacity_cuts(
                master.flow, master.visits, network.demands, network.capacity,
                master.sets[slacks < MAX_TIGHT_SLACK], effort, MAX_NEW_CUTS, self._round, left(),
            )  # fmt: skip
            if len(cuts) >= MIN_NEW_CUTS or left() <= 0:
                break
        is_kept = master.drop_idle_cuts()
        self.best_duals = self.best_duals.keep_cuts(is_kept)
        if len(cuts):
            master.add_cuts(cuts)
            self.best_duals = self.best_duals.with_cuts(len(cuts))
        return len(cuts) + limits


def _single_customers(network: Network) -> Visits:
    """Return routes that serve one customer each, enough of them for all demands."""
    lines: list[tuple[int, int, int]] = []
    for node, demand in enumerate(network.demands.tolist()):
        for quantity in {min(demand, network.capacity), demand % network.capacity} - {0}:
            lines.append((len(lines), node, quantity))
    return np.array(lines, dtype=np.int32)


def duals_of_edges(
    network: Network, sets: Sets, cut_duals: Floats, degree_duals: Floats
) -> tuple[Sets, RouteDuals]:
    """Return the duals of a relaxation over edges as those of routes, and cuts for large demands.

    What a visit pays there, its degree twice less the cuts, is the price of a customer here.
    """
    n = network.size
    shared = shared_duals(sets, cut_duals)
    reduced = network.lengths - degree_duals[:, None] - degree_duals[None, :] + shared
    edges = np.maximum(0.0, -reduced)
    edges[0] = edges[:, 0] = 0.0
    np.fill_diagonal(edges, 0.0)
    visits = np.maximum(0.0, 2 * degree_duals - shared.diagonal())
    visits[0] = 0.0
    is_large = network.demands > network.capacity
    large = np.flatnonzero(is_large)
    singles = np.eye(n, dtype=bool)[large]
    cover = np.where(is_large, 0.0, visits)
    cuts = np.concatenate([cut_duals, visits[large]])
    return np.concatenate([sets, singles]), RouteDuals(cover, np.zeros(n), cuts, edges)
