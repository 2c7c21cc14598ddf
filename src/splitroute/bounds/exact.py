"""Solves the integer version of the relaxation, in rounds, until its solution is a set of routes.

The integer program has only the cuts found so far. If its solution violates others, they are added;
if it is not a set of routes, the conflicts that prevent it are excluded, or else this solution
alone. Otherwise it is optimal. Edges that no better solution can use are left out.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from splitroute.bounds.chains import Conflict, find_conflicts
from splitroute.bounds.network import Network
from splitroute.bounds.relaxation import Relaxation
from splitroute.bounds.walks import UndecidedError, Walks, walks_of
from splitroute.distances import Floats, Integers
from splitroute.milp import Outcome, new_solver, run

log = logging.getLogger(__name__)
INTEGRALITY_TOLERANCE = 1e-6
BOUND_TOLERANCE = 1e-7  # relative: what the tolerances of the integer program may add to a bound


class ExactSolver:
    """Tightens a solved relaxation up to the optimum, or until time is up."""

    def __init__(
        self,
        relaxation: Relaxation,
        cost: float,
        start: Walks,
        on_bound: Callable[[float], bool],
    ) -> None:
        """`on_bound` is called with every valid bound and returns whether to stop."""
        self._relaxation, self._network = relaxation, relaxation.network
        self._cost, self._start, self._on_bound = cost, start, on_bound
        relaxation.add_all_edges(cost - relaxation.bound(), flow_of(self._network, start))
        self._excluded: list[Floats] = []
        self._conflicts: list[Conflict] = []

    def run(self, left: Callable[[], float]) -> Walks | None:
        """Return an optimal solution if it is better than the start and found in time."""
        for round_ in range(10**9):
            if left() <= 0:
                return None
            values = self._solve(left)
            if values is None:
                return None
            visits, flow = values
            self._relaxation.set_solution(visits, flow)
            # A dropped cut might readmit an earlier solution.
            if self._relaxation.separate(round_, left, drop=False):
                continue
            try:
                walks = walks_of(self._network, flow, lambda: left() <= 0)
            except UndecidedError:
                return None
            if walks is not None:
                cost = float(np.triu(flow * self._network.lengths).sum())
                self._on_bound(cost * (1 - BOUND_TOLERANCE))
                return walks
            conflicts = find_conflicts(self._network, flow)
            self._conflicts += conflicts
            if not conflicts:
                self._excluded.append(flow)
        return None

    def _solve(self, left: Callable[[], float]) -> tuple[Floats, Floats] | None:
        """Return visits and flow of the best integer solution below the cost of the start."""
        program = _IntegerProgram(self._relaxation, self._excluded, self._conflicts)
        mip = program.mip
        program.start_from(flow_of(self._network, self._start))
        is_stopped = False

        def check_limits(event: Any) -> None:
            nonlocal is_stopped
            if self._on_bound(self._safe(event.data_out.mip_dual_bound)) or left() <= 0:
                is_stopped = True
                event.interrupt()

        mip.cbMipInterrupt.subscribe(check_limits)
        outcome = run(mip, left())
        # The start is feasible, so no program is infeasible. After numerical trouble, a bound may
        # be anything.
        if outcome is Outcome.INFEASIBLE:
            log.warning("HiGHS finds an integer program infeasible that has a solution")
        if is_stopped or outcome in (Outcome.INFEASIBLE, Outcome.FAILED):
            return None
        self._on_bound(self._safe(mip.getInfo().mip_dual_bound))
        if outcome is not Outcome.OPTIMAL:
            return None
        if mip.getInfo().objective_function_value >= self._cost * (1 - BOUND_TOLERANCE):
            return None
        return program.values()

    def _safe(self, bound: float) -> float:
        """Return a valid bound of the instance for one of the integer program."""
        if not math.isfinite(bound):
            return -math.inf
        return min(self._cost, bound * (1 - BOUND_TOLERANCE))


class _IntegerProgram:
    """The relaxation with integer variables, without excluded solutions and conflicts."""

    def __init__(
        self, relaxation: Relaxation, excluded: list[Floats], conflicts: list[Conflict]
    ) -> None:
        import highspy

        self._relaxation = relaxation
        self.mip = new_solver()
        self.mip.passModel(relaxation.program())
        for conflict in conflicts:
            self._add_conflict(conflict)
        for flow in excluded:
            self._exclude(flow)
        count = self.mip.getNumCol()
        types = np.full(count, int(highspy.HighsVarType.kInteger), dtype=np.uint8)
        self.mip.changeColsIntegrality(count, np.arange(count, dtype=np.int32), types)

    def start_from(self, flow: Floats) -> None:
        """Pass a feasible solution to the solver."""
        columns = self._relaxation.columns_of(flow)
        self.mip.setSolution(len(columns), np.arange(len(columns), dtype=np.int32), columns)

    def values(self) -> tuple[Floats, Floats]:
        """Return visits and flow of the solution, rounded to integers."""
        columns = np.rint(np.array(self.mip.getSolution().col_value))
        return self._relaxation.visits_and_flow(columns)

    def _add_conflict(self, conflict: Conflict) -> None:
        """Require that one of the edges is unused or one of the nodes visited more often."""
        nodes, visits = zip(*conflict.visits.items(), strict=True)
        edges = [self._relaxation.column_of(*edge) for edge in conflict.edges]
        upper = len(edges) - 1 - sum(visits)
        self._add_row(-np.inf, upper, [*edges, *nodes], [1.0] * len(edges) + [-1.0] * len(nodes))

    def _exclude(self, flow: Floats) -> None:
        """Require that at least one edge is used more or less often than in this solution."""
        columns = self._relaxation.columns_of(flow)
        n = self._relaxation.network.size
        indices, values, lower_sum = [], [], 1.0
        for column in range(n, len(columns)):
            lower, upper = self._bounds(column)
            value = columns[column]
            if upper <= 1:
                is_unused = value < INTEGRALITY_TOLERANCE
                indices.append(column)
                values.append(1.0 if is_unused else -1.0)
                lower_sum -= 0.0 if is_unused else 1.0
                continue
            less, more = self._add_binaries()
            self._add_row(-np.inf, upper, [column, less], [1.0, upper - value + 1])
            self._add_row(0.0, np.inf, [column, more], [1.0, -(value + 1)])
            indices += [less, more]
            values += [1.0, 1.0]
            if value <= lower + INTEGRALITY_TOLERANCE:
                self.mip.changeColBounds(less, 0.0, 0.0)
        self._add_row(lower_sum, np.inf, indices, values)

    def _bounds(self, column: int) -> tuple[float, float]:
        _, _, lower, upper, _ = self.mip.getCol(column)
        return lower, upper

    def _add_binaries(self) -> tuple[int, int]:
        first = self.mip.getNumCol()
        for _ in range(2):
            self.mip.addCol(0.0, 0.0, 1.0, 0, np.empty(0, np.int32), np.empty(0))
        return first, first + 1

    def _add_row(self, lower: float, upper: float, indices: list[int], values: list[float]) -> None:
        self.mip.addRow(
            lower, upper, len(indices), np.array(indices, dtype=np.int32), np.array(values)
        )


def flow_of(network: Network, walks: Walks) -> Floats:
    """Return how often each edge is used, as a symmetric table."""
    flow = np.zeros((network.size, network.size))
    for walk in walks:
        nodes: Integers = np.array([0, *walk, 0])
        np.add.at(flow, (nodes[:-1], nodes[1:]), 1.0)
    return flow + flow.T
