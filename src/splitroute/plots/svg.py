"""A small picture of routes as SVG, for notebooks; it needs no other package."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

from splitroute.distances import Floats
from splitroute.instance import Instance
from splitroute.plots.axes import hue
from splitroute.report import vehicle_names
from splitroute.solution import Route, Solution, route_depots

WIDTH, MAX_HEIGHT = 420.0, 420.0
MARGIN = 8.0
MAX_POINTS = 20_000  # of a picture: a notebook keeps it in its file


def routes_svg(instance: Instance, solution: Solution | None = None) -> str:
    """Return the picture; empty without coordinates, or if it would be too large."""
    solution = solution or Solution(())
    lines = _lines(instance, solution) if instance.places else []
    num_points = len(instance.places) + sum(map(len, lines))
    if not instance.places or num_points > MAX_POINTS:
        return ""
    frame = _Frame(instance, lines)
    names = vehicle_names(instance, solution)
    tours = "".join(
        f'<polyline points="{frame.points(line)}" stroke="hsl({360 * hue(k):.0f} 70% 45%)">'
        f"<title>{escape(names[k])}</title></polyline>"
        for k, line in enumerate(lines)
    )
    customers = frame.pairs(instance.xy[instance.sites[1:]])
    dots = "".join(f'<circle cx="{x:g}" cy="{y:g}" r="2"/>' for x, y in customers)
    depots = frame.pairs(instance.xy[[depot.place for depot in instance.depots]])
    squares = "".join(
        f'<rect x="{x - 4:g}" y="{y - 4:g}" width="8" height="8" stroke="white"/>'
        for x, y in depots
    )
    width, height = math.ceil(frame.width), math.ceil(frame.height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-label="map">'
        f'<g fill="none" stroke-width="1.5">{tours}</g>'
        f'<g fill="currentColor">{dots}{squares}</g></svg>'
    )


def _lines(instance: Instance, solution: Solution) -> list[Floats]:
    """The line of each route, along the roads if these are known."""
    if solution.geometry:
        return list(solution.geometry)
    return [instance.xy[_places(instance, route)] for route in solution.routes]


def _places(instance: Instance, route: Route) -> list[int]:
    start, end = route_depots(instance, route)
    visited = (int(instance.sites[visit.customer]) for visit in route.visits)
    return [start.place, *visited, end.place]


class _Frame:
    """Maps coordinates into the picture, north up."""

    def __init__(self, instance: Instance, lines: Sequence[Floats]) -> None:
        points = np.vstack([instance.xy, *lines])
        low, high = points.min(axis=0), points.max(axis=0)
        # A degree of longitude is shorter than a degree of latitude.
        latitude = math.radians(float(low[1] + high[1]) / 2) if instance.is_globe else 0.0
        stretch = np.array([max(0.01, math.cos(latitude)), 1.0])
        size = (high - low) * stretch
        room = np.array([WIDTH, MAX_HEIGHT]) - 2 * MARGIN
        scale = float((room / np.maximum(size, 1e-9)).min()) if size.any() else 1.0
        self._low, self._scale = low, stretch * scale
        self.width, self.height = (size * scale + 2 * MARGIN).tolist()

    def pairs(self, points: Floats) -> Iterable[tuple[float, float]]:
        """Positions in the picture."""
        moved = (points - self._low) * self._scale + MARGIN
        moved[:, 1] = self.height - moved[:, 1]
        return [(x, y) for x, y in np.round(moved, 1).tolist()]

    def points(self, line: Floats) -> str:
        """A line as SVG writes it."""
        return " ".join(f"{x:g},{y:g}" for x, y in self.pairs(line))
