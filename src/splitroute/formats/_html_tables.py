"""The tables of an interactive page: routes, visits, and what is not delivered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from splitroute.instance import Instance
from splitroute.report import PRICES, cost_text, time_text, user_quantity, vehicle_names
from splitroute.solution import (
    RouteTimes,
    Solution,
    Undelivered,
    route_costs,
    route_distances,
)


class Column(NamedTuple):
    """A column: its name for scripts, its title, and whether it is aligned to the right."""

    name: str
    title: str
    is_number: bool = True


TIMES = [Column("arrival", "arrival"), Column("start", "start"), Column("end", "end")]


def route_table(instance: Instance, solution: Solution, times: Sequence[RouteTimes] | None) -> str:
    """A row per route; without rules, a vehicle is its route."""
    has_names = bool(instance.fleet) or any(route.trip > 1 for route in solution.routes)
    columns = [
        Column("route", "route", is_number=False),
        *[Column("vehicle", "vehicle", is_number=False)] * has_names,
        *([Column("departure", "departure"), Column("return", "return")] if times else ()),
        Column("visits", "visits"),
        Column("load", "load"),
        *[Column("distance", "distance")] * bool(instance.rules & PRICES),
        Column("cost", "cost"),
    ]
    names, costs = vehicle_names(instance, solution), route_costs(instance, solution)
    lengths = route_distances(instance, solution)
    rows = []
    for k, route in enumerate(solution.routes):
        capacity = instance.vehicle_types[route.vehicle_type].capacity
        load, room = (f"{user_quantity(instance, q):,}" for q in (route.load, capacity))
        share = 100 * route.load / capacity
        cells = {
            "route": _cell(_button(f"{k + 1:,}")),
            "vehicle": _cell(escape(names[k])),
            "visits": _cell(f"{len(route.visits):,}"),
            "load": _cell(
                f'<i class="bar" style="--share:{share:.1f}%"></i>{load} of {room}', route.load
            ),
            "distance": _cell(cost_text(round(lengths[k], 2))),
            "cost": _cell(cost_text(round(costs[k], 2))),
        }
        if times:
            cells["departure"] = _cell(time_text(instance, times[k].start))
            cells["return"] = _cell(time_text(instance, times[k].end))
        rows.append((f"data-route={k + 1}", cells))
    return _table("routes", "Routes", columns, rows)


def visit_table(instance: Instance, solution: Solution, times: Sequence[RouteTimes] | None) -> str:
    """A row per visit."""
    columns = [
        Column("route", "route", is_number=False),
        Column("visit", "visit"),
        Column("customer", "customer", is_number=False),
        Column("quantity", "quantity"),
        Column("demand", "demand"),
        Column("left", "left on board"),
        *(TIMES if times else ()),
        *[Column("note", "note", is_number=False)] * any(c.note for c in instance.customers),
    ]
    rows = []
    for k, route in enumerate(solution.routes):
        left = route.load
        for position, visit in enumerate(route.visits):
            left -= visit.quantity
            customer = instance.customers[visit.customer - 1]
            quantities = (visit.quantity, customer.demand, left)
            quantity, demand, rest = (f"{user_quantity(instance, q):,}" for q in quantities)
            cells = {
                "route": _cell(f"{k + 1:,}"),
                "visit": _cell(f"{position + 1:,}"),
                "customer": _cell(_button(escape(customer.id))),
                "quantity": _cell(quantity),
                "demand": _cell(demand),
                "left": _cell(rest),
                "note": _cell(escape(customer.note)),
            }
            if times:
                moments = times[k].visits[position]._asdict().items()
                cells |= {name: _cell(time_text(instance, t)) for name, t in moments}
            rows.append((f"data-route={k + 1} data-customer={visit.customer}", cells))
    return _table("visits", "Visits", columns, rows)


def undelivered_table(instance: Instance, items: Sequence[Undelivered]) -> str:
    """A row per customer who gets less than the demand; empty if nobody does."""
    if not items:
        return ""
    columns = [
        Column("customer", "customer", is_number=False),
        Column("undelivered", "undelivered"),
        Column("demand", "demand"),
        Column("reason", "reason", is_number=False),
    ]
    rows = []
    for item in items:
        customer = instance.customers[item.customer - 1]
        quantities = (item.quantity, customer.demand)
        quantity, demand = (f"{user_quantity(instance, q):,}" for q in quantities)
        cells = {
            "customer": _cell(_button(escape(customer.id))),
            "undelivered": _cell(quantity),
            "demand": _cell(demand),
            "reason": _cell(escape(item.reason)),
        }
        rows.append((f"data-customer={item.customer}", cells))
    return _table("undelivered", "Undelivered", columns, rows)


def _cell(html: str, value: float | None = None) -> str:
    """A cell; the value is what its column is sorted by, if the text is no number.

    HTML needs no closing tags of cells and rows; in long tables, they would be a lot of text.
    """
    attribute = "" if value is None else f" data-value={value:.10g}"
    return f"<td{attribute}>{html}"


def _button(html: str) -> str:
    return f"<button>{html}</button>"


def _table(
    name: str,
    title: str,
    columns: Sequence[Column],
    rows: Iterable[tuple[str, dict[str, str]]],
) -> str:
    heads = "".join(f'<th scope="col" data-name="{c.name}">{c.title}</th>' for c in columns)
    left = [str(k) for k, column in enumerate(columns, 1) if not column.is_number]
    style = ",".join(f"#{name} :is(td,th):nth-child({k})" for k in left)
    body = "".join(
        f"<tr {attributes}>{''.join(cells[c.name] for c in columns)}\n"
        for attributes, cells in rows
    )
    return (
        f'<section class="table"><style>{style}{{text-align:left}}</style><h2>{title}</h2>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{title}">'
        f'<table id="{name}" class="sortable"><caption>{title}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>\n{body}</tbody></table></div></section>"
    )
