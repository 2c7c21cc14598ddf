"""Driver sheets: an HTML page to print, one sheet per vehicle. Write-only."""

import itertools
from collections.abc import Callable, Iterator
from html import escape

from splitroute.formats import Capabilities
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
    VisitTimes,
    explain_undelivered,
    loading_time,
    route_depots,
    route_distances,
    timetable,
    trips_of_vehicles,
)

CAPABILITIES = Capabilities(solution_suffixes=(".html",), holds_vehicles=True)

STYLE = """
body { font: 14px/1.4 system-ui, sans-serif; margin: 2rem; color: #111; background: #fff }
section { break-after: page; margin-bottom: 3rem } section:last-child { break-after: auto }
h1 { font-size: 1.3rem; margin: 0 0 .3rem } h1, td.name { overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100%; max-width: 42rem } tr { break-inside: avoid }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid #bbb }
td.number, th.number { text-align: right } td.number { white-space: nowrap } td.box { width: 2rem }
td.time { white-space: nowrap }
small { display: block; color: #444 }
td.box::before { content: ""; display: inline-block; padding: .45rem; border: 1px solid #333 }
@media (max-width: 30rem) { body { margin: .8rem } th, td { padding: .35rem .2rem } }
@page { margin: 15mm } @media print { body { margin: 0 } table { max-width: none } }
"""


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """Return the HTML page: what is not delivered, then the trips of each vehicle."""
    names = vehicle_names(instance, solution)
    vehicles: dict[int, list[str]] = {}  # that serve each customer
    for name, route in zip(names, solution.routes, strict=True):
        for visit in route.visits:
            vehicles.setdefault(visit.customer, []).append(name)
    distances = route_distances(instance, solution)
    times = timetable(instance, solution) if instance.has_times else None
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
        sections.append(
            f"<section><h1>{heading}{escape(name)}{total}</h1>"
            f"{_summary(instance, route, distances[k], time)}"
            f"{_table(instance, route, time, _others(vehicles, name))}"
            f"<p>{_return(instance, route, time)}{next_trip}</p></section>"
        )
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(instance.name or 'routes')}</title><style>{STYLE}</style></head>"
        f"<body>{''.join(sections)}</body></html>\n"
    )


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
            f"<tr><td class='name'>{_name(instance, item.customer, '')}</td>"
            + "".join(f"<td class='number'>{quantity:,}</td>" for quantity in quantities)
            + f"<td>{escape(item.reason)}</td></tr>"
        )
    if not rows:
        return ""
    return (
        f"<section><h1>{heading}{undelivered_text(instance, solution)}</h1>"
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
    return f"<p>{text}</p>"


def _table(
    instance: Instance, route: Route, times: RouteTimes | None, others: Callable[[int], str]
) -> str:
    remaining = route.load
    start, _ = route_depots(instance, route)
    depart = _time_cell(f"depart {time_text(instance, times.start)}") if times else ""
    rows = [
        f"<tr><td></td>{depart}<td class='name'>{escape(start.id)}</td>"
        f"<td>{_place(instance, start.place)}</td>{3 * '<td></td>'}</tr>"
    ]
    for k, (customer, delivered) in enumerate(route.visits, 1):
        remaining -= delivered
        time = _visit_time(instance, customer, times.visits[k - 1]) if times else ""
        place = int(instance.sites[customer])
        rows.append(
            f"<tr><td>{k:,}</td>{time}"
            f"<td class='name'>{_name(instance, customer, others(customer))}</td>"
            f"<td>{_place(instance, place)}</td>"
            f"<td class='number'>{user_quantity(instance, delivered):,}</td>"
            f"<td class='number'>{user_quantity(instance, remaining):,}</td>"
            "<td class='box'></td></tr>"
        )
    return (
        f"<table><thead><tr><th>visit</th>{'<th>time</th>' if times else ''}"
        "<th>customer</th><th>location</th>"
        "<th class='number'>unload</th><th class='number'>left</th><th>done</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _visit_time(instance: Instance, customer: int, times: VisitTimes) -> str:
    """Arrival and departure, with the wait and the windows, if there are any."""
    notes = []
    if time_text(instance, times.start) != time_text(instance, times.arrival):
        notes.append(f"wait until {time_text(instance, times.start)}")
    windows = instance.customers[customer - 1].windows
    if windows:
        notes.append(f"open {', '.join(window_text(instance, *w) for w in windows)}")
    text = window_text(instance, times.arrival, times.end)
    return _time_cell(text + "".join(f"<small>{note}</small>" for note in notes))


def _time_cell(text: str) -> str:
    return f"<td class='time'>{text}</td>"


def _return(instance: Instance, route: Route, times: RouteTimes | None) -> str:
    start, end = route_depots(instance, route)
    is_only = len(instance.depots) == 1
    target = f"Return to {'the depot' if is_only else escape(end.id)}"
    if start != end:
        target = f"End at {escape(end.id)}"
    return f"{target}." if times is None else f"{target} at {time_text(instance, times.end)}."


def _name(instance: Instance, customer: int, others: str) -> str:
    """Return the customer's id, its note, and the other vehicles that serve it."""
    served = instance.customers[customer - 1]
    notes = [escape(served.note)] if served.note else []
    if others:
        notes.append(f"also served by {escape(others)}")
    return escape(served.id) + "".join(f" <small>{note}</small>" for note in notes)


def _place(instance: Instance, place: int) -> str:
    if not instance.places:
        return ""
    x, y = instance.places[place]
    return f"{y:.5f}, {x:.5f}" if instance.is_globe else f"{x:,.12g} / {y:,.12g}"
