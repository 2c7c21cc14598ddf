"""GPX for navigation devices and phones: a track per route and a waypoint per stop. Write-only."""

from collections.abc import Iterator
from xml.sax.saxutils import escape

import numpy as np

from splitroute.distances import Floats
from splitroute.errors import InputError
from splitroute.formats import Capabilities
from splitroute.instance import Instance
from splitroute.report import cost_text, time_text, user_quantity, vehicle_names
from splitroute.solution import Solution, route_places, timetable

CAPABILITIES = Capabilities(
    solution_suffixes=(".gpx",), needs_coordinates=True, needs_globe=True, holds_vehicles=True
)
NAMESPACE = "http://www.topografix.com/GPX/1/1"


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """Return the waypoints and tracks; tracks follow the roads if the solution has their lines."""
    if not instance.places or not instance.is_globe:
        raise InputError("GPX needs places with lat and lon", field="places")
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<gpx version="1.1" creator="splitroute" xmlns="{NAMESPACE}">',
        f"<metadata><name>{_text(instance.name or 'routes')}</name></metadata>",
        *_waypoints(instance, solution),
        *_tracks(instance, solution),
        "</gpx>",
    ]
    return "\n".join(lines) + "\n"


def _waypoints(instance: Instance, solution: Solution) -> Iterator[str]:
    """The depots, and each visit in the order of its route."""
    for depot in instance.depots:
        yield _waypoint(instance, depot.place, depot.id, "depot")
    times = timetable(instance, solution) if instance.has_times else None
    for k, route in enumerate(solution.routes):
        for stop, visit in enumerate(route.visits, 1):
            customer = instance.customers[visit.customer - 1]
            about = f"deliver {user_quantity(instance, visit.quantity):,}"
            if times:
                about += f", arrival {time_text(instance, times[k].visits[stop - 1].arrival)}"
            if customer.note:
                about += f"; {customer.note}"
            yield _waypoint(instance, customer.place, f"{k + 1}.{stop} {customer.id}", about)


def _waypoint(instance: Instance, place: int, name: str, about: str) -> str:
    lon, lat = instance.places[place]
    return (
        f'<wpt lat="{lat:.6f}" lon="{lon:.6f}"><name>{_text(name)}</name>'
        f"<desc>{_text(about)}</desc></wpt>"
    )


def _tracks(instance: Instance, solution: Solution) -> Iterator[str]:
    names = vehicle_names(instance, solution) if instance.fleet else [""] * len(solution.routes)
    paths = solution.geometry or [
        instance.xy[route_places(instance, route)] for route in solution.routes
    ]
    for k, (route, path) in enumerate(zip(solution.routes, paths, strict=True)):
        name = f"route {k + 1}" + (f", {names[k]}" if names[k] else "")
        load = f"{len(route.visits)} visits, load {cost_text(user_quantity(instance, route.load))}"
        yield f"<trk><name>{_text(name)}</name><desc>{_text(load)}</desc><trkseg>"
        yield from _points(path)
        yield "</trkseg></trk>"


def _points(path: Floats) -> Iterator[str]:
    for lon, lat in np.asarray(path).tolist():
        yield f'<trkpt lat="{lat:.6f}" lon="{lon:.6f}"/>'


def _text(text: str) -> str:
    """Text without the control characters that XML cannot hold."""
    return escape("".join(c for c in text if c.isprintable()))
