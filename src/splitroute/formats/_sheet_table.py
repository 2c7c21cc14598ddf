"""The table of a driver sheet: what to unload where, and who has received it."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from splitroute.formats._sheet_links import geo_link
from splitroute.instance import Instance
from splitroute.report import time_text, user_quantity, window_text
from splitroute.solution import Route, RouteTimes, VisitTimes, route_depots


def visit_table(
    instance: Instance,
    route: Route,
    times: RouteTimes | None,
    others: Callable[[int], str],
    title: str,
    closing: str,
) -> str:
    """A row for the depot and one per visit; `others` are the other vehicles of a customer.

    The title is above the table on every printed page. The closing lines are a row of the table,
    so that the title is also above them if they are all that is left for a page.
    """
    num_columns = 6 + (times is not None)
    remaining = route.load
    start, _ = route_depots(instance, route)
    depart = _time_cell(f"depart {time_text(instance, times.start)}") if times else ""
    rows = [
        f"<tr><td></td>{depart}<td class='name'>{escape(start.id)}"
        f"{place_text(instance, start.place)}</td>{4 * '<td></td>'}</tr>"
    ]
    for k, (customer, delivered) in enumerate(route.visits, 1):
        remaining -= delivered
        time = _visit_time(instance, customer, times.visits[k - 1]) if times else ""
        rows.append(
            f"<tr><td>{k:,}</td>{time}"
            f"<td class='name'>{customer_text(instance, customer, others(customer))}"
            f"{place_text(instance, int(instance.sites[customer]))}</td>"
            f"<td class='number'>{user_quantity(instance, delivered):,}</td>"
            f"<td class='number'>{user_quantity(instance, remaining):,}</td>"
            "<td class='box'></td><td class='sign'></td></tr>"
        )
    return (
        f"<table><thead><tr class='title'><th colspan='{num_columns}'>{title}</th></tr>"
        f"<tr><th>visit</th>{'<th>time</th>' if times else ''}"
        "<th class='name'>customer</th>"
        "<th class='number'>unload</th><th class='number'>left</th><th>done</th>"
        "<th class='sign'>received by (signature)</th></tr></thead>"
        f"<tbody>{''.join(rows)}"
        f"<tr class='closing'><td colspan='{num_columns}'>{closing}</td></tr></tbody></table>"
    )


def customer_text(instance: Instance, customer: int, others: str) -> str:
    """Return the customer's id, its note, and the other vehicles that serve it."""
    served = instance.customers[customer - 1]
    notes = [escape(served.note)] if served.note else []
    if others:
        notes.append(f"also served by {escape(others)}")
    return escape(served.id) + "".join(f" <small>{note}</small>" for note in notes)


def place_text(instance: Instance, place: int) -> str:
    """The coordinates; on the globe they open a map."""
    if not instance.places:
        return ""
    x, y = instance.places[place]
    if not instance.is_globe:
        return f" <small>{x:,.12g} / {y:,.12g}</small>"
    link = geo_link(instance.places[place])
    return f" <small><a href='{link}'>{y:.5f}, {x:.5f}</a></small>"


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
