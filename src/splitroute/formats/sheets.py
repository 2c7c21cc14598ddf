"""Driver sheets: an HTML page to print, one sheet per route with a map. Write-only."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from html import escape

from splitroute.formats import Capabilities
from splitroute.formats._delivery_day import day_text
from splitroute.formats._sheet_links import LinkWriter, route_links
from splitroute.formats._sheet_map import route_map
from splitroute.formats._sheet_table import customer_text, visit_table
from splitroute.instance import Instance
from splitroute.report import (
    cost_text,
    distances_text,
    duration_text,
    natural_key,
    pluralize,
    time_text,
    travel_text,
    undelivered_text,
    user_quantity,
    vehicle_names,
    window_text,
)
from splitroute.solution import (
    Route,
    RouteTimes,
    Solution,
    explain_undelivered,
    loading_time,
    route_depots,
    route_distances,
    timetable,
    trips_of_vehicles,
)

# Chosen by name, as by --sheets: files that end in .html are interactive pages.
CAPABILITIES = Capabilities(holds_vehicles=True, holds_date=True)

STYLE = """
body { font: 14px/1.4 system-ui, sans-serif; margin: 2rem; color: #111; background: #fff }
section { break-after: page; margin-bottom: 3rem; max-width: 46rem }
section:last-child { break-after: auto }
h1 { font-size: 1.3rem; margin: 0 0 .3rem } h1, td.name { overflow-wrap: anywhere }
p { margin: .5rem 0 } a { color: inherit }
.blanks { display: flex; flex-wrap: wrap; gap: .6rem 1.5rem; break-inside: avoid }
.blanks span { flex: 1 1 10rem; display: flex; gap: .4rem; white-space: nowrap }
.blanks i { flex: 1; border-bottom: 1px solid #333 }
.top { display: flex; flex-wrap: wrap; gap: .6rem; margin: .8rem 0; break-inside: avoid }
.map { flex: 1 1 20rem; max-height: 90mm; border: 1px solid #bbb }
.map polyline { fill: none; stroke: #1f5fa8; stroke-width: 2.2; stroke-linejoin: round }
.map rect, .map circle { fill: #fff; stroke: #111; stroke-width: 1.4 } .map rect { fill: #111 }
.map text { text-anchor: middle } .map text.scale { text-anchor: start; font-size: 11px }
.map path { fill: none; stroke: #111 }
.links { display: flex; flex-wrap: wrap; gap: .6rem; align-content: flex-start }
.links a { text-align: center; font-size: .8rem } .links span { display: block }
.code { display: block; width: 36mm; height: 36mm }
table { border-collapse: collapse; width: 100% } tr { break-inside: avoid }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid #bbb }
th, td { vertical-align: top }
td.number, th.number { text-align: right } td.number { white-space: nowrap } td.box { width: 2rem }
td.time { white-space: nowrap } td.time small { white-space: normal } td.sign { height: 2.4rem }
th.name { width: 40% } th.sign { width: 20% } .title { display: none } .closing td { border: 0 }
small { display: block; color: #444 }
td.box::before { content: ""; display: inline-block; padding: .45rem; border: 1px solid #333 }
@media (max-width: 30rem) { body { margin: .8rem } th, td { padding: .35rem .2rem } }
@media screen and (max-width: 30rem) { .code, .sign { display: none } }  /* a phone has the link */
@page { margin: 15mm; @bottom-right { content: counter(page) " / " counter(pages) } }
@media print {
  .title { display: table-row } .title th { border: 0 }
  body { margin: 0 } section { max-width: none; margin: 0 } a { text-decoration: none }
}
"""


def dump_solution(
    instance: Instance, solution: Solution, about: Mapping[str, object] | None = None
) -> str:
    """Return the HTML page: what is not delivered, then the trips of each vehicle.

    The `date` of `about` is that of the deliveries; without one, a line is left blank for it.
    """
    day = day_text((about or {}).get("date"))
    writer = LinkWriter() if instance.places and instance.is_globe else None
    names = vehicle_names(instance, solution)
    vehicles: dict[int, list[str]] = {}  # that serve each customer
    for name, route in zip(names, solution.routes, strict=True):
        for visit in route.visits:
            vehicles.setdefault(visit.customer, []).append(name)
    distances = route_distances(instance, solution)
    times = timetable(instance, solution) if instance.has_times else None
    lines = solution.geometry or [None] * len(solution.routes)
    heading = f"{escape(instance.name)}: " if instance.name else ""
    total = "" if instance.fleet else f" of {len(solution.routes):,}"
    sections = [_undelivered(instance, solution, heading)] if instance.rules else []
    for k, following in _in_order(solution, names):
        route, name, time = solution.routes[k], names[k], times[k] if times else None
        next_trip = (
            ""
            if following is None
            else _next_trip(
                instance, solution.routes[following], time, times[following] if times else None
            )
        )
        title = f"{heading}{escape(name)}{total}{day and f', {day}'}"
        closing = (
            f"<p>{_return(instance, route, time)}{next_trip}</p>"
            f"<p class='blanks'>{_blank('Signature of the driver')}</p>"
        )
        sections.append(
            f"<section><h1>{heading}{escape(name)}{total}</h1>"
            f"{_summary(instance, route, distances[k], time)}"
            f"<p class='blanks'>{_blank('Date', day)}{_blank('Driver')}</p>"
            f"<div class='top'>{route_map(instance, route, lines[k])}"
            f"{writer.html(route_links(instance, route)) if writer else ''}</div>"
            f"{visit_table(instance, route, time, _others(vehicles, name), title, closing)}"
            "</section>"
        )
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(instance.name or 'routes')}</title><style>{STYLE}</style></head>"
        f"<body>{''.join(sections)}</body></html>\n"
    )


def _blank(title: str, text: str = "") -> str:
    """A line with a text, or one to write on."""
    return f"<span>{title}: {escape(text) or '<i></i>'}</span>"


def _in_order(solution: Solution, names: list[str]) -> Iterator[tuple[int, int | None]]:
    """Index of each route by vehicle and trip, and that of the next trip of its vehicle."""

    def key(trips: list[int]) -> tuple[int, list[object]]:
        return solution.routes[trips[0]].vehicle_type, natural_key(names[trips[0]])

    for trips in sorted(trips_of_vehicles(solution), key=key):
        yield from itertools.zip_longest(trips, trips[1:])


def _next_trip(
    instance: Instance, route: Route, before: RouteTimes | None, times: RouteTimes | None
) -> str:
    """What the driver does between two trips: when to load, how much, and when to leave."""
    text = f" Then load {user_quantity(instance, route.load):,} for trip {route.trip}"
    if before is None or times is None:
        return f"{text}."
    if duration := loading_time(instance, route):
        text += f", {window_text(instance, before.end, before.end + duration)}"
    return f"{text}; it starts at {time_text(instance, times.start)}."


def _undelivered(instance: Instance, solution: Solution, heading: str) -> str:
    """A sheet for the office: who gets less than the demand, and why; empty if nobody does."""
    items = explain_undelivered(instance, solution)
    rows = []
    for item in items:
        customer = instance.customers[item.customer - 1]
        quantities = (user_quantity(instance, q) for q in (item.quantity, customer.demand))
        rows.append(
            f"<tr><td class='name'>{customer_text(instance, item.customer, '')}</td>"
            + "".join(f"<td class='number'>{quantity:,}</td>" for quantity in quantities)
            + f"<td>{escape(item.reason)}</td></tr>"
        )
    if not rows:
        return ""
    return (
        f"<section><h1>{heading}{escape(undelivered_text(instance, solution))}</h1>"
        "<table><thead><tr><th>customer</th><th class='number'>undelivered</th>"
        "<th class='number'>demand</th><th>reason</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></section>"
    )


def _others(vehicles: dict[int, list[str]], name: str) -> Callable[[int], str]:
    return lambda customer: "; ".join(n for n in vehicles[customer] if n != name)


def _summary(instance: Instance, route: Route, distance: float, times: RouteTimes | None) -> str:
    unit = ""
    if instance.is_in_km:
        unit = f" km by {distances_text(instance)}" if instance.roads else " km in straight lines"
    kind = instance.vehicle_types[route.vehicle_type]
    load, capacity = user_quantity(instance, route.load), user_quantity(instance, kind.capacity)
    text = (
        f"{pluralize(len(route.visits), 'visit')}, load {load:,} of {capacity:,}, "
        f"distance {cost_text(distance)}{unit}"
    )
    if times is not None:
        text += f", {duration_text(instance, times.duration)}"
        if travel := travel_text(instance):
            text += f"; travel times: {travel}"
    return f"<p>{escape(text)}</p>"


def _return(instance: Instance, route: Route, times: RouteTimes | None) -> str:
    start, end = route_depots(instance, route)
    is_only = len(instance.depots) == 1
    target = f"Return to {'the depot' if is_only else escape(end.id)}"
    if start != end:
        target = f"End at {escape(end.id)}"
    return f"{target}." if times is None else f"{target} at {time_text(instance, times.end)}."
