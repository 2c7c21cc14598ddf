"""Saving by splitting over the mean demand of an instance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from splitroute.bench.figures import COLOURS, MARKERS, new_figure
from splitroute.bench.omissions import group_by_reason
from splitroute.bench.results import Results, instance_key

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "Saving by splitting"
CAPTION = (
    "Best cost with splitting against best cost without (rule none), over the mean demand of the "
    "instance."
)
REQUIRES = "a method with rule none and another one on the same instances"


def draw(results: Results) -> Figure | None:
    """Plot one point per instance: saving over mean demand."""
    points = _points(results)
    if not points:
        return None
    figure, (axes,) = new_figure()
    for k, (set_name, names) in enumerate(results.sets.items()):
        of_set = [points[set_name, name] for name in names if (set_name, name) in points]
        if of_set:
            xs, ys = zip(*of_set, strict=True)
            axes.scatter(
                xs, ys, s=18, alpha=0.8, label=set_name,
                color=COLOURS[k % len(COLOURS)], marker=MARKERS[k % len(MARKERS)],
            )  # fmt: skip
    axes.set_xlabel("mean demand, % of capacity")
    axes.set_ylabel("saving by splitting, %")
    axes.legend(fontsize=8, frameon=False)
    return figure


def omitted(results: Results) -> list[str]:
    """List the instances without a point."""
    points = _points(results)
    reason = "not solved both with and without splitting, or no demand in the records"
    return group_by_reason(results, lambda *key: "" if key in points else reason)


def _points(results: Results) -> dict[tuple[str, str], tuple[float, float]]:
    """Return mean demand and saving, both in percent, by set and instance."""
    demands = {instance_key(r): r["demand"] for r in results.records if r.get("demand")}
    points = {}
    for (set_name, name), demand in demands.items():
        split: list[float] = []
        unsplit: list[float] = []
        for method in results.methods:
            if cell := results.cell(set_name, name, method):
                (unsplit if method.startswith("none+") else split).append(cell.best_cost)
        if split and unsplit:
            points[set_name, name] = (100 * demand, 100 * (1 - min(split) / min(unsplit)))
    return points
