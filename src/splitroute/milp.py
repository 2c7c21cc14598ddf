"""Linear and integer programs, solved by HiGHS."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from splitroute.errors import EngineError
from splitroute.registry import require

MOST_NODES = 200  # of a small integer program


def new_solver() -> Any:
    """A silent solver on one core, without a program yet."""
    require("highspy", "bound")
    import highspy

    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("mip_abs_gap", 0.0)
    return solver


def run(solver: Any) -> None:
    """Solves the program; raises if that is not even tried."""
    import highspy

    if solver.run() != highspy.HighsStatus.kError:
        return
    # Somebody else in this process may have used HiGHS with another number of threads.
    highspy.Highs.resetGlobalScheduler(True)
    if solver.run() == highspy.HighsStatus.kError:
        raise EngineError("HiGHS could not solve a program")


class Program:
    """A small integer program, put together column by column and row by row."""

    def __init__(self, seconds: float | None) -> None:
        self._solver = new_solver()
        self._solver.setOptionValue("mip_max_nodes", MOST_NODES)
        if seconds is not None:
            self._solver.setOptionValue("time_limit", max(0.01, seconds))
        self._columns: list[tuple[float, float, bool]] = []  # cost, upper bound, whole
        self._rows: list[tuple[float, float, list[int], list[float]]] = []

    def count(self, cost: float, most: int) -> int:
        """A whole number from 0, and what each costs."""
        self._columns.append((cost, float(most), True))
        return len(self._columns) - 1

    def amount(self, most: int) -> int:
        """A quantity."""
        self._columns.append((0.0, float(most), False))
        return len(self._columns) - 1

    def equal(self, columns: list[int], value: int) -> None:
        """Their sum."""
        self._rows.append((value, value, columns, [1.0] * len(columns)))

    def at_most(self, columns: Iterable[int], value: float, if_used: int | None = None) -> None:
        """Their sum; with another column, that many times its value."""
        columns = list(columns)
        values = [1.0] * len(columns)
        if if_used is not None:
            columns, values, value = [*columns, if_used], [*values, -float(value)], 0.0
        self._rows.append((-np.inf, value, columns, values))

    def at_least(self, columns: list[int], value: int, minus: int | None = None) -> None:
        """Their sum, less another column."""
        values = [1.0] * len(columns)
        if minus is not None:
            columns, values = [*columns, minus], [*values, -1.0]
        self._rows.append((value, np.inf, columns, values))

    def solve(self, below: float) -> list[float] | None:
        """The values of the columns, if a solution below that was found."""
        import highspy

        costs_, upper, whole = (np.array(part) for part in zip(*self._columns, strict=True))
        count = len(costs_)
        solver = self._solver
        solver.addVars(count, np.zeros(count), upper.astype(float))
        every = np.arange(count, dtype=np.int32)
        solver.changeColsCost(count, every, costs_.astype(float))
        kinds = np.where(whole, int(highspy.HighsVarType.kInteger), 0).astype(np.uint8)
        solver.changeColsIntegrality(count, every, kinds)
        starts = np.cumsum([0, *(len(row[2]) for row in self._rows)])
        solver.addRows(
            len(self._rows),
            np.array([row[0] for row in self._rows], dtype=float),
            np.array([row[1] for row in self._rows], dtype=float),
            int(starts[-1]),
            starts[:-1].astype(np.int32),
            np.concatenate([row[2] for row in self._rows]).astype(np.int32),
            np.concatenate([row[3] for row in self._rows]).astype(float),
        )
        run(solver)
        info = solver.getInfo()
        if info.primal_solution_status != highspy.kSolutionStatusFeasible:
            return None
        if info.objective_function_value >= below:
            return None
        return list(solver.getSolution().col_value)
