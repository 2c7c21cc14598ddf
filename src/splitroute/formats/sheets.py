"""Driver sheets: an HTML page to print, one sheet per vehicle. Write-only."""

from html import escape

from splitroute.formats import Capabilities
from splitroute.instance import Instance
from splitroute.report import cost_text, pluralize, user_quantity
from splitroute.solution import Route, Solution, route_costs

CAPABILITIES = Capabilities(solution_suffixes=(".html",), holds_vehicles=True)

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


def dump_solution(instance: Instance, solution: Solution, about: object = None) -> str:
    """Return the HTML page."""
    vehicles: dict[int, list[int]] = {}  # that serve each customer
    for k, route in enumerate(solution.routes, 1):
        for visit in route.visits:
            vehicles.setdefault(visit.customer, []).append(k)
    heading = f"{escape(instance.name)}: " if instance.name else ""
    sections = [
        f"<section><h1>{heading}vehicle {k:,} of {len(solution.routes):,}</h1>"
        f"{_summary(instance, route, cost)}{_table(instance, route, k, vehicles)}"
        "<p>Return to the depot.</p></section>"
        for k, (route, cost) in enumerate(
            zip(solution.routes, route_costs(instance, solution), strict=True), 1
        )
    ]
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(instance.name or 'routes')}</title><style>{STYLE}</style></head>"
        f"<body>{''.join(sections)}</body></html>\n"
    )


def _summary(instance: Instance, route: Route, cost: float) -> str:
    unit = " km in straight lines" if instance.metric == "haversine" else ""
    load, capacity = user_quantity(instance, route.load), user_quantity(instance, instance.capacity)
    return (
        f"<p>{pluralize(len(route.visits), 'visit')}, load {load:,} of {capacity:,}, "
        f"distance {cost_text(cost)}{unit}</p>"
    )


def _table(instance: Instance, route: Route, vehicle: int, vehicles: dict[int, list[int]]) -> str:
    remaining = route.load
    rows = [f"<tr><td></td><td>depot</td><td>{_place(instance, 0)}</td>{3 * '<td></td>'}</tr>"]
    for k, (customer, delivered) in enumerate(route.visits, 1):
        remaining -= delivered
        others = [f"{other:,}" for other in vehicles[customer] if other != vehicle]
        rows.append(
            f"<tr><td>{k:,}</td><td class='name'>{_name(instance, customer, others)}</td>"
            f"<td>{_place(instance, customer)}</td>"
            f"<td class='number'>{user_quantity(instance, delivered):,}</td>"
            f"<td class='number'>{user_quantity(instance, remaining):,}</td>"
            "<td class='box'></td></tr>"
        )
    return (
        "<table><thead><tr><th>visit</th><th>customer</th><th>location</th>"
        "<th class='number'>unload</th><th class='number'>left</th><th>done</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _name(instance: Instance, customer: int, others: list[str]) -> str:
    """Return the customer's id, its note, and the other vehicles that serve it."""
    served = instance.customers[customer - 1]
    notes = [escape(served.note)] if served.note else []
    if others:
        notes.append(f"also served by vehicle {', '.join(others)}")
    return escape(served.id) + "".join(f" <small>{note}</small>" for note in notes)


def _place(instance: Instance, customer: int) -> str:
    if not instance.places:
        return ""
    x, y = instance.places[int(instance.sites[customer])]
    return f"{y:.5f}, {x:.5f}" if instance.metric == "haversine" else f"{x:,.12g} / {y:,.12g}"
