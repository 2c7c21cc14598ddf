"""A performance profile: on which share of the runs a method is within so much of the best.

E. Dolan, J. More: Benchmarking optimization software with performance profiles. Mathematical
Programming 91 (2002).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from splitroute.bench.figures import canvas, line
from splitroute.bench.omissions import instances, no_answer
from splitroute.bench.results import Runs

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
    if len(runs.answering) < 2:
        return None
    rows = []
    for where, names in runs.sets.items():
        for name in names:
            costs = _costs(runs, where, name)
            rows += [[found[seed] for found in costs] for seed in sorted(_shared(costs))]
    if not rows:
        return None
    table = np.array(rows)
    away = 100 * (table / table.min(axis=1, keepdims=True) - 1)
    furthest = max(1.2 * float(away.max()), 0.1)
    figure, (axes,) = canvas()
    for k, method in enumerate(runs.answering):
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


def left_out(runs: Runs) -> list[str]:
    """The runs that not all methods have."""

    def why(where: str, name: str) -> str:
        costs = _costs(runs, where, name)
        rest = sorted(set().union(*costs) - _shared(costs))
        seeds = f"not every method has seed {', '.join(map(str, rest))}" if rest else ""
        return no_answer(runs, where, name) or seeds

    return instances(runs, why)


def _costs(runs: Runs, where: str, name: str) -> list[dict[int, float]]:
    """What each method has for an instance, by seed."""
    cells = (runs.cell(where, name, method) for method in runs.answering)
    return [cell.costs if cell else {} for cell in cells]


def _shared(costs: list[dict[int, float]]) -> set[int]:
    return set.intersection(*map(set, costs))
