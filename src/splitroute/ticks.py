"""Logarithmic axes that people can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plain_log(axes: Axes, axis: str) -> None:
    """A logarithmic axis of at least a factor of ten, labelled 0.5, 1, 2 and not as powers."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    (axes.set_yscale if axis == "y" else axes.set_xscale)("log")
    low, high = axes.get_ylim() if axis == "y" else axes.get_xlim()
    if high / low < 10:
        middle = (low * high) ** 0.5
        low, high = middle / 10**0.5, middle * 10**0.5
    (axes.set_ylim if axis == "y" else axes.set_xlim)(low, high)
    which = axes.yaxis if axis == "y" else axes.xaxis
    which.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    which.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    which.set_minor_formatter(NullFormatter())
