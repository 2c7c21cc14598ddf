"""Maps of routes: the only place that draws routes and depots."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from splitroute.distances import Floats
from splitroute.errors import InputError
from splitroute.formats._route_colours import hue
from splitroute.instance import Instance
from splitroute.plots.axes import INK, PALE, draw_label
from splitroute.plots.discs import Colour, draw_customers, draw_undelivered_key
from splitroute.plots.files import check_plot_path, new_figure, save_figure
from splitroute.plots.legend import draw_legend, legend_inches
from splitroute.plots.rings import draw_rings
from splitroute.registry import require
from splitroute.report import distance_text, pluralize, undelivered_text
from splitroute.solution import Solution, cost, route_costs, route_depots
from splitroute.split_plan import SplitPlan

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Ends = tuple[Floats, ...]  # of a route: the points of its first and its last depot

MAP_INCHES = 8.0
MAX_NUMBERED_ROUTES = 300
THUMBNAIL_LINE_WIDTH = 0.9


def save_routes(
    path: Path | BinaryIO,
    instance: Instance,
    solution: Solution | None = None,
    split_plan: SplitPlan | None = None,
) -> None:
    """Save the plot of `draw_routes`."""
    save_figure(draw_routes(instance, solution, split_plan), path)


def check_drawable(path: Path, instance: Instance) -> None:
    """Raise InputError unless the instance can be drawn into such a file."""
    check_plot_path(path)
    _check_places(instance)


def _check_places(instance: Instance) -> None:
    if not instance.places:
        raise InputError("cannot draw an instance without coordinates", field="coordinates")


def draw_routes(
    instance: Instance,
    solution: Solution | None = None,
    split_plan: SplitPlan | None = None,
    axes: Axes | None = None,
) -> Figure:
    """Plot the map with a legend of its routes, and the rings of a split plan.

    Without a solution the map shows the customers only. In axes that are given, there is no room
    for a legend.
    """
    require("matplotlib", "plot")
    _check_places(instance)
    routes = [route for route in solution.routes if route.visits] if solution else []
    lines = _lines(solution)
    solution = Solution(tuple(routes))
    legend = None
    if axes is None:
        axes, legend = _new_axes(instance, len(routes))
    points = instance.xy[instance.sites]
    depots = instance.xy[[depot.place for depot in instance.depots]]
    colours = _route_colours(len(routes))
    _set_limits(axes, np.vstack([points, depots, *lines]), is_globe=instance.is_globe)
    axes.tick_params(labelsize=7, colors=PALE)
    for spine in axes.spines.values():
        spine.set_color(PALE)
    if split_plan is not None:
        draw_rings(axes, instance, split_plan)
    ends = [tuple(instance.xy[d.place] for d in route_depots(instance, r)) for r in routes]
    if lines:
        _draw_roads(axes, lines, colours)
    else:
        _draw_lines(axes, points, solution, colours, 1.8, ends)
    _draw_route_numbers(axes, points, solution, colours, ends)
    draw_customers(axes, instance, points, solution, colours)
    for depot, point in zip(instance.depots, depots, strict=True):
        _draw_depot(axes, point, size=11)
        axes.plot(*point, marker="*", markersize=6, color="white", zorder=7)
        if len(depots) > 1:
            draw_label(axes, depot.id, point, offset=(0, -13))
    customers = pluralize(len(instance.customers), "customer")
    title = customers
    if routes:
        title = (
            f"cost {distance_text(instance, cost(instance, solution))}, "
            f"{pluralize(len(routes), 'route')}, "
            f"{len(solution.split_customers())} of {customers} split"
        )
        if missing := undelivered_text(instance, solution):
            title += f", {missing}"
            draw_undelivered_key(axes)
        if legend is not None:
            draw_legend(legend, instance, solution, route_costs(instance, solution), colours)
    heading = f"{instance.name}: {title}" if instance.name else title
    axes.set_title(heading, fontsize=11, loc="left", parse_math=False)
    return axes.figure  # type: ignore[return-value]


def _new_axes(instance: Instance, num_routes: int) -> tuple[Axes, Axes | None]:
    """Return the axes of a new figure: those of the map, and of the legend if there are routes."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    legend_width = legend_inches(num_routes, bool(instance.fleet))
    size = (MAP_INCHES + legend_width, MAP_INCHES)
    layout = ConstrainedLayoutEngine(h_pad=0.1, w_pad=0.08)
    figure = new_figure(figsize=size, layout=layout)
    grid = figure.add_gridspec(1, 2, width_ratios=(MAP_INCHES, max(0.01, legend_width)))
    return figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[0, 1]) if num_routes else None


def draw_thumbnail(axes: Axes, points: Floats, solution: Solution) -> None:
    """Draw a small map without labels: thin routes, dots for customers, and the depot."""
    _set_limits(axes, points)
    axes.set_axis_off()
    # One shade that shows on light and on dark pages.
    colours = [colorsys.hls_to_rgb(hue(k), 0.5, 0.6) for k in range(len(solution.routes))]
    _draw_lines(axes, points, solution, colours, THUMBNAIL_LINE_WIDTH)
    axes.plot(*points[1:].T, linestyle="", marker=".", markersize=2, color=INK, zorder=4)
    _draw_depot(axes, points[0], size=5)
    for artist in (*axes.collections, *axes.lines):  # all are inside; in SVG, clipping takes room
        artist.set_clip_on(False)


def _route_colours(count: int) -> list[Colour]:
    """Return a colour per route; three shades help where hues are close."""
    shades = ((0.42, 0.85), (0.55, 0.7), (0.33, 0.75))
    return [colorsys.hls_to_rgb(hue(k), *shades[k % 3]) for k in range(count)]


def _set_limits(axes: Axes, points: Floats, is_globe: bool = False) -> None:
    low, high = points.min(axis=0), points.max(axis=0)
    # A single place needs room too, more than the last digit of its coordinates.
    margin = 0.06 * max(*(high - low), 1e-9 * max(1.0, *np.abs(high)))
    axes.set_xlim(low[0] - margin, high[0] + margin)
    axes.set_ylim(low[1] - margin, high[1] + margin)
    # A degree of longitude is shorter than a degree of latitude.
    latitude = math.radians((low[1] + high[1]) / 2) if is_globe else 0.0
    axes.set_aspect(1 / max(0.01, math.cos(latitude)))


def _draw_lines(
    axes: Axes,
    points: Floats,
    solution: Solution,
    colours: Sequence[Colour],
    width: float,
    ends: Sequence[Ends] = (),
) -> None:
    """Draw the routes, with faint lines from and to their depots: by default the first point."""
    from matplotlib.collections import LineCollection

    tours, depot_legs = [], []
    leg_colours: list[Colour] = []
    for k, route in enumerate(solution.routes):
        visits = points[[visit.customer for visit in route.visits]]
        tours.append(visits)
        start, end = ends[k] if ends else (points[0], points[0])
        if np.array_equal(start, end):
            depot_legs.append(np.vstack([visits[:1], start, visits[-1:]]))
        else:
            depot_legs += [np.vstack([start, visits[:1]]), np.vstack([visits[-1:], end])]
        leg_colours += [colours[k]] * (len(depot_legs) - len(leg_colours))
    faint = {"lw": max(0.6, 0.45 * width), "alpha": 0.45}
    axes.add_collection(LineCollection(depot_legs, colors=leg_colours, zorder=2, **faint))
    axes.add_collection(LineCollection(tours, colors=colours, lw=width, zorder=3))


def _lines(solution: Solution | None) -> list[Floats]:
    """The lines of the routes that have visits along the roads, if these are known."""
    if solution is None or not solution.geometry:
        return []
    pairs = zip(solution.routes, solution.geometry, strict=True)
    return [line for route, line in pairs if route.visits]


def _draw_roads(axes: Axes, lines: Sequence[Floats], colours: Sequence[Colour]) -> None:
    from matplotlib.collections import LineCollection

    axes.add_collection(LineCollection(lines, colors=colours, lw=1.8, alpha=0.85, zorder=3))


def _draw_depot(axes: Axes, point: Floats, size: float) -> None:
    axes.plot(*point, marker="s", markersize=size, color=INK, markeredgecolor="white", zorder=6)


def _draw_route_numbers(
    axes: Axes,
    points: Floats,
    solution: Solution,
    colours: Sequence[Colour],
    ends: Sequence[Ends],
) -> None:
    if len(colours) > MAX_NUMBERED_ROUTES:
        return
    taken: set[int] = set()
    for number, (route, colour) in enumerate(zip(solution.routes, colours, strict=True), 1):
        customers = [visit.customer for visit in route.visits]
        depot = ends[number - 1][0]
        offsets = points[customers] - depot
        distances = dict(zip(customers, np.hypot(*offsets.T).tolist(), strict=True))
        # At the farthest customer that has no number of another route yet.
        free = [customer for customer in customers if customer not in taken]
        farthest = max(free or customers, key=lambda customer: distances[customer])
        taken.add(farthest)
        outward = 9 * (points[farthest] - depot) / (distances[farthest] or 1.0)
        is_bright = 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2] > 0.55
        size = 7 if len(colours) <= 40 else 5
        ink = INK if is_bright else "white"
        draw_label(axes, str(number), points[farthest], outward, fill=colour, color=ink, size=size)
