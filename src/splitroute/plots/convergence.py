"""Plots of cost and lower bound over time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from splitroute.plots.axes import set_log_scale
from splitroute.plots.files import new_figure, save_figure
from splitroute.registry import require
from splitroute.report import cost_text
from splitroute.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COST_COLOUR, BOUND_COLOUR = "#3b6fb6", "#d1662b"
MIN_SECONDS = 0.05  # left end of the logarithmic time axis
MAX_COST_RATIO = 1.3  # upper end of the cost axis over the final cost


def save_convergence(path: Path | BinaryIO, *results: Result) -> None:
    """Save the plot with one panel per result."""
    save_figure(draw_convergence(results), path)


def draw_convergence(results: Sequence[Result]) -> Figure:
    """Plot cost and lower bound over time, one panel per result."""
    require("matplotlib", "plot")
    figure = new_figure(figsize=(3.6 * len(results) + 0.6, 3.6), layout="constrained")
    panels = figure.subplots(1, len(results), squeeze=False)[0]
    for axes, result in zip(panels, results, strict=True):
        _draw_panel(axes, result)
    panels[0].set_ylabel("cost")
    panels[0].legend(frameon=False, fontsize=8)
    return figure


def _draw_panel(axes: Axes, result: Result) -> None:
    bounds = result.bound_trace or ((MIN_SECONDS, result.bound),)
    end = max(MIN_SECONDS * 2, result.seconds, bounds[-1][0])
    curves = ((result.trace, COST_COLOUR, "cost"), (bounds, BOUND_COLOUR, "lower bound"))
    for points, colour, label in curves:
        times = [max(MIN_SECONDS, point[0]) for point in points]
        values = [point[1] for point in points]
        axes.step([*times, end], [*values, values[-1]], where="post", color=colour, label=label)
    axes.set_xlim(MIN_SECONDS, end)
    set_log_scale(axes, "x")
    if result.cost:
        low = max(min(value for _, value in bounds), result.bound / MAX_COST_RATIO)
        high = min(max(point.cost for point in result.trace), result.cost * MAX_COST_RATIO)
        axes.set_ylim(0.99 * low, 1.01 * high)
    axes.set_xlabel("seconds")
    axes.spines[["top", "right"]].set_visible(False)
    gap = "optimal" if result.optimal else f"optimality gap {100 * result.gap:.2f} %"
    title = f"{result.instance.name}: {cost_text(result.cost)}, {gap}"
    axes.set_title(title, fontsize=10, loc="left", parse_math=False)
