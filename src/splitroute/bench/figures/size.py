"""Gap to best known over the number of customers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from splitroute.bench.figures import colour, marker, new_figure
from splitroute.bench.omissions import group_by_reason, missing_gaps
from splitroute.bench.results import Results, instance_key
from splitroute.plots.axes import set_gap_scale, set_log_scale

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "Gap to best known over the number of customers"
CAPTION = "One point per instance and method, mean over the seeds."
REQUIRES = "instances of several sizes"


def draw(results: Results) -> Figure | None:
    """Plot a point per instance and method."""
    customers = {instance_key(r): r["customers"] for r in results.records if r.get("customers")}
    if len(set(customers.values())) < 2:
        return None
    figure, (axes,) = new_figure()
    for method in results.methods:
        gaps = results.gaps(method)
        points = [(customers[key], gap) for key, gap in gaps.items() if key in customers]
        if points:
            xs, ys = zip(*points, strict=True)
            axes.scatter(
                xs, ys, s=14, alpha=0.7, label=method,
                color=colour(results, method), marker=marker(results, method),
            )  # fmt: skip
    set_log_scale(axes, "x")
    axes.set_xlabel("customers")
    axes.set_ylabel("gap to best known, %")
    set_gap_scale(axes)
    axes.legend(fontsize=8, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3)
    return figure


def omitted(results: Results) -> list[str]:
    """List the instances that lack points."""
    return group_by_reason(results, partial(missing_gaps, results))
