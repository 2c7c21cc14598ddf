"""Logarithmic axes that people can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def from_nothing(axes: Axes) -> None:
    """Upright, for gaps: even up to 1, logarithmic above, so that 0.1 can be seen beside 20."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    axes.set_yscale("symlog", linthresh=1.0)
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, -0.1), max(high, 1.0))
    axes.yaxis.set_major_locator(FixedLocator([-1, 0, 0.5, 1, 2, 5, 10, 20, 50, 100]))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


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
