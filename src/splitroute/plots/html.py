"""What notebooks show of instances and results: a table of figures and a small picture."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from splitroute.instance import Instance
from splitroute.plots.svg import routes_svg
from splitroute.report import distances_text, travel_text, user_quantity

if TYPE_CHECKING:
    from splitroute.result import Result

MAX_TYPES_SHOWN = 5


def instance_html(instance: Instance) -> str:
    """Return the figures of an instance, and a picture of its places."""
    return _html(_instance_facts(instance), routes_svg(instance))


def result_html(result: Result) -> str:
    """Return the figures of a result, and a picture of its routes."""
    return _html(result.facts(), routes_svg(result.instance, result.solution))


def _instance_facts(instance: Instance) -> list[tuple[str, str]]:
    demand = user_quantity(instance, int(instance.demands.sum()))
    rows = [
        ("instance", instance.name or "(no name)"),
        ("customers", f"{len(instance.customers):,}"),
        ("demand", f"{demand:,}"),
        ("vehicles", _vehicles_text(instance)),
        ("distances", f"{distances_text(instance)} ({instance.metric})"),
    ]
    if len(instance.depots) > 1:
        rows.insert(3, ("depots", ", ".join(depot.id for depot in instance.depots)))
    if travel := travel_text(instance):
        rows.append(("travel times", travel))
    if instance.rules:
        rows.append(("rules", ", ".join(sorted(instance.rules))))
    return rows


def _vehicles_text(instance: Instance) -> str:
    """The vehicle types: `van: 3 of capacity 80, truck: any number of capacity 200`."""
    types = instance.vehicle_types
    texts = []
    for kind in types[:MAX_TYPES_SHOWN]:
        number = "any number" if kind.count is None else f"{kind.count:,}"
        name = f"{kind.type}: " if instance.fleet else ""
        texts.append(f"{name}{number} of capacity {user_quantity(instance, kind.capacity):,}")
    if len(types) > MAX_TYPES_SHOWN:
        texts.append(f"and {len(types) - MAX_TYPES_SHOWN:,} more types")
    return ", ".join(texts)


def _html(facts: Iterable[tuple[str, str]], picture: str) -> str:
    """Names of customers and the like come from files: everything is escaped."""
    rows = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th>'
        f'<td style="text-align:left">{escape(value)}</td></tr>'
        for name, value in facts
    )
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start">'
        f"<table>{rows}</table>{picture}</div>"
    )
