"""Links of a driver sheet that open a route in a phone's map, also as QR codes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import Any, NamedTuple

from splitroute.errors import InputWarning, MissingPackageError, issue
from splitroute.instance import Instance, Place
from splitroute.registry import require
from splitroute.solution import Route, route_places

DIRECTIONS = "https://www.google.com/maps/dir/?api=1&travelmode=driving"
MAX_WAYPOINTS = 9  # between origin and destination
DECIMALS = 5  # of degrees: 1 m
MASK = 3  # of QR codes: any can be scanned, and comparing all of them takes three times as long


class Link(NamedTuple):
    """An address, and the part of the route that it opens."""

    url: str
    text: str


def route_links(instance: Instance, route: Route) -> list[Link]:
    """Links for a route on the globe, none in the plane; a long one is cut into equal parts."""
    if not instance.places or not instance.is_globe:
        return []
    places = [instance.places[place] for place in route_places(instance, route)]
    legs = len(places) - 1
    count = math.ceil(legs / (MAX_WAYPOINTS + 1))
    if count == 1:
        return [Link(_directions(places), "Open in Google Maps")]
    ends = [legs * k // count for k in range(count + 1)]  # equal but for one leg
    return [
        Link(
            _directions(places[first : last + 1]),
            f"Map, visits {first + 1}–{min(last, len(route.visits))}",
        )
        for first, last in pairwise(ends)
    ]


def geo_link(place: Place) -> str:
    """A link to a place, which the phone opens in the app that its user prefers (RFC 5870)."""
    return f"geo:{_point(place)}"


def _directions(places: Sequence[Place]) -> str:
    origin, *waypoints, destination = map(_point, places)
    between = f"&waypoints={'%7C'.join(waypoints)}" if waypoints else ""
    return f"{DIRECTIONS}&origin={origin}&destination={destination}{between}"


def _point(place: Place) -> str:
    lon, lat = place
    return f"{lat:.{DECIMALS}f},{lon:.{DECIMALS}f}"


class LinkWriter:
    """Writes links, with QR codes if the package for them is installed."""

    def __init__(self) -> None:
        self._segno: Any = None
        try:
            require("segno", "sheets")
        except MissingPackageError as error:
            issue(InputWarning(f"driver sheets have no QR codes: {error.message}", field="sheets"))
        else:
            import segno

            self._segno = segno

    def html(self, links: Sequence[Link]) -> str:
        """The links of a route; on paper, their codes can be scanned."""
        if not links:
            return ""
        return f"<div class='links'>{''.join(map(self._link, links))}</div>"

    def _link(self, link: Link) -> str:
        code = ""
        if self._segno is not None:
            # As few modules as possible, so that they are large enough to be scanned from paper.
            qr = self._segno.make_qr(link.url, error="l", mask=MASK)
            code = qr.svg_inline(omitsize=True, border=2, svgclass="code", lineclass=None)
        return f"<a href='{escape(link.url)}'>{code}<span>{escape(link.text)}</span></a>"
