"""Customers on a map: discs by demand, and pies of the visits of split customers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from splitroute.distances import Floats
from splitroute.formats._shares import shares
from splitroute.instance import Instance
from splitroute.plots.axes import INK, PALE
from splitroute.solution import Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Colour = tuple[float, float, float]


def draw_customers(
    axes: Axes,
    instance: Instance,
    points: Floats,
    solution: Solution,
    colours: Sequence[Colour],
) -> None:
    """Draw a disc per customer, its area by demand.

    Split customers are pies of their visits, and of what they do not get.
    """
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Ellipse, Wedge

    found = shares(instance, solution)
    demands = instance.demands[1:]
    mean = demands.mean() if demands.any() else 1.0
    span = float(axes.get_ylim()[1] - axes.get_ylim()[0])
    mean_radius = 0.011 * span * min(1.0, math.sqrt(120 / max(1, len(demands))))
    stretch = float(axes.get_aspect()) if instance.is_globe else 1.0
    discs: list[Any] = []
    fills: list[Any] = []
    rims: list[Any] = []
    for customer, demand in enumerate(demands.tolist(), 1):
        x, y = points[customer]
        radius = mean_radius * min(2.2, max(0.55, math.sqrt(demand / mean)))
        parts = found.get(customer, [(None, demand)])
        fills += [PALE if route is None else colours[route] for route, _ in parts]
        if len(parts) < 2:
            discs.append(Ellipse((x, y), 2 * radius * stretch, 2 * radius))
            continue
        radius *= 1.35
        angle = 90.0
        total = sum(quantity for _, quantity in parts)
        for _, quantity in parts:
            turn = 360 * quantity / total
            wedge = Wedge((0, 0), radius, angle - turn, angle)
            discs.append(_stretched(wedge, x, y, stretch))
            angle -= turn
        rims.append(Ellipse((x, y), 2 * radius * stretch, 2 * radius))
    axes.add_collection(
        PatchCollection(discs, facecolors=fills, edgecolors="white", lw=0.5, zorder=4)
    )
    if rims:
        axes.add_collection(
            PatchCollection(rims, facecolors="none", edgecolors=INK, lw=1.1, zorder=5)
        )


def draw_undelivered_key(axes: Axes) -> None:
    """Say what grey stands for."""
    from matplotlib.lines import Line2D

    disc = Line2D([], [], linestyle="", marker="o", color=PALE, label="undelivered")
    axes.legend(handles=[disc], loc="lower right", fontsize=7, labelcolor=INK).set_zorder(9)


def _stretched(wedge: Any, x: float, y: float, stretch: float) -> Any:
    from matplotlib.patches import PathPatch
    from matplotlib.transforms import Affine2D

    path = wedge.get_path().transformed(wedge.get_patch_transform())
    return PathPatch(path.transformed(Affine2D().scale(stretch, 1).translate(x, y)))
