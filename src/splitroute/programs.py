"""Linear and integer programs, solved by HiGHS."""

from __future__ import annotations

from typing import Any

from splitroute.catalogue import require
from splitroute.errors import EngineError


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
