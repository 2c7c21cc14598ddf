"""Gap to best known against the size of the instance."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from splitroute.bench.figures import canvas, colour, mark
from splitroute.bench.omissions import instances, no_gap
from splitroute.bench.results import Runs
from splitroute.plots.axes import from_nothing, plain_log

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "Gap to best known against the number of customers"
CAPTION = "One point per instance and method, the mean over its seeds."
NEEDS = "instances of several sizes"


def draw(runs: Runs) -> Figure | None:
    """A cloud of points per method."""
    customers = {
        (r.get("set") or "", r["instance"]): r["customers"]
        for r in runs.records
        if r.get("customers")
    }
    if len(set(customers.values())) < 2:
        return None
    figure, (axes,) = canvas()
    for method in runs.methods:
        points = [(customers[k], gap) for k, gap in runs.gaps(method).items() if k in customers]
        if points:
            xs, ys = zip(*points, strict=True)
            axes.scatter(
                xs, ys, s=14, alpha=0.7, label=method,
                color=colour(runs, method), marker=mark(runs, method),
            )  # fmt: skip
    plain_log(axes, "x")
    axes.set_xlabel("customers")
    axes.set_ylabel("gap to best known, %")
    from_nothing(axes)
    axes.legend(fontsize=8, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3)
    return figure


def left_out(runs: Runs) -> list[str]:
    """Where points are missing."""
    return instances(runs, partial(no_gap, runs))
