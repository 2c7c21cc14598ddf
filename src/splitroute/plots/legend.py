"""The table of routes next to a map."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from splitroute.instance import Instance
from splitroute.plots.axes import INK, PALE
from splitroute.report import cost_text, pluralize, vehicle_names
from splitroute.solution import Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from splitroute.plots.discs import Colour

MIN_ROWS = 20  # so that few routes do not get huge bars
MAX_ROWS = 34
MAX_COLUMNS = 6  # nobody reads more
COLUMN_INCHES = 1.75
NAMED_COLUMN_INCHES = 2.7  # with the names of vehicles
MAX_NAME = 16  # characters


def legend_inches(routes: int, has_names: bool = False) -> float:
    """Return the width of the legend of that many routes."""
    inches = NAMED_COLUMN_INCHES if has_names else COLUMN_INCHES
    return inches * min(MAX_COLUMNS, math.ceil(routes / MAX_ROWS))


def draw_legend(
    axes: Axes,
    instance: Instance,
    solution: Solution,
    route_costs: Sequence[float],
    colours: Sequence[Colour],
) -> None:
    """List the routes: number, bar filled by load, visits and cost; with a fleet, the vehicle."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    shown = min(len(colours), MAX_ROWS * MAX_COLUMNS)
    columns = math.ceil(shown / MAX_ROWS)
    rows = max(MIN_ROWS, math.ceil(shown / columns))
    axes.set_axis_off()
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, -1.5)
    frames, bars = [], []
    names = [""] * shown
    if instance.fleet:
        names = [f" · {_shortened(name)}" for name in vehicle_names(instance, solution)]
    text_style: dict[str, Any] = {"fontsize": 7, "va": "center", "color": INK}
    for k, route in enumerate(solution.routes[:shown]):
        x, y = float(k // rows), float(k % rows)
        frames.append(Rectangle((x + 0.14, y - 0.32), 0.34, 0.64))
        capacity = instance.vehicle_types[route.vehicle_type].capacity
        bars.append(Rectangle((x + 0.14, y - 0.32), 0.34 * route.load / capacity, 0.64))
        axes.text(x + 0.11, y, str(k + 1), ha="right", **text_style)
        text = f"{len(route.visits)} · {cost_text(route_costs[k])}{names[k]}"
        axes.text(x + 0.52, y, text, parse_math=False, **text_style)
    axes.add_collection(PatchCollection(frames, facecolors="none", edgecolors=PALE, lw=0.6))
    axes.add_collection(PatchCollection(bars, facecolors=colours, edgecolors="none"))
    for column in range(columns):
        heading = f"route, load, visits · cost{' · vehicle' if instance.fleet else ''}"
        axes.text(column + 0.02, -1.1, heading, **text_style)
    if shown < len(colours):
        more = f"and {pluralize(len(colours) - shown, 'route')} more"
        axes.text(0.02, rows - 0.3, more, **text_style)


def _shortened(name: str) -> str:
    return name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…"
