"""A picture of cost and bound over time, closing in on each other."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from splitroute.files import write_bytes
from splitroute.plots.axes import plain_log
from splitroute.registry import require
from splitroute.report import cost_text
from splitroute.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COST, BOUND = "#3b6fb6", "#d1662b"
FIRST = 0.05  # seconds at the left end
HIGHEST = 1.3  # times the last cost, at the upper end


def save_closing(path: Path, *results: Result) -> None:
    """Saves the picture, one panel per result."""
    data = io.BytesIO()
    draw_closing(results).savefig(data, format=path.suffix[1:].lower(), dpi=150)
    write_bytes(path, data.getvalue())


def draw_closing(results: Sequence[Result]) -> Figure:
    """Cost from above, bound from below, over time on a logarithmic axis."""
    require("matplotlib", "plot")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.6 * len(results) + 0.6, 3.6), layout="constrained")
    panels = figure.subplots(1, len(results), squeeze=False)[0]
    for axes, result in zip(panels, results, strict=True):
        _draw(axes, result)
    panels[0].set_ylabel("cost")
    panels[0].legend(frameon=False, fontsize=8)
    return figure


def _draw(axes: Axes, result: Result) -> None:
    bounds = result.bound_trace or ((FIRST, result.bound),)
    end = max(FIRST * 2, result.seconds, bounds[-1][0])
    for points, colour, name in ((result.trace, COST, "cost"), (bounds, BOUND, "bound")):
        times = [max(FIRST, seconds) for seconds, _ in points]
        values = [value for _, value in points]
        axes.step(
            [*times, end], [*values, values[-1]], where="post", color=colour, label=name
        )  # fmt: skip
    axes.set_xlim(FIRST, end)
    plain_log(axes, "x")
    lowest = min(value for seconds, value in bounds)
    highest = max(value for seconds, value in result.trace)
    if result.cost:
        axes.set_ylim(
            0.99 * max(lowest, result.bound / HIGHEST), 1.01 * min(highest, result.cost * HIGHEST)
        )
    axes.set_xlabel("seconds")
    axes.spines[["top", "right"]].set_visible(False)
    gap = "optimal" if result.optimal else f"gap to bound {100 * result.gap:.2f} %"
    title = f"{result.instance.name}: {cost_text(result.cost)}, {gap}"
    axes.set_title(title, fontsize=10, loc="left", parse_math=False)
