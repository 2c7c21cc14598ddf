"""The map of an interactive page: all routes as an SVG that scripts zoom and light up."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

import numpy as np

from splitroute.distances import Floats
from splitroute.formats._frame import Frame
from splitroute.formats._shares import Share, shares
from splitroute.instance import Instance
from splitroute.solution import Solution, route_places

WIDTH, MAX_HEIGHT, MARGIN = 1000.0, 1000.0, 30.0
MAX_LINE_POINTS = 15_000  # of all lines along roads; more would make the file too large
MIN_STEP = 0.1  # between drawn points of such a line
MEAN_RADIUS, MIN_RADIUS, MAX_RADIUS = 5.5, 2.2, 11.0  # of customers, in pixels
CROWD = 120  # customers; the marks of more are smaller


def solution_map(instance: Instance, solution: Solution) -> str:
    """Return the routes, customers and depots; empty without coordinates."""
    if not instance.places:
        return ""
    points = np.vstack([instance.xy, *solution.geometry])
    frame = Frame(points, (WIDTH, MAX_HEIGHT), MARGIN, is_globe=instance.is_globe)
    places = frame.positions(instance.xy)
    lines = _roads(frame, solution) if solution.geometry else _straight(instance, solution, places)
    # A wide invisible copy of each line is easier to point at.
    hits = "".join(
        f'<use href="#line{k}" data-route="{k}"/>' for k in range(1, len(solution.routes) + 1)
    )
    return (
        f'<svg class="map" viewBox="0 0 {frame.width:.0f} {frame.height:.0f}" tabindex="0" '
        'role="application" aria-label="Map of the routes. Arrow keys move it, plus and minus '
        'zoom, 0 shows all.">'
        f'<g class="hits">{hits}</g><g class="lines">{"".join(lines)}</g>'
        f"{''.join(_customers(instance, solution, places))}"
        f"{''.join(_depots(instance, places))}</svg>"
    )


def _straight(instance: Instance, solution: Solution, places: Floats) -> Iterator[str]:
    """The visits of each route, and fainter lines from and to the depots."""
    for k, route in enumerate(solution.routes, 1):
        path = places[route_places(instance, route)]
        tour = path[1:-1] if len(path) > 3 else path
        yield f'<path class="leg" data-route="{k}" {_path(path[:2], path[-2:])}/>'
        yield f'<path id="line{k}" data-route="{k}" {_path(tour)}/>'


def _roads(frame: Frame, solution: Solution) -> Iterator[str]:
    """The line of each route along the roads, with as many points as there is room for."""
    lines = [frame.positions(np.asarray(line)) for line in solution.geometry]
    step = MIN_STEP
    while sum(map(len, kept := [_thinned(line, step) for line in lines])) > MAX_LINE_POINTS:
        step *= 1.5
    for k, line in enumerate(kept, 1):
        yield f'<path id="line{k}" data-route="{k}" {_path(line, fineness=10)}/>'


def _thinned(line: Floats, step: float) -> Floats:
    """A line without the points that are closer than a step to the one before."""
    kept: list[int] = []
    last = (-math.inf, -math.inf)
    for k, (x, y) in enumerate(line.tolist()):
        if max(abs(x - last[0]), abs(y - last[1])) >= step:
            kept.append(k)
            last = x, y
    if kept and kept[-1] != len(line) - 1:
        kept.append(len(line) - 1)
    return line[kept]


def _path(*lines: Floats, fineness: int = 100) -> str:
    """Attributes of a path: steps in whole fractions of a unit, which are short."""
    texts = []
    for line in lines:
        grid = np.rint(line * fineness).astype(int)
        steps = " ".join(f"{x} {y}" for x, y in np.diff(grid, axis=0).tolist())
        texts.append(f"M{grid[0][0]} {grid[0][1]}l{steps}".replace(" -", "-"))
    return f'transform="scale({1 / fineness:g})" d="{"".join(texts)}"'


def _customers(instance: Instance, solution: Solution, places: Floats) -> Iterator[str]:
    """A disc per customer, its area by demand; a pie of the visits if there are several."""
    found = shares(instance, solution)
    demands = instance.demands[1:]
    mean = float(demands.mean()) if demands.any() else 1.0
    scale = MEAN_RADIUS * min(1.0, math.sqrt(CROWD / max(1, len(demands))))
    for number, demand in enumerate(demands.tolist(), 1):
        x, y = places[instance.sites[number]]
        radius = min(MAX_RADIUS, max(MIN_RADIUS, scale * math.sqrt(demand / mean)))
        parts = found.get(number, [])
        if len(parts) > 1:
            mark = "".join(_slices(parts, 1.35 * radius))
            mark += f'<circle class="rim" r="{1.35 * radius:.1f}"/>'
        else:
            owner = parts[0][0] if parts else None
            mark = f'<circle r="{radius:.1f}"{_route(owner)}/>'
        yield f'<g data-customer="{number}" transform="translate({x:.2f} {y:.2f})">{mark}</g>'


def _slices(parts: list[Share], radius: float) -> Iterator[str]:
    """A slice of a pie per share, clockwise from the top."""
    total = sum(quantity for _, quantity in parts)
    done = 0
    for route, quantity in parts:
        begin, end = (2 * math.pi * amount / total for amount in (done, done + quantity))
        (x, y), (u, v) = ((radius * math.sin(a), -radius * math.cos(a)) for a in (begin, end))
        arc = f"A{radius:.1f} {radius:.1f} 0 {int(2 * quantity > total)} 1 {u:.1f} {v:.1f}"
        yield f'<path{_route(route)} d="M0 0L{x:.1f} {y:.1f}{arc}Z"/>'
        done += quantity


def _route(index: int | None) -> str:
    return ' class="none"' if index is None else f' data-route="{index + 1}"'


def _depots(instance: Instance, places: Floats) -> Iterator[str]:
    """A square per depot, with its name if there are several."""
    for depot in instance.depots:
        x, y = places[depot.place]
        name = f'<text y="19">{escape(depot.id)}</text>' if len(instance.depots) > 1 else ""
        yield (
            f'<g class="depot" transform="translate({x:.2f} {y:.2f})">'
            f'<rect x="-6" y="-6" width="12" height="12"/>{name}</g>'
        )
