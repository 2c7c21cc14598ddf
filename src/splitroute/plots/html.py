"""What notebooks show of instances and results: a table of figures and a small picture."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from splitroute.instance import Instance
from splitroute.plots.svg import routes_svg
from splitroute.report import instance_facts

if TYPE_CHECKING:
    from splitroute.result import Result


def instance_html(instance: Instance) -> str:
    """Return the figures of an instance, and a picture of its places."""
    return _html(instance_facts(instance), routes_svg(instance))


def result_html(result: Result) -> str:
    """Return the figures of a result, and a picture of its routes."""
    return _html(result.facts(), routes_svg(result.instance, result.solution))


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
