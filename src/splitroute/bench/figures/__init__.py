"""Figures from records, one file each; the folder is the list of them.

A figure is a module with a TITLE, a CAPTION and the function `draw(runs)`, which returns a
matplotlib figure, or None if the records do not have what it NEEDS.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from splitroute.bench.runs import Runs

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#3b6fb6", "#d1662b", "#3f9b56", "#a2539f", "#c9a227", "#4aa8a8", "#b5475b", "#7a7a7a")
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


def plain_log(axes: Axes, axis: str) -> None:
    """A logarithmic axis of at least a factor of ten, labelled 0.5, 1, 2 and not as powers."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axes.get_ylim() if axis == "y" else axes.get_xlim()
    if high / low < 10:
        middle = (low * high) ** 0.5
        low, high = middle / 10**0.5, middle * 10**0.5
    (axes.set_ylim if axis == "y" else axes.set_xlim)(low, high)
    which = axes.yaxis if axis == "y" else axes.xaxis
    which.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    which.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    which.set_minor_formatter(NullFormatter())


def colour(runs: Runs, method: str) -> str:
    """The same for a method in every figure."""
    return COLOURS[runs.methods.index(method) % len(COLOURS)]


def mark(runs: Runs, method: str) -> str:
    """The same for a method in every figure; colours alone do not print."""
    return MARKS[runs.methods.index(method) % len(MARKS)]
