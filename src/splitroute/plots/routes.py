"""Pictures of routes: who is served by whom, with how much, and where splitting happens."""

from __future__ import annotations

import colorsys
import io
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from splitroute.distances import Floats
from splitroute.errors import InputError
from splitroute.files import write_bytes
from splitroute.instance import Instance
from splitroute.registry import require
from splitroute.report import cost_text, counted, quantity
from splitroute.solution import Solution, costs
from splitroute.split_plan import SplitPlan

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Colour = tuple[float, float, float]

SUFFIXES = (".png", ".svg", ".pdf")
KM_PER_DEGREE = 111.195
LEGEND_ROWS = 34
LEGEND_COLUMNS = 6  # nobody reads more
MOST_NUMBERS = 300  # of routes on the map
MAP_INCHES = 8.0
COLUMN_INCHES = 1.75
INK = (0.13, 0.13, 0.16)
PALE = (0.72, 0.72, 0.75)


def save_picture(
    path: Path, instance: Instance, solution: Solution | None = None, plan: SplitPlan | None = None
) -> None:
    """Saves the routes, the customers alone if there are none; a plan adds its rings."""
    figure = draw(instance, solution, plan)
    data = io.BytesIO()
    figure.savefig(data, format=path.suffix[1:].lower(), dpi=150)
    write_bytes(path, data.getvalue())


def check_picture(path: Path) -> None:
    """Raises if pictures of that ending cannot be made."""
    require("matplotlib", "plot")
    if path.suffix.lower() not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise InputError(f"{path}: unknown ending {path.suffix!r} for pictures; known: {known}")


def check_drawable(path: Path, instance: Instance) -> None:
    """Raises if such a picture of the instance cannot be made."""
    check_picture(path)
    if not instance.places:
        raise InputError("the instance has no coordinates; there is nothing to draw")


def draw(
    instance: Instance, solution: Solution | None = None, plan: SplitPlan | None = None
) -> Figure:
    """The picture as a matplotlib figure: the map on the left, one row per route on the right."""
    require("matplotlib", "plot")
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    if solution:
        solution = Solution(tuple(route for route in solution.routes if route.visits))
    routes = solution.routes if solution else ()
    columns = min(LEGEND_COLUMNS, math.ceil(len(routes) / LEGEND_ROWS))
    size = (MAP_INCHES + COLUMN_INCHES * columns, MAP_INCHES)
    figure = Figure(figsize=size, layout=ConstrainedLayoutEngine(h_pad=0.1, w_pad=0.08))
    grid = figure.add_gridspec(1, 2, width_ratios=(MAP_INCHES, max(0.01, COLUMN_INCHES * columns)))
    axes = figure.add_subplot(grid[0, 0])
    points = instance.xy[instance.sites]
    colours = [_colour(k) for k in range(len(routes))]
    _prepare(axes, instance, points)
    if plan is not None:
        _draw_rings(axes, instance, plan)
    if solution:
        _draw_routes(axes, points, solution, colours)
    _draw_customers(axes, instance, points, solution, colours)
    axes.plot(*points[0], marker="s", markersize=11, color=INK, markeredgecolor="white", zorder=6)
    axes.plot(*points[0], marker="*", markersize=6, color="white", zorder=7)
    customers = counted(len(instance.customers), "customer")
    title = f"{instance.name}: {customers}"
    if solution and routes:
        each = costs(instance, solution)
        split = len(solution.split_customers())
        unit = " km" if instance.metric == "haversine" else ""
        title = (
            f"{instance.name}: cost {cost_text(sum(each))}{unit}, "
            f"{counted(len(routes), 'route')}, {split} of {customers} split"
        )
        _draw_legend(figure.add_subplot(grid[0, 1]), instance, solution, each, colours)
    axes.set_title(title, fontsize=11, loc="left", parse_math=False)
    return figure


def _colour(k: int) -> Colour:
    # Steps of the golden ratio keep any run of neighbouring numbers apart in hue.
    hue = (0.58 + k * 0.61803398875) % 1
    return colorsys.hls_to_rgb(hue, (0.42, 0.55, 0.33)[k % 3], (0.85, 0.7, 0.75)[k % 3])


def _on(colour: Colour) -> Colour:
    """Ink that can be read on the colour."""
    bright = 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2] > 0.55
    return INK if bright else (1.0, 1.0, 1.0)


def _prepare(axes: Axes, instance: Instance, points: Floats) -> None:
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.06 * max(*(high - low), 1e-9)
    axes.set_xlim(low[0] - margin, high[0] + margin)
    axes.set_ylim(low[1] - margin, high[1] + margin)
    # On the globe a degree of longitude is shorter than one of latitude.
    middle = math.radians((low[1] + high[1]) / 2) if instance.metric == "haversine" else 0.0
    axes.set_aspect(1 / max(0.01, math.cos(middle)))
    axes.tick_params(labelsize=7, colors=PALE)
    for spine in axes.spines.values():
        spine.set_color(PALE)


def _draw_rings(axes: Axes, instance: Instance, plan: SplitPlan) -> None:
    from matplotlib.patches import Ellipse

    x, y = instance.places[0]
    for number, level in enumerate(plan.levels, 1):
        if level.reach is None or instance.matrix is not None:
            continue
        high = level.reach / KM_PER_DEGREE if instance.metric == "haversine" else level.reach
        wide = high * float(axes.get_aspect()) if instance.metric == "haversine" else high
        axes.add_patch(
            Ellipse(
                (x, y), 2 * wide, 2 * high, fill=False, ls=(0, (4, 3)), lw=1.1, ec=INK, zorder=1
            )
        )
        sizes = "/".join(str(quantity(instance, s)) for s in reversed(level.denominations))
        axes.annotate(
            f"level {number}: {sizes}",
            _seen(axes, x, y, wide, high),
            fontsize=7,
            ha="center",
            va="center",
            color=INK,
            bbox={"boxstyle": "round,pad=0.2", "fc": "white", "ec": "none", "alpha": 0.85},
            zorder=8,
        )


def _seen(axes: Axes, x: float, y: float, wide: float, high: float) -> tuple[float, float]:
    """A point of the ring that lies inside the picture, below the depot if there is one."""
    (left, right), (low, top) = axes.get_xlim(), axes.get_ylim()
    for turn in (281, 259, 236, 304, 79, 101, 180, 0, 225, 315, 45, 135):
        px = x + wide * math.cos(math.radians(turn))
        py = y + high * math.sin(math.radians(turn))
        if left < px < right and low < py < top:
            return px, py
    return x, low + 0.03 * (top - low)


def _draw_routes(axes: Axes, points: Floats, solution: Solution, colours: list[Colour]) -> None:
    from matplotlib.collections import LineCollection

    inner, legs = [], []
    for route in solution.routes:
        stops = points[[visit.customer for visit in route.visits]]
        inner.append(stops)
        legs.append(np.vstack([stops[:1], points[:1], stops[-1:]]))
    axes.add_collection(LineCollection(legs, colors=colours, lw=0.8, alpha=0.45, zorder=2))
    axes.add_collection(LineCollection(inner, colors=colours, lw=1.8, zorder=3))
    away = np.hypot(*(points - points[0]).T)
    if len(colours) > MOST_NUMBERS:
        return
    size = 7 if len(colours) <= 40 else 5
    taken: set[int] = set()
    for number, (route, colour) in enumerate(zip(solution.routes, colours, strict=True), 1):
        customers = [visit.customer for visit in route.visits]
        # At its furthest stop, unless another route has its number there already.
        furthest = max([c for c in customers if c not in taken] or customers, key=lambda c: away[c])
        taken.add(furthest)
        axes.annotate(
            str(number),
            points[furthest],
            xytext=_outward(points[furthest] - points[0], 9),
            textcoords="offset points",
            fontsize=size,
            ha="center",
            va="center",
            color=_on(colour),
            bbox={"boxstyle": "round,pad=0.15", "fc": colour, "ec": "none", "alpha": 0.9},
            zorder=8,
        )


def _outward(vector: Floats, length: float) -> tuple[float, float]:
    norm = float(np.hypot(*vector)) or 1.0
    return length * float(vector[0]) / norm, length * float(vector[1]) / norm


def _draw_customers(
    axes: Axes,
    instance: Instance,
    points: Floats,
    solution: Solution | None,
    colours: list[Colour],
) -> None:
    """A disc for each customer, its area by demand; a pie of who brings how much if split."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Ellipse, Wedge

    shares: dict[int, list[tuple[int, int]]] = {}
    for k, route in enumerate(solution.routes if solution else ()):
        for visit in route.visits:
            shares.setdefault(visit.customer, []).append((k, visit.quantity))
    demands = instance.demands[1:]
    mean = demands.mean() if demands.any() else 1.0
    span = float(axes.get_ylim()[1] - axes.get_ylim()[0])
    radius = 0.011 * span * min(1.0, math.sqrt(120 / max(1, len(demands))))
    stretch = float(axes.get_aspect()) if instance.metric == "haversine" else 1.0
    discs: list[Any] = []
    fills: list[Any] = []
    rims: list[Any] = []
    for customer, demand in enumerate(demands.tolist(), 1):
        x, y = points[customer]
        r = radius * min(2.2, max(0.55, math.sqrt(demand / mean)))
        served = shares.get(customer, [])
        if len(served) < 2:
            discs.append(Ellipse((x, y), 2 * r * stretch, 2 * r))
            fills.append(colours[served[0][0]] if served else PALE)
            continue
        r *= 1.35
        angle = 90.0
        delivered = sum(amount for _, amount in served)
        for k, amount in served:
            turn = 360 * amount / delivered
            wedge = Wedge((0, 0), r, angle - turn, angle)
            discs.append(_stretched(wedge, x, y, stretch))
            fills.append(colours[k])
            angle -= turn
        rims.append(Ellipse((x, y), 2 * r * stretch, 2 * r))
    axes.add_collection(
        PatchCollection(discs, facecolors=fills, edgecolors="white", lw=0.5, zorder=4)
    )
    if rims:
        axes.add_collection(
            PatchCollection(rims, facecolors="none", edgecolors=INK, lw=1.1, zorder=5)
        )


def _stretched(wedge: Any, x: float, y: float, stretch: float) -> Any:
    from matplotlib.patches import PathPatch
    from matplotlib.transforms import Affine2D

    path = wedge.get_path().transformed(wedge.get_patch_transform())
    return PathPatch(path.transformed(Affine2D().scale(stretch, 1).translate(x, y)))


def _draw_legend(
    axes: Axes, instance: Instance, solution: Solution, each: list[float], colours: list[Colour]
) -> None:
    """Number, a bar as long as the vehicle is full, stops and cost of each route."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    shown = min(len(colours), LEGEND_ROWS * LEGEND_COLUMNS)
    columns = math.ceil(shown / LEGEND_ROWS)
    rows = max(20, math.ceil(shown / columns))
    axes.set_axis_off()
    axes.set_xlim(0, columns)
    axes.set_ylim(rows, -1.5)
    frames, bars = [], []
    for k, route in enumerate(solution.routes[:shown]):
        x, y = float(k // rows), float(k % rows)
        frames.append(Rectangle((x + 0.14, y - 0.32), 0.34, 0.64))
        bars.append(Rectangle((x + 0.14, y - 0.32), 0.34 * route.load / instance.capacity, 0.64))
        axes.text(x + 0.11, y, str(k + 1), fontsize=7, ha="right", va="center", color=INK)
        text = f"{len(route.visits)} · {cost_text(each[k])}"
        axes.text(x + 0.52, y, text, fontsize=7, ha="left", va="center", color=INK)
    axes.add_collection(PatchCollection(frames, facecolors="none", edgecolors=PALE, lw=0.6))
    axes.add_collection(PatchCollection(bars, facecolors=colours, edgecolors="none"))
    for column in range(columns):
        title = "route, fill, stops · cost"
        axes.text(column + 0.02, -1.1, title, fontsize=7, ha="left", va="center", color=INK)
    if shown < len(colours):
        more = f"and {counted(len(colours) - shown, 'route')} more"
        axes.text(0.02, rows - 0.3, more, fontsize=7, ha="left", va="center", color=INK)
