"""Performance profile of the methods.

E. Dolan, J. More: Benchmarking optimization software with performance profiles. Mathematical
Programming 91 (2002).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from splitroute.bench.figures import line_style, new_figure
from splitroute.bench.omissions import group_by_reason, missing_results
from splitroute.bench.results import Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "Performance profile"
CAPTION = (
    "Share of runs (instance and seed) on which a method is within x % of the best solution of all "
    "methods. Higher and further left is better."
)
REQUIRES = "two methods with an instance and a seed in common"


def draw(results: Results) -> Figure | None:
    """Plot one curve per method over common instances and seeds."""
    if len(results.successful_methods) < 2:
        return None
    rows = []
    for set_name, names in results.sets.items():
        for name in names:
            costs = _costs(results, set_name, name)
            rows += [[by_seed[seed] for by_seed in costs] for seed in sorted(_common_seeds(costs))]
    if not rows:
        return None
    table = np.array(rows)
    distances = 100 * (table / table.min(axis=1, keepdims=True) - 1)
    x_max = max(1.2 * float(distances.max()), 0.1)
    figure, (axes,) = new_figure()
    for k, method in enumerate(results.successful_methods):
        sorted_distances = np.sort(distances[:, k])
        x = np.concatenate([[0.0], sorted_distances[sorted_distances > 0], [x_max]])
        share = 100 * np.searchsorted(sorted_distances, x, side="right") / len(sorted_distances)
        axes.step(x, share, where="post", **line_style(results, method, len(x)))
    axes.set_xscale("symlog", linthresh=0.1)
    axes.set_xlim(0, x_max)
    axes.set_ylim(0, 104)
    axes.set_xlabel("above the best solution, %")
    axes.set_ylabel("share of runs, %")
    axes.legend(fontsize=8, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3)
    return figure


def omitted(results: Results) -> list[str]:
    """List the instances and seeds that not all methods have."""

    def reason(set_name: str, name: str) -> str:
        costs = _costs(results, set_name, name)
        rest = sorted(set().union(*costs) - _common_seeds(costs))
        seeds = f"not every method has seed {', '.join(map(str, rest))}" if rest else ""
        return missing_results(results, set_name, name) or seeds

    return group_by_reason(results, reason)


def _costs(results: Results, set_name: str, name: str) -> list[dict[int, float]]:
    """Return the costs of each method on an instance by seed."""
    cells = (results.cell(set_name, name, method) for method in results.successful_methods)
    return [cell.costs if cell else {} for cell in cells]


def _common_seeds(costs: list[dict[int, float]]) -> set[int]:
    return set.intersection(*map(set, costs))
