"""The linear program over edges: every set of customers is entered as often as its load requires.

Columns are the number of visits to each node (for the depot: of vehicles) and the number of times
that each edge is used; rows are the degrees and the capacity cuts found so far. Edges are brought
in when they pay, cuts when they are violated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from splitroute import _core
from splitroute.bounds.network import Network
from splitroute.distances import Floats, Integers
from splitroute.milp import new_solver, run

Sets = np.ndarray[Any, np.dtype[np.bool_]]  # a row per set of nodes

NEAR = 12  # neighbours of each customer whose edges are there from the beginning
MARGIN = 1e-9  # of the bound: more than rounding can add up to
PAYS = 1e-7  # a reduced cost below minus that, relative to the longest edge
MOST_NEW_EDGES = 1000
MOST_NEW_CUTS = 150
ENOUGH_CUTS = 10  # a round with fewer is tried again with more effort
EFFORTS = (2, 6, 20)
TIGHT = 0.1  # slack of the cuts from which others are sought
AGES = 1e9  # seconds
IDLE = 0.5  # slack of those that may be dropped,
MOST_IDLE = 200  # if there are more of them


class Relaxation:
    """The linear program; `solve` it, then look at `visits` and `flow`, add cuts, and so on."""

    def __init__(self, network: Network) -> None:
        self.network = network
        n = network.size
        self._tails = np.empty(0, dtype=np.int32)
        self._heads = np.empty(0, dtype=np.int32)
        self._known = np.eye(n, dtype=bool)  # edges that have a column
        self._sets: Sets = np.empty((0, n), dtype=bool)
        self._needs = np.empty(0)
        self._rents = np.empty(0)  # dual values of the cuts, as `_prices` are those of the degrees
        self._lp = new_solver()
        self._lower = network.vehicles(network.demands).astype(float)
        self._lower[0] = network.vehicles(network.demands.sum())
        self._upper = np.full(n, float(network.most_vehicles))
        self._add_columns(np.zeros(n), self._lower, self._upper, [np.empty(0, np.int32)] * n, [])
        degrees = np.arange(n, dtype=np.int32)
        self._lp.addRows(n, np.zeros(n), np.zeros(n), n, degrees, degrees, np.full(n, -2.0))
        self._neighbours = NEAR
        self.add_edges(self._near())

    @property
    def cuts(self) -> int:
        """The number of cuts in the program."""
        return len(self._sets)

    @property
    def edges(self) -> int:
        """The number of edges in the program."""
        return len(self._tails)

    def solve(self, seconds: float) -> bool:
        """Whether there is a solution; without one nothing else changes."""
        import highspy

        self._lp.setOptionValue("time_limit", self._lp.getRunTime() + max(0.01, seconds))
        run(self._lp)
        # Few vehicles have to go from cluster to cluster, by edges that may not be there yet.
        while self._lp.getModelStatus() == highspy.HighsModelStatus.kInfeasible and self._widen():
            run(self._lp)
        if self._lp.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return False
        n = self.network.size
        solution = self._lp.getSolution()
        self.look_at(*self.visits_and_flow(np.array(solution.col_value)))
        duals = np.array(solution.row_dual)
        self._prices, self._rents = duals[:n], np.maximum(0.0, duals[n:])
        return True

    def look_at(self, visits: Floats, flow: Floats) -> None:
        """Cuts are sought for this solution next."""
        self.visits, self.flow = visits, flow

    def visits_and_flow(self, columns: Floats) -> tuple[Floats, Floats]:
        """What the values of the columns mean; the flow is a symmetric table."""
        n = self.network.size
        flow = np.zeros((n, n))
        flow[self._tails, self._heads] = columns[n : n + self.edges]
        return columns[:n], flow + flow.T

    def columns_of(self, flow: Floats) -> Floats:
        """The values of the columns for a flow."""
        return np.concatenate([flow.sum(axis=1) / 2, flow[self._tails, self._heads]])

    def column_of(self, tail: int, head: int) -> int:
        """The column of an edge, the smaller node first."""
        (at,) = np.flatnonzero((self._tails == tail) & (self._heads == head))
        return self.network.size + int(at)

    def program(self) -> Any:
        """The linear program as it stands."""
        return self._lp.getLp()

    def bound(self) -> float:
        """A value that no solution is below, whatever the tolerances of the solver.

        Any prices of the rows give one, if what an edge or a visit costs beyond them is counted as
        often as it can occur at most.
        """
        rest = self._reduced_costs()
        edges = np.triu(np.minimum(rest, 0.0), 1)
        edges[0] *= 2 * self.network.most_vehicles
        per_visit = 2 * self._prices - self._rents @ self._sets
        visits = np.minimum(per_visit * self._lower, per_visit * self._upper)
        parts = [float(self._rents @ self._needs), float(edges.sum()), float(visits.sum())]
        size = float(np.abs(edges).sum() + np.abs(visits).sum()) + abs(parts[0])
        return sum(parts) - MARGIN * size

    def price(self) -> int:
        """Brings in edges that pay; returns how many."""
        rest = np.triu(self._reduced_costs(), 1)
        rest[self._known] = 0.0
        found = np.argwhere(rest < -PAYS * self.network.lengths.max())
        if len(found) > MOST_NEW_EDGES:
            worst = np.argsort(rest[found[:, 0], found[:, 1]])[:MOST_NEW_EDGES]
            found = found[worst]
        self.add_edges(found)
        return len(found)

    def add_all_edges(self, gap: float, flow: Floats) -> None:
        """Brings in what a solution within this gap of the bound may use, and those of a flow."""
        wanted = (self._reduced_costs() <= gap) | (flow > 0)
        self.add_edges(np.argwhere(np.triu(wanted & ~self._known, 1)))

    def add_edges(self, edges: Integers) -> None:
        """Columns for these pairs of nodes, the smaller first."""
        if not len(edges):
            return
        tails, heads = edges[:, 0].astype(np.int32), edges[:, 1].astype(np.int32)
        n = self.network.size
        rows, values = [], []
        for i, j in zip(tails, heads, strict=True):
            inside = np.flatnonzero(self._sets[:, i] & self._sets[:, j]) + n
            rows.append(np.concatenate([[i, j], inside]).astype(np.int32))
            values.append(np.concatenate([[1.0, 1.0], -np.ones(len(inside))]))
        most = np.where(tails == 0, 2.0 * self.network.most_vehicles, 1.0)
        self._add_columns(
            self.network.lengths[tails, heads], np.zeros(len(tails)), most, rows, values
        )
        self._tails = np.concatenate([self._tails, tails])
        self._heads = np.concatenate([self._heads, heads])
        self._known[tails, heads] = self._known[heads, tails] = True

    def separate(
        self, seed: int, left: Callable[[], float] = lambda: AGES, drop: bool = True
    ) -> int:
        """Adds sets that are entered less often than their load requires; returns how many.

        They are sought by growing sets around every customer and by exchanging customers in those
        and in the cuts that are tight, while seconds are `left`. Cuts that are far from it may be
        dropped.
        """
        slacks = self.slacks()
        for effort in EFFORTS:
            found = _core.capacity_cuts(
                self.flow, self.visits, self.network.demands, self.network.capacity,
                self._sets[slacks < TIGHT], effort, MOST_NEW_CUTS, seed, left(),
            )  # fmt: skip
            if len(found) >= ENOUGH_CUTS or left() <= 0:
                break
        idle = slacks > IDLE
        if drop and idle.sum() > MOST_IDLE:
            self._drop_cuts(idle)
        if len(found):
            self.add_cuts(found)
        return len(found)

    def add_cuts(self, sets: Sets) -> None:
        """Each of these sets is entered at least as often as its load requires."""
        n = self.network.size
        needs = self.network.vehicles(sets @ self.network.demands).astype(float)
        inside = sets[:, self._tails] & sets[:, self._heads]
        starts, columns, values = [], [], []
        filled = 0
        for row, edges in zip(sets, inside, strict=True):
            nodes, within = np.flatnonzero(row), np.flatnonzero(edges)
            starts.append(filled)
            columns += [nodes, n + within]
            values += [np.ones(len(nodes)), -np.ones(len(within))]
            filled += len(nodes) + len(within)
        self._lp.addRows(
            len(sets), needs, np.full(len(sets), np.inf), filled, np.array(starts, dtype=np.int32),
            np.concatenate(columns).astype(np.int32), np.concatenate(values),
        )  # fmt: skip
        self._sets = np.concatenate([self._sets, sets])
        self._needs = np.concatenate([self._needs, needs])
        self._rents = np.concatenate([self._rents, np.zeros(len(sets))])

    def _drop_cuts(self, idle: Sets) -> None:
        """Takes cuts out of the program."""
        rows = (np.flatnonzero(idle) + self.network.size).astype(np.int32)
        self._lp.deleteRows(len(rows), rows)
        self._sets, self._needs = self._sets[~idle], self._needs[~idle]
        self._rents = self._rents[~idle]

    def slacks(self) -> Floats:
        """How far each cut is from being tight."""
        s = self._sets.astype(float)
        within: Floats = 0.5 * ((s @ self.flow) * s).sum(axis=1)
        return np.asarray(s @ self.visits - within - self._needs)

    def _reduced_costs(self) -> Floats:
        shared = self._sets.astype(float).T @ (self._rents[:, None] * self._sets)
        rest: Floats = self.network.lengths - self._prices[:, None] - self._prices[None, :]
        return rest + shared

    def _near(self) -> Integers:
        """The edges of the depot and those to each customer's nearest neighbours."""
        lengths = self.network.lengths + np.diag(np.full(self.network.size, np.inf))
        count = min(self._neighbours, self.network.size - 1)
        nearest = np.argpartition(lengths, count - 1, axis=1)[:, :count]
        chosen = np.zeros_like(self._known)
        np.put_along_axis(chosen, nearest, True, axis=1)
        chosen[0] = True
        chosen[0, 0] = False
        return np.argwhere(np.triu((chosen | chosen.T) & ~self._known, 1))

    def _widen(self) -> bool:
        """Brings in twice as many neighbours; returns whether there were more."""
        before = self.edges
        while self.edges == before and self._neighbours < self.network.size - 1:
            self._neighbours *= 2
            self.add_edges(self._near())
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
