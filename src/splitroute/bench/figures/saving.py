"""What splitting saves, by how much of a vehicle a customer asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from splitroute.bench.figures import COLOURS, MARKS, canvas
from splitroute.bench.runs import Runs

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
    whole = [m for m in runs.methods if m.startswith("none+")]
    split = [m for m in runs.methods if m not in whole]
    demands = {
        (r.get("set") or "", r["instance"]): r["demand"] for r in runs.records if r.get("demand")
    }
    if not whole or not split or not demands:
        return None
    figure, (axes,) = canvas()
    for k, (where, names) in enumerate(runs.sets.items()):
        points = []
        for name in names:
            unsplit = [c.best for m in whole if (c := runs.cell(where, name, m))]
            cut = [c.best for m in split if (c := runs.cell(where, name, m))]
            if unsplit and cut and (where, name) in demands:
                saved = 100 * (1 - min(cut) / min(unsplit))
                points.append((100 * demands[where, name], saved))
        if points:
            xs, ys = zip(*points, strict=True)
            axes.scatter(
                xs, ys, s=18, alpha=0.8, label=where,
                color=COLOURS[k % len(COLOURS)], marker=MARKS[k % len(MARKS)],
            )  # fmt: skip
    axes.set_xlabel("mean demand, % of the capacity")
    axes.set_ylabel("saved by splitting, %")
    if not axes.collections:
        return None
    axes.legend(fontsize=8, frameon=False)
    return figure
