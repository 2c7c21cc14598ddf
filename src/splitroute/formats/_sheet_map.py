"""The map of a driver sheet: one route as an SVG that needs nothing from elsewhere."""

from __future__ import annotations

import math

import numpy as np

from splitroute.distances import KM_PER_DEGREE, Floats
from splitroute.formats._frame import Frame
from splitroute.instance import Instance
from splitroute.solution import Route, route_places

WIDTH, MAX_HEIGHT, MIN_HEIGHT = 560.0, 340.0, 150.0
PADDING = 22.0
MIN_STEP = 0.7  # between drawn points of a line along roads
SMALL_ABOVE = 40  # stops, which then have smaller marks
BAR = 90.0  # longest scale bar
STRIP = 18.0  # below the map, for that bar


def route_map(instance: Instance, route: Route, line: Floats | None) -> str:
    """Return the route with numbered visits and its depots; empty without coordinates."""
    if not instance.places:
        return ""
    points = instance.xy[route_places(instance, route)]
    path = points if line is None else np.vstack([points[:1], line, points[-1:]])
    frame = Frame(
        path,
        (WIDTH, MAX_HEIGHT),
        PADDING,
        is_globe=instance.is_globe,
        minimum=(WIDTH, MIN_HEIGHT),
    )
    bar = ""
    if instance.is_globe and frame.has_extent:  # a single place has no scale
        bar = _scale_bar(frame.scale / KM_PER_DEGREE, frame.height + STRIP)
    height = frame.height + STRIP if bar else frame.height
    return (
        f"<svg class='map' viewBox='0 0 {WIDTH:g} {height:.0f}' role='img' "
        f"aria-label='map of the route'>{_line(frame.positions(path))}"
        f"{_marks(frame.positions(points))}{bar}</svg>"
    )


def _line(path: Floats) -> str:
    kept = [path[0]]
    for point in path[1:]:
        if np.abs(point - kept[-1]).max() >= MIN_STEP:
            kept.append(point)
    coordinates = " ".join(f"{x:.1f},{y:.1f}" for x, y in kept)
    return f"<polyline points='{coordinates}'/>"


def _marks(points: Floats) -> str:
    """Squares for the depots, and above them a numbered disc per visit."""
    radius = 9 if len(points) <= SMALL_ABOVE else 6
    marks = [
        f"<rect x='{x - 7:.1f}' y='{y - 7:.1f}' width='14' height='14'/>"
        for x, y in (points[0], points[-1])
    ]
    for k, (x, y) in enumerate(points[1:-1], 1):
        marks.append(
            f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{radius}'/>"
            f"<text x='{x:.1f}' y='{y:.1f}' dy='.36em' font-size='{1.2 * radius:g}'>{k}</text>"
        )
    return "".join(marks)


def _scale_bar(pixels_per_km: float, bottom: float) -> str:
    """A bar for 1, 2 or 5 times a power of ten kilometres; none for less than a metre."""
    longest = BAR / pixels_per_km
    if not 1e-3 < longest < 1e5:
        return ""
    power = 10.0 ** math.floor(math.log10(longest))
    length = next(factor * power for factor in (5, 2, 1) if factor * power <= longest)
    text = f"{length:g} km" if length >= 1 else f"{1000 * length:g} m"
    x, y = 8.0, bottom - 8
    return (
        f"<path d='M{x:g} {y - 4:.0f}v4h{length * pixels_per_km:.1f}v-4'/>"
        f"<text class='scale' x='{x + 4:g}' y='{y - 5:.0f}'>{text}</text>"
    )
