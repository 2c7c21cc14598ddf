"""Small pictures of routes as SVG, for notebooks and reports; they need no other package."""

from __future__ import annotations

import math
from collections.abc import Iterator
from colorsys import hls_to_rgb
from html import escape

import numpy as np

from splitroute.distances import Floats
from splitroute.formats._frame import Frame
from splitroute.formats._route_colours import hue
from splitroute.instance import Instance
from splitroute.report import vehicle_names
from splitroute.solution import Solution, route_places

WIDTH, MAX_HEIGHT = 420.0, 420.0
MARGIN = 8.0
MAX_POINTS = 20_000  # of a picture: a notebook keeps it in its file
THUMBNAIL = 400.0  # units, so that whole numbers are precise enough


def routes_svg(instance: Instance, solution: Solution | None = None) -> str:
    """Return the picture; empty without coordinates, or if it would be too large."""
    solution = solution or Solution(())
    lines = _lines(instance, solution) if instance.places else []
    num_points = len(instance.places) + sum(map(len, lines))
    if not instance.places or num_points > MAX_POINTS:
        return ""
    points = np.vstack([instance.xy, *lines])
    frame = Frame(points, (WIDTH, MAX_HEIGHT), MARGIN, is_globe=instance.is_globe)
    names = vehicle_names(instance, solution)
    tours = "".join(
        f'<polyline points="{_points(frame, line)}" stroke="hsl({360 * hue(k):.0f} 70% 45%)">'
        f"<title>{escape(names[k])}</title></polyline>"
        for k, line in enumerate(lines)
    )
    customers = _pairs(frame, instance.xy[instance.sites[1:]])
    dots = "".join(f'<circle cx="{x:g}" cy="{y:g}" r="2"/>' for x, y in customers)
    depots = _pairs(frame, instance.xy[[depot.place for depot in instance.depots]])
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


def thumbnail_svg(points: Floats, solution: Solution, description: str) -> str:
    """Return a map in plane coordinates, depot first: faint legs to the depot, dots, no labels."""
    frame = Frame(points, (THUMBNAIL, THUMBNAIL), 0.06 * THUMBNAIL, is_globe=False)
    places = np.round(frame.positions(points)).astype(int).tolist()
    depot = places[0]
    legs, tours = "", ""
    for k, route in enumerate(solution.routes):
        visits = [places[visit.customer] for visit in route.visits]
        colour = f'stroke="#{_short_hex(k)}"'
        legs += f'<path {colour} d="{_path([visits[0], depot, visits[-1]])}"/>'
        tours += f'<path {colour} d="{_path(visits)}"/>' if len(visits) > 1 else ""
    dots = "".join(f"m{x} {y}z" for x, y in _steps(places[1:]))
    return (
        f'<svg viewBox="0 0 {frame.width:.0f} {frame.height:.0f}" role="img" '
        f'aria-label="{escape(description)}" fill="none" stroke-width="2.2">'
        f'<g opacity=".45">{legs}</g>{tours}'
        f'<path d="{dots}" stroke="currentColor" stroke-width="4.5" style="stroke-linecap:round"/>'
        f'<path d="M{depot[0] - 8} {depot[1] - 8}h16v16h-16z" fill="currentColor" '
        f'stroke="white"/></svg>'
    )


def _short_hex(k: int) -> str:
    """The colour of a route, in one shade that shows on light and on dark pages."""
    return "".join(f"{round(15 * part):x}" for part in hls_to_rgb(hue(k), 0.5, 0.6))


def _path(places: list[list[int]]) -> str:
    """A line in the shortest form that SVG has."""
    return "m" + " ".join(f"{x} {y}" for x, y in _steps(places))


def _steps(places: list[list[int]]) -> Iterator[tuple[int, int]]:
    """The first place, and from each to the next."""
    for (x, y), (u, v) in zip([[0, 0], *places], places, strict=False):
        yield u - x, v - y


def _lines(instance: Instance, solution: Solution) -> list[Floats]:
    """The line of each route, along the roads if these are known."""
    if solution.geometry:
        return list(solution.geometry)
    return [instance.xy[route_places(instance, route)] for route in solution.routes]


def _pairs(frame: Frame, points: Floats) -> list[tuple[float, float]]:
    """Positions in the picture, rounded to what can be seen."""
    return [(x, y) for x, y in np.round(frame.positions(points), 1).tolist()]


def _points(frame: Frame, line: Floats) -> str:
    """A line as SVG writes it."""
    return " ".join(f"{x:g},{y:g}" for x, y in _pairs(frame, line))
