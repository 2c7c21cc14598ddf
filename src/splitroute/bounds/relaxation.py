"""The linear relaxation over edges, with rounded capacity cuts.

Columns are the number of visits to each node (for the depot: of vehicles) and the number of times
that each edge is used; rows are the degree equations and the cuts found so far. Edges are priced
in, cuts separated.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from splitroute import _core
from splitroute.bounds.network import Network
from splitroute.bounds.sets import Sets, entering_flow, shared_duals
from splitroute.distances import Floats, Integers
from splitroute.milp import Outcome, new_solver, run

log = logging.getLogger(__name__)

NEIGHBOURS = 12  # nearest ones of each customer whose edges the first program has
ROUNDING_TOLERANCE = 1e-9  # relative: more than rounding errors add up to
PRICING_TOLERANCE = 1e-7  # of reduced costs, relative to the longest edge
MAX_NEW_EDGES = 1000
MAX_NEW_CUTS = 150
MIN_NEW_CUTS = 10  # with fewer, separation is repeated with more effort
EFFORTS = (2, 6, 20)
MAX_TIGHT_SLACK = 0.1  # of cuts that separation starts from
MIN_IDLE_SLACK = 0.5  # of cuts that may be dropped,
MAX_IDLE_CUTS = 200  # if there are more of them
UNLIMITED_SECONDS = 1e9


class Relaxation:
    """The linear program: `solve` sets `visits` and `flow`, `separate` and `price` extend it."""

    def __init__(self, network: Network) -> None:
        self.network = network
        n = network.size
        self._tails = np.empty(0, dtype=np.int32)
        self._heads = np.empty(0, dtype=np.int32)
        self._has_column = np.eye(n, dtype=bool)
        self._is_excluded = np.zeros((n, n), dtype=bool)
        self._sets: Sets = np.empty((0, n), dtype=bool)
        self._min_vehicles = np.empty(0)  # of each set
        self._degree_duals = np.zeros(n)
        self._cut_duals = np.empty(0)
        self._lp = new_solver()
        self._lower = network.min_vehicles(network.demands).astype(float)
        self._lower[0] = network.min_vehicles(network.demands.sum())
        self._upper = np.full(n, float(network.max_vehicles))
        self._add_columns(np.zeros(n), self._lower, self._upper, [np.empty(0, np.int32)] * n, [])
        degrees = np.arange(n, dtype=np.int32)
        self._lp.addRows(n, np.zeros(n), np.zeros(n), n, degrees, degrees, np.full(n, -2.0))
        self._neighbours = NEIGHBOURS
        self.add_edges(self._nearest_edges())

    @property
    def edges(self) -> int:
        """Number of edges in the program."""
        return len(self._tails)

    def solve(self, seconds: float) -> bool:
        """Solve the program; return whether it is optimal."""
        deadline = time.monotonic() + seconds
        outcome = run(self._lp, seconds)
        # A small fleet has to connect distant clusters, perhaps by edges without a column.
        while outcome is Outcome.INFEASIBLE and self._add_neighbours():
            outcome = run(self._lp, deadline - time.monotonic())
        if outcome is Outcome.INFEASIBLE:
            log.warning("HiGHS finds the relaxation of %d nodes infeasible", self.network.size)
        if outcome is not Outcome.OPTIMAL:
            return False
        n = self.network.size
        solution = self._lp.getSolution()
        self.set_solution(*self.visits_and_flow(np.array(solution.col_value)))
        duals = np.array(solution.row_dual)
        self._degree_duals, self._cut_duals = duals[:n], np.maximum(0.0, duals[n:])
        return True

    def set_solution(self, visits: Floats, flow: Floats) -> None:
        """Set the solution that `separate` looks for violated cuts in."""
        self.visits, self.flow = visits, flow

    def visits_and_flow(self, columns: Floats) -> tuple[Floats, Floats]:
        """Return the visits and the flow, a symmetric table, of column values."""
        n = self.network.size
        flow = np.zeros((n, n))
        flow[self._tails, self._heads] = columns[n : n + self.edges]
        return columns[:n], flow + flow.T

    def columns_of(self, flow: Floats) -> Floats:
        """Return the column values of a flow."""
        return np.concatenate([flow.sum(axis=1) / 2, flow[self._tails, self._heads]])

    def column_of(self, tail: int, head: int) -> int:
        """Column of an edge, the smaller node first."""
        (index,) = np.flatnonzero((self._tails == tail) & (self._heads == head))
        return self.network.size + int(index)

    def cuts_and_duals(self) -> tuple[Sets, Floats, Floats]:
        """Return the sets of cuts with duals above 0, these duals and the degree duals."""
        is_tight = self._cut_duals > 0
        return self._sets[is_tight], self._cut_duals[is_tight], self._degree_duals

    def program(self) -> Any:
        """Return the current linear program."""
        return self._lp.getLp()

    def bound(self) -> float:
        """Return a valid lower bound, whatever the tolerances of the solver.

        Any duals give one: negative reduced costs count as often as their column can be used.
        """
        edges = np.triu(np.minimum(self._reduced_costs(), 0.0), 1)
        edges[self._is_excluded] = 0.0
        edges[0] *= 2 * self.network.max_vehicles
        visit_costs = 2 * self._degree_duals - self._cut_duals @ self._sets
        visits = np.minimum(visit_costs * self._lower, visit_costs * self._upper)
        parts = [
            float(self._cut_duals @ self._min_vehicles),
            float(edges.sum()),
            float(visits.sum()),
        ]
        magnitude = float(np.abs(edges).sum() + np.abs(visits).sum()) + abs(parts[0])
        return sum(parts) - ROUNDING_TOLERANCE * magnitude

    def price(self) -> int:
        """Add edges with negative reduced costs; return how many."""
        reduced = np.triu(self._reduced_costs(), 1)
        reduced[self._has_column] = 0.0
        edges = np.argwhere(reduced < -PRICING_TOLERANCE * self.network.lengths.max())
        if len(edges) > MAX_NEW_EDGES:
            lowest = np.argsort(reduced[edges[:, 0], edges[:, 1]])[:MAX_NEW_EDGES]
            edges = edges[lowest]
        self.add_edges(edges)
        return len(edges)

    def useless_edges(self, cutoff: float) -> Sets:
        """Return the edges that no solution below the cutoff uses, by their reduced costs."""
        gap = cutoff - self.bound() + ROUNDING_TOLERANCE * abs(cutoff)
        is_useless: Sets = self._reduced_costs() > gap
        return is_useless

    def exclude_edges(self, is_excluded: Sets) -> None:
        """Do without these edges from now on."""
        self._is_excluded |= is_excluded
        self._has_column |= is_excluded
        used = np.flatnonzero(is_excluded[self._tails, self._heads])
        columns = (used + self.network.size).astype(np.int32)
        zeros = np.zeros(len(columns))
        self._lp.changeColsBounds(len(columns), columns, zeros, zeros)

    def add_all_edges(self, gap: float, flow: Floats) -> None:
        """Add the edges of a flow and those a solution within this gap of the bound may use."""
        is_useful = (self._reduced_costs() <= gap) | (flow > 0)
        self.add_edges(np.argwhere(np.triu(is_useful & ~self._has_column, 1)))

    def add_edges(self, edges: Integers) -> None:
        """Add columns for pairs of nodes, the smaller one first."""
        if not len(edges):
            return
        tails, heads = edges[:, 0].astype(np.int32), edges[:, 1].astype(np.int32)
        n = self.network.size
        rows, values = [], []
        for i, j in zip(tails, heads, strict=True):
            inside = np.flatnonzero(self._sets[:, i] & self._sets[:, j]) + n
            rows.append(np.concatenate([[i, j], inside]).astype(np.int32))
            values.append(np.concatenate([[1.0, 1.0], -np.ones(len(inside))]))
        upper = np.where(tails == 0, 2.0 * self.network.max_vehicles, 1.0)
        self._add_columns(
            self.network.lengths[tails, heads], np.zeros(len(tails)), upper, rows, values
        )
        self._tails = np.concatenate([self._tails, tails])
        self._heads = np.concatenate([self._heads, heads])
        self._has_column[tails, heads] = self._has_column[heads, tails] = True

    def separate(
        self, seed: int, left: Callable[[], float] = lambda: UNLIMITED_SECONDS, drop: bool = True
    ) -> int:
        """Add violated capacity cuts; return how many.

        The search grows sets around every customer, then exchanges customers in those sets and in
        tight cuts, until no seconds are `left`. With `drop`, it removes idle cuts.
        """
        slacks = self.slacks()
        for effort in EFFORTS:
            cuts = _core.capacity_cuts(
                self.flow, self.visits, self.network.demands, self.network.capacity,
                self._sets[slacks < MAX_TIGHT_SLACK], effort, MAX_NEW_CUTS, seed, left(),
            )  # fmt: skip
            if len(cuts) >= MIN_NEW_CUTS or left() <= 0:
                break
        is_idle = slacks > MIN_IDLE_SLACK
        if drop and is_idle.sum() > MAX_IDLE_CUTS:
            self._drop_cuts(is_idle)
        if len(cuts):
            self.add_cuts(cuts)
        return len(cuts)

    def add_cuts(self, sets: Sets) -> None:
        """Require that each of these sets is visited by as many vehicles as its load needs."""
        n = self.network.size
        min_vehicles = self.network.min_vehicles(sets @ self.network.demands).astype(float)
        inside = sets[:, self._tails] & sets[:, self._heads]
        starts, columns, values = [], [], []
        size = 0
        for row, edges in zip(sets, inside, strict=True):
            nodes, within = np.flatnonzero(row), np.flatnonzero(edges)
            starts.append(size)
            columns += [nodes, n + within]
            values += [np.ones(len(nodes)), -np.ones(len(within))]
            size += len(nodes) + len(within)
        self._lp.addRows(
            len(sets), min_vehicles, np.full(len(sets), np.inf), size,
            np.array(starts, dtype=np.int32), np.concatenate(columns).astype(np.int32),
            np.concatenate(values),
        )  # fmt: skip
        self._sets = np.concatenate([self._sets, sets])
        self._min_vehicles = np.concatenate([self._min_vehicles, min_vehicles])
        self._cut_duals = np.concatenate([self._cut_duals, np.zeros(len(sets))])

    def _drop_cuts(self, is_idle: Sets) -> None:
        """Remove cuts from the program."""
        rows = (np.flatnonzero(is_idle) + self.network.size).astype(np.int32)
        self._lp.deleteRows(len(rows), rows)
        self._sets, self._min_vehicles = self._sets[~is_idle], self._min_vehicles[~is_idle]
        self._cut_duals = self._cut_duals[~is_idle]

    def slacks(self) -> Floats:
        """Slack of each cut."""
        return entering_flow(self._sets, self.visits, self.flow) - self._min_vehicles

    def _reduced_costs(self) -> Floats:
        duals = self._degree_duals
        without_cuts: Floats = self.network.lengths - duals[:, None] - duals[None, :]
        return without_cuts + shared_duals(self._sets, self._cut_duals)

    def _nearest_edges(self) -> Integers:
        """Edges of the depot and to each customer's nearest neighbours, without a column."""
        lengths = self.network.lengths + np.diag(np.full(self.network.size, np.inf))
        count = min(self._neighbours, self.network.size - 1)
        nearest = np.argpartition(lengths, count - 1, axis=1)[:, :count]
        is_near = np.zeros_like(self._has_column)
        np.put_along_axis(is_near, nearest, True, axis=1)
        is_near[0] = True
        is_near[0, 0] = False
        return np.argwhere(np.triu((is_near | is_near.T) & ~self._has_column, 1))

    def _add_neighbours(self) -> bool:
        """Double the number of neighbours; return whether edges were added."""
        before = self.edges
        while self.edges == before and self._neighbours < self.network.size - 1:
            self._neighbours *= 2
            self.add_edges(self._nearest_edges())
        return self.edges > before

    def _add_columns(
        self, costs: Floats, lower: Floats, upper: Floats, rows: list[Any], values: list[Any]
    ) -> None:
        sizes = [len(row) for row in rows]
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int32)
        self._lp.addCols(
            len(costs), costs, lower, upper, sum(sizes), starts,
            np.concatenate(rows).astype(np.int32),
            np.concatenate(values) if values else np.empty(0),
        )  # fmt: skip
