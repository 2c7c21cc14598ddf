"""A solution as a file to take home."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

from splitroute.errors import InputError
from splitroute.formats import csv, dimacs
from splitroute.formats.json import dump_solution, parse_solution
from splitroute.instance import Instance
from splitroute.plots.routes import draw_routes
from splitroute.report import cost_text, pluralize, user_quantity
from splitroute.solution import Route, Solution, route_costs

Kind = Literal["json", "csv", "txt", "geojson", "png", "sheets"]


MEDIA: dict[str, dict[str, Any]] = {
    media: {}
    for media in (
        "application/json", "text/csv", "text/plain", "application/geo+json", "image/png",
        "text/html",
    )
}  # fmt: skip


@dataclass(frozen=True)
class Made:
    """The file's content, and what it is."""

    data: bytes
    media: str
    suffix: str


def make(kind: Kind, instance: Instance, model: dict[str, Any]) -> Made:
    """The file of that kind."""
    solution = parse_solution(json.dumps(model), instance, "the solution").solution
    if kind == "json":
        text = dump_solution(instance, solution)
        return Made(text.encode(), "application/json", "json")
    if kind == "csv":
        text = csv.dump_solution(instance, solution)
        # With the mark by which spreadsheets know that it is no Windows file of long ago.
        return Made(text.encode("utf-8-sig"), "text/csv; charset=utf-8", "csv")
    if kind == "txt":
        text = dimacs.dump_solution(instance, solution)
        return Made(text.encode(), "text/plain; charset=utf-8", "txt")
    if kind in ("geojson", "png") and not instance.places:
        raise InputError("the instance has no coordinates; there is nothing to draw")
    if kind == "geojson":
        return Made(_geojson(instance, solution).encode(), "application/geo+json", "geojson")
    if kind == "png":
        return Made(_picture(instance, solution), "image/png", "png")
    return Made(_sheets(instance, solution).encode(), "text/html; charset=utf-8", "html")


def _picture(instance: Instance, solution: Solution) -> bytes:
    picture = io.BytesIO()
    draw_routes(instance, solution).savefig(picture, format="png", dpi=150)
    return picture.getvalue()


def _geojson(instance: Instance, solution: Solution) -> str:
    """A line per route and a point per customer; longitudes first, as the format has it."""
    places = [list(instance.places[p]) for p in instance.sites.tolist()]
    features: list[dict[str, Any]] = []
    for k, (route, cost) in enumerate(
        zip(solution.routes, route_costs(instance, solution), strict=True), 1
    ):
        stops = [places[0], *(places[v.customer] for v in route.visits), places[0]]
        features.append(
            {
                "type": "Feature",
                "geometry": {"type": "LineString", "coordinates": stops},
                "properties": {
                    "route": k,
                    "load": user_quantity(instance, route.load),
                    "cost": cost,
                },
            }
        )
    for number, customer in enumerate(instance.customers, 1):
        features.append(
            {
                "type": "Feature",
                "geometry": {"type": "Point", "coordinates": places[number]},
                "properties": {
                    "customer": number,
                    "id": customer.id,
                    "demand": user_quantity(instance, customer.demand),
                },
            }
        )
    return json.dumps({"type": "FeatureCollection", "features": features})


STYLE = """
body { font: 14px/1.4 system-ui, sans-serif; margin: 2rem; color: #111; background: #fff }
section { break-after: page; margin-bottom: 3rem } section:last-child { break-after: auto }
h1 { font-size: 1.3rem; margin: 0 0 .3rem } h1, td.name { overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100%; max-width: 42rem } tr { break-inside: avoid }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid #bbb }
td.number, th.number { text-align: right } td.number { white-space: nowrap } td.box { width: 2rem }
small { display: block; color: #444 }
td.box::before { content: ""; display: inline-block; padding: .45rem; border: 1px solid #333 }
@media (max-width: 30rem) { body { margin: .8rem } th, td { padding: .35rem .2rem } }
@page { margin: 15mm } @media print { body { margin: 0 } table { max-width: none } }
"""


def _sheets(instance: Instance, solution: Solution) -> str:
    """One sheet per vehicle, for the drivers; to be printed."""
    serving: dict[int, list[int]] = {}
    for k, route in enumerate(solution.routes, 1):
        for visit in route.visits:
            serving.setdefault(visit.customer, []).append(k)
    sections = [
        _sheet(instance, route, cost, k, len(solution.routes), serving)
        for k, (route, cost) in enumerate(
            zip(solution.routes, route_costs(instance, solution), strict=True), 1
        )
    ]
    title = escape(instance.name or "routes")
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{title}</title><style>{STYLE}</style></head><body>{''.join(sections)}</body></html>"
    )


def _sheet(
    instance: Instance,
    route: Route,
    cost: float,
    k: int,
    count: int,
    serving: dict[int, list[int]],
) -> str:
    left = route.load
    rows = [f"<tr><td></td><td>depot</td><td>{_place(instance, 0)}</td>{3 * '<td></td>'}</tr>"]
    for stop, (customer, amount) in enumerate(route.visits, 1):
        left -= amount
        name = escape(instance.customers[customer - 1].id)
        if note := instance.customers[customer - 1].note:
            name += f" <small>{escape(note)}</small>"
        others = [f"{other:,}" for other in serving[customer] if other != k]
        if others:
            name += f" <small>also served by vehicle {', '.join(others)}</small>"
        rows.append(
            f"<tr><td>{stop:,}</td><td class='name'>{name}</td>"
            f"<td>{_place(instance, customer)}</td>"
            f"<td class='number'>{user_quantity(instance, amount):,}</td>"
            f"<td class='number'>{user_quantity(instance, left):,}</td><td class='box'></td></tr>"
        )
    unit = " km in straight lines" if instance.metric == "haversine" else ""
    return (
        f"<section><h1>{escape(instance.name)}: vehicle {k:,} of {count:,}</h1>"
        f"<p>{pluralize(len(route.visits), 'stop')}, "
        f"load {user_quantity(instance, route.load):,} of "
        f"{user_quantity(instance, instance.capacity):,}, distance {cost_text(cost)}{unit}</p>"
        "<table><thead><tr><th>stop</th><th>customer</th><th>place</th>"
        "<th class='number'>unload</th><th class='number'>left</th><th>done</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table><p>Then back to the depot.</p></section>"
    )


def _place(instance: Instance, customer: int) -> str:
    if not instance.places:
        return ""
    x, y = instance.places[int(instance.sites[customer])]
    return f"{y:.5f}, {x:.5f}" if instance.metric == "haversine" else f"{x:,.12g} / {y:,.12g}"
