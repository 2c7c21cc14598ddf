"""Figures from results, one module each; the folder is the registry.

A figure has a TITLE, a CAPTION and two functions: `draw(results)` returns a matplotlib figure, or
None if the records lack what the figure REQUIRES; `omitted(results)` lists what it does not show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from splitroute.bench.results import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#3b6fb6", "#d1662b", "#3f9b56", "#a2539f", "#c9a227", "#4aa8a8", "#b5475b", "#7a7a7a")
DASHES: tuple[tuple[float, tuple[float, ...]], ...] = (
    (0, ()), (0, (6, 2)), (0, (2, 1.5)), (0, (7, 2, 1.5, 2)), (0, (12, 4)),
)  # fmt: skip
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
SIZE_INCHES = (9.0, 4.2)


def new_figure(
    rows: int = 1, columns: int = 1, size: tuple[float, float] = SIZE_INCHES
) -> tuple[Figure, list[Axes]]:
    """Return an empty figure and its axes, row by row."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False)
    for axes in panels.flat:
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", alpha=0.25, linewidth=0.6)
        axes.set_axisbelow(True)
    return figure, list(panels.flat)


def colour(results: Results, method: str) -> str:
    """Return the colour of a method, the same in every figure."""
    return COLOURS[results.methods.index(method) % len(COLOURS)]


def marker(results: Results, method: str) -> str:
    """Return the marker of a method, the same in every figure; for print without colours."""
    k = results.methods.index(method)
    return MARKERS[(k + k // len(MARKERS)) % len(MARKERS)]  # shifted when the colours repeat


def line_style(results: Results, method: str, points: int) -> dict[str, Any]:
    """Return the line style of a method; lines remain distinguishable where they coincide.

    Later lines are thinner and dashed, so that earlier ones show through; markers are staggered.
    """
    k, count = results.methods.index(method), len(results.methods)
    spacing = max(1, points // 6)
    return {
        "color": colour(results, method),
        "linestyle": DASHES[k % len(DASHES)],
        "linewidth": 1.2 + 1.6 * (count - 1 - k) / count,
        "marker": marker(results, method),
        "markersize": 4,
        "markevery": (k * spacing // count, spacing),
        "label": method,
    }
