"""The bars of an interactive page: what each vehicle does when, or else what it carries."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from itertools import chain

from splitroute.instance import Instance
from splitroute.report import time_text, user_quantity, vehicle_names
from splitroute.solution import RouteTimes, Solution, loading_time, trips_of_vehicles

MIN_VISIT = 0.3  # percent of the axis, so that visits without duration are visible
MIN_WAIT = 1e-6  # less is rounding
MAX_TICKS = 8
CLOCK_STEPS = (15, 30, 60, 120, 180, 240, 360, 720, 1440)  # minutes

KEY = (
    ("driving", "driving"), ("waiting", "waiting"), ("unloading", "unloading"),
    ("loading", "loading"), ("load", "load, a part per visit"),
)  # fmt: skip

PLAIN = frozenset({"unloading", "load"})  # kinds without a class: most rectangles

Segment = tuple[str, float, float, int | None]  # kind, from, to and index of the visit


def bars(instance: Instance, solution: Solution, times: Sequence[RouteTimes] | None) -> str:
    """Return a bar per route, the trips of a vehicle one below the other."""
    if not solution.routes:
        return ""
    activities = _activities(instance, solution, times) if times else _loads(instance, solution)
    segments = list(activities)
    used = {kind for row in segments for kind, *_ in row}
    low = min(begin for row in segments for _, begin, *_ in row) if times else 0.0
    high = max(end for row in segments for _, _, end, _ in row)
    step = _step(high - low, CLOCK_STEPS if times and instance.clock else ())
    ticks = [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
    scale = 100 / ((high - low) or 1.0)  # to percent
    shares = [f"{(tick - low) * scale:.2f}%" for tick in ticks]
    grid = "".join(f'<line x1="{x}" x2="{x}" y2="100%"/>' for x in shares)
    labels = "".join(
        f'<span style="left:{x}">{time_text(instance, tick) if times else f"{tick:,.10g}"}</span>'
        for x, tick in zip(shares, ticks, strict=True)
    )
    names = vehicle_names(instance, solution)
    rows = "".join(
        f'<div class="row" data-route="{k + 1}"><span class="name">{escape(names[k])}</span>'
        '<svg class="track"><use href="#grid"/>'
        f"{''.join(_rectangle(segment, low, scale) for segment in segments[k])}</svg></div>\n"
        for k in chain.from_iterable(trips_of_vehicles(solution))
    )
    key = "".join(f'<li><i class="{kind}"></i>{text}</li>' for kind, text in KEY if kind in used)
    title = "Timeline" if times else "Loads"
    return (
        f'<section class="bars"><h2>{title}</h2><ul class="key">{key}</ul>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{title}">'
        f'<div class="row axis"><span class="name"></span><div class="labels">{labels}'
        f'<svg width="0" height="0"><g id="grid">{grid}</g></svg></div></div>'
        f"{rows}</div></section>"
    )


def _rectangle(segment: Segment, low: float, scale: float) -> str:
    kind, begin, end, visit = segment
    x, width = (begin - low) * scale, (end - begin) * scale
    if kind == "unloading" and width < MIN_VISIT:
        x, width = x - (MIN_VISIT - width) / 2, MIN_VISIT
    link = "" if visit is None else f' data-visit="{visit}"'
    name = "" if kind in PLAIN else f' class="{kind}"'
    return f'<rect x="{x:.2f}%" width="{width:.2f}%"{name}{link}/>'


def _activities(
    instance: Instance, solution: Solution, times: Sequence[RouteTimes]
) -> Iterator[list[Segment]]:
    """What happens on each route: loading before further trips, driving, waits and visits."""
    visits = 0
    for route, time in zip(solution.routes, times, strict=True):
        row: list[Segment] = [("driving", time.start, time.end, None)]
        if route.trip > 1 and (duration := loading_time(instance, route)):
            row.append(("loading", time.start - duration, time.start, None))
        for visit in time.visits:
            if visit.start - visit.arrival > MIN_WAIT:
                row.append(("waiting", visit.arrival, visit.start, visits))
            row.append(("unloading", visit.start, visit.end, visits))
            visits += 1
        yield row


def _loads(instance: Instance, solution: Solution) -> Iterator[list[Segment]]:
    """What each route brings to its visits, and the room that it leaves."""
    visits = 0
    for route in solution.routes:
        row: list[Segment] = []
        done = 0
        for visit in route.visits:
            ends = done, done + visit.quantity
            row.append(("load", *_user_span(instance, *ends), visits))
            done += visit.quantity
            visits += 1
        capacity = instance.vehicle_types[route.vehicle_type].capacity
        yield [*row, ("room", *_user_span(instance, done, max(done, capacity)), None)]


def _user_span(instance: Instance, begin: int, end: int) -> tuple[float, float]:
    return user_quantity(instance, begin), user_quantity(instance, end)


def _step(span: float, steps: Sequence[float]) -> float:
    """Return the distance of ticks: one of the steps, or 1, 2 or 5 times a power of ten."""
    least = (span or 1.0) / MAX_TICKS
    power = 10.0 ** math.floor(math.log10(least))
    return next(
        (step for step in steps if step >= least),
        next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least),
    )
