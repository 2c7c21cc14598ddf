"""Linear and integer programs, solved by HiGHS."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

import numpy as np

log = logging.getLogger(__name__)
MAX_NODES = 200  # of branch and bound, for a small integer program
MIN_SECONDS = 0.01  # shortest time limit of a program
PRIMAL_SIMPLEX = 4  # option `simplex_strategy`
EARLY_SECONDS = 0.1  # before the limit, where HiGHS may already stop


class Outcome(Enum):
    """How solving a program ended."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    STOPPED = "stopped"  # by a limit or a callback
    FAILED = "failed"  # numerical trouble in every way of solving it


OUTCOMES = {  # by name of the HiGHS status; after all others nothing is known
    "kOptimal": Outcome.OPTIMAL,
    "kInfeasible": Outcome.INFEASIBLE,
    "kTimeLimit": Outcome.STOPPED,
    "kSolutionLimit": Outcome.STOPPED,
    "kInterrupt": Outcome.STOPPED,
    "kHighsInterrupt": Outcome.STOPPED,
}
WAYS: tuple[tuple[str, dict[str, int | str]], ...] = (
    ("after a warm start", {}),
    ("from scratch", {}),
    ("by the primal simplex", {"simplex_strategy": PRIMAL_SIMPLEX}),
    ("without presolve", {"presolve": "off"}),
    ("by the interior point method", {"solver": "ipm"}),
)


def new_solver() -> Any:
    """Return a silent single-threaded solver without a program."""
    import highspy

    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("mip_abs_gap", 0.0)
    return solver


def run(solver: Any, seconds: float = math.inf) -> Outcome:
    """Solve the program, in other ways if HiGHS ends without a verdict.

    After a warm start HiGHS may report `kUnknown` for a program that it solves from scratch. That
    says nothing about the program, and is no time limit.
    """
    deadline = time.monotonic() + seconds
    statuses: list[str] = []
    for name, options in WAYS:
        left = deadline - time.monotonic()
        if statuses:
            if left <= 0:
                return Outcome.STOPPED
            solver.passModel(solver.getLp())  # drops the basis and its factorisation
        status = _run_with(solver, options, left)
        # Only the clock says whether time is up.
        is_early = status == "kTimeLimit" and deadline - time.monotonic() > EARLY_SECONDS
        if status in OUTCOMES and not is_early:
            if statuses:
                log.info("HiGHS: %s, but %s %s", ", ".join(statuses), status, name)
            return OUTCOMES[status]
        statuses.append(status)
    log.warning("HiGHS could not solve a program: %s", ", ".join(statuses))
    return Outcome.FAILED


def _run_with(solver: Any, options: Mapping[str, int | str], seconds: float) -> str:
    """Run the solver once with other options and return the name of the resulting status."""
    import highspy

    before = {option: solver.getOptionValue(option)[1] for option in options}
    for option, value in options.items():
        solver.setOptionValue(option, value)
    solver.setOptionValue("time_limit", solver.getRunTime() + max(MIN_SECONDS, seconds))
    is_error = solver.run() == highspy.HighsStatus.kError
    if is_error:
        # Other code in this process may have used HiGHS with another number of threads.
        highspy.Highs.resetGlobalScheduler(True)
        is_error = solver.run() == highspy.HighsStatus.kError
    status = "kError" if is_error else str(solver.getModelStatus().name)
    for option, value in before.items():
        solver.setOptionValue(option, value)
    return status


class Program:
    """A small integer program, built column by column and row by row."""

    def __init__(self, seconds: float | None) -> None:
        self._solver = new_solver()
        self._solver.setOptionValue("mip_max_nodes", MAX_NODES)
        self._seconds = math.inf if seconds is None else seconds
        self._columns: list[tuple[float, float, bool]] = []  # cost, upper bound, is integer
        self._rows: list[tuple[float, float, list[int], list[float]]] = []

    def add_integer(self, cost: float, upper: int) -> int:
        """Add an integer variable from 0 to `upper` and return its column."""
        self._columns.append((cost, float(upper), True))
        return len(self._columns) - 1

    def add_continuous(self, upper: int) -> int:
        """Add a continuous variable from 0 to `upper` without cost and return its column."""
        self._columns.append((0.0, float(upper), False))
        return len(self._columns) - 1

    def require_equal(self, columns: list[int], value: int) -> None:
        """Add the row sum(columns) = value."""
        self._rows.append((value, value, columns, [1.0] * len(columns)))

    def require_at_most(
        self, columns: Iterable[int], value: float, times: int | None = None
    ) -> None:
        """Add the row sum(columns) <= value, or value times another column."""
        columns = list(columns)
        values = [1.0] * len(columns)
        if times is not None:
            columns, values, value = [*columns, times], [*values, -float(value)], 0.0
        self._rows.append((-np.inf, value, columns, values))

    def require_at_least(self, columns: list[int], value: int, minus: int | None = None) -> None:
        """Add the row sum(columns) >= value, with another column subtracted from the sum."""
        values = [1.0] * len(columns)
        if minus is not None:
            columns, values = [*columns, minus], [*values, -1.0]
        self._rows.append((value, np.inf, columns, values))

    def solve(self, cutoff: float) -> list[float] | None:
        """Return the values of a solution below the cutoff, or None."""
        import highspy

        costs, upper, is_integer = (np.array(part) for part in zip(*self._columns, strict=True))
        count = len(costs)
        solver = self._solver
        solver.addVars(count, np.zeros(count), upper.astype(float))
        columns = np.arange(count, dtype=np.int32)
        solver.changeColsCost(count, columns, costs.astype(float))
        types = np.where(is_integer, int(highspy.HighsVarType.kInteger), 0).astype(np.uint8)
        solver.changeColsIntegrality(count, columns, types)
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
        if run(solver, self._seconds) in (Outcome.INFEASIBLE, Outcome.FAILED):
            return None
        info = solver.getInfo()
        if info.primal_solution_status != highspy.kSolutionStatusFeasible:
            return None
        if info.objective_function_value >= cutoff:
            return None
        return list(solver.getSolution().col_value)
