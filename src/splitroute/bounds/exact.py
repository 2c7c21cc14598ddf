"""The integer version of the relaxation, in rounds, until its solution is one of the instance.

The integer program knows only the cuts found so far. Its solution may violate others, which are
added; or it may not be made of routes that can carry the demands, and then what makes that
impossible is excluded, or else this solution alone. Otherwise it is optimal. Edges that cannot be
part of anything better than what is known already are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from splitroute.bounds.chains import Blocked, blocked_chains
from splitroute.bounds.network import Network
from splitroute.bounds.relaxation import Relaxation
from splitroute.bounds.walks import UndecidedError, Walks, walks_of
from splitroute.distances import Floats, Integers
from splitroute.milp import new_solver, run

WHOLE = 1e-6  # from a whole number
MARGIN = 1e-7  # of a bound: what the tolerances of the integer program may add to it

Told = Callable[[float], bool]  # a valid bound; True asks to stop


class Exact:
    """Tightens a solved relaxation up to the optimum, or until time is up."""

    def __init__(self, relaxation: Relaxation, cost: float, known: Walks, told: Told) -> None:
        self._relaxation, self._network = relaxation, relaxation.network
        self._cost, self._told = cost, told
        relaxation.add_all_edges(cost - relaxation.bound(), _flow(self._network, known))
        self._start = known
        self._excluded: list[Floats] = []
        self._blocked: list[Blocked] = []

    def run(self, left: Callable[[], float]) -> Walks | None:
        """A better solution that is optimal, or None; bounds are told as they rise."""
        for round_ in range(10**9):
            if left() <= 0:
                return None
            values = self._solve(left)
            if values is None:
                return None
            visits, flow = values
            self._relaxation.look_at(visits, flow)
            # A cut that was dropped might let in a solution that was here before.
            if self._relaxation.separate(round_, left, drop=False):
                continue
            try:
                walks = walks_of(self._network, flow, lambda: left() <= 0)
            except UndecidedError:
                return None
            if walks is not None:
                self._told(float(np.triu(flow * self._network.lengths).sum()) * (1 - MARGIN))
                return walks
            blocked = blocked_chains(self._network, flow)
            self._blocked += blocked
            if not blocked:
                self._excluded.append(flow)
        return None

    def _solve(self, left: Callable[[], float]) -> tuple[Floats, Floats] | None:
        """The best integer solution, if it is below the known cost and found in time."""
        import highspy

        program = _Program(self._relaxation, self._excluded, self._blocked)
        mip = program.mip
        mip.setOptionValue("time_limit", max(0.01, left()))
        program.start_from(_flow(self._network, self._start))
        stopped = False

        def look(event: Any) -> None:
            nonlocal stopped
            if self._told(self._safe(event.data_out.mip_dual_bound)) or left() <= 0:
                stopped = True
                event.interrupt()

        mip.cbMipInterrupt.subscribe(look)
        run(mip)
        if stopped:
            return None
        status = mip.getModelStatus()
        self._told(self._safe(mip.getInfo().mip_dual_bound))
        if status != highspy.HighsModelStatus.kOptimal:
            return None
        if mip.getInfo().objective_function_value >= self._cost * (1 - MARGIN):
            return None
        return program.values()

    def _safe(self, bound: float) -> float:
        """A bound of the integer program as one of the instance."""
        if not math.isfinite(bound):
            return self._cost if bound > 0 else -math.inf
        return min(self._cost, bound * (1 - MARGIN))


class _Program:
    """The integer program of a relaxation with some solutions excluded."""

    def __init__(
        self, relaxation: Relaxation, excluded: list[Floats], blocked: list[Blocked]
    ) -> None:
        import highspy

        self._relaxation = relaxation
        self.mip = new_solver()
        self.mip.passModel(relaxation.program())
        for reason in blocked:
            self._block(reason)
        for flow in excluded:
            self._exclude(flow)
        count = self.mip.getNumCol()
        kinds = np.full(count, int(highspy.HighsVarType.kInteger), dtype=np.uint8)
        self.mip.changeColsIntegrality(count, np.arange(count, dtype=np.int32), kinds)

    def start_from(self, flow: Floats) -> None:
        """Hands over a known solution."""
        columns = self._relaxation.columns_of(flow)
        self.mip.setSolution(len(columns), np.arange(len(columns), dtype=np.int32), columns)

    def values(self) -> tuple[Floats, Floats]:
        """Visits and flow of the solution, in whole numbers."""
        columns = np.rint(np.array(self.mip.getSolution().col_value))
        return self._relaxation.visits_and_flow(columns)

    def _block(self, reason: Blocked) -> None:
        """One of the edges is not used, or one of the nodes is visited more often."""
        nodes, visits = zip(*reason.visits.items(), strict=True)
        edges = [self._relaxation.column_of(*edge) for edge in reason.edges]
        most = len(edges) - 1 - sum(visits)
        self._row(-np.inf, most, [*edges, *nodes], [1.0] * len(edges) + [-1.0] * len(nodes))

    def _exclude(self, flow: Floats) -> None:
        """At least one edge is used more often or less often than in this solution."""
        columns = self._relaxation.columns_of(flow)
        n = self._relaxation.network.size
        indices, values, least = [], [], 1.0
        for column in range(n, len(columns)):
            lower, upper = self._bounds(column)
            value = columns[column]
            if upper <= 1:
                indices.append(column)
                values.append(1.0 if value < WHOLE else -1.0)
                least -= 0.0 if value < WHOLE else 1.0
                continue
            less, more = self._marks()
            self._row(-np.inf, upper, [column, less], [1.0, upper - value + 1])
            self._row(0.0, np.inf, [column, more], [1.0, -(value + 1)])
            indices += [less, more]
            values += [1.0, 1.0]
            if value <= lower + WHOLE:
                self.mip.changeColBounds(less, 0.0, 0.0)
        self._row(least, np.inf, indices, values)

    def _bounds(self, column: int) -> tuple[float, float]:
        _, _, lower, upper, _ = self.mip.getCol(column)
        return lower, upper

    def _marks(self) -> tuple[int, int]:
        first = self.mip.getNumCol()
        for _ in range(2):
            self.mip.addCol(0.0, 0.0, 1.0, 0, np.empty(0, np.int32), np.empty(0))
        return first, first + 1

    def _row(self, lower: float, upper: float, indices: list[int], values: list[float]) -> None:
        self.mip.addRow(
            lower, upper, len(indices), np.array(indices, dtype=np.int32), np.array(values)
        )


def _flow(network: Network, walks: Walks) -> Floats:
    """How often each edge is used, as a table."""
    flow = np.zeros((network.size, network.size))
    for walk in walks:
        stops: Integers = np.array([0, *walk, 0])
        np.add.at(flow, (stops[:-1], stops[1:]), 1.0)
    return flow + flow.T
