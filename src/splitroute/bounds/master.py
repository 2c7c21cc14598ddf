"""The master program of column generation: which routes to drive how often.

Rows: cover and quantity of each customer, the number of vehicles, and then, as they are found, cuts
and limits of edges. The docs prove that an optimal solution satisfies all of them.
"""

from __future__ import annotations

import numpy as np

from splitroute.bounds.column_prices import RouteDuals, RoutePricer, Visits
from splitroute.bounds.route_pool import (
    Bools,
    Route,
    RoutePool,
    arrays_of,
    crossings,
    uses_of_edges,
)  # fmt: skip
from splitroute.bounds.sets import Sets
from splitroute.distances import Floats, Integers
from splitroute.milp import PRIMAL_SIMPLEX, Outcome, new_solver, run

MAX_CUT_SLACKS = 1000  # cuts beyond must not fall short
FLOW_TOLERANCE = 1e-6
COST_TOLERANCE = 1e-7  # of reduced costs, relative to the longest edge
MAX_COLUMNS = 3000
KEPT_COLUMNS = 1200  # of those with the lowest reduced costs, once there are too many
MIN_IDLE_SLACK = 0.5  # of cuts that are dropped,
MAX_IDLE_CUTS = 200  # if there are more of them


class Master:
    """The linear program; `solve` sets `value`, `duals`, `flow` and `visits`."""

    def __init__(self, pricer: RoutePricer) -> None:
        self._pricer, self._network = pricer, pricer.network
        network, n = self._network, self._network.size
        self.sets: Sets = np.empty((0, n), dtype=bool)
        self.min_vehicles: Floats = np.empty(0)
        self._edges: Integers = np.empty((0, 2), dtype=np.int64)
        # Cuts and limits of edges are found in turn: the row of each.
        self._cut_rows: Integers = np.empty(0, dtype=np.int64)
        self._edge_rows: Integers = np.empty(0, dtype=np.int64)
        self._cut_slacks: Integers = np.empty(0, dtype=np.int64)  # numbers; -1 for none
        self._pool = RoutePool(network)
        self._value_at_drop = np.inf
        self._reduced_costs = np.empty(0)
        self._lp = new_solver()
        self._lp.setOptionValue("simplex_strategy", PRIMAL_SIMPLEX)
        self._first_rows = 2 * n - 1
        lower = np.concatenate([pricer.fits[1:], network.demands[1:], [pricer.min_vehicles]])
        upper = np.full(self._first_rows, np.inf)
        upper[-1] = network.max_vehicles
        no_ints = np.empty(0, np.int32)
        starts = np.zeros(self._first_rows, np.int32)
        self._lp.addRows(
            self._first_rows, lower.astype(float), upper, 0, starts, no_ints, np.empty(0)
        )
        self._add_slack_columns()
        self._row_duals = np.zeros(self._first_rows)
        self._row_duals[:] = np.inf  # before the first solution, every route is worth a column

    def _add_slack_columns(self) -> None:
        """Add the first columns: vehicles too many, what each row lacks or has too much.

        Then those of cuts, which are given rows as these are added.
        """
        rows, n = self._first_rows, self._network.size
        customers = np.arange(2 * n - 2)
        entries = np.concatenate([[rows - 1], np.arange(rows), customers]).astype(np.int32)
        values = np.concatenate([[-1.0], np.ones(rows), -np.ones(len(customers))])
        # Without limits of the surplus, the program might be unbounded.
        surplus = np.concatenate([np.ones(n - 1), self._network.demands[1:]])
        limits = np.concatenate([
            np.full(1 + rows, np.inf), surplus, np.full(MAX_CUT_SLACKS, np.inf),
            np.ones(MAX_CUT_SLACKS),
        ])  # fmt: skip
        self._first_slack = len(entries)
        count = self._fixed_columns = len(limits)
        starts = np.minimum(np.arange(count), len(entries)).astype(np.int32)
        self._lp.addCols(
            count, np.zeros(count), np.zeros(count), limits, len(entries), starts, entries, values
        )

    def attract_duals(self, duals: RouteDuals, vehicle_dual: float, margin: float) -> None:
        """Let duals differ from these by much more than the relative margin at a cost only.

        To that end, rows may fall short or be exceeded at costs near their dual. Before there are
        enough routes, duals would be large for few rows and tell nothing.
        """
        network = self._network
        shared = np.einsum("i,ij->j", duals.cuts, self.sets)
        prizes = (duals.cover + duals.quantity * network.demands + shared)[1:]
        vehicles = margin * (abs(vehicle_dual) + float(network.lengths[0].max()))
        center = np.concatenate([duals.cover[1:], duals.quantity[1:]])
        reach = margin * np.concatenate([prizes, prizes / np.maximum(1, network.demands[1:])])
        costs = np.zeros(self._fixed_columns)
        costs[: self._first_slack] = np.concatenate([
            [max(0.0, -vehicle_dual) + vehicles],
            center + reach,
            [max(0.0, vehicle_dual) + vehicles],
            -np.maximum(0.0, center - reach),
        ])  # fmt: skip
        reach = margin * (float(prizes.mean()) + duals.cuts)
        has_slack = self._cut_slacks >= 0
        places = self._first_slack + self._cut_slacks[has_slack]
        costs[self._first_slack :][:MAX_CUT_SLACKS] = margin * float(prizes.mean())
        costs[places] = (duals.cuts + reach)[has_slack]
        costs[places + MAX_CUT_SLACKS] = -np.maximum(0.0, duals.cuts - reach)[has_slack]
        self._is_penalised = costs != 0
        self._lp.changeColsCost(len(costs), np.arange(len(costs), dtype=np.int32), costs)

    @property
    def columns(self) -> int:
        """Number of routes."""
        return len(self._pool)

    def solve(self, seconds: float) -> bool:
        """Solve the program; return whether it is optimal."""
        if run(self._lp, seconds) is not Outcome.OPTIMAL:
            return False
        solution = self._lp.getSolution()
        self.value = float(self._lp.getInfo().objective_function_value)
        self._row_duals = np.array(solution.row_dual)
        fixed = self._fixed_columns
        self._reduced_costs = np.array(solution.col_dual)[fixed:]
        values = np.array(solution.col_value)
        self.slack = float(values[:fixed].sum(where=self._is_penalised))
        self.flow = self._pool.flow(values[fixed:])
        self.visits: Floats = self.flow.sum(axis=1) / 2
        self.slacks = np.array(solution.row_value)[self._cut_rows] - self.min_vehicles
        n = self._network.size
        duals = np.maximum(0.0, self._row_duals)
        edges = np.zeros((n, n))
        tails, heads = self._edges.T
        limits = np.maximum(0.0, -self._row_duals[self._edge_rows])
        edges[tails, heads] = edges[heads, tails] = limits
        self.duals = RouteDuals(
            np.concatenate([[0.0], duals[: n - 1]]) * self._pricer.fits,
            np.concatenate([[0.0], duals[n - 1 : 2 * n - 2]]),
            duals[self._cut_rows],
            edges,
        )
        return True

    def add_routes(self, visits: Visits) -> int:
        """Add columns for new routes with negative reduced costs; return how many."""
        routes = self._pool.new(visits)
        if not routes:
            return 0
        costs, rows = self._columns_of(routes)
        if np.isfinite(self._row_duals).all():
            limit = -COST_TOLERANCE * float(self._network.lengths.max())
            is_useful = costs - self._row_duals @ rows < limit
            if not is_useful.any():
                return 0
            routes = [route for route, is_kept in zip(routes, is_useful, strict=True) if is_kept]
            costs, rows = costs[is_useful], rows[:, is_useful]
        self._drop_routes()
        self._pool.add(routes)
        lines, places = np.nonzero(rows.T)
        starts = np.searchsorted(lines, np.arange(len(routes))).astype(np.int32)
        self._lp.addCols(
            len(routes), costs, np.zeros(len(routes)), np.full(len(routes), np.inf), len(places),
            starts, places.astype(np.int32), rows.T[lines, places],
        )  # fmt: skip
        return len(routes)

    def _columns_of(self, routes: list[Route]) -> tuple[Floats, Floats]:
        """Return the costs and the coefficients, a column for each route."""
        visits, arcs = arrays_of(routes)
        rows = np.zeros((len(self._row_duals), len(routes)))
        route, node, quantity = visits.T
        np.add.at(rows, (node - 1, route), self._pricer.covers(node, quantity))
        np.add.at(rows, (node - 1 + self._network.size - 1, route), quantity)
        rows[self._first_rows - 1] = 1.0
        rows[self._cut_rows] = crossings(self.sets, arcs, len(routes))
        rows[self._edge_rows] = uses_of_edges(self._edges, arcs, len(routes))
        lengths = self._network.lengths[arcs[:, 1], arcs[:, 2]]
        costs: Floats = np.bincount(arcs[:, 0], lengths, len(routes)).astype(float)
        return costs, rows

    def _drop_routes(self) -> None:
        if len(self._pool) <= MAX_COLUMNS or len(self._reduced_costs) != len(self._pool):
            return
        # Without progress, the same routes would come and go forever.
        if self.value == self._value_at_drop:
            return
        self._value_at_drop = self.value
        limit = max(0.0, float(np.partition(self._reduced_costs, KEPT_COLUMNS)[KEPT_COLUMNS]))
        self._keep_routes(self._reduced_costs <= limit)

    def drop_routes_along(self, edges: Bools) -> None:
        """Remove the routes that use one of these edges."""
        route, tail, head = self._pool.arcs.T
        is_kept = np.ones(len(self._pool), dtype=bool)
        is_kept[route[edges[tail, head]]] = False
        self._keep_routes(is_kept)

    def _keep_routes(self, is_kept: Bools) -> None:
        columns = (np.flatnonzero(~is_kept) + self._fixed_columns).astype(np.int32)
        self._lp.deleteCols(len(columns), columns)
        self._pool.keep(is_kept)
        self._reduced_costs = self._reduced_costs[is_kept[: len(self._reduced_costs)]]

    def add_cuts(self, sets: Sets) -> None:
        """Require that each of these sets is visited by as many vehicles as its load needs."""
        required = self._network.min_vehicles(sets @ self._network.demands).astype(float)
        free = np.setdiff1d(np.arange(MAX_CUT_SLACKS), self._cut_slacks)[: len(sets)]
        slacks = np.full(len(sets), -1)
        slacks[: len(free)] = free
        rows = crossings(sets, self._pool.arcs, len(self._pool))
        added = self._add_rows(slacks, rows, required, np.full(len(sets), np.inf))
        self._cut_slacks = np.concatenate([self._cut_slacks, slacks])
        self._cut_rows = np.concatenate([self._cut_rows, added])
        self.sets = np.concatenate([self.sets, sets])
        self.min_vehicles = np.concatenate([self.min_vehicles, required])

    def add_edge_limits(self) -> int:
        """Require that edges between customers are used at most once; return how many are new."""
        is_overused = np.triu(self.flow > 1 + FLOW_TOLERANCE, 1)
        is_overused[0] = False
        edges = np.argwhere(is_overused)
        if len(edges):
            count = len(edges)
            rows = uses_of_edges(edges, self._pool.arcs, len(self._pool))
            none, free = np.full(count, -1), np.full(count, -np.inf)
            added = self._add_rows(none, rows, free, np.ones(count))
            self._edge_rows = np.concatenate([self._edge_rows, added])
            self._edges = np.concatenate([self._edges, edges])
        return len(edges)

    def _add_rows(self, slacks: Integers, routes: Floats, lower: Floats, upper: Floats) -> Integers:
        rows = np.hstack([np.zeros((len(routes), self._fixed_columns)), routes])
        has_slack = slacks >= 0
        places = self._first_slack + slacks[has_slack]
        rows[has_slack, places] = 1.0
        rows[has_slack, places + MAX_CUT_SLACKS] = -1.0
        lines, columns = np.nonzero(rows)
        starts = np.searchsorted(lines, np.arange(len(rows))).astype(np.int32)
        self._lp.addRows(
            len(rows), lower, upper, len(columns), starts, columns.astype(np.int32),
            rows[lines, columns],
        )  # fmt: skip
        first = len(self._row_duals)
        self._row_duals = np.concatenate([self._row_duals, np.zeros(len(rows))])
        return np.arange(first, first + len(rows))

    def drop_idle_cuts(self) -> Bools:
        """Remove cuts that are far from tight if there are many; return which ones are kept."""
        is_idle = self.slacks > MIN_IDLE_SLACK
        if is_idle.sum() <= MAX_IDLE_CUTS:
            is_idle[:] = False
            return ~is_idle
        dropped = self._cut_rows[is_idle]
        self._lp.deleteRows(len(dropped), dropped.astype(np.int32))
        is_kept = np.ones(len(self._row_duals), dtype=bool)
        is_kept[dropped] = False
        numbers = np.cumsum(is_kept) - 1
        self._row_duals = self._row_duals[is_kept]
        self._cut_rows = numbers[self._cut_rows[~is_idle]]
        self._edge_rows = numbers[self._edge_rows]
        self._cut_slacks = self._cut_slacks[~is_idle]
        self.sets, self.min_vehicles = self.sets[~is_idle], self.min_vehicles[~is_idle]
        self.slacks = self.slacks[~is_idle]
        return ~is_idle
