"""What splitting saves, by how much of a vehicle a customer asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from splitroute.bench.figures import COLOURS, MARKS, canvas
from splitroute.bench.omissions import instances
from splitroute.bench.results import Runs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "What splitting saves"
CAPTION = (
    "The best answer that splits against the best one that does not (rule none), of the same "
    "records, over the mean demand of the instance."
)
NEEDS = "a method with the rule none and another, on the same instances"


def draw(runs: Runs) -> Figure | None:
    """Saving in percent over the mean demand, one point per instance."""
    found = _points(runs)
    if not found:
        return None
    figure, (axes,) = canvas()
    for k, (where, names) in enumerate(runs.sets.items()):
        points = [found[where, name] for name in names if (where, name) in found]
        if points:
            xs, ys = zip(*points, strict=True)
            axes.scatter(
                xs, ys, s=18, alpha=0.8, label=where,
                color=COLOURS[k % len(COLOURS)], marker=MARKS[k % len(MARKS)],
            )  # fmt: skip
    axes.set_xlabel("mean demand, % of the capacity")
    axes.set_ylabel("saved by splitting, %")
    axes.legend(fontsize=8, frameon=False)
    return figure


def left_out(runs: Runs) -> list[str]:
    """The instances that have no point."""
    found = _points(runs)
    why = "not answered both with and without splitting, or the demand is not known"
    return instances(runs, lambda where, name: "" if (where, name) in found else why)


def _points(runs: Runs) -> dict[tuple[str, str], tuple[float, float]]:
    """Mean demand and saving, both in percent, of each instance that has them."""
    demands = {
        (r.get("set") or "", r["instance"]): r["demand"] for r in runs.records if r.get("demand")
    }
    points = {}
    for (where, name), demand in demands.items():
        costs: dict[bool, list[float]] = {True: [], False: []}  # by whether it splits
        for method in runs.methods:
            if cell := runs.cell(where, name, method):
                costs[not method.startswith("none+")].append(cell.best)
        if costs[True] and costs[False]:
            points[where, name] = (100 * demand, 100 * (1 - min(costs[True]) / min(costs[False])))
    return points
