"""Figures from records, one file each; the folder is the list of them.

A figure is a module with a TITLE, a CAPTION and the function `draw(runs)`, which returns a
matplotlib figure, or None if the records do not have what it NEEDS. What is not in it although the
records have something of it, `left_out(runs)` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from splitroute.bench.results import Runs

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#3b6fb6", "#d1662b", "#3f9b56", "#a2539f", "#c9a227", "#4aa8a8", "#b5475b", "#7a7a7a")
DASHES: tuple[tuple[float, tuple[float, ...]], ...] = (
    (0, ()), (0, (6, 2)), (0, (2, 1.5)), (0, (7, 2, 1.5, 2)), (0, (12, 4)),
)  # fmt: skip
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
WIDE = (9.0, 4.2)


def canvas(
    rows: int = 1, columns: int = 1, size: tuple[float, float] = WIDE
) -> tuple[Figure, list[Axes]]:
    """An empty figure with its axes, in reading order."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for each in axes.flat:
        each.spines[["top", "right"]].set_visible(False)
        each.grid(axis="y", alpha=0.25, linewidth=0.6)
        each.set_axisbelow(True)
    return figure, list(axes.flat)


def colour(runs: Runs, method: str) -> str:
    """The same for a method in every figure."""
    return COLOURS[runs.methods.index(method) % len(COLOURS)]


def mark(runs: Runs, method: str) -> str:
    """The same for a method in every figure; colours alone do not print."""
    k = runs.methods.index(method)
    return MARKS[(k + k // len(MARKS)) % len(MARKS)]  # another one when the colours come again


def line(runs: Runs, method: str, points: int) -> dict[str, Any]:
    """How a method's line is drawn: where lines coincide, each can still be seen.

    The later ones are thinner and dashed, so those below show; marks are not at the same points.
    """
    k, count = runs.methods.index(method), len(runs.methods)
    every = max(1, points // 6)
    return {
        "color": colour(runs, method),
        "linestyle": DASHES[k % len(DASHES)],
        "linewidth": 1.2 + 1.6 * (count - 1 - k) / count,
        "marker": mark(runs, method),
        "markersize": 4,
        "markevery": (k * every // count, every),
        "label": method,
    }
