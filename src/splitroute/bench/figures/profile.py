"""A performance profile: on which share of the runs a method is within so much of the best.

E. Dolan, J. More: Benchmarking optimization software with performance profiles. Mathematical
Programming 91 (2002).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from splitroute.bench.figures import canvas, line
from splitroute.bench.runs import Runs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "Performance profile"
CAPTION = (
    "For each distance from the best answer of all methods, the share of runs (instance and seed) "
    "on which a method is at least that near. Higher and further left is better."
)
NEEDS = "two methods with an instance and a seed in common"


def draw(runs: Runs) -> Figure | None:
    """One curve per method over the instances and seeds that all have."""
    cells = [
        [runs.cell(where, name, method) for method in runs.methods]
        for where, names in runs.sets.items()
        for name in names
    ]
    costs = [
        [cell.costs[seed] for cell in row if cell]
        for row in cells
        if all(row)
        for seed in sorted(set.intersection(*(set(cell.costs) for cell in row if cell)))
    ]
    if len(runs.methods) < 2 or not costs:
        return None
    table = np.array(costs)
    away = 100 * (table / table.min(axis=1, keepdims=True) - 1)
    furthest = max(1.2 * float(away.max()), 0.1)
    figure, (axes,) = canvas()
    for k, method in enumerate(runs.methods):
        near = np.sort(away[:, k])
        x = np.concatenate([[0.0], near[near > 0], [furthest]])
        share = 100 * np.searchsorted(near, x, side="right") / len(near)
        axes.step(x, share, where="post", **line(runs, method, len(x)))
    axes.set_xscale("symlog", linthresh=0.1)
    axes.set_xlim(0, furthest)
    axes.set_ylim(0, 104)
    axes.set_xlabel("above the best answer, %")
    axes.set_ylabel("share of runs, %")
    axes.legend(fontsize=8, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3)
    return figure
