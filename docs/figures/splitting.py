"""Three customers, with and without splitting: the picture of the first page."""

import math

from draw import COLOURS, INK, new_figure
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle, Wedge

import splitroute as sr

CAPACITY, DEMAND = 12, 8
PLACES = [(0.0, 0.0), (8.6, 3.0), (9.6, 0.0), (8.6, -3.0)]
RADIUS = 0.95


def figures() -> dict[str, Figure]:
    """Return the routes without and with splitting."""
    instance = sr.Instance.create(CAPACITY, [DEMAND] * 3, PLACES)
    stop = sr.Stop(iterations=1000)
    return {
        f"splitting-{name}": _drawn(sr.solve(instance, rule=rule, stop=stop), title)
        for name, rule, title in (
            ("without", "none", "One vehicle per customer"),
            ("with", "free", "Customers may be shared"),
        )
    }


def _drawn(result: sr.Result, title: str) -> Figure:
    figure = new_figure(4.6, 4.0)
    axes = figure.add_subplot()
    axes.set_xlim(-1.6, 11.2)
    axes.set_ylim(-7.2, 4.4)
    axes.set_aspect("equal")
    axes.set_axis_off()
    routes = sorted(result.solution.routes, key=lambda r: -PLACES[r.visits[0].customer][1])
    axes.set_title(f"{title}\n{len(routes)} vehicles drive {result.cost:.0f} km", fontsize=12)
    for route, colour in zip(routes, COLOURS, strict=False):
        points = [PLACES[0], *(PLACES[v.customer] for v in route.visits), PLACES[0]]
        shift = 0.16 * (routes.index(route) - (len(routes) - 1) / 2)
        axes.plot([x for x, _ in points], [y - shift for _, y in points], color=colour, lw=2.4)
    for customer, place in enumerate(PLACES[1:], 1):
        _draw_customer(axes, place, [
            (colour, visit.quantity)
            for route, colour in zip(routes, COLOURS, strict=False)
            for visit in route.visits if visit.customer == customer
        ])  # fmt: skip
    axes.add_patch(Rectangle((-0.8, -0.8), 1.6, 1.6, color=INK, zorder=4))
    axes.text(0, -1.5, "depot", ha="center", fontsize=10)
    for k, (route, colour) in enumerate(zip(routes, COLOURS, strict=False)):
        _draw_vehicle(axes, -1.0 + 4.1 * k, route.load, colour)
    return figure


def _draw_customer(axes: Axes, place: tuple[float, float], parts: list[tuple[str, int]]) -> None:
    """A pie of what each vehicle brings."""
    angle = 90.0
    for colour, quantity in parts:
        turn = 360 * quantity / DEMAND
        axes.add_patch(Wedge(place, RADIUS, angle, angle + turn, color=colour, lw=0, zorder=5))
        middle = math.radians(angle + turn / 2)
        distance = 0.5 * RADIUS if len(parts) > 1 else 0.0
        x, y = place[0] + distance * math.cos(middle), place[1] + distance * math.sin(middle)
        axes.text(x, y, str(quantity), color="white", ha="center", va="center", zorder=6,
                  fontsize=10, fontweight="bold")  # fmt: skip
        angle += turn


def _draw_vehicle(axes: Axes, x: float, load: int, colour: str) -> None:
    """A bar as long as the vehicle, filled by its load."""
    width, height = 3.6, 1.0
    axes.add_patch(Rectangle((x, -5.6), width * load / CAPACITY, height, color=colour, lw=0))
    axes.add_patch(Rectangle((x, -5.6), width, height, fill=False, ec=INK, lw=1))
    axes.text(x + width / 2, -6.4, f"{load} of {CAPACITY}", ha="center", va="center", fontsize=10)
