"""The solutions in records, and where to draw them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

import numpy as np

from splitroute.bench.records import Record
from splitroute.bench.results import Runs
from splitroute.distances import Floats
from splitroute.solution import Route, Solution, Visit

COLOURS = 24  # hues around the circle
SIDE = 220.0


def solution_of(record: Record) -> Solution:
    """The solution of a record that has one."""
    routes = (Route(tuple(Visit(*visit) for visit in route)) for route in record["solution"])
    return Solution(tuple(routes))


def places_of(record: Record) -> Floats | None:
    """Where the depot and the customers are, if the record says so."""
    places = record.get("places")
    return np.array(places, dtype=np.float64) if places else None


def best_by(
    records: Iterable[Record], key: Callable[[Record], tuple[str, str]]
) -> dict[tuple[str, str], Record]:
    """The best record with a solution for each value of the key."""
    best: dict[tuple[str, str], Record] = {}
    for record in records:
        if record["cost"] is not None and record.get("solution") is not None:
            group = key(record)
            best[group] = min(best.get(group, record), record, key=lambda r: float(r["cost"]))
    return best


def best_of(runs: Runs) -> list[Record]:
    """The best record of each instance that has a solution to draw."""
    drawable = (record for record in runs.records if record.get("places"))
    best = best_by(drawable, lambda r: (r.get("set") or "", r["instance"]))
    return [
        best[where, name]
        for where, names in runs.sets.items()
        for name in names
        if (where, name) in best
    ]


def drawing(record: Record, says: str) -> str:
    """The routes as a small SVG, in the colour of the text around it where they can be.

    What the picture `says` is for those who do not see it.
    """
    xy = places_of(record)
    assert xy is not None
    low, extent = xy.min(axis=0), float(np.ptp(xy, axis=0).max()) or 1.0
    points = 6 + (xy - low) / extent * (SIDE - 12)
    points[:, 1] = SIDE - points[:, 1]  # north is up
    lines = []
    for k, route in enumerate(solution_of(record).routes):
        stops = [0, *(visit.customer for visit in route.visits), 0]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points[stops])
        hue = round(360 * (k * 7 % COLOURS) / COLOURS)
        lines.append(f'<polyline points="{path}" stroke="hsl({hue} 55% 50%)"/>')
    dots = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in points[1:])
    x, y = points[0]
    return (
        f'<svg viewBox="0 0 {SIDE:g} {SIDE:g}" role="img" '
        f'aria-label="{escape(says)}"><g fill="none" stroke-width="0.9">{"".join(lines)}</g>'
        f'<path d="{dots}" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/>'
        f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6" fill="currentColor"/></svg>'
    )
