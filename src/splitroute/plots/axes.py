"""Colours, labels and axis scales that plots share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from splitroute.distances import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK = "#212129"
PALE = "#b8b8bf"


def draw_label(
    axes: Axes,
    text: str,
    point: Sequence[float] | Floats,
    offset: Sequence[float] | Floats = (0.0, 0.0),
    *,
    fill: Any = "white",
    **style: Any,
) -> None:
    """Write a text into a box above everything else; the offset from the point is in points."""
    x, y = point
    axes.annotate(
        text,
        (float(x), float(y)),
        xytext=(float(offset[0]), float(offset[1])),
        textcoords="offset points",
        ha="center",
        va="center",
        bbox={"boxstyle": "round,pad=0.15", "fc": fill, "ec": "none", "alpha": 0.85},
        zorder=8,
        parse_math=False,
        **{"size": 7, "color": INK, **style},
    )


def set_gap_scale(axes: Axes) -> None:
    """Make the y axis linear up to 1 % and logarithmic above, so that 0.1 shows next to 20."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    axes.set_yscale("symlog", linthresh=1.0)
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, -0.1), max(high, 1.0))
    axes.yaxis.set_major_locator(FixedLocator([-1, 0, 0.5, 1, 2, 5, 10, 20, 50, 100]))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def set_log_scale(axes: Axes, axis: str) -> None:
    """Make an axis logarithmic over at least one decade, with labels 0.5, 1, 2 and no powers."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    (axes.set_yscale if axis == "y" else axes.set_xscale)("log")
    low, high = axes.get_ylim() if axis == "y" else axes.get_xlim()
    if high / low < 10:
        middle = (low * high) ** 0.5
        low, high = middle / 10**0.5, middle * 10**0.5
    (axes.set_ylim if axis == "y" else axes.set_xlim)(low, high)
    ticks = axes.yaxis if axis == "y" else axes.xaxis
    ticks.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ticks.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ticks.set_minor_formatter(NullFormatter())
