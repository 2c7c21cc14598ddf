"""The rings of a PASA split plan around the depot."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from splitroute.distances import KM_PER_DEGREE
from splitroute.instance import Instance
from splitroute.plots.axes import INK, draw_label
from splitroute.report import user_quantity
from splitroute.split_plan import SplitPlan

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LABEL_ANGLES = (281, 259, 236, 304, 79, 101, 180, 0, 225, 315, 45, 135)  # below the depot first


def draw_rings(axes: Axes, instance: Instance, split_plan: SplitPlan) -> None:
    """Draw the outer edge of each level and label it with the level's piece sizes."""
    from matplotlib.patches import Ellipse

    if instance.matrix is not None:  # distances that are no circles on the map
        return
    x, y = instance.places[0]
    for number, level in enumerate(split_plan.levels, 1):
        if level.max_distance is None:
            continue
        height = width = level.max_distance
        if instance.metric == "haversine":
            height = level.max_distance / KM_PER_DEGREE
            width = height * float(axes.get_aspect())
        ring = Ellipse(
            (x, y), 2 * width, 2 * height, fill=False, ls=(0, (4, 3)), lw=1.1, ec=INK, zorder=1
        )
        axes.add_patch(ring)
        sizes = "/".join(
            str(user_quantity(instance, size)) for size in reversed(level.denominations)
        )
        draw_label(axes, f"level {number}: {sizes}", _label_position(axes, x, y, width, height))


def _label_position(
    axes: Axes, x: float, y: float, width: float, height: float
) -> tuple[float, float]:
    """Return a point of the ring inside the plot, or the bottom of the plot if there is none."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    for degrees in LABEL_ANGLES:
        px = x + width * math.cos(math.radians(degrees))
        py = y + height * math.sin(math.radians(degrees))
        if left < px < right and bottom < py < top:
            return px, py
    return x, bottom + 0.03 * (top - bottom)
